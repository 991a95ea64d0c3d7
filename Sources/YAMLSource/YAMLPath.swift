package import SchemaModel

/// The way from a file's root to a node: keys of mappings and places in lists.
package struct YAMLPath: Hashable, Sendable, ExpressibleByArrayLiteral {
  package enum Step: Hashable, Sendable, ExpressibleByStringLiteral {
    case key(String)
    /// Counted from 0.
    case index(Int)

    package init(stringLiteral value: String) { self = .key(value) }
  }

  package var steps: [Step]

  package init(_ steps: [Step]) { self.steps = steps }
  package init(arrayLiteral steps: Step...) { self.steps = steps }

  /// Keys of mappings, one inside the other.
  package init(keys: [String]) { steps = keys.map(Step.key) }

  package func appending(_ step: Step) -> YAMLPath { YAMLPath(steps + [step]) }

  /// The way to what holds the node; nil for the root.
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

  /// The entry whose value a path leads to; nil where it leads into a list or nowhere.
  package func entry(at path: YAMLPath) -> YAMLEntry? {
    guard let parent = path.parent, case .key(let key)? = path.steps.last else { return nil }
    return node(at: parent)?.entry(key)
  }

  /// The way to the key or the value that begins at a place; to the innermost where several do.
  package func path(to location: SourceLocation) -> YAMLPath? {
    var found: YAMLPath?
    search(location, YAMLPath([]), &found)
    return found
  }

  private func search(_ location: SourceLocation, _ path: YAMLPath, _ found: inout YAMLPath?) {
    if self.location.isAtStart(of: location) { found = path }
    switch content {
    case .scalar: break
    case .sequence(let items):
      for (index, item) in items.enumerated() {
        item.search(location, path.appending(.index(index)), &found)
      }
    case .mapping(let entries):
      for entry in entries {
        let inner = path.appending(.key(entry.key))
        if entry.keyLocation.isAtStart(of: location) { found = inner }
        entry.value.search(location, inner, &found)
      }
    }
  }
}

extension SourceLocation {
  fileprivate func isAtStart(of other: SourceLocation) -> Bool {
    line == other.line && column == other.column
  }
}
