internal import SchemaModel
internal import SwiftSyntax

extension String {
  /// The text without line breaks around it.
  var trimmedLines: String {
    var text = self[...].drop { $0 == "\n" }
    while text.last == "\n" { text.removeLast() }
    return String(text)
  }
}

extension CodeBlockItemSyntax {
  /// Whether it is an import, or a condition around nothing.
  var saysNothing: Bool {
    guard case .decl(let declaration) = item else { return false }
    if declaration.is(ImportDeclSyntax.self) { return true }
    guard let config = declaration.as(IfConfigDeclSyntax.self) else { return false }
    return config.clauses.allSatisfy { clause in
      guard case .statements(let statements)? = clause.elements else {
        return clause.elements == nil
      }
      return statements.allSatisfy(\.saysNothing)
    }
  }

  func contains(_ node: some SyntaxProtocol) -> Bool {
    root.id == node.root.id && position <= node.position && node.endPosition <= endPosition
  }
}

extension DeclSyntax {
  /// What an extension that has the same member is known by: `init(id:name:)`, `func share(to:)`, `name`.
  var memberKeys: Set<String> {
    if let initializer = self.as(InitializerDeclSyntax.self) {
      return ["init" + initializer.signature.parameterClause.labels]
    }
    if let function = self.as(FunctionDeclSyntax.self) {
      return ["func " + function.name.plain + function.signature.parameterClause.labels]
    }
    if let member = self.as(SubscriptDeclSyntax.self) {
      return ["subscript" + member.parameterClause.labels]
    }
    return Set(declaredNames)
  }

  /// The declaration with the comments before it, and what stands behind it on its line.
  var fullLines: String { description }
}

extension FunctionParameterClauseSyntax {
  var labels: String { "(\(parameters.map { $0.firstName.plain + ":" }.joined()))" }
}

extension Syntax {
  /// The item with the comments that belong to it, up to the end of its line.
  ///
  /// - Parameters:
  ///   - isFirst: Whether it is the file's first, before which the file's own comment stands.
  ///   - went: Whether what is before it goes as well: then all comments between them do.
  func removalRange(
    isFirst: Bool, after went: Bool, in bytes: [UInt8]
  ) -> Range<Int> {
    let start = position.utf8Offset
    let code = positionAfterSkippingLeadingTrivia.utf8Offset
    var first = code
    if went {
      first = start
      while first < code, bytes[first] != UInt8(ascii: "\n") { first += 1 }
      if first < code { first += 1 }
    } else {
      // Line by line upwards, to an empty one.
      while first > start, bytes[first - 1] != UInt8(ascii: "\n") { first -= 1 }
      while first > start {
        var line = first - 1
        while line > start, bytes[line - 1] != UInt8(ascii: "\n") { line -= 1 }
        let isEmpty = bytes[line..<(first - 1)].allSatisfy { [9, 13, 32].contains($0) }
        // The rest of a line with code, or a line between.
        if isEmpty || (line == start && !isFirst) { break }
        first = line
      }
    }
    var end = endPosition.utf8Offset
    while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
    if end < bytes.count { end += 1 }
    // An empty line before it and one behind it become one.
    let emptyBefore =
      first < 2 || (bytes[first - 1] == 10 && (bytes[first - 2] == 10 || bytes[first - 2] == 123))
    if emptyBefore || first == 0 {
      var next = end
      while next < bytes.count, [9, 13, 32].contains(bytes[next]) { next += 1 }
      if next < bytes.count, bytes[next] == 10 { end = next + 1 }
    }
    return first..<end
  }
}

extension [UInt8] {
  mutating func replace(_ edit: SourceEdit) {
    // What stands in the place of something keeps its distance to what follows.
    var text = Array(edit.text.utf8)
    let end = Swift.min(edit.range.upperBound, count)
    if !text.isEmpty, end > 1, end < count, self[end - 1] == 10, self[end - 2] == 10 {
      text.append(10)
    }
    replaceSubrange(edit.range.lowerBound..<end, with: text)
  }

  /// The text with one line break at its end.
  var withOneLineEnd: [UInt8] {
    var bytes = self
    while let last = bytes.last, [9, 10, 13, 32].contains(last) { bytes.removeLast() }
    return bytes + [10]
  }
}

extension SwiftSource {
  /// By what the file's members stand further in.
  var indentation: String {
    let lines = file.text.split(separator: "\n")
    if lines.contains(where: { $0.hasPrefix("\t") }) { return "\t" }
    let widths = lines.map { $0.prefix { $0 == " " }.count }.filter { $0 > 1 }
    return String(repeating: " ", count: widths.min() ?? 4)
  }
}
