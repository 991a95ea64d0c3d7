import Foundation
import TestSupport
import Testing

@testable import SchemaMigrationKit

/// The view for apps compiles against the library, and against SwiftUI where available.
@Suite struct ViewTemplateTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private func compile(_ text: String) throws -> Outcome {
    let folder = try TemporaryFolder()
    return try withExtendedLifetime(folder) {
      let file = folder.url.appendingPathComponent("MigrationProgressView.swift")
      try Data(text.utf8).write(to: file)
      let modules = URL(fileURLWithPath: StandIn.path).deletingLastPathComponent()
        .appendingPathComponent("Modules").path
      let flags = ["-parse-as-library", "-swift-version", "6"]
      #if !canImport(SwiftUI)
        let stub = try StandIn.run(
          program: ["/usr/bin/env", "swiftc", "-emit-module", "-module-name", "SwiftUI", "-o"]
            + [folder.url.path + "/SwiftUI.swiftmodule"] + flags
            + [Self.root.path + "/Tests/Support/SwiftUIInterface/SwiftUI.swift"])
        try #require(stub.status == 0, "\(stub.errors)")
      #endif
      // Compiled to SIL, since only passes after type-checking find values that are sent across isolation.
      return try StandIn.run(
        program: ["/usr/bin/env", "swiftc", "-emit-sil", "-o", "/dev/null", "-warnings-as-errors"]
          + flags
          + [
            "-enable-upcoming-feature", "ExistentialAny", "-enable-upcoming-feature",
            "MemberImportVisibility", "-enable-upcoming-feature", "InternalImportsByDefault",
            "-package-name", "schemagen", "-I", folder.url.path, "-I", modules, "-I",
            Self.root.path + "/Sources/System/CStoreLibraries", "-I",
            Self.root.path + "/Sources/System/CSHA", file.path,
          ])
    }
  }

  @Test(.enabled(if: Checkout.runsEverything)) func itCompiles() throws {
    let url = Self.root.appendingPathComponent("Templates/MigrationProgressView.mustache")
    // The template adds two lines; the rest is the file.
    let text = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").dropFirst(2)
      .joined(separator: "\n")
    #expect(!text.contains("{{"))
    let outcome = try compile(text)
    #expect(outcome.status == 0, "\(outcome.errors)")
    // The view is compiled and not merely left out.
    let broken = try compile(
      text.replacingOccurrences(of: "coordinator.retry()", with: "coordinator.again()"))
    #expect(broken.errors.contains("has no member 'again'"), "\(broken.errors)")
  }
}
