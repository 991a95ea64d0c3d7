internal import SwiftSources
internal import SwiftSyntax

/// A variable that `willMigrate` writes and `didMigrate` of the same stage reads.
struct StashedVariable {
  var name: String
  var written: Place
  var read: Place
  var holdsModels: Bool

  /// Finds a variable once per stage, in the order of the first writes.
  static func find(in context: CheckContext) -> [StashedVariable] {
    let stages = Dictionary(grouping: context.migrations.bodies, by: \.stage)
    return stages.sorted { $0.key < $1.key }.flatMap { _, bodies in
      let will = bodies.filter { $0.side == .will }.flatMap(\.nodes)
      let did = bodies.filter { $0.side == .did }.flatMap(\.nodes)
      return will.isEmpty || did.isEmpty ? [] : find(will, did, context)
    }
  }

  private static func find(
    _ will: [Syntax], _ did: [Syntax], _ context: CheckContext
  ) -> [StashedVariable] {
    var variables: [StashedVariable] = []
    for node in will {
      let finder = Writes(node)
      for write in finder.found where !finder.locals.contains(write.name.plain) {
        let name = write.name.plain
        // A closure's `$0` is not a variable.
        guard !name.hasPrefix("$") else { continue }
        guard let read = did.lazy.compactMap({ Self.read(name, in: $0) }).first else { continue }
        let holdsModels =
          finder.isModel(write.value) || isModelType(of: name, context)
        if let index = variables.firstIndex(where: { $0.name == name }) {
          variables[index].holdsModels = variables[index].holdsModels || holdsModels
          continue
        }
        variables.append(
          StashedVariable(
            name: name, written: context.source.location(write.name.offsets),
            read: context.source.location(read.offsets), holdsModels: holdsModels))
      }
    }
    return variables
  }

  private static func read(_ name: String, in node: Syntax) -> TokenSyntax? {
    let finder = Writes(node)
    guard !finder.locals.contains(name) else { return nil }
    return finder.names.first { $0.plain == name }
  }

  private static func isModelType(of name: String, _ context: CheckContext) -> Bool {
    let names = context.versions.union(context.names.aliases.keys).union(context.names.active)
    return context.source.syntax.all(PatternBindingSyntax.self).contains { binding in
      guard binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.plain == name,
        let type = binding.typeAnnotation?.type
      else { return false }
      return !context.references(names, in: Syntax(type)).isEmpty
    }
  }
}

/// Finds the variables that code writes to, those that it declares, and those that hold rows.
private final class Writes: SyntaxVisitor {
  private(set) var found: [(name: TokenSyntax, value: ExprSyntax?)] = []
  private(set) var locals: Set<String> = []
  private(set) var names: [TokenSyntax] = []
  /// Local variables that hold fetched rows.
  private var models: Set<String> = []

  private static let adding: Set<String> = ["append", "insert", "updateValue", "merge", "set"]

  init(_ node: Syntax) {
    super.init(viewMode: .sourceAccurate)
    walk(node)
  }

  func isModel(_ value: ExprSyntax?) -> Bool {
    guard let value else { return false }
    if let name = value.as(DeclReferenceExprSyntax.self) {
      return models.contains(name.baseName.plain)
    }
    if let attempt = value.as(TryExprSyntax.self) { return isModel(attempt.expression) }
    if let call = value.as(FunctionCallExprSyntax.self) { return call.calledName == "fetch" }
    if let array = value.as(ArrayExprSyntax.self) {
      return array.elements.contains { isModel($0.expression) }
    }
    return false
  }

  override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
    let elements = Array(node.elements)
    guard elements.count > 2, let target = Self.variable(elements[0]) else {
      return .visitChildren
    }
    let isCompound = elements[1].as(BinaryOperatorExprSyntax.self)?.operator.text == "+="
    if elements[1].is(AssignmentExprSyntax.self) || isCompound {
      found.append((target, elements.count == 3 ? elements[2] : nil))
    }
    return .visitChildren
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    if let access = node.calledExpression.as(MemberAccessExprSyntax.self), let base = access.base,
      Self.adding.contains(access.declName.baseName.text), let target = Self.variable(base)
    {
      found.append((target, node.arguments.first?.expression))
    }
    return .visitChildren
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    if let access = node.parent?.as(MemberAccessExprSyntax.self), access.declName.id == node.id {
      guard Self.isSelfOrType(access.base) else { return .visitChildren }
    }
    names.append(node.baseName)
    return .visitChildren
  }

  override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
    declare(node.pattern, value: node.initializer?.value)
    return .visitChildren
  }

  override func visit(_ node: OptionalBindingConditionSyntax) -> SyntaxVisitorContinueKind {
    declare(node.pattern, value: node.initializer?.value)
    return .visitChildren
  }

  override func visit(_ node: ForStmtSyntax) -> SyntaxVisitorContinueKind {
    declare(node.pattern, value: node.sequence)
    return .visitChildren
  }

  override func visit(_ node: ClosureShorthandParameterSyntax) -> SyntaxVisitorContinueKind {
    locals.insert(node.name.plain)
    return .visitChildren
  }

  override func visit(_ node: ClosureParameterSyntax) -> SyntaxVisitorContinueKind {
    locals.insert((node.secondName ?? node.firstName).plain)
    return .visitChildren
  }

  private func declare(_ pattern: PatternSyntax, value: ExprSyntax?) {
    guard let name = pattern.as(IdentifierPatternSyntax.self)?.identifier.plain else { return }
    locals.insert(name)
    if isModel(value) { models.insert(name) }
  }

  /// The variable that an assignment changes: `stash` for `Self.stash[person.id]`.
  private static func variable(_ target: ExprSyntax) -> TokenSyntax? {
    if let name = target.as(DeclReferenceExprSyntax.self) { return name.baseName }
    if let element = target.as(SubscriptCallExprSyntax.self) {
      return variable(element.calledExpression)
    }
    if let chain = target.as(OptionalChainingExprSyntax.self) { return variable(chain.expression) }
    if let forced = target.as(ForceUnwrapExprSyntax.self) { return variable(forced.expression) }
    if let access = target.as(MemberAccessExprSyntax.self) {
      if isSelfOrType(access.base) { return access.declName.baseName }
      return access.base.flatMap(variable)
    }
    return nil
  }

  private static func isSelfOrType(_ base: ExprSyntax?) -> Bool {
    guard let name = base?.as(DeclReferenceExprSyntax.self)?.baseName.plain else { return false }
    return name == "self" || name.first?.isUppercase ?? false
  }
}
