package import SchemaModel

/// The text of a function in a user file that runs before a step's migration.
///
/// The text shows whether the function uses a model's rows, but not whether it makes a change safe.
package struct HookCode: Hashable, Sendable {
  package let location: SourceLocation
  /// The names used in the function, and in the functions of the same file that it calls.
  let names: Set<String>

  package init?(_ name: String, in file: SourceFile) {
    let functions = FunctionReader(file.text).functions()
    guard let function = functions[name] else { return nil }
    location = SourceLocation(file: file.path, line: function.line, column: 1)
    var names: Set<String> = []
    var called = [name]
    var seen: Set<String> = [name]
    while let name = called.popLast() {
      let used = functions[name]?.names ?? []
      names.formUnion(used)
      called += used.filter { functions[$0] != nil && seen.insert($0).inserted }
    }
    self.names = names
  }

  /// Whether the function may change rows of a model.
  ///
  /// - Parameter models: All names of the model.
  func concerns(_ models: [String]) -> Bool {
    !names.isDisjoint(with: models) || names.isSuperset(of: ["models", "delete"])
  }
}

/// Finds the functions in Swift code and the names in their bodies, without comments and strings.
private struct FunctionReader {
  struct Function {
    var line: Int
    var names: Set<String> = []
  }

  private struct Token {
    var text: Substring
    var line: Int
  }

  private let tokens: [Token]

  init(_ text: String) {
    var tokens: [Token] = []
    var rest = Substring(text)
    var line = 1
    func skip(to end: String) {
      let range = rest.firstRange(of: end)
      let skipped = rest[..<(range?.upperBound ?? rest.endIndex)]
      line += skipped.count(where: \.isNewline)
      rest = rest[skipped.endIndex...]
    }
    while let first = rest.first {
      if rest.hasPrefix("//") {
        rest = rest.drop { !$0.isNewline }
      } else if rest.hasPrefix("/*") {
        skip(to: "*/")
      } else if rest.hasPrefix("\"\"\"") {
        rest = rest.dropFirst(3)
        skip(to: "\"\"\"")
      } else if first == "\"" {
        rest = rest.dropFirst()
        while let character = rest.first, character != "\"", !character.isNewline {
          rest = rest.dropFirst(character == "\\" ? 2 : 1)
        }
        if rest.first == "\"" { rest = rest.dropFirst() }
      } else if first.isLetter || first == "_" {
        let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        tokens.append(Token(text: word, line: line))
        rest = rest[word.endIndex...]
      } else {
        if first.isNewline { line += 1 }
        if "(){}".contains(first) { tokens.append(Token(text: rest.prefix(1), line: line)) }
        rest = rest.dropFirst()
      }
    }
    self.tokens = tokens
  }

  func functions() -> [String: Function] {
    var found: [String: Function] = [:]
    // The order is from last to first, so a nested function is read once, before the function around it.
    var ends: [Int: Int] = [:]
    for index in tokens.indices.dropLast().reversed() where tokens[index].text == "func" {
      let name = String(tokens[index + 1].text)
      found[name, default: Function(line: 0)].names.formUnion(names(after: index + 1, &ends))
      found[name]?.line = tokens[index].line
    }
    return found
  }

  /// The names in the body after a function's name, without those in the bodies of nested functions.
  ///
  /// - Parameter ends: The index after each body, by the index of the body's opening brace.
  private func names(after start: Int, _ ends: inout [Int: Int]) -> Set<String> {
    var names: Set<String> = []
    var (parentheses, braces) = (0, 0)
    var opening: Int?
    var index = start + 1
    search: while index < tokens.count {
      let text = tokens[index].text
      switch text {
      case "(": parentheses += 1
      case ")": parentheses -= 1
      case "{" where braces > 0 || parentheses == 0:
        if braces > 0, let end = ends[index] {
          index = end
          continue
        }
        opening = opening ?? index
        braces += 1
      case "}" where braces > 0:
        braces -= 1
        if braces == 0 { break search }
      // The previous function has no body.
      case "func" where braces == 0: return []
      default: if braces > 0 { names.insert(String(text)) }
      }
      index += 1
    }
    if let opening { ends[opening] = min(index + 1, tokens.count) }
    return names
  }
}
