package import SchemaModel

/// The edits by which a manifest's models, types and drops become those of another version; all else stays byte for byte.
///
/// What one version says is compared with what the other says, entry by entry, as `ManifestText` would write both. So
/// what a text says in a layout of its own is edited only where it says something else.
package struct ManifestRewrite {
  private var edits: [YAMLEdit] = []
  private let file: SourceFile
  private let root: YAMLNode
  private let text: TextEdits
  private let names: [ElementPath: String]

  /// - Parameters:
  ///   - file: The manifest, of which `old` was read.
  ///   - names: Models and properties of the old version that have another name in the new one; properties by the old
  ///     name of their model.
  package init?(
    _ file: SourceFile, from old: SchemaVersion, to new: SchemaVersion,
    renaming names: [ElementPath: String] = [:]
  ) {
    guard let root = YAMLReader.read(file).root else { return nil }
    self.file = file
    self.root = root
    text = TextEdits(file.text)
    self.names = names
    revise(
      ["models"], old.models.map(ManifestText(old).model),
      new.models.map(ManifestText(new).model)
    ) { rewrite, path, was, becomes in
      guard let was = old.model(named: was.key), let becomes = new.model(named: becomes.key) else {
        return
      }
      rewrite.revise(model: was, to: becomes, at: path, ManifestText(old), ManifestText(new))
    }
    revise(
      ["types"], old.types.map(ManifestText(old).type), new.types.map(ManifestText(new).type)
    ) { $0.revise($1, $2, $3) }
    revise(
      ["drops"], old.drops.map(ManifestText(old).drop), new.drops.map(ManifestText(new).drop)
    ) { $0.revise($1, $2, $3) }
    let (were, are) = (ManifestText(old).acceptedElements, ManifestText(new).acceptedElements)
    if were != are {
      if are.isEmpty {
        edits.append(.remove(["accept"]))
      } else if root.entry("accept") == nil {
        add(ManifestEntry("accept", .list(are)), to: [])
      } else {
        // Entries have several lines, and an entry behind them would be on one.
        set(["accept"], .list(are))
      }
    }
  }

  /// `fill: false`: what a manifest writes of a property and not of another.
  package static func keys(of property: Property, otherThanOf other: Property) -> [String] {
    ManifestPropertyText(property).keys.map(\.key).filter {
      value(of: $0, in: property) != value(of: $0, in: other)
    }.map { "\($0): \(value(of: $0, in: property) ?? "")" }
  }

  /// What a manifest writes behind a key of a property; nil where it has none.
  package static func value(of key: String, in property: Property) -> String? {
    let entry = ManifestPropertyText(property).keys.first { $0.key == key }
    return entry.flatMap { ManifestLayout.flow($0.value.inOneLine, in: .flow) }
  }

  /// What a manifest writes of how values come to a property in its version: `from` and `height`.
  package static func stepKeys(of property: Property) -> [(key: String, value: String)] {
    keys(of: property, otherThanOf: property.withoutMigration).map { text in
      let parts = text.split(separator: ": ", maxSplits: 1).map(String.init)
      return (parts[0], parts.count > 1 ? parts[1] : "")
    }
  }

  /// A manifest as another version; nil where that cannot be written without losing what a person wrote.
  ///
  /// - Parameter names: As for `init`.
  package static func text(
    of file: SourceFile, from old: SchemaVersion, to new: SchemaVersion,
    renaming names: [ElementPath: String] = [:]
  ) -> String? {
    if old == new { return file.text }
    let text =
      ManifestRewrite(file, from: old, to: new, renaming: names)?.result
      ?? laidOutAnew(file, as: new, renaming: names)
    // What is new has the line ends of the rest; those of the rest are one character each.
    return file.text.contains("\r\n") ? text?.replacing("\n", with: "\r\n") : text
  }

  /// The whole manifest in the layout that schemagen writes, for a text whose own cannot be edited; nil where that has
  /// comments that would get no place.
  private static func laidOutAnew(
    _ file: SourceFile, as version: SchemaVersion, renaming names: [ElementPath: String]
  ) -> String? {
    var header: [String] = []
    var comments: [ElementPath: [String]] = [:]
    for (comment, element) in YAMLComments.withElements(
      in: file, of: YAMLComments.Part.allCases)
    {
      // One that accepts a finding is about its line, and one at the end about nothing.
      guard !comment.text.hasPrefix(AcceptanceComment.word), comment.subject != nil,
        element != nil || comment.isAlone
      else { return nil }
      if let element {
        comments[element, default: []].append(comment.text)
      } else {
        header.append(comment.text)
      }
    }
    func renamed(_ element: ElementPath) -> ElementPath {
      let owner = names[ElementPath(element.owner)] ?? element.owner
      return ElementPath(owner, names[element] ?? element.member)
    }
    let placed = Dictionary(comments.map { (renamed($0.key), $0.value) }) { $0 + $1 }
    let text = ManifestText(version, header: header, comments: placed).text
    let read = ManifestReader().read(SourceFile(path: file.path, text: text)).version
    return read == version ? text : nil
  }

  /// The text with the edits; nil where its layout is none that can be edited.
  package var result: String? {
    guard !edits.isEmpty else { return file.text }
    var editor = YAMLEditor(file, root: root)
    guard editor.apply(edits), editor.isFaithful else { return nil }
    return editor.result
  }

  // MARK: Entries

  private typealias Revise = (
    inout ManifestRewrite, YAMLPath, ManifestEntry, ManifestEntry
  ) -> Void

  /// A mapping whose entries come, go and change.
  private mutating func revise(
    _ path: YAMLPath, _ old: [ManifestEntry], _ new: [ManifestEntry], each: Revise
  ) {
    let were = Dictionary(old.map { ($0.key, $0) }) { first, _ in first }
    let are = Dictionary(new.map { (oldName(of: $0.key, in: path), $0) }) { first, _ in first }
    guard root.node(at: path) != nil else {
      if !new.isEmpty { add(.init(path.lastKey, .mapping(new, most: 0)), to: path.parent ?? []) }
      return
    }
    if new.isEmpty {
      if !old.isEmpty, path != ["models"], path.lastKey != "properties" {
        edits.append(.remove(path))
      } else if !old.isEmpty {
        edits.append(.set(path, to: "{}"))
      }
      return
    }
    // Where nothing is left that others could stand behind, the whole is written.
    guard old.isEmpty || old.contains(where: { are[$0.key] != nil }) else {
      return set(path, .mapping(new, most: 0))
    }
    for entry in old where are[entry.key] == nil {
      edits.append(.remove(path.appending(.key(entry.key))))
    }
    for (index, entry) in new.enumerated() {
      let name = oldName(of: entry.key, in: path)
      let place = path.appending(.key(name))
      guard let was = were[name] else {
        // Before the next one that stays.
        let next = new[(index + 1)...].map { oldName(of: $0.key, in: path) }
          .first { were[$0] != nil && root.node(at: path.appending(.key($0))) != nil }
        add(entry, to: path, before: next)
        continue
      }
      if name != entry.key { edits.append(.renameKey(place, to: ManifestLayout.key(entry.key))) }
      if was.value != entry.value { each(&self, place, was, entry) }
    }
  }

  /// An entry whose value differs.
  private mutating func revise(_ path: YAMLPath, _ old: ManifestEntry, _ new: ManifestEntry) {
    guard let node = root.node(at: path) else {
      return add(new, to: path.parent ?? [])
    }
    if case .mapping(let was, _) = old.value, case .mapping(let becomes, _) = new.value,
      !node.entries.isEmpty
    {
      // Of a struct the order is one of its initialiser's arguments; elsewhere it means nothing.
      let (olds, news) = (was.map(\.key), becomes.map(\.key))
      if path.lastKey == "struct", olds.filter(news.contains) != news.filter(olds.contains) {
        return set(path, new.value)
      }
      return revise(path, was, becomes) { $0.revise($1, $2, $3) }
    }
    if case .list(let was) = old.value, case .list(let becomes) = new.value,
      node.items.count == was.count, becomes.count >= was.count, !was.isEmpty,
      Array(becomes.prefix(was.count)) == was
    {
      let items = becomes.dropFirst(was.count).compactMap { ManifestLayout.flow($0, in: .flow) }
      edits += items.map { .addItem($0, to: path) }
      return
    }
    set(path, new.value)
  }

  private mutating func revise(
    model old: Model, to new: Model, at path: YAMLPath, _ was: ManifestText, _ becomes: ManifestText
  ) {
    func entries(_ model: Model, _ text: ManifestText) -> [ManifestEntry] {
      guard case .mapping(let entries, _) = text.model(model).value else { return [] }
      return entries
    }
    revise(path, entries(old, was), entries(new, becomes)) { rewrite, place, was, entry in
      guard place == path.appending("properties"), case .mapping(let olds, _) = was.value,
        case .mapping(let news, _) = entry.value
      else { return rewrite.revise(place, was, entry) }
      rewrite.revise(place, olds, news) { rewrite, place, was, entry in
        guard let before = old.property(named: was.key), let after = new.property(named: entry.key)
        else { return }
        rewrite.revise(before, to: after, at: place)
      }
    }
  }

  /// A property, of which a type with a default may be all that is written.
  private mutating func revise(_ old: Property, to new: Property, at path: YAMLPath) {
    guard let node = root.node(at: path) else { return }
    if node.entries.isEmpty {
      set(path, ManifestPropertyText(new).entry.value)
    } else {
      revise(path, ManifestPropertyText(old).keys, ManifestPropertyText(new).keys) {
        $0.revise($1, $2, $3)
      }
    }
  }

  // MARK: Text

  private func oldName(of key: String, in path: YAMLPath) -> String {
    if path == ["models"] {
      return names.first { $0.key.member == nil && $0.value == key }?.key.owner ?? key
    }
    guard case .key(let model)? = path.parent?.steps.last, path.lastKey == "properties" else {
      return key
    }
    return names.first { $0.key.owner == model && $0.value == key }?.key.member ?? key
  }

  private mutating func add(
    _ entry: ManifestEntry, to path: YAMLPath, before next: String? = nil
  ) {
    let isFlow = isFlow(root.node(at: path))
    edits.append(
      .add(
        key: ManifestLayout.key(entry.key), value: Self.text(entry, isFlow: isFlow), to: path,
        before: next))
  }

  private mutating func set(_ path: YAMLPath, _ value: ManifestValue) {
    guard let node = root.node(at: path) else { return }
    let isInFlow = isFlow(path.parent.flatMap { root.node(at: $0) })
    let text = Self.text(ManifestEntry(path.lastKey, value), isFlow: isInFlow)
    // In a value's own place, what stands behind it stays there.
    let isPlain = node.scalar.map { $0.style != .block && !$0.isNothing } ?? isFlow(node)
    edits.append(
      isPlain && !text.contains("\n") ? .replace(path, with: text) : .set(path, to: text))
  }

  /// Whether it is a collection in brackets.
  private func isFlow(_ node: YAMLNode?) -> Bool {
    node.map { $0.scalar == nil && text.isFlow(at: $0.location) } ?? false
  }

  /// A value as it stands behind its key.
  private static func text(_ entry: ManifestEntry, isFlow: Bool) -> String {
    if isFlow {
      if let text = ManifestLayout.flow(entry.value, in: .flow) { return text }
      if case .text(let words) = entry.value { return YAMLText.doubleQuoted(words) }
      return ManifestLayout.flow(entry.value.inOneLine, in: .flow) ?? "{}"
    }
    var layout = ManifestLayout()
    layout.add([entry])
    // Without the key, its colon, the space behind that, and the last line break.
    let text = layout.text.dropFirst(ManifestLayout.key(entry.key).count + 1).dropLast()
    return String(text.first == " " ? text.dropFirst() : text)
  }
}

extension Property {
  /// The property without its migration keys.
  fileprivate var withoutMigration: Property {
    var property = self
    property.migration = PropertyMigration()
    return property
  }
}

extension YAMLPath {
  fileprivate var lastKey: String {
    if case .key(let key)? = steps.last { return key }
    return ""
  }
}

extension ManifestValue {
  /// The same without what has to stand in lines of its own.
  fileprivate var inOneLine: ManifestValue {
    switch self {
    case .mapping(let entries, _):
      .mapping(
        entries.map { entry in
          var entry = entry
          entry.comments = []
          entry.value = entry.value.inOneLine
          return entry
        })
    case .list(let items): .list(items.map(\.inOneLine))
    case .text(let words): .source(words.visibleLine)
    case .name, .source: self
    }
  }
}
