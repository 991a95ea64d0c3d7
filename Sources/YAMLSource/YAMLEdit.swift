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
  private var text: TextEdits
  private let root: YAMLNode

  package init(_ file: SourceFile, root: YAMLNode) {
    text = TextEdits(file.text)
    self.root = root
  }

  /// Makes all edits or none of them.
  ///
  /// - Returns: Whether they could be made: what they name is there, is laid out in a way that can be edited, and
  ///   is not touched by edits before them.
  package mutating func apply(_ edits: [YAMLEdit]) -> Bool {
    var copy = text
    for edit in edits {
      guard Self.apply(edit, root, &copy) else { return false }
    }
    guard copy.isDisjoint else { return false }
    text = copy
    return true
  }

  /// Takes a comment away, with its line where nothing else stands in that; whether it could be done.
  package mutating func removeComment(at location: SourceLocation) -> Bool {
    var copy = text
    copy.removeComment(at: location)
    guard copy.isDisjoint else { return false }
    text = copy
    return true
  }

  /// The text with all edits.
  package var result: String { text.apply() }

  private static func apply(_ edit: YAMLEdit, _ root: YAMLNode, _ text: inout TextEdits) -> Bool {
    switch edit {
    case .remove(let path):
      guard let parent = path.parent, let holder = root.node(at: parent) else { return false }
      switch path.steps.last {
      case .key(let key)?:
        guard let entry = holder.entry(key) else { return false }
        // A mapping whose last entry goes would be nothing, and nothing is no mapping.
        guard holder.entries.count > 1 else {
          return parent.steps.isEmpty ? false : apply(.remove(parent), root, &text)
        }
        text.removeEntry(at: entry.keyLocation)
      case .index(let index)?:
        guard holder.items.indices.contains(index) else { return false }
        guard holder.items.count > 1 else { return apply(.remove(parent), root, &text) }
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
