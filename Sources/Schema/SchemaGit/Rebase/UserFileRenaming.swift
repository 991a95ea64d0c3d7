internal import SchemaEvolution
internal import SchemaModel
internal import SchemaWorkspace

/// Moves names in the app's own Swift files from one version to another, word by word.
///
/// All at once: while V9 becomes V10, V10 becomes V11.
struct UserFileRenaming {
  /// Words of code.
  private var words: [String: String] = [:]
  /// Words that only comments have: `V9`.
  private var numbers: [String: String] = [:]

  /// A version under another number: its schema and its models' aliases.
  mutating func add(
    _ old: VersionNumber, _ new: VersionNumber, models: [String], _ names: NamePatterns
  ) {
    words[names.schema(old)] = names.schema(new)
    for model in models {
      words[names.alias(model: model, version: old)] = names.alias(model: model, version: new)
    }
    numbers[old.name] = new.name
  }

  /// A step between other versions: its owned enum, its rows and its bridges.
  mutating func add(
    from old: (VersionNumber, VersionNumber), to new: (VersionNumber, VersionNumber),
    _ names: NamePatterns
  ) {
    let before = VersionStep.name(from: old.0, to: old.1)
    let after = VersionStep.name(from: new.0, to: new.1)
    words[before] = after
    words[before + "Rows"] = after + "Rows"
    for step in [1, 2] {
      words[names.bridge(from: old.0, to: old.1, step: step)] =
        names.bridge(from: new.0, to: new.1, step: step)
    }
  }

  /// The text with its words replaced; numbers in comments only, and nothing in what stands between quotes: a key or
  /// an address is none of ours.
  func applied(to text: String) -> String {
    // By scalars, so that a Windows line break is two.
    text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let all = words.merging(numbers) { word, _ in word }
      return Self.parts(of: String(line)).map { part in
        switch part.kind {
        case .code: replaced(part.text, words)
        case .quoted: part.text
        case .comment: replaced(part.text, all)
        }
      }.joined()
    }.joined(separator: "\n")
  }

  private enum Kind { case code, quoted, comment }

  /// A line's code, its string literals and its comment, as far as one line tells.
  private static func parts(of line: String) -> [(kind: Kind, text: String)] {
    var parts: [(kind: Kind, text: String)] = []
    var current = ""
    var isQuoted = false
    var index = line.startIndex
    while index < line.endIndex {
      let character = line[index]
      let next = line.index(after: index)
      if isQuoted, character == "\\", next < line.endIndex {
        current += String(character) + String(line[next])
        index = line.index(after: next)
        continue
      }
      if !isQuoted, character == "/", next < line.endIndex, line[next] == "/" {
        parts.append((.code, current))
        parts.append((.comment, String(line[index...])))
        return parts
      }
      if character == "\"" {
        if isQuoted { current.append(character) }
        parts.append((isQuoted ? .quoted : .code, current))
        current = isQuoted ? "" : "\""
        isQuoted.toggle()
      } else {
        current.append(character)
      }
      index = next
    }
    parts.append((isQuoted ? .quoted : .code, current))
    return parts
  }

  private func replaced(_ text: String, _ words: [String: String]) -> String {
    let characters = Array(text)
    var result = ""
    var word = ""
    for (index, character) in characters.enumerated() {
      // Between digits a dot is part of the number: V1.1.
      let isDecimal =
        character == "." && word.last?.isNumber ?? false && index + 1 < characters.count
        && characters[index + 1].isNumber
      if character.isLetter || character.isNumber || character == "_" || isDecimal {
        word.append(character)
      } else {
        result += words[word] ?? word
        result.append(character)
        word = ""
      }
    }
    return result + (words[word] ?? word)
  }
}
