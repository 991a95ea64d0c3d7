internal import SchemaEvolution
internal import SchemaLint
internal import SchemaModel
internal import SchemaWorkspace
internal import SwiftAdoption
internal import SwiftChecks
internal import SwiftSources
internal import SwiftSyntax

/// Finds which declarations of hand-written files are now generated.
struct GeneratedDeclarations {
  private let adoption: Adoption
  private let history: [SchemaVersion]
  private let names: NamePatterns
  private var versions: [String: Int] = [:]
  /// Full names of the newest version's classes, which may have members that are not generated.
  private var newest: Set<String> = []
  /// Full names of all other classes that must be removed.
  private var older: Set<String> = []
  private var valueTypes: ValueTypeNames
  private let extended: [String: Set<String>]
  private let stageNames: Set<String>
  private let aliases: Set<String>
  private var source: SwiftSource

  private enum Outcome {
    case stays
    /// An import, which is no reason to keep a file.
    case isImport
    case goes
    /// Only a part of the declaration is generated. The findings say what to remove and what to keep.
    case partly([Diagnostic])
  }

  /// - Parameters:
  ///   - history: The manifests' versions, in the order of the adopted ones.
  ///   - equal: The names of top-level classes that equal a manifest's model.
  ///   - sources: All handwritten files, including user files.
  init(
    _ adoption: Adoption, _ history: [SchemaVersion], _ evolution: Evolution, equal: Set<String>,
    sources: [SwiftSource]
  ) {
    self.adoption = adoption
    self.history = history
    names = evolution.configuration.names
    valueTypes = adoption.valueTypes
    source = sources[0]
    let keepsClasses = evolution.configuration.classes != nil
    for (place, version) in adoption.versions.enumerated() where !version.type.path.isEmpty {
      versions[version.name] = place
    }
    for (name, target) in adoption.merged { versions[name] = versions[target] }
    let isVersioned = !versions.isEmpty
    for type in adoption.classes.dropLast().joined() { older.insert(type.fullName) }
    for type in adoption.classes.last ?? [] where isVersioned || equal.contains(type.name) {
      if !keepsClasses {
        newest.insert(type.fullName)
      } else if type.path.count == 1 {
        older.remove(type.fullName)
      } else if adoption.index.type([type.name])?.isModel == true {
        // The nested class is a copy if a top-level class exists too.
        older.insert(type.fullName)
      } else {
        newest.insert(type.fullName)
      }
    }
    older.formUnion(adoption.liveCopies)
    if !keepsClasses { newest.formUnion(equal) }
    let names = names
    let last = evolution.history[evolution.history.count - 1]
    aliases = history.reduce(into: Set(last.models.map { names.active(model: $0.name) })) {
      for model in $1.models { $0.insert(names.alias(model: model.name, version: $1.number)) }
    }
    extended = Self.extensions(in: sources, of: last, names)
    stageNames = Self.stageNames(adoption)
  }

  /// What to remove from a file; `nil` if the whole file is generated and must be removed.
  mutating func remaining(in file: SwiftSource) -> [Diagnostic]? {
    source = file
    var found: [Diagnostic] = []
    var isWhole = true
    for item in file.syntax.statements {
      guard case .decl(let declaration) = item.item else {
        isWhole = false
        continue
      }
      switch outcome(of: declaration, below: []) {
      case .stays: isWhole = false
      case .isImport: break
      case .goes: found.append(note(declaration))
      case .partly(let notes):
        isWhole = false
        found += notes
      }
    }
    return isWhole && !found.isEmpty ? nil : found
  }

  // MARK: Declarations

  private mutating func outcome(of declaration: DeclSyntax, below path: [String]) -> Outcome {
    if declaration.isImport { return .isImport }
    if let config = declaration.as(IfConfigDeclSyntax.self) {
      return outcome(
        of: adoption.options.conditions.decided([declaration]).map(\.declaration), below: path,
        isWhole: config.clauses.count == 1)
    }
    if let alias = declaration.as(TypeAliasDeclSyntax.self) {
      // An alias is useless if its version has another name now.
      let target = alias.initializer.value.nameParts.first ?? ""
      let isRenamed = versions[target].map { names.schema(history[$0].number) != target }
      return path.isEmpty && (isRenamed ?? false || aliases.contains(alias.name.plain))
        ? .goes : .stays
    }
    if adoption.carried.contains(declaration.id) { return .goes }
    // Stages of versions and plans that were not adopted stay.
    if servesPlan(declaration), !stageNames.isDisjoint(with: declaration.declaredNames),
      ["models", "schemas", "stages"].allSatisfy({ !declaration.declaredNames.contains($0) })
    {
      return .goes
    }
    guard let group = declaration.asProtocol((any DeclGroupSyntax).self) else { return .stays }
    let isExtension = declaration.is(ExtensionDeclSyntax.self)
    let own =
      declaration.as(ExtensionDeclSyntax.self).map { path + meaning(of: $0.extendedType.nameParts) }
      ?? path + declaration.declaredNames
    let name = own.joined(separator: ".")
    if versions[name] != nil || adoption.plan?.type.path == own { return outcome(of: group, own) }
    // Versions and plan of another store belong to another adoption.
    let kinds = ["VersionedSchema", "SchemaMigrationPlan"]
    if kinds.contains(where: group.inheritanceClause.names) { return .stays }
    if let node = declaration.as(ClassDeclSyntax.self), node.attributes.attribute("Model") != nil {
      return outcome(of: node, name)
    }
    if !isExtension, let name = own.last, let type = generatedType(own) {
      if type == name { return .goes }
      let code = declaration.codeBesideCases.map {
        ", and \((Self.list($0.members) + $0.conformances).joined(separator: ", ")), in 'extension \(type)'"
      }
      return .partly([note(declaration, "typealias \(name) = \(type)" + (code ?? ""))])
    }
    let isNamespace =
      (isExtension || declaration.is(EnumDeclSyntax.self)) && group.inheritanceClause == nil
    return outcome(
      of: group.memberBlock.members.map(\.decl), below: own, isWhole: isNamespace && path.isEmpty)
  }

  private mutating func outcome(
    of members: [DeclSyntax], below path: [String], isWhole: Bool
  ) -> Outcome {
    var found: [Diagnostic] = []
    var isWhole = isWhole
    for member in members {
      switch outcome(of: member, below: path) {
      case .stays: isWhole = false
      case .isImport: break
      case .goes: found.append(note(member))
      case .partly(let notes):
        isWhole = false
        found += notes
      }
    }
    return found.isEmpty ? .stays : isWhole ? .goes : .partly(found)
  }

  private mutating func outcome(of group: any DeclGroupSyntax, _ path: [String]) -> Outcome {
    var left: [DeclSyntax] = []
    var notes: [Diagnostic] = []
    let isMerged = adoption.merged[path.joined(separator: ".")] != nil
    for member in adoption.options.conditions.decided(group.memberBlock.members.map(\.decl)).map(
      \.declaration)
    {
      if isGenerated(member, in: path) || adoption.carried.contains(member.id) { continue }
      if let node = member.as(ClassDeclSyntax.self), node.attributes.attribute("Model") != nil {
        if isMerged { continue }
        switch outcome(of: node, (path + [node.name.plain]).joined(separator: ".")) {
        case .goes, .isImport: continue
        case .partly(let found): notes += found
        case .stays: left.append(member)
        }
      } else if isMerged && (member.is(EnumDeclSyntax.self) || member.is(StructDeclSyntax.self))
        || member.declaredNames.first.flatMap({ generatedType(path + [$0]) }) != nil
      {
        continue
      } else {
        left.append(member)
      }
    }
    let known: Set = ["VersionedSchema", "SchemaMigrationPlan", "Sendable"]
    let conformances = (group.inheritanceClause?.inheritedTypes.map(\.type) ?? []).filter {
      !known.contains($0.lastName)
    }.map(\.trimmedDescription)
    if left.isEmpty, notes.isEmpty, conformances.isEmpty { return .goes }
    let rest = (Self.list(left) + conformances).joined(separator: ", ")
    let name = versions[path.joined(separator: ".")].map { names.schema(history[$0].number) }
    return .partly(
      [
        note(
          DeclSyntax(group), rest.isEmpty ? nil : "\(rest), in 'extension \(name ?? names.plan)'")
      ]
        + notes)
  }

  private func outcome(of node: ClassDeclSyntax, _ name: String) -> Outcome {
    guard newest.contains(name) else { return older.contains(name) ? .goes : .stays }
    let model = node.name.plain
    // If a top-level class was adopted in place of a nested class, `members` does not have the nested class.
    guard let members = adoption.members[name] else {
      return name.contains(".") ? .goes : .stays
    }
    let known = extended[model] ?? []
    let left = (members.moved + members.types.map(\.declaration) + members.refused).filter {
      let keys = $0.inAllClauses.reduce(into: Set()) { $0.formUnion($1.memberKeys) }
      return keys.isEmpty || !known.isSuperset(of: keys)
    }
    let conformances = members.conformances.filter { !known.contains(": " + $0) }
    guard !left.isEmpty || !conformances.isEmpty else { return .goes }
    let rest = (Self.list(left) + conformances).joined(separator: ", ")
    return .partly([
      note(DeclSyntax(node), "\(rest), in 'extension \(names.active(model: model))'")
    ])
  }

  private func isGenerated(_ member: DeclSyntax, in path: [String]) -> Bool {
    if servesPlan(member) { return true }
    if member.is(TypeAliasDeclSyntax.self) {
      let version = versions[path.joined(separator: ".")].map { history[$0] }
      return version?.model(named: member.declaredNames[0]) != nil
    }
    let generated: Set = ["schemas", "stages", "models", "versionIdentifier"]
    return member.is(VariableDeclSyntax.self)
      && !generated.isDisjoint(with: member.declaredNames)
  }

  /// Whether a declaration is a stage, a list, or a name for a version: `static let first = SchemaV1.self`.
  private func servesPlan(_ declaration: DeclSyntax) -> Bool {
    let isVersion = declaration.as(VariableDeclSyntax.self)?.bindings.allSatisfy { binding in
      let path = binding.initializer?.value.memberPath ?? []
      return path.last == "self" && versions[path.dropLast().joined(separator: ".")] != nil
    }
    return declaration.servesStages || isVersion ?? false
  }

  /// The generated name of a value type that was nested in a model or a version; nil if the type stays.
  private mutating func generatedType(_ path: [String]) -> String? {
    guard path.count > 1, let type = adoption.index.type(path), !type.isModel,
      valueTypes.isHoisted(type)
    else { return nil }
    let name = valueTypes.name(of: type)
    // If no manifest lists the type's cases or fields, only this declaration has them.
    guard let declared = history.newestTypes[name], declared.kind != .opaque else { return nil }
    return name
  }

  private func meaning(of path: [String]) -> [String] {
    adoption.index.type(path)?.path
      ?? adoption.index.type(named: path, in: [])?.path ?? path
  }

  // MARK: Findings

  private func note(_ declaration: DeclSyntax, _ rest: String? = nil) -> Diagnostic {
    let name =
      declaration.as(ExtensionDeclSyntax.self).map {
        "extension \($0.extendedType.trimmedDescription)"
      } ?? declaration.declaredNames.first ?? "#if"
    let what =
      adoption.carried.contains(declaration.id) || servesPlan(declaration)
      ? "served the old plan" : "is generated now"
    return Diagnostic(
      .notTakenOut, "'\(name)' \(what)", at: source.location(of: declaration),
      help: ["remove it here" + (rest.map { ", and keep: \($0)" } ?? "")], severity: .warning)
  }

  private static func list(_ members: [DeclSyntax]) -> [String] {
    members.flatMap { member -> [String] in
      let names = member.inAllClauses.flatMap { $0.memberKeys.sorted() }
      if member.isObserved { return ["observers of \(names.joined(separator: ", "))"] }
      return names.isEmpty ? [member.firstToken(viewMode: .sourceAccurate)?.text ?? "code"] : names
    }
  }

  // MARK: Names

  private static func extensions(
    in sources: [SwiftSource], of newest: SchemaVersion, _ names: NamePatterns
  ) -> [String: Set<String>] {
    var models: [String: String] = [:]
    for model in newest.models.map(\.name) {
      models[names.active(model: model)] = model
      models[names.alias(model: model, version: newest.number)] = model
      models[names.schema(newest.number) + "." + model] = model
    }
    var found: [String: Set<String>] = [:]
    for added in sources.flatMap({ Array($0.syntax.statements) })
      .compactMap({ $0.item.as(ExtensionDeclSyntax.self) })
    {
      guard let model = models[added.extendedType.nameParts.joined(separator: ".")] else {
        continue
      }
      for member in added.memberBlock.members.flatMap(\.decl.inAllClauses) {
        found[model, default: []].formUnion(member.memberKeys)
      }
      for type in added.inheritanceClause?.inheritedTypes ?? [] {
        found[model, default: []].insert(": " + type.type.trimmedDescription)
      }
    }
    return found
  }

  private static func stageNames(_ adoption: Adoption) -> Set<String> {
    let plan = adoption.plan?.type.path ?? []
    let paths = adoption.versions.map(\.type.path) + [plan]
    func names(_ members: [DeclSyntax]) -> [String] {
      members.flatMap { $0.tokens(viewMode: .sourceAccurate).map(\.plain) }
    }
    var found = Set(names(paths.filter { !$0.isEmpty }.flatMap(adoption.index.members)))
    // A stage may use declarations of another stage.
    for _ in 0..<3 {
      let serving = adoption.index.types.filter { $0.path != plan }
        .flatMap(\.members)
        .filter { $0.servesStages && !found.isDisjoint(with: $0.declaredNames) }
      found.formUnion(names(serving))
    }
    return found
  }
}

extension DeclSyntax {
  /// Whether the declaration is a stage, a function that creates a stage, or a list of versions, models or stages.
  fileprivate var servesStages: Bool {
    let kinds: Set = ["MigrationStage", "VersionedSchema", "PersistentModel"]
    func isKind(_ type: TypeSyntax) -> Bool {
      let words = type.trimmedDescription.split { !($0.isLetter || $0.isNumber) }.map(String.init)
      return !kinds.isDisjoint(with: words)
    }
    if let function = self.as(FunctionDeclSyntax.self) {
      return function.signature.returnClause?.type.lastName == "MigrationStage"
    }
    return self.as(VariableDeclSyntax.self)?.bindings.allSatisfy { binding in
      if let type = binding.typeAnnotation?.type { return isKind(type) }
      return binding.initializer?.value.as(FunctionCallExprSyntax.self)?.calledExpression
        .memberPath?.first == "MigrationStage"
    } ?? false
  }
}
