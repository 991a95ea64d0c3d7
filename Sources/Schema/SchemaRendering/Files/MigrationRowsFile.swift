internal import SchemaEvolution
internal import SchemaModel

/// What MigrationRows.mustache reads: the functions of one step.
struct MigrationRowsFile: EmittedFile {
  static let template = "MigrationRows"
  var path: String { "\(name).swift" }

  var mark: String
  var importLines: [String]
  var documentation: [String]
  var name: String
  var functions: [FunctionView]

  static let sections: [String: any TemplateView.Type] = ["functions": FunctionView.self]

  static let members: [String: @Sendable (Self) -> Any?] = [
    "mark": { $0.mark }, "importStatements": { SwiftText.block($0.importLines, indent: 0) },
    "documentation": { $0.documentation },
    "name": { $0.name }, "functions": { $0.functions },
  ]
}

/// One function over a context.
struct FunctionView: TemplateView {
  var name: String
  var documentation: [String]
  var body: [String]
  var isNotFirst: Bool

  static let members: [String: @Sendable (Self) -> Any?] = [
    "name": { $0.name }, "documentation": { $0.documentation }, "body": { $0.body },
    "isNotFirst": { $0.isNotFirst },
  ]
}

extension MigrationRowsFile {
  static func makers(_ input: RenderingInput) -> [Maker] {
    input.evolution.steps.map { step in { Self(step, input.evolution) } }
  }

  static func declarations(_ input: RenderingInput) -> [Declaration] {
    input.evolution.steps.filter(\.plan.hasWork).map { step in
      Declaration(
        RowFunctions.enumName(step), "a step's functions", .step,
        at: step.new.location)
    }
  }

  private init?(_ step: VersionStep, _ evolution: Evolution) {
    let functions = RowFunctions(step, evolution)
    guard !functions.functions.isEmpty else { return nil }
    mark = FileMark.generated(from: step.old, step.new)
    importLines = Imports(evolution).lines(["Foundation", "SwiftData"])
    let old = step.old.number.name
    let new = step.new.number.name
    documentation = SwiftText.documentation(
      "Changes rows on the way from \(old) to \(new), before the store gets \(new)'s tables."
    )
    name = RowFunctions.enumName(step)
    self.functions = functions.functions.enumerated().map { index, function in
      FunctionView(
        name: function.name,
        documentation: SwiftText.documentation(function.documentation, indent: 2),
        body: function.body, isNotFirst: index > 0)
    }
  }
}
