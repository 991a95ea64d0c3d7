internal import SchemaModel
internal import SchemaRendering
package import SwiftSyntax

/// Collects the types and aliases that a file declares, nested ones too, but not those in function bodies.
package struct DeclarationReader {
  package private(set) var types: [DeclaredType] = []
  package private(set) var aliases: [DeclaredAlias] = []
  /// `@Model` classes in inactive `#if` clauses, at any depth.
  package private(set) var omitted: [(name: String, place: Place)] = []
  /// The places of classes, structs and enums in inactive `#if` clauses, by full name.
  private(set) var omittedTypes: [String: Place] = [:]
  private(set) var protocols: [String: [String]] = [:]
  private(set) var globals: [String: [DeclSyntax]] = [:]
  private let source: SwiftSource
  private let conditions: BuildConditions
  private let isGenerated: Bool
  private let file: Int

  /// - Parameter file: The index of the file among all indexed files.
  package init(_ source: SwiftSource, file: Int, _ conditions: BuildConditions) {
    self.file = file
    self.source = source
    self.conditions = conditions
    isGenerated = GeneratedFile.isMarked(source.file.bytes)
    let statements = source.syntax.statements.compactMap { $0.item.as(DeclSyntax.self) }
    for (declaration, isConditional) in conditions.decided(statements) {
      read(declaration, below: [], isConditional: isConditional)
      guard declaration.is(FunctionDeclSyntax.self) || declaration.is(VariableDeclSyntax.self)
      else { continue }
      for name in declaration.declaredNames { globals[name, default: []].append(declaration) }
    }
    let finder = OmittedModels(conditions)
    finder.walk(source.syntax)
    omitted = finder.found.map { ($0.name.plain, source.location(of: $0.name)) }
    omittedTypes = finder.types.mapValues { source.location(of: $0) }
  }

  private mutating func read(
    _ declaration: DeclSyntax, below path: [String], isConditional: Bool
  ) {
    if let node = declaration.as(ClassDeclSyntax.self) {
      read(
        node, .class, path + [node.name.plain], node.name, isConditional,
        isGeneric: node.genericParameterClause != nil)
    } else if let node = declaration.as(StructDeclSyntax.self) {
      read(
        node, .structure, path + [node.name.plain], node.name, isConditional,
        isGeneric: node.genericParameterClause != nil)
    } else if let node = declaration.as(EnumDeclSyntax.self) {
      read(
        node, .enumeration, path + [node.name.plain], node.name, isConditional,
        isGeneric: node.genericParameterClause != nil)
    } else if let node = declaration.as(ActorDeclSyntax.self) {
      read(
        node, .actor, path + [node.name.plain], node.name, isConditional,
        isGeneric: node.genericParameterClause != nil)
    } else if let node = declaration.as(ExtensionDeclSyntax.self) {
      let parts = node.extendedType.nameParts
      guard !parts.isEmpty else { return }
      read(node, .extension, path + parts, node.extendedType, isConditional, isGeneric: false)
    } else if let node = declaration.as(ProtocolDeclSyntax.self) {
      protocols[node.name.plain] =
        node.inheritanceClause?.inheritedTypes.compactMap(\.type.nameParts.last) ?? []
      for member in node.memberBlock.members {
        guard let type = member.decl.as(AssociatedTypeDeclSyntax.self),
          let value = type.initializer?.value
        else { continue }
        aliases.append(
          DeclaredAlias(
            path: path + [node.name.plain, type.name.plain], target: value,
            isGenerated: isGenerated, place: source.location(of: type.name)))
      }
    } else if let node = declaration.as(TypeAliasDeclSyntax.self) {
      aliases.append(
        DeclaredAlias(
          path: path + [node.name.plain], target: node.initializer.value,
          isGenerated: isGenerated, place: source.location(of: node.name),
          unknownConditions: isConditional ? around(node).flatMap(conditions.unknown) : []))
    }
  }

  private func around(_ node: some SyntaxProtocol) -> [IfConfigDeclSyntax] {
    sequence(first: Syntax(node)) { $0.parent }.compactMap { $0.as(IfConfigDeclSyntax.self) }
  }

  /// The undecided `#if` conditions around a declaration and between its members. In a model, only those count that
  /// may decide what is stored.
  private func unknownConditions(of node: some DeclGroupSyntax) -> [String] {
    let isModel = node.attributes.attribute("Model") != nil
    let inside = node.memberBlock.members.compactMap { $0.decl.as(IfConfigDeclSyntax.self) }
      .filter { !isModel || $0.mayStore }
    return (around(node) + inside).flatMap(conditions.unknown)
  }

  private mutating func read(
    _ node: some DeclGroupSyntax, _ kind: DeclaredType.Kind, _ path: [String],
    _ name: some SyntaxProtocol, _ isConditional: Bool, isGeneric: Bool
  ) {
    let members = conditions.decided(node.memberBlock.members.map(\.decl))
    let isConditional =
      isConditional || node.memberBlock.members.contains { $0.decl.is(IfConfigDeclSyntax.self) }
    types.append(
      DeclaredType(
        kind: kind, path: path,
        inheritedTypes: node.inheritanceClause?.inheritedTypes.map(\.type.nameParts) ?? [],
        attributes: node.attributes, modifiers: node.modifiers, members: members.map(\.0),
        isGeneric: isGeneric, isGenerated: isGenerated,
        documentation: Documentation.text(before: node),
        isConditional: isConditional,
        unknownConditions: isConditional ? unknownConditions(of: node) : [],
        place: source.location(of: name), file: file))
    for (member, isConditional) in members {
      read(member, below: path, isConditional: isConditional)
    }
  }
}

extension IfConfigDeclSyntax {
  /// Whether a clause contains more than methods, initialisers and computed or static properties, so it may decide what
  /// a model stores.
  package var mayStore: Bool {
    clauses.contains { clause in
      guard case .decls(let members)? = clause.elements else { return false }
      return members.map(\.decl).contains { member in
        if let inner = member.as(IfConfigDeclSyntax.self) { return inner.mayStore }
        if let variable = member.as(VariableDeclSyntax.self) {
          return !variable.modifiers.isStatic && variable.bindings.contains { !$0.isComputed }
        }
        return !member.is(FunctionDeclSyntax.self) && !member.is(InitializerDeclSyntax.self)
          && !member.is(SubscriptDeclSyntax.self) && !member.is(DeinitializerDeclSyntax.self)
      }
    }
  }
}

/// Finds models and other types in inactive `#if` clauses.
private final class OmittedModels: SyntaxVisitor {
  private(set) var found: [ClassDeclSyntax] = []
  private(set) var types: [String: TokenSyntax] = [:]
  private let conditions: BuildConditions
  private var isOmitted = false

  init(_ conditions: BuildConditions) {
    self.conditions = conditions
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
    let active = conditions.active(node)
    for clause in node.clauses {
      let outer = isOmitted
      isOmitted = outer || clause.id != active?.id
      if let elements = clause.elements { walk(elements) }
      isOmitted = outer
    }
    return .skipChildren
  }

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    if isOmitted, node.attributes.attribute("Model") != nil { found.append(node) }
    note(node, node.name)
    return .visitChildren
  }

  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
    note(node, node.name)
    return .visitChildren
  }

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    note(node, node.name)
    return .visitChildren
  }

  private func note(_ node: some SyntaxProtocol, _ name: TokenSyntax) {
    guard isOmitted else { return }
    types[(Syntax(node).enclosingTypes + [name.plain]).joined(separator: ".")] = name
  }
}

extension PatternBindingSyntax {
  /// The expression of a getter that consists of one expression; nil for other properties.
  package var getterResult: ExprSyntax? {
    guard case .getter(let statements)? = accessorBlock?.accessors, statements.count == 1 else {
      return nil
    }
    return statements.first?.item.as(ExprSyntax.self)
  }

  /// Whether the property has a getter. A property that has only observers is stored.
  package var isComputed: Bool {
    switch accessorBlock?.accessors {
    case .getter?: true
    case .accessors(let list)?:
      list.contains {
        ![.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
      }
    case nil: false
    }
  }
}
