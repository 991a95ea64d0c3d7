package import SwiftSyntax

/// Finds what names in expressions mean, across files: constants, computed properties, results of functions, and
/// parameters with their defaults and the arguments of calls.
///
/// Names are looked up as in Swift, by scopes and types, but without type inference. If a value's type is not
/// written, a member counts only if the files declare a single one with its name.
package final class Meanings {
  private struct Definition {
    var code: Syntax
    /// The enclosing type; nil for a global or a local name.
    var owner: String?
    /// The function, accessor or closure that the name is local to; nil for a global name or a member.
    var scope: SyntaxIdentifier?
    var type: String?
  }

  private var definitions: [String: [Definition]] = [:]
  private var calls: [String: [FunctionCallExprSyntax]] = [:]
  private let types: Set<String>
  private let aliases: [String: String]
  private let developments = Ancestors(\.isDevelopment)
  /// Names without a value in any file: capitalised names of types, and globals.
  package private(set) var unknown: Set<String> = []
  /// The beginnings of calls whose arguments decide a meaning: `Files.remove(`.
  package private(set) var asked: Set<String> = []

  /// Members of system types that code around stores often names without the type.
  private static let systemMembers: Set<String> = [
    "applicationSupportDirectory", "automatic", "default", "documentsDirectory", "identifier",
    "init", "none", "private", "userDomainMask",
  ]
  /// The largest number of pieces of code that are followed. Generated code may exceed it, handwritten code does not.
  private static let most = 300

  /// - Parameter isCounted: Whether the arguments of a call count as values of parameters.
  package init(_ sources: [SwiftSource], isCounted: (FunctionCallExprSyntax) -> Bool) {
    let reader = DefinitionReader(viewMode: .sourceAccurate)
    for source in sources {
      reader.walk(source.syntax)
      for call in source.syntax.all(FunctionCallExprSyntax.self) where isCounted(call) {
        guard let name = call.calledName else { continue }
        let isInit = ["init", "Self", "self"].contains(name)
        let type = isInit ? call.calledExpression.memberPath?.dropLast().last : name
        for name in [type, isInit ? Syntax(call).enclosingTypes.last : nil].compactMap(\.self) {
          calls[name, default: []].append(call)
        }
      }
    }
    types = reader.types
    aliases = Dictionary(grouping: reader.aliases, by: \.name).compactMapValues {
      $0.count == 1 ? $0[0].target : nil
    }
    for found in reader.found {
      definitions[found.name, default: []].append(
        Definition(code: found.code, owner: found.owner, scope: found.scope, type: found.type))
    }
    for parameter in reader.parameters {
      let calls = calls[parameter.function] ?? []
      let given = calls.compactMap { call in
        parameter.label.map { label in call.arguments.first { $0.label?.plain == label } }
          ?? call.arguments.dropFirst(parameter.position).first
      }.filter { $0.label?.plain == parameter.label }.map(\.expression)
      // The default counts if a call omits the argument, or if there are no known calls.
      let own = calls.filter { $0.mayCall(memberOf: parameter.owner) }
      let isDefault = own.isEmpty || given.count < own.count
      for value in given + (isDefault ? [parameter.fallback].compactMap(\.self) : []) {
        definitions[parameter.name, default: []].append(
          Definition(
            code: Syntax(value), owner: nil, scope: parameter.scope, type: parameter.type))
      }
    }
  }

  /// The code, followed by the meanings of all names in it, nearest first.
  package func code(of node: some SyntaxProtocol) -> [Syntax] {
    var reached = [Syntax(node)]
    var seen: Set<SyntaxIdentifier> = [node.id]
    var next = 0
    while next < reached.count, reached.count < Self.most {
      for name in reached[next].all(DeclReferenceExprSyntax.self) {
        ask(for: name)
        for definition in meaning(of: name) {
          reached += selected(definition.code, for: name).filter { seen.insert($0.id).inserted }
        }
      }
      next += 1
    }
    return reached
  }

  /// The values that an expression may have, one by one. It has several if it is a parameter of a function that is
  /// called several times, `$0` of a closure over a list, or `self` of a function that is called on several values.
  package func alternatives(of expression: ExprSyntax, depth: Int = 0) -> [ExprSyntax] {
    guard depth < 8, let name = expression.as(DeclReferenceExprSyntax.self) else {
      return [expression]
    }
    if name.baseName.text == "$0",
      let closure = sequence(first: Syntax(name), next: \.parent)
        .lazy.compactMap({ $0.as(ClosureExprSyntax.self) }).first,
      let call = closure.parent?.as(FunctionCallExprSyntax.self),
      let list = call.calledExpression.as(MemberAccessExprSyntax.self)?.base
    {
      let elements = list.as(ArrayExprSyntax.self)?.elements.map(\.expression)
      return (elements ?? [list]).flatMap { alternatives(of: $0, depth: depth + 1) }
    }
    ask(for: name)
    if name.baseName.text == "self", let function = Syntax(name).enclosingFunction {
      let values = (calls[function.name.plain] ?? []).compactMap { call in
        call.calledExpression.as(MemberAccessExprSyntax.self)?.base
      }.filter { $0.as(DeclReferenceExprSyntax.self)?.baseName.text != "self" }
      return values.isEmpty
        ? [expression] : values.flatMap { alternatives(of: $0, depth: depth + 1) }
    }
    let given = meaning(of: name).compactMap { $0.code.as(ExprSyntax.self) }
    guard given.count > 1 else { return [expression] }
    return given.flatMap { alternatives(of: $0, depth: depth + 1) }
  }

  func codes(of name: DeclReferenceExprSyntax) -> [Syntax] { meaning(of: name).map(\.code) }

  func isCase(_ name: String) -> Bool {
    definitions[name, default: []].contains {
      $0.code.parent?.is(EnumCaseElementSyntax.self) ?? false
        || $0.code.parent?.parent?.is(EnumCaseElementSyntax.self) ?? false
    }
  }

  package func isForDevelopment(_ node: Syntax) -> Bool { developments.value(around: node) == true }

  /// If the name is a parameter or `self`, records that calls of its function are needed.
  func ask(for name: DeclReferenceExprSyntax) {
    guard let function = Syntax(name).enclosingFunction, function.takes(name.baseName.text) else {
      return
    }
    let type = function.signature.parameterClause.parameters
      .first { ($0.secondName ?? $0.firstName).text == name.baseName.text }?.type.lastName
    if let type, type.first?.isUppercase == true, !types.contains(type) { unknown.insert(type) }
    let isStatic = function.modifiers.isStatic
    let owner = Syntax(function).enclosingTypes.last
    asked.insert((owner.map { isStatic ? "\($0)." : "." } ?? "") + "\(function.name.plain)(")
  }

  /// The branch of a ternary expression that constants select: `a` or `b` in `Features.sync ? a : b`. If the
  /// condition is not constant, the expression itself.
  package func chosen(_ expression: ExprSyntax) -> ExprSyntax {
    guard let parts = expression.as(SequenceExprSyntax.self)?.elements.map(\.self),
      parts.count == 3, let choice = parts[1].as(UnresolvedTernaryExprSyntax.self),
      let isTrue = truth(of: parts[0])
    else { return expression }
    return chosen(isTrue ? choice.thenExpression : parts[2])
  }

  private func truth(of condition: ExprSyntax) -> Bool? {
    if let not = condition.as(PrefixOperatorExprSyntax.self), not.operator.text == "!" {
      return truth(of: not.expression).map { !$0 }
    }
    let literals = code(of: condition).compactMap { $0.as(BooleanLiteralExprSyntax.self) }
    // Other code may set a variable to another value.
    let isConstant = literals.allSatisfy { literal in
      let binding = literal.parent?.as(InitializerClauseSyntax.self)?.parent?.parent?.parent
      return binding?.as(VariableDeclSyntax.self)?.bindingSpecifier.text != "var"
    }
    let values = Set(literals.map { ExprSyntax($0).isTrue })
    return isConstant && values.count == 1 ? values.first : nil
  }

  private func meaning(of node: DeclReferenceExprSyntax) -> [Definition] {
    let name = node.baseName.plain
    let all = definitions[name] ?? []
    guard let member = node.parent?.as(MemberAccessExprSyntax.self), member.declName.id == node.id
    else { return unqualified(name, all, node) }
    let around = Syntax(node).enclosingTypes
    let outside = all.filter { $0.scope == nil }
    switch member.base?.memberPath?.last ?? member.base?.as(FunctionCallExprSyntax.self)?.calledName
    {
    case "self", "Self": return Self.innermost(outside, around)
    case let written?:
      let base = aliases[written] ?? written
      if base != written, !types.contains(base) { unknown.insert(base) }
      let own = outside.filter { $0.owner == base }
      guard own.isEmpty, base.first?.isUppercase != true else { return own }
      fallthrough
    default:
      let given = member.base.map { initializers(of: $0) }?.compactMap { call in
        call.arguments.first { $0.label?.plain == name }
      }
      if let given, !given.isEmpty {
        return given.map {
          Definition(code: Syntax($0.expression), owner: nil, scope: nil, type: nil)
        }
      }
      // The member's base is a value, or the base's type is not written.
      let owned = outside.filter { $0.owner != nil }
      // A short name such as `.recipes` may be declared in an extension of a Foundation type.
      if owned.isEmpty, member.base == nil, !Self.systemMembers.contains(name) {
        unknown.insert(name)
      }
      if Set(owned.map(\.owner)).count == 1 { return owned }
      let types = member.base.map(types) ?? []
      return owned.filter { $0.owner.map(types.contains) ?? false }
    }
  }

  private func types(of value: ExprSyntax) -> Set<String> {
    let name =
      value.as(DeclReferenceExprSyntax.self) ?? value.as(MemberAccessExprSyntax.self)?.declName
    return Set(
      (name.map(meaning) ?? []).compactMap { definition in
        definition.type
          ?? definition.code.as(FunctionCallExprSyntax.self)?.calledName
          .flatMap { $0.first?.isUppercase == true ? $0 : nil }
      })
  }

  private func unqualified(
    _ name: String, _ all: [Definition], _ node: DeclReferenceExprSyntax
  ) -> [Definition] {
    if ["self", "Self"].contains(name) { return [] }
    var next = node.parent
    while let current = next {
      let own = all.filter { $0.scope == current.id }
      if !own.isEmpty { return own }
      next = current.parent
    }
    let outside = Self.innermost(all.filter { $0.scope == nil }, Syntax(node).enclosingTypes)
    if outside.isEmpty, !types.contains(name) { unknown.insert(name) }
    return outside
  }

  private static func innermost(_ all: [Definition], _ types: [String]) -> [Definition] {
    for type in types.reversed() {
      let own = all.filter { $0.owner == type }
      if !own.isEmpty { return own }
    }
    return all.filter { $0.owner == nil }
  }
}

private final class DefinitionReader: SyntaxVisitor {
  private(set) var found:
    [(name: String, code: Syntax, owner: String?, scope: SyntaxIdentifier?, type: String?)] = []
  /// The parameters of functions and initialisers. `owner` is the type that the function is a member of.
  private(set) var parameters:
    [(
      name: String, label: String?, position: Int, function: String, scope: SyntaxIdentifier,
      owner: String?, type: String, fallback: ExprSyntax?
    )] = []
  private(set) var types: Set<String> = []
  private(set) var aliases: [(name: String, target: String)] = []
  private let scopes = Ancestors { $0.isFunctionLike ? $0 : nil }

  private func add(
    _ name: String, _ code: some SyntaxProtocol, at node: some SyntaxProtocol, type: String? = nil
  ) {
    let scope = scopes.value(around: node)?.id
    let owner = scope == nil ? Syntax(node).enclosingTypes.last : nil
    found.append((name, Syntax(code), owner, scope, type))
  }

  override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
    guard let name = node.pattern.as(IdentifierPatternSyntax.self)?.identifier.plain else {
      return .visitChildren
    }
    let type = node.typeAnnotation?.type.lastName
    if let value = node.initializer?.value { add(name, value, at: node, type: type) }
    if let block = node.accessorBlock {
      for value in Syntax(block).results { add(name, value, at: node, type: type) }
    }
    return .visitChildren
  }

  override func visit(_ node: OptionalBindingConditionSyntax) -> SyntaxVisitorContinueKind {
    if let name = node.pattern.as(IdentifierPatternSyntax.self)?.identifier.plain,
      let value = node.initializer?.value
    {
      add(name, value, at: node)
    }
    return .visitChildren
  }

  override func visit(_ node: ForStmtSyntax) -> SyntaxVisitorContinueKind {
    // A condition selects unknown elements. If it only excludes some, the loop may still reach a store's element.
    let isOfSome = node.whereClause.map { clause in
      !clause.condition.tokens(viewMode: .sourceAccurate).contains {
        ["!=", "!"].contains($0.text)
      }
    }
    if let name = node.pattern.as(IdentifierPatternSyntax.self)?.identifier.plain,
      isOfSome != true
    {
      add(name, node.sequence, at: node)
    }
    return .visitChildren
  }

  override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
    let parts = Array(node.elements)
    guard parts.count > 2, parts[1].is(AssignmentExprSyntax.self),
      let path = parts[0].memberPath, let name = path.last
    else { return .visitChildren }
    for value in parts.dropFirst(2) {
      if path.count == 1 { add(name, value, at: node) }
      // Without `self.`, the name may be a local variable or a property.
      found.append((name, Syntax(value), Syntax(node).enclosingTypes.last, nil, nil))
    }
    return .visitChildren
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    // `url.append(path: "2")` changes the variable's value.
    if let member = node.calledExpression.as(MemberAccessExprSyntax.self),
      let name = member.base?.as(DeclReferenceExprSyntax.self)?.baseName.plain,
      Self.changes.contains(member.declName.baseName.plain)
    {
      add(name, node, at: node)
    }
    return .visitChildren
  }

  private static let changes: Set<String> = [
    "append", "appendPathComponent", "appendPathExtension", "deleteLastPathComponent",
    "deletePathExtension",
  ]

  override func visit(_ node: EnumCaseElementSyntax) -> SyntaxVisitorContinueKind {
    add(
      node.name.plain, node.rawValue.map { Syntax($0.value) } ?? Syntax(node.name), at: node)
    return .visitChildren
  }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    if let body = node.body {
      for value in Syntax(body).results { add(node.name.plain, value, at: node) }
    }
    add(node.signature.parameterClause, of: node.name.plain, in: node.id)
    return .visitChildren
  }

  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    if let type = Syntax(node).enclosingTypes.last {
      add(node.signature.parameterClause, of: type, in: node.id)
    }
    return .visitChildren
  }

  private func add(
    _ clause: FunctionParameterClauseSyntax, of function: String, in scope: SyntaxIdentifier
  ) {
    let owner = Syntax(clause).enclosingTypes.last
    for (position, parameter) in clause.parameters.enumerated() {
      let name = (parameter.secondName ?? parameter.firstName).plain
      let label = parameter.firstName.text == "_" ? nil : parameter.firstName.plain
      parameters.append(
        (
          name, label, position, function, scope, owner, parameter.type.lastName,
          parameter.defaultValue?.value
        ))
    }
  }

  private func add(_ node: some NamedDeclSyntax) -> SyntaxVisitorContinueKind {
    types.insert(node.name.plain)
    return .visitChildren
  }
  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }
  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }
  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }
  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }
  override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
    aliases.append((node.name.plain, node.initializer.value.lastName))
    return add(node)
  }
}

extension FunctionCallExprSyntax {
  /// Whether a call with a function's name may call the function of the given type. A call on another type does not.
  fileprivate func mayCall(memberOf owner: String?) -> Bool {
    guard let path = calledExpression.memberPath else { return true }
    guard let owner else { return path.count == 1 }
    let isInit = ["init", "Self", "self", owner].contains(path.last)
    guard path.count > 1 else { return isInit || Syntax(self).enclosingTypes.contains(owner) }
    let base = path[path.count - 2]
    return isInit || base == owner || base.first?.isUppercase != true || base == "Self"
  }
}

extension FunctionDeclSyntax {
  fileprivate func takes(_ name: String) -> Bool {
    name == "self"
      || signature.parameterClause.parameters.contains {
        ($0.secondName ?? $0.firstName).text == name
      }
  }
}

extension Syntax {
  package var enclosingFunction: FunctionDeclSyntax? {
    sequence(first: self, next: \.parent).dropFirst().lazy
      .compactMap { $0.as(FunctionDeclSyntax.self) }.first
  }

  package var isFunctionLike: Bool {
    switch kind {
    case .functionDecl, .initializerDecl, .accessorDecl, .accessorBlock, .closureExpr: true
    default: false
    }
  }

  /// The values of the `return` statements in a body, or its only expression.
  fileprivate var results: [Syntax] {
    var returned: [Syntax] = []
    var open = [self]
    while let node = open.popLast() {
      if let value = node.as(ReturnStmtSyntax.self)?.expression { returned.append(Syntax(value)) }
      open += node.children(viewMode: .sourceAccurate).reversed().filter { child in
        !child.is(ClosureExprSyntax.self) && child.asProtocol((any DeclGroupSyntax).self) == nil
          && !child.is(FunctionDeclSyntax.self)
      }
    }
    if !returned.isEmpty { return returned }
    return all(CodeBlockItemListSyntax.self).first.flatMap { items in
      guard items.count == 1, let item = items.first?.item else { return nil }
      return [item.as(ExpressionStmtSyntax.self).map { Syntax($0.expression) } ?? Syntax(item)]
    } ?? []
  }
}
