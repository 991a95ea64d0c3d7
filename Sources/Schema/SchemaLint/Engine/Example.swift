package import SchemaModel

/// Files in which a rule finds something, or nothing.
///
/// Written as text: a line `=== V2.yaml` begins a file, and what stands before the first such line is V1.yaml.
/// `=== shipped V1.yaml` is that manifest as it was when its version was released. `‹` and `›` enclose the place of
/// a finding; they are not part of the file. `=== found schema.lock 1:1` is a place in a file that is made.
package struct Example: Sendable {
  /// What a finding says.
  package struct Finding: Sendable {
    package var message: String
    package var help: [String]
    package var severity: Diagnostic.Severity?

    package init(_ message: String, help: [String], _ severity: Diagnostic.Severity? = nil) {
      self.message = message
      self.help = help
      self.severity = severity
    }
  }

  private struct Contents: Sendable {
    var files: [SourceFile] = []
    var shipped: [SourceFile] = []
    var places: [SourceLocation] = []
  }

  private var text: String
  /// The files that stand for those of the text.
  private var replacement: [SourceFile]?
  /// Read when somebody asks: a run of lint makes all rules, and shows no example.
  private var contents: Contents {
    var contents = Self.read(text)
    guard let replacement else { return contents }
    contents.files = replacement
    contents.places = []
    return contents
  }

  /// The files, without marks.
  package var files: [SourceFile] { contents.files }
  /// Manifests that were released.
  package var shipped: [SourceFile] { contents.shipped }
  /// Where something is found, in order.
  package var places: [SourceLocation] { contents.places }
  /// What is found there, in the same order. Only examples in Swift say so: lint finds the others' itself.
  package private(set) var findings: [Finding]
  private var fixedText: String
  /// What `--fix` writes, of files that it changes; also only in Swift.
  package var fixed: [SourceFile] { fixedText.isEmpty ? [] : Self.read(fixedText).files }
  /// The day on which it is looked at.
  package let today: CalendarDay
  /// Rules whose findings cannot but come with it.
  package let companions: Set<String>

  /// - Parameters:
  ///   - today: A day as `YYYY-MM-DD`, for what runs out.
  ///   - companions: Rules whose findings cannot but come with it.
  ///   - findings: What is found at the marks in Swift files, in the order of their places.
  ///   - fixed: Swift files after `--fix`; empty if nothing has a fix.
  package init(
    _ text: String, today: String = "2026-01-01", with companions: Set<String> = [],
    finds findings: [Finding] = [], fixed: String = ""
  ) {
    self.text = text
    self.findings = findings
    fixedText = fixed
    self.companions = companions
    self.today = CalendarDay(today) ?? CalendarDay(year: 2026, month: 1, day: 1)!
  }

  /// The same with other files, and with nothing marked in them.
  package func replacing(_ files: [SourceFile]) -> Example {
    var example = self
    example.replacement = files
    example.findings = []
    example.fixedText = ""
    return example
  }

  /// The same behind a text that several share.
  func following(_ beginning: String) -> Example {
    guard !beginning.isEmpty else { return self }
    var example = self
    example.text = beginning + "\n" + text
    return example
  }

  private static func read(_ text: String) -> Contents {
    var contents = Contents()
    for section in sections(text) {
      if section.name.hasPrefix("found ") {
        contents.places += place(section.name).map { [$0] } ?? []
        continue
      }
      let isShipped = section.name.hasPrefix("shipped ")
      let name = isShipped ? String(section.name.dropFirst("shipped ".count)) : section.name
      let (text, found) = unmarked(section.lines, file: name)
      if isShipped {
        contents.shipped.append(SourceFile(path: name, text: text))
      } else {
        contents.files.append(SourceFile(path: name, text: text))
        contents.places += found
      }
    }
    contents.places.sort()
    return contents
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

  /// `found schema.lock 1:1`
  private static func place(_ text: String) -> SourceLocation? {
    let parts = text.split { $0 == " " || $0 == ":" }
    guard parts.count == 4, let line = Int(parts[2]), let column = Int(parts[3]) else { return nil }
    return SourceLocation(file: String(parts[1]), line: line, column: column)
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
