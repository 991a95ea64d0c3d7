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
  /// For each line, a start and then three points for each cubic curve.
  package var curves: [[Point]]
}

// MARK: - Without another program

extension DiagramLayout {
  private static let gap = Point(110, 28)

  /// Boxes in columns, so that most lines lead to the right; boxes without lines in rows below.
  package init(_ graph: DiagramGraph) {
    let columns = Self.columns(graph)
    corners = Array(repeating: Point(0, 0), count: graph.boxes.count)
    let heights = columns.map { column in
      column.map { graph.boxes[$0].height + Self.gap.y }.reduce(-Self.gap.y, +)
    }
    let height = max(heights.max() ?? 0, 0)
    var x = 0.0
    for (column, tall) in zip(columns, heights) {
      var y = (height - tall) / 2
      for box in column {
        corners[box] = Point(x, y)
        y += graph.boxes[box].height + Self.gap.y
      }
      x += (column.map { graph.boxes[$0].width }.max() ?? 0) + Self.gap.x
    }
    size = .init(max(x - Self.gap.x, 0), height)
    curves = []
    place(Self.loners(graph), of: graph)
    // A loop stands out to the right of its box.
    if graph.lines.contains(where: { $0.from == $0.to }) { size.width += Self.gap.x / 2 }
    curves = graph.lines.map { curve($0, graph) }
  }

  /// Boxes that no line leads to or from another.
  private static func loners(_ graph: DiagramGraph) -> [Int] {
    var linked: Set<Int> = []
    for line in graph.lines where line.from != line.to { linked.formUnion([line.from, line.to]) }
    return graph.boxes.indices.filter { !linked.contains($0) }
  }

  /// In rows as wide as the rest, or about as wide as they are high together.
  fileprivate mutating func place(_ loners: [Int], of graph: DiagramGraph) {
    guard !loners.isEmpty else { return }
    let area = loners.map { graph.boxes[$0].width * graph.boxes[$0].height }.reduce(0, +)
    let width = max(size.width, (area * 2).squareRoot())
    var corner = Point(0, size.height == 0 ? 0 : size.height + Self.gap.y * 2)
    var row = 0.0
    for box in loners {
      let size = graph.boxes[box]
      if corner.x > 0, corner.x + size.width > width {
        corner = Point(0, corner.y + row + Self.gap.y)
        row = 0
      }
      corners[box] = corner
      corner.x += size.width + Self.gap.y
      row = max(row, size.height)
      self.size.width = max(self.size.width, corner.x - Self.gap.y)
      self.size.height = max(self.size.height, corner.y + row)
    }
  }

  /// Each box one column after the boxes with lines to it; lines that close a circle do not count. Within a column, boxes
  /// stand beside those that they are linked to.
  private static func columns(_ graph: DiagramGraph) -> [[Int]] {
    var next: [[Int]] = Array(repeating: [], count: graph.boxes.count)
    var neighbours = next
    for line in graph.lines where line.from != line.to {
      next[line.from].append(line.to)
      neighbours[line.from].append(line.to)
      neighbours[line.to].append(line.from)
    }
    // Depth first, without recursion: a chain may be long.
    var state = Array(repeating: 0, count: graph.boxes.count)
    var order: [Int] = []
    for start in graph.boxes.indices where state[start] == 0 {
      var stack = [(start, 0)]
      state[start] = 1
      while let (box, child) = stack.last {
        if child < next[box].count {
          stack[stack.count - 1].1 += 1
          let target = next[box][child]
          if state[target] == 0 {
            state[target] = 1
            stack.append((target, 0))
          } else if state[target] == 1 {
            // It is on the way here: a circle.
            next[box][child] = box
          }
        } else {
          state[box] = 2
          order.append(box)
          stack.removeLast()
        }
      }
    }
    var column = Array(repeating: 0, count: graph.boxes.count)
    for box in order.reversed() {
      for target in next[box] where target != box {
        column[target] = max(column[target], column[box] + 1)
      }
    }
    let loners = Set(loners(graph))
    var columns: [[Int]] = Array(repeating: [], count: (column.max() ?? 0) + 1)
    for box in graph.boxes.indices where !loners.contains(box) { columns[column[box]].append(box) }
    var rank = Array(repeating: 0.0, count: graph.boxes.count)
    func number(_ index: Int) {
      for (place, box) in columns[index].enumerated() {
        rank[box] = (Double(place) + 0.5) / Double(columns[index].count)
      }
    }
    columns.indices.forEach(number)
    for turn in 0..<8 {
      let order = turn % 2 == 0 ? Array(columns.indices) : columns.indices.reversed()
      for index in order {
        let wanted = columns[index].map { box in
          (
            box: box,
            rank: neighbours[box].map { rank[$0] }.reduce(0, +)
              / Double(max(neighbours[box].count, 1))
          )
        }
        columns[index] = wanted.sorted { ($0.rank, $0.box) < ($1.rank, $1.box) }.map(\.box)
        number(index)
      }
    }
    return columns
  }

  private func curve(_ line: DiagramGraph.Line, _ graph: DiagramGraph) -> [Point] {
    let (from, to) = (corners[line.from], corners[line.to])
    let (size, other) = (graph.boxes[line.from], graph.boxes[line.to])
    if line.from == line.to {
      let (x, out) = (from.x + size.width, Self.gap.x / 2)
      let (high, low) = (from.y + 8, from.y + min(size.height - 6, 43))
      return [
        Point(x, high), Point(x + out, high), Point(x + out, low), Point(x, low),
      ]
    }
    // From side to side; boxes above each other are linked at their right sides.
    let isRight = to.x >= from.x + size.width
    let isLeft = to.x + other.width <= from.x
    let start = Point(isLeft ? from.x : from.x + size.width, from.y + size.height / 2)
    let end = Point(isRight ? to.x : to.x + other.width, to.y + other.height / 2)
    let pull = Swift.max(abs(end.x - start.x) / 2, Self.gap.x / 2)
    return [
      start, Point(start.x + (isLeft ? -pull : pull), start.y),
      Point(end.x + (isRight ? -pull : pull), end.y), end,
    ]
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
