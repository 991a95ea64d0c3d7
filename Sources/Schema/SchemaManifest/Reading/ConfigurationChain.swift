internal import SchemaModel

/// A `schemagen.yaml` and its bases as one tree: a file's keys override those of its bases, and later bases override
/// earlier ones. `platforms`, `define`, `names` and `rules` are merged key by key.
struct ConfigurationChain {
  /// Nil if `extends:` is not followed.
  private let bases: ConfigurationBases?
  private(set) var diagnostics: [Diagnostic] = []
  /// The trees of bases that were already read, since several files may extend the same one.
  private var trees: [String: YAMLNode?] = [:]

  private static func keys(_ mark: KeyMark) -> [String] {
    (ConfigurationKey.table.marks[mark] ?? []).map(\.rawValue)
  }

  init(_ bases: ConfigurationBases?) { self.bases = bases }

  static func links(in file: SourceFile) -> [String] {
    guard case .mapping(let entries)? = YAMLReader.read(file).root?.content else { return [] }
    var interpreter = NodeInterpreter([])
    return entries.filter { $0.key == ConfigurationKey.extends.rawValue }
      .flatMap { Self.links($0, &interpreter) }.map(\.text)
  }

  private static func links(
    _ entry: YAMLEntry, _ interpreter: inout NodeInterpreter
  ) -> [SourceText] {
    let items: [YAMLNode]
    if case .sequence(let nodes) = entry.value.content {
      items = nodes
    } else {
      items = [interpreter.pointed(entry)]
    }
    return items.compactMap { item in
      guard let source = interpreter.text(item, named: "'extends'") else { return nil }
      let text = source.text
      if text.contains("://") || text.hasPrefix("git@") {
        interpreter.report(
          .wrongValue, "'extends' takes a path, but '\(text)' is a URL", at: source.location,
          help: [
            "schemagen fetches nothing: add the policy as a submodule, and name the file in the submodule"
          ])
        return nil
      }
      if text.hasPrefix("/") || text.hasPrefix("~") {
        interpreter.report(
          .wrongValue, "'\(text)' is not a relative path", at: source.location,
          help: ["write the path relative to this file: extends: ../policy/schemagen.yaml"])
        return nil
      }
      return source
    }
  }

  /// The tree of a file, merged with the files that it extends; nil if the file is empty or malformed.
  ///
  /// - Parameter way: The paths of the files through which `extends:` led to this one.
  mutating func tree(_ file: SourceFile, through way: [String] = []) -> YAMLNode? {
    let (root, found) = YAMLReader.read(file)
    diagnostics += found
    guard let root else { return nil }
    var interpreter = NodeInterpreter([])
    guard case .mapping(let entries) = root.content else {
      // The caller that reads the tree reports problems in the first file.
      if way.isEmpty { return root }
      interpreter.reportKind(of: root, expected: "a mapping", named: "the configuration")
      diagnostics += interpreter.findings.diagnostics
      return nil
    }
    var result: [YAMLEntry] = []
    let key = ConfigurationKey.extends.rawValue
    for entry in entries where entry.key == key {
      for link in Self.links(entry, &interpreter) {
        let base = base(link, in: file, through: way + [file.path], &interpreter)
        if case .mapping(let others)? = base?.content { result = Self.merge(result, others) }
      }
    }
    var own = entries.filter { $0.key != key }
    if let extender = way.last {
      let foreign = own.filter { Self.keys(.app).contains($0.key) }
      for entry in foreign {
        interpreter.report(
          .conflictingKeys,
          "'\(entry.key)' is for one app: a configuration that others extend cannot have it",
          at: entry.keyLocation,
          related: [.init("extended here", at: SourceLocation(file: extender))],
          help: ["delete the key here, and write it in the schemagen.yaml of each app"])
      }
      own.removeAll { entry in foreign.contains { $0.key == entry.key } }
    }
    diagnostics += interpreter.findings.diagnostics
    return YAMLNode(.mapping(Self.merge(result, own)), at: root.location)
  }

  private mutating func base(
    _ link: SourceText, in file: SourceFile, through way: [String],
    _ interpreter: inout NodeInterpreter
  ) -> YAMLNode? {
    guard let bases else { return nil }
    let path = bases.paths[ConfigurationBases.Link(file: file.path, text: link.text)]
    guard let path, let base = bases.contents[path] else { return nil }
    if let start = way.firstIndex(of: path) {
      interpreter.report(
        .wrongValue,
        "'extends' leads in a circle: \((way[start...] + [path]).joined(separator: " → "))",
        at: link.location, help: ["delete 'extends' in one of these files"])
      return nil
    }
    switch base {
    case .file(let file):
      if let known = trees[path] { return known }
      let tree = tree(file, through: way)
      trees[path] = .some(tree)
      return tree
    case .unreadable(let reason):
      interpreter.report(
        .wrongValue, "'\(link.text)' cannot be extended: \(reason)", at: link.location,
        help: [
          "write the path relative to this file; it now leads to '\(path)'",
          "if the file is in a missing submodule: git submodule update --init",
        ])
      return nil
    }
  }

  /// The entries of two mappings. `second` overrides `first`; only mappings of mergeable keys are merged.
  private static func merge(_ first: [YAMLEntry], _ second: [YAMLEntry]) -> [YAMLEntry] {
    var result = first
    for entry in second {
      guard let place = result.firstIndex(where: { $0.key == entry.key }) else {
        result.append(entry)
        continue
      }
      var entry = entry
      if keys(.merged).contains(entry.key),
        case .mapping(let old) = result[place].value.content,
        case .mapping(let new) = entry.value.content
      {
        entry.value.content = .mapping(merge(old, new))
      }
      result[place] = entry
    }
    return result
  }
}
