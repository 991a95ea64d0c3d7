package import SchemaModel
package import SwiftSyntax

/// The declarations in a source tree, and what a name means in a scope.
package struct SourceIndex: Sendable {
  package let sources: [SwiftSource]
  /// The types, including extensions. Declarations of a repeated value type begin with the one nearest to a model.
  package let types: [DeclaredType]
  package let aliases: [DeclaredAlias]
  /// `@Model` classes in inactive `#if` clauses.
  package let omitted: [(name: String, place: Place)]
  package private(set) var omittedTypes: [String: Place] = [:]
  package let protocols: [String: [String]]
  private let globals: [String: [DeclSyntax]]
  /// The root of the file for whose code names are looked up; nil if private declarations of all files count.
  private var viewer: SyntaxIdentifier?
  /// Indices in `types`, by full name, without extensions.
  private let declarations: [String: [Int]]
  private let extensions: [String: [Int]]
  private let aliasesByName: [String: [Int]]
  private let filesByRoot: [SyntaxIdentifier: Int]

  package init(_ sources: [SwiftSource], _ conditions: BuildConditions) {
    let readers = sources.indices.map { DeclarationReader(sources[$0], file: $0, conditions) }
    let protocols = Dictionary(readers.flatMap(\.protocols)) { $0 + $1 }
    let globals = Dictionary(readers.flatMap(\.globals)) { $0 + $1 }
    let written = SourceIndex(
      sources, Self.nearestFirst(readers.flatMap(\.types), sources), readers.flatMap(\.aliases),
      readers.flatMap(\.omitted), protocols, globals)
    var (types, aliases) =
      written.withoutExtendedAliases() ?? (written.types, written.aliases)
    let hasAliased = written.nameRawTypes(&types)
    let isChanged = hasAliased || types.map(\.path) != written.types.map(\.path)
    self =
      isChanged
      ? SourceIndex(sources, types, aliases, written.omitted, protocols, globals) : written
    omittedTypes = Dictionary(readers.flatMap(\.omittedTypes)) { first, _ in first }
  }

  /// Replaces aliases in the raw types of enums by their targets, and returns whether there were any.
  private func nameRawTypes(_ types: inout [DeclaredType]) -> Bool {
    var isChanged = false
    for place in types.indices where types[place].kind == .enumeration {
      let type = types[place]
      guard let first = type.inheritedTypes.first,
        case .foreign(let target, _)? = meaning(of: first, in: Array(type.path.dropLast())),
        !target.nameParts.isEmpty
      else { continue }
      types[place].inheritedTypes[0] = target.nameParts
      isChanged = true
    }
    return isChanged
  }

  /// If a value type is declared several times, moves to the front the declaration whose file shares the most folders
  /// with a model's file.
  private static func nearestFirst(
    _ types: [DeclaredType], _ sources: [SwiftSource]
  ) -> [DeclaredType] {
    let values = types.indices.filter { !types[$0].isModel && types[$0].kind != .extension }
    let repeated = Dictionary(grouping: values) { types[$0].fullName }.filter { $0.value.count > 1 }
    guard !repeated.isEmpty else { return types }
    let files = Set(types.filter { $0.isModel && !$0.isGenerated }.map(\.file))
    func isHidden(_ place: Int) -> Bool {
      types[place].attributes.isPrivateToFile && !files.contains(types[place].file)
    }
    var sorted = types
    for places in repeated.values {
      let ordered = places.map { place -> (shared: Int, place: Int) in
        let own = sources[types[place].file]
        return (files.map { own.sharedFolders(with: sources[$0]) }.max() ?? 0, place)
      }.sorted { one, other in
        // No model can use a type that is private in a file without models.
        let (isHidden, isOtherHidden) = (isHidden(one.place), isHidden(other.place))
        guard isHidden == isOtherHidden else { return isOtherHidden }
        return (other.shared, one.place) < (one.shared, other.place)
      }
      for (place, found) in zip(places, ordered) { sorted[place] = types[found.place] }
    }
    return sorted
  }

  private init(
    _ sources: [SwiftSource], _ types: [DeclaredType], _ aliases: [DeclaredAlias],
    _ omitted: [(name: String, place: Place)], _ protocols: [String: [String]],
    _ globals: [String: [DeclSyntax]]
  ) {
    self.globals = globals
    self.protocols = protocols
    self.sources = sources
    self.types = types
    self.aliases = aliases
    self.omitted = omitted
    var declarations: [String: [Int]] = [:]
    var extensions: [String: [Int]] = [:]
    for (index, type) in types.enumerated() {
      if type.kind == .extension {
        extensions[type.fullName, default: []].append(index)
      } else {
        declarations[type.fullName, default: []].append(index)
      }
    }
    filesByRoot = Dictionary(
      sources.enumerated().map { ($0.element.syntax.id, $0.offset) }
    ) { first, _ in first }
    self.declarations = declarations
    self.extensions = extensions
    aliasesByName = Dictionary(grouping: aliases.indices) { [aliases] in
      aliases[$0].path.joined(separator: ".")
    }
  }

  /// The types and aliases after moving members of `extension Today` to the target of the alias `Today`; nil if no
  /// alias is extended.
  private func withoutExtendedAliases() -> (types: [DeclaredType], aliases: [DeclaredAlias])? {
    let prefixes = types.filter { $0.kind == .extension }.flatMap { type in
      type.path.indices.map { Array(type.path[...$0]) }
    }
    let extended = Set(prefixes).filter { type($0) == nil && alias($0) != nil }
    var meant: [[String]: [String]] = [:]
    for path in extended {
      switch meaning(of: path, in: []) {
      case .type(let type)?: meant[path] = type.path
      case .foreign(let target, _)?: meant[path] = target.nameParts
      case nil: continue
      }
    }
    guard !meant.isEmpty else { return nil }
    func resolved(_ path: [String]) -> [String] {
      for length in 1..<(path.count + 1) {
        guard let target = meant[Array(path.prefix(length))], !target.isEmpty else { continue }
        return target + path.dropFirst(length)
      }
      return path
    }
    var (types, aliases) = (types, aliases)
    for index in types.indices { types[index].path = resolved(types[index].path) }
    for index in aliases.indices where aliases[index].path.count > 1 {
      let path = aliases[index].path
      aliases[index].path = resolved(Array(path.dropLast())) + [path[path.count - 1]]
    }
    return (types, aliases)
  }

  /// The index without private declarations of other files.
  package func seen(from file: SyntaxIdentifier) -> SourceIndex {
    var copy = self
    copy.viewer = file
    return copy
  }

  package var hasViewer: Bool { viewer != nil }

  package func sees(_ node: some SyntaxProtocol) -> Bool {
    viewer == nil || node.root.id == viewer || !node.isPrivateToFile
  }

  package func globals(named name: String) -> [DeclSyntax] {
    globals[name, default: []].filter(sees)
  }

  package func source(of type: DeclaredType) -> SwiftSource { sources[type.file] }

  package func place(of node: some SyntaxProtocol) -> Place {
    let root = node.root.id
    guard let file = filesByRoot[root] else { return Place(file: "") }
    return sources[file].location(of: node)
  }

  /// The first visible type with the full name.
  package func type(_ path: [String]) -> DeclaredType? {
    declarations[path.joined(separator: ".")]?.lazy.map { types[$0] }.first { sees($0.attributes) }
  }

  package func declarations(of path: [String]) -> [DeclaredType] {
    declarations[path.joined(separator: "."), default: []].map { types[$0] }
      .filter { sees($0.attributes) }
  }

  /// The type's access level, limited by those of the enclosing types.
  package func access(of type: DeclaredType) -> Configuration.AccessLevel {
    var level = type.writtenAccess
    for length in 1..<max(1, type.path.count) {
      guard let outer = self.type(Array(type.path.prefix(length))) else { continue }
      let levels = Configuration.AccessLevel.allCases
      level = levels.first { $0 == level || $0 == outer.writtenAccess } ?? level
    }
    return level
  }

  package func extensions(of path: [String]) -> [DeclaredType] {
    extensions[path.joined(separator: "."), default: []].map { types[$0] }
  }

  package func members(of path: [String]) -> [DeclSyntax] {
    (declarations(of: path) + extensions(of: path)).flatMap(\.members)
  }

  package func conforms(_ path: [String], to name: String) -> Bool {
    (declarations(of: path) + extensions(of: path)).contains { $0.inherits(name) }
  }

  package enum Meaning: Sendable {
    case type(DeclaredType)
    /// A type that no file declares, such as `UUID`, as the target of an alias.
    case foreign(TypeSyntax, scope: [String])
  }

  /// The meaning of a name in a scope: the innermost type or alias with the name, as in Swift's lookup. A first part
  /// without a meaning is taken for a module's name.
  package func meaning(of parts: [String], in scope: [String], depth: Int = 0) -> Meaning? {
    guard let first = parts.first, depth < 16 else { return nil }
    var outer = scope
    while true {
      if first == "Self", !scope.isEmpty, depth == 0 {
        return member(Array(parts.dropFirst()), of: scope, depth: depth)
      }
      let path = outer + [first]
      if type(path) != nil { return member(Array(parts.dropFirst()), of: path, depth: depth) }
      if let alias = alias(path) {
        return meaning(of: alias, followedBy: Array(parts.dropFirst()), depth: depth)
      }
      if let alias = aliasOfProtocols(first, of: outer) {
        return meaning(of: alias, followedBy: Array(parts.dropFirst()), depth: depth)
      }
      if outer.isEmpty { break }
      outer.removeLast()
    }
    return parts.count > 1
      ? meaning(of: Array(parts.dropFirst()), in: [], depth: depth + 1) : nil
  }

  /// The target and scope of the alias that a name means; nil if the name means a type, or nothing.
  package func aliased(_ name: String, in scope: [String]) -> (target: TypeSyntax, scope: [String])?
  {
    var outer = scope
    while true {
      if type(outer + [name]) != nil { return nil }
      if let alias = alias(outer + [name]) ?? aliasOfProtocols(name, of: outer) {
        return (alias.target, Array(alias.path.dropLast()))
      }
      if outer.isEmpty { return nil }
      outer.removeLast()
    }
  }

  /// The alias that a type inherits from one of the app's protocols.
  private func aliasOfProtocols(_ name: String, of path: [String]) -> DeclaredAlias? {
    guard !path.isEmpty, !protocols.isEmpty else { return nil }
    var open = (declarations(of: path) + extensions(of: path)).flatMap(\.inherited)
    var known: Set<String> = []
    while let one = open.popLast() {
      guard let inherited = protocols[one], known.insert(one).inserted else { continue }
      if let alias = alias([one, name]) { return alias }
      open += inherited
    }
    return nil
  }

  private func alias(_ path: [String]) -> DeclaredAlias? {
    aliasesByName[path.joined(separator: ".")]?.lazy.map { aliases[$0] }.first { sees($0.target) }
  }

  private func member(_ parts: [String], of path: [String], depth: Int) -> Meaning? {
    guard let first = parts.first else { return type(path).map(Meaning.type) }
    let inner = path + [first]
    if type(inner) != nil { return member(Array(parts.dropFirst()), of: inner, depth: depth) }
    guard let alias = alias(inner) else { return nil }
    return meaning(of: alias, followedBy: Array(parts.dropFirst()), depth: depth)
  }

  private func meaning(
    of alias: DeclaredAlias, followedBy parts: [String], depth: Int
  ) -> Meaning? {
    let target = alias.target.nameParts
    let scope = Array(alias.path.dropLast())
    if !target.isEmpty, let found = meaning(of: target, in: scope, depth: depth + 1) {
      guard case .type(let type) = found, !parts.isEmpty else { return parts.isEmpty ? found : nil }
      return member(parts, of: type.path, depth: depth + 1)
    }
    return parts.isEmpty ? .foreign(alias.target, scope: scope) : nil
  }

  /// The value of a constant for code at a node: from the enclosing bodies, or else from the top level of any file.
  package func constant(_ name: String, from node: some SyntaxProtocol) -> ExprSyntax? {
    var parent = node.parent
    while let current = parent {
      if let list = current.as(CodeBlockItemListSyntax.self), let value = Self.value(name, in: list)
      {
        return value
      }
      parent = current.parent
    }
    return sources.lazy.compactMap { Self.value(name, in: $0.syntax.statements) }.first
  }

  private static func value(_ name: String, in list: CodeBlockItemListSyntax) -> ExprSyntax? {
    for item in list {
      guard let variable = item.item.as(DeclSyntax.self)?.as(VariableDeclSyntax.self) else {
        continue
      }
      for binding in variable.bindings where binding.pattern.trimmedDescription == name {
        return binding.initializer?.value
      }
    }
    return nil
  }

  package func type(named parts: [String], in scope: [String]) -> DeclaredType? {
    if case .type(let type)? = meaning(of: parts, in: scope) { return type }
    return nil
  }
}

extension SyntaxProtocol {
  /// Whether only code of the same file can use the declaration, because it or an enclosing declaration is private.
  var isPrivateToFile: Bool {
    var isOpened = false
    for node in sequence(first: Syntax(self), next: \.parent) {
      guard let modifiers = node.asProtocol((any WithModifiersSyntax).self)?.modifiers else {
        continue
      }
      let isNarrow = modifiers.has(.private) || modifiers.has(.fileprivate)
      // Members with their own access level do not take that of the extension.
      if isNarrow, !(isOpened && node.is(ExtensionDeclSyntax.self)) { return true }
      isOpened = [Keyword.internal, .package, .public, .open].contains(where: modifiers.has)
    }
    return false
  }
}
