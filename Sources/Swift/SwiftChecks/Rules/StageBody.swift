internal import SwiftSources
internal import SwiftSyntax

/// The code that runs on one side of a custom stage: a closure, or a function given instead, with all functions of
/// the same file that the code calls.
struct StageBody {
  enum Side {
    case will, did

    var label: String { self == .will ? "willMigrate" : "didMigrate" }
  }

  var side: Side
  /// The names of the schemas whose types this side can use; empty if unknown.
  var own: Set<String>
  var other: Set<String>
  var nodes: [Syntax]
  /// The number of the stage. Both sides of a stage have the same.
  var stage: Int

  var schema: String? { own.count == 1 ? own.first : nil }
}

/// The code of a file that belongs to migrations.
struct Migrations {
  private(set) var bodies: [StageBody] = []
  /// Calls of `.custom` and `.lightweight`, in UTF-8 units.
  private(set) var stages: [Range<Int>] = []
  /// Declarations and extensions of versions, of their members, and of plans, in UTF-8 units.
  private(set) var declarations: [Range<Int>] = []

  private let functions: LocalFunctions
  private var count = 0
  private(set) var ranges: [Range<Int>] = []
  private var merged = MergedRanges([])

  init(_ source: SwiftSource, names: VersionNames, facts: TreeFacts, isUserFile: Bool) {
    let finder = MigrationFinder(source, names: names, facts: facts)
    functions = LocalFunctions(source)
    declarations = finder.declarations.map(\.offsets)
    for call in finder.stages {
      stages.append(Syntax(call).offsets)
      add(call)
    }
    if isUserFile { addUserFunctions(names) }
    ranges = stages + declarations + bodies.flatMap { $0.nodes.map(\.offsets) }
    merged = MergedRanges(ranges)
  }

  func contains(_ offset: Int) -> Bool { merged.contains(offset) }

  // MARK: Stages

  private mutating func add(_ call: FunctionCallExprSyntax) {
    count += 1
    var from: String?
    var to: String?
    var sides: [(StageBody.Side, ExprSyntax)] = []
    for argument in call.arguments {
      switch argument.label?.plain {
      case "fromVersion": from = Self.version(argument.expression)
      case "toVersion": to = Self.version(argument.expression)
      case "willMigrate": sides.append((.will, argument.expression))
      case "didMigrate": sides.append((.did, argument.expression))
      default: break
      }
    }
    if let trailing = call.trailingClosure {
      // A closure without a label belongs to the first parameter without an argument.
      sides.append((sides.contains { $0.0 == .will } ? .did : .will, ExprSyntax(trailing)))
    }
    for closure in call.additionalTrailingClosures {
      sides.append(
        (closure.label.plain == "didMigrate" ? .did : .will, ExprSyntax(closure.closure)))
    }
    for (side, expression) in sides {
      let nodes = nodes(from: functions.bodies(ofStageArgument: expression))
      guard !nodes.isEmpty else { continue }
      let old = Set([from].compactMap { $0 })
      let new = Set([to].compactMap { $0 })
      bodies.append(
        StageBody(
          side: side, own: side == .will ? old : new, other: side == .will ? new : old,
          nodes: nodes, stage: count))
    }
  }

  /// The code that a side can reach. A closure inside other reached code is not listed separately.
  private func nodes(from bodies: [Syntax]) -> [Syntax] {
    let reached = functions.reachable(from: bodies)
    let ids = Set(reached.map(\.id))
    let around = Ancestors { ids.contains($0.id) ? true : nil }
    return reached.filter { around.value(around: $0) == nil }
  }

  /// Adds `before` and `after`, which the generated plan calls, from the enum of each step.
  private mutating func addUserFunctions(_ names: VersionNames) {
    for (name, step) in names.userSteps.sorted(by: { $0.key < $1.key }) {
      count += 1
      for (function, side) in [("before", StageBody.Side.will), ("after", .did)] {
        let nodes = nodes(from: functions.bodies(named: function, in: name))
        guard !nodes.isEmpty else { continue }
        bodies.append(
          StageBody(
            side: side, own: side == .will ? step.before : [step.after],
            other: side == .will ? [step.after] : step.before, nodes: nodes, stage: count))
      }
    }
  }

  private static func version(_ expression: ExprSyntax) -> String? {
    guard let access = expression.as(MemberAccessExprSyntax.self),
      access.declName.baseName.text == "self"
    else { return nil }
    if let name = access.base?.as(DeclReferenceExprSyntax.self) { return name.baseName.plain }
    return access.base?.as(MemberAccessExprSyntax.self)?.declName.baseName.plain
  }
}

/// Finds calls that create stages, and declarations of versions and plans.
private final class MigrationFinder: TypeVisitor {
  private(set) var stages: [FunctionCallExprSyntax] = []
  private(set) var declarations: [Syntax] = []
  private let names: VersionNames
  private let facts: TreeFacts

  init(_ source: SwiftSource, names: VersionNames, facts: TreeFacts) {
    self.names = names
    self.facts = facts
    super.init(viewMode: .sourceAccurate)
    walk(source.syntax)
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    if let access = node.calledExpression.as(MemberAccessExprSyntax.self),
      ["custom", "lightweight"].contains(access.declName.baseName.text),
      node.arguments.contains(where: { $0.label?.text == "fromVersion" })
    {
      stages.append(node)
    }
    return .visitChildren
  }

  override func enter(_ node: any DeclGroupSyntax, _ name: TokenSyntax?) {
    let extended = (node as? ExtensionDeclSyntax)?.extendedType
    let isExtended = extended.map(isVersionOrPlan) ?? false
    if isExtended || node.inheritanceClause.names("VersionedSchema")
      || node.inheritanceClause.names("SchemaMigrationPlan")
    {
      declarations.append(Syntax(node))
    }
  }

  private func isVersionOrPlan(_ type: TypeSyntax) -> Bool {
    if let member = type.as(MemberTypeSyntax.self), isVersionOrPlan(member.baseType) { return true }
    let name = type.lastName
    return names.versioned.contains(name) || facts.versions[name] != nil
      || facts.plans.contains(name) || names.folders.contains { $0.plan == name }
  }
}

/// The functions of a file, and its variables that hold a closure.
struct LocalFunctions {
  private struct Function {
    /// The innermost enclosing type; nil at top level.
    var type: String?
    var body: Syntax
  }

  private var functions: [String: [Function]] = [:]
  private var types: Set<String> = []

  init(_ source: SwiftSource) {
    for declaration in source.syntax.all(DeclSyntax.self) {
      if let function = declaration.as(FunctionDeclSyntax.self), let body = function.body {
        add(function.name.plain, Syntax(body))
      }
      for binding in declaration.as(VariableDeclSyntax.self)?.bindings ?? [] {
        guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.plain else {
          continue
        }
        if let closure = binding.initializer?.value.as(ClosureExprSyntax.self) {
          add(name, Syntax(closure))
        } else if let block = binding.accessorBlock {
          add(name, Syntax(block))
        }
      }
    }
  }

  private mutating func add(_ name: String, _ body: Syntax) {
    let type = body.enclosingTypes.last
    functions[name, default: []].append(Function(type: type, body: body))
    if let type { types.insert(type) }
  }

  /// The bodies of a stage's argument. If the function's type is unknown, all functions of the file with its name
  /// count.
  func bodies(ofStageArgument expression: ExprSyntax) -> [Syntax] {
    let found = bodies(of: expression)
    guard found.isEmpty, let access = expression.as(MemberAccessExprSyntax.self) else {
      return found
    }
    return bodies(named: access.declName.baseName.plain, in: nil)
  }

  /// The bodies of a closure, of a named function, or of a called function that returns a closure.
  func bodies(of expression: ExprSyntax) -> [Syntax] {
    if let closure = expression.as(ClosureExprSyntax.self) { return [Syntax(closure)] }
    if let call = expression.as(FunctionCallExprSyntax.self) {
      return bodies(of: call.calledExpression)
    }
    if let tuple = expression.as(TupleExprSyntax.self), let only = tuple.elements.first,
      tuple.elements.count == 1
    {
      return bodies(of: only.expression)
    }
    if let name = expression.as(DeclReferenceExprSyntax.self) {
      return bodies(named: name.baseName.plain, in: nil)
    }
    guard let access = expression.as(MemberAccessExprSyntax.self) else { return [] }
    let name = access.declName.baseName.plain
    guard let base = access.base?.as(DeclReferenceExprSyntax.self)?.baseName.plain else {
      return access.base == nil ? bodies(named: name, in: nil) : []
    }
    if base == "self" || base == "Self" { return bodies(named: name, in: nil) }
    return types.contains(base) ? bodies(named: name, in: base) : []
  }

  func bodies(named name: String, in type: String?) -> [Syntax] {
    (functions[name] ?? []).filter { type == nil || $0.type == type }.map(\.body)
  }

  /// The code itself and the bodies of all functions of the file that it calls, directly or not, in the order of the
  /// file.
  func reachable(
    from code: [Syntax], where isCounted: (FunctionCallExprSyntax) -> Bool = { _ in true }
  ) -> [Syntax] {
    var reached: [Syntax] = []
    var seen: Set<SyntaxIdentifier> = []
    var names: Set<[String]> = []
    let calls = CallsOnce(viewMode: .sourceAccurate)
    var open = code
    while let node = open.popLast() {
      guard seen.insert(node.id).inserted else { continue }
      reached.append(node)
      for call in calls.find(in: node) where isCounted(call) {
        // There may be thousands of calls, and thousands of functions with the same name.
        if let path = call.calledExpression.memberPath, !names.insert(path).inserted { continue }
        // In `f()()`, the inner call is found separately.
        guard !call.calledExpression.is(FunctionCallExprSyntax.self) else { continue }
        open += bodies(of: call.calledExpression)
      }
    }
    return reached.sorted { $0.position < $1.position }
  }
}

/// Finds each call once, even if pieces of code overlap.
private final class CallsOnce: SyntaxVisitor {
  private var seen: Set<SyntaxIdentifier> = []
  private var found: [FunctionCallExprSyntax] = []

  func find(in node: Syntax) -> [FunctionCallExprSyntax] {
    found = []
    walk(node)
    return found
  }

  override func visit(_ node: CodeBlockItemListSyntax) -> SyntaxVisitorContinueKind {
    seen.insert(node.id).inserted ? .visitChildren : .skipChildren
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    if seen.insert(node.id).inserted { found.append(node) }
    return .visitChildren
  }
}

extension SyntaxProtocol {
  /// The range without surrounding trivia, in UTF-8 units from the file's start.
  var offsets: Range<Int> {
    positionAfterSkippingLeadingTrivia
      .utf8Offset..<max(
        positionAfterSkippingLeadingTrivia.utf8Offset, endPositionBeforeTrailingTrivia.utf8Offset)
  }
}
