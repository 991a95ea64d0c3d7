package import SwiftSyntax

/// Decides which case of an enum a value is, and which branch of a `switch` runs for it.
extension Meanings {
  /// The largest number of values that are followed in a row.
  private static let longestChain = 6

  private func cases(of value: ExprSyntax, depth: Int = 0) -> Set<String>? {
    guard depth < Self.longestChain,
      let name = value.as(MemberAccessExprSyntax.self)?.declName
        ?? value.as(DeclReferenceExprSyntax.self)
    else { return nil }
    if value.is(MemberAccessExprSyntax.self), isCase(name.baseName.plain) {
      return [name.baseName.plain]
    }
    ask(for: name)
    var cases: Set<String> = []
    for meaning in codes(of: name) where !isForDevelopment(meaning) {
      guard let value = meaning.as(ExprSyntax.self),
        let own = self.cases(of: value, depth: depth + 1)
      else { return nil }
      cases.formUnion(own)
    }
    return cases.isEmpty ? nil : cases
  }

  /// Whether the code can run, judged by the enclosing `switch` statements.
  package func isTaken(_ node: some SyntaxProtocol) -> Bool {
    var next = node.parent
    while let current = next, !current.isFunctionLike {
      if let branch = current.as(SwitchCaseSyntax.self),
        let choice = branch.parent?.parent?.as(SwitchExprSyntax.self),
        let cases = cases(of: choice.subject),
        !choice.taken(for: cases).contains(where: { $0.id == branch.id })
      {
        return false
      }
      next = current.parent
    }
    return true
  }

  /// The code that a member's name means. If a `switch self` selects the code, only the branches for the possible
  /// cases of the value before the dot count.
  func selected(_ code: Syntax, for name: DeclReferenceExprSyntax) -> [Syntax] {
    guard let member = name.parent?.as(MemberAccessExprSyntax.self), member.declName.id == name.id,
      let base = member.base
    else { return [code] }
    if let choice = code.as(SwitchExprSyntax.self), choice.isOfSelf {
      return cases(of: base).map { choice.taken(for: $0).map { Syntax($0.statements) } } ?? [code]
    }
    let branch = sequence(first: code, next: \.parent).prefix { !$0.isFunctionLike }.lazy
      .compactMap { $0.as(SwitchCaseSyntax.self) }.first
    guard let branch, let choice = branch.parent?.parent?.as(SwitchExprSyntax.self),
      choice.isOfSelf, let cases = cases(of: base)
    else { return [code] }
    return choice.taken(for: cases).contains { $0.id == branch.id } ? [code] : []
  }

  /// The initialiser calls that create a value: `Services(url: …)` for `Services.live`.
  func initializers(of value: ExprSyntax, depth: Int = 0) -> [FunctionCallExprSyntax] {
    if let call = value.as(FunctionCallExprSyntax.self) {
      return call.calledName?.first?.isUppercase == true ? [call] : []
    }
    guard depth < Self.longestChain,
      let name = value.as(MemberAccessExprSyntax.self)?.declName
        ?? value.as(DeclReferenceExprSyntax.self)
    else { return [] }
    ask(for: name)
    return codes(of: name).compactMap { $0.as(ExprSyntax.self) }
      .flatMap { initializers(of: $0, depth: depth + 1) }
  }
}

extension SwitchExprSyntax {
  fileprivate var isOfSelf: Bool {
    subject.as(DeclReferenceExprSyntax.self)?.baseName.text == "self"
  }

  fileprivate func taken(for names: Set<String>) -> [SwitchCaseSyntax] {
    let branches = cases.compactMap { $0.as(SwitchCaseSyntax.self) }
    return branches.filter { branch in
      guard let label = branch.label.as(SwitchCaseLabelSyntax.self) else {
        let named = branches.compactMap { $0.label.as(SwitchCaseLabelSyntax.self) }
          .reduce(into: Set()) { $0.formUnion($1.names) }
        return !names.isSubset(of: named)
      }
      return !names.isDisjoint(with: label.names)
    }
  }
}

extension SwitchCaseLabelSyntax {
  fileprivate var names: Set<String> {
    Set(
      caseItems.flatMap { $0.pattern.all(MemberAccessExprSyntax.self) }
        .map(\.declName.baseName.plain))
  }
}
