internal import SchemaModel
internal import SchemaWorkspace
internal import SwiftSyntax

/// What is generated, and who else uses it.
extension SourceRemoval {
  /// Whether a path names a version or something in one.
  func isOfVersion(_ parts: [String]) -> Bool {
    (1..<(parts.count + 1)).contains { versions[parts.prefix($0).joined(separator: ".")] != nil }
  }

  /// Whether it is a version behind a name: `static let first = SchemaV1.self`.
  func isVersionConstant(_ declaration: DeclSyntax) -> Bool {
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
  mutating func isGeneratedValue(_ path: [String], keepsName: Bool = false) -> Bool {
    guard path.count > 1, let type = declarations.index.type(path), type.kind != .extension,
      !type.isModel, valueTypes.isHoisted(type), !kept.contains(path[0])
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
  func isStage(_ declaration: DeclSyntax) -> Bool {
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
  func isUsedElsewhere(_ declaration: DeclSyntax, of owner: String? = nil) -> Bool {
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
  func isAboutMigrations(_ item: CodeBlockItemSyntax) -> Bool {
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
  func decided(_ members: MemberBlockItemListSyntax) -> [DeclSyntax] {
    conditions.decided(members.map(\.decl)).map(\.declaration)
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
  static func stageNames(_ declarations: AdoptedDeclarations) -> Set<String> {
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
