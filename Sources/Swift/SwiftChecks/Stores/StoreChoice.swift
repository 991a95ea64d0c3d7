internal import SchemaModel
internal import SwiftSources
internal import SwiftSyntax

/// A name in a condition that decides which store the app opens.
struct StoreChoice {
  var name: String
  var condition: String
  /// The literals that the name may mean.
  var values: Set<String>
  var place: Place

  static func all(of calls: [FunctionCallExprSyntax], _ code: CountedCode) -> [StoreChoice] {
    var seen: Set<SyntaxIdentifier> = []
    var all: [StoreChoice] = []
    for call in calls {
      for node in code.meanings.code(of: call).flatMap(\.deciding)
      where seen.insert(node.id).inserted {
        let conditions = node.conditions
        guard !conditions.isEmpty,
          let source = code.sources.first(where: { $0.syntax.id == node.root.id })
        else { continue }
        let text = conditions.flatMap { $0.tokens(viewMode: .sourceAccurate) }.map(\.text)
          .joined(separator: " ")
        for name in conditions.flatMap({ $0.all(DeclReferenceExprSyntax.self) }) {
          let values = code.meanings.code(of: name).filter(\.isLiteral).map(\.trimmedDescription)
          guard !values.isEmpty else { continue }
          all.append(
            StoreChoice(
              name: name.wholePath, condition: text, values: Set(values),
              place: source.location(of: name.baseName)))
        }
      }
    }
    return all
  }
}

extension StoreOpenings {
  /// Reports constants that decide which store the app opens, if their value differs from that in the base's code.
  func choices(since base: StoreOpenings, _ name: String) -> [Diagnostic] {
    func key(_ choice: StoreChoice) -> [String] { [choice.name, choice.condition] }
    let before = Dictionary(grouping: base.choices, by: key)
    var told: Set<String> = []
    return choices.compactMap { choice in
      // If the old value also still occurs, it is unknown which value users get.
      guard let old = before[key(choice)]?.map(\.values).reduce(Set(), { $0.union($1) }),
        old.isDisjoint(with: choice.values), told.insert(choice.name).inserted
      else { return nil }
      func list(_ values: Set<String>) -> String {
        values.sorted().map { "'\($0)'" }.enumeration
      }
      return .changed(
        "'\(choice.name)' decides which store the app opens: it is \(list(choice.values)), and in \(name) it is \(list(old)): an update may show an empty store, and the rows stay where they are",
        choice.name, choice.place,
        "leave it at \(list(old)), or let the app move the files before a container is made")
    }
  }
}

extension DeclReferenceExprSyntax {
  fileprivate var wholePath: String {
    guard let member = parent?.as(MemberAccessExprSyntax.self), member.declName.id == id else {
      return baseName.plain
    }
    return ExprSyntax(member).memberPath?.joined(separator: ".") ?? baseName.plain
  }
}

extension Syntax {
  /// Nodes in, around and before this code that may decide what runs. Some of them have no condition.
  fileprivate var deciding: [Syntax] {
    var found = all(SequenceExprSyntax.self).map { Syntax($0) }
    found += all(IfExprSyntax.self).map { Syntax($0) }
    found += all(SwitchExprSyntax.self).map { Syntax($0) }
    var next = parent
    while let node = next, !node.isFunctionLike {
      found.append(node)
      next = node.parent
    }
    // Code after a branch that returns only runs if the branch does not.
    if let function = next {
      let branches =
        function.all(GuardStmtSyntax.self).map { Syntax($0) }
        + function.all(IfExprSyntax.self).map { Syntax($0) }
      found += branches.filter { branch in
        branch.all(ReturnStmtSyntax.self).contains { $0.expression != nil }
      }
    }
    return found
  }

  fileprivate var conditions: [Syntax] {
    switch self.as(SyntaxEnum.self) {
    case .ifExpr(let node): return [Syntax(node.conditions)]
    case .guardStmt(let node): return [Syntax(node.conditions)]
    case .switchExpr(let node): return [Syntax(node.subject)]
    case .sequenceExpr(let node):
      let parts = Array(node.elements)
      guard let end = parts.lastIndex(where: { $0.is(UnresolvedTernaryExprSyntax.self) }) else {
        return []
      }
      let start = parts[..<end].lastIndex { $0.is(AssignmentExprSyntax.self) }.map { $0 + 1 }
      return parts[(start ?? 0)..<end].filter { !$0.is(UnresolvedTernaryExprSyntax.self) }
        .map { Syntax($0) }
    default: return []
    }
  }

  fileprivate var isLiteral: Bool {
    [
      .booleanLiteralExpr, .floatLiteralExpr, .integerLiteralExpr, .nilLiteralExpr,
      .stringLiteralExpr,
    ].contains(kind)
  }
}
