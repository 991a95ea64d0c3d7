internal import SchemaModel
internal import SwiftSyntax

/// An initialiser on its way into an extension, where it has to call the generated one.
///
/// What it assigns becomes arguments, as far as Swift wants the properties set before anything else; what follows stays
/// as it is.
struct InitializerTranslation {
  /// Why an initialiser cannot be moved, as a clause.
  struct Refusal: Error {
    var reason: String
  }

  let initializer: WrittenInitializer
  /// What the generated initialiser takes.
  let properties: [Property]
  /// Names that mean a member of the instance in it.
  let instanceNames: Set<String>
  /// Initialisers that stand beside it.
  let others: [WrittenInitializer]
  /// The source of a range, with the names that things have now.
  let text: (Range<Int>) -> String

  private struct Argument {
    var comments: [String]
    var lines: [String]
  }

  /// The initialiser's lines.
  func lines() throws(Refusal) -> [String] {
    guard let body = initializer.syntax.body else {
      throw Refusal(reason: "it has no body")
    }
    let start = initializer.syntax.position.utf8Offset
    let head = text(start..<body.leftBrace.endPositionBeforeTrailingTrivia.utf8Offset)
    let (before, arguments, after) = try parts()
    let inner = before.flatMap { $0 } + call(arguments) + after.flatMap { $0 }
    return head.dedentedLines + inner.map { $0.isEmpty ? "" : "  " + $0 } + ["}"]
  }

  // MARK: What comes when

  private func parts() throws(Refusal) -> (
    before: [[String]], arguments: [String: Argument], after: [[String]]
  ) {
    let names = Set(properties.map(\.name))
    let required = Set(properties.filter { $0.initialValue == nil }.map(\.name))
    let statements = initializer.statements
    let last = statements.lastIndex { statement in
      switch statement.kind {
      case .assignment(let name, _): required.contains(name)
      case .superclass: true
      case .other: false
      }
    }
    var before: [[String]] = []
    var arguments: [String: Argument] = [:]
    var after: [[String]] = []
    var hasVariables = false
    var isOver = false
    for (index, statement) in statements.enumerated() {
      let isBefore = last.map { index <= $0 } ?? false
      switch statement.kind {
      case .assignment(let name, let value)
      where names.contains(name) && arguments[name] == nil && !isOver:
        if try isArgument(value, of: name, isNeeded: isBefore) {
          arguments[name] = argument(value, of: statement)
          continue
        }
      case .superclass(let passed):
        for value in passed {
          guard let label = value.label?.plain, names.contains(label) else {
            throw Refusal(reason: "it calls an initialiser of the superclass that is not generated")
          }
          arguments[label] = argument([value.expression], of: statement)
        }
        continue
      case .assignment where isBefore:
        after.append(lines(of: statement))
        continue
      case .other where isBefore:
        try check(statement.item)
        hasVariables =
          hasVariables
          || statement.item.all(VariableDeclSyntax.self).contains {
            $0.bindingSpecifier.tokenKind == .keyword(.var)
          }
        if hasVariables, !arguments.isEmpty {
          throw Refusal(reason: "it changes variables between assignments")
        }
        before.append(lines(of: statement))
        continue
      default: break
      }
      isOver = true
      after.append(lines(of: statement))
    }
    if let missing = properties.first(where: {
      required.contains($0.name) && arguments[$0.name] == nil
    }) {
      throw Refusal(reason: "'\(missing.name)' gets its value in a branch, or nowhere")
    }
    return (before, arguments, after)
  }

  /// Whether a value can be said before there is an instance.
  private func isArgument(
    _ value: [ExprSyntax], of name: String, isNeeded: Bool
  ) throws(Refusal) -> Bool {
    let isBranch = value[0].is(IfExprSyntax.self) || value[0].is(SwitchExprSyntax.self)
    let usesInstance = value.contains { self.usesInstance(Syntax($0)) }
    guard isBranch || usesInstance else { return true }
    guard isNeeded else { return false }
    throw Refusal(
      reason: isBranch
        ? "'\(name)' gets its value in a branch" : "'\(name)' is made of other properties")
  }

  /// What stands before the call of the generated initialiser must do without an instance, and come to that call.
  private func check(_ item: CodeBlockItemSyntax) throws(Refusal) {
    guard !usesInstance(Syntax(item)) else {
      throw Refusal(reason: "it assigns in a branch, or uses other properties on its way")
    }
    guard !Returns.isIn(item) else {
      throw Refusal(reason: "it returns before all properties have a value")
    }
  }

  private func usesInstance(_ node: Syntax) -> Bool {
    let isSaid = node.tokens(viewMode: .sourceAccurate).contains {
      $0.tokenKind == .keyword(.self) && !($0.parent?.parent?.isMetatype ?? false)
    }
    return isSaid || !UsedNames.find(in: node).values.isDisjoint(with: instanceNames)
  }

  // MARK: Text

  private func lines(of statement: WrittenInitializer.Statement) -> [String] {
    let item = statement.item
    let end = item.semicolon == nil ? item.endPosition : item.item.endPosition
    return text(item.position.utf8Offset..<end.utf8Offset).dedentedLines
  }

  private func argument(
    _ value: [ExprSyntax], of statement: WrittenInitializer.Statement
  ) -> Argument {
    let range =
      value[0].positionAfterSkippingLeadingTrivia
      .utf8Offset..<value[value.count - 1].endPositionBeforeTrailingTrivia.utf8Offset
    let item = statement.item
    let comments = (item.leadingTrivia.pieces + item.trailingTrivia.pieces).compactMap(\.comment)
    let lines = text(range).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let indent = item.leadingTrivia.description.reversed().prefix { !$0.isNewline }.count
    return Argument(
      comments: comments,
      lines: lines.enumerated().map { index, line in
        index == 0
          ? String(line)
          : String(line.dropFirst(min(indent, line.prefix { $0 == " " || $0 == "\t" }.count)))
      })
  }

  private func call(_ arguments: [String: Argument]) -> [String] {
    var given = arguments
    func add(_ property: Property) {
      guard given[property.name] == nil, let value = property.initialValue else { return }
      given[property.name] = Argument(comments: [], lines: [value.text])
    }
    // What it leaves alone must not get what the generated one takes.
    for property in properties where property.initializerDefault != nil { add(property) }
    // Else it could call itself, or another one of the class's.
    let labels = properties.map(\.name).filter { given[$0] != nil }
    if (others + [initializer]).contains(where: { $0.takes(labels) }) {
      for property in properties { add(property) }
    }
    let list = properties.compactMap { property in given[property.name].map { (property.name, $0) }
    }
    let line =
      "self.init("
      + list.map { "\($0): \($1.lines.joined(separator: " "))" }.joined(separator: ", ") + ")"
    if list.allSatisfy({ $1.lines.count == 1 && $1.comments.isEmpty }), line.count <= 96 {
      return [line]
    }
    var lines = ["self.init("]
    for (index, (name, argument)) in list.enumerated() {
      var value = argument.lines
      value[0] = "\(name): \(value[0])"
      if index < list.count - 1 { value[value.count - 1] += "," }
      lines += (argument.comments + value).map { "  " + $0 }
    }
    return lines + [")"]
  }
}

extension WrittenInitializer {
  /// Whether a call with these labels can mean it.
  func takes(_ labels: [String]) -> Bool {
    var labels = labels[...]
    for parameter in parameters {
      if parameter.label == labels.first {
        labels.removeFirst()
      } else if parameter.defaultValue == nil {
        return false
      }
    }
    return labels.isEmpty
  }
}

extension Syntax {
  /// `Trip.self`, or `\.self`.
  fileprivate var isMetatype: Bool {
    if self.is(KeyPathPropertyComponentSyntax.self) { return true }
    guard let access = self.as(MemberAccessExprSyntax.self) else { return false }
    return access.declName.baseName.tokenKind == .keyword(.self)
  }
}

extension TriviaPiece {
  fileprivate var comment: String? {
    switch self {
    case .lineComment(let text), .docLineComment(let text), .blockComment(let text),
      .docBlockComment(let text):
      text
    default: nil
    }
  }
}

/// Whether code returns, but for `return nil`.
private final class Returns: SyntaxVisitor {
  private var isFound = false

  static func isIn(_ node: CodeBlockItemSyntax) -> Bool {
    let visitor = Returns(viewMode: .sourceAccurate)
    visitor.walk(node)
    return visitor.isFound
  }

  override func visit(_ node: ReturnStmtSyntax) -> SyntaxVisitorContinueKind {
    isFound = isFound || !(node.expression?.isNil ?? false)
    return .skipChildren
  }

  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
}
