package import SchemaModel

/// A change to a YAML file that leaves all else as it is: comments, order, quotes, spaces.
package enum YAMLEdit: Hashable, Sendable {
  /// Removes a key with its value from its mapping, or an item from its list.
  case remove(YAMLPath)
  /// Replaces a value with other YAML. Only for values in one line.
  case replace(YAMLPath, with: String)
  case renameKey(YAMLPath, to: String)
  /// Adds a key to a mapping, behind its others.
  case add(key: String, value: String, to: YAMLPath)
  /// Replaces an entry's value, which may span several lines, with all that is in those.
  case set(YAMLPath, to: String)
}

/// Applies edits to a text that was read into nodes.
package struct YAMLEditor {
  private let original: TextEdits
  private let root: YAMLNode
  private var edits: [YAMLEdit] = []
  private var comments: [SourceLocation] = []
  private var text: TextEdits

  package init(_ file: SourceFile, root: YAMLNode) {
    original = TextEdits(file.text)
    text = original
    self.root = root
  }

  /// Makes all edits or none of them.
  ///
  /// - Parameter comments: Comments to remove, with their lines if nothing else is in those.
  /// - Returns: Whether they could be made: what they name exists, has an editable layout, and is not touched by
  ///   earlier edits.
  package mutating func apply(
    _ edits: [YAMLEdit], removingCommentsAt comments: [SourceLocation] = []
  ) -> Bool {
    applyAll(self.edits + edits, self.comments + comments)
  }

  package var result: String { text.apply() }

  /// Whether the edited text, parsed again, equals the nodes with the same edits.
  ///
  /// Texts are edited without understanding all of YAML's layouts: a comment in the middle of a flow mapping, a tab, a
  /// block scalar that ends in what looks like a comment. Nothing that went wrong there may be kept.
  package var isFaithful: Bool {
    var expected: YAMLNode? = root
    for edit in collapsed(edits).sorted(by: { $0.isLater(than: $1) }) {
      expected = expected.flatMap { edit.applied(to: $0) }
    }
    let (found, diagnostics) = YAMLReader.read(SourceFile(path: root.location.file, text: result))
    guard let expected, let found, diagnostics.isEmpty else { return false }
    return expected.saysTheSame(as: found)
  }

  private mutating func applyAll(_ edits: [YAMLEdit], _ comments: [SourceLocation]) -> Bool {
    var copy = original
    for edit in collapsed(edits) {
      guard Self.apply(edit, root, &copy) else { return false }
    }
    for comment in comments { copy.removeComment(at: comment) }
    guard copy.isDisjoint else { return false }
    text = copy
    self.edits = edits
    self.comments = comments
    return true
  }

  /// The edits, with a container removed as a whole if it would lose all its contents, since an empty one is not a
  /// mapping.
  private func collapsed(_ edits: [YAMLEdit]) -> [YAMLEdit] {
    var removed: [YAMLPath: Set<YAMLPath.Step>] = [:]
    var order: [YAMLPath] = []
    func take(_ path: YAMLPath) {
      guard let parent = path.parent, let step = path.steps.last else { return }
      removed[parent, default: []].insert(step)
      order.append(path)
      guard parent.parent != nil, let holder = root.node(at: parent),
        removed[parent]?.count == max(holder.entries.count, holder.items.count)
      else { return }
      order.removeAll { $0.parent == parent }
      take(parent)
    }
    var others: [YAMLEdit] = []
    for edit in edits {
      if case .remove(let path) = edit, root.node(at: path) != nil {
        take(path)
      } else {
        others.append(edit)
      }
    }
    // What lies in something that goes is gone with it, whatever was to become of it.
    let gone = Set(order)
    func isGone(_ path: YAMLPath) -> Bool {
      var parent = path.parent
      while let next = parent {
        if gone.contains(next) { return true }
        parent = next.parent
      }
      return false
    }
    return others + order.filter { !isGone($0) }.map(YAMLEdit.remove)
  }

  private static func apply(_ edit: YAMLEdit, _ root: YAMLNode, _ text: inout TextEdits) -> Bool {
    switch edit {
    case .remove(let path):
      guard let parent = path.parent, let holder = root.node(at: parent) else { return false }
      switch path.steps.last {
      case .key(let key)?:
        guard let entry = holder.entry(key), holder.entries.count > 1 || !parent.steps.isEmpty
        else {
          return false
        }
        text.removeEntry(at: entry.keyLocation)
      case .index(let index)?:
        guard holder.items.indices.contains(index) else { return false }
        return text.removeItem(at: holder.items[index].location)
      case nil: return false
      }
      return true
    case .replace(let path, let value):
      guard let node = root.node(at: path) else { return false }
      if case .scalar(let scalar) = node.content {
        guard scalar.style != .block, !scalar.isNothing, text.isOneLine(node.location) else {
          return false
        }
      } else {
        // Only a flow collection has an end that its place knows.
        guard node.location.length > 1, text.isFlow(at: node.location) else { return false }
      }
      text.replace(at: node.location, with: value)
      return true
    case .renameKey(let path, let name):
      guard let entry = root.entry(at: path) else { return false }
      text.replace(at: entry.keyLocation, with: name)
      return true
    case .add(let key, let value, let path):
      guard let node = root.node(at: path), case .mapping(let entries) = node.content,
        let last = entries.last
      else { return false }
      if text.isFlow(at: node.location) {
        return text.insertFlowEntry("\(key): \(value)", intoMappingAt: node.location)
      }
      text.insertBlockEntry(
        "\(key): \(value)", behind: last.keyLocation, isOnly: entries.count == 1)
      return true
    case .set(let path, let value):
      guard let entry = root.entry(at: path) else { return false }
      text.replaceEntry(
        at: entry.keyLocation, value: entry.value.location, with: "\(entry.key): \(value)")
      return true
    }
  }

}

extension YAMLEdit {
  private var path: YAMLPath {
    switch self {
    case .remove(let path), .replace(let path, _), .renameKey(let path, _), .add(_, _, let path),
      .set(let path, _):
      path
    }
  }

  /// The order in which edits of nodes do not move what others name: deeper ones first, items of lists from the end,
  /// and new names last.
  fileprivate func isLater(than other: YAMLEdit) -> Bool {
    func rank(_ edit: YAMLEdit) -> Int {
      switch edit {
      case .replace, .add, .set: 0
      case .remove: 1
      case .renameKey: 2
      }
    }
    func place(_ edit: YAMLEdit) -> (Int, Int) {
      if case .index(let index)? = edit.path.steps.last { return (edit.path.steps.count, index) }
      return (edit.path.steps.count, 0)
    }
    if rank(self) != rank(other) { return rank(self) < rank(other) }
    return place(self) > place(other)
  }

  /// The node with the edit made; nil where it cannot be.
  fileprivate func applied(to root: YAMLNode) -> YAMLNode? {
    switch self {
    case .replace(let path, let text), .set(let path, let text):
      root.changing(path) { _ in Self.node(text) }
    case .remove(let path):
      path.parent.flatMap { parent in
        root.changing(parent) { node in path.steps.last.map { node.removing($0) } }
      }
    case .renameKey(let path, let name):
      path.parent.flatMap { parent in
        root.changing(parent) { node in
          guard case .key(let old)? = path.steps.last, case .mapping(var entries) = node.content
          else { return nil }
          for index in entries.indices where entries[index].key == old { entries[index].key = name }
          return YAMLNode(.mapping(entries), at: node.location)
        }
      }
    case .add(let key, let text, let path):
      root.changing(path) { node in
        guard case .mapping(let entries) = node.content, let value = Self.node(text) else {
          return nil
        }
        let entry = YAMLEntry(key: key, keyLocation: node.location, value: value)
        return YAMLNode(.mapping(entries + [entry]), at: node.location)
      }
    }
  }

  /// A piece of YAML as it appears behind a key, or in a flow mapping.
  private static func node(_ text: String) -> YAMLNode? {
    let (root, diagnostics) = YAMLReader.read(SourceFile(path: "", text: "x: \(text)\n"))
    return diagnostics.isEmpty ? root?.entry("x")?.value : nil
  }

}

extension YAMLNode {
  fileprivate func changing(_ path: YAMLPath, _ change: (YAMLNode) -> YAMLNode?) -> YAMLNode? {
    guard let first = path.steps.first else { return change(self) }
    let rest = YAMLPath(Array(path.steps.dropFirst()))
    switch (first, content) {
    case (.key(let key), .mapping(var entries)):
      guard let index = entries.firstIndex(where: { $0.key == key }),
        let value = entries[index].value.changing(rest, change)
      else { return nil }
      entries[index].value = value
      return YAMLNode(.mapping(entries), at: location)
    case (.index(let index), .sequence(var items)):
      guard items.indices.contains(index), let item = items[index].changing(rest, change) else {
        return nil
      }
      items[index] = item
      return YAMLNode(.sequence(items), at: location)
    default: return nil
    }
  }

  fileprivate func removing(_ step: YAMLPath.Step) -> YAMLNode {
    switch (step, content) {
    case (.key(let key), .mapping(let entries)):
      return YAMLNode(.mapping(entries.filter { $0.key != key }), at: location)
    case (.index(let index), .sequence(var items)) where items.indices.contains(index):
      items.remove(at: index)
      return YAMLNode(.sequence(items), at: location)
    default: return self
    }
  }

  /// Whether two nodes hold the same; places, styles and the order of keys do not count.
  fileprivate func saysTheSame(as other: YAMLNode) -> Bool {
    switch (content, other.content) {
    case (.scalar(let left), .scalar(let right)):
      return left.text == right.text && left.isNothing == right.isNothing
    case (.sequence(let left), .sequence(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { $0.saysTheSame(as: $1) }
    case (.mapping(let left), .mapping(let right)):
      guard left.count == right.count else { return false }
      let values = Dictionary(right.map { ($0.key, $0.value) }) { first, _ in first }
      return left.allSatisfy { entry in
        values[entry.key].map { entry.value.saysTheSame(as: $0) } ?? false
      }
    default: return false
    }
  }
}
