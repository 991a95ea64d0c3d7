package import SwiftSources
internal import SwiftSyntax

/// What the checks need to know of the declarations in a source tree.
package struct TreeFacts: Sendable {
  /// The names of top-level classes, structs, enums, actors and protocols.
  private(set) var declared: Set<String> = []
  /// The handwritten versions, with the classes nested in each.
  private(set) var versions: [String: Set<String>] = [:]
  package private(set) var plans: Set<String> = []
  private(set) var listed: Set<String> = []
  /// The names of nested types and aliases, by the full name of the enclosing type.
  private var nested: [String: Set<String>] = [:]
  private var nestedNames: Set<String> = []
  private var aliases: [String: [String]] = [:]
  private(set) var containers = ContainerFunctions()
  /// The CloudKit databases of all configurations whose stores are on disk.
  private(set) var databases: Set<CloudDatabase> = []
  /// Global and static constants, by type and name: `Flags.database`. They may contain a CloudKit database.
  private(set) var constants: [String: ExprSyntax] = [:]
  /// The names of functions that delete files or all rows of a model, directly or by a call.
  private(set) var deleting: Set<String> = []
  /// Handwritten declarations that are generated as well; empty if nothing has been generated.
  package private(set) var replaced: [Replaced] = []

  /// A handwritten declaration that is generated under the same name.
  package struct Replaced: Hashable {
    var name: String
    var place: Place
  }

  package init(_ sources: [SwiftSource] = [], generated names: VersionNames? = nil) {
    var places: [Replaced] = []
    var models: Set<String> = []
    for source in sources {
      let types = TypeDeclarations(source)
      declared.formUnion(types.names)
      plans.formUnion(types.plans)
      listed.formUnion(types.listed)
      for (version, classes) in types.versions { versions[version, default: []].formUnion(classes) }
      nested.merge(types.nested) { $0.union($1) }
      aliases.merge(types.aliases) { first, _ in first }
      models.formUnion(types.models)
      containers.add(source)
      constants.merge(types.constants) { first, _ in first }
      places += types.places.map {
        Replaced(name: $0.name, place: source.location(of: $0.token))
      }
    }
    for source in sources { databases.formUnion(source.cloudDatabases(constants)) }
    deleting = Self.deleting(sources)
    // Declarations in an extension of an alias belong to the alias's target type.
    for (path, names) in nested {
      let type = resolved(path)
      if type != path { nested[type, default: []].formUnion(names) }
      nestedNames.formUnion(names)
    }
    guard let names else { return }
    replaced = places.filter { isReplaced($0.name, by: names, models) }
  }

  private static func deleting(_ sources: [SwiftSource]) -> Set<String> {
    var calling: [(name: String, called: Set<String>)] = []
    var found: Set<String> = []
    for function in sources.flatMap({ $0.syntax.all(FunctionDeclSyntax.self) }) {
      let calls = function.body?.all(FunctionCallExprSyntax.self) ?? []
      calling.append((function.name.plain, Set(calls.compactMap(\.calledName))))
      if calls.contains(where: \.deletesData) { found.insert(function.name.plain) }
    }
    while true {
      let more = calling.filter {
        !found.contains($0.name) && !found.isDisjoint(with: $0.called)
      }
      guard !more.isEmpty else { return found }
      found.formUnion(more.map(\.name))
    }
  }

  func declares(_ name: String) -> Bool { declared.contains(name) }

  /// Whether the app declares the top-level name, and not as a version. If so, the name never means a generated type.
  func declaresOwn(_ name: String) -> Bool { declared.contains(name) && versions[name] == nil }

  private func isReplaced(
    _ name: String, by names: VersionNames, _ models: Set<String>
  ) -> Bool {
    if versions[name] != nil { return names.schemas[name] != nil }
    if plans.contains(name) { return names.folders.contains { $0.plan == name } }
    return models.contains(name)
      && names.folders.contains {
        $0.isAdopted && !$0.keepsClasses && $0.active.values.contains(name)
      }
  }

  /// Whether a type that encloses the node has a nested type or alias with the name.
  func isNested(_ name: String, around node: Syntax) -> Bool {
    guard nestedNames.contains(name) else { return false }
    var path: [String] = []
    return node.enclosingParts.contains { parts in
      path += parts
      return nested[resolved(path.joined(separator: "."))]?.contains(name) ?? false
    }
  }

  /// The full name of a type after resolving the aliases in the files.
  private func resolved(_ path: String) -> String {
    var parts = path.split(separator: ".").map { String($0) }
    // An alias may name another alias. The limit ends cycles.
    for _ in 0..<8 {
      guard
        let length = (1..<(parts.count + 1)).first(where: {
          aliases[parts.prefix($0).joined(separator: ".")] != nil
        }), let target = aliases[parts.prefix(length).joined(separator: ".")], parts.count < 64
      else { break }
      parts = target + parts.dropFirst(length)
    }
    return parts.joined(separator: ".")
  }
}

private final class TypeDeclarations: TypeVisitor {
  private(set) var names: Set<String> = []
  private(set) var versions: [String: Set<String>] = [:]
  private(set) var plans: Set<String> = []
  private(set) var models: Set<String> = []
  private(set) var nested: [String: Set<String>] = [:]
  private(set) var listed: Set<String> = []
  private(set) var aliases: [String: [String]] = [:]
  private(set) var constants: [String: ExprSyntax] = [:]
  private(set) var places: [(name: String, token: TokenSyntax)] = []
  /// The enclosing types' names. An extension of a nested type is one element, with dots.
  private var enclosing: [String] = []

  init(_ source: SwiftSource) {
    super.init(viewMode: .sourceAccurate)
    walk(source.syntax)
  }

  override func enter(_ node: any DeclGroupSyntax, _ token: TokenSyntax?) {
    if let token { declare(token) }
    if let node = node as? ClassDeclSyntax {
      if enclosing.isEmpty, node.attributes.attribute("Model") != nil {
        models.insert(node.name.plain)
      }
      // Another file may declare the enclosing type as a version.
      if let last = enclosing.last { versions[last]?.insert(node.name.plain) }
    }
    let extended = (node as? ExtensionDeclSyntax)?.extendedType
    let name = token?.plain ?? extended?.lastName ?? ""
    if node.inheritanceClause.names("VersionedSchema") {
      versions[name, default: []].formUnion([])
    }
    if node.inheritanceClause.names("SchemaMigrationPlan") { plans.insert(name) }
    enclosing.append(extended?.nameParts.joined(separator: ".") ?? name)
  }

  override func leave() { enclosing.removeLast() }

  private func declare(_ token: TokenSyntax) {
    if enclosing.isEmpty {
      names.insert(token.plain)
      places.append((token.plain, token))
    } else {
      nested[enclosing.joined(separator: "."), default: []].insert(token.plain)
    }
  }

  override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
    if node.pattern.trimmedDescription == "models",
      node.typeAnnotation?.type.trimmedDescription.contains("PersistentModel") ?? false
    {
      for path in node.outermostPaths where path.last == "self" {
        listed.formUnion(path.dropLast().suffix(1))
      }
    }
    let type = enclosing.last?.split(separator: ".").last.map { "\($0)." }
    if type == nil
      || node.parent?.parent?.as(VariableDeclSyntax.self)?.modifiers.isStatic ?? false,
      let value = node.initializer?.value ?? node.getterResult
    {
      constants[(type ?? "") + node.pattern.trimmedDescription] = value
    }
    return .visitChildren
  }

  override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
    if !enclosing.isEmpty { declare(node.name) }
    let target = node.initializer.value.nameParts
    if !target.isEmpty, target != [node.name.plain] {
      aliases[(enclosing + [node.name.plain]).joined(separator: ".")] = target
    }
    return .visitChildren
  }

  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
    declare(node.name)
    enclosing.append(node.name.plain)
    return .visitChildren
  }
  override func visitPost(_ node: ProtocolDeclSyntax) { leave() }

  // A type in a function body is local.
  override func visit(_ node: CodeBlockSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
}

extension InheritanceClauseSyntax? {
  package func names(_ name: String) -> Bool {
    self?.inheritedTypes.contains { $0.type.lastName == name } ?? false
  }
}
