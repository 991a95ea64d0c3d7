import Foundation
import SchemaLint
import SchemaModel
import SchemaWorkspace
import SwiftChecks
import TestSupport
import Testing

/// How many of the versions named in app code are found, and how many of the results are right, compared with the
/// searches that people use today.
@Suite struct HardcodedVersionAccuracyTests {
  @Test(
    "Hardcoded versions are found with the expected precision and recall",
    arguments: [
      Accuracy(.schemagen, precision: 1.0, recall: 1.0),
      // As in the SwiftData Schema Migration Guide, which ignores every line with the word Schema.
      Accuracy(
        .search(#"grep -rn "UserProfileModelV[0-9]" --include="*.swift" . | grep -v "Schema""#),
        precision: 0.533, recall: 0.25),
      // The same for all models.
      Accuracy(
        .search(#"grep -rn "[A-Za-z]V[0-9]" --include="*.swift" . | grep -v "Schema""#),
        precision: 0.286, recall: 0.375),
      // And with schemas.
      Accuracy(
        .search(#"grep -rnE "[A-Za-z]V[0-9]" --include="*.swift" . "#), precision: 0.4,
        recall: 1.0),
    ])
  func accuracy(_ expected: Accuracy) throws {
    try withTemporaryFolder { folder in
      let tree = AccuracyTree()
      for (path, text) in tree.files {
        try Disk().write(Array(text.utf8), to: Path.join(folder, path))
      }
      let found: Set<String>
      switch expected.tool {
      case .schemagen:
        let lint = SourceLint(
          paths: [folder], folders: [folder + "/Schemas"], today: CalendarDay("2026-01-01")!,
          fileSystem: Disk())
        #expect(!lint.isMalformed)
        #expect(lint.findings.allSatisfy { $0.rule.id == "hardcoded-version" })
        found = Set(
          lint.findings.compactMap(\.location).map {
            "\($0.file.dropFirst(folder.count + 1)):\($0.line)"
          })
      case .search(let command):
        let lines = try run("sh", ["-c", command], in: folder).output.split(separator: "\n")
        found = Set(
          lines.map { line in
            line.dropFirst(2).split(separator: ":").prefix(2).joined(separator: ":")
          })
      }
      let right = Double(found.intersection(tree.truth).count)
      let precision = (right / Double(max(1, found.count)) * 1000).rounded() / 1000
      let recall = (right / Double(tree.truth.count) * 1000).rounded() / 1000
      #expect(precision == expected.precision, "\(found.subtracting(tree.truth).sorted())")
      #expect(recall == expected.recall, "\(tree.truth.subtracting(found).sorted())")
    }
  }
}

/// The expected accuracy of a tool.
struct Accuracy: Sendable, CustomTestStringConvertible {
  enum Tool: Sendable {
    case schemagen
    case search(String)
  }

  var tool: Tool
  /// The share of right lines among the lines found.
  var precision: Double
  /// The share of lines found among the right lines.
  var recall: Double

  init(_ tool: Tool, precision: Double, recall: Double) {
    self.tool = tool
    self.precision = precision
    self.recall = recall
  }

  var testDescription: String {
    if case .search(let command) = tool { return command }
    return "schemagen-sources lint-code"
  }
}

/// An app of the given number of files, with versions in some lines and similar names in others.
private struct AccuracyTree {
  private(set) var files: [String: String] = [:]
  /// The lines that name a version: `App/File3.swift:7`.
  private(set) var truth: Set<String> = []

  /// Lines that name a version of one of the models; `%` is a model.
  private static let wrong = [
    "  var item: %V8?", "  let all = FetchDescriptor<SchemaV8.%>()",
    "  let path = \\SchemaV9.%.name", "  let text = \"\\(%V7.self)\"",
    "  let schema = Schema(versionedSchema: SchemaV9.self)", "  let made = SchemaV7.%()",
    "  let types: [any PersistentModel.Type] = [%V9.self]  // the newest",
    "  let old = value as? SchemaV8.%",
  ]
  /// Lines that name no version.
  private static let right = [
    "  // %V8 was the last with one time zone", "  let text = \"%V8\"", "  var parser: ParserV2?",
    "  let address: IPV4Address", "  /* SchemaV8.% */", "  let raw = #\"\\(%V8)\"#",
    "  var item: Active%?", "  let codec = CodecV1()",
  ]
  private static let models = ["UserProfileModel", "Habit"]

  init() {
    for index in 0..<16 {
      let path = "App/Feature\(index / 4)/File\(index).swift"
      var lines = ["import SwiftData", "", "struct Screen\(index) {"]
      for step in 0..<4 {
        let model = Self.models[(index / 2 + step) % 2]
        let isWrong = (index + step) % 2 == 0
        let templates = isWrong ? Self.wrong : Self.right
        lines.append(
          templates[(index * 2 + step / 2) % templates.count].replacing("%", with: model))
        if isWrong { truth.insert("\(path):\(lines.count)") }
      }
      files[path] = (lines + ["}", ""]).joined(separator: "\n")
    }
    addAllowed()
    for version in 7...9 {
      files["Schemas/V\(version).yaml"] = """
        version: \(version).0.0
        models:
          UserProfileModel: { properties: { name: String, a\(version): Int? } }
          Habit: { properties: { name: String } }
        """ + (version > 7 ? "\ndrops: { UserProfileModel.a\(version - 1): not used }\n" : "\n")
    }
  }

  /// Files in which versions are allowed.
  private mutating func addAllowed() {
    for version in 7...9 {
      files["Schemas/Generated/SchemaV\(version).swift"] = """
        // Generated by schemagen from V\(version).yaml. Do not edit.
        enum SchemaV\(version): VersionedSchema {}
        typealias UserProfileModelV\(version) = SchemaV\(version).UserProfileModel
        typealias HabitV\(version) = SchemaV\(version).Habit
        """
      files["Tests/UpgradeTests\(version).swift"] = """
        import Testing
        func upgrade() { _ = UserProfileModelV\(version)() }
        func habits() { _ = SchemaV\(version).Habit() }
        """
    }
    files["Schemas/Migrations/V8ToV9.swift"] = """
      enum V8ToV9 {
        static func before(_ context: ModelContext) throws {
          print(try context.fetch(FetchDescriptor<UserProfileModelV8>()))
        }
      }
      """
    files["App/Parsers.swift"] = """
      struct ParserV2 {}
      struct CodecV1 {}
      let parsers = [ParserV2(), ParserV2()]
      """
  }
}
