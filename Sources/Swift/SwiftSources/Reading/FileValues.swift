package import SwiftSyntax

/// The values that a file's code gives to names: in variables, assignments, bindings of conditions, and loops.
package final class FileValues: SyntaxVisitor {
  /// A name in the block or function that defines it. At the top level, `scope` is nil.
  private struct Name: Hashable {
    var text: String
    var scope: SyntaxIdentifier?
  }

  private struct Parts {
    var names: Set<String> = []
    var words: Set<String> = []
  }

  private let scopes = Ancestors { $0.isScope ? $0 : nil }
  private let blocks = Ancestors { $0.isScope || $0.isBlock ? $0 : nil }
  private var found: [Name: [ExprSyntax]] = [:]
  private var all: [String: [ExprSyntax]] = [:]
  private var parts: [SyntaxIdentifier: Parts] = [:]

  /// The most names that are followed in a row, and the most values. Handwritten code does not reach these limits.
  private static let longestChain = 5
  static let mostValues = 200

  /// Global and static constants of all files, by type and name: `Flags.database`.
  private let constants: [String: ExprSyntax]

  package init(_ source: SwiftSource, constants: [String: ExprSyntax] = [:]) {
    self.constants = constants
    super.init(viewMode: .sourceAccurate)
    walk(source.syntax)
  }

  /// The expression and the values of all names in it, including constants of other files.
  func everywhere(_ expression: ExprSyntax) -> [ExprSyntax] {
    var found = expanded(expression)
    var seen: Set<String> = []
    var next = 0
    while next < found.count, found.count < Self.mostValues {
      for path in found[next].outermostPaths {
        let isOwn = path.count == 1 && !values(of: path[0], from: found[next]).isEmpty
        for end in path.indices where !isOwn {
          let name = path[max(0, end - 1)...end].joined(separator: ".")
          if let value = constants[name], seen.insert(name).inserted { found.append(value) }
        }
      }
      next += 1
    }
    return found
  }

  /// The values of a name, from the innermost block around the node that defines it, or else from the file.
  package func values(of name: String, from node: some SyntaxProtocol) -> [ExprSyntax] {
    values(of: self.name(name, in: blocks(around: node)))
  }

  /// The function, initialiser, accessor or member variable that contains the code; nil at the top level.
  package func scope(of node: some SyntaxProtocol) -> Syntax? { scopes.value(around: node) }

  /// The blocks around the code, innermost first, up to the enclosing function. The last one is nil if there is no
  /// function.
  private func blocks(around node: some SyntaxProtocol) -> [SyntaxIdentifier?] {
    var blocks: [SyntaxIdentifier?] = []
    var next = self.blocks.value(around: node)
    while let block = next {
      blocks.append(block.id)
      if block.isScope { return blocks }
      next = self.blocks.value(around: block)
    }
    return blocks + [nil]
  }

  private func name(_ text: String, in blocks: [SyntaxIdentifier?]) -> Name {
    let names = blocks.map { Name(text: text, scope: $0) }
    return names.first { found[$0] != nil } ?? names.last ?? Name(text: text)
  }

  private func values(of name: Name) -> [ExprSyntax] {
    if let own = found[name] { return own }
    if let all = all[name.text], all.count == 1 { return all }
    return found[Name(text: name.text)] ?? []
  }

  /// The expression and the values of all names in it, nearest first. Each value occurs once.
  package func expanded(_ expression: ExprSyntax) -> [ExprSyntax] {
    var reached = [expression]
    var seen: Set<SyntaxIdentifier> = [expression.id]
    var names: Set<Name> = []
    var next = 0
    for _ in 0..<Self.longestChain {
      for part in reached[next...] {
        next += 1
        let blocks = blocks(around: part)
        for text in parts(of: part).names.sorted() {
          let name = name(text, in: blocks)
          guard names.insert(name).inserted else { continue }
          for value in values(of: name) where seen.insert(value.id).inserted {
            guard reached.count < Self.mostValues else { return reached }
            reached.append(value)
          }
        }
      }
    }
    return reached
  }

  package func words(of expression: ExprSyntax) -> Set<String> {
    expanded(expression).reduce(into: []) { $0.formUnion(parts(of: $1).words) }
  }

  private func parts(of expression: ExprSyntax) -> Parts {
    if let known = parts[expression.id] { return known }
    var found = Parts()
    for token in expression.tokens(viewMode: .sourceAccurate) {
      found.words.formUnion(token.text.words)
      if let name = token.parent?.as(DeclReferenceExprSyntax.self)?.baseName.plain {
        found.names.insert(name)
      }
    }
    parts[expression.id] = found
    return found
  }

  private func add(_ name: String, _ value: ExprSyntax, at node: some SyntaxProtocol) {
    add(Name(text: name, scope: blocks.value(around: node)?.id), value)
  }

  private func add(_ name: Name, _ value: ExprSyntax) {
    guard found[name, default: []].count < Self.mostValues else { return }
    found[name, default: []].append(value)
    all[name.text, default: []].append(value)
  }

  package override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
    if let name = node.pattern.as(IdentifierPatternSyntax.self)?.identifier.plain {
      if let value = node.initializer?.value {
        add(name, value, at: node.parent?.parent ?? Syntax(node))
      } else if let value = node.getterResult {
        add(Name(text: name), value)
      }
    }
    return .visitChildren
  }

  package override func visit(_ node: OptionalBindingConditionSyntax) -> SyntaxVisitorContinueKind {
    if let name = node.pattern.as(IdentifierPatternSyntax.self)?.identifier.plain,
      let value = node.initializer?.value
    {
      add(name, value, at: node)
    }
    return .visitChildren
  }

  package override func visit(_ node: ForStmtSyntax) -> SyntaxVisitorContinueKind {
    if let name = node.pattern.as(IdentifierPatternSyntax.self)?.identifier.plain {
      add(name, node.sequence, at: node)
    }
    return .visitChildren
  }

  package override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
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

  package override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
    let parts = Array(node.elements)
    if parts.count > 2, parts[1].is(AssignmentExprSyntax.self),
      let name = parts[0].memberPath?.last
    {
      let name = self.name(name, in: blocks(around: node))
      for value in parts.dropFirst(2) { add(name, value) }
    }
    return .visitChildren
  }
}

extension String {
  /// The words of a name or a string, in lower case: `storeURL` is `store` and `url`.
  package var words: Set<String> {
    var words: Set<String> = []
    var word = ""
    var isUpper = false
    for character in self {
      if !character.isLetter || character.isUppercase && !isUpper {
        words.insert(word)
        word = ""
      } else if character.isLowercase, isUpper, word.count > 1, let last = word.popLast() {
        // In `NSTemporary`, the `T` begins the second word.
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
  fileprivate var isBlock: Bool {
    self.is(CodeBlockSyntax.self) || self.is(ClosureExprSyntax.self)
      || self.is(SwitchCaseSyntax.self)
  }

  /// Whether the code is for developers only: in a debug build, or after a launch with an argument or a setting; nil
  /// if unknown.
  package var isDevelopment: Bool? {
    if let clause = self.as(IfConfigClauseSyntax.self),
      let tokens = clause.condition?.tokens(viewMode: .sourceAccurate).map(\.text),
      tokens.contains(where: ["DEBUG", "simulator"].contains)
    {
      // Another flag in the condition may be set in other builds.
      let others = Set(tokens).subtracting(["DEBUG", "simulator", "targetEnvironment", "(", ")"])
      if others.contains("||"), others.count > 1 { return nil }
      return !(clause.condition?.is(PrefixOperatorExprSyntax.self) ?? false)
    }
    guard let condition = parent?.as(IfExprSyntax.self), condition.body.id == id,
      // If the option must be missing, the code runs for all users.
      !condition.conditions.contains(where: {
        $0.condition.as(ExprSyntax.self)?.is(PrefixOperatorExprSyntax.self) ?? false
      })
    else { return nil }
    return condition.conditions.tokens(viewMode: .sourceAccurate).contains {
      Self.startSigns.contains($0.text)
        || !$0.text.words.isDisjoint(with: ["debug", "testing"])
        || $0.text.words.isSuperset(of: ["ui", "test"])
        || $0.text.words.isSuperset(of: ["ui", "tests"])
    } ? true : nil
  }

  private static let startSigns: Set<String> = ["ProcessInfo", "CommandLine"]
}
