internal import SchemaEvolution
internal import SchemaModel

struct MigrationTestsFile: EmittedFile {
  static let template = "MigrationTests"
  static let kind = GeneratedFile.Kind.test
  var path: String { "\(plan)Tests.swift" }

  var mark: String
  var plan: String
  var module: String?
  var releases: [ReleaseView]
  var hasCoreDataStep: Bool

  private var holdsExpectations: Bool { releases.contains { !$0.expectations.isEmpty } }

  static let sections: [String: any TemplateView.Type] = ["releases": ReleaseView.self]

  static let members: [String: @Sendable (Self) -> Any?] = [
    "mark": { $0.mark }, "plan": { $0.plan }, "module": { $0.module },
    "releases": { $0.releases },
    "hasCoreDataStep": { $0.hasCoreDataStep },
    "holdsExpectations": { $0.holdsExpectations },
    "comparesValues": { view in
      view.holdsExpectations || view.releases.contains { !$0.readings.isEmpty }
    },
  ]
}

/// One version that stores may have.
struct ReleaseView: TemplateView {
  var caseName: String
  var version: String
  var schema: String
  var planTo: String
  /// The index in the plan's schemas.
  var position: Int
  var samples: [String]
  var sampleNames: [String]
  var counts: [String]
  var readings: [String]
  /// Statements that return a row's expected values after the step to this version.
  var carried: [String]
  var expectations: [String]

  static let members: [String: @Sendable (Self) -> Any?] = [
    "caseName": { $0.caseName }, "version": { $0.version }, "schema": { $0.schema },
    "planTo": { $0.planTo }, "position": { $0.position },
    "schemaCount": { $0.position + 1 }, "samples": { $0.samples },
    "sampleNames": { $0.sampleNames }, "counts": { $0.counts }, "readings": { $0.readings },
    "hasReadings": { !$0.readings.isEmpty },
    "carried": { $0.carried }, "expectations": { $0.expectations },
  ]
}

extension MigrationTestsFile {
  static func makers(_ input: RenderingInput) -> [Maker] {
    input.evolution.configuration.tests == nil ? [] : [{ Self(input) }]
  }

  private init(_ input: RenderingInput) {
    let evolution = input.evolution
    hasCoreDataStep = input.coreDataStep != nil
    mark = FileMark.everyManifest
    plan = evolution.configuration.names.plan
    module = evolution.configuration.module
    let lines = ModelLines(evolution.history)
    let types = evolution.types
    let changed = evolution.changedModels
    releases = evolution.history.indices.map { index in
      ReleaseView(evolution, index: index, lines: lines, types: types, changed: changed)
    }
  }
}

extension ReleaseView {
  init(
    _ evolution: Evolution, index: Int, lines: ModelLines, types: [String: ValueTypeDeclaration],
    changed: [Set<String>]
  ) {
    let number = evolution.history[index].number
    let physical = evolution.versions[index].stored
    // Each bridge on the way has an index, too.
    position = evolution.versions[...index].reduce(index) { $0 + ($1.step?.bridges.count ?? 0) }
    schema = physical.name
    caseName = "v\(number.label)"
    version = number.name
    planTo = "\(evolution.configuration.names.plan)UpToV\(number.label)"
    let version = physical.schema
    let models = version.models.sorted { $0.name < $1.name }
    let values = SampleValues(version, types: types, evolution.configuration)
    var samples: [String] = []
    var names: [String] = []
    for model in models {
      // Values that are compared later are set, which tests more than a default would.
      let arguments = values.arguments(for: model) {
        version.comparedType(of: $0) == nil ? .least : .usual
      }
      guard let arguments else {
        samples.append("// `\(model.name)` cannot be made without the app's help.")
        continue
      }
      let maker = evolution.maker(of: model.name, in: physical)
      let value = "\(maker)(\(arguments.joined(separator: ", ")))"
      if 6 + "context.insert(\(value))".count <= SwiftText.width {
        samples.append("context.insert(\(value))")
      } else {
        let name = SwiftIdentifier.quoted(model.name.lowercasedFirst)
        samples += SwiftText.guarded(
          SwiftText.list("let \(name) = \(maker)", arguments, indent: 6), indent: 6)
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
    readings = models.filter { changed[index].contains($0.name) }.flatMap { model in
      Self.reading(model, of: version, schema)
    }
    guard let step = evolution.versions[index].step else {
      carried = ["return old"]
      expectations = []
      return
    }
    carried = Self.carried(step, version, changed[index - 1], evolution)
    expectations = evolution.history[index].expectations.flatMap { expectation in
      SwiftText.guarded(
        ExpectationText(expectation, step, evolution).tested, indent: 6)
    }
  }

  /// The statements that read those values of a row that have columns of their own.
  private static func reading(
    _ model: Model, of version: SchemaVersion, _ schema: String
  ) -> [String] {
    let values = version.properties(of: model).compactMap { property -> String? in
      guard version.comparedType(of: property) != nil else { return nil }
      let path = "$0.\(SwiftIdentifier.quoted(property.name))"
      return "\"\(property.name)\": \(version.raw(path, of: property))"
    }
    guard !values.isEmpty else { return [] }
    let row = SwiftText.list(
      "rows[\"\(model.name)\"] = try Upgrade.row",
      ["of: \(schema).\(model.name).self", "in: context"], " {", indent: 6)
    return row + ["  ["] + SwiftText.elements(values).map { "    \($0)" } + ["  ]", "}"]
  }

  private static func carried(
    _ step: VersionStep, _ version: SchemaVersion, _ changed: Set<String>, _ evolution: Evolution
  ) -> [String] {
    guard let values = evolution.values(of: step) else {
      return ["// Depends on the app's migration code, so it is not checked here.", "return [:]"]
    }
    let lines =
      values.left.filter(changed.contains).map { "new[\"\($0)\"] = nil" }
      + values.changes.flatMap { carried($0, to: version) }
    return lines.isEmpty ? ["return old"] : ["var new = old"] + lines + ["return new"]
  }

  private static func carried(
    _ change: StepValues.Change, to version: SchemaVersion
  ) -> [String] {
    var arguments: [String] = []
    if !change.renamed.isEmpty { arguments.append("renamed: \(SwiftText.names(change.renamed))") }
    if !change.left.isEmpty {
      let names = change.left.map { "\"\($0)\"" }.joined(separator: ", ")
      arguments.append("without: [\(names)]")
    }
    let source = "old[\"\(change.old)\"]"
    let head = "new[\"\(change.new)\"] = "
    if change.made.isEmpty {
      return arguments.isEmpty
        ? [head + source]
        : SwiftText.list("\(head)try \(source)?.carried", arguments, indent: 6)
    }
    let made = SwiftText.separated(change.made.map { making($0, in: version) })
    return SwiftText.guarded(
      ["\(head)try \(source)?.carried("]
        + (arguments.map { "\($0)," } + ["made: ["]).map { "  \($0)" }
        + made.map { "    \($0)" } + ["  ]", ")"],
      indent: 6)
  }

  private static func making(
    _ made: StepValues.Made, in version: SchemaVersion
  ) -> [String] {
    let property = made.property
    let value: DerivedValue
    if case .required(let inner, _) = made.value { value = inner } else { value = made.value }
    let type = property.attribute?.storedType ?? property.type
    let text = "\(ConversionText(row: "old").expression(value).operandText) as \(type)"
    let raw = version.isRawEnum(property) ? version.raw("(\(text))", of: property) : text
    guard !made.sources.isEmpty else { return ["\"\(property.name)\": { _ in \(raw) }"] }
    let sources = made.sources.map {
      ($0.name, ($0.attribute?.storedType ?? $0.type).description)
    }
    return ["\"\(property.name)\": { old in"]
      + (ExpectationText.reading(sources, of: "old") + ["return \(raw)"]).map { "  \($0)" } + ["}"]
  }
}

extension SchemaVersion {
  fileprivate func isRawEnum(_ property: Property) -> Bool {
    if case .rawEnum? = columnStorage(of: property) { true } else { false }
  }

  fileprivate func raw(_ path: String, of property: Property) -> String {
    guard isRawEnum(property) else { return path }
    return path + (property.type.isOptional ? "?.rawValue" : ".rawValue")
  }
}

/// Names each model's rows by the model's name in the newest version that has it.
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
        // Rows that end here, or that merge with others, are counted under a separate name.
        names[index][model.name] =
          successor.flatMap { names[index + 1][$0] }
          ?? "\(model.name) (\(history[index].number.name))"
      }
    }
  }

  func line(of model: String, at index: Int) -> String { names[index][model] ?? model }
}
