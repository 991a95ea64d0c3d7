internal import SchemaModel
internal import SwiftSources
internal import SwiftSyntax

/// Reads types as a class writes them and resolves names: aliases to their targets, value types to manifest names.
package struct TypeResolver {
  let index: SourceIndex
  let models: ModelScope
  var names: ValueTypeNames
  /// Value types found so far, by manifest name; `nil` for a type that no file declares.
  var used: [String: DeclaredType?] = [:]
  var unlisted: [DeclaredType] = []
  /// Whether the types being read are stored. A model that is kept only in memory does not join the version.
  var isStored = true
  /// Pairs of different value types that have one name in manifests and that one version uses.
  var ambiguous: [(DeclaredType, DeclaredType)] = []
  /// Undeclared names in defaults, without which no type can be inferred.
  var missing: Set<String> = []

  init(_ index: SourceIndex, _ models: ModelScope, _ names: ValueTypeNames) {
    self.index = index
    self.models = models
    self.names = names
  }

  /// The reason why a type cannot be read, as a clause.
  struct Failure: Error {
    var reason: String
  }

  mutating func type(
    _ syntax: TypeSyntax, in scope: [String], depth: Int = 0
  ) throws(Failure) -> TypeReference {
    guard depth < 16 else { throw Failure(reason: "types are nested too deeply") }
    let wrapped =
      syntax.as(OptionalTypeSyntax.self)?.wrappedType
      ?? syntax.as(ImplicitlyUnwrappedOptionalTypeSyntax.self)?.wrappedType
    if let wrapped { return try optional(self.type(wrapped, in: scope, depth: depth + 1)) }
    if let type = syntax.as(ArrayTypeSyntax.self) {
      return .array(try self.type(type.element, in: scope, depth: depth + 1))
    }
    if let type = syntax.as(DictionaryTypeSyntax.self) {
      return .dictionary(
        try self.type(type.key, in: scope, depth: depth + 1),
        try self.type(type.value, in: scope, depth: depth + 1))
    }
    if let type = syntax.as(TupleTypeSyntax.self), type.elements.count == 1,
      let only = type.elements.first, only.firstName == nil
    {
      return try self.type(only.type, in: scope, depth: depth + 1)
    }
    let parts = syntax.nameParts
    guard !parts.isEmpty else {
      throw Failure(reason: "'\(syntax.oneLine)' is not a type that SwiftData stores")
    }
    if let member = syntax.as(MemberTypeSyntax.self), member.baseType.isSpecialized {
      throw Failure(reason: "a manifest has no way to write '\(syntax.oneLine)'")
    }
    return try named(parts, arguments: arguments(syntax), in: scope, depth: depth)
  }

  private func arguments(_ syntax: TypeSyntax) -> [TypeSyntax] {
    let clause =
      syntax.as(IdentifierTypeSyntax.self)?.genericArgumentClause
      ?? syntax.as(MemberTypeSyntax.self)?.genericArgumentClause
    return clause?.arguments.compactMap { $0.argument.as(TypeSyntax.self) } ?? []
  }

  mutating func named(
    _ parts: [String], arguments: [TypeSyntax], in scope: [String], depth: Int
  ) throws(Failure) -> TypeReference {
    // `typealias ID = Tagged<Trip, Int>`: the generic arguments are part of the type.
    if parts.count == 1, arguments.isEmpty, let alias = index.aliased(parts[0], in: scope),
      !self.arguments(alias.target).isEmpty
    {
      return try type(alias.target, in: alias.scope, depth: depth + 1)
    }
    switch index.meaning(of: parts, in: scope) {
    case .type(let type)?:
      var inner: [TypeReference] = []
      for argument in arguments {
        inner.append(try self.type(argument, in: scope, depth: depth + 1))
      }
      let name = name(of: type)
      guard type.isModel || !Self.isKnown(name) else {
        throw Failure(reason: "the app's own '\(name)' has the name of a standard type")
      }
      return .named(name, arguments: inner)
    case .foreign(let target, let outer)?:
      return try self.type(target, in: outer, depth: depth + 1)
    case nil: break
    }
    if let model = models.foreign[parts.joined(separator: ".")] { return .named(model) }
    var parts = parts
    // A module's name adds nothing to the type's name.
    if parts.count == 2,
      ["Swift", "Foundation", "CoreGraphics", "CoreFoundation"].contains(parts[0])
    {
      parts.removeFirst()
    }
    var inner: [TypeReference] = []
    for argument in arguments { inner.append(try type(argument, in: scope, depth: depth + 1)) }
    let name = parts.joined(separator: ".")
    switch (name, inner.count) {
    case ("Array", 1): return .array(inner[0])
    case ("Optional", 1): return try optional(inner[0])
    case ("Dictionary", 2): return .dictionary(inner[0], inner[1])
    default: break
    }
    if !Self.isKnown(name) {
      guard
        !SwiftIdentifier.reservedTypeNames.contains(name)
          || SwiftIdentifier.transformableTypeNames.contains(name)
      else {
        throw Failure(reason: "a manifest has no way to write '\(name)'")
      }
      used[name] = used[name] ?? .some(nil)
    }
    return .named(name, arguments: inner)
  }

  private func optional(_ type: TypeReference) throws(Failure) -> TypeReference {
    if type.isOptional { throw Failure(reason: "an optional of an optional cannot be stored") }
    return .optional(type)
  }

  /// The name that manifests give to a type of the tree. Models keep their names.
  mutating func name(of type: DeclaredType) -> String {
    if let model = models.model(type) { return model }
    if type.isModel, isStored {
      unlisted.append(type)
      return type.name
    }
    let name = names.name(of: type)
    if case .some(.some(let other)) = used[name], !other.isSameDeclaration(as: type) {
      ambiguous.append((other, type))
    }
    used[name] = type
    return name
  }

  package static func isKnown(_ name: String) -> Bool {
    StorageType.Primitive.bySwiftName[name] != nil || StorageType.systemTypes[name] != nil
      || name == "Set"
  }

  // MARK: Expressions

  /// An expression on one line, with each type's new name.
  mutating func expression(
    _ syntax: ExprSyntax, of type: TypeReference, in scope: [String]
  ) throws(Failure) -> SwiftExpression {
    var text = Self.qualified(syntax, as: type)
    for parts in syntax.outermostPaths {
      guard let (length, name) = renaming(parts, in: scope) else { continue }
      let old = parts.prefix(length).joined(separator: ".")
      if old != name { text = text.replacingPath(old, with: name) }
    }
    do {
      return try SwiftExpression(text)
    } catch {
      throw Failure(reason: "the default '\(text)' cannot be in a manifest: \(error.reason)")
    }
  }

  /// The text, with a type added to names that begin with a dot. `@Model` copies a default to a place where the type is
  /// not known (docs/facts/swiftdata.md#relationship-collections).
  private static func qualified(_ syntax: ExprSyntax, as type: TypeReference) -> String {
    if case .array(let element) = type.unwrapped, let array = syntax.as(ArrayExprSyntax.self) {
      let elements = array.elements.map { qualified($0.expression, as: element) }
      return "[\(elements.joined(separator: ", "))]"
    }
    let text = syntax.oneLine
    return text.hasPrefix(".") ? type.unwrapped.description + text : text
  }

  /// The number of leading parts of a path that together mean a type of the tree, and the type's manifest name.
  private mutating func renaming(_ parts: [String], in scope: [String]) -> (Int, String)? {
    for length in stride(from: parts.count, to: 0, by: -1) {
      if let type = index.type(named: Array(parts.prefix(length)), in: scope) {
        if type.isModel { return (length, type.name) }
        // The types in a default are not stored, but a type that is removed with its model must be copied.
        return (length, names.isHoisted(type) ? name(of: type) : names.name(of: type))
      }
    }
    return nil
  }
}

extension TypeSyntax {
  /// Whether the type has generic arguments: `Box<Date>`, `Box<Date>.Cache`.
  fileprivate var isSpecialized: Bool {
    if let type = self.as(IdentifierTypeSyntax.self) { return type.genericArgumentClause != nil }
    guard let type = self.as(MemberTypeSyntax.self) else { return false }
    return type.genericArgumentClause != nil || type.baseType.isSpecialized
  }
}

extension DeclaredType {
  fileprivate func isSameDeclaration(as other: DeclaredType) -> Bool {
    fullName == other.fullName
      || inherited == other.inherited
        && members.map(\.trimmedDescription) == other.members.map(\.trimmedDescription)
  }
}

extension SourceIndex {
  /// Type names in an expression that no file declares. Files that were not read yet may declare them.
  func unknownNames(in node: some SyntaxProtocol, _ scope: [String]) -> Set<String> {
    Set(
      node.outermostPaths.compactMap(\.first).filter { name in
        name.first?.isUppercase ?? false && !TypeResolver.isKnown(name)
          && type(named: [name], in: scope) == nil
      })
  }
}

extension String {
  /// Replaces a member path, but not within a longer name.
  fileprivate func replacingPath(_ old: String, with new: String) -> String {
    func isName(_ character: Character) -> Bool {
      character.isLetter || character.isNumber || character == "_"
    }
    var result = ""
    var rest = self[...]
    while let range = rest.firstRange(of: old) {
      let before = (result + rest[..<range.lowerBound]).last
      let after = rest[range.upperBound...].first
      result += rest[..<range.lowerBound]
      let standsAlone =
        before.map { !isName($0) && $0 != "." } ?? true && after.map { !isName($0) } ?? true
      result += standsAlone ? new : old
      rest = rest[range.upperBound...]
    }
    return result + rest
  }
}
