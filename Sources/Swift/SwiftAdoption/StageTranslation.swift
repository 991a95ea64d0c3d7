internal import SchemaEvolution
internal import SchemaLint
internal import SchemaModel
internal import SchemaWorkspace
internal import SwiftParser
internal import SwiftSources
internal import SwiftSyntax

/// Translates a stage's code for the step's user file, so that every name keeps its meaning.
///
/// A version whose number changes gets another name, and a name that still compiles may mean another version. Where a
/// declaration is generated from now on, its code that is not generated is lost, so what the stage uses of that code is
/// copied.
struct StageTranslation {
  private(set) var changes = false
  /// Constants and arguments of the enclosing function that the code uses.
  private(set) var captured: [String] = []
  private(set) var members: [[String]] = []
  private(set) var extensions: [[String]] = []
  private(set) var imports: [String] = []
  private let run: Adoption
  private let step: String
  private var valueTypes: ValueTypeNames
  private var sides: [(code: StageCode, position: Int)] = []
  private var carried: [SyntaxIdentifier: Set<Int>] = [:]
  private var declarations: [Carried] = []
  private var notes: [(message: String, place: Place, help: String)] = []

  /// A declaration that is copied along with the code.
  private struct Carried {
    var declaration: DeclSyntax
    var scope: [String]
    var isGlobal: Bool
    /// The positions of the versions whose rows are seen by the code that uses the declaration.
    var positions: Set<Int>
  }

  init(_ run: Adoption, step: String) {
    self.run = run
    self.step = step
    valueTypes = run.valueTypes
  }

  mutating func lines(of code: StageCode, in position: Int) -> [String] {
    sides.append((code, position))
    // Code without a body only calls a function that the app keeps.
    guard let body = code.body else { return code.lines }
    use(of: body, in: code.scope, position)
    for text in code.captured {
      let name = text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.dropFirst().first
      if let name, !captured.contains(String(name)) { captured.append(String(name)) }
      let source = SwiftSource(SourceFile(path: "", text: text))
      use(of: Syntax(source.syntax), in: code.scope, position)
    }
    for name in code.variables {
      note(
        "the code uses '\(name)' of the enclosing function, which schemagen cannot replace",
        body, "give the code what it needs; until then the file does not compile")
    }
    addImports(of: body)
    return translated(code.captured + code.lines, in: code.scope, position)
  }

  func findings(about stage: WrittenStage) -> [Diagnostic] {
    notes.map { note in
      Diagnostic(
        .adoptedCode, note.message, element: ElementPath(stage.to), at: note.place,
        help: [note.help], severity: .warning)
    }
  }

  private mutating func note(_ message: String, _ node: some SyntaxProtocol, _ help: String) {
    guard !notes.contains(where: { $0.message == message }) else { return }
    notes.append((message, run.index.place(of: node), help))
  }

  private mutating func addImports(of node: Syntax) {
    guard let file = node.root.as(SourceFileSyntax.self) else { return }
    for statement in file.statements {
      guard case .decl(let declaration) = statement.item,
        let imported = declaration.as(ImportDeclSyntax.self)
      else { continue }
      let name = imported.path.trimmedDescription
      let text = imported.trimmedDescription
      // Every user file already imports these two modules.
      if !["Foundation", "SwiftData"].contains(name), !imports.contains(text) {
        imports.append(text)
      }
    }
  }

  // MARK: Names

  private mutating func translated(
    _ lines: [String], in scope: [String], _ position: Int
  ) -> [String] {
    let text = lines.joined(separator: "\n")
    let source = SwiftSource(SourceFile(path: "", text: text))
    let names = Set(run.index.types.map(\.name)).union(run.index.aliases.map(\.name))
    var bytes = Array(text.utf8)
    var edits: [(Range<Int>, String)] = []
    for reference in NameReferences.find(names, in: source.syntax) {
      let parts = [reference.name] + reference.members.map(\.name)
      guard let (count, name) = meaning(of: parts, in: scope, position),
        name != parts.prefix(count).joined(separator: ".")
      else { continue }
      edits.append((reference.range(members: count - 1), name))
    }
    changes = changes || !edits.isEmpty
    for (range, name) in edits.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
      bytes.replaceSubrange(range, with: Array(name.utf8))
    }
    return String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The number of leading parts of a path that together mean something generated, and its new name.
  private mutating func meaning(
    of parts: [String], in scope: [String], _ position: Int
  ) -> (Int, String)? {
    for length in stride(from: parts.count, to: 0, by: -1) {
      guard let type = run.index.type(named: Array(parts.prefix(length)), in: scope) else {
        continue
      }
      if let schema = schema(of: type) { return (length, schema) }
      if type.isModel {
        return owner(of: type, position).map { (length, "\(schema(at: $0)).\(type.name)") }
      }
      if length < parts.count, carries(parts[length], of: type.path) { return (length, step) }
      if length > 1, carries(type.name, of: Array(type.path.dropLast())) {
        return (length, "\(step).\(type.name)")
      }
      guard valueTypes.isHoisted(type) else { return nil }
      let name = valueTypes.name(of: type)
      let isDeclared = run.history.contains { $0.type(named: name) != nil }
      return isDeclared ? (length, run.copies[type.fullName] ?? name) : nil
    }
    return nil
  }

  private func schema(at position: Int) -> String {
    run.configuration.names.schema(run.numbers[position])
  }

  private func schema(of type: DeclaredType) -> String? {
    let name = run.merged[type.fullName] ?? type.fullName
    return run.versions.firstIndex { $0.name == name }.map(schema)
  }

  /// The version that has a class as its model: the version at `position`, whose rows the code handles, or else the
  /// version that declares the class.
  private func owner(of type: DeclaredType, _ position: Int) -> Int? {
    func has(_ place: Int) -> Bool {
      run.classes[place].contains { $0.fullName == type.fullName }
    }
    if has(position) { return position }
    let outer = type.path.dropLast().joined(separator: ".")
    let name = run.merged[outer] ?? outer
    return run.versions.firstIndex { $0.name == name } ?? run.versions.indices.last(where: has)
  }

  // MARK: Copied declarations

  private func carries(_ name: String, of owner: [String]) -> Bool {
    declarations.contains { $0.scope == owner && $0.declaration.declaredNames.contains(name) }
  }

  /// Records the declarations that a piece of code uses, directly or indirectly.
  private mutating func use(of node: Syntax, in scope: [String], _ position: Int) {
    let used = UsedNames.find(in: node)
    var named: [[String]: Set<String>] = [:]
    // `MigrationPlan.fill(context)`
    let types = Set(run.index.types.map(\.name)).union(run.index.aliases.map(\.name))
    for reference in NameReferences.find(types, in: node) {
      guard let member = reference.members.first,
        let type = run.index.type(named: [reference.name], in: scope)
      else { continue }
      named[type.path, default: []].insert(member.name)
    }
    for length in stride(from: scope.count, to: 0, by: -1) {
      named[Array(scope.prefix(length)), default: []].formUnion(used.values)
    }
    for (owner, names) in named.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) })
    where isGenerated(owner) || scope.starts(with: owner) {
      // `useMembers` copies the members of models.
      if run.index.type(owner)?.isModel ?? false { continue }
      for member in run.index.members(of: owner) where Self.mayComeAlong(member) {
        guard !names.isDisjoint(with: member.declaredNames),
          !isReplaced(member, in: owner, position)
        else { continue }
        carry(member, of: owner, isGlobal: false, position)
      }
    }
    for statement in node.root.as(SourceFileSyntax.self)?.statements ?? [] {
      guard case .decl(let declaration) = statement.item else { continue }
      if let added = declaration.as(ExtensionDeclSyntax.self) {
        useExtension(added, used.members, position)
        continue
      }
      guard declaration.isPrivate,
        !used.values.isDisjoint(with: declaration.declaredNames)
      else { continue }
      carry(declaration, of: [], isGlobal: true, position)
    }
    for call in node.all(FunctionCallExprSyntax.self) { noteInitializer(call, in: scope, position) }
    let isModel = run.index.type(scope)?.isModel ?? false
    useMembers(isModel ? used.members.union(used.values) : used.members, position)
  }

  /// Whether a member is a type or an alias for which the code uses a generated name.
  private mutating func isReplaced(
    _ member: DeclSyntax, in owner: [String], _ position: Int
  ) -> Bool {
    guard let name = member.declaredNames.first, !member.is(VariableDeclSyntax.self),
      !member.is(FunctionDeclSyntax.self)
    else { return false }
    return meaning(of: [name], in: owner, position) != nil
  }

  private func isGenerated(_ path: [String]) -> Bool {
    let name = path.joined(separator: ".")
    return run.plan?.type.path == path || run.merged[name] != nil
      || run.versions.contains { $0.name == name }
  }

  private mutating func carry(
    _ declaration: DeclSyntax, of scope: [String], isGlobal: Bool, _ position: Int
  ) {
    if let place = declarations.firstIndex(where: { $0.declaration.id == declaration.id }) {
      guard declarations[place].positions.insert(position).inserted else { return }
    } else {
      declarations.append(
        Carried(
          declaration: declaration, scope: scope, isGlobal: isGlobal, positions: [position]))
      addImports(of: Syntax(declaration))
    }
    use(of: Syntax(declaration), in: scope, position)
  }

  /// Whether a member of a type may be copied with a stage. Models are generated, and so are the plan's lists.
  private static func mayComeAlong(_ member: DeclSyntax) -> Bool {
    if let variable = member.as(VariableDeclSyntax.self) {
      let isStage = variable.bindings.contains {
        $0.typeAnnotation?.type.trimmedDescription.contains("MigrationStage") ?? false
          || $0.initializer?.value.as(FunctionCallExprSyntax.self)?.calledExpression
            .trimmedDescription.hasPrefix("MigrationStage.") ?? false
      }
      let lists: Set<String> = ["models", "schemas", "stages", "versionIdentifier"]
      return variable.modifiers.isStatic && !isStage
        && lists.isDisjoint(with: member.declaredNames)
    }
    if let function = member.as(FunctionDeclSyntax.self) {
      return function.modifiers.isStatic
        && !(function.signature.returnClause?.type.lastName == "MigrationStage")
    }
    if let type = member.as(ClassDeclSyntax.self) {
      return type.attributes.attribute("Model") == nil
    }
    return member.is(StructDeclSyntax.self) || member.is(EnumDeclSyntax.self)
      || member.is(TypeAliasDeclSyntax.self)
  }

  /// Copies an extension that other files cannot see.
  private mutating func useExtension(
    _ added: ExtensionDeclSyntax, _ names: Set<String>, _ position: Int
  ) {
    let isPrivate = DeclSyntax(added).isPrivate
    let isUsed = added.memberBlock.members.contains { member in
      (isPrivate || member.decl.isPrivate) && !names.isDisjoint(with: member.decl.declaredNames)
    }
    guard isUsed, carried.updateValue([position], forKey: added.id) == nil else { return }
    var lines = added.description.dedentedLines
    if !isPrivate {
      let own = added.memberBlock.members.map(\.decl).filter(\.isPrivate)
      lines =
        ["extension \(added.extendedType.trimmedDescription) {"]
        + own.flatMap { $0.description.dedentedLines.map { $0.isEmpty ? "" : "  " + $0 } } + ["}"]
    }
    extensions.append(translated(lines, in: [], position))
    addImports(of: Syntax(added))
    use(of: Syntax(added.memberBlock), in: added.extendedType.nameParts, position)
  }

  private mutating func noteInitializer(
    _ call: FunctionCallExprSyntax, in scope: [String], _ position: Int
  ) {
    guard let path = call.calledExpression.memberPath,
      let type = run.index.type(named: path.last == "init" ? path.dropLast() : path, in: scope),
      type.isModel, let owner = owner(of: type, position),
      let model = run.history[owner].model(named: type.name), model.superclass == nil
    else { return }
    let labels = call.arguments.map { $0.label?.plain ?? "_" }
    guard !model.generatedInitializerTakes(labels) else { return }
    // The initialisers of today's models are in a user file.
    if owner == run.versions.count - 1,
      type.members.compactMap({ $0.as(InitializerDeclSyntax.self) })
        .contains(where: { WrittenInitializer($0).takes(labels) })
    {
      return
    }
    note(
      "the code of the stage calls '\(type.name)(\(labels.map { $0 + ":" }.joined()))', which is not generated",
      call, "the generated initialiser takes all stored properties in their order")
  }

  private static let contextMembers: Set<String> = [
    "save", "fetch", "fetchCount", "insert", "delete", "enumerate", "rollback", "transaction",
  ]

  /// Copies the members of older models other than stored properties, since they are not generated. The newest
  /// version's members have their own file.
  private mutating func useMembers(_ names: Set<String>, _ position: Int) {
    let names = names.subtracting(Self.contextMembers)
    for type in run.classes[position] {
      for member in type.members where !names.isDisjoint(with: member.declaredNames) {
        guard member.isCode, carried[member.id, default: []].insert(position).inserted else {
          continue
        }
        // The members of today's models are in a user file, where a rehearsal finds them.
        guard position < run.versions.count - 1 else { continue }
        let lines = translated(Self.fileprivateLines(member), in: type.path, position)
        extensions.append(
          ["extension \(schema(at: position)).\(type.name) {"]
            + lines.map { $0.isEmpty ? "" : "  " + $0 } + ["}"])
        use(of: Syntax(member), in: type.path, position)
      }
    }
  }

  /// The member's lines as fileprivate, since the files of two steps may need the same member.
  private static func fileprivateLines(_ member: DeclSyntax) -> [String] {
    var lines = member.description.dedentedLines
    guard let first = member.firstWord,
      let place = lines.firstIndex(where: { $0.hasPrefix(first) })
    else { return lines }
    let access = ["public", "package", "internal", "private", "fileprivate", "open"]
    let rest =
      access.contains(first) ? String(lines[place].dropFirst(first.count + 1)) : lines[place]
    lines[place] = "fileprivate " + rest
    return lines
  }

  /// Adds the copied declarations, once all of them are known.
  ///
  /// - Parameter shared: Stored variables that other steps have copied. Each copy is a separate variable.
  mutating func carry(_ shared: inout Set<String>) -> Set<SyntaxIdentifier> {
    var carried: Set<SyntaxIdentifier> = []
    let all = declarations
    for item in all {
      if item.declaration.isStoredVariable {
        let names = item.declaration.declaredNames.map {
          (item.scope + [$0]).joined(separator: ".")
        }
        for name in names where !shared.insert(name).inserted {
          note(
            "the stages of several steps share the variable '\(name)', and now each step has its own",
            item.declaration, "a stage no longer sees what an earlier stage stored in the variable")
        }
      }
      let text = Self.memberLines(item)
      let versions = item.positions.sorted().map { translated(text, in: item.scope, $0) }
      guard Set(versions).count == 1 else {
        note(
          "both sides of the stage use '\(item.declaration.declaredNames.first ?? "")', but each side needs it with the models of its own version",
          item.declaration,
          "write the declaration once for each side; until then the file does not compile")
        continue
      }
      members.append(versions[0])
      carried.insert(item.declaration.id)
    }
    return carried
  }

  private static func memberLines(_ item: Carried) -> [String] {
    var lines = item.declaration.description.dedentedLines
    guard item.isGlobal,
      let first = lines.firstIndex(where: {
        $0.hasPrefix("private ") || $0.hasPrefix("fileprivate ")
      })
    else { return lines }
    let bare = lines[first].drop { $0 != " " }.dropFirst()
    let isValue =
      item.declaration.is(VariableDeclSyntax.self) || item.declaration.is(FunctionDeclSyntax.self)
    lines[first] = (isValue ? "static " : "") + bare
    return lines
  }
}

extension DeclSyntax {
  fileprivate var firstWord: String? {
    if let word = asProtocol((any WithModifiersSyntax).self)?.modifiers.first {
      return word.name.text
    }
    if let variable = self.as(VariableDeclSyntax.self) { return variable.bindingSpecifier.text }
    return self.as(FunctionDeclSyntax.self)?.funcKeyword.text
  }

  var isPrivate: Bool {
    let modifiers = asProtocol((any WithModifiersSyntax).self)?.modifiers
    return modifiers?.has(.private) ?? false || modifiers?.has(.fileprivate) ?? false
  }

  fileprivate var isStoredVariable: Bool {
    guard let variable = self.as(VariableDeclSyntax.self) else { return false }
    return variable.bindingSpecifier.tokenKind == .keyword(.var)
      && !variable.bindings.contains(where: \.isComputed)
  }

  /// Whether the declaration is a function or a computed property, which generated models lack.
  fileprivate var isCode: Bool {
    if let variable = self.as(VariableDeclSyntax.self) {
      return variable.modifiers.isStatic || variable.bindings.contains(where: \.isComputed)
    }
    return self.is(FunctionDeclSyntax.self)
  }
}
