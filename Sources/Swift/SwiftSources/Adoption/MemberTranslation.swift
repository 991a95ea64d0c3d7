internal import SchemaLint
internal import SchemaModel
internal import SchemaRendering
internal import SchemaWorkspace
internal import SwiftSyntax

/// What a class has besides its stored properties, on its way into an extension of its active alias.
///
/// A generated class has none of it. Every name means in the extension what it meant in the class.
struct MemberTranslation {
  private(set) var findings: [Diagnostic] = []
  private let run: AdoptionRun
  private let type: DeclaredType
  private let model: Model
  private let file: SwiftSource
  private let node: ClassDeclSyntax
  /// What the generated initialiser takes.
  private let properties: [Property]
  private var types: TypeResolver
  private var edits: [(range: Range<Int>, text: String)] = []
  /// What goes, in order.
  private var members: [Member] = []
  private var initializers: [WrittenInitializer] = []

  private enum Member {
    case declaration(DeclSyntax)
    case initializer(WrittenInitializer)
    /// The name that a generated type had in the class.
    case alias(String, of: DeclSyntax)

    var syntax: DeclSyntax {
      switch self {
      case .declaration(let declaration), .alias(_, let declaration): declaration
      case .initializer(let initializer): DeclSyntax(initializer.syntax)
      }
    }
  }

  /// - Parameters:
  ///   - models: The newest version's, by name.
  ///   - types: What reads the newest version's types.
  init?(
    _ run: AdoptionRun, _ type: DeclaredType, _ model: Model, among models: [String: Model],
    _ types: TypeResolver
  ) {
    guard let node = type.attributes.parent?.as(ClassDeclSyntax.self) else { return nil }
    self.run = run
    self.type = type
    self.model = model
    self.node = node
    file = run.index.source(of: type)
    properties = model.effectiveProperties(among: models).filter { !$0.isTransient }
    self.types = types
  }

  /// The file, or nil where the class has nothing else.
  mutating func text() -> String? {
    initializers = node.memberBlock.members.compactMap {
      $0.decl.as(InitializerDeclSyntax.self).map(WrittenInitializer.init)
    }.filter { !isGenerated($0) }
    for member in node.memberBlock.members { add(member.decl) }
    let conformances = conformances()
    guard !members.isEmpty || !conformances.isEmpty else { return nil }
    let carried = carried()
    addRenames(in: Syntax(node))
    for declaration in carried { addRenames(in: Syntax(declaration)) }
    for member in members {
      if case .declaration(let declaration) = member { open(declaration) }
    }
    var blocks: [(lines: [String], isNext: Bool)] = []
    var last: AbsolutePosition?
    for member in members {
      guard let lines = lines(of: member) else { continue }
      let syntax = member.syntax
      // What stood together goes on to.
      let isNext = last == syntax.position && !syntax.leadingTrivia.hasEmptyLine
      blocks.append((lines, isNext))
      last = syntax.endPosition
    }
    guard !blocks.isEmpty || !conformances.isEmpty else { return nil }
    let name = run.configuration.names.active(model: model.name)
    let head = "extension \(name)" + (conformances.isEmpty ? "" : ": \(conformances)") + " {"
    var lines = ["// \(FileMark.userFile)", ""] + imports() + [""]
    if blocks.isEmpty {
      lines.append(head + "}")
    } else {
      lines.append(head)
      for (index, block) in blocks.enumerated() {
        if index > 0, !block.isNext { lines.append("") }
        lines += block.lines.map { $0.isEmpty ? "" : "  " + $0 }
      }
      lines.append("}")
    }
    for case .alias(let name, let declaration) in members {
      let code = self.code(of: declaration, name)
      if !code.isEmpty { lines += [""] + code }
    }
    for declaration in carried {
      lines += [""] + translated(Syntax(declaration)).dedentedLines
    }
    return lines.joined(separator: "\n") + "\n"
  }

  // MARK: What goes

  private mutating func add(_ declaration: DeclSyntax) {
    if let config = declaration.as(IfConfigDeclSyntax.self) {
      let inner = Self.declarations(in: config)
      if inner.allSatisfy(\.isMovable) {
        members.append(.declaration(declaration))
      } else if case .decls(let list)? = run.options.conditions.active(config)?.elements {
        for member in list { add(member.decl) }
      }
      return
    }
    if declaration.is(DeinitializerDeclSyntax.self) {
      note("an extension cannot have a 'deinit'", declaration, "no other place can hold it")
    } else if let initializer = declaration.as(InitializerDeclSyntax.self),
      isGenerated(WrittenInitializer(initializer))
    {
      return
    } else if declaration.isOverride {
      let name = declaration.declaredNames.first ?? "init"
      note(
        "'\(name)' overrides, which an extension cannot", declaration,
        "give it another name, or let the superclass decide by a property")
    } else if let initializer = declaration.as(InitializerDeclSyntax.self) {
      add(WrittenInitializer(initializer))
    } else if let nested = nestedType(declaration) {
      var names = run.valueTypes
      if nested.isModel { return }
      if let name = run.newName(of: nested, &names) {
        members.append(.alias(name, of: declaration))
      } else {
        members.append(.declaration(declaration))
      }
    } else if declaration.isMovable {
      members.append(.declaration(declaration))
    }
  }

  private static func declarations(in config: IfConfigDeclSyntax) -> [DeclSyntax] {
    config.clauses.flatMap { clause -> [DeclSyntax] in
      guard case .decls(let list)? = clause.elements else { return [] }
      return list.flatMap { member in
        member.decl.as(IfConfigDeclSyntax.self).map(declarations) ?? [member.decl]
      }
    }
  }

  private func nestedType(_ declaration: DeclSyntax) -> DeclaredType? {
    guard declaration.isType, let name = declaration.declaredNames.first else { return nil }
    return run.index.type(type.path + [name])
  }

  /// What stands behind the class's colon and no generated class has.
  private func conformances() -> String {
    let given: Set<String> = ["PersistentModel", "Observable"]
    let list = node.inheritanceClause?.inheritedTypes.compactMap { inherited -> String? in
      let name = inherited.type.lastName
      guard name != model.superclass?.value, !given.contains(name) else { return nil }
      return inherited.type.trimmedDescription
    }
    return list?.joined(separator: ", ") ?? ""
  }

  private func imports() -> [String] {
    file.syntax.statements.compactMap { statement in
      guard case .decl(let declaration) = statement.item else { return nil }
      if let config = declaration.as(IfConfigDeclSyntax.self) {
        let isImport = config.clauses.allSatisfy { clause in
          guard case .statements(let list)? = clause.elements else { return true }
          return list.allSatisfy { $0.item.is(ImportDeclSyntax.self) }
        }
        return isImport ? config.trimmedDescription : nil
      }
      return declaration.as(ImportDeclSyntax.self)?.trimmedDescription
    }
  }

  // MARK: Initialisers

  private mutating func add(_ initializer: WrittenInitializer) {
    let place = file.location(of: initializer.syntax.initKeyword)
    if hasGeneratedSignature(initializer) {
      report(
        "the generated initialiser has the labels of '\(initializer.name)', and does no more than assign",
        at: place, help: ["give yours other labels, in an extension of the model's active alias"],
        severity: .warning)
      return
    }
    members.append(.initializer(initializer))
    noteRival(initializer, place)
  }

  /// Whether the generated initialiser does what this one does, with the same values where nothing is said.
  private func isGenerated(_ initializer: WrittenInitializer) -> Bool {
    guard !initializer.isConvenience, initializer.isPlain,
      properties.initializerTakes(initializer.labels)
    else { return false }
    let labels = Set(initializer.labels)
    return initializer.parameters.allSatisfy { hasType($0) && hasDefault($0) }
      && properties.allSatisfy { labels.contains($0.name) || $0.initializerDefault == nil }
  }

  private func hasGeneratedSignature(_ initializer: WrittenInitializer) -> Bool {
    initializer.labels == properties.map(\.name) && initializer.parameters.allSatisfy(hasType)
  }

  private func hasType(_ parameter: WrittenInitializer.Parameter) -> Bool {
    let found = type(of: parameter)
    return properties.contains { $0.name == parameter.label && $0.type == found }
  }

  /// Whether the generated initialiser takes the same value where nothing is said, if this one takes any.
  private func hasDefault(_ parameter: WrittenInitializer.Parameter) -> Bool {
    guard let value = parameter.defaultValue else { return true }
    guard let property = properties.first(where: { $0.name == parameter.label }) else {
      return false
    }
    var types = types
    let found = try? types.expression(value, of: property.type, in: type.path)
    return found != nil && found == property.initializerValue
  }

  /// Says where Swift may take the generated initialiser for a call that meant this one.
  ///
  /// It prefers the one whose types fit without an optional, then the one with fewer parameters.
  private mutating func noteRival(_ initializer: WrittenInitializer, _ place: Place) {
    let needed = properties.filter { $0.initializerValue == nil }.map(\.name)
    let ownNeeded = initializer.parameters.filter { $0.defaultValue == nil }.map(\.label)
    // The shortest call that fits both.
    let call = properties.map(\.name).filter(Set(needed + ownNeeded).contains)
    guard Set(ownNeeded).isSubset(of: call), initializer.takes(call) else { return }
    let shared = initializer.parameters.compactMap { parameter in
      properties.first { $0.name == parameter.label }.map { (parameter, $0.type) }
    }
    let closer = shared.filter { $1.isOptional && type(of: $0) == $1.unwrapped }.map(\.0.label)
    let farther = shared.contains { type(of: $0) == .optional($1) }
    let difference = initializer.parameters.count - properties.count
    guard closer.allSatisfy({ !call.contains($0) }),
      farther || difference > 0 || difference == 0 && closer.isEmpty
    else { return }
    let isSame =
      initializer.isPlain && Set(initializer.labels) == Set(properties.map(\.name))
      && initializer.parameters.allSatisfy { hasType($0) && hasDefault($0) }
    guard !isSame else { return }
    let said = call.map { $0 + ":" }.joined()
    report(
      "'\(type.name)(\(said))' may mean the generated initialiser from now on, not '\(initializer.name)'",
      at: place, help: ["give yours another label, or a parameter that has no default"],
      severity: .warning)
  }

  private func type(of parameter: WrittenInitializer.Parameter) -> TypeReference? {
    var types = types
    return try? types.type(parameter.type, in: type.path)
  }

  // MARK: Text

  /// The source of a member; nil where it cannot go, which is said.
  private mutating func lines(of member: Member) -> [String]? {
    switch member {
    case .declaration(let declaration): return translated(Syntax(declaration)).dedentedLines
    case .alias(let name, let declaration):
      let access = ["public", "package"].first { word in
        declaration.asProtocol((any WithModifiersSyntax).self)?.modifiers.contains {
          $0.name.text == word
        } ?? false
      }
      let prefix = access.map { $0 + " " } ?? ""
      return ["\(prefix)typealias \(declaration.declaredNames[0]) = \(name)"]
    case .initializer(let initializer): return lines(of: initializer)
    }
  }

  private mutating func lines(of initializer: WrittenInitializer) -> [String]? {
    let gone = ["required", "private", "fileprivate"]
    for modifier in initializer.syntax.modifiers where gone.contains(modifier.name.text) {
      remove(modifier)
    }
    guard !initializer.isConvenience else {
      return translated(Syntax(initializer.syntax)).dedentedLines
    }
    let start = initializer.syntax.initKeyword.positionAfterSkippingLeadingTrivia.utf8Offset
    edits.append((start..<start, "convenience "))
    let translation = InitializerTranslation(
      initializer: initializer, properties: properties,
      instanceNames: instanceNames.subtracting(BoundNames.find(in: initializer.syntax)),
      others: initializers, text: translated)
    do throws(InitializerTranslation.Refusal) {
      return try translation.lines()
    } catch {
      report(
        "'\(initializer.name)' cannot become a 'convenience init': \(error.reason)",
        at: file.location(of: initializer.syntax.initKeyword),
        help: [
          "write it in an extension of the model's active alias, with a call of 'self.init(…)'"
        ], severity: .warning)
      return nil
    }
  }

  private var instanceNames: Set<String> {
    Set(properties.map(\.name)).union(model.properties.map(\.name))
      .union(run.index.instanceNames(of: type.path))
  }

  private func translated(_ node: Syntax) -> String {
    translated(node.position.utf8Offset..<node.endPosition.utf8Offset)
  }

  private func translated(_ range: Range<Int>) -> String {
    var bytes: [UInt8] = []
    var position = range.lowerBound
    let inside = edits.filter {
      $0.range.lowerBound >= range.lowerBound && $0.range.upperBound <= range.upperBound
    }
    for edit in inside.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
    where edit.range.lowerBound >= position {
      bytes += file.file.bytes[position..<edit.range.lowerBound] + Array(edit.text.utf8)
      position = edit.range.upperBound
    }
    bytes += file.file.bytes[position..<range.upperBound]
    return String(decoding: bytes, as: UTF8.self)
  }

  /// What a type that is generated from now on had besides cases and fields, as an extension.
  private func code(of declaration: DeclSyntax, _ name: String) -> [String] {
    guard let code = declaration.codeBesideCases,
      run.history.last?.type(named: name)?.isOwn == false
    else { return [] }
    let added = code.conformances.joined(separator: ", ")
    var lines = ["extension \(name)\(added.isEmpty ? "" : ": \(added)") {"]
    for (index, member) in code.members.enumerated() {
      if index > 0 { lines.append("") }
      lines += translated(Syntax(member)).dedentedLines.map { $0.isEmpty ? "" : "  " + $0 }
    }
    return lines + ["}"]
  }

  // MARK: Names

  private mutating func addRenames(in node: Syntax) {
    let names = Set(run.index.types.map(\.name)).union(run.index.aliases.map(\.name))
    var known = run.valueTypes
    for reference in NameReferences.find(names, in: node) {
      let parts = [reference.name] + reference.members.map(\.name)
      let scope = reference.node.enclosingTypes
      for length in stride(from: parts.count, to: 0, by: -1) {
        guard let found = run.index.type(named: Array(parts.prefix(length)), in: scope) else {
          continue
        }
        if let name = run.newName(of: found, &known) {
          if name != parts.prefix(length).joined(separator: ".") {
            edits.append((reference.range(members: length - 1), name))
          }
          break
        }
        noteLost(found, reference.node)
      }
    }
  }

  /// Says where something is used that stands in a version, and goes with it.
  private mutating func noteLost(_ found: DeclaredType, _ node: Syntax) {
    let isInVersion = run.versions.contains { version in
      !version.type.path.isEmpty && found.path.starts(with: version.type.path)
        && found.path.count == version.type.path.count + 1
    }
    guard isInVersion else { return }
    note(
      "'\(found.fullName)' goes with its version, and '\(type.name)' uses it", node,
      "move it to the top level of one of your own files")
  }

  /// Lets the rest of the file see what only it saw: it is in another file now.
  private mutating func open(_ declaration: DeclSyntax) {
    guard let modifiers = declaration.asProtocol((any WithModifiersSyntax).self)?.modifiers else {
      return
    }
    for modifier in modifiers where modifier.detail == nil {
      switch modifier.name.tokenKind {
      case .keyword(.open):
        let start = modifier.positionAfterSkippingLeadingTrivia.utf8Offset
        edits.append(
          (start..<modifier.endPositionBeforeTrailingTrivia.utf8Offset, "public"))
      case .keyword(.private), .keyword(.fileprivate):
        let names = declaration.is(SubscriptDeclSyntax.self) ? [] : declaration.declaredNames
        if names.isEmpty || !namesElsewhere.isDisjoint(with: names) { remove(modifier) }
      default: break
      }
    }
  }

  private mutating func remove(_ modifier: DeclModifierSyntax) {
    let start = modifier.positionAfterSkippingLeadingTrivia.utf8Offset
    edits.append((start..<modifier.endPosition.utf8Offset, ""))
  }

  /// Names in the file that do not go along: those outside of the class, and those of stored properties' defaults.
  private var namesElsewhere: Set<String> {
    var names: Set<String> = []
    for token in file.syntax.tokens(viewMode: .sourceAccurate) {
      guard case .identifier = token.tokenKind else { continue }
      if token.position < node.position || token.position >= node.endPosition {
        names.insert(token.plain)
      }
    }
    for member in node.memberBlock.members {
      if let initializer = member.decl.as(InitializerDeclSyntax.self) {
        for parameter in WrittenInitializer(initializer).parameters {
          let tokens = parameter.defaultValue?.tokens(viewMode: .sourceAccurate)
          names.formUnion(tokens?.map(\.plain) ?? [])
        }
      } else if !member.decl.isMovable {
        names.formUnion(member.tokens(viewMode: .sourceAccurate).map(\.plain))
      }
    }
    return names
  }

  // MARK: What only the file sees

  /// Declarations of the file that no other sees, as far as what goes uses them.
  private mutating func carried() -> [DeclSyntax] {
    var found: [DeclSyntax] = []
    var pending = members.compactMap { member -> Syntax? in
      switch member {
      case .declaration(let declaration): Syntax(declaration)
      case .initializer(let initializer): Syntax(initializer.syntax)
      case .alias: nil
      }
    }
    while let next = pending.popLast() {
      let used = UsedNames.find(in: next)
      for statement in file.syntax.statements {
        guard case .decl(let declaration) = statement.item,
          !found.contains(where: { $0.id == declaration.id })
        else { continue }
        if let added = declaration.as(ExtensionDeclSyntax.self) {
          let hidden = added.memberBlock.members.map(\.decl).filter {
            (declaration.isPrivate || $0.isPrivate)
              && !used.members.union(used.values).isDisjoint(with: $0.declaredNames)
          }
          guard let first = hidden.first else { continue }
          let extended = run.index.type(named: added.extendedType.nameParts, in: [])
          if declaration.isPrivate, extended?.isModel != true {
            found.append(declaration)
            pending.append(Syntax(declaration))
          } else {
            note(
              "'\(first.declaredNames.first ?? "")' is private to its file, and '\(type.name)' uses it from another",
              first, "remove 'private'")
          }
        } else if declaration.isPrivate, !used.values.isDisjoint(with: declaration.declaredNames) {
          found.append(declaration)
          pending.append(Syntax(declaration))
        }
      }
    }
    return found.sorted { $0.position < $1.position }
  }

  // MARK: Findings

  private mutating func note(_ message: String, _ node: some SyntaxProtocol, _ help: String) {
    guard !findings.contains(where: { $0.message == message }) else { return }
    report(message, at: run.index.place(of: node), help: [help], severity: .warning)
  }

  private mutating func report(
    _ message: String, at place: Place, help: [String], severity: Diagnostic.Severity
  ) {
    findings.append(
      Diagnostic(
        .notCarried, message, element: ElementPath(model.name), at: place, help: help,
        severity: severity))
  }
}

extension Trivia {
  fileprivate var hasEmptyLine: Bool {
    contains { piece in
      switch piece {
      case .newlines(let count), .carriageReturns(let count), .carriageReturnLineFeeds(let count):
        count > 1
      default: false
      }
    }
  }
}

extension DeclSyntax {
  /// What an enum or a struct has besides cases and fields, which no generated one has; nil where that is nothing.
  var codeBesideCases: (members: [DeclSyntax], conformances: [String])? {
    guard let group = asProtocol((any DeclGroupSyntax).self) else { return nil }
    let given = Set(StorageType.Primitive.bySwiftName.keys).union([
      "CaseIterable", "Codable", "Decodable", "Encodable", "Equatable", "Hashable", "Sendable",
    ])
    let conformances = group.inheritanceClause?.inheritedTypes.map(\.type).filter {
      !given.contains($0.lastName)
    }.map(\.trimmedDescription)
    let members = group.memberBlock.members.map(\.decl).filter {
      $0.isMovable || $0.is(InitializerDeclSyntax.self) && self.is(EnumDeclSyntax.self)
    }
    guard !members.isEmpty || conformances?.isEmpty == false else { return nil }
    return (members, conformances ?? [])
  }

  /// Whether it is code or a type, which may stand in an extension, rather than something stored or a macro.
  fileprivate var isMovable: Bool {
    if let variable = self.as(VariableDeclSyntax.self) {
      return variable.modifiers.isStatic || variable.bindings.allSatisfy(\.isComputed)
    }
    return asProtocol((any NamedDeclSyntax).self) != nil || self.is(SubscriptDeclSyntax.self)
  }

  fileprivate var isOverride: Bool {
    asProtocol((any WithModifiersSyntax).self)?.modifiers.has(.override) ?? false
  }
}

extension Syntax {
  /// The names of the types around it, the outermost first.
  var enclosingTypes: [String] { enclosingParts.flatMap(\.self) }
}
