package import SchemaEvolution
package import SchemaModel

extension Rule {
  package static let rowsOfOtherVersion = Rule(
    "rows-of-other-version", "A user file names the models of its rows",
    basis: .fact(.migration, "each-side-sees-its-own-types", .certain))
}

/// Searches a user file for models of a version other than the one whose rows exist when the app's code runs.
///
/// The version changes when a step begins to need a bridge, or no longer needs a bridge. schemagen does not edit the
/// file, because it belongs to the app. Code in other files that the functions call is not checked.
package struct UserFileTypes {
  private let path: String
  private let text: String
  /// The enum of the version that declares the rows' models.
  private let rows: String
  /// The older version's enum. The names of bridges' enums begin with its name.
  private let old: String
  private let isBridged: Bool
  private let models: Set<String>

  /// Nil if the file belongs to no step, if nothing calls its functions, or while a step is broken.
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
    // Names consist of letters and digits, which have no other meaning in a pattern.
    guard let pattern = try? Regex("\\b\(old)(?:To\\w*)?\\.(\\w+)") else { return [] }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.enumerated().flatMap { index, line -> [Diagnostic] in
      let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
      return code.matches(of: pattern).compactMap { match in
        let whole = code[match.range]
        guard let model = match[1].substring, models.contains(String(model)),
          whole.dropLast(model.count + 1) != rows
        else { return nil }
        let column = code.utf8.distance(from: code.startIndex, to: match.range.lowerBound) + 1
        return Diagnostic(
          .rowsOfOtherVersion,
          "the step goes through \(isBridged ? "a bridge" : "no bridge"), so its rows are "
            + "'\(rows).\(model)' here: '\(whole)' is a model of another version",
          at: SourceLocation(
            file: path, line: index + 1, column: column, length: whole.utf8.count),
          help: ["write '\(rows).\(model)'"])
      }
    }
  }
}
