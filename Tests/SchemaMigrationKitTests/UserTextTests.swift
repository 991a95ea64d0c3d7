import Foundation
import TestSupport
import Testing

@testable import SchemaMigrationKit

/// Texts that the app's users read: complete, translatable, without file names.
struct UserTextTests {
  private struct Catalog: Decodable {
    var sourceLanguage: String
    var version: String
    var strings: [String: [String: String]]
  }

  @Test("The String Catalog lists exactly the texts of the library")
  func catalog() throws {
    let file = URL(filePath: Checkout.root + "/docs/SchemaMigrationKit.xcstrings")
    let catalog = try JSONDecoder().decode(Catalog.self, from: try Data(contentsOf: file))
    #expect(catalog.sourceLanguage == "en")
    #expect(catalog.strings.keys.sorted() == UserText.allCases.map(\.rawValue).sorted())
  }

  @Test("The privacy manifest for apps lists each required API with a reason")
  func privacyManifest() throws {
    let file = URL(filePath: Checkout.root + "/docs/PrivacyInfo.xcprivacy")
    let manifest = try PropertyListSerialization.propertyList(
      from: try Data(contentsOf: file), format: nil)
    let interfaces = try #require(
      (manifest as? [String: Any])?["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
    let reasons = interfaces.map { interface in
      let type = interface["NSPrivacyAccessedAPIType"] as? String ?? ""
      let reasons = interface["NSPrivacyAccessedAPITypeReasons"] as? [String] ?? []
      return "\(type.dropFirst("NSPrivacyAccessedAPICategory".count)): \(reasons.joined())"
    }
    // The library uses free space and dates of files, and a generated importer uses the defaults.
    #expect(reasons == ["DiskSpace: E174.1", "FileTimestamp: C617.1", "UserDefaults: CA92.1"])
    let importer = Checkout.root + "/Templates/JSONImport.mustache"
    #expect(try String(contentsOfFile: importer, encoding: .utf8).contains("UserDefaults"))
  }

  @Test("Texts are translated by the app's bundle, or else English")
  func translation() throws {
    try withTemporaryFolder { folder in
      let table = folder + "/App.bundle/en.lproj"
      try FileManager.default.createDirectory(atPath: table, withIntermediateDirectories: true)
      try "\"\(UserText.damaged.rawValue)\" = \"Deine Daten sind beschädigt.\";\n".write(
        toFile: table + "/SchemaMigrationKit.strings", atomically: true, encoding: .utf8)
      let bundle = try #require(Bundle(path: folder + "/App.bundle"))
      #expect(UserText.damaged.localized(in: bundle) == "Deine Daten sind beschädigt.")
      #expect(UserText.busy.localized(in: bundle) == "Your data is in use by another process.")
    }
  }

  @Test("An error has texts for users and developers, and advice")
  func errors() {
    let error = BackupError(
      .noSpace(needed: 30_000_000, available: 18_000_000), "The backup needs 30 MB in '/x'.")
    #expect(
      error.errorDescription
        == "There is not enough free space for a backup of your data. Your data is unchanged.")
    #expect(error.failureReason == "The backup needs 30 MB in '/x'.")
    #expect(error.description == "The backup needs 30 MB in '/x'. The store is unchanged.")
    #expect(error.recoverySuggestion == "Free up 12 MB on this device, then try again.")
    #expect(
      BackupError(.noSpace(needed: nil, available: nil), "").recoverySuggestion
        == "Free up some space on this device, then try again.")
    #expect(
      BackupError(.altered, "", store: .unfinished).errorDescription
        == "The backup was changed after it was made. The restore was not completed.")
  }
}
