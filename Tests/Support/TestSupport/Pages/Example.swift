package import SchemaModel

/// Files with or without findings of a rule.
package struct Example: Sendable {
  package private(set) var files: [SourceFile]
  /// Manifests as they were when their versions were released.
  package private(set) var shipped: [SourceFile] = []
  /// The places that the text marks, in order.
  package private(set) var places: [SourceLocation] = []
  /// The day of the check.
  package private(set) var today = CalendarDay(year: 2026, month: 1, day: 1)!

  init(files: [SourceFile], shipped: [SourceFile], today: CalendarDay?) {
    self.files = files
    self.shipped = shipped
    if let today { self.today = today }
  }

  /// Reads a text. A line `=== V2.yaml` begins a file, and the text before the first such line is V1.yaml. `‹` and `›`
  /// enclose the place of a finding; they are not part of the file.
  package init(_ text: String) {
    files = []
    for section in Self.sections(text) {
      let (text, found) = Self.unmarked(section.lines, file: section.name)
      files.append(SourceFile(path: section.name, text: text))
      places += found
    }
    places.sort()
  }

  /// The same example with other files, in which nothing is marked.
  package func replacing(_ files: [SourceFile]) -> Example {
    var example = self
    example.files = files
    example.places = []
    return example
  }

  private static func sections(_ text: String) -> [(name: String, lines: [Substring])] {
    var sections: [(name: String, lines: [Substring])] = []
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    while lines.last?.isEmpty == true { lines.removeLast() }
    for line in lines {
      if line.hasPrefix("=== ") {
        sections.append((String(line.dropFirst(4)), []))
      } else {
        if sections.isEmpty { sections.append(("V1.yaml", [])) }
        sections[sections.count - 1].lines.append(line)
      }
    }
    return sections
  }

  private static func unmarked(
    _ lines: [Substring], file: String
  ) -> (text: String, places: [SourceLocation]) {
    var places: [SourceLocation] = []
    var text = ""
    for (index, line) in lines.enumerated() {
      var column = 1
      var start = 1
      for scalar in line.unicodeScalars {
        switch scalar {
        case "‹": start = column
        case "›":
          places.append(
            SourceLocation(file: file, line: index + 1, column: start, length: column - start))
        default:
          text.unicodeScalars.append(scalar)
          column += 1
        }
      }
      text += "\n"
    }
    return (text, places)
  }
}

/// The app of all examples in Swift, with two versions.
extension Example {
  /// The folder of the app's manifests.
  package static let appFolder = "Schemas"

  /// Two versions of a small app, for the Swift files of examples.
  package static let appManifests: [SourceFile] = Example(
    """
    === Schemas/V1.yaml
    version: 1.0.0
    models:
      Trip:
        properties:
          name: String
      Ticket:
        properties:
          code: String
    === Schemas/V2.yaml
    version: 2.0.0
    models:
      Trip:
        properties:
          name: String
          days: Int = 1
    drops:
      Ticket: tickets are in the wallet
    """
  ).files
}
