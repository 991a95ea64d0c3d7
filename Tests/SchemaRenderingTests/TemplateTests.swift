import Foundation
import SchemaEvolution
import SchemaRendering
import Testing

@testable import SchemaModel

/// Templates may use only known names, and no text of a manifest leaves its place in Swift.
@Suite struct TemplateTests {
  @Test("Every built-in template belongs to a generated file and uses only known names")
  func everyTemplateIsEmitted() throws {
    var root = URL(filePath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    let templates = try FileManager.default.contentsOfDirectory(
      at: root.appending(path: "Templates"), includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "mustache" }
    #expect(!templates.isEmpty)
    let own = try templates.map { file in
      SourceFile(path: file.lastPathComponent, bytes: Array(try Data(contentsOf: file)))
    }
    #expect(TemplateStore(overrides: own).diagnostics == [])
  }

  @Test(
    "A broken template is an error at its place",
    arguments: [
      ("{{nam}}", 1, 1, "did you mean 'name'?"),
      (
        "a\n {{#models}}\n  {{properties}}{{name}}{{nmae}}\n{{/models}}", 3, 25,
        "did you mean 'name'?"
      ),
      ("{{#models}}", 1, 1, ""), ("{{/models}}", 1, 1, ""), ("{{#models}}{{/stages}}", 1, 12, ""),
      ("{{name", 1, 1, ""), ("{{> other}}", 1, 1, ""),
      ("{{#models}}{{stages}}{{/models}}", 1, 12, ""),
    ])
  func broken(_ text: String, _ line: Int, _ column: Int, _ help: String) throws {
    let store = TemplateStore(overrides: [SourceFile(path: "T/Schema.mustache", text: text)])
    let finding = try #require(store.diagnostics.first)
    #expect(finding.rule.id == "template" && finding.location?.file == "T/Schema.mustache")
    #expect(finding.location?.line == line && finding.location?.column == column, "\(finding)")
    if !help.isEmpty { #expect(finding.help.first == help) }
  }

  private func rendered(_ version: SchemaVersion) -> String {
    let evolution = AnalysisPipeline(
      history: [version], configuration: Configuration(access: .public)
    ).run()
    return Renderer(templates: TemplateStore()).files(for: evolution)
      .filter { $0.path.hasSuffix(".swift") }.map(\.contents).joined()
  }

  private func version(
    summary: String? = nil, documentation: String? = nil, default value: String = "\"\"",
    modifier: String? = nil
  ) throws -> SchemaVersion {
    let attribute = Attribute(
      type: .named("String"), defaultValue: try SwiftExpression(value))
    let property = Property(
      name: "name", documentation: documentation, kind: .attribute(attribute),
      hashModifier: modifier)
    return SchemaVersion(
      number: VersionNumber(1), summary: summary,
      models: [Model(name: "Trip", documentation: documentation, properties: [property])])
  }

  @Test("A declaration longer than a line is not changed by swift-format")
  func longNames() throws {
    let name = "ATypeWithANameThatIsLongerThanThoseOfMostOtherTypes"
    for kind: ValueTypeDeclaration.Kind in [
      .structure(fields: []), .enumeration(rawType: .named("String"), cases: [EnumCase(name: "a")]),
    ] {
      var version = try self.version()
      version.types = [ValueTypeDeclaration(name: name, kind: kind)]
      let word = if case .structure = kind { "struct" } else { "enum" }
      let head = "\n/// A value that models store.\nnonisolated public \(word) \(name): "
      let text = rendered(version)
      #expect(text.contains("// swift-format-ignore" + head), "\(text)")
      version.types[0].name = "Kind"
      #expect(!rendered(version).contains("swift-format-ignore"))
    }
  }

  @Test("Text from a manifest stays inside comments and strings")
  func nothingEscapes() throws {
    let evil = "x\nimport Evil\u{2028}struct Evil {}\r\n*/ \"\"\" \\(evil)"
    let text = rendered(try version(summary: evil, documentation: evil, modifier: "\" \\(evil)"))
    for line in text.split(whereSeparator: \.isNewline) where line.contains("Evil") {
      #expect(line.drop { $0 == " " }.hasPrefix("///"), "\(line)")
    }
    #expect(text.contains(#"hashModifier: "\" \\(evil)""#))
  }

  @Test("A default with a brace cannot become an accessor block")
  func bracesAreKept() throws {
    let text = rendered(try version(default: "\"\" { didSet { evil() } }"))
    #expect(text.contains("var name: String = (\"\" { didSet { evil() } })"))
  }

  @Test("Two generated declarations with one name are reported before anything is written")
  func nameConflicts() throws {
    var version = try self.version()
    version.models[0].entity = "SchemaV1"
    let evolution = AnalysisPipeline(history: [version]).run()
    #expect(Renderer.findings(evolution).map(\.rule.id) == ["conflicting-name"])
    version.models[0].entity = "ActiveTrip"
    #expect(Renderer.findings(AnalysisPipeline(history: [version]).run()).count == 1)
    version.models[0].entity = "TripEntity"
    #expect(Renderer.findings(AnalysisPipeline(history: [version]).run()).isEmpty)
  }

  /// A launch must not fail because rows were deleted with duplicates.
  @Test(
    "Models that lose rows when duplicates are deleted include submodels and targets of cascades")
  func outlineOfDedupe() throws {
    func model(
      _ name: String, _ properties: [Property], superclass: String? = nil
    ) -> Model {
      Model(name: name, superclass: superclass.map { Located($0) }, properties: properties)
    }
    func link(_ name: String, to model: String, _ rule: Relationship.DeleteRule) -> Property {
      let relationship = Relationship(
        destination: Located(model), cardinality: .optionalOne, deleteRule: rule)
      return Property(name: name, kind: .relationship(relationship))
    }
    func key(isUnique: Bool) -> Property {
      let dedupe = isUnique ? Dedupe.latest(by: "edited") : nil
      return Property(
        name: "key",
        kind: .attribute(
          Attribute(
            type: .named("Int"), options: isUnique ? [.unique] : [], dedupe: dedupe)))
    }
    let history = [1, 2].map { number in
      SchemaVersion(
        number: VersionNumber(number),
        models: [
          model(
            "Base",
            [
              key(isUnique: number == 2), link("cover", to: "Cover", .cascade),
              Property(name: "edited", kind: .attribute(Attribute(type: .named("Int")))),
            ]),
          model("Sub", [], superclass: "Base"),
          model(
            "Cover", [link("page", to: "Page", .cascade), link("other", to: "Other", .nullify)]),
          model("Page", []), model("Other", []),
        ])
    }
    let evolution = AnalysisPipeline(
      history: history, configuration: Configuration(extras: [.migrationKit])
    ).run()
    let outline =
      Renderer(templates: TemplateStore()).files(for: evolution)
      .first { $0.path == "MigrationPlan+Description.swift" }?.contents ?? ""
    for name in ["Base", "Sub", "Cover", "Page"] {
      #expect(outline.contains("\"\(name)\": .mayChange("), "\(name)")
    }
    #expect(!outline.contains("\"Other\": .mayChange("))
  }
}
