internal import SchemaEvolution
internal import SchemaModel

struct FixturesFile: EmittedFile {
  static let template = "Fixtures"
  static let kind = GeneratedFile.Kind.test
  var path: String { "SchemaFixtures.swift" }

  var mark: String
  var module: String?
  var releases: [FixtureView]

  static let sections: [String: any TemplateView.Type] = ["releases": FixtureView.self]

  static let members: [String: @Sendable (Self) -> Any?] = [
    "mark": { $0.mark }, "module": { $0.module }, "releases": { $0.releases },
  ]
}

struct FixtureView: TemplateView {
  var caseName: String
  var version: String
  var label: String
  var schema: String
  var rows: [String]
  var statements: [String]

  static let members: [String: @Sendable (Self) -> Any?] = [
    "caseName": { $0.caseName }, "version": { $0.version }, "label": { $0.label },
    "schema": { $0.schema }, "rows": { SwiftText.block($0.rows, indent: 10) },
    "statements": { SwiftText.block($0.statements, indent: 4) },
  ]
}

extension FixturesFile {
  static func makers(_ input: RenderingInput) -> [Maker] {
    input.has(.fixtures) ? [{ Self(input.evolution) }] : []
  }

  private init(_ evolution: Evolution) {
    mark = FileMark.everyManifest
    module = evolution.configuration.module
    let types = evolution.types
    releases = evolution.history.indices.map { FixtureView(evolution, index: $0, types: types) }
  }
}

extension FixtureView {
  /// One row that can be made of a model.
  private struct Row {
    var model: Model
    var flavor: SampleValues.Flavor
    var arguments: [String]
    var name: String
  }

  init(_ evolution: Evolution, index: Int, types: [String: ValueTypeDeclaration]) {
    let number = evolution.history[index].number
    let physical = evolution.versions[index].stored
    caseName = "v\(number.label)"
    version = number.name
    label = "V\(number.label)"
    schema = physical.name
    let models = physical.schema.models.sorted { $0.name < $1.name }
    let values = SampleValues(physical.schema, types: types, evolution.configuration)
    var statements: [String] = []
    var rows: [Row] = []
    for (position, model) in models.enumerated() {
      let made = SampleValues.Flavor.allCases.compactMap { flavor -> Row? in
        guard flavor == .least || !values.isScarce(model) else { return nil }
        let number = position * SampleValues.Flavor.allCases.count + flavor.rawValue + 1
        return values.arguments(for: model, number: number) { _ in flavor }.map {
          Row(
            model: model, flavor: flavor, arguments: $0,
            name: "\(model.name.lowercasedFirst)\(flavor.rawValue + 1)")
        }
      }
      if made.isEmpty {
        statements.append("// `\(model.name)` cannot be made without the app's help.")
      }
      rows += made
    }
    for row in rows {
      statements += SwiftText.guarded(
        SwiftText.list(
          "let \(row.name) = \(evolution.maker(of: row.model.name, in: physical))", row.arguments,
          indent: 4), indent: 4)
      statements.append("context.insert(\(row.name))")
    }
    let byModel = Dictionary(grouping: rows, by: \.model.name)
    for row in rows where row.flavor != .least {
      statements += Self.links(row, byModel)
    }
    self.statements = statements
    self.rows = SwiftText.separated(
      byModel.sorted { $0.key < $1.key }.map { ["\"\($0.key)\": \($0.value.count)"] })
    if self.rows.isEmpty { self.rows = [":"] }
  }

  /// The statements that link a row with rows of other models, of the same flavour if possible. Of two inverse
  /// relationships only one is set.
  private static func links(_ row: Row, _ rows: [String: [Row]]) -> [String] {
    row.model.properties.flatMap { property -> [String] in
      guard let relationship = property.relationship else { return [] }
      let others = (rows[relationship.destination.value] ?? []).filter { $0.name != row.name }
      let other =
        others.first { $0.flavor == row.flavor } ?? others.first { $0.flavor == .least }
      guard let other else { return [] }
      let isMany = relationship.cardinality.isMany
      if let inverse = relationship.inverse?.value,
        let end = other.model.property(named: inverse)?.relationship
      {
        // A pair of a to-one and a to-many relationship is linked at the to-one end. Any other pair is linked where the
        // inverse is declared.
        let isTold =
          end.cardinality.isMany == isMany ? relationship.declaresInverse : !isMany
        guard isTold else { return [] }
      }
      let end = "\(row.name).\(SwiftIdentifier.quoted(property.name))"
      return SwiftText.assignment(end, isMany ? "[\(other.name)]" : other.name, indent: 4)
    }
  }
}
