package import SchemaEvolution
package import SchemaModel

extension Rule {
  package static let rowsOfOtherVersion = Rule(
    "rows-of-other-version", "A user file names the models that its rows are of",
    basis: .fact(.migration, "each-side-sees-its-own-types", .certain))
}

/// Looks into a user file for models of a version that its step's rows are not of when the app's code runs.
///
/// A step that begins to need a bridge, or no longer needs one, changes that; the file is the app's and stays as it is.
/// Code in other files, which the functions call, is not looked at.
package struct UserFileTypes {
  private let path: String
  private let text: String
  /// The enum of the version whose models the rows are.
  private let rows: String
  /// The older version's enum. Those of bridges begin with its name.
  private let old: String
  private let isBridged: Bool
  private let models: Set<String>

  /// Nil where the file is not one of a step's, where nothing calls it, and while a step is broken.
  package init?(path: String, text: String, _ evolution: Evolution) {
    let name = path.split(separator: "/").last ?? ""
    guard evolution.isSound,
      let step = evolution.steps.first(where: { name == $0.name + ".swift" }),
      !step.userFunctions.isEmpty
    else {
      return nil
    }
    self.path = path
    self.text = text
    rows = evolution.schemaOfUserCode(in: step)
    old = evolution.configuration.names.schema(step.old.number)
    isBridged = step.plan.bridges > 0
    models = Set(step.old.models.map(\.name))
  }

  package func diagnostics() -> [Diagnostic] {
    var found: [Diagnostic] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
      for word in Self.words(code) {
        guard isOfAnother(code[word]), word.upperBound < code.endIndex,
          code[word.upperBound] == "."
        else { continue }
        let model = code[word.upperBound...].dropFirst().prefix(while: Self.isOfName)
        guard models.contains(String(model)) else { continue }
        let column = code.utf8.distance(from: code.startIndex, to: word.lowerBound) + 1
        let length = code[word].utf8.count + 1 + model.utf8.count
        found.append(
          Diagnostic(
            .rowsOfOtherVersion,
            "the step goes through \(isBridged ? "a bridge" : "no bridge"), so its rows are "
              + "'\(rows).\(model)' here: '\(code[word]).\(model)' is no model of theirs",
            at: SourceLocation(
              file: path, line: index + 1, column: column, length: length),
            help: ["write '\(rows).\(model)'"]))
      }
    }
    return found
  }

  private func isOfAnother(_ name: Substring) -> Bool {
    name != rows && (name == old || name.hasPrefix(old + "To"))
  }

  private static func isOfName(_ character: Character) -> Bool {
    character == "_" || character.isLetter || character.isNumber
  }

  /// The names in a line of code.
  private static func words(_ line: Substring) -> [Range<Substring.Index>] {
    var found: [Range<Substring.Index>] = []
    var index = line.startIndex
    while index < line.endIndex {
      let end = line[index...].firstIndex { !isOfName($0) } ?? line.endIndex
      if end > index { found.append(index..<end) }
      index = end == line.endIndex ? end : line.index(after: end)
    }
    return found
  }
}
