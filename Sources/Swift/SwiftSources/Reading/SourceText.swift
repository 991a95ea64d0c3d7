internal import SwiftParser
internal import SwiftSyntax

extension SyntaxProtocol {
  /// The source on a single line, without comments. Tokens are separated by a space, or not at all.
  package var oneLine: String {
    var text = ""
    var isFirst = true
    var trailing = false
    for token in tokens(viewMode: .sourceAccurate) {
      if !isFirst, trailing || token.leadingTrivia.separates { text += " " }
      text += token.text
      trailing = token.trailingTrivia.separates
      isFirst = false
    }
    // Only a line break can have put a space next to a bracket.
    return text.replacing("( ", with: "(").replacing("[ ", with: "[").replacing(" )", with: ")")
      .replacing(" ]", with: "]").replacing(",)", with: ")").replacing(",]", with: "]")
  }
}

extension Trivia {
  fileprivate var separates: Bool {
    contains { piece in
      switch piece {
      case .spaces, .tabs, .newlines, .carriageReturns, .carriageReturnLineFeeds, .blockComment,
        .lineComment:
        true
      default: false
      }
    }
  }
}

extension ExprSyntax {
  package var isNil: Bool { self.is(NilLiteralExprSyntax.self) }

  package var isNilOfOptional: Bool {
    isNil || trimmedDescription == ".none"
      || memberName == "none" && trimmedDescription.hasPrefix("Optional")
  }

  package var stringValue: String? {
    self.as(StringLiteralExprSyntax.self)?.representedLiteralValue
  }

  package var integerValue: Int? {
    self.as(IntegerLiteralExprSyntax.self).flatMap {
      let digits = $0.literal.text.filter { $0 != "_" }
      let radix = ["0x": 16, "0o": 8, "0b": 2][String(digits.prefix(2)).lowercased()]
      return radix.map { Int(digits.dropFirst(2), radix: $0) } ?? Int(digits)
    }
  }

  /// The names of a member path: `SchemaV1`, `Habit`, `self` for `SchemaV1.Habit.self`; nil for other expressions.
  package var memberPath: [String]? {
    if let name = self.as(DeclReferenceExprSyntax.self), name.argumentNames == nil {
      return [name.baseName.plain]
    }
    guard let member = self.as(MemberAccessExprSyntax.self),
      let base = member.base?.memberPath
    else { return nil }
    return base + [member.declName.baseName.plain]
  }

  package var memberName: String? {
    self.as(MemberAccessExprSyntax.self)?.declName.baseName.plain
  }

  /// The last property of a key path, and the names before it; nil for other expressions.
  package var keyPathProperty: (root: [String], name: String)? {
    guard let path = self.as(KeyPathExprSyntax.self), path.components.count >= 1 else { return nil }
    let names = path.components.compactMap {
      $0.component.as(KeyPathPropertyComponentSyntax.self)?.declName.baseName.plain
    }
    guard names.count == path.components.count, let last = names.last else { return nil }
    return ((path.root?.nameParts ?? []) + names.dropLast(), last)
  }
}
