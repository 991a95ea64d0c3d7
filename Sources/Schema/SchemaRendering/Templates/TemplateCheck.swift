internal import SchemaModel

/// Checks a template's names against its view model.
///
/// swift-mustache silently renders unknown names as nothing. The check reports them with their place.
struct TemplateCheck {
  let file: SourceFile
  let view: any TemplateView.Type

  /// A `{{…}}` and its place.
  private struct Tag {
    var kind: Character?
    var name: String
    var location: SourceLocation
  }

  func diagnostics() -> [Diagnostic] {
    var found: [Diagnostic] = []
    let tags = tags(&found)
    // Each open section, with the view that names in the section belong to; nil for a section without a separate view.
    var stack: [(tag: Tag, view: (any TemplateView.Type)?)] = []
    for tag in tags {
      switch tag.kind {
      case "!", "%": break
      case "#", "^":
        let view = lookup(tag, stack.compactMap(\.view), &found)
        stack.append((tag, tag.kind == "#" ? view : nil))
      case "/":
        guard let open = stack.popLast() else {
          found.append(error("'{{/\(tag.name)}}' closes nothing", tag))
          continue
        }
        if open.tag.name != tag.name {
          found.append(
            error("'{{/\(tag.name)}}' is found where '{{/\(open.tag.name)}}' is expected", tag))
        }
      case ">", "<", "$", "=", "*":
        found.append(
          error("'{{\(tag.kind!)' is not supported: a template cannot include another one", tag))
      default: _ = lookup(tag, stack.compactMap(\.view), &found)
      }
    }
    for open in stack { found.append(error("'{{#\(open.tag.name)}}' is never closed", open.tag)) }
    return found
  }

  private func error(_ message: String, _ tag: Tag, help: [String] = []) -> Diagnostic {
    Diagnostic(.template, message, at: tag.location, help: help)
  }

  /// The view of a named section, searched from the innermost section; nil and a finding if the name is unknown.
  private func lookup(
    _ tag: Tag, _ sections: [any TemplateView.Type], _ found: inout [Diagnostic]
  ) -> (any TemplateView.Type)? {
    if tag.name == "." { return nil }
    let views = [view] + sections
    for view in views.reversed() where view.memberNames.contains(tag.name) {
      return view.sections[tag.name]
    }
    let known = views.flatMap { $0.memberNames }
    found.append(
      error(
        "'\(tag.name)' is unknown to this template", tag,
        help: Suggestion.help(for: tag.name, among: known)
          + ["it has: " + Set(known).sorted().joined(separator: ", ")]))
    return nil
  }

  private func tags(_ found: inout [Diagnostic]) -> [Tag] {
    var tags: [Tag] = []
    for (index, line) in file.text.split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated()
    {
      var rest = line[...]
      while let open = rest.firstRange(of: "{{") {
        let column = line.unicodeScalars.distance(from: line.startIndex, to: open.lowerBound) + 1
        let isTriple = rest[open.upperBound...].first == "{"
        let start = isTriple ? rest.index(after: open.upperBound) : open.upperBound
        guard let close = rest[start...].firstRange(of: isTriple ? "}}}" : "}}") else {
          found.append(
            Diagnostic(
              .template, "'{{' is never closed",
              at: SourceLocation(file: file.path, line: index + 1, column: column, length: 2)))
          return tags
        }
        let content = String(rest[start..<close.lowerBound])
        let kind = content.first.flatMap { "#^/!%><$=*&".contains($0) ? $0 : nil }
        let name = kind == nil ? content : String(content.dropFirst())
        tags.append(
          Tag(
            kind: kind == "&" ? nil : kind, name: name.trimmingSpaces(),
            location: SourceLocation(
              file: file.path, line: index + 1, column: column, length: content.count + 4)))
        rest = rest[close.upperBound...]
      }
    }
    return tags
  }
}
