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

  /// The files, without marks.
  package let files: [SourceFile]
  /// Manifests that were released.
  package let shipped: [SourceFile]
  /// Where something is found, in order.
  package let places: [SourceLocation]
  /// What is found there, in the same order. Only examples in Swift say so: lint finds the others' itself.
  package let findings: [Finding]
  /// What `--fix` writes, of files that it changes; also only in Swift.
  package let fixed: [SourceFile]
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
    var files: [SourceFile] = []
    var shipped: [SourceFile] = []
    var places: [SourceLocation] = []
    for section in Self.sections(text) {
      if section.name.hasPrefix("found ") {
        places += Self.place(section.name).map { [$0] } ?? []
        continue
      }
      let isShipped = section.name.hasPrefix("shipped ")
      let name = isShipped ? String(section.name.dropFirst("shipped ".count)) : section.name
      let (text, found) = Self.unmarked(section.lines, file: name)
      if isShipped {
        shipped.append(SourceFile(path: name, text: text))
      } else {
        files.append(SourceFile(path: name, text: text))
        places += found
      }
    }
    self.files = files
    self.shipped = shipped
    self.places = places.sorted()
    self.findings = findings
    self.fixed = fixed.isEmpty ? [] : Example(fixed).files
    self.companions = companions
    self.today = CalendarDay(today) ?? CalendarDay(year: 2026, month: 1, day: 1)!
  }

  private init(
    files: [SourceFile], shipped: [SourceFile], places: [SourceLocation], today: CalendarDay,
    companions: Set<String>
  ) {
    self.files = files
    self.shipped = shipped
    self.places = places
    findings = []
    fixed = []
    self.today = today
    self.companions = companions
  }

  /// The same with other files, and with nothing marked in them.
  package func replacing(_ files: [SourceFile]) -> Example {
    Example(files: files, shipped: shipped, places: [], today: today, companions: companions)
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
