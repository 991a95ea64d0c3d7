package import SchemaModel

/// Two sides of a merge conflict in a file, between git's marks.
package struct MergeConflict: Sendable {
  package let message: String
  package let place: SourceLocation

  package static func all(in file: SourceFile) -> [MergeConflict] {
    let lines = file.text.utf8.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "\n") }
      .map { Substring($0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0) }
    return lines.indices.filter { lines[$0].hasPrefix("<<<<<<<") }.map { index in
      let sides = [lines[index], lines[index...].first { $0.hasPrefix(">>>>>>>") } ?? ""]
        .map { $0.dropFirst(7).split(separator: " ").joined(separator: " ") }
      return MergeConflict(
        message: "a merge left two sides here: '\(sides[0])' and '\(sides[1])'",
        place: SourceLocation(file: file.path, line: index + 1, length: lines[index].count))
    }
  }

  var diagnostic: Diagnostic {
    Diagnostic(
      .yamlSyntax, message, at: place,
      help: [
        "if two branches changed versions, run 'schemagen rebase' during the merge",
        "if not, keep the lines that are right, and remove git's conflict markers",
      ])
  }
}
