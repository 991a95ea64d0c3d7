package import SchemaModel
package import SwiftSyntax

/// A class, struct, enum, actor or extension, with its members.
package struct DeclaredType: Sendable {
  package enum Kind: Sendable {
    case `class`, structure, enumeration, actor, `extension`
  }

  package var kind: Kind
  /// The names of the enclosing types and its own: `["SchemaV1", "Habit"]`. For an extension, those of its type.
  package var path: [String]
  /// The types after the colon, each in parts: `["SwiftData", "VersionedSchema"]`.
  package var inheritedTypes: [[String]]
  package var attributes: AttributeListSyntax
  package var modifiers: DeclModifierListSyntax
  /// Its declarations in order, with `#if` decided.
  package var members: [DeclSyntax]
  package var isGeneric: Bool
  package var isGenerated: Bool
  package var documentation: String?
  /// Whether some of it depends on `#if`.
  package var isConditional: Bool
  /// The undecided `#if` conditions in it, as they are written.
  package var unknownConditions: [String]
  /// The place of the name; in an extension, of the type's name.
  package var place: Place
  /// The index of its file.
  package var file: Int

  package var name: String { path.last ?? "" }
  package var fullName: String { path.joined(separator: ".") }

  package var inherited: [String] { inheritedTypes.compactMap(\.last) }

  package var isModel: Bool { kind == .class && attributes.attribute("Model") != nil }

  /// The first version of each system that has the type, if `@available` on it or around it names one.
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

  /// The access level written on it, or on the enclosing extension.
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

  /// The type of an enum's raw values, if a store can have such values.
  package var rawType: String? {
    guard kind == .enumeration, let first = inherited.first else { return nil }
    return StorageType.Primitive.bySwiftName[first] == nil ? nil : first
  }

  /// Whether a store has a column for each of its parts: the fields of a struct, or the cases of an enum without raw
  /// values and payloads.
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

  /// The package target that it belongs to, according to a package's folders: `App` in `Sources/App`.
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

/// An alias: `typealias Name = Type`.
package struct DeclaredAlias: Sendable {
  /// The names of the enclosing types and its own.
  package var path: [String]
  package var target: TypeSyntax
  package var isGenerated: Bool
  package var place: Place
  /// The undecided `#if` conditions around it.
  package var unknownConditions: [String] = []

  package var name: String { path[path.count - 1] }
}

extension AttributeListSyntax {
  /// The attribute of that name, with or without `SwiftData.` before it; the first if there are several.
  package func attribute(_ name: String) -> AttributeSyntax? { attributes(name).first }

  /// The attributes of that name, with or without `SwiftData.` before it.
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
  /// The last part of the name: `VersionedSchema` of `@preconcurrency SwiftData.VersionedSchema`, `Decoder` of
  /// `any Decoder`.
  package var lastName: String { nameParts.last ?? trimmedDescription }

  /// The parts of a type's name, without generic arguments and attributes; empty if it has no name.
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
