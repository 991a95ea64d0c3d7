import Foundation
import SchemaModel
import SchemaWorkspace
import TestSupport
import Testing

/// All extras for all schema folders of the repository: they compile with the other generated code, and swift-format
/// accepts them.
@Suite struct ExtrasReferenceTests {
  /// All but the benchmark's folder, which has no converters.
  static let folders =
    Checkout.references.filter { !$0.contains("benchmark") }
    + ["Tests/Support/Fixtures/EveryChange", "Tests/Support/Fixtures/Stash"]

  /// The interfaces of modules that extras import and `check.sh` lacks, built once.
  static let modules = Result { try makeModules() }

  /// In the strictest mode, with the plan's tests.
  @Test(
    "Every extra compiles in every mode, with every history in the repository",
    .enabled(if: Checkout.runsEverything),
    arguments: folders, CompilerMode.matrix)
  func compiles(_ folder: String, _ mode: CompilerMode) throws {
    try withGenerated(folder, hasTests: mode == .strictest) { files in
      let modules = try Self.modules.get()
      let result = try compile(files, mode, flags: ["-package-name", "reference", "-I", modules])
      #expect(result.status == 0, "\(result.output)\(result.errors)")
    }
  }

  @Test(
    "A plan with retired versions compiles and is formatted", .enabled(if: Checkout.runsEverything),
    arguments: [("Schemas/Ritualist", "V4"), ("Tests/Support/Fixtures/Everything", "V2")])
  func retired(_ folder: String, _ first: String) throws {
    // With CloudKit's mappers, a version whose step has a user file cannot be retired.
    let isMapped = !filesBelow("\(Checkout.root)/\(folder)/Migrations").contains("V1ToV1_1.swift")
    let more = "retired: { below: \(first), through: \"3.2\" }\n"
    try withGenerated(folder, isMapped: isMapped, more: more) { files in
      let modules = try Self.modules.get()
      let files = files.filter { !$0.hasSuffix("/V1ToV1_1.swift") }
      #expect(!files.contains { $0.hasSuffix("/SchemaV1.swift") })
      let result = try compile(
        files, .strictest, flags: ["-package-name", "reference", "-I", modules])
      #expect(result.status == 0, "\(result.output)\(result.errors)")
      let lint = try run("swift", ["format", "lint", "-s"] + files)
      #expect(lint.status == 0 && lint.errors.isEmpty, "\(lint.output)\(lint.errors)")
    }
  }

  @Test(
    "Every extra is formatted, with every history in the repository",
    .enabled(if: Checkout.runsEverything),
    arguments: folders)
  func isFormatted(_ folder: String) throws {
    try withGenerated(folder) { files in
      let lint = try run("swift", ["format", "lint", "-s"] + files)
      #expect(lint.status == 0 && lint.errors.isEmpty, "\(lint.output)\(lint.errors)")
    }
  }

  /// Generates a copy of a folder with all extras, and passes on all Swift files. On request these include the plan's
  /// tests, which then import nothing of the app.
  private func withGenerated(
    _ folder: String, isMapped: Bool = true, hasTests: Bool = false, more: String = "",
    _ work: ([String]) throws -> Void
  ) throws {
    try withTemporaryFolder { temporary in
      let source = "\(Checkout.root)/\(folder)"
      let schemas = temporary + "/Schemas"
      try FileManager.default.createDirectory(
        atPath: schemas + "/Migrations", withIntermediateDirectories: true)
      for name in filesBelow(source) where !name.contains("/") && name.hasSuffix(".yaml") {
        try FileManager.default.copyItem(
          atPath: "\(source)/\(name)", toPath: "\(schemas)/\(name)")
      }
      let told =
        (try? String(contentsOfFile: source + "/schemagen.yaml", encoding: .utf8)) ?? ""
      let own = ["output:", "owned:", "tests:", "module:", "extras:"]
      let lines = told.split(separator: "\n").filter { line in
        !own.contains { line.hasPrefix($0) }
      }
      let extras = """
        tests: Tests
        extras: [\(isMapped ? "cloudMappers, " : "")jsonImport, fixtures, debugReport, migrationKit]
        """
      try (lines.joined(separator: "\n") + "\n" + extras + "\n" + more).write(
        toFile: schemas + "/schemagen.yaml", atomically: true, encoding: .utf8)
      // The files that the app's author wrote. In the examples they are beside the manifests, elsewhere with the
      // sources.
      for owned in ["Migrations", "../Migrations"] {
        let path = "\(source)/\(owned)"
        for name in filesBelow(path) where name.hasSuffix(".swift") {
          try FileManager.default.copyItem(
            atPath: "\(path)/\(name)", toPath: "\(schemas)/Migrations/\(name)")
        }
      }
      let generation = GenerationPipeline(fileSystem: Disk()).run(schemas)
      #expect(generation.diagnostics.filter { $0.severity == .error } == [])
      try generation.write(to: Disk())
      let files = filesBelow(schemas)
        .filter { $0.hasSuffix(".swift") && (hasTests || !$0.hasSuffix("PlanTests.swift")) }
        .map { schemas + "/" + $0 }
      #expect(files.contains { $0.hasSuffix("/SchemaFixtures.swift") })
      #expect(files.contains { $0.hasSuffix("+Description.swift") })
      #expect(files.contains { $0.hasSuffix("/SchemaDebugReport.swift") })
      let tests = files.filter { $0.hasSuffix("PlanTests.swift") }
      #expect(tests.count == (hasTests ? 1 : 0))
      for path in tests { try keepInModule(path) }

      try work(files)
    }
  }

  private struct DoesNotCompile: Error {
    var text: String
  }

  /// The folder of the interfaces; it stays until the system clears its temporary files.
  private static func makeModules() throws -> String {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "schemagen-modules-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    #if os(macOS)
      let own = [
        ("ManagedModels", "Sources/Stores/ManagedModels"),
        ("StoreFormat", "Sources/Stores/StoreFormat"),
        ("SchemaMigrationKit", "Sources/App/SchemaMigrationKit"),
      ]
    #else
      // `check.sh` builds these with its SwiftData.
      let own: [(String, String)] = []
    #endif
    // Apple's systems have these modules.
    #if os(macOS)
      let standIns: [(String, String)] = []
    #else
      let standIns = [
        ("CloudKit", "Tests/Support/CloudKitStandIn/CloudKit.swift"),
        ("SwiftUI", "Tests/Support/SwiftUIInterface/SwiftUI.swift"),
        ("os", "Tests/Support/SwiftUIInterface/os.swift"),
      ]
    #endif
    for (name, place) in standIns + own {
      let sources =
        place.hasSuffix(".swift")
        ? [""] : filesBelow("\(Checkout.root)/\(place)").filter { $0.hasSuffix(".swift") }
      let result = try run(
        "swiftc",
        [
          "-emit-module", "-parse-as-library", "-swift-version", "6", "-package-name",
          "schemagen", "-enable-upcoming-feature", "InternalImportsByDefault",
          "-enable-upcoming-feature", "ExistentialAny",
          "-I", Checkout.root + "/Sources/System/CStoreLibraries",
          "-I", Checkout.root + "/Sources/System/CSHA", "-I", folder,
          "-module-name", name, "-o", "\(folder)/\(name).swiftmodule",
        ]
          + sources.map {
            $0.isEmpty ? "\(Checkout.root)/\(place)" : "\(Checkout.root)/\(place)/\($0)"
          })
      guard result.status == 0 else { throw DoesNotCompile(text: result.output + result.errors) }
    }
    return folder
  }
}
