package import SchemaEvolution
internal import SchemaModel

/// The models of some versions as boxes and their relationships as lines, each where it is in all of them.
package struct EntityDiagram: Sendable {
  /// Versions in a row, by their places in the history.
  package typealias Span = ClosedRange<Int>

  /// A text for as long as it holds.
  package struct Entry: Equatable, Sendable {
    package var text: String
    package var versions: Span
    /// How it came to be, at the first of its versions; nil where the picture begins with it.
    package var arrival: Arrival?
    /// Whether the next version has nothing in its place.
    package var ends: Bool
  }

  package enum Arrival: String, Sendable {
    case added, changed
  }

  /// A line in a box: what a property is.
  package struct Row: Equatable, Sendable {
    /// From the top, 0 being the first below the name.
    package var place: Int
    package var entries: [Entry]
    package var isRelationship: Bool
  }

  package struct Box: Equatable, Sendable {
    package var names: [Entry]
    package var rows: [Row]
    package var versions: Span {
      names[0].versions.lowerBound...names[names.count - 1].versions.upperBound
    }
  }

  /// Relationships between two boxes.
  package struct Link: Equatable, Sendable {
    package var line: DiagramGraph.Line
    /// What stands at the two ends, as `1 — *`.
    package var entries: [Entry]
  }

  package let versions: Span
  package private(set) var boxes: [Box] = []
  package private(set) var links: [Link] = []

  static let rowHeight = 18.0
  static let headHeight = 28.0
  static let padding = 10.0
  /// Of one character in the picture's font, which gives all the same.
  static let characterWidth = 7.25

  /// - Parameters:
  ///   - tracks: Those of the history.
  ///   - versions: Which versions of the history are shown; all of them where it is nil.
  package init(_ evolution: Evolution, tracks: [ModelTrack], versions: Span? = nil) {
    let last = evolution.history.count - 1
    self.versions = versions ?? 0...max(last, 0)
    guard last >= 0 else { return }
    var boxOfTrack: [Int: Int] = [:]
    for (number, track) in tracks.enumerated() {
      let names = entries(track.forms) { model in
        model.name + (model.superclass.map { ": \($0.value)" } ?? "")
      }
      guard !names.isEmpty else { continue }
      boxOfTrack[number] = boxes.count
      boxes.append(Box(names: names, rows: rows(of: track)))
    }
    links = links(tracks, boxOfTrack, evolution)
  }

  /// The graph that is to be laid out.
  package var graph: DiagramGraph {
    DiagramGraph(boxes: boxes.map(Self.size), lines: links.map(\.line))
  }

  static func size(_ box: Box) -> DiagramGraph.Size {
    let texts = box.names.map(\.text) + box.rows.flatMap { $0.entries.map(\.text) }
    let longest = texts.map(\.count).max() ?? 0
    let rows = (box.rows.map(\.place).max() ?? -1) + 1
    return .init(
      Double(longest) * characterWidth + padding * 2,
      headHeight + Double(rows) * rowHeight + (rows > 0 ? padding : 0))
  }

  /// What something says of itself, with equal neighbours as one.
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

  /// A property takes the first place that is free for as long as it is there, and for the version after, where it is
  /// shown to be gone.
  private func rows(of track: ModelTrack) -> [Row] {
    var rows: [Row] = []
    var freeFrom: [Int] = []
    let found = track.properties.map { property in
      (entries: entries(property.forms, Self.text), isRelationship: isRelationship(property))
    }
    for (entries, isRelationship) in found.filter({ !$0.entries.isEmpty }).sorted(by: {
      $0.entries[0].versions.lowerBound < $1.entries[0].versions.lowerBound
    }) {
      let first = entries[0].versions.lowerBound
      let last = entries[entries.count - 1].versions.upperBound
      let place = freeFrom.firstIndex { $0 <= first } ?? freeFrom.count
      if place == freeFrom.count { freeFrom.append(0) }
      freeFrom[place] = last + 2
      rows.append(Row(place: place, entries: entries, isRelationship: isRelationship))
    }
    return rows
  }

  private func isRelationship(_ property: PropertyTrack) -> Bool {
    versions.contains { property.forms[$0]?.relationship != nil }
  }

  private static func text(_ property: Property) -> String {
    var words = ["\(property.name): \(property.type)"]
    if property.isUnique { words.append("unique") }
    if property.isTransient { words.append("transient") }
    if let relationship = property.relationship {
      if relationship.deleteRule != .nullify { words.append(relationship.deleteRule.rawValue) }
      if let inverse = relationship.inverse { words.append("↔ \(inverse.value)") }
    }
    return words.joined(separator: " ")
  }

  /// All relationships between two models are one line.
  private func links(
    _ tracks: [ModelTrack], _ boxOfTrack: [Int: Int], _ evolution: Evolution
  ) -> [Link] {
    var ends: [DiagramGraph.Line: [[String]?]] = [:]
    var order: [DiagramGraph.Line] = []
    for version in versions {
      var boxes: [String: Int] = [:]
      for (number, track) in tracks.enumerated() {
        if let model = track.forms[version] { boxes[model.name] = boxOfTrack[number] }
      }
      let models = Dictionary(evolution.history[version].models, keyedBy: \.name)
      for model in evolution.history[version].models {
        guard let from = boxes[model.name] else { continue }
        for property in model.properties {
          guard let relationship = property.relationship,
            let to = boxes[relationship.destination.value]
          else { continue }
          let inverse = relationship.inverse.flatMap {
            models[relationship.destination.value]?.property(named: $0.value)?.relationship
          }
          // One of two inverse ends speaks for both: the one that leads to many, or else to the right.
          if let inverse,
            (inverse.cardinality.isMany && !relationship.cardinality.isMany)
              || (inverse.cardinality.isMany == relationship.cardinality.isMany
                && (to, relationship.inverse?.value ?? "") < (from, property.name))
          {
            continue
          }
          let line = DiagramGraph.Line(from, to)
          if ends[line] == nil {
            order.append(line)
            ends[line] = Array(repeating: nil, count: evolution.history.count)
          }
          let text = "\(inverse.map(Self.cardinality) ?? "") — \(Self.cardinality(relationship))"
          ends[line]![version, default: []].append(text)
        }
      }
    }
    return order.map { line in
      let texts = ends[line]!
      return Link(
        line: line,
        entries: entries(texts) { Set($0).sorted().joined(separator: ", ") })
    }
  }

  /// How many rows are at that end.
  private static func cardinality(_ relationship: Relationship) -> String {
    switch relationship.cardinality {
    case .one: "1"
    case .optionalOne: "0..1"
    case .many, .optionalMany: "*"
    }
  }
}

extension Array {
  /// An element that may be nil, and is a default then.
  fileprivate subscript<Wrapped>(index: Int, default value: Wrapped) -> Wrapped
  where Element == Wrapped? {
    get { self[index] ?? value }
    set { self[index] = newValue }
  }
}
