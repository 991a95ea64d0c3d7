package import SchemaEvolution
package import SchemaModel
internal import SchemaReporting

/// The models of some versions as boxes, each in the same place in all versions.
package struct EntityDiagram: Sendable {
  /// Consecutive versions, by their indices in the history.
  package typealias Span = ClosedRange<Int>

  /// A label, and the versions in which it is shown.
  package struct Entry: Equatable, Sendable {
    package var text: String
    package var versions: Span
    /// How the label appeared in its first version; nil in the picture's first version.
    package var arrival: Arrival?
    /// Whether the next version has no such label.
    package var ends: Bool
  }

  package enum Arrival: String, Sendable {
    case added, changed
  }

  package struct Row: Equatable, Sendable {
    package var entries: [Entry]
    package var isRelationship: Bool
  }

  package struct Box: Equatable, Sendable {
    package var names: [Entry]
    package var rows: [Row]
  }

  package let versions: Span
  package private(set) var boxes: [Box] = []

  package init(tracks: [ModelTrack], versions: Span) {
    self.versions = versions
    for track in tracks {
      let names = entries(track.forms) { model in
        model.name + (model.superclass.map { ": \($0.value)" } ?? "")
      }
      guard !names.isEmpty else { continue }
      let rows = track.properties.map { property in
        Row(
          entries: entries(property.forms) { $0.pictured },
          isRelationship: versions.contains { property.forms[$0]?.relationship != nil })
      }
      boxes.append(Box(names: names, rows: rows.filter { !$0.entries.isEmpty }))
    }
  }

  private func entries<Form>(_ forms: [Form?], _ text: (Form) -> String) -> [Entry] {
    var entries: [Entry] = []
    for version in versions {
      guard let form = forms[version] else { continue }
      let text = text(form)
      if let last = entries.indices.last, entries[last].versions.upperBound == version - 1 {
        if entries[last].text == text {
          entries[last].versions = entries[last].versions.lowerBound...version
          continue
        }
        entries[last].ends = false
        entries.append(
          Entry(text: text, versions: version...version, arrival: .changed, ends: true))
      } else {
        let arrival = version == versions.lowerBound ? nil : Arrival.added
        entries.append(Entry(text: text, versions: version...version, arrival: arrival, ends: true))
      }
    }
    return entries
  }

  // MARK: HTML

  /// The boxes for a page. A label of versions 2 to 4 has `data-v="2-4"`, its arrival in `data-a`, and `data-e` if
  /// version 5 has no such label.
  package var html: String {
    let boxes = boxes.map { box in
      let rows = box.rows.map { row in
        "<li>\(row.entries.map { element("span", row.isRelationship ? "r" : "p", [$0], XMLText.text($0.text)) }.joined())</li>"
      }
      let names = box.names.map { element("span", "n", [$0], XMLText.text($0.text)) }
      return element(
        "div", "b", box.names,
        "<div class=\"h\">\(names.joined())</div><ul>\(rows.joined())</ul>") + "\n"
    }
    return "<div class=\"d\">\n\(boxes.joined())</div>\n"
  }

  /// An element that is shown in the versions of its consecutive entries.
  private func element(
    _ name: String, _ style: String, _ entries: [Entry], _ content: String
  ) -> String {
    var (marks, style) = ("", style)
    if versions.count > 1, let first = entries.first, let last = entries.last {
      marks = " data-v=\"\(first.versions.lowerBound)-\(last.versions.upperBound)\""
      // The later entries are renames, so the element was added before them.
      let arrival = entries.count > 1 ? first.arrival.map { _ in .added } : first.arrival
      marks += arrival.map { " data-a=\"\($0.rawValue)\"" } ?? ""
      // Without a script the page shows the newest version.
      if last.versions.upperBound < versions.upperBound {
        style += " off"
        if last.ends { marks += " data-e" }
      }
    }
    return "<\(name) class=\"\(style)\"\(marks)>\(content)</\(name)>"
  }
}

extension Property {
  fileprivate var pictured: String {
    var words = ["\(name): \(type)"]
    if isUnique { words.append("unique") }
    if isTransient { words.append("transient") }
    if let relationship {
      if relationship.deleteRule != .nullify { words.append(relationship.deleteRule.rawValue) }
      if let inverse = relationship.inverse { words.append("↔ \(inverse.value)") }
    }
    return words.joined(separator: " ")
  }
}

// MARK: - Graphviz

extension EntityDiagram {
  /// One version's models and the relationships between them, in Graphviz's language.
  package static func dot(_ version: SchemaVersion, title: String) -> String {
    func quoted(_ text: String) -> String {
      "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
    let nodes = version.models.map { model in
      let name = model.name + (model.superclass.map { ": \($0.value)" } ?? "")
      let rows = model.properties.map {
        "<tr><td align=\"left\">\(XMLText.text($0.pictured))</td></tr>"
      }
      return
        "  \(quoted(model.name)) [label=<<table border=\"1\" cellborder=\"0\" cellspacing=\"0\" cellpadding=\"3\">"
        + "<tr><td bgcolor=\"#eaeef2\"><b>\(XMLText.text(name))</b></td></tr>\(rows.joined())</table>>];\n"
    }
    let models = Dictionary(version.models, keyedBy: \.name)
    let edges = version.models.flatMap { model in
      model.properties.compactMap { property -> String? in
        guard let relationship = property.relationship,
          let target = models[relationship.destination.value]
        else { return nil }
        let inverse = relationship.inverse.flatMap {
          target.property(named: $0.value)?.relationship
        }
        // One of two inverse ends represents both: the to-many one, or else the first by name.
        if let inverse,
          (inverse.cardinality.isMany && !relationship.cardinality.isMany)
            || (inverse.cardinality.isMany == relationship.cardinality.isMany
              && (target.name, relationship.inverse?.value ?? "") < (model.name, property.name))
        {
          return nil
        }
        let ends = "\(inverse.map(count) ?? "") — \(count(relationship))"
        return "  \(quoted(model.name)) -> \(quoted(target.name)) [label=\(quoted(ends))];\n"
      }
    }
    return """
      digraph \(quoted(title)) {
        graph [rankdir=LR, nodesep=0.4, ranksep=1.2, bgcolor=white, pack=true];
        node [shape=plain, fontname=monospace, fontsize=11];
        edge [arrowhead=none, fontname=monospace, fontsize=10];
      \(nodes.joined())\(edges.joined())}

      """
  }

  private static func count(_ relationship: Relationship) -> String {
    switch relationship.cardinality {
    case .one: "1"
    case .optionalOne: "0..1"
    case .many, .optionalMany: "*"
    }
  }
}
