internal import SchemaEvolution
internal import SchemaModel

struct DebugReportFile: EmittedFile {
  static let template = "DebugReport"
  var path: String { "SchemaDebugReport.swift" }

  var mark: String
  var importLines: [String]
  var access: String
  var activeSchema: String
  var counts: [String]
  var versions: [String]
  var rows: [DebugRowView]

  static let sections: [String: any TemplateView.Type] = ["rows": DebugRowView.self]

  static let members: [String: @Sendable (Self) -> Any?] = [
    "mark": { $0.mark }, "importStatements": { SwiftText.block($0.importLines, indent: 0) },
    "access": { $0.access },
    "activeSchema": { $0.activeSchema }, "counts": { $0.counts },
    "versions": { SwiftText.block($0.versions, indent: 6) },
    "guarding": { SwiftText.guarding($0.versions, indent: 6) }, "rows": { $0.rows },
    "hasJSON": { view in
      view.rows.contains { $0.values.contains { $0.contains("SchemaDebugReport.json(") } }
    },
  ]
}

/// The values of one model's rows.
struct DebugRowView: TemplateView {
  var access: String
  var model: String
  var values: [String]

  var guarding: [String] { SwiftText.guarding(values, indent: 6) }

  static let members: [String: @Sendable (Self) -> Any?] = [
    "access": { $0.access }, "model": { $0.model }, "guarding": { $0.guarding },
    "values": { SwiftText.block($0.values, indent: 6) },
  ]
}

extension DebugReportFile {
  static func makers(_ input: RenderingInput) -> [Maker] {
    input.has(.debugReport) ? [{ Self(input.whole) }] : []
  }

  static func declarations(_ input: RenderingInput) -> [Declaration] {
    input.has(.debugReport) ? [.own("SchemaDebugReport", input)] : []
  }

  private init(_ evolution: Evolution) {
    let configuration = evolution.configuration
    let newest = evolution.history[evolution.history.count - 1]
    let models = newest.models.sorted { $0.name < $1.name }
    mark = FileMark.everyManifest
    let modules = ["Foundation", "SwiftData"]
    importLines = Imports(evolution).lines(modules, showing: modules)
    access = configuration.access.prefix
    activeSchema = configuration.names.activeSchema
    counts = SwiftText.separated(
      models.map { model in
        let active = Self.alias(of: model.name, configuration.names)
        return SwiftText.list(
          "Count",
          [
            "model: \"\(model.name)\"",
            "rows: try context.fetchCount(FetchDescriptor<\(active)>())",
          ], indent: 7)
      })
    versions = SwiftText.separated(
      evolution.history.indices.map { Self.version($0, evolution) })
    let access = access
    // A subclass inherits its superclass's extension.
    rows = models.filter { $0.superclass == nil }.map { model in
      DebugRowView(
        access: access, model: configuration.names.active(model: model.name),
        values: SwiftText.separated(model.properties.map { DebugRowView.value($0) }))
    }
  }

  /// A model's name within the report. It is qualified if one of the report's own types hides the model's alias.
  private static func alias(of model: String, _ names: NamePatterns) -> String {
    let alias = names.active(model: model)
    return ["Count", "File", "Value", "Version"].contains(alias)
      ? "\(names.activeSchema).Version.\(model)" : alias
  }

  private static func version(_ index: Int, _ evolution: Evolution) -> [String] {
    let version = evolution.history[index]
    let step = index == 0 ? nil : evolution.steps[index - 1]
    let changes = step?.changes.map { "\($0.element): \($0.classification.title)" } ?? []
    var lines = [
      "Version(", "  number: \"\(version.number)\",",
      "  summary: \"\(SwiftText.escaped(version.summary ?? ""))\",",
      "  stage: \"\(evolution.way(to: index))\",",
    ]
    if changes.isEmpty {
      lines += ["  changes: []"]
    } else {
      lines +=
        ["  changes: ["]
        + SwiftText.separated(changes.map { ["\"\(SwiftText.escaped($0))\""] }).map { "    " + $0 }
        + ["  ]"]
    }
    return lines + [")"]
  }
}

extension DebugRowView {
  static func value(_ property: Property) -> [String] {
    let name = SwiftIdentifier.quoted(property.name)
    let text: String
    switch property.kind {
    case .attribute(let attribute):
      text =
        attribute.encodes.map {
          "SchemaDebugReport.json(\($0.unwrapped).self, self.\(name))"
        } ?? "SchemaDebugReport.text(self.\(name))"
    case .relationship(let relationship):
      switch relationship.cardinality {
      case .optionalOne: text = "self.\(name) == nil ? \"nil\" : \"1 row\""
      case .one: text = "\"1 row\""
      case .many: text = "\"\\(self.\(name).count) rows\""
      case .optionalMany: text = "\"\\(self.\(name)?.count ?? 0) rows\""
      }
    }
    // The indent is one more than the real one, to leave room for the comma after the call.
    return SwiftText.list(
      "SchemaDebugReport.Value", ["name: \"\(property.name)\"", "text: \(text)"], indent: 7)
  }
}
