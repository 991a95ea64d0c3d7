/// A place in a picture, in pixels from its upper left corner.
package struct Point: Equatable, Sendable {
  package var x: Double
  package var y: Double

  package init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }
}

/// Boxes of given sizes and lines between them.
package struct DiagramGraph: Equatable, Sendable {
  package struct Size: Equatable, Sendable {
    package var width: Double
    package var height: Double

    package init(_ width: Double, _ height: Double) {
      self.width = width
      self.height = height
    }
  }

  /// A line from one box to another, or to itself: their places in the list.
  package struct Line: Hashable, Sendable {
    package var from: Int
    package var to: Int

    package init(_ from: Int, _ to: Int) {
      self.from = from
      self.to = to
    }
  }

  package var boxes: [Size]
  /// Each once.
  package var lines: [Line]

  package init(boxes: [Size], lines: [Line]) {
    self.boxes = boxes
    self.lines = lines
  }
}

/// Where boxes stand and how lines run.
package struct DiagramLayout: Equatable, Sendable {
  package var size: DiagramGraph.Size
  /// The upper left corners of the boxes.
  package var corners: [Point]
  /// For each line, a start and then three points for each cubic curve; empty where nothing has placed lines.
  package var curves: [[Point]]
}

// MARK: - Without another program

extension DiagramLayout {
  private static let gap = 28.0

  /// Boxes in rows, in their order, and no lines.
  package init(rowsOf graph: DiagramGraph) {
    corners = Array(repeating: Point(0, 0), count: graph.boxes.count)
    size = .init(0, 0)
    curves = []
    place(Array(graph.boxes.indices), of: graph)
  }

  /// In rows as wide as the rest, or about as wide as they are high together.
  fileprivate mutating func place(_ loners: [Int], of graph: DiagramGraph) {
    guard !loners.isEmpty else { return }
    let area = loners.map { graph.boxes[$0].width * graph.boxes[$0].height }.reduce(0, +)
    let width = max(size.width, (area * 2).squareRoot())
    var corner = Point(0, size.height == 0 ? 0 : size.height + Self.gap * 2)
    var row = 0.0
    for box in loners {
      let size = graph.boxes[box]
      if corner.x > 0, corner.x + size.width > width {
        corner = Point(0, corner.y + row + Self.gap)
        row = 0
      }
      corners[box] = corner
      corner.x += size.width + Self.gap
      row = max(row, size.height)
      self.size.width = max(self.size.width, corner.x - Self.gap)
      self.size.height = max(self.size.height, corner.y + row)
    }
  }

}

// MARK: - With Graphviz

extension DiagramGraph {
  private static let perInch = 72.0

  /// The boxes that Graphviz places: those with lines.
  private var linked: Set<Int> { Set(lines.flatMap { [$0.from, $0.to] }) }

  /// What is linked, in Graphviz's language, for `dot -Tplain`: it would pile up the rest.
  package var dot: String {
    let linked = linked
    let nodes = boxes.enumerated().filter { linked.contains($0.offset) }.map { place, size in
      "  n\(place) [width=\(size.width / Self.perInch), height=\(size.height / Self.perInch)];\n"
    }
    let edges = lines.map { "  n\($0.from) -> n\($0.to);\n" }
    return """
      digraph {
        graph [rankdir=LR, nodesep=0.4, ranksep=1.2, splines=true];
        node [shape=box, fixedsize=true, label=""];
        edge [arrowhead=none];
      \(nodes.joined())\(edges.joined())}

      """
  }

  /// The layout in what `dot -Tplain` wrote; nil if it is not of this graph.
  package func layout(plain: String) -> DiagramLayout? {
    let linked = linked
    var size: Size?
    var corners: [Point?] = Array(repeating: nil, count: boxes.count)
    var curves: [Line: [Point]] = [:]
    for line in plain.split(separator: "\n") {
      let words = line.split(separator: " ")
      func number(_ place: Int) -> Double? {
        guard place < words.count, let value = Double(words[place]), value.isFinite else {
          return nil
        }
        return value * Self.perInch
      }
      func node(_ place: Int) -> Int? {
        guard place < words.count, words[place].first == "n",
          let node = Int(words[place].dropFirst()),
          boxes.indices.contains(node)
        else { return nil }
        return node
      }
      switch words.first {
      case "graph":
        guard let width = number(2), let height = number(3) else { return nil }
        size = Size(width, height)
      case "node":
        guard let size, let box = node(1), let x = number(2), let y = number(3) else { return nil }
        corners[box] = Point(x - boxes[box].width / 2, size.height - y - boxes[box].height / 2)
      case "edge":
        guard let size, let from = node(1), let to = node(2), words.count > 3,
          let count = Int(words[3]), count % 3 == 1, count >= 4, count < 10_000
        else { return nil }
        var points: [Point] = []
        for place in 0..<count {
          guard let x = number(4 + place * 2), let y = number(5 + place * 2) else { return nil }
          points.append(Point(x, size.height - y))
        }
        curves[Line(from, to)] = points
      default: break
      }
    }
    guard let size else { return nil }
    let drawn = lines.compactMap { curves[$0] }
    let loners = boxes.indices.filter { corners[$0] == nil }
    guard drawn.count == lines.count, loners.allSatisfy({ !linked.contains($0) }) else {
      return nil
    }
    var layout = DiagramLayout(
      size: size, corners: corners.map { $0 ?? Point(0, 0) }, curves: drawn)
    layout.place(loners, of: self)
    return layout
  }
}
