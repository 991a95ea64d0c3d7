internal import SchemaLint
internal import SchemaModel
internal import SchemaWorkspace
internal import SwiftSyntax

/// A type that conforms to SchemaMigrationPlan, as its author wrote it.
struct WrittenPlan {
  var type: DeclaredType
  /// Full names of the versions, in order.
  var versions: [String] = []
  var stages: [WrittenStage] = []
}

/// A stage, as its author wrote it.
struct WrittenStage {
  /// Full names of the versions that it leads from and to.
  var from: String
  var to: String
  var isCustom: Bool
  /// What runs around it; nil where nothing does.
  var willMigrate: StageCode?
  var didMigrate: StageCode?
  var place: Place
}

/// Code of a stage.
struct StageCode {
  /// The context's name in the code.
  var context: String
  /// Its lines, without indentation they share.
  var lines: [String]
}

/// Reads the types that conform to SchemaMigrationPlan.
struct PlanReader {
  let index: SourceIndex
  let versions: VersionReader
  private(set) var findings: [Diagnostic] = []

  init(_ index: SourceIndex, _ versions: VersionReader) {
    self.index = index
    self.versions = versions
  }

  mutating func plans() -> [WrittenPlan] {
    var plans: [WrittenPlan] = []
    for type in index.types where type.kind != .extension {
      guard index.conforms(type.path, to: "SchemaMigrationPlan") else { continue }
      var plan = WrittenPlan(type: type)
      if let value = versions.staticValue("schemas", of: type.path) {
        plan.versions = types(value, in: type.path)
      }
      if let value = versions.staticValue("stages", of: type.path) {
        plan.stages = stages(value, in: type.path)
      }
      plans.append(plan)
    }
    return plans
  }

  private mutating func types(_ value: ExprSyntax, in scope: [String]) -> [String] {
    elements(value, in: scope).compactMap { element in
      if let path = element.memberPath, path.last == "self",
        let type = index.type(named: Array(path.dropLast()), in: scope)
      {
        return type.fullName
      }
      report("no file declares the version '\(element.oneLine)'", element)
      return nil
    }
  }

  /// The elements of a list, of lists joined by `+`, and of constants that are lists.
  private mutating func elements(
    _ value: ExprSyntax, in scope: [String], depth: Int = 0
  ) -> [ExprSyntax] {
    if let array = value.as(ArrayExprSyntax.self) { return array.elements.map(\.expression) }
    if let sequence = value.as(SequenceExprSyntax.self) {
      return Array(sequence.elements).filter { !$0.is(BinaryOperatorExprSyntax.self) }
        .flatMap { elements($0, in: scope, depth: depth + 1) }
    }
    if depth < 8, let path = value.memberPath, let name = path.last {
      let owner =
        path.count == 1 ? scope : index.type(named: Array(path.dropLast()), in: scope)?.path
      if let owner, let inner = versions.staticValue(name, of: owner) {
        return elements(inner, in: owner, depth: depth + 1)
      }
      if path.count == 1, let inner = index.constant(name, from: value) {
        return elements(inner, in: scope, depth: depth + 1)
      }
    }
    report("the list '\(value.oneLine)' cannot be read", value)
    return []
  }

  private mutating func stages(_ value: ExprSyntax, in scope: [String]) -> [WrittenStage] {
    elements(value, in: scope).compactMap { element in
      if let stage = stage(element, in: scope, [:]) { return stage }
      report("the stage '\(String(element.oneLine.prefix(60)))' cannot be read", element)
      return nil
    }
  }

  /// - Parameter arguments: What a factory's parameters stand for.
  private func stage(
    _ value: ExprSyntax, in scope: [String], _ arguments: [String: ExprSyntax], depth: Int = 0
  ) -> WrittenStage? {
    guard depth < 8 else { return nil }
    if let call = value.as(FunctionCallExprSyntax.self) {
      if let name = call.calledExpression.memberName, ["lightweight", "custom"].contains(name),
        let stage = stage(call, isCustom: name == "custom", in: scope, arguments)
      {
        return stage
      }
      return factory(call, in: scope, depth: depth)
    }
    guard let path = value.memberPath, let name = path.last else { return nil }
    let owner =
      path.count == 1 ? scope : index.type(named: Array(path.dropLast()), in: scope)?.path
    guard let owner else { return nil }
    if let inner = versions.staticValue(name, of: owner) {
      return stage(inner, in: owner, [:], depth: depth + 1)
    }
    if path.count == 1, let inner = index.constant(name, from: value) {
      return stage(inner, in: scope, [:], depth: depth + 1)
    }
    return nil
  }

  private func stage(
    _ call: FunctionCallExprSyntax, isCustom: Bool, in scope: [String],
    _ arguments: [String: ExprSyntax]
  ) -> WrittenStage? {
    func version(_ label: String) -> String? {
      guard var value = call.arguments.first(where: { $0.label?.text == label })?.expression else {
        return nil
      }
      if let name = value.memberPath, name.count == 1, let argument = arguments[name[0]] {
        value = argument
      }
      guard let path = value.memberPath, path.last == "self" else { return nil }
      return index.type(named: Array(path.dropLast()), in: scope)?.fullName
    }
    guard let from = version("fromVersion"), let to = version("toVersion") else { return nil }
    var stage = WrittenStage(
      from: from, to: to, isCustom: isCustom, place: index.place(of: call.calledExpression))
    var closures: [(String, ExprSyntax)] = call.arguments.compactMap { argument in
      argument.label.map { ($0.text, argument.expression) }
    }
    // The first trailing closure has no label: it is the first of the two that was not given.
    if let trailing = call.trailingClosure {
      let isWill = !closures.contains { $0.0 == "willMigrate" }
      closures.append((isWill ? "willMigrate" : "didMigrate", ExprSyntax(trailing)))
    }
    for closure in call.additionalTrailingClosures {
      closures.append((closure.label.text, ExprSyntax(closure.closure)))
    }
    for (label, value) in closures {
      let value = value.memberPath.flatMap { $0.count == 1 ? arguments[$0[0]] : nil } ?? value
      if label == "willMigrate" { stage.willMigrate = code(value, in: scope) }
      if label == "didMigrate" { stage.didMigrate = code(value, in: scope) }
    }
    return stage
  }

  /// A stage that a function makes: `makeStage(from: SchemaV1.self, to: SchemaV2.self)`.
  private func factory(
    _ call: FunctionCallExprSyntax, in scope: [String], depth: Int
  ) -> WrittenStage? {
    guard let path = call.calledExpression.memberPath, let name = path.last else { return nil }
    let owner =
      path.count == 1 ? scope : index.type(named: Array(path.dropLast()), in: scope)?.path
    guard let owner else { return nil }
    for member in index.members(of: owner) {
      guard let function = member.as(FunctionDeclSyntax.self), function.name.plain == name,
        let body = function.body, let value = versions.result(of: body.statements)
      else { continue }
      var arguments: [String: ExprSyntax] = [:]
      for (parameter, argument) in zip(
        function.signature.parameterClause.parameters, call.arguments)
      {
        let inner = parameter.secondName ?? parameter.firstName
        arguments[inner.plain] = argument.expression
      }
      return stage(value, in: owner, arguments, depth: depth + 1)
    }
    return nil
  }

  // MARK: Code

  private func code(_ value: ExprSyntax, in scope: [String]) -> StageCode? {
    if value.isNil { return nil }
    if let closure = value.as(ClosureExprSyntax.self) {
      guard !closure.statements.isEmpty else { return nil }
      return StageCode(
        context: context(closure.signature),
        lines: Self.lines(closure.statements, closure.rightBrace))
    }
    guard let path = value.memberPath, let name = path.last else { return nil }
    let owner =
      path.count == 1 ? scope : index.type(named: Array(path.dropLast()), in: scope)?.path
    // A function of the plan goes with the plan.
    for member in owner.map(index.members(of:)) ?? [] {
      guard let function = member.as(FunctionDeclSyntax.self), function.name.plain == name,
        let parameter = function.signature.parameterClause.parameters.first,
        let body = function.body
      else { continue }
      return StageCode(
        context: (parameter.secondName ?? parameter.firstName).plain,
        lines: Self.lines(body.statements, body.rightBrace))
    }
    return StageCode(context: "context", lines: ["try \(path.joined(separator: "."))(context)"])
  }

  private func context(_ signature: ClosureSignatureSyntax?) -> String {
    switch signature?.parameterClause {
    case .simpleInput(let names)?: names.first?.name.plain ?? "$0"
    case .parameterClause(let clause)?:
      (clause.parameters.first?.secondName ?? clause.parameters.first?.firstName)?.plain ?? "$0"
    case nil: "$0"
    }
  }

  /// The lines of a body, with what stands before its last brace.
  private static func lines(
    _ statements: CodeBlockItemListSyntax, _ end: TokenSyntax
  ) -> [String] {
    let text = statements.description + end.leadingTrivia.description
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map(String.init)
    while lines.first?.allSatisfy(\.isWhitespace) ?? false { lines.removeFirst() }
    while lines.last?.allSatisfy(\.isWhitespace) ?? false { lines.removeLast() }
    let indent =
      lines.filter { !$0.allSatisfy(\.isWhitespace) }
      .map { $0.prefix { $0 == " " || $0 == "\t" }.count }.min() ?? 0
    return lines.map { String($0.dropFirst(indent)) }
  }

  private mutating func report(_ message: String, _ node: some SyntaxProtocol) {
    findings.append(
      Diagnostic(
        .cannotAdopt, message, at: index.place(of: node),
        help: ["write it out where it stands, as Apple's documentation does"]))
  }
}
