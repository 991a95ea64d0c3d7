internal import SchemaEvolution
internal import SchemaModel

/// What UserMigration.mustache reads: the functions of one step that the app implements.
struct UserFile: EmittedFile {
  static let template = "UserMigration"
  static let kind = GeneratedFile.Kind.userFile
  var path: String { "\(name).swift" }

  var mark: String
  var importLines: [String]
  var summary: String
  var name: String
  var functions: [UserFunctionView]

  static let sections: [String: any TemplateView.Type] = ["functions": UserFunctionView.self]

  static let members: [String: @Sendable (Self) -> Any?] = [
    "mark": { $0.mark }, "importStatements": { SwiftText.block($0.importLines, indent: 0) },
    "summary": { $0.summary },
    "name": { $0.name }, "functions": { $0.functions },
  ]
}

struct UserFunctionView: TemplateView {
  var documentation: [String]
  var signature: [String]
  /// The task in the compiler's message, escaped for a string literal.
  var task: String
  var isNotFirst: Bool

  static let members: [String: @Sendable (Self) -> Any?] = [
    "documentation": { $0.documentation }, "signature": { $0.signature }, "task": { $0.task },
    "isNotFirst": { $0.isNotFirst },
  ]
}

extension UserFile {
  static func makers(_ input: RenderingInput) -> [Maker] {
    input.evolution.steps.map { step in { Self(step, input.evolution) } }
  }

  static func declarations(_ input: RenderingInput) -> [Declaration] {
    input.evolution.steps.filter { !$0.userFunctions.isEmpty }.map { step in
      Declaration(
        step.name, "a user file's enum", .step,
        at: step.new.location)
    }
  }

  init?(_ step: VersionStep, _ evolution: Evolution) {
    guard !step.userFunctions.isEmpty else { return nil }
    let old = step.old.number.name
    let new = step.new.number.name
    mark = FileMark.userFile
    importLines = Imports(evolution).lines(["Foundation", "SwiftData"])
    summary = "\(old) → \(new): code that a manifest cannot express."
    name = step.name
    let physical = evolution.schemaOfUserCode(in: step)
    functions = step.userFunctions.enumerated().map { index, function in
      UserFunctionView(function, old: old, physical: physical, new: new, isNotFirst: index > 0)
    }
  }
}

extension UserFunctionView {
  init(
    _ function: UserFunction, old: String, physical: String, new: String, isNotFirst: Bool
  ) {
    self.isNotFirst = isNotFirst
    let element = function.element?.description ?? ""
    let name = "static func \(SwiftIdentifier.quoted(function.name))"
    func type(_ value: UserFunction.Value) -> String {
      switch value {
      case .value(let type): type.description
      case .row(let model): "\(physical).\(model)?"
      case .rows(let model): "[\(physical).\(model)]"
      }
    }
    let text: String
    let task: String
    switch function.purpose {
    case .convert(let parameters, let result):
      signature = SwiftText.list(
        name, parameters.map { "_ \(SwiftIdentifier.quoted($0.name)): \(type($0.value))" },
        " -> \(type(result)) {", indent: 2)
      text = "`\(element)` from \(old)'s values. Called for each row, and by `toEntity()`."
      task = "convert \(old)'s values to \(element)"
    case .revert(let parameters, let result):
      signature = SwiftText.list(
        name, parameters.map { "_ \(SwiftIdentifier.quoted($0.name)): \(type($0.value))" },
        " -> \(type(result)) {", indent: 2)
      text = "\(old)'s value from `\(element)`. Called by `fromEntity(_:)`."
      task = "convert \(element) back to \(old)'s value"
    case .fill(let result):
      signature = ["\(name)() -> \(type(result)) {"]
      text = "The value of `\(element)` in a row that has none. Called for each such row."
      task = "return the value of \(element) for rows of \(old)"
    case .relate(let row, let result):
      signature = SwiftText.list(
        name, ["for row: \(physical).\(row)", "in context: ModelContext"],
        " throws -> \(type(result)) {", indent: 2)
      text = "The target of `\(element)`. Called for each row."
      task = "return the row that \(element) leads to"
    case .dedupe(let row):
      signature = SwiftText.list(
        name, ["_ rows: [\(physical).\(row)]", "in context: ModelContext"], " throws {", indent: 2)
      text =
        "Deletes all but one of these rows, which are equal in the properties of a new unique constraint. Move the "
        + "links of the deleted rows yourself."
      task = "delete all but one of the rows"
    case .before:
      signature = ["\(name)(_ context: ModelContext) throws {"]
      text =
        "Runs first, on \(old)'s rows. Fetch them as models of `\(physical)`. After a kill it runs again, "
        + "so it must be safe to repeat."
      task = "do what must be done before \(new), or remove 'before' from its hooks"
    case .after:
      signature = ["\(name)(_ context: ModelContext) throws {"]
      text =
        "Runs last, on \(new)'s rows. After a kill it does not run again, so nothing important may depend on it."
      task = "do what can be lost after \(new), or remove 'after' from its hooks"
    }
    documentation = SwiftText.documentation(text, indent: 2)
    self.task = SwiftText.escaped(task)
  }
}
