internal import SchemaModel

/// Replaces paths in expressions: `Kind.legacy` → `Kind.modern`.
struct PathNames: Sendable {
  private let names: [String: String]

  init(_ names: [String: String]) { self.names = names }

  func applied(to expression: SwiftExpression) -> SwiftExpression {
    guard names.keys.contains(where: { expression.text.contains($0) }) else { return expression }
    return (try? SwiftExpression(applied(to: expression.text))) ?? expression
  }

  private func applied(to text: String) -> String {
    var result = ""
    var rest = text[...]
    var previous: Character?
    var isQuoted = false
    while let character = rest.first {
      if character == "\"", previous != "\\" { isQuoted.toggle() }
      let isWord = character.isLetter || character == "_"
      let begins = previous.map { !($0.isLetter || $0.isNumber || "_.`".contains($0)) } ?? true
      guard isWord, begins, !isQuoted else {
        result.append(character)
        previous = character
        rest = rest.dropFirst()
        continue
      }
      let path = rest.prefix { $0.isLetter || $0.isNumber || "_.`".contains($0) }
      result += applied(toPath: String(path))
      previous = path.last
      rest = rest.dropFirst(path.count)
    }
    return result
  }

  /// Replaces a path or its beginning: `Kind.legacy`, and also `Kind.legacy.rawValue`.
  private func applied(toPath path: String) -> String {
    let plain = path.filter { $0 != "`" }
    for (old, new) in names where plain == old || plain.hasPrefix(old + ".") {
      return new + plain.dropFirst(old.count)
    }
    return path
  }
}
