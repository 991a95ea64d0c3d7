internal import SchemaEvolution
internal import SchemaModel

/// What MigrationTests.mustache reads.
struct MigrationTestsFile: EmittedFile {
  static let template = "MigrationTests"
  static let kind = GeneratedFile.Kind.test
  var path: String { "\(plan)Tests.swift" }

  var mark: String
  var plan: String
  var module: String?
  var releases: [ReleaseView]

  static let sections: [String: any TemplateView.Type] = ["releases": ReleaseView.self]

  static let members: [String: @Sendable (Self) -> Any?] = [
    "mark": { $0.mark }, "plan": { $0.plan }, "module": { $0.module },
    "releases": { $0.releases },
  ]
}

/// One version that stores may have.
struct ReleaseView: TemplateView {
  var caseName: String
  var version: String
  var schema: String
  var planTo: String
  /// The place in the plan's schemas.
  var position: Int
  /// Statements that insert rows.
  var samples: [String]
  /// The inserted rows' names as string literals, each with its comma.
  var sampleNames: [String]
  /// Entries of a dictionary of counts, each with its comma.
  var counts: [String]

  static let members: [String: @Sendable (Self) -> Any?] = [
    "caseName": { $0.caseName }, "version": { $0.version }, "schema": { $0.schema },
    "planTo": { $0.planTo }, "position": { $0.position },
    "schemaCount": { $0.position + 1 }, "samples": { $0.samples },
    "sampleNames": { $0.sampleNames }, "counts": { $0.counts },
  ]
}

extension MigrationTestsFile {
  static func makers(_ input: RenderingInput) -> [Maker] {
    input.evolution.configuration.tests == nil ? [] : [{ Self(input.evolution) }]
  }

  private init(_ evolution: Evolution) {
    mark = FileMark.everyManifest
    plan = evolution.configuration.names.plan
    module = evolution.configuration.module
    let lines = ModelLines(evolution.history)
    let types = evolution.types
    releases = evolution.history.indices.map { index in
      ReleaseView(evolution, index: index, lines: lines, types: types)
    }
  }
}

extension ReleaseView {
  init(
    _ evolution: Evolution, index: Int, lines: ModelLines, types: [String: ValueTypeDeclaration]
  ) {
    let number = evolution.history[index].number
    position = evolution.positions[index]
    schema = evolution.chain[position].name
    caseName = "v\(number.label)"
    version = number.name
    planTo = "\(evolution.configuration.names.plan)UpToV\(number.label)"
    let version = evolution.chain[position].schema
    let models = version.models.sorted { $0.name < $1.name }
    let values = SampleValues(version, types: types)
    var samples: [String] = []
    var names: [String] = []
    for model in models {
      guard let arguments = values.arguments(for: model) else {
        samples.append("// `\(model.name)` cannot be made without the app's help.")
        continue
      }
      let maker = evolution.maker(of: model.name, in: evolution.chain[position])
      let value = "\(maker)(\(arguments.joined(separator: ", ")))"
      if 6 + "context.insert(\(value))".count <= SwiftText.width {
        samples.append("context.insert(\(value))")
      } else {
        let name = SwiftIdentifier.quoted(model.name.lowercasedFirst)
        samples += SwiftText.list("let \(name) = \(maker)", arguments, indent: 6)
        samples.append("context.insert(\(name))")
      }
      names.append("\"\(lines.line(of: model.name, at: index))\"")
    }
    self.samples = samples
    sampleNames = SwiftText.elements(names)
    let schema = schema
    let end = models.count == 1 ? "" : ","
    counts = models.flatMap { model -> [String] in
      let line = "\"\(lines.line(of: model.name, at: index))\":"
      let count = "try context.fetchCount(FetchDescriptor<\(schema).\(model.name)>())\(end)"
      let whole = "\(line) \(count)"
      return 8 + whole.count <= SwiftText.width ? [whole] : [line, "  \(count)"]
    }
  }
}

/// Names each model's rows by what they are called in the newest version that has them.
struct ModelLines {
  private var names: [[String: String]]

  init(_ history: [SchemaVersion]) {
    names = Array(repeating: [:], count: history.count)
    for index in history.indices.reversed() {
      for model in history[index].models {
        guard index + 1 < history.count else {
          names[index][model.name] = model.name
          continue
        }
        let next = history[index + 1]
        let same = next.model(named: model.name).flatMap { $0.sources.isEmpty ? $0.name : nil }
        let successors = next.models.filter { $0.sources.contains { $0.value == model.name } }
        let successor =
          same
          ?? (successors.count == 1 && successors[0].sources.count == 1 ? successors[0].name : nil)
        // Rows that end here, or that merge with others, are counted under a name of their own.
        names[index][model.name] =
          successor.flatMap { names[index + 1][$0] }
          ?? "\(model.name) (\(history[index].number.name))"
      }
    }
  }

  func line(of model: String, at index: Int) -> String { names[index][model] ?? model }
}
