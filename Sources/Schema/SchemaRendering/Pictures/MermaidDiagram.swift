package import SchemaEvolution
internal import SchemaModel

/// Diagrams that GitHub and GitLab draw in Markdown.
package enum MermaidDiagram {
  /// Mermaid draws nothing that has more than 50,000 UTF-16 units.
  static let limit = 49_000
  /// Mermaid draws no flowchart with more arrows than this.
  static let arrowLimit = 500

  /// Where the values of a step's changed fields go; nil where none goes anywhere, or too many do.
  package static func step(_ step: VersionStep) -> String? {
    guard !step.routes.isEmpty else { return nil }
    let names = [step.old, step.new].map(\.number.name)
    var nodes: [[ElementPath]] = [[], []]
    var known: [[ElementPath: Int]] = [[:], [:]]
    func node(_ path: ElementPath, _ side: Int) -> String {
      let place = known[side][path] ?? nodes[side].count
      if place == nodes[side].count {
        nodes[side].append(path)
        known[side][path] = place
      }
      return "\(side == 0 ? "a" : "b")\(place)"
    }
    var arrows: [String] = []
    var styles: [String] = []
    for (place, route) in step.routes.enumerated() {
      let from = route.from.map { node($0, 0) }
      let to = route.to.map { node($0, 1) }
      switch (from, to, route.fallback) {
      case (let from?, let to?, let fallback):
        var words = ""
        if case .value(let text)? = fallback { words = "|\"\(label(text))\"|" }
        arrows.append("  \(from) -->\(words) \(to)")
      case (let from?, nil, let fallback):
        var words = "dropped"
        if case .dropped(let word)? = fallback { words = "dropped: \(word.text)" }
        arrows.append("  \(from) -.-x g\(place)[\"\(label(words))\"]")
        styles.append("  class g\(place) gone")
      case (nil, let to?, let fallback):
        var words = "new"
        if case .value(let text)? = fallback { words = "new: \(text)" }
        arrows.append("  n\(place)[\"\(label(words))\"] --> \(to)")
        styles.append("  class n\(place) new")
      case (nil, nil, _): break
      }
    }
    guard arrows.count <= arrowLimit else { return nil }
    var lines = ["flowchart LR"]
    for side in [0, 1] where !nodes[side].isEmpty {
      lines.append("  subgraph \(side == 0 ? "from" : "to") [\"\(label(names[side]))\"]")
      for path in nodes[side] {
        lines.append("    \(node(path, side))[\"\(label(path.description))\"]")
      }
      lines.append("  end")
    }
    lines += arrows + styles
    if styles.contains(where: { $0.hasSuffix(" gone") }) {
      lines.append("  classDef gone stroke:#cf222e,stroke-dasharray:4")
    }
    if styles.contains(where: { $0.hasSuffix(" new") }) {
      lines.append("  classDef new stroke:#1a7f37,stroke-dasharray:4")
    }
    return joined(lines)
  }

  private static func joined(_ lines: [String]) -> String? {
    let text = lines.joined(separator: "\n") + "\n"
    return text.utf16.count > limit ? nil : text
  }

  /// Words within quotes, which nothing in them ends.
  private static func label(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "#quot;"
      case "#": result += "#35;"
      case "<": result += "#lt;"
      case ">": result += "#gt;"
      case "&": result += "#amp;"
      case "`": result += "#96;"
      case _ where scalar.properties.isWhitespace || scalar.value < 0x20: result += " "
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
