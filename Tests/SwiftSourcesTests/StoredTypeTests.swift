import SchemaModel
import SchemaWorkspace
import SwiftSources
import TestSupport
import Testing

/// Types of the app's that a store may hold in a form that only their code decides, and code that only some builds have.
@Suite struct StoredTypeTests {
  static let model: String = """
    import Foundation
    import SwiftData
    @Model
    final class Book {
      var title: String
      var part: T
      init(title: String, part: T) { self.title = title; self.part = part }
    }

    """

  private func snapshot(_ files: [String: String], on disk: MemoryDisk) throws -> Snapshot {
    let folder = SchemaFolder.read("Schemas", fileSystem: disk)
    let sources = files.sorted { $0.key < $1.key }.map { SourceFile(path: $0.key, text: $0.value) }
    return try #require(Snapshot.take(folder, files: sources, fileSystem: disk))
  }

  /// A released version of the model with a declaration of `T` beside it.
  private func released(_ files: [String: String], _ configuration: String = "") throws
    -> MemoryDisk
  {
    let disk = MemoryDisk([
      "Schemas/schemagen.yaml": "classes: ../App\nconverters: none\n" + configuration
    ])
    disk["Schemas/V1.yaml"] =
      "version: 1.0.0\nmodels: { Book: { properties: { title: String } } }\n"
    let taken = try snapshot(files, on: disk)
    #expect(!taken.findings.hasErrors, "\(taken.findings)")
    try taken.write(to: disk)
    try GenerationPipeline(fileSystem: disk).run("Schemas").write(to: disk)
    try ReleaseMarking.prepare("Schemas", upTo: nil, fileSystem: disk).write(to: disk)
    return disk
  }

  /// A declaration, what becomes of it, and whether that is a question.
  static let edits: [(old: String, new: String, isAsked: Bool)] = [
    (
      "enum T: Codable { case a(Int), b(String) }",
      "public enum T: Codable, Sendable, Hashable { case a(Int,), b(String) }", false
    ),
    (
      "struct T: Codable { var a: Int; init(from decoder: Decoder) throws { a = 1 } }",
      "struct T: Codable { public var a: Int; nonisolated public init(from decoder: any Decoder) throws { a = 1 } }",
      false
    ),
    (
      "struct T: Codable { var a: Int; var b: Int; enum CodingKeys: CodingKey { case a, b } }",
      "struct T: Codable { var a: Int; enum CodingKeys: CodingKey { case a } }", true
    ),
    (
      "struct T: OptionSet, Codable { let rawValue: Int; static let a = T(rawValue: 1) }",
      "struct T: OptionSet, Codable { let rawValue: Int; static let a = T(rawValue: 2) }", true
    ),
    ("enum T: Codable { case a(Int), b(String) }", "enum T: Codable { case a(Int) }", true),
    ("enum T: Codable { case a(Int), b(String) }", "enum T: Codable { case a(Int), b(Int) }", true),
    (
      "enum T: Codable { case a(Int), b(String) }",
      "/// Two.\nenum T: Codable {\n  case a(Int)\n  case b(String)\n  var isA: Bool { true }\n}",
      false
    ),
    (
      "struct T: RawRepresentable, Codable { var rawValue: String }",
      "struct T: RawRepresentable, Codable { var rawValue: Int }", true
    ),
    (
      "struct G<V: Codable>: Codable { var a: V; var b: Int }\ntypealias T = G<Int>",
      "struct G<V: Codable>: Codable { var a: V }\ntypealias T = G<Int>", true
    ),
    (
      "enum T: String, Codable { case a, b }",
      "enum T: String, Codable { case a, b }\nextension T { init?(rawValue: String) { self = .a }; var rawValue: String { \"x\" } }",
      true
    ),
    (
      "struct T: Codable { var a: Int }",
      "struct T: Codable { var a: Int }\nextension T: RawRepresentable { var rawValue: String { \"\" }; init?(rawValue: String) { a = 1 } }",
      true
    ),
    (
      "struct T: Codable { var a: Double }",
      "@propertyWrapper struct W: Codable { var wrappedValue: Double }\nstruct T: Codable { @W var a: Double }",
      true
    ),
    (
      "enum T: String, Codable { case a, b }",
      "protocol Base: Codable {}\nextension Base { func encode(to encoder: any Encoder) throws {} }\nprotocol Odd: Base {}\nenum T: String, Odd { case a, b }",
      true
    ),
    (
      "typealias Text = String\nenum T: Text, Codable { case a, b }",
      "enum T: String, Codable { case a, b }", false
    ),
    (
      "typealias Number = Int\nenum T: Number, Codable { case a, b }",
      "typealias Number = Int\nenum T: Number, Codable { case b, a }", true
    ),
    (
      "enum T: Int, Codable { case a = 1, b = 2 }",
      "typealias T = U\nenum U: Int, Codable { case none, b, a }", true
    ),
  ]

  @Test(
    "An edit of what codes itself is a question, an edit of anything else is not", arguments: edits)
  func asks(_ edit: (old: String, new: String, isAsked: Bool)) throws {
    func files(_ type: String) -> [String: String] {
      ["App/Book.swift": Self.model, "App/T.swift": type + "\n"]
    }
    let disk = try released(files(edit.old))
    #expect(try snapshot(files(edit.old), on: disk).findings.filter { $0.severity == .error } == [])
    let found = try snapshot(files(edit.new), on: disk)
    #expect(found.findings.hasErrors == edit.isAsked, "\(found.findings)")
    if !edit.isAsked { #expect(found.files.isEmpty) }
  }

  @Test("The order of a struct's fields goes into the manifest")
  func order() throws {
    func files(_ fields: String) -> [String: String] {
      ["App/Book.swift": Self.model, "App/T.swift": "struct T: Codable { \(fields) }\n"]
    }
    let disk = try released(files("var lat: Double; var lon: Double"))
    let taken = try snapshot(files("var lon: Double; var lat: Double"), on: disk)
    #expect(!taken.findings.hasErrors && !taken.isNext, "\(taken.findings)")
    try taken.write(to: disk)
    #expect(disk["Schemas/V1.yaml"]?.contains("struct: { lon: Double, lat: Double }") == true)
  }

  /// What is appended to the app's declarations of a manifest that was written first, and what is said then.
  static let ownTypes: [(code: String, findings: [String])] = [
    ("", ["undeclared-type M warning"]),
    (
      "extension K { func encode(to encoder: any Encoder) throws {} }",
      ["undeclared-type M warning", "model-differs K error"]
    ),
    (
      "extension K { init?(rawValue: String) { self = .a }; var rawValue: String { \"x\" } }",
      ["undeclared-type M warning", "model-differs K error"]
    ),
  ]

  @Test(
    "A manifest that was written first asks about its own types' code as well", arguments: ownTypes)
  func asksOfManifests(_ example: (code: String, findings: [String])) throws {
    func manifest(_ coding: String) -> String {
      """
      version: 1.0.0
      models: { Book: { properties: { title: String, k: K?, m: M? } } }
      types: { K: { enum: String, cases: [a, b], own: true }, M: { opaque: true\(coding) } }
      """
    }
    let files = MemoryFiles([SourceFile(path: "Schemas/V1.yaml", text: manifest(""))])
    func detect(_ types: String) throws -> Detection {
      try GenerationPipeline(fileSystem: files).run("Schemas").write(to: files)
      let own = SourceFile(path: "App/T.swift", text: types)
      let generated = files.changes.compactMap { path, bytes in
        bytes.map { SourceFile(path: path, bytes: $0) }
      }.filter { $0.path.hasSuffix(".swift") }
      return Detection.run(
        files: [own] + generated, folders: ["Schemas"],
        today: CalendarDay(year: 2026, month: 1, day: 1)!, fileSystem: files)
    }
    let types = """
      enum K: String, Codable { case a, b }
      struct M: Codable { var cents: Int; init(from decoder: any Decoder) throws { cents = 1 } }

      """
    let found = try detect(types + example.code).findings
    #expect(
      found.map { "\($0.rule.id) \($0.element ?? "") \($0.severity)" }.sorted()
        == example.findings.sorted(), "\(found)")
    guard example.code.isEmpty else { return }
    let help = try #require(found[0].help.first?.split(separator: ": ").last)
    files.write(Array(manifest(", coding: \(help)").utf8), to: "Schemas/V1.yaml")
    #expect(try detect(types).findings == [])
    let edited = try detect(types.replacing("cents", with: "amount")).findings
    #expect(edited.map(\.element) == ["M"] && edited[0].severity == .error)
  }

  // MARK: Builds

  private static func conditional(_ condition: String) -> [String: String] {
    [
      "App/Book.swift": model.replacing(
        "var part: T\n", with: "#if \(condition)\n  var pages: Int = 0\n#endif\n  var part: Int\n"
      )
      .replacing("part: T)", with: "part: Int)")
    ]
  }

  /// A condition around a shipped property, what the configuration says, and the finding, if there is one.
  static let conditions: [(condition: String, configuration: String, finding: String?)] = [
    ("compiler(>=6.0)", "", nil), ("compiler(<6)", "", "unacknowledged-drop error"),
    ("compiler(>=99)", "", "unacknowledged-drop error"),
    ("swift(<5)", "", "unacknowledged-drop error"), ("swift(>=6)", "", "build-condition warning"),
    ("canImport(AppKit)", "", "unacknowledged-drop error"), ("canImport(SwiftUI)", "", nil),
    ("canImport(Nothing)", "", "build-condition warning"),
    ("canImport(Nothing)", "define: { canImport(Nothing): true }", nil),
    ("hasFeature(X)", "", "build-condition warning"),
    ("arch(arm64)", "", "build-condition warning"),
    ("arch(arm64)", "define: { 'arch(arm64)': true }", nil),
    ("!targetEnvironment(macCatalyst)", "", "build-condition warning"),
    ("!targetEnvironment(macCatalyst)", "platforms: { macOS: 14 }", nil),
    ("!targetEnvironment(simulator)", "", nil),
    ("canImport(CoreData, _version: 9999)", "", "build-condition warning"),
    ("!APPSTORE", "", "build-condition warning"), ("!APPSTORE", "define: { APPSTORE: false }", nil),
    ("!APPSTORE", "define: { APPSTORE: true }", "unacknowledged-drop error"),
    ("os(macOS)", "", "unacknowledged-drop error"), ("os(macOS)", "platforms: { macOS: 14 }", nil),
    ("os(iOS)", "platforms: { macOS: 14 }", "unacknowledged-drop error"),
    ("os(iOS)", "platforms: { iOS: 17, macOS: 14 }", "build-condition error"),
  ]

  @Test(
    "A condition is decided by what the configuration says, or it is told", arguments: conditions)
  func decides(_ example: (condition: String, configuration: String, finding: String?)) throws {
    let disk = try released(Self.conditional("true"), example.configuration + "\n")
    let found = try snapshot(Self.conditional(example.condition), on: disk)
    let told = found.findings.filter { $0.severity > .note }
      .map { "\($0.rule.id) \($0.severity)" }
    #expect(told == [example.finding].compactMap(\.self), "\(found.findings)")
    #expect(
      found.differences.isEmpty == (example.finding == nil),
      "'check' says it too: \(found.differences)")
  }

  @Test("An alias that another build gives another meaning is told where a model stores it")
  func aliases() throws {
    let disk = try released(Self.conditional("true"))
    func told(_ condition: String, _ used: String) throws -> [String] {
      let alias =
        "#if \(condition)\ntypealias Count = Double\n#else\ntypealias Count = Int\n#endif\n"
      let files = Self.conditional("true").mapValues {
        $0.replacing("var pages: Int", with: "var pages: \(used)") + alias
      }
      return try snapshot(files, on: disk).findings.filter { $0.severity > .note }
        .map { "\($0.rule.id) \($0.element ?? "")" }
    }
    #expect(try told("LITE", "Count") == ["build-condition Count"])
    #expect(try told("LITE", "Int") == [])
    #expect(try told("os(macOS)", "Count") == [])
  }

  @Test("An unknown condition around a method is nothing to a store")
  func methods() throws {
    let disk = try released(Self.conditional("true"))
    let files = Self.conditional("true").mapValues {
      $0.replacing(
        "  init(title",
        with: "#if APPSTORE\n  var long: Bool { true }\n  func f() {}\n#endif\n  init(title")
    }
    #expect(try snapshot(files, on: disk).findings.filter { $0.severity > .note } == [])
  }

  @Test(
    "A condition among a property's attributes is refused, with what to write",
    arguments: ["@Transient", "@Attribute(.ephemeral)"])
  func conditionalAttributes(_ attribute: String) throws {
    let disk = try released(Self.conditional("true"))
    func files(_ text: String) -> [String: String] {
      Self.conditional("true").mapValues { $0.replacing("  var pages: Int = 0\n", with: text) }
    }
    let hidden = try snapshot(
      files("#if !DEBUG\n  \(attribute)\n#endif\n  var pages: Int = 0\n"), on: disk)
    #expect(
      hidden.findings.filter { $0.severity > .note }.map { "\($0.rule.id) \($0.element ?? "")" }
        == ["unread-property Book.pages"])
    // As the help says: it is decided, and a question.
    let whole = try snapshot(
      files("#if !DEBUG\n  \(attribute) var pages: Int = 0\n#else\n  var pages: Int = 0\n#endif\n"),
      on: disk)
    #expect(
      whole.findings.filter { $0.severity == .error }.map(\.rule.id) == ["unacknowledged-drop"])
  }

  // MARK: Copies

  @Test("Of two declarations the one beside the models is read, and another one is named")
  func copies() throws {
    let type = "enum T: String, Codable { case a, b }\n"
    var files = ["App/Model/Book.swift": Self.model, "App/Model/T.swift": type]
    let disk = try released(files)
    files["App/AWidget/T.swift"] = "// The widget's.\n" + type
    #expect(try snapshot(files, on: disk).findings == [])
    files["App/AWidget/T.swift"] = type.replacing("b }", with: "b = \"other\" }")
    let widget = try snapshot(files, on: disk).findings
    #expect(widget.map(\.rule.id) == ["second-declaration"] && widget[0].severity == .warning)
    #expect(widget[0].location?.file == "App/Model/T.swift")
    #expect(widget[0].related.map(\.location.file) == ["App/AWidget/T.swift"])
    (files["App/AWidget/T.swift"], files["App/Model/T.swift"]) = (
      files["App/Model/T.swift"], files["App/AWidget/T.swift"]
    )
    #expect(try snapshot(files, on: disk).findings.contains { $0.rule.id == "raw-value-changed" })
  }
}
