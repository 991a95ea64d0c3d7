import Foundation
import SchemaEvolution
import SchemaManifest
import SchemaModel
import TestSupport
import Testing

@testable import SwiftChecks
@testable import SwiftSources

/// Code that uses changed elements.
@Suite struct AffectedTests {
  /// The change from V8 to V9 in the SwiftData Schema Migration Guide, in an app written for it.
  @Test func theSeedsExample() throws {
    let manifests = try (1...9).map { number in
      try file("Schemas/Ritualist/V\(number).yaml")
    }
    let affected = Affected(
      try evolution(manifests), folder: "Schemas/Ritualist", from: VersionNumber(8))
    let root = "Tests/Support/Fixtures/AffectedApp"
    let files = try filesBelow(Checkout.root + "/" + root).filter { $0.hasSuffix(".swift") }
      .map { SourceFile(path: $0, bytes: try file(root + "/" + $0).bytes) }
    let list = affected.checklist(of: files.reversed())
    let change = try difference(
      of: list, fromSnapshot: root + "/AFFECTED.md", recordedBy: "AffectedTests")
    if let change { Issue.record("\(change)") }
    // The results of the guide's own three searches, without comments, strings and generated code.
    for grep in ["UserProfileModel", "UserProfile(", ".homeTimezone"] {
      for file in files {
        for (index, line) in file.text.split(separator: "\n", omittingEmptySubsequences: false)
          .enumerated()
        where line.contains(grep) && !line.contains("comment") && !line.contains("/*")
          && !line.contains("print(\"UserProfile") && !line.contains("help(")
          && !line.contains(" class ")
        {
          #expect(list.contains("`\(file.path):\(index + 1)`: "), "\(grep): \(line)")
        }
      }
    }
  }

  // MARK: Names

  struct Example: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var old: String
    var new: String
    var names: [String]
  }

  private static let types = """
    types:
      K: { enum: String, cases: [a, b] }
      S: { struct: { x: Int } }
    """

  private static func one(_ properties: String, _ top: String = types, entity: String = "E")
    -> String
  {
    "models:\n  A:\n    entity: \(entity)\n    properties:\n      id: { type: Int, unique: true }\n"
      + properties.split(separator: "\n").map { "      \($0)\n" }.joined() + top
  }

  static let examples = [
    Example(
      testDescription: "an attribute more", old: one("k: K?\ns: S?"),
      new: one("k: K?\ns: S?\nx: Int = 0"),
      names: [
        "made A AV1 AV2 ActiveA E", "named possible A AV1 AV2 ActiveA E",
      ]),
    Example(
      testDescription: "one less, under another name in the entity",
      old: one("k: K?\ns: S?\nx: { type: Int, default: 0, entityProperty: y }"),
      new: one("k: K?\ns: S?", "drops: { A.x: gone }\n" + types),
      names: [
        ".x gone of A AV1 AV2 ActiveA E", ".y gone of A AV1 AV2 ActiveA E",
        "made A AV1 AV2 ActiveA E", "named possible A AV1 AV2 ActiveA E",
      ]),
    Example(
      testDescription: "renamed", old: one("k: K?\ns: S?\nx: Int = 0"),
      new: one("k: K?\ns: S?\ny: { type: Int, default: 0, renamedFrom: x }"),
      names: [
        ".x gone of A AV1 AV2 ActiveA E",
        "made A AV1 AV2 ActiveA E", "named possible A AV1 AV2 ActiveA E",
      ]),
    Example(
      testDescription: "converted in its place", old: one("k: K?\ns: S?\nx: Int = 0"),
      new: one(
        "k: K?\ns: S?\nx: { type: String, from: x, convert: String($0), revert: Int($0) ?? 0 }"),
      names: [
        ".x changed of A AV1 AV2 ActiveA E",
        "made A AV1 AV2 ActiveA E", "named possible A AV1 AV2 ActiveA E",
      ]),
    Example(
      testDescription: "made of two", old: one("k: K?\ns: S?\nx: Int = 0\ny: Int = 0"),
      new: one(
        "k: K?\ns: S?\nz: { type: Int, from: [x, y], convert: $0 + $1, revert: { x: $0, y: \"0\" } }"
      ),
      names: [
        ".x gone of A AV1 AV2 ActiveA E",
        ".y gone of A AV1 AV2 ActiveA E",
        "made A AV1 AV2 ActiveA E", "named possible A AV1 AV2 ActiveA E",
      ]),
    Example(
      testDescription: "what no code sees", old: one("k: K?\ns: S?\nx: Int = 0"),
      new: one(
        "k: K?\ns: S?\nx: { type: Int, default: 0, doc: Much., spotlight: true }",
        "index: [[x]]\n" + types
      )
      .replacing("index: [[x]]\n", with: ""),
      names: []),
    Example(
      testDescription: "another entity", old: one("k: K?\ns: S?"),
      new: one("k: K?\ns: S?", entity: "F"),
      names: ["named gone E"]),
    Example(
      testDescription: "a model renamed", old: one("k: K?\ns: S?"),
      new: one("k: K?\ns: S?").replacing("  A:\n", with: "  B:\n    renamedFrom: A\n"),
      names: ["named gone A AV1 ActiveA E"]),
    Example(
      testDescription: "cases and fields", old: one("k: K?\ns: S?"),
      new: one(
        "k: K?\ns: S?",
        "types:\n  K: { enum: String, cases: { a: z, c: c } }\n  S: { struct: { x: Int, y: Int = 0 } }\ndrops: { K.b: gone }\n"
      ),
      names: [
        ".a branch gone of K", ".a possible of K", ".b branch gone of K", ".b gone of K", "made S",
        "named possible K S",
      ]),
  ]

  @Test(arguments: examples) func names(_ example: Example) throws {
    let evolution = try evolution([
      SourceFile(path: "V1.yaml", text: "version: 1.0.0\n" + example.old),
      SourceFile(path: "V2.yaml", text: "version: 2.0.0\n" + example.new),
    ])
    let names = AffectedNames(try #require(evolution.steps.first), in: evolution)
    func listed(_ names: some Sequence<String>) -> String { names.sorted().joined(separator: " ") }
    let members = names.members.flatMap { name, all in
      all.map { ".\(name) \($0.isBranch ? "branch " : "")\($0.need) of \(listed($0.owners))" }
    }
    let types = AffectedNames.Need.allCases.compactMap { need in
      let own = names.types.filter { $0.value == need }.keys
      return own.isEmpty ? nil : "named \(need) \(listed(own))"
    }
    let made = names.made.isEmpty ? [] : ["made " + listed(names.made)]
    #expect(members.sorted() + made + types == example.names)
  }

  // MARK: Uses

  /// Only marked names are found.
  @Test(arguments: [
    "let a = e.‹x›", "let a = e?.b.‹x›.c", "let a = \\E.‹x›", "let a = \\.‹x›.b", "e.`‹x›` = 1",
    "E(‹x›: 1)",
    "M.E(‹x›: 1)", "E.init(‹x›: 1)", "let e: E = .init(‹x›: 1)", "f(x: 1)", "e.f(x: 1)",
    "extension E { init() { self.init(‹x›: 1) } }", "class F: E { func f() { print(‹x›) } }",
    "`E`<Int>(‹x›: 1)", "F.E.init(‹x›: 1)", "save(e, x: 1)",
    "let x = x", "// e.x", "/* e.x */", "let s = \"e.x\"", "let s = \"\\(e.‹x›)\"",
    "let s = #\"\\(e.x)\"#",
    "let s = #\"\\#(e.‹x›)\"#", "struct E { var ‹x›: Int }", "struct F { var x: Int }",
    "extension E { func f() { print(‹x›) } }", "extension M.E { var y: Int { ‹x› } }",
    "struct E { enum CodingKeys { case ‹x› = \"X\" } }", "struct E { init(‹x›: Int) {} }", "e.xx",
    "e.x1",
    "#if DEBUG\ne.‹x›\n#else\ne.‹x› // x\n#endif", "let s = \"\"\"\n  e.x \\(e.‹x›)\n  \"\"\"",
    "#Predicate<E> { $0.‹x› == 1 }", "e.broken(.‹x›",
  ])
  func membersAreFound(_ text: String) throws {
    let code = "typealias Known = E\n" + text.replacing("‹", with: "").replacing("›", with: "")
    let found = look(into: code, "x")
    let lines = ("\n" + text).split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .filter { $0.element.contains("‹") }.map { $0.offset + 1 }
    #expect(found.map(\.place.line) == lines)
    #expect(found.allSatisfy { $0.isSure })
  }

  @Test(arguments: [
    ("‹E›(a: 1)", true), ("‹E›.init()", true), ("M.‹E›()", true), ("struct ‹E› {}", true),
    ("let e: E", false),
    ("E.self", false), ("FE()", false), ("// E()", false), ("let s = \"E()\"", false),
    ("extension E {}", false),
    ("E<Int>()", false), ("f(‹E›())", true),
  ])
  func initializersAreFound(_ text: String, _ isFound: Bool) throws {
    let code = text.replacing("‹", with: "").replacing("›", with: "")
    let names = AffectedNames(types: ["E": .possible], made: ["E"])
    let found = SwiftSource(SourceFile(path: "a.swift", text: code)).uses(of: names, in: .others)
      .filter { $0.need == .changed }
    #expect(!found.isEmpty == isFound)
    if isFound {
      let column =
        try #require(text.split(separator: "‹", omittingEmptySubsequences: false).first).count + 1
      #expect(found.map(\.place.column) == [column])
    }
  }

  @Test(arguments: ["let a = e.x // of E", "typealias F = E\nF(x: 1)"])
  func whoseItIsIsOpen(_ text: String) {
    #expect(look(into: text, "x").map(\.isSure) == [false])
  }

  @Test("A switch over an enum with a new case is listed, and a pattern that names a case is not")
  func branches() {
    let text = "let k: E = .x\nswitch k {\ncase .a, .x: k = .x\n}\nif case .x = k {}"
    #expect(look(into: text, "x", isBranch: true).map(\.place.line) == [3])
  }

  @Test("A changed property is not listed at the model's own declaration")
  func ownDeclarations() {
    let text = "class E { var x = 1 }\nstruct F { var x: Int }"
    func lines(_ need: AffectedNames.Need) -> [Int] {
      let member = AffectedNames.Member(owners: ["E", "F"], type: "E", need: need)
      return SwiftSource(SourceFile(path: "a.swift", text: text))
        .uses(of: AffectedNames(members: ["x": [member]]), in: .others).map(\.place.line)
    }
    #expect(lines(.changed) == [2])
    #expect(lines(.gone) == [1, 2])
  }

  private func look(
    into text: String, _ name: String, isBranch: Bool = false
  ) -> [AffectedPlace] {
    let member = AffectedNames.Member(owners: ["E"], type: "E", need: .gone, isBranch: isBranch)
    return SwiftSource(SourceFile(path: "a.swift", text: text))
      .uses(of: AffectedNames(members: [name: [member]]), in: .others)
  }

  // MARK: Layers

  @Test(arguments: [
    ("A/E.swift", "struct E { var x = 1 }", CodeLayer.entities),
    ("A/E+Zone.swift", "extension E { var y: Int { x } }", .others),
    ("A/Domain/Rules.swift", "let a = e.x", .entities),
    ("A/V1.swift", "enum V1: VersionedSchema { static let a = e.x }", .schemas),
    ("A/Plan.swift", "enum P: SwiftData.SchemaMigrationPlan { static let a = e.x }", .plan),
    ("A/Active.swift", "enum ActiveSchema { static let a = e.x }", .activeSchema),
    ("A/ProfileRepository.swift", "let a = e.x", .dataSources),
    ("A/a.swift", "import SwiftData\nlet a = e.x", .dataSources),
    ("A/Loading.swift", "struct LoadUseCase { let a = e.x }", .useCases),
    ("A/UseCases/Loading.swift", "let a = e.x", .useCases),
    ("A/HomeViewModel.swift", "import SwiftUI\nlet a = e.x", .viewModels),
    ("A/Home.swift", "import SwiftUI\nlet a = e.x", .views),
    ("A/HomeView.swift", "let a = e.x", .views),
    ("A/HomeViewTests.swift", "import SwiftUI\nlet a = e.x", .tests),
    ("A/b.swift", "import Testing\nlet a = e.x", .tests),
    ("AppTests/Mocks/E.swift", "struct E { var x = 1 }", .tests),
    ("A/b.swift", "let a = e.x", .others),
  ])
  func layers(_ path: String, _ text: String, _ layer: CodeLayer) {
    let source = SwiftSource(SourceFile(path: path, text: text))
    #expect(CodeLayer(source, entities: ["E"], activeSchema: "ActiveSchema") == layer)
  }

  // MARK: Steps

  @Test func severalSteps() throws {
    let manifests = (1...3).map { number in
      SourceFile(
        path: "V\(number).yaml",
        text: "version: \(number).0.0\n"
          + Self.one((0..<number).map { "x\($0): Int = 0" }.joined(separator: "\n"), ""))
    }
    let evolution = try evolution(manifests)
    func titles(_ from: Int?, _ to: Int?) -> [Substring] {
      Affected(
        evolution, folder: "S", from: from.map { VersionNumber($0) },
        to: to.map { VersionNumber($0) }
      ).checklist(of: []).split(separator: "\n").filter { $0.hasPrefix("# ") }
    }
    #expect(titles(nil, nil) == ["# V2 → V3"])
    #expect(titles(nil, 2) == ["# V1 → V2"])
    #expect(titles(1, nil) == ["# V1 → V2", "# V2 → V3"])
    #expect(titles(3, nil) == [])
  }

  private func file(_ path: String) throws -> SourceFile {
    SourceFile(
      path: path, text: try String(contentsOfFile: Checkout.root + "/" + path, encoding: .utf8))
  }

  private func evolution(_ manifests: [SourceFile]) throws -> Evolution {
    let history = HistoryReader().read(manifests)
    try #require(!history.diagnostics.hasErrors, "\(history.diagnostics)")
    return AnalysisPipeline(history: history.versions).run()
  }
}
