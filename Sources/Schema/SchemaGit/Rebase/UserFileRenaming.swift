internal import SchemaEvolution
internal import SchemaModel
internal import SchemaWorkspace

/// Renames versions in the app's Swift files, word by word.
///
/// All renames apply at once: while V9 becomes V10, V10 becomes V11.
struct UserFileRenaming {
  /// The new words by the words that they replace, in code and comments.
  private var words: [String: String] = [:]
  /// The new words by the words that they replace, in comments only: `V9`.
  private var numbers: [String: String] = [:]

  mutating func add(
    _ old: VersionNumber, _ new: VersionNumber, models: [String], _ names: NamePatterns
  ) {
    words[names.schema(old)] = names.schema(new)
    for model in models {
      words[names.alias(model: model, version: old)] = names.alias(model: model, version: new)
    }
    numbers[old.name] = new.name
  }

  /// Adds a step between renumbered versions: its enum, its rows and its bridges.
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

  /// The text with its words replaced. Numbers are replaced in comments only. String literals stay, since they may be
  /// keys or addresses.
  func applied(to text: String) -> String {
    let all = words.merging(numbers) { word, _ in word }
    // A dot between digits is part of the number: V1.1.
    let word = #/[\p{L}\p{N}_]+(?:\.\p{N}+)*/#
    let part = #/"(?:\\.|[^"\\])*"?|\/\/.*|[\p{L}\p{N}_]+(?:\.\p{N}+)*/#
    func renamed(_ found: Substring) -> String {
      if found.hasPrefix("\"") { return String(found) }
      guard found.hasPrefix("//") else { return words[String(found)] ?? String(found) }
      return String(
        found.replacing(word) { match -> String in
          let name = String(match.output)
          return all[name] ?? name
        })
    }
    // Split by scalars, since CR LF is a single character.
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { line -> String in
      String(line).replacing(part) { match -> String in renamed(match.output) }
    }.joined(separator: "\n")
  }
}
