package import SchemaModel

/// A change to the nodes of a YAML file.
package enum YAMLEdit: Hashable, Sendable {
  /// Removes a key with its value, or an item of a list, and any parent that becomes empty.
  case remove(YAMLPath)
  /// Sets a key to a value, written as YAML in one line. A new key is added at the end.
  case set(YAMLPath, to: String)
  case renameKey(YAMLPath, to: String)

  fileprivate var path: YAMLPath {
    switch self {
    case .remove(let path), .set(let path, _), .renameKey(let path, _): path
    }
  }

  /// Sorts edits so that none changes the path of a later one: first new values, then removals from the end, then
  /// renames.
  fileprivate func isBefore(_ other: YAMLEdit) -> Bool {
    func rank(_ edit: YAMLEdit) -> Int {
      switch edit {
      case .set: 0
      case .remove: 1
      case .renameKey: 2
      }
    }
    return rank(self) == rank(other)
      ? path.isBehind(other.path) : rank(self) < rank(other)
  }
}

extension YAMLDocument {
  /// The document after all edits; nil if a path does not exist, if edits contradict each other, or if no key is left.
  ///
  /// A comment is removed with its key or item.
  package func applying(_ edits: [YAMLEdit]) -> YAMLDocument? {
    var edits = Set(edits)
    let gone = Set(edits.compactMap { if case .remove(let path) = $0 { path } else { nil } })
    edits = edits.filter { $0.path.parents.allSatisfy { !gone.contains($0) } }
    let replaced = edits.compactMap { if case .set(let path, _) = $0 { path } else { nil } }
    let all = Dictionary(grouping: edits) { $0.path }
    guard replaced.allSatisfy({ all[$0]?.count == 1 }),
      edits.allSatisfy({ Set(replaced).isDisjoint(with: $0.path.parents) })
    else { return nil }
    var copy = self
    for edit in edits.sorted(by: { $0.isBefore($1) }) {
      guard let parent = edit.path.parent, let step = edit.path.steps.last,
        copy.root.update(parent.steps[...], { $0.apply(edit, step) })
      else { return nil }
    }
    return copy.root.isEmpty ? nil : copy
  }
}

extension YAMLDocument {
  /// Moves all comments of a node to an entry of `drops:`. A missing entry is added for them.
  mutating func moveComments(from path: YAMLPath, toDrop name: String) {
    guard let comments = root.node(at: path)?.allComments, !comments.isEmpty else { return }
    _ = root.update(path.steps[...]) {
      $0.removeComments { _ in true }
      return true
    }
    let place: YAMLPath = ["drops", .key(name)]
    if root.node(at: place) == nil {
      let edit: YAMLEdit =
        root.entry("drops") == nil ? .set(["drops"], to: "{ \(name): }") : .set(place, to: "")
      self = applying([edit]) ?? self
    }
    _ = root.update(place.steps[...]) {
      $0.comments += comments
      return true
    }
  }

  /// The text of `schemagen.yaml` with a key set, or removed if `value` is nil. Returns nil if the file's YAML is
  /// broken.
  package static func configuration(
    _ file: SourceFile, setting key: String, to value: String?
  ) -> String? {
    guard let document = YAMLDocument(file) else {
      let isEmpty = YAMLReader.read(file).diagnostics.map(\.rule) == [.emptyFile]
      let comments = file.text.isEmpty || file.text.hasSuffix("\n") ? file.text : file.text + "\n"
      return isEmpty ? value.map { "\(comments)\(key): \($0)\n" } : nil
    }
    let path = YAMLPath(keys: [key])
    if value == nil, document.root.entries.map(\.key) == [key] { return "" }
    return document.applying([value.map { .set(path, to: $0) } ?? .remove(path)])?.text
  }
}

extension YAMLPath {
  fileprivate var parents: [YAMLPath] {
    steps.indices.reversed().map { YAMLPath(Array(steps[..<$0])) }
  }

  fileprivate func isBehind(_ other: YAMLPath) -> Bool {
    for (left, right) in zip(steps, other.steps) where left != right {
      if case .index(let one) = left, case .index(let two) = right { return one > two }
      return "\(left)" > "\(right)"
    }
    return steps.count > other.steps.count
  }
}

extension YAMLNode {
  /// Parses the YAML of a key's value. Returns no node if there are findings.
  ///
  /// - Parameter location: The place that all nodes and findings get.
  package static func reading(
    _ text: String, at location: SourceLocation
  ) -> (node: YAMLNode?, problems: [Diagnostic]) {
    let (root, diagnostics) = YAMLReader.read(SourceFile(path: "", text: "x: \(text)\n"))
    let problems = diagnostics.map { finding in
      var finding = finding
      finding.location = location
      return finding
    }
    return (problems.isEmpty ? root?.entry("x")?.value.placed(at: location) : nil, problems)
  }

  private func placed(at location: SourceLocation) -> YAMLNode {
    var node = self
    // A node with a length of 1 is printed as a block, so the node keeps its own length if it is greater.
    node.location = location
    node.location.length = max(location.length, self.location.length)
    switch content {
    case .scalar: break
    case .sequence(let items): node.content = .sequence(items.map { $0.placed(at: location) })
    case .mapping(let entries):
      node.content = .mapping(
        entries.map {
          YAMLEntry(
            key: $0.key, keyLocation: location, value: $0.value.placed(at: location))
        })
    }
    return node
  }

  fileprivate var isEmpty: Bool { scalar == nil && entries.isEmpty && items.isEmpty }

  fileprivate mutating func apply(_ edit: YAMLEdit, _ step: YAMLPath.Step) -> Bool {
    func value(_ text: String, for old: YAMLNode?) -> YAMLNode? {
      guard var node = Self.reading(text, at: location).node else { return nil }
      node.comments = old?.allComments ?? []
      node.isApart = old?.isApart ?? false
      return node
    }
    switch (step, content) {
    case (.key(let key), .mapping(var entries)):
      let index = entries.firstIndex { $0.key == key }
      switch (edit, index) {
      case (.set(_, let text), _):
        guard let value = value(text, for: index.map { entries[$0].value }) else { return false }
        let entry = YAMLEntry(key: key, keyLocation: location, value: value)
        if let index { entries[index] = entry } else { entries.append(entry) }
      case (.remove, let index?): entries.remove(at: index)
      case (.renameKey(_, let name), let index?) where entry(name) == nil:
        entries[index].key = name
      default: return false
      }
      content = .mapping(entries)
    case (.index(let index), .sequence(var items)) where items.indices.contains(index):
      switch edit {
      case .set(_, let text):
        guard let value = value(text, for: items[index]) else { return false }
        items[index] = value
      case .remove: items.remove(at: index)
      case .renameKey: return false
      }
      content = .sequence(items)
    default: return false
    }
    return true
  }

  /// Changes the node at a path, and removes parents that become empty. Returns whether that was possible.
  fileprivate mutating func update(
    _ steps: ArraySlice<YAMLPath.Step>, _ change: (inout YAMLNode) -> Bool
  ) -> Bool {
    guard let step = steps.first else { return change(&self) }
    switch (step, content) {
    case (.key(let key), .mapping(var entries)):
      guard let index = entries.firstIndex(where: { $0.key == key }),
        entries[index].value.update(steps.dropFirst(), change)
      else { return false }
      if entries[index].value.isEmpty { entries.remove(at: index) }
      content = .mapping(entries)
    case (.index(let index), .sequence(var items)) where items.indices.contains(index):
      guard items[index].update(steps.dropFirst(), change) else { return false }
      if items[index].isEmpty { items.remove(at: index) }
      content = .sequence(items)
    default: return false
    }
    return true
  }
}
