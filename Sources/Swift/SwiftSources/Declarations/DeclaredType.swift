package import SchemaModel
package import SwiftSyntax

/// A class, struct, enum, actor or extension, with its members.
package struct DeclaredType: Sendable {
  package enum Kind: Sendable {
    case `class`, structure, enumeration, actor, `extension`
  }

  package var kind: Kind
  /// The names of the enclosing types and the type's own name: `["SchemaV1", "Habit"]`. For an extension, those of
  /// the extended type.
  package var path: [String]
  /// The types after the colon, each split at its dots: `["SwiftData", "VersionedSchema"]`.
  package var inheritedTypes: [[String]]
  package var attributes: AttributeListSyntax
  package var modifiers: DeclModifierListSyntax
  /// The declarations in order, including those in active `#if` clauses.
  package var members: [DeclSyntax]
  package var isGeneric: Bool
  package var isGenerated: Bool
  package var documentation: String?
  /// Whether the type or some of its members are in an `#if`.
  package var isConditional: Bool
  package var unknownConditions: [String]
  /// The place of the name, or of the extended type's name.
  package var place: Place
  package var file: Int

  package var name: String { path.last ?? "" }
  package var fullName: String { path.joined(separator: ".") }

  package var inherited: [String] { inheritedTypes.compactMap(\.last) }

  package var isModel: Bool { kind == .class && attributes.attribute("Model") != nil }

  /// The first version of each system that has the type, from `@available` on the type and around it; empty if there
  /// is none.
  package var availability: [Configuration.Platform: Int] {
    var versions: [Configuration.Platform: Int] = [:]
    for node in sequence(first: Syntax(attributes), next: \.parent) {
      guard let declaration = node.asProtocol((any WithAttributesSyntax).self) else { continue }
      for attribute in declaration.attributes.compactMap({ $0.as(AttributeSyntax.self) }) {
        guard attribute.attributeName.trimmedDescription == "available",
          case .availability(let arguments) = attribute.arguments
        else { continue }
        for argument in arguments {
          guard case .availabilityVersionRestriction(let restriction) = argument.argument,
            let platform = Configuration.Platform(rawValue: restriction.platform.text),
            let version = restriction.version.flatMap({ Int($0.major.text) })
          else { continue }
          versions[platform] = max(versions[platform] ?? 0, version)
        }
      }
    }
    return versions
  }

  /// The access level written on the type, or else on the enclosing extension.
  var writtenAccess: Configuration.AccessLevel {
    func level(_ modifiers: DeclModifierListSyntax) -> Configuration.AccessLevel? {
      if modifiers.has(.public) || modifiers.has(.open) { return .public }
      if modifiers.has(.package) { return .package }
      let narrow: [Keyword] = [.private, .fileprivate, .internal]
      return narrow.contains(where: modifiers.has) ? .internal : nil
    }
    let around = sequence(first: Syntax(modifiers)) { $0.parent }
      .first { $0.is(ExtensionDeclSyntax.self) }?.as(ExtensionDeclSyntax.self)
    return level(modifiers) ?? around.flatMap { level($0.modifiers) } ?? .internal
  }

  /// The type of an enum's raw values; nil if the enum has none, or none that a store can have.
  package var rawType: String? {
    guard kind == .enumeration, let first = inherited.first else { return nil }
    return StorageType.Primitive.bySwiftName[first] == nil ? nil : first
  }

  /// Whether a store has a column for each part of a value: for each field of a struct, or for each case of an enum
  /// that has neither raw values nor associated values.
  package var hasParts: Bool {
    switch kind {
    case .structure: true
    case .enumeration:
      rawType == nil
        && members.compactMap { $0.as(EnumCaseDeclSyntax.self) }.flatMap(\.elements).allSatisfy {
          $0.parameterClause == nil && $0.rawValue == nil
        }
    case .class, .actor, .extension: false
    }
  }

  /// The target in a package that contains the file: `App` for `Sources/App`; nil if no folder is called `Sources`.
  package var packageTarget: Substring? {
    let parts = place.file.split(separator: "/")
    guard let place = parts.lastIndex(of: "Sources"), place + 2 < parts.count else { return nil }
    return parts[place + 1]
  }

  package func isOfAnotherTarget(than other: DeclaredType) -> Bool {
    guard let one = packageTarget, let two = other.packageTarget else { return false }
    return one != two
  }

  package func inherits(_ name: String) -> Bool { inherited.contains(name) }
}

package struct DeclaredAlias: Sendable {
  package var path: [String]
  package var target: TypeSyntax
  package var isGenerated: Bool
  package var place: Place
  package var unknownConditions: [String] = []

  package var name: String { path[path.count - 1] }
}

extension AttributeListSyntax {
  package func attribute(_ name: String) -> AttributeSyntax? { attributes(name).first }

  /// All attributes with the name, with or without `SwiftData.` before it.
  package func attributes(_ name: String) -> [AttributeSyntax] {
    compactMap { $0.as(AttributeSyntax.self) }.filter { attribute in
      let parts = attribute.attributeName.nameParts
      return parts == [name] || parts == ["SwiftData", name]
    }
  }
}

extension DeclModifierListSyntax {
  package func has(_ keyword: Keyword) -> Bool {
    contains { $0.name.tokenKind == .keyword(keyword) && $0.detail == nil }
  }

  package var isStatic: Bool { has(.static) || has(.class) }
}

extension TypeSyntax {
  /// The last part of the type's name: `VersionedSchema` for `@preconcurrency SwiftData.VersionedSchema`, `Decoder`
  /// for `any Decoder`.
  package var lastName: String { nameParts.last ?? trimmedDescription }

  package var nameParts: [String] {
    if let type = self.as(IdentifierTypeSyntax.self) { return [type.name.plain] }
    if let type = self.as(MemberTypeSyntax.self) {
      return type.baseType.nameParts + [type.name.plain]
    }
    if let type = self.as(AttributedTypeSyntax.self) { return type.baseType.nameParts }
    if let type = self.as(SomeOrAnyTypeSyntax.self) { return type.constraint.nameParts }
    return []
  }
}
