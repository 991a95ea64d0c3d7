internal import SchemaModel
internal import SchemaReporting

/// The list of what is to be looked at when a schema changes, in Markdown, to be ticked off.
package struct AffectedChecklist: Sendable {
  /// The places that one step concerns.
  package struct Step: Sendable {
    /// `V8 → V9: Three-timezone model`
    package var title: String
    package var subjects: [AffectedSubject]
    /// By path.
    package var files: [AffectedFile]
  }

  /// A folder that was not looked into, and why.
  package struct Folder: Sendable {
    package var path: String
    /// As a clause: `written by 'schemagen generate'`.
    package var reason: String
  }

  /// Longer lines of code are cut.
  private static let longestCode = 120

  private let steps: [Step]
  private let folders: [Folder]

  package init(_ steps: [Step], folders: [Folder] = []) {
    self.steps = steps
    self.folders = folders
  }

  /// The list, with a line break at its end.
  package var text: String {
    var text = ""
    for (index, step) in steps.enumerated() {
      text += (index == 0 ? "" : "\n") + "# \(MarkdownText.escaped(step.title))\n\n" + summary(step)
      if index == 0 {
        for folder in folders { text += "- [ ] `\(folder.path)`: \(folder.reason)\n" }
        if !folders.isEmpty { text += "\n" }
      }
      text += step.subjects.indices.map { section($0, of: step) }.joined(separator: "\n")
    }
    return text
  }

  private func summary(_ step: Step) -> String {
    guard !step.subjects.isEmpty else { return "No change that code can see.\n" }
    let places = step.files.flatMap(\.places)
    let sure = places.filter(\.isSure).count
    var text = "\(counted(sure, "place")) in \(counted(step.files.count, "file"))"
    if sure < places.count {
      text =
        "\(counted(sure, "place")) and \(places.count - sure) more that may be meant, in "
        + counted(step.files.count, "file")
    }
    return text + ".\n\n"
  }

  private func section(_ index: Int, of step: Step) -> String {
    let subject = step.subjects[index]
    var text = "## \(subject.title)\n\n"
    for change in subject.changes { text += "*\(change)*\n\n" }
    let found = step.files.map { file in
      (file, file.places.filter { $0.subject == index })
    }.filter { !$0.1.isEmpty }
    guard !found.isEmpty else {
      return text
        + (subject.isNew ? "It is new: no line has to be edited for it.\n" : "Nothing uses it.\n")
    }
    var parts: [String] = []
    for layer in CodeLayer.allCases {
      let lines = found.filter { $0.0.layer == layer }.flatMap { list($0.1, sure: true) }
      if !lines.isEmpty { parts.append("### \(layer.rawValue)\n\n" + lines.joined()) }
    }
    let possible = found.sorted { ($0.0.layer, $0.0.path) < ($1.0.layer, $1.0.path) }
      .flatMap { list($0.1, sure: false) }
    if !possible.isEmpty {
      parts.append(
        "### Possibly\n\nThe name is the same; the file does not name the model.\n\n"
          + possible.joined())
    }
    return text + parts.joined(separator: "\n")
  }

  private func list(_ places: [AffectedPlace], sure: Bool) -> [String] {
    places.filter { $0.isSure == sure }.sorted { $0.place < $1.place }.map { place in
      "- [ ] \(Self.path(place.place.file)):\(place.place.line): \(Self.code(place.code))\n"
    }
  }

  /// Code in a line of Markdown.
  private static func code(_ text: String) -> String {
    MarkdownText.span(text.count > longestCode ? text.prefix(longestCode) + "…" : text)
  }

  /// A path that can be clicked: nothing is escaped but what would hide a part of it.
  private static func path(_ path: String) -> String {
    String(path.flatMap { "\\`*<[".contains($0) ? ["\\", $0] : [$0] })
  }
}
