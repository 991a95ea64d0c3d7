import Foundation
import SchemaModel
import SchemaWorkspace
import TestSupport
import Testing

/// `schemagen-sources lint-code` on a disk: the files it checks and writes, and its exit statuses.
@Suite struct LintCodeCommandTests {
  private static let good = "let trips: [ActiveTrip] = []\n"
  private static let warned = "let trips: [TripV2] = []\n"
  private static let wrong = "let trips: [TripV1] = []\n"

  /// Runs the command in a folder with the examples' manifests and some files.
  private static func lint(
    _ arguments: [String] = [], files: [String: String], manifests: [SourceFile]? = nil,
    _ check: (Finished, String) throws -> Void
  ) throws {
    try withTemporaryFolder { folder in
      for file in manifests ?? Example.appManifests {
        try Disk().write(file.bytes, to: Path.join(folder, file.path))
      }
      for (path, text) in files {
        try Disk().write(Array(text.utf8), to: Path.join(folder, path))
      }
      let done = try run(
        Checkout.products + "/schemagen-sources", ["lint-code"] + arguments, in: folder,
        environment: ["GITHUB_STEP_SUMMARY": nil])
      try check(done, folder)
    }
  }

  @Test(
    "'lint-code' exits with the status of its gravest finding",
    arguments: [
      ([], good, 0), ([], warned, 0), ([], wrong, 1), (["--strict"], warned, 1),
      (["--strict"], warned, 1), (["--strict"], good, 0), (["--nonsense"], good, 2),
      (["Missing"], good, 2), (["--schemas", "Missing"], good, 2),
      (["--fix"], wrong, 0), (["--format", "sarif"], wrong, 1),
    ] as [([String], String, Int32)])
  func status(arguments: [String], source: String, status: Int32) throws {
    try Self.lint(arguments, files: ["App/A.swift": source]) { done, _ in
      #expect(done.status == status, "\(done.output)\(done.errors)")
    }
  }

  @Test(
    "A configuration that leaves CloudKit to entitlements is an error in a local store"
  )
  func entitlements() throws {
    let source = "import SwiftData\nlet local = ModelConfiguration(\"Local\")\n"
    func entitlement(_ containers: String) -> String {
      """
      <plist><dict><key>com.apple.developer.icloud-container-identifiers</key>
      <array>\(containers)</array></dict></plist>
      """
    }
    for (containers, isFound) in [("<string>iCloud.com.example.Trips</string>", true), ("", false)]
    {
      let files = ["App/A.swift": source, "App/App.entitlements": entitlement(containers)]
      try Self.lint(files: files) { done, _ in
        #expect(done.output.contains("[cloud-database-differs]") == isFound, "\(done.output)")
        #expect(done.status == (isFound ? 1 : 0) && !done.output.contains("[unnamed-"))
      }
    }
    try Self.lint(files: ["App/A.swift": source]) { done, _ in
      #expect(!done.output.contains("cloud-database"))
    }
  }

  @Test("Broken manifests are reported and exit with 2")
  func brokenManifests() throws {
    let manifests = [SourceFile(path: "Schemas/V1.yaml", text: "version: 1.0.0\nmodels: 3\n")]
    try Self.lint(files: ["App/A.swift": Self.wrong], manifests: manifests) { done, _ in
      #expect(done.status == 2)
      #expect(done.output.contains("Schemas/V1.yaml:2:9: error:"), "\(done.output)")
    }
  }

  @Test("Findings that need no manifests are reported without them")
  func noManifests() throws {
    let files = [
      "App/Plan.swift": "enum Plan: SchemaMigrationPlan {}\n",
      "App/A.swift": "let a = try ModelContainer(for: B.self)\n" + Self.wrong,
    ]
    try Self.lint(files: files, manifests: []) { done, _ in
      #expect(done.status == 1)
      #expect(
        done.output.hasPrefix("App/A.swift:1:13: error: the container has no migration plan"),
        "\(done.output)")
      #expect(done.output.contains("add 'migrationPlan: Plan.self'"))
      #expect(!done.output.contains("TripV1"))
    }
  }

  @Test(
    "Generated files, user files and tests are not linted as app code, whatever their folder")
  func roles() throws {
    let configuration = SourceFile(
      path: "Schemas/schemagen.yaml",
      text: "output: ../Made\nowned: ../App/Steps\ntests: ../Checks\nmodule: Models\n")
    let files = [
      "Made/A.swift": Self.wrong, "Checks/A.swift": Self.wrong, "App/Steps/A.swift": Self.wrong,
      "App/Steps/B.swift": "let a: ActiveTrip\n", "App/A.swift": Self.wrong,
      "App/Made/A.swift": Self.good,
    ]
    try Self.lint(files: files, manifests: Example.appManifests + [configuration]) { done, _ in
      let places = done.output.split(separator: "\n").filter { $0.contains(": error: ") }
        .map { $0.prefix { $0 != " " } }
      #expect(places == ["App/A.swift:1:13:", "App/Steps/B.swift:1:8:"], "\(done.output)")
    }
    // Files outside the paths are not checked.
    try Self.lint(
      ["App/Made"], files: files, manifests: Example.appManifests + [configuration]
    ) { done, _ in
      #expect(done.output == "1 Swift file: no findings\n")
    }
    try Self.lint(
      ["App/Steps/B.swift"], files: files, manifests: Example.appManifests + [configuration]
    ) { done, _ in
      #expect(done.status == 1, "\(done.output)\(done.errors)")
    }
  }

  @Test("A file in the folder of user files is linted, even inside the output folder")
  func oneInTheOther() throws {
    let configuration = SourceFile(
      path: "Schemas/schemagen.yaml", text: "output: ../Store\nowned: ../Store/Steps\n")
    let files = [
      "Store/A.swift": "// Generated by schemagen from V1.yaml. Do not edit.\nlet a: ActiveTrip\n",
      "Store/B.swift": Self.wrong, "Store/Steps/B.swift": "let a: ActiveTrip\n",
    ]
    try Self.lint(files: files, manifests: Example.appManifests + [configuration]) { done, _ in
      #expect(done.output.hasPrefix("Store/Steps/B.swift:1:8: error: "), "\(done.output)")
      #expect(done.output.contains("\n1 error\n"), "\(done.output)")
    }
  }

  @Test("'lint-code' applies the configured severities")
  func levels() throws {
    for (level, status) in [("off", 0), ("warning", 0), ("error", 1)] as [(String, Int32)] {
      let configuration = SourceFile(
        path: "Schemas/schemagen.yaml", text: "rules: { hardcoded-version: \(level) }\n")
      try Self.lint(
        ["--fix"], files: ["App/A.swift": "let a = SchemaV1.Ticket()\n" + Self.warned],
        manifests: Example.appManifests + [configuration]
      ) { done, folder in
        #expect(done.status == status, "\(level): \(done.output)")
        let text = try String(contentsOfFile: folder + "/App/A.swift", encoding: .utf8)
        #expect(text.contains("TripV2") == (level == "off"), "what is off is not fixed")
      }
    }
  }

  @Test("'--fix' edits unambiguous findings, leaves the rest and reports both")
  func fix() throws {
    let source = """
      // TripV1 \u{E9}\r
      let a: [TripV1] = [] ; let b = "TripV1 \\(SchemaV2.Trip.self)" // TripV2\r
      let c: SchemaV1.Ticket?\r
      """
    try Self.lint(["--fix"], files: ["App/A.swift": source, "App/B.swift": "let a: TripV1 = )\n"]) {
      done, folder in
      let text = try String(contentsOfFile: folder + "/App/A.swift", encoding: .utf8)
      #expect(
        text == """
          // TripV1 \u{E9}\r
          let a: [ActiveTrip] = [] ; let b = "TripV1 \\(ActiveTrip.self)" // TripV2\r
          let c: SchemaV1.Ticket?\r
          """)
      #expect(
        done.errors == """
          App/A.swift:2:9: fixed [hardcoded-version]: 'ActiveTrip'
          App/A.swift:2:42: fixed [hardcoded-version]: 'ActiveTrip'

          """)
      #expect(done.status == 1)
      // A file that does not parse is not changed.
      let broken = try String(contentsOfFile: folder + "/App/B.swift", encoding: .utf8)
      #expect(broken == "let a: TripV1 = )\n")
    }
  }

  @Test("An acceptance in Swift code expires after the day that it names")
  func acceptance() throws {
    let files = [
      "App/A.swift": "// schemagen:accept hardcoded-version until 2026-06-30: backups\n"
        + Self.wrong
    ]
    try Self.lint(["--today", "2026-06-30"], files: files) { done, _ in
      #expect(done.status == 0)
      #expect(done.output.contains("1 accepted") || done.output.contains("no findings"))
    }
    try Self.lint(["--today", "2026-07-01"], files: files) { done, _ in
      #expect(done.status == 1)
      #expect(done.output.contains("[expired-acceptance]"))
      #expect(done.output.contains("[hardcoded-version]"))
    }
  }

  @Test("The code of two schema folders is linted with the names configured for each")
  func folders() throws {
    let manifests = Example.appManifests.map { file in
      SourceFile(path: file.path.replacing("Schemas/", with: "Schemas/Trips/"), bytes: file.bytes)
    }
    let other = [
      SourceFile(
        path: "Schemas/Notes/schemagen.yaml",
        text: "names: { schema: 'Notes{version}', active: 'Current{model}' }\n"),
      SourceFile(
        path: "Schemas/Notes/V1.yaml",
        text: "version: 1.0.0\nmodels: { Note: { properties: { text: String } } }\n"),
    ]
    let files = ["App/A.swift": "let a: TripV1, b: Notes1.Note, c: SchemaV1.Note\n"]
    try Self.lint(["--fix"], files: files, manifests: manifests + other) { _, folder in
      let text = try String(contentsOfFile: folder + "/App/A.swift", encoding: .utf8)
      #expect(text == "let a: ActiveTrip, b: CurrentNote, c: SchemaV1.Note\n")
    }
  }
}
