internal import SchemaEvolution
internal import SchemaModel
internal import SchemaWorkspace
internal import SwiftSyntax

/// Takes out of files what is generated now or went along with stages, and leaves everything else.
///
/// What a class of the newest version, a version or the plan has besides becomes an extension where it stood.
struct SourceRemoval {
  let declarations: AdoptedDeclarations
  let history: [SchemaVersion]
  let names: NamePatterns
  /// Full names of classes that stay as they are: those of the newest version, where the app keeps them.
  let kept: Set<String>
  /// The version of each class, by its full name: the newest that has it.
  private var owners: [String: Int] = [:]
  /// Classes of versions that another one stands for, and copies of classes that are kept.
  var earlier: Set<String> = []
  /// The place of a version in the history, by its full name.
  var versions: [String: Int] = [:]
  var valueTypes: ValueTypeNames
  /// What extensions elsewhere declare, by the model that they extend.
  let extended: [String: Set<String>]
  /// Names that versions, the plan and its stages use.
  let stageNames: Set<String>
  /// Names of generated aliases.
  private let aliases: Set<String>
  let active: Set<String>
  /// What is left, and what goes with something else, each with its place.
  var notes: [Diagnostic] = []
  var source: SwiftSource
  /// The full names of classes, by where they are called so.
  let paths: [Place: [String]]
  /// Items at the top level of all files that are not about migrations, and the names in each.
  var items: [(item: CodeBlockItemSyntax, names: Set<String>)] = []
  /// The items in which a name stands.
  var users: [String: [Int]] = [:]
  var conditions: BuildConditions

  /// What becomes of a declaration.
  enum Outcome {
    case kept([SourceEdit])
    /// It goes; these are declarations at the top level that stand in its place, as lines.
    case gone([[String]])
  }

  /// - Parameters:
  ///   - history: The manifests' versions, in the order of the adopted ones.
  ///   - beside: Classes at the top level that are what the newest version's are.
  ///   - sources: All hand-written files, user files among them.
  init(
    _ declarations: AdoptedDeclarations, _ history: [SchemaVersion], _ names: NamePatterns,
    keepsClasses: Bool = false, beside: Set<String>, sources: [SwiftSource],
    _ conditions: BuildConditions
  ) {
    self.declarations = declarations
    self.history = history
    self.names = names
    let newestClasses = keepsClasses ? declarations.versions.last?.classes ?? [] : []
    kept = Set(newestClasses.filter { $0.path.count == 1 }.map(\.fullName))
    self.conditions = conditions
    paths = Dictionary(
      declarations.index.types.filter { $0.kind == .class }.map { ($0.place, $0.path) }
    ) { first, _ in first }
    valueTypes = declarations.valueTypes
    source = sources[0]
    for (place, version) in declarations.versions.enumerated() {
      let isWhole = version.path.isEmpty
      for type in version.classes where !isWhole || beside.contains(type.name) {
        owners[type.fullName] = place
      }
      if !version.path.isEmpty { versions[version.path.joined(separator: ".")] = place }
    }
    for (name, number) in declarations.merged {
      let place = declarations.versions.firstIndex { $0.number == number }
      versions[name] = place
      for type in declarations.index.types where type.isModel && owners[type.fullName] == nil {
        guard type.path.dropLast().joined(separator: ".") == name else { continue }
        owners[type.fullName] = place
        earlier.insert(type.fullName)
      }
    }
    // Also where the app's own have changed since.
    let copies = newestClasses.filter {
      $0.path.count > 1 && declarations.index.type([$0.name])?.isModel == true
    }
    for name in declarations.liveCopies.union(copies.map(\.fullName)) {
      owners[name] = history.count - 1
      earlier.insert(name)
    }
    for name in beside { owners[name] = owners[name] ?? history.count - 1 }
    let newest = history[history.count - 1]
    active = Set(newest.models.map { names.active(model: $0.name) })
    aliases = history.reduce(into: active) { aliases, version in
      for model in version.models {
        aliases.insert(names.alias(model: model.name, version: version.number))
      }
    }
    extended = Self.extensions(in: sources, of: newest, names)
    stageNames = Self.stageNames(declarations)
    for item in sources.flatMap({ Array($0.syntax.statements) }) where !isAboutMigrations(item) {
      let names = Set(item.tokens(viewMode: .sourceAccurate).map(\.plain))
      for name in names { users[name, default: []].append(items.count) }
      items.append((item, names))
    }
  }

  var newest: Int { history.count - 1 }

  /// The file without what goes; nil where nothing does, empty where nothing but imports and comments is left.
  mutating func edited(_ file: SwiftSource) -> [UInt8]? {
    source = file
    let items = file.syntax.statements.map { item -> (Syntax, DeclSyntax?) in
      guard case .decl(let declaration) = item.item else { return (Syntax(item), nil) }
      return (Syntax(item), declaration)
    }
    let edits = self.edits(items, below: [])
    var bytes = file.file.bytes
    for edit in edits.reversed() { bytes.replace(edit) }
    var result = SwiftSource(SourceFile(path: file.file.path, bytes: bytes))
    let renamed = renamings(in: result)
    guard !edits.isEmpty || !renamed.isEmpty else { return nil }
    for edit in renamed.reversed() {
      bytes.replaceSubrange(edit.range, with: Array(edit.text.utf8))
    }
    result = SwiftSource(SourceFile(path: file.file.path, bytes: bytes))
    if edits.isEmpty { return bytes }
    return result.syntax.statements.allSatisfy(\.saysNothing) ? [] : bytes.withOneLineEnd
  }

  /// Versions that are called something else now: their names would mean others, or nothing.
  private mutating func renamings(in source: SwiftSource) -> [SourceEdit] {
    var renamed: [String: String] = [:]
    for (name, place) in versions {
      let new = names.schema(history[place].number)
      if new != name, !name.contains(".") { renamed[name] = new }
    }
    guard !renamed.isEmpty else { return [] }
    let bound = BoundNames.find(in: source.syntax)
    let found = NameReferences.find(Set(renamed.keys), in: source.syntax, modules: source.imports)
      .filter { !bound.contains($0.name) }
    return found.compactMap { reference in
      guard let new = renamed[reference.name] else { return nil }
      return SourceEdit(range: reference.range, text: new)
    }
  }

  // MARK: Declarations

  /// What becomes of the items of a file or of a type.
  private mutating func edits(
    _ items: [(item: Syntax, declaration: DeclSyntax?)], below path: [String]
  ) -> [SourceEdit] {
    var edits: [SourceEdit] = []
    var isFirst = path.isEmpty
    var previousWent = false
    for (item, declaration) in items {
      let outcome = declaration.map { self.outcome($0, below: path) } ?? .kept([])
      switch outcome {
      case .kept(let inner):
        edits += inner
        previousWent = false
      case .gone(let added):
        let text = added.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
        let range = item.removalRange(
          isFirst: isFirst, after: previousWent, in: source.file.bytes)
        // An empty line between two goes with the first.
        let start = max(range.lowerBound, edits.last?.range.upperBound ?? 0)
        // One line is empty between what stands in the place of two.
        let follows =
          previousWent && edits.last.map { !$0.text.isEmpty && !endsEmpty($0.range) } ?? false
        edits.append(
          SourceEdit(
            range: start..<range.upperBound,
            text: text.isEmpty ? "" : (follows ? "\n" : "") + text + "\n"))
        previousWent = true
      }
      isFirst = false
    }
    return edits
  }

  /// Whether the last line of a range is empty.
  private func endsEmpty(_ range: Range<Int>) -> Bool {
    let bytes = source.file.bytes[range]
    return bytes.count > 1 && bytes.suffix(2).allSatisfy { $0 == 10 }
  }

  private mutating func outcome(_ declaration: DeclSyntax, below path: [String]) -> Outcome {
    if let config = declaration.as(IfConfigDeclSyntax.self) { return outcome(config, below: path) }
    if let alias = declaration.as(TypeAliasDeclSyntax.self), path.isEmpty {
      let goes =
        aliases.contains(alias.name.plain)
        || isOfVersion(alias.initializer.value.nameParts) && !isUsedElsewhere(declaration)
      return goes ? .gone([]) : .kept([])
    }
    if declarations.carried.contains(declaration.id), path.isEmpty,
      !isUsedElsewhere(declaration)
    {
      return .gone([])
    }
    // Those of versions and plans that were not adopted are theirs.
    let lists: Set<String> = ["models", "schemas", "stages"]
    if isList(declaration) || isVersionConstant(declaration),
      lists.isDisjoint(with: declaration.declaredNames),
      !stageNames.isDisjoint(with: declaration.declaredNames),
      !isUsedElsewhere(declaration, of: path.last)
    {
      return .gone([])
    }
    if isStage(declaration), !stageNames.isDisjoint(with: declaration.declaredNames) {
      return .gone([])
    }
    guard let group = declaration.asProtocol((any DeclGroupSyntax).self) else { return .kept([]) }
    let own: [String]
    if let added = declaration.as(ExtensionDeclSyntax.self) {
      own = path + meaning(of: added.extendedType.nameParts)
    } else if let named = declaration.asProtocol((any NamedDeclSyntax).self) {
      own = path + [named.name.plain]
    } else {
      return .kept([])
    }
    let name = own.joined(separator: ".")
    let isExtension = declaration.is(ExtensionDeclSyntax.self)
    // Another store's versions and plan are another adoption's.
    let kinds = Set(group.inheritanceClause?.inheritedTypes.map(\.type.lastName) ?? [])
    if !kinds.isDisjoint(with: ["VersionedSchema", "SchemaMigrationPlan"]), versions[name] == nil,
      declarations.plan != own
    {
      return .kept([])
    }
    if let place = versions[name] {
      return taken(group, own, named: names.schema(history[place].number))
    }
    if declarations.plan == own { return taken(group, own, named: names.plan) }
    if let place = owners[name], !isExtension,
      let node = declaration.as(ClassDeclSyntax.self), node.attributes.attribute("Model") != nil
    {
      return taken(node, place)
    }
    if !isExtension, isGeneratedValue(own, keepsName: true) {
      return .gone(standIn(declaration, own))
    }
    let items = group.memberBlock.members.map { (item: Syntax($0), declaration: Optional($0.decl)) }
    let edits = self.edits(items, below: own)
    // A namespace of nothing is nothing.
    let isEmpty =
      !items.isEmpty && edits.count == items.count
      && (isExtension || declaration.is(EnumDeclSyntax.self)) && group.inheritanceClause == nil
      && edits.allSatisfy(\.text.isEmpty)
    return isEmpty && path.isEmpty ? .gone([]) : .kept(hoisted(edits, path, group))
  }

  /// What stands in the place of a type that was declared in an extension: its name, and its code behind the extension.
  private mutating func standIn(_ declaration: DeclSyntax, _ path: [String]) -> [[String]] {
    guard let type = declarations.index.type(path), let own = path.last else { return [] }
    let name = valueTypes.name(of: type)
    guard name != own else { return [] }
    let line = source.location(of: declaration).line
    let lead = String(decoding: source.file.bytes[source.lineRange(line)], as: UTF8.self)
      .prefix { $0 == " " || $0 == "\t" }
    let access = [Keyword.public, .package].first { type.modifiers.has($0) }
    let prefix = access.map { "\($0) " } ?? ""
    let alias = ["\(lead)\(prefix)typealias \(own) = \(name)"]
    guard let code = declaration.codeBesideCases else { return [alias] }
    return [
      alias, extensionLines(of: name, code.members, code.conformances) ?? [],
    ].filter { !$0.isEmpty }
  }

  /// The type that is extended, where an alias stands for it.
  private func meaning(of path: [String]) -> [String] {
    let index = declarations.index
    guard index.type(path) == nil,
      case .type(let type)? = index.meaning(of: path, in: [])
    else { return path }
    return type.path
  }

  /// Where a class was nested in a type that stays, what is left of it stands behind that type.
  private func hoisted(
    _ edits: [SourceEdit], _ path: [String], _ group: any DeclGroupSyntax
  ) -> [SourceEdit] {
    // An alias in the place of a type stays there; what begins a line is the first extension.
    let parts = edits.map { edit in
      let lines = edit.text.split(separator: "\n", omittingEmptySubsequences: false)
      let start = lines.firstIndex { $0.hasPrefix("extension ") } ?? lines.count
      return (
        stays: lines[..<start].joined(separator: "\n").trimmedLines,
        goes: lines[start...].joined(separator: "\n").trimmedLines
      )
    }
    guard path.isEmpty, parts.contains(where: { !$0.goes.isEmpty }) else { return edits }
    let end = group.offsets.upperBound
    let text = parts.filter { !$0.goes.isEmpty }.map { "\n\n" + $0.goes }.joined()
    return zip(edits, parts).map { edit, part in
      part.goes.isEmpty
        ? edit
        : SourceEdit(range: edit.range, text: part.stays.isEmpty ? "" : part.stays + "\n")
    } + [SourceEdit(range: end..<end, text: text)]
  }

  /// Conditions are as in adoption: what does not count was not adopted, and stays.
  private mutating func outcome(
    _ config: IfConfigDeclSyntax, below path: [String]
  ) -> Outcome {
    guard let clause = conditions.active(config), let elements = clause.elements else {
      return .kept([])
    }
    var items: [(item: Syntax, declaration: DeclSyntax?)] = []
    switch elements {
    case .statements(let statements):
      items = statements.map { item in
        guard case .decl(let declaration) = item.item else { return (Syntax(item), nil) }
        return (Syntax(item), declaration)
      }
    case .decls(let members): items = members.map { (Syntax($0), $0.decl) }
    default: return .kept([])
    }
    let edits = self.edits(items, below: path)
    guard config.clauses.count == 1, !items.isEmpty, edits.count == items.count else {
      return .kept(edits)
    }
    return .gone(edits.filter { !$0.text.isEmpty }.map { [$0.text.trimmedLines] })
  }

  /// A version or the plan, or an extension of one: what is not generated becomes an extension.
  mutating func taken(
    _ group: any DeclGroupSyntax, _ path: [String], named name: String
  ) -> Outcome {
    var left: [DeclSyntax] = []
    var added: [[String]] = []
    for member in decided(group.memberBlock.members) {
      if isGeneratedMember(member, of: path) { continue }
      if declarations.carried.contains(member.id), !isUsedElsewhere(member, of: path.last) {
        continue
      }
      if let node = member.as(ClassDeclSyntax.self),
        let place = owners[(path + [node.name.plain]).joined(separator: ".")],
        case .gone(let lines) = taken(node, place)
      {
        added += lines
        continue
      }
      // What it stored is stored under another name now.
      if declarations.merged[path.joined(separator: ".")] != nil,
        member.is(EnumDeclSyntax.self) || member.is(StructDeclSyntax.self)
      {
        continue
      }
      if let named = member.asProtocol((any NamedDeclSyntax).self),
        isGeneratedValue(path + [named.name.plain])
      {
        continue
      }
      left.append(member)
    }
    let known: Set<String> = ["VersionedSchema", "SchemaMigrationPlan", "Sendable"]
    let conformances = (group.inheritanceClause?.inheritedTypes.map(\.type) ?? []).filter {
      !known.contains($0.lastName)
    }
    if let lines = extensionLines(of: name, left, conformances.map(\.trimmedDescription)) {
      note(
        "'\(path.joined(separator: "."))' has more than is generated: \(Self.list(left)) stays here, in an extension",
        group)
      added.insert(lines, at: 0)
    }
    return .gone(added)
  }

  /// Whether a member of a version or of the plan is part of what is generated.
  private func isGeneratedMember(_ member: DeclSyntax, of path: [String]) -> Bool {
    if isStage(member) { return true }
    if let alias = member.as(TypeAliasDeclSyntax.self) {
      let place = versions[path.joined(separator: ".")]
      return place.map { history[$0].model(named: alias.name.plain) != nil } ?? false
    }
    guard member.is(VariableDeclSyntax.self) else { return false }
    let generated: Set<String> =
      path == declarations.plan ? ["schemas", "stages"] : ["models", "versionIdentifier"]
    if !generated.isDisjoint(with: member.declaredNames) { return true }
    return isList(member) && !isUsedElsewhere(member, of: path.last)
  }

  /// Whether it is a list of versions, of models or of stages, of which plans and versions are made.
  func isList(_ declaration: DeclSyntax) -> Bool {
    guard let variable = declaration.as(VariableDeclSyntax.self) else { return false }
    let types = variable.bindings.compactMap { $0.typeAnnotation?.type.trimmedDescription }
    return types.count == variable.bindings.count
      && types.allSatisfy { type in
        ["VersionedSchema.Type]", "PersistentModel.Type]", "[MigrationStage]"].contains {
          type.hasSuffix($0) || type.hasSuffix($0.replacing(".Type]", with: ").Type]"))
        }
      }
  }

  // MARK: What is left

  mutating func note(
    _ message: String, _ node: some SyntaxProtocol, help: [String] = [],
    severity: Diagnostic.Severity? = nil
  ) {
    let named = node.asProtocol((any NamedDeclSyntax).self)?.name
    let place = named.map { source.location(of: $0) } ?? source.location(of: node)
    notes.append(
      Diagnostic(
        .notTakenOut, message, at: Place(file: place.file, line: place.line, column: place.column),
        help: help, severity: severity))
  }

  static func list(_ members: [DeclSyntax]) -> String {
    let names = members.flatMap { member -> [String] in
      if member.is(InitializerDeclSyntax.self) { return member.memberKeys.sorted() }
      if member.is(FunctionDeclSyntax.self) { return member.declaredNames.map { $0 + "()" } }
      let names = member.declaredNames
      return names.isEmpty ? [member.firstToken(viewMode: .sourceAccurate)?.text ?? "code"] : names
    }
    return names.joined(separator: ", ")
  }

  func extensionLines(
    of name: String, _ members: [DeclSyntax], _ conformances: [String]
  ) -> [String]? {
    guard !members.isEmpty || !conformances.isEmpty else { return nil }
    let head =
      "extension \(name)"
      + (conformances.isEmpty ? "" : ": \(conformances.joined(separator: ", "))")
    guard !members.isEmpty else { return [head + " {}"] }
    let unit = source.indentation
    let bodies = members.map { member -> String in
      var lines = member.fullLines.dedentedLines
      if let initializer = member.as(InitializerDeclSyntax.self),
        !initializer.modifiers.has(.convenience), !initializer.modifiers.has(.required),
        let place = lines.firstIndex(where: { $0.contains("init(") || $0.contains("init?(") })
      {
        lines[place] = lines[place].replacing("init", with: "convenience init", maxReplacements: 1)
      }
      return lines.map { $0.isEmpty ? "" : unit + $0 }.joined(separator: "\n")
    }
    return [head + " {", bodies.joined(separator: "\n\n"), "}"]
  }
}
