package import SchemaModel

/// A change to a YAML file that leaves all else as it is: comments, order, quotes, spaces.
package enum YAMLEdit: Hashable, Sendable {
  /// Takes a key with its value out of its mapping, or an item out of its list.
  case remove(YAMLPath)
  /// Puts other YAML in a value's place. Only for values that stand in one line.
  case replace(YAMLPath, with: String)
  case renameKey(YAMLPath, to: String)
  /// Adds a key to a mapping, behind its others.
  case add(key: String, value: String, to: YAMLPath)
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
  /// - Returns: Whether they could be made: what they name is there, is laid out in a way that can be edited, and
  ///   is not touched by edits before them.
  package mutating func apply(_ edits: [YAMLEdit]) -> Bool { apply(self.edits + edits, comments) }

  /// Takes a comment away, with its line where nothing else stands in that; whether it could be done.
  package mutating func removeComment(at location: SourceLocation) -> Bool {
    apply(edits, comments + [location])
  }

  /// The text with all edits.
  package var result: String { text.apply() }

  private mutating func apply(_ edits: [YAMLEdit], _ comments: [SourceLocation]) -> Bool {
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

  /// The edits, where what loses all that it holds goes as a whole: it would be nothing, and nothing is no mapping.
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
      text.insertBlockEntry("\(key): \(value)", behind: last.keyLocation)
      return true
    }
  }
}
