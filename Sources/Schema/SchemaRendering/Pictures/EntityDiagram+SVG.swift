internal import SchemaReporting

extension EntityDiagram {
  /// The picture as a drawing of its own: one version, without anything that is not in it.
  ///
  /// - Parameter title: What a reader hears who does not see it.
  package static func svg(_ diagram: EntityDiagram, _ layout: DiagramLayout, title: String)
    -> String
  {
    diagram.drawing(layout, title: title, style: "<style>\(ownStyle)</style>")
  }

  /// The picture of all versions, for a page: what holds from version 2 to version 4 is marked `data-v="2-4"`, how it came
  /// `data-a`, and that it ends with them `data-e`.
  package func markup(_ layout: DiagramLayout, title: String) -> String {
    drawing(layout, title: title, style: "")
  }

  /// What a drawing of its own looks like; a page has it in its style sheet.
  private static let ownStyle = """
    .d rect{fill:#fff;stroke:#57606a}.d text{font:12px ui-monospace,Menlo,Consolas,monospace;fill:#1f2328}\
    .d .n{font-weight:700}.d .l{fill:none;stroke:#57606a}.d .h{fill:#eaeef2;stroke:none}\
    @media(prefers-color-scheme:dark){.d rect{fill:#161b22;stroke:#8b949e}.d text{fill:#e6edf3}\
    .d .l{stroke:#8b949e}.d .h{fill:#21262d}}
    """

  private func drawing(_ layout: DiagramLayout, title: String, style: String) -> String {
    let margin = 8.0
    var text = """
      <svg class="d" xmlns="http://www.w3.org/2000/svg" role="img" aria-label="\(XMLText.text(title))" \
      width="\(number(layout.size.width + margin * 2))" height="\(number(layout.size.height + margin * 2))" \
      viewBox="\(number(-margin)) \(number(-margin)) \(number(layout.size.width + margin * 2)) \
      \(number(layout.size.height + margin * 2))">\(style)

      """
    for (link, curve) in zip(links, layout.curves) {
      text += "<g><path class=\"l\"\(span(link.entries)) d=\"\(path(curve))\"/>"
      let middle = Self.middle(curve)
      for entry in link.entries {
        text +=
          "<text class=\"c\"\(attributes(entry)) x=\"\(number(middle.x))\" y=\"\(number(middle.y - 4))\">"
          + "\(XMLText.text(entry.text))</text>"
      }
      text += "</g>\n"
    }
    for (box, corner) in zip(boxes, layout.corners) {
      let size = Self.size(box)
      text +=
        "<g class=\"b\"\(span(box.names)) transform=\"translate(\(number(corner.x)) \(number(corner.y)))\">"
        + "<rect width=\"\(number(size.width))\" height=\"\(number(size.height))\" rx=\"6\"/>"
        + "<path class=\"h\" d=\"M.5 \(number(Self.headHeight))V6.5a6 6 0 0 1 6-6H\(number(size.width - 6.5))"
        + "a6 6 0 0 1 6 6V\(number(Self.headHeight))z\"/>"
      for entry in box.names { text += label(entry, "n", 19) }
      for row in box.rows {
        let y = Self.headHeight + (Double(row.place) + 1) * Self.rowHeight - 1
        for entry in row.entries { text += label(entry, row.isRelationship ? "r" : "p", y) }
      }
      text += "</g>\n"
    }
    return text + "</svg>\n"
  }

  private func label(_ entry: Entry, _ style: String, _ y: Double) -> String {
    "<text class=\"\(style)\"\(attributes(entry)) x=\"\(number(Self.padding))\" y=\"\(number(y))\">"
      + "\(XMLText.text(entry.text))</text>"
  }

  private func attributes(_ entry: Entry) -> String {
    guard versions.count > 1 else { return "" }
    var text = mark(entry.versions)
    if let arrival = entry.arrival { text += " data-a=\"\(arrival.rawValue)\"" }
    if entry.ends, entry.versions.upperBound < versions.upperBound { text += " data-e" }
    return text
  }

  /// All of them together; they follow each other, or it is no matter which is meant.
  private func span(_ entries: [Entry]) -> String {
    guard versions.count > 1, let first = entries.first, let last = entries.last else { return "" }
    var text = mark(first.versions.lowerBound...last.versions.upperBound)
    if first.arrival != nil { text += " data-a=\"added\"" }
    if last.versions.upperBound < versions.upperBound { text += " data-e" }
    return text
  }

  private func mark(_ span: Span) -> String { " data-v=\"\(span.lowerBound)-\(span.upperBound)\"" }

  private func path(_ curve: [Point]) -> String {
    let points = curve.map { "\(number($0.x)) \(number($0.y))" }
    return "M\(points[0])C\(points.dropFirst().joined(separator: " "))"
  }

  /// The middle of its middle curve.
  private static func middle(_ curve: [Point]) -> Point {
    let start = (curve.count - 1) / 3 / 2 * 3
    let part = curve[start...].prefix(4)
    func at(_ value: (Point) -> Double) -> Double {
      let values = part.map(value)
      return (values[0] + 3 * values[1] + 3 * values[2] + values[3]) / 8
    }
    return Point(at { $0.x }, at { $0.y })
  }

  /// With one digit after the point, and none where it would be 0.
  private func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    let sign = tenths < 0 ? "-" : ""
    let (whole, part) = abs(tenths).quotientAndRemainder(dividingBy: 10)
    return "\(sign)\(whole)" + (part == 0 ? "" : ".\(part)")
  }
}
