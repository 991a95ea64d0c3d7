package import SchemaModel

/// A path from a file's root to a node, of keys and of indices in lists.
package struct YAMLPath: Hashable, Sendable, ExpressibleByArrayLiteral {
  package enum Step: Hashable, Sendable, ExpressibleByStringLiteral {
    case key(String)
    case index(Int)

    package init(stringLiteral value: String) { self = .key(value) }
  }

  package var steps: [Step]

  package init(_ steps: [Step]) { self.steps = steps }
  package init(arrayLiteral steps: Step...) { self.steps = steps }

  package init(keys: [String]) { steps = keys.map(Step.key) }

  package init(of element: ElementPath) {
    self.init(
      keys: ["models", element.owner] + (element.member.map { ["properties", $0] } ?? []))
  }

  package func appending(_ step: Step) -> YAMLPath { YAMLPath(steps + [step]) }

  package var parent: YAMLPath? { steps.isEmpty ? nil : YAMLPath(steps.dropLast()) }
}

extension YAMLNode {
  package var entries: [YAMLEntry] {
    if case .mapping(let entries) = content { return entries }
    return []
  }

  package var items: [YAMLNode] {
    if case .sequence(let items) = content { return items }
    return []
  }

  package func entry(_ key: String) -> YAMLEntry? { entries.first { $0.key == key } }

  package func node(at path: YAMLPath) -> YAMLNode? {
    var node = self
    for step in path.steps {
      switch step {
      case .key(let key):
        guard let entry = node.entry(key) else { return nil }
        node = entry.value
      case .index(let index):
        guard node.items.indices.contains(index) else { return nil }
        node = node.items[index]
      }
    }
    return node
  }

  /// The entry whose value is at the path; nil if the path ends in a list or does not exist.
  package func entry(at path: YAMLPath) -> YAMLEntry? {
    guard let parent = path.parent, case .key(let key)? = path.steps.last else { return nil }
    return node(at: parent)?.entry(key)
  }
}

/// The paths of a file's keys and values by the places where they begin.
package struct YAMLPlaces: Sendable {
  private struct Place: Hashable {
    var line: Int
    var column: Int
  }

  private var paths: [Place: YAMLPath] = [:]

  package init(_ root: YAMLNode?) {
    if let root { walk(root, YAMLPath([])) }
  }

  /// The path of the key or value that begins at a place; the innermost if there are several.
  package func path(to location: SourceLocation) -> YAMLPath? {
    paths[Place(line: location.line, column: location.column)]
  }

  private mutating func walk(_ node: YAMLNode, _ path: YAMLPath) {
    paths[Place(line: node.location.line, column: node.location.column)] = path
    for (index, item) in node.items.enumerated() { walk(item, path.appending(.index(index))) }
    for entry in node.entries {
      let inner = path.appending(.key(entry.key))
      paths[Place(line: entry.keyLocation.line, column: entry.keyLocation.column)] = inner
      walk(entry.value, inner)
    }
  }
}
