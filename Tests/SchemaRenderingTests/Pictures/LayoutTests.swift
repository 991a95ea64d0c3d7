import SchemaRendering
import TestSupport
import Testing

@Suite struct LayoutTests {
  private static func graph(_ seed: Int) -> DiagramGraph {
    var random = SplitMix64(seed: UInt64(seed))
    let count = 1 + random.below(40)
    let boxes = (0..<count).map { _ in
      DiagramGraph.Size(Double(80 + random.below(200)), Double(30 + random.below(400)))
    }
    var lines: [DiagramGraph.Line] = []
    for _ in 0..<random.below(60) {
      let line = DiagramGraph.Line(random.below(count), random.below(count))
      if !lines.contains(line) { lines.append(line) }
    }
    return DiagramGraph(boxes: boxes, lines: lines)
  }

  @Test("Without Graphviz, no two boxes overlap, and none is outside", arguments: 0..<80)
  func overlaps(seed: Int) {
    let graph = Self.graph(seed)
    let layout = DiagramLayout(rowsOf: graph)
    let frames = zip(layout.corners, graph.boxes).map { corner, size in
      (corner.x, corner.y, corner.x + size.width, corner.y + size.height)
    }
    for (place, frame) in frames.enumerated() {
      #expect(frame.0 >= 0 && frame.1 >= 0)
      #expect(frame.2 <= layout.size.width + 0.01 && frame.3 <= layout.size.height + 0.01)
      for other in frames[..<place] {
        #expect(
          frame.0 >= other.2 || other.0 >= frame.2 || frame.1 >= other.3 || other.1 >= frame.3)
      }
    }
    #expect(layout.curves.isEmpty)
  }

  private static let small = DiagramGraph(
    boxes: [.init(144, 72), .init(72, 36), .init(50, 60)], lines: [.init(0, 1), .init(1, 1)])

  /// What `dot -Tplain` 2.43 wrote for `small.dot`.
  private static let plain = """
    graph 1 4.6944 1
    node n0 1 0.5 2 1 "" solid box black lightgrey
    node n1 3.9444 0.5 1 0.5 "" solid box black lightgrey
    edge n0 n1 4 2.0156 0.5 2.4732 0.5 3.0117 0.5 3.4118 0.5 solid black
    edge n1 n1 7 3.6877 0.75 3.6396 0.86 3.7252 0.94 3.9444 0.94 4.0846 0.94 4.1701 0.9072 4.201 0.85 solid black
    stop

    """

  @Test func graphviz() throws {
    #expect(
      Self.small.dot.contains("n0 [width=2.0, height=1.0];") && Self.small.dot.contains("n1 -> n1;")
    )
    let layout = try #require(Self.small.layout(plain: Self.plain))
    // What has no line is below.
    #expect(layout.corners == [Point(0, 0), Point(3.9444 * 72 - 36, 18), Point(0, 72 + 56)])
    #expect(layout.size.height == 72 + 56 + 60 && !Self.small.dot.contains("n2"))
    #expect(layout.curves.map(\.count) == [4, 7])
    #expect(layout.curves[0][0] == Point(2.0156 * 72, 36))
  }

  @Test(
    "What is not Graphviz's answer is refused",
    arguments: [
      "", "stop", "graph 1 4 1\nstop", plain.replacing("n1", with: "n7"),
      plain.replacing("node n1", with: "no"),
      plain.replacing("edge n1 n1 7", with: "edge n1 n1 70"),
      plain.replacing("n0 n1 4", with: "n0 n1 -2"),
      plain.replacing("4.6944", with: "nan"), plain.replacing("edge n0", with: "edge n1"),
    ])
  func refused(text: String) { #expect(Self.small.layout(plain: text) == nil) }
}
