internal import SchemaLint
internal import SchemaModel
internal import SchemaWorkspace
package import SwiftSources
internal import SwiftSyntax

/// A hand-written type that conforms to SchemaMigrationPlan.
package struct WrittenPlan {
  package var type: DeclaredType
  package var versions: [String] = []
  var stages: [WrittenStage] = []
}

struct WrittenStage {
  var from: String
  var to: String
  var isCustom: Bool
  var willMigrate: StageCode?
  var didMigrate: StageCode?
  var place: Place
}

struct StageCode {
  var context: String
  var lines: [String]
  var scope: [String] = []
  /// The code's body in its file; nil for a call of a function that the app keeps.
  var body: Syntax?
  /// Declarations that the code captures from the enclosing function: constants, functions, and parameters, which become constants.
  var captured: [String] = []
  /// Variables captured from the enclosing function, which nothing can replace.
  var variables: [String] = []
}

/// Reads the types that conform to SchemaMigrationPlan.
package struct PlanReader {
  let index: SourceIndex
  let versions: VersionReader
  private(set) var findings: [Diagnostic] = []
  package private(set) var missing: Set<String> = []

  package init(_ index: SourceIndex, _ versions: VersionReader) {
    self.index = index
    self.versions = versions
  }

  package mutating func plans() -> [WrittenPlan] {
    var plans: [WrittenPlan] = []
    for type in index.types where type.kind != .extension {
      guard index.conforms(type.path, to: "SchemaMigrationPlan") else { continue }
      var plan = WrittenPlan(type: type)
      if let value = versions.staticValue("schemas", of: type.path) {
        plan.versions = types(value, in: type.path)
      }
      if let value = versions.staticValue("stages", of: type.path) {
        plan.stages = stages(value, in: type.path)
      } else {
        report("the stages of '\(type.name)' cannot be read", at: type.place)
      }
      plans.append(plan)
    }
    return plans
  }

  private mutating func types(_ value: ExprSyntax, in scope: [String]) -> [String] {
    elements(value, in: scope).compactMap { element in
      if let name = version(element.value, in: element.scope) { return name }
      report("no file declares the version '\(element.value.oneLine)'", element.value)
      return nil
    }
  }

  /// The version that an expression means: `SchemaV2.self`, or a constant with that value.
  private func version(
    _ value: ExprSyntax, in scope: [String], _ arguments: Arguments = [:], depth: Int = 0
  ) -> String? {
    guard depth < 8 else { return nil }
    if let sequence = value.as(SequenceExprSyntax.self), let first = sequence.elements.first,
      sequence.elements.dropFirst().first?.is(UnresolvedAsExprSyntax.self) ?? false
    {
      return version(first, in: scope, arguments, depth: depth + 1)
    }
    guard let path = value.memberPath, let name = path.last else { return nil }
    let owner = Array(path.dropLast())
    if name == "self" { return index.type(named: owner, in: scope)?.fullName }
    if owner.isEmpty, let argument = arguments[name] {
      return version(argument.value, in: argument.scope, depth: depth + 1)
    }
    return versions.value(behind: value, in: scope).flatMap {
      version($0.value, in: $0.scope, depth: depth + 1)
    }
  }

  private mutating func elements(_ value: ExprSyntax, in scope: [String]) -> [Argument] {
    versions.parts(of: value, in: scope).compactMap { part in
      switch part {
      case .element(let element, let scope): return (element, scope)
      case .other(let node, _):
        report("the list '\(node.oneLine)' cannot be read", node)
        return nil
      }
    }
  }

  private mutating func stages(_ value: ExprSyntax, in scope: [String]) -> [WrittenStage] {
    elements(value, in: scope).compactMap { element in
      if let stage = stage(element.value, in: element.scope, [:]) { return stage }
      report(
        "the stage '\(String(element.value.oneLine.prefix(60)))' cannot be read", element.value)
      return nil
    }
  }

  private func stage(
    _ value: ExprSyntax, in scope: [String], _ arguments: Arguments, depth: Int = 0
  ) -> WrittenStage? {
    guard depth < 8 else { return nil }
    if let call = value.as(FunctionCallExprSyntax.self) {
      if let name = call.calledExpression.memberName, ["lightweight", "custom"].contains(name),
        let stage = stage(call, isCustom: name == "custom", in: scope, arguments)
      {
        return stage
      }
      // `{ … return .custom(…) }()`
      if call.arguments.isEmpty, let closure = call.calledExpression.as(ClosureExprSyntax.self) {
        return versions.result(of: closure.statements)
          .flatMap { stage($0, in: scope, arguments, depth: depth + 1) }
      }
      return factory(call, in: scope, depth: depth)
    }
    // `.fill`, declared in an extension of MigrationStage.
    if let member = value.as(MemberAccessExprSyntax.self),
      member.base == nil || member.base?.memberPath == Self.stageType,
      let inner = versions.staticValue(member.declName.baseName.plain, of: Self.stageType)
    {
      return stage(inner, in: Self.stageType, [:], depth: depth + 1)
    }
    return versions.value(behind: value, in: scope).flatMap {
      stage($0.value, in: $0.scope, [:], depth: depth + 1)
    }
  }

  private func stage(
    _ call: FunctionCallExprSyntax, isCustom: Bool, in scope: [String],
    _ arguments: Arguments
  ) -> WrittenStage? {
    func version(_ label: String) -> String? {
      call.arguments.first { $0.label?.text == label }
        .flatMap { self.version($0.expression, in: scope, arguments) }
    }
    guard let from = version("fromVersion"), let to = version("toVersion") else { return nil }
    var stage = WrittenStage(
      from: from, to: to, isCustom: isCustom, place: index.place(of: call.calledExpression))
    var closures: [(String, ExprSyntax)] = call.arguments.compactMap { argument in
      argument.label.map { ($0.text, argument.expression) }
    }
    // A trailing closure has no label. It is `willMigrate`, unless the call has that argument already.
    if let trailing = call.trailingClosure {
      let isWill = !closures.contains { $0.0 == "willMigrate" }
      closures.append((isWill ? "willMigrate" : "didMigrate", ExprSyntax(trailing)))
    }
    for closure in call.additionalTrailingClosures {
      closures.append((closure.label.text, ExprSyntax(closure.closure)))
    }
    for (label, value) in closures {
      let argument = value.memberPath.flatMap { $0.count == 1 ? arguments[$0[0]] : nil }
      let found =
        argument.map { code($0.value, in: $0.scope, [:]) } ?? code(value, in: scope, arguments)
      if label == "willMigrate" { stage.willMigrate = found }
      if label == "didMigrate" { stage.didMigrate = found }
    }
    return stage
  }

  private static let stageType = ["MigrationStage"]

  private typealias Argument = VersionReader.Value

  private typealias Arguments = [String: Argument]

  /// A stage that a function makes: `makeStage(from: SchemaV1.self, to: SchemaV2.self)`.
  private func factory(
    _ call: FunctionCallExprSyntax, in scope: [String], depth: Int
  ) -> WrittenStage? {
    guard let (owner, name) = owner(of: call.calledExpression, in: scope) else { return nil }
    for member in index.members(of: owner) {
      guard let function = member.as(FunctionDeclSyntax.self), function.name.plain == name,
        let arguments = arguments(of: call, in: scope, to: function, of: owner),
        let body = function.body,
        let value = versions.result(of: body.statements)
      else { continue }
      return stage(value, in: owner, arguments, depth: depth + 1)
    }
    return nil
  }

  private func owner(of called: ExprSyntax, in scope: [String]) -> ([String], String)? {
    if let member = called.as(MemberAccessExprSyntax.self), member.base == nil {
      return (Self.stageType, member.declName.baseName.plain)
    }
    guard let path = called.memberPath, let name = path.last else { return nil }
    let outer = Array(path.dropLast())
    if outer.isEmpty { return (scope, name) }
    if outer == Self.stageType { return (outer, name) }
    return index.type(named: outer, in: scope).map { ($0.path, name) }
  }

  /// The arguments for a function's parameters in a call; nil if the call means another function.
  private func arguments(
    of call: FunctionCallExprSyntax, in scope: [String], to function: FunctionDeclSyntax,
    of owner: [String]
  ) -> Arguments? {
    var given = Array(call.arguments)[...]
    var closures = [call.trailingClosure].compactMap { $0 }
    closures += call.additionalTrailingClosures.map(\.closure)
    var arguments: Arguments = [:]
    for parameter in function.signature.parameterClause.parameters {
      let inner = (parameter.secondName ?? parameter.firstName).plain
      let label = parameter.firstName.text == "_" ? nil : parameter.firstName.plain
      if let first = given.first, first.label?.plain == label {
        arguments[inner] = (first.expression, scope)
        given.removeFirst()
      } else if given.isEmpty, !closures.isEmpty, parameter.type.isFunction {
        arguments[inner] = (ExprSyntax(closures.removeFirst()), scope)
      } else if let value = parameter.defaultValue?.value {
        arguments[inner] = (value, owner)
      } else {
        return nil
      }
    }
    return given.isEmpty && closures.isEmpty ? arguments : nil
  }

  // MARK: Code

  private func code(
    _ value: ExprSyntax, in scope: [String], _ arguments: Arguments
  ) -> StageCode? {
    if value.isNil { return nil }
    if let closure = value.as(ClosureExprSyntax.self) {
      guard !closure.statements.isEmpty else { return nil }
      var code = StageCode(
        context: context(closure.signature),
        lines: Self.lines(closure.statements, closure.rightBrace), scope: scope,
        body: Syntax(closure.statements))
      capture(closure, arguments, &code)
      return code
    }
    guard let path = value.memberPath, let name = path.last else { return nil }
    let owner =
      path.count == 1 ? scope : index.type(named: Array(path.dropLast()), in: scope)?.path
    // A function in the plan is removed with the plan, so its body moves.
    for member in owner.map(index.members(of:)) ?? [] {
      guard let function = member.as(FunctionDeclSyntax.self), function.name.plain == name,
        let parameter = function.signature.parameterClause.parameters.first,
        let body = function.body
      else { continue }
      return StageCode(
        context: (parameter.secondName ?? parameter.firstName).plain,
        lines: Self.lines(body.statements, body.rightBrace), scope: owner ?? scope,
        body: Syntax(body.statements))
    }
    return StageCode(context: "context", lines: ["try \(path.joined(separator: "."))(context)"])
  }

  private func capture(
    _ closure: ClosureExprSyntax, _ arguments: Arguments, _ code: inout StageCode
  ) {
    var names = UsedNames.find(in: closure).values
    var parent = closure.parent
    while let current = parent, !current.is(MemberBlockItemSyntax.self) {
      if let list = current.as(CodeBlockItemListSyntax.self),
        !(list.parent?.is(SourceFileSyntax.self) ?? true)
      {
        // Go backwards, since a later declaration may use an earlier one.
        for item in list.reversed() {
          guard case .decl(let declaration) = item.item else { continue }
          let declared = declaration.declaredNames
          guard !names.isDisjoint(with: declared), !declaration.contains(closure) else { continue }
          if let variable = declaration.as(VariableDeclSyntax.self),
            variable.bindingSpecifier.tokenKind == .keyword(.var)
          {
            code.variables += declared
          } else {
            code.captured.insert(declaration.trimmedDescription, at: 0)
            names.formUnion(UsedNames.find(in: declaration).values)
          }
        }
      } else if let function = current.as(FunctionDeclSyntax.self) {
        for parameter in function.signature.parameterClause.parameters.reversed() {
          let name = (parameter.secondName ?? parameter.firstName).plain
          guard names.contains(name), let value = arguments[name] else { continue }
          code.captured.insert(
            "let \(name): \(parameter.type.withoutEscaping) = \(value.value.oneLine)", at: 0)
        }
        let generics = function.genericParameterClause?.parameters.map(\.name.plain) ?? []
        code.variables += generics.filter(names.contains)
      }
      parent = current.parent
    }
  }

  private func context(_ signature: ClosureSignatureSyntax?) -> String {
    switch signature?.parameterClause {
    case .simpleInput(let names)?: names.first?.name.plain ?? "$0"
    case .parameterClause(let clause)?:
      (clause.parameters.first?.secondName ?? clause.parameters.first?.firstName)?.plain ?? "$0"
    case nil: "$0"
    }
  }

  private static func lines(
    _ statements: CodeBlockItemListSyntax, _ end: TokenSyntax
  ) -> [String] {
    (statements.description + end.leadingTrivia.description).dedentedLines
  }

  private mutating func report(_ message: String, _ node: some SyntaxProtocol) {
    missing.formUnion(index.unknownNames(in: node, []))
    report(message, at: index.place(of: node))
  }

  private mutating func report(_ message: String, at place: Place) {
    findings.append(
      Diagnostic(
        .cannotAdopt, message, at: place,
        help: ["write the list or the stage out in place, as Apple's documentation does"]))
  }
}

extension TypeSyntax {
  fileprivate var isFunction: Bool {
    if let type = self.as(AttributedTypeSyntax.self) { return type.baseType.isFunction }
    if let type = self.as(OptionalTypeSyntax.self) { return type.wrappedType.isFunction }
    if let type = self.as(TupleTypeSyntax.self), type.elements.count == 1 {
      return type.elements.first!.type.isFunction
    }
    return self.is(FunctionTypeSyntax.self)
  }

  /// The type for a constant, since only a parameter can be `@escaping`.
  fileprivate var withoutEscaping: String {
    trimmedDescription.replacing("@escaping ", with: "")
  }
}

extension SyntaxProtocol {
  fileprivate func contains(_ node: some SyntaxProtocol) -> Bool {
    node.position >= position && node.endPosition <= endPosition
  }
}
