internal import SwiftSyntax

/// What the names of a file stand for, as far as a value is written in it: variables, what is assigned to them, bindings
/// of conditions, loops.
final class FileValues: SyntaxVisitor {
  private var found: [String: [(scope: SyntaxIdentifier?, value: ExprSyntax)]] = [:]

  init(_ source: SwiftSource) {
    super.init(viewMode: .sourceAccurate)
    walk(source.syntax)
  }

  /// The values that a name has where it stands: those of the same function, or else those of the file.
  func values(of name: String, from node: some SyntaxProtocol) -> [ExprSyntax] {
    let all = found[name] ?? []
    let scope = Syntax(node).scope?.id
    let own = all.filter { $0.scope == scope }
    return (own.isEmpty ? all.filter { $0.scope == nil || all.count == 1 } : own).map(\.value)
  }

  /// An expression and all that the names in it stand for.
  func expanded(_ expression: ExprSyntax, depth: Int = 0) -> [ExprSyntax] {
    guard depth < 5 else { return [expression] }
    let names = Set(
      expression.tokens(viewMode: .sourceAccurate).compactMap { token in
        token.parent?.as(DeclReferenceExprSyntax.self).map { $0.baseName.plain }
      })
    let inner = names.sorted().flatMap { values(of: $0, from: expression) }
      .filter { $0.id != expression.id }
    return [expression] + inner.flatMap { expanded($0, depth: depth + 1) }
  }

  /// The words of which the names and texts of an expression are made, and of all that it stands for.
  func words(of expression: ExprSyntax) -> Set<String> {
    expanded(expression).reduce(into: []) { words, part in
      for token in part.tokens(viewMode: .sourceAccurate) { words.formUnion(token.text.words) }
    }
  }

  private func add(_ name: String, _ value: ExprSyntax, at node: some SyntaxProtocol) {
    found[name, default: []].append((Syntax(node).scope?.id, value))
  }

  override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
    if let name = node.pattern.as(IdentifierPatternSyntax.self)?.identifier.plain {
      if let value = node.initializer?.value {
        add(name, value, at: node.parent?.parent ?? Syntax(node))
      } else if case .getter(let statements)? = node.accessorBlock?.accessors,
        statements.count == 1, let value = statements.first?.item.as(ExprSyntax.self)
      {
        found[name, default: []].append((nil, value))
      }
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
    if let name = node.pattern.as(IdentifierPatternSyntax.self)?.identifier.plain {
      add(name, node.sequence, at: node)
    }
    return .visitChildren
  }

  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
    guard let call = node.parent?.as(FunctionCallExprSyntax.self), call.calledName == "forEach",
      let base = call.calledExpression.as(MemberAccessExprSyntax.self)?.base
    else { return .visitChildren }
    switch node.signature?.parameterClause {
    case .simpleInput(let names)?:
      for name in names { add(name.name.plain, base, at: node) }
    case .parameterClause(let clause)?:
      for parameter in clause.parameters { add(parameter.firstName.plain, base, at: node) }
    case nil: add("$0", base, at: node)
    }
    return .visitChildren
  }

  override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
    let parts = Array(node.elements)
    if parts.count > 2, parts[1].is(AssignmentExprSyntax.self),
      let name = parts[0].memberPath?.last
    {
      for value in parts.dropFirst(2) { add(name, value, at: node) }
    }
    return .visitChildren
  }
}

extension String {
  /// The words of a name or a text, in small letters: `storeURL` is `store` and `url`.
  var words: Set<String> {
    var words: Set<String> = []
    var word = ""
    var isUpper = false
    for character in self {
      if !character.isLetter || character.isUppercase && !isUpper {
        words.insert(word)
        word = ""
      } else if character.isLowercase, isUpper, word.count > 1, let last = word.popLast() {
        // `NSTemporary`: the last capital letter is the next word's.
        words.insert(word)
        word = String(last)
      }
      if character.isLetter { word.append(contentsOf: character.lowercased()) }
      isUpper = character.isUppercase
    }
    words.insert(word)
    words.remove("")
    return words
  }
}

extension Syntax {
  /// Whether it runs for developers alone: in a debug build, or if the app was started so.
  var isDevelopment: Bool {
    var node: Syntax? = self
    while let current = node {
      if let clause = current.as(IfConfigClauseSyntax.self),
        clause.condition?.tokens(viewMode: .sourceAccurate).contains(where: {
          ["DEBUG", "simulator"].contains($0.text)
        }) ?? false
      {
        return !(clause.condition?.is(PrefixOperatorExprSyntax.self) ?? false)
      }
      if let condition = current.as(IfExprSyntax.self), isIn(condition.body),
        condition.conditions.tokens(viewMode: .sourceAccurate).contains(where: {
          Self.startSigns.contains($0.text)
            || !$0.text.words.isDisjoint(with: ["debug", "testing"])
            || $0.text.words.isSuperset(of: ["ui", "test"])
            || $0.text.words.isSuperset(of: ["ui", "tests"])
        })
      {
        return true
      }
      node = current.parent
    }
    return false
  }

  private static let startSigns: Set<String> = ["ProcessInfo", "CommandLine"]

  private func isIn(_ node: some SyntaxProtocol) -> Bool {
    position >= node.position && endPosition <= node.endPosition
  }
}
