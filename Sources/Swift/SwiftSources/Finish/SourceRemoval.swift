internal import SchemaEvolution
internal import SchemaLint
internal import SchemaManifest
internal import SchemaModel
internal import SchemaWorkspace
internal import SwiftSyntax

/// Takes out of files what is generated now or went along with stages, and leaves everything else.
///
/// What a class of the newest version, a version or the plan has besides becomes an extension where it stood.
struct SourceRemoval {
  private let declarations: AdoptedDeclarations
  private let history: [SchemaVersion]
  private let names: NamePatterns
  /// The version of each class, by its full name: the newest that has it.
  private var owners: [String: Int] = [:]
  /// Classes of versions that another one stands for.
  private var earlier: Set<String> = []
  /// The place of a version in the history, by its full name.
  private var versions: [String: Int] = [:]
  private var valueTypes: ValueTypeNames
  /// What extensions elsewhere declare, by the model that they extend.
  private let extended: [String: Set<String>]
  /// Names that versions, the plan and its stages use.
  private let stageNames: Set<String>
  /// Names of generated aliases.
  private let aliases: Set<String>
  private let active: Set<String>
  /// What is left, and what goes with something else, each with its place.
  private(set) var notes: [Diagnostic] = []
  private var source: SwiftSource
  /// The full names of classes, by where they are called so.
  private let paths: [Place: [String]]
  /// Items at the top level of all files that are not about migrations, and the names in each.
  private var items: [(item: CodeBlockItemSyntax, names: Set<String>)] = []
  /// The items in which a name stands.
  private var users: [String: [Int]] = [:]
  private var conditions: BuildConditions

  /// What becomes of a declaration.
  private enum Outcome {
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
    beside: Set<String>, sources: [SwiftSource], _ conditions: BuildConditions
  ) {
    self.declarations = declarations
    self.history = history
    self.names = names
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

  private var newest: Int { history.count - 1 }

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
  private mutating func taken(
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
  private func isList(_ declaration: DeclSyntax) -> Bool {
    guard let variable = declaration.as(VariableDeclSyntax.self) else { return false }
    let types = variable.bindings.compactMap { $0.typeAnnotation?.type.trimmedDescription }
    return types.count == variable.bindings.count
      && types.allSatisfy { type in
        ["VersionedSchema.Type]", "PersistentModel.Type]", "[MigrationStage]"].contains {
          type.hasSuffix($0) || type.hasSuffix($0.replacing(".Type]", with: ").Type]"))
        }
      }
  }

  /// A model's class.
  private mutating func taken(_ node: ClassDeclSyntax, _ place: Int) -> Outcome {
    let name = node.name.plain
    guard let model = history[place].model(named: name) else { return .kept([]) }
    let path = pathOf(node)
    let isNewest = place == newest && !earlier.contains(path.joined(separator: "."))
    let known = extended[name] ?? []
    var left: [DeclSyntax] = []
    for member in decided(node.memberBlock.members) {
      if member.is(MacroExpansionDeclSyntax.self) { continue }
      if let named = member.asProtocol((any NamedDeclSyntax).self),
        !member.is(FunctionDeclSyntax.self),
        isGeneratedValue(
          path + [named.name.plain], keepsName: isNewest && known.contains(named.name.plain))
      {
        continue
      }
      if let variable = member.as(VariableDeclSyntax.self), !variable.modifiers.isStatic,
        !variable.bindings.contains(where: \.isComputed)
      {
        noteObservers(variable, model)
        continue
      }
      if let initializer = member.as(InitializerDeclSyntax.self) {
        guard !isGenerated(initializer, model, known), isNewest else { continue }
      }
      if !member.memberKeys.isEmpty, known.isSuperset(of: member.memberKeys) { continue }
      left.append(member)
    }
    guard isNewest else {
      if !left.isEmpty {
        note(
          "'\(history[place].number.name)' keeps the stored properties of '\(name)': \(Self.list(left)) went with the class",
          node)
      }
      return .gone([])
    }
    let implied: Set<String> = [
      "PersistentModel", "Identifiable", "Hashable", "Equatable", "Observable", "AnyObject",
    ]
    let conformances = (node.inheritanceClause?.inheritedTypes.map(\.type) ?? []).filter { type in
      !implied.contains(type.lastName) && type.lastName != model.superclass?.value
        && !known.contains(": " + type.lastName)
    }.map(\.trimmedDescription)
    guard
      let lines = extensionLines(of: names.active(model: name), left, conformances)
    else { return .gone([]) }
    let more =
      conformances.isEmpty ? [] : ["conformance to \(conformances.joined(separator: ", "))"]
    let what = (left.isEmpty ? [] : [Self.list(left)]) + more
    note(
      "'\(name)' has more than is generated: \(what.joined(separator: "; ")) stays here, in an extension",
      node,
      help: left.contains {
        $0.is(InitializerDeclSyntax.self) || $0.is(DeinitializerDeclSyntax.self)
      }
        ? ["an initialiser in an extension is a 'convenience init', and calls the generated one"]
        : [])
    return .gone([lines])
  }

  private func pathOf(_ node: ClassDeclSyntax) -> [String] {
    paths[source.location(of: node.name)] ?? [node.name.plain]
  }

  /// Whether the generated initialiser, or one in an extension, takes the calls of this one.
  private mutating func isGenerated(
    _ initializer: InitializerDeclSyntax, _ model: Model, _ known: Set<String>
  ) -> Bool {
    let parameters = initializer.signature.parameterClause.parameters
    if known.isSuperset(of: DeclSyntax(initializer).memberKeys) { return true }
    guard model.generatedInitializerTakes(parameters.map(\.firstName.plain)),
      !initializer.modifiers.has(.convenience)
    else { return false }
    // What is filtered by itself is a new tree.
    let lost = Array(parameters).filter { parameter in
      guard parameter.defaultValue != nil else { return false }
      let property = model.property(named: parameter.firstName.plain)
      return property?.initializerValue == nil && !(property?.type.isOptional ?? true)
        && property?.relationship == nil
    }
    let isCovered = known.contains { $0.hasPrefix("init(") }
    if !lost.isEmpty, !isCovered {
      note(
        "the generated initialiser of '\(model.name)' has no default for \(lost.map { "'\($0.firstName.plain)'" }.joined(separator: ", "))",
        initializer,
        help: ["give the call the value, or write a 'convenience init' in an extension"],
        severity: .warning)
    }
    return true
  }

  private mutating func noteObservers(_ variable: VariableDeclSyntax, _ model: Model) {
    guard variable.bindings.contains(where: { $0.accessorBlock != nil }) else { return }
    let names = DeclSyntax(variable).declaredNames.joined(separator: ", ")
    note(
      "observers of '\(model.name).\(names)' went with the class: a generated property has none",
      variable, severity: .warning)
  }

  // MARK: What is generated

  /// Whether a path names a version or something in one.
  private func isOfVersion(_ parts: [String]) -> Bool {
    (1..<(parts.count + 1)).contains { versions[parts.prefix($0).joined(separator: ".")] != nil }
  }

  /// Whether it is a version behind a name: `static let first = SchemaV1.self`.
  private func isVersionConstant(_ declaration: DeclSyntax) -> Bool {
    guard let variable = declaration.as(VariableDeclSyntax.self) else { return false }
    return variable.bindings.allSatisfy { binding in
      guard let path = binding.initializer?.value.memberPath, path.last == "self" else {
        return false
      }
      return versions[path.dropLast().joined(separator: ".")] != nil
    }
  }

  /// Whether it is a value type that stood in a model or in a version, and that manifests declare.
  ///
  /// - Parameter keepsName: Whether an alias stands for it where it stood.
  private mutating func isGeneratedValue(_ path: [String], keepsName: Bool = false) -> Bool {
    guard path.count > 1, let type = declarations.index.type(path), type.kind != .extension,
      !type.isModel, valueTypes.isHoisted(type)
    else { return false }
    let name = valueTypes.name(of: type)
    // One whose parts no manifest tells is nowhere else.
    guard let declared = history.newestTypes[name], declared.kind != .opaque else { return false }
    if name != type.name, !keepsName {
      notes.append(
        Diagnostic(
          .notTakenOut, "'\(type.fullName)' is called '\(name)' now", element: ElementPath(name),
          at: type.place, help: ["write the new name where the compiler misses the old one"]))
    }
    return true
  }

  /// A stage, or a function that makes one: nothing else uses it than a plan.
  private func isStage(_ declaration: DeclSyntax) -> Bool {
    if let function = declaration.as(FunctionDeclSyntax.self) {
      return function.signature.returnClause?.type.lastName == "MigrationStage"
    }
    guard let variable = declaration.as(VariableDeclSyntax.self) else { return false }
    return variable.bindings.allSatisfy { binding in
      if let type = binding.typeAnnotation?.type {
        return type.lastName == "MigrationStage" || type.trimmedDescription == "[MigrationStage]"
      }
      return binding.initializer?.value.as(FunctionCallExprSyntax.self)?.calledExpression
        .memberPath?.first == "MigrationStage"
    }
  }

  /// Whether hand-written code that stays names a declaration, as far as names tell.
  ///
  /// - Parameter owner: The type in which it stands, whose name is there as well.
  private func isUsedElsewhere(_ declaration: DeclSyntax, of owner: String? = nil) -> Bool {
    // Of what is private, another file's use of the name means something else.
    let isPrivate =
      declaration.asProtocol((any WithModifiersSyntax).self)?.modifiers
      .contains { ["private", "fileprivate"].contains($0.name.text) } ?? false
    return declaration.declaredNames.contains { name in
      users[name, default: []].contains { user in
        let (item, names) = items[user]
        return !item.contains(declaration) && owner.map(names.contains) ?? true
          && (!isPrivate || item.root.id == declaration.root.id)
      }
    }
  }

  /// Whether an item at the top level is a version, the plan, an extension of one, or makes stages.
  private func isAboutMigrations(_ item: CodeBlockItemSyntax) -> Bool {
    guard case .decl(let declaration) = item.item else { return false }
    if isStage(declaration) || isList(declaration) || isVersionConstant(declaration)
      || declaration.as(TypeAliasDeclSyntax.self).map({
        isOfVersion($0.initializer.value.nameParts)
      })
        ?? false
      || declarations.carried.contains(declaration.id)
    {
      return true
    }
    let parts =
      declaration.as(ExtensionDeclSyntax.self)?.extendedType.nameParts
      ?? declaration.asProtocol((any NamedDeclSyntax).self).map { [$0.name.plain] } ?? []
    let name = parts.joined(separator: ".")
    return versions[name] != nil || declarations.plan == parts || parts == ["MigrationStage"]
      || declaration.as(EnumDeclSyntax.self)?.memberBlock.members.allSatisfy { isStage($0.decl) }
        ?? false
  }

  /// The members that count, those of `#if` among them.
  private func decided(_ members: MemberBlockItemListSyntax) -> [DeclSyntax] {
    conditions.decided(members.map(\.decl)).map(\.declaration)
  }

  // MARK: What is left

  private mutating func note(
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

  private static func list(_ members: [DeclSyntax]) -> String {
    let names = members.flatMap { member -> [String] in
      if member.is(InitializerDeclSyntax.self) { return member.memberKeys.sorted() }
      if member.is(FunctionDeclSyntax.self) { return member.declaredNames.map { $0 + "()" } }
      let names = member.declaredNames
      return names.isEmpty ? [member.firstToken(viewMode: .sourceAccurate)?.text ?? "code"] : names
    }
    return names.joined(separator: ", ")
  }

  private func extensionLines(
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

  // MARK: Names

  /// What extensions declare, by the model of the newest version that they extend.
  static func extensions(
    in sources: [SwiftSource], of newest: SchemaVersion, _ names: NamePatterns
  ) -> [String: Set<String>] {
    var models: [String: String] = [:]
    for model in newest.models.map(\.name) {
      models[names.active(model: model)] = model
      models[names.alias(model: model, version: newest.number)] = model
      models[names.schema(newest.number) + "." + model] = model
    }
    var found: [String: Set<String>] = [:]
    for statement in sources.flatMap({ Array($0.syntax.statements) }) {
      guard case .decl(let declaration) = statement.item,
        let added = declaration.as(ExtensionDeclSyntax.self),
        let model = models[added.extendedType.nameParts.joined(separator: ".")]
      else { continue }
      for member in added.memberBlock.members {
        found[model, default: []].formUnion(member.decl.memberKeys)
      }
      for type in added.inheritanceClause?.inheritedTypes ?? [] {
        found[model, default: []].insert(": " + type.type.lastName)
      }
    }
    return found
  }

  /// The names in versions and in the plan, and in the stages that it names.
  private static func stageNames(_ declarations: AdoptedDeclarations) -> Set<String> {
    let paths = declarations.versions.map(\.path) + [declarations.plan].compactMap { $0 }
    var names = Set(
      paths.filter { !$0.isEmpty }.flatMap(declarations.index.members).flatMap { member in
        member.tokens(viewMode: .sourceAccurate).map(\.plain)
      })
    for _ in 0..<3 {
      for type in declarations.index.types where type.path != declarations.plan {
        for member in type.members where !names.isDisjoint(with: member.declaredNames) {
          let text = member.trimmedDescription
          guard text.contains("MigrationStage") || text.contains("VersionedSchema") else {
            continue
          }
          names.formUnion(member.tokens(viewMode: .sourceAccurate).map(\.plain))
        }
      }
    }
    return names
  }
}

extension String {
  /// The text without line breaks around it.
  fileprivate var trimmedLines: String {
    var text = self[...].drop { $0 == "\n" }
    while text.last == "\n" { text.removeLast() }
    return String(text)
  }
}

extension CodeBlockItemSyntax {
  /// Whether it is an import, or a condition around nothing.
  fileprivate var saysNothing: Bool {
    guard case .decl(let declaration) = item else { return false }
    if declaration.is(ImportDeclSyntax.self) { return true }
    guard let config = declaration.as(IfConfigDeclSyntax.self) else { return false }
    return config.clauses.allSatisfy { clause in
      guard case .statements(let statements)? = clause.elements else {
        return clause.elements == nil
      }
      return statements.allSatisfy(\.saysNothing)
    }
  }

  fileprivate func contains(_ node: some SyntaxProtocol) -> Bool {
    root.id == node.root.id && position <= node.position && node.endPosition <= endPosition
  }
}

extension DeclSyntax {
  /// What an extension that has the same member is known by: `init(id:name:)`, `func share(to:)`, `name`.
  fileprivate var memberKeys: Set<String> {
    if let initializer = self.as(InitializerDeclSyntax.self) {
      return ["init" + initializer.signature.parameterClause.labels]
    }
    if let function = self.as(FunctionDeclSyntax.self) {
      return ["func " + function.name.plain + function.signature.parameterClause.labels]
    }
    if let member = self.as(SubscriptDeclSyntax.self) {
      return ["subscript" + member.parameterClause.labels]
    }
    return Set(declaredNames)
  }

  /// The declaration with the comments before it, and what stands behind it on its line.
  fileprivate var fullLines: String { description }
}

extension FunctionParameterClauseSyntax {
  fileprivate var labels: String { "(\(parameters.map { $0.firstName.plain + ":" }.joined()))" }
}

extension Syntax {
  /// The item with the comments that belong to it, up to the end of its line.
  ///
  /// - Parameters:
  ///   - isFirst: Whether it is the file's first, before which the file's own comment stands.
  ///   - went: Whether what is before it goes as well: then all comments between them do.
  fileprivate func removalRange(
    isFirst: Bool, after went: Bool, in bytes: [UInt8]
  ) -> Range<Int> {
    let start = position.utf8Offset
    let code = positionAfterSkippingLeadingTrivia.utf8Offset
    var first = code
    if went {
      first = start
      while first < code, bytes[first] != UInt8(ascii: "\n") { first += 1 }
      if first < code { first += 1 }
    } else {
      // Line by line upwards, to an empty one.
      while first > start, bytes[first - 1] != UInt8(ascii: "\n") { first -= 1 }
      while first > start {
        var line = first - 1
        while line > start, bytes[line - 1] != UInt8(ascii: "\n") { line -= 1 }
        let isEmpty = bytes[line..<(first - 1)].allSatisfy { [9, 13, 32].contains($0) }
        // The rest of a line with code, or a line between.
        if isEmpty || (line == start && !isFirst) { break }
        first = line
      }
    }
    var end = endPosition.utf8Offset
    while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
    if end < bytes.count { end += 1 }
    // An empty line before it and one behind it become one.
    let emptyBefore =
      first < 2 || (bytes[first - 1] == 10 && (bytes[first - 2] == 10 || bytes[first - 2] == 123))
    if emptyBefore || first == 0 {
      var next = end
      while next < bytes.count, [9, 13, 32].contains(bytes[next]) { next += 1 }
      if next < bytes.count, bytes[next] == 10 { end = next + 1 }
    }
    return first..<end
  }
}

extension [UInt8] {
  fileprivate mutating func replace(_ edit: SourceEdit) {
    // What stands in the place of something keeps its distance to what follows.
    var text = Array(edit.text.utf8)
    let end = Swift.min(edit.range.upperBound, count)
    if !text.isEmpty, end > 1, end < count, self[end - 1] == 10, self[end - 2] == 10 {
      text.append(10)
    }
    replaceSubrange(edit.range.lowerBound..<end, with: text)
  }

  /// The text with one line break at its end.
  fileprivate var withOneLineEnd: [UInt8] {
    var bytes = self
    while let last = bytes.last, [9, 10, 13, 32].contains(last) { bytes.removeLast() }
    return bytes + [10]
  }
}

extension SwiftSource {
  /// By what the file's members stand further in.
  fileprivate var indentation: String {
    let lines = file.text.split(separator: "\n")
    if lines.contains(where: { $0.hasPrefix("\t") }) { return "\t" }
    let widths = lines.map { $0.prefix { $0 == " " }.count }.filter { $0 > 1 }
    return String(repeating: " ", count: widths.min() ?? 4)
  }
}
