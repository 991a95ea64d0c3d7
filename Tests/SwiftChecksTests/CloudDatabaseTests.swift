import Foundation
import SchemaModel
import SchemaWorkspace
import TestSupport
import Testing

@testable import SwiftAdoption
@testable import SwiftChecks
@testable import SwiftSources

/// CloudKit in code and entitlements: as adoption writes it, and compared with schemagen.yaml.
@Suite struct CloudDatabaseTests {
  private static let model = """
    import SwiftData
    @Model final class Trip { var title: String = ""; init() {} }
    @Model final class Draft { var text: String = ""; init() {} }

    """

  private static func adopted(
    _ code: String, entitlements: String? = nil
  ) -> String {
    var options = Adoption.Options(keepsClasses: true)
    if let entitlements {
      options.entitlements = Entitlements([
        SourceFile(path: "App.entitlements", text: entitlement(entitlements))
      ])
    }
    let adoption = SourceAdoption.adopt(
      [SourceFile(path: "App/M.swift", text: model + code)],
      options: SourceAdoption.Options(folder: "Schemas", sources: "App", adoption: options),
      fileSystem: MemoryDisk()
    ) { _ in [] }
    #expect(!adoption.isRefused, "\(adoption.findings)")
    let text = adoption.files.first { $0.name == "schemagen.yaml" }?.text ?? ""
    guard let start = text.range(of: "cloudKit:") else { return "" }
    let lines = text[start.lowerBound...].split(separator: "\n")
    return ([lines[0]] + lines.dropFirst().prefix { $0.hasPrefix(" ") || $0 == "cloud:" })
      .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "; ")
  }

  private static func entitlement(_ strings: String) -> String {
    """
    <plist><dict><key>com.apple.developer.icloud-container-identifiers</key>
    \(strings.isEmpty ? "<array/>" : "<array>\(strings)</array>")
    <key>com.apple.developer.ubiquity-container-identifiers</key>
    <array><string>iCloud.com.example.Files</string></array></dict></plist>
    """
  }

  private static let named = "cloudKit: private; cloud:; container: iCloud.com.example.Trips"
  private static let entitled = "<string>iCloud.com.example.Trips</string>"

  @Test(
    "Adoption records whether the store syncs",
    arguments: [
      // Decided by the configuration.
      (
        "let c = try ModelContainer(for: Trip.self, configurations: ModelConfiguration(cloudKitDatabase: .private(\"iCloud.com.example.Trips\")))",
        nil, named
      ),
      (
        "enum Names { static let cloud = \"iCloud.com.example.Trips\" }\nlet configuration = ModelConfiguration(\"T\", cloudKitDatabase: ModelConfiguration.CloudKitDatabase.private(Names.cloud))\nlet c = try ModelContainer(for: Trip.self, configurations: configuration)",
        nil, named
      ),
      (
        "func make(_ on: Bool) throws -> ModelContainer { try ModelContainer(for: Schema([Trip.self]), configurations: [ModelConfiguration(cloudKitDatabase: on ? .private(\"iCloud.com.example.Trips\") : .none)]) }",
        nil, named
      ),
      (
        "let c = try ModelContainer(for: Trip.self, configurations: ModelConfiguration(cloudKitDatabase: .private(Bundle.main.container)))",
        nil, "cloudKit: private"
      ),
      // With two containers, a person is asked which one.
      (
        "let a = try ModelContainer(for: Trip.self, configurations: ModelConfiguration(cloudKitDatabase: .private(\"iCloud.com.example.A\")))\nlet b = try ModelContainer(for: Trip.self, configurations: ModelConfiguration(cloudKitDatabase: .private(\"iCloud.com.example.B\")))",
        nil, "cloudKit: private"
      ),
      // One of two configurations syncs.
      (
        "let c = try ModelContainer(for: Trip.self, Draft.self, configurations: ModelConfiguration(schema: Schema([Trip.self]), cloudKitDatabase: .private(\"iCloud.com.example.Trips\")), ModelConfiguration(\"L\", schema: Schema([Draft.self]), cloudKitDatabase: .none))",
        nil, named + "; local: [Draft]"
      ),
      // Decided by the entitlements, if the configuration leaves it to them.
      ("let c = try ModelContainer(for: Trip.self)", entitled, named),
      ("let c = try ModelContainer(for: Trip.self)", nil, ""),
      ("let c = try ModelContainer(for: Trip.self)", "", ""),
      (
        "let c = try ModelContainer(for: Trip.self)", "<string>iCloud.$(BUNDLE)</string>",
        "cloudKit: private"
      ),
      (
        """
        func make() throws -> ModelContainer {
          let drafts = Schema([Draft.self])
          let local = ModelConfiguration("L", schema: drafts, cloudKitDatabase: .none)
          let synced = ModelConfiguration(schema: Schema([Trip.self]), cloudKitDatabase: .private("iCloud.com.example.Trips"))
          return try ModelContainer(for: Trip.self, Draft.self, configurations: synced, local)
        }
        func inMemory() throws -> ModelContainer {
          let drafts = Schema([Draft.self])
          let local = ModelConfiguration("L", schema: drafts, isStoredInMemoryOnly: true)
          return try ModelContainer(for: Trip.self, Draft.self, configurations: local)
        }
        """,
        nil, named + "; local: [Draft]"
      ),
      (
        "let c = try ModelContainer(for: Trip.self, configurations: ModelConfiguration(cloudKitDatabase: .automatic))",
        entitled, named
      ),
      (
        "let c = try ModelContainer(for: Trip.self, configurations: ModelConfiguration(cloudKitDatabase: .none))",
        entitled, ""
      ),
    ])
  func adoption(_ code: String, _ entitlements: String?, _ expected: String) {
    #expect(Self.adopted(code, entitlements: entitlements) == expected)
  }

  private static func found(
    _ code: String, _ settings: String, entitlements: String? = nil, other: String = ""
  ) -> [String] {
    var files = [SourceFile(path: "App/M.swift", text: "import SwiftData\n" + code)]
    files.append(SourceFile(path: "App/Other.swift", text: other))
    if let entitlements {
      files.append(SourceFile(path: "App/A.entitlements", text: entitlement(entitlements)))
    }
    let lint = SourceLint(
      files: files,
      manifests: [
        SourceFile(
          path: "Schemas/V1.yaml",
          text: "version: 1.0.0\nmodels: { Trip: { properties: { title: String = \"\" } } }\n"),
        SourceFile(path: "Schemas/schemagen.yaml", text: settings),
      ], folder: "Schemas", today: CalendarDay("2026-01-01")!)
    return lint.findings.filter { $0.rule.id == "cloud-database-differs" }.map(\.message)
  }

  private static let privately =
    "let c = ModelConfiguration(cloudKitDatabase: .private(\"iCloud.com.example.Trips\"))"

  @Test("Code and configuration that disagree on CloudKit are reported")
  func differences() {
    #expect(Self.found(Self.privately, "").count == 1)
    #expect(Self.found(Self.privately, "cloudKit: private\n").isEmpty)
    let other = "cloudKit: private\ncloud: { container: iCloud.com.example.Other }\n"
    #expect(Self.found(Self.privately, other)[0].contains("another container's production"))
    // In an app with two containers, either is right.
    let two =
      "cloudKit: private\ncloud: { production: { iCloud.com.example.Other: a, iCloud.com.example.Trips: b } }\n"
    #expect(Self.found(Self.privately, two).isEmpty)
    let none = "let c = ModelConfiguration(cloudKitDatabase: .none)"
    #expect(Self.found(none, "").isEmpty)
    #expect(Self.found(none, "cloudKit: private\n").count == 1)
    #expect(Self.found(none + "\n" + Self.privately, "cloudKit: private\n").isEmpty)
    // A configuration in memory is not a store.
    let memory = "let c = ModelConfiguration(isStoredInMemoryOnly: true, cloudKitDatabase: .none)"
    #expect(Self.found(memory, "cloudKit: private\n").isEmpty)
    let plain = "let c = try ModelContainer(for: Trip.self)"
    #expect(Self.found(plain, "").isEmpty)
    #expect(Self.found(plain, "", entitlements: Self.entitled).count == 1)
    #expect(Self.found(plain, "cloudKit: private\n", entitlements: Self.entitled).isEmpty)
    // Decided by a constant in another file.
    let flags = "let c = ModelConfiguration(cloudKitDatabase: Flags.database)"
    func apart(_ value: String, _ settings: String) -> [String] {
      Self.found(flags, settings, other: "enum Flags { static let database = \(value) }")
    }
    let off = "ModelConfiguration.CloudKitDatabase.none"
    #expect(apart(off, "cloudKit: private\n").count == 1)
    #expect(apart(off, "").isEmpty)
    let named = "ModelConfiguration.CloudKitDatabase.private(Names.cloud)"
    let names = "}; enum Names { static var cloud: String { \"iCloud.com.example.Trips\" }"
    #expect(
      apart(named + names, other).first?.contains("another container's production") == true)
    #expect(apart(named + names, "cloudKit: private\n").isEmpty)
    let preview = "#Preview { Text(\"\").modelContainer(for: Trip.self) }"
    #expect(Self.found(preview, "", entitlements: Self.entitled).isEmpty)
  }
}
