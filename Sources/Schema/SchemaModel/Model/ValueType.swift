/// An enum or a struct that models store, or that a domain entity contains.
package struct ValueTypeDeclaration: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// `enum: String` with its cases; `rawType` is nil for an enum without raw values.
    case enumeration(rawType: TypeReference?, cases: [EnumCase])
    case structure(fields: [StructField])
    /// A Codable type of the app's with undeclared parts.
    case opaque
  }

  package var name: String
  package var documentation: String?
  package var kind: Kind
  /// Whether the app declares the type itself; otherwise it is generated.
  package var isOwn = false
  /// The app's name for it, if different: `Trip.Kind`, in a class that the app keeps.
  package var appName: String?
  /// A digest of the app's code that codes values, if that is not the compiler's. A person compared what it codes with
  /// stores when the digest was written.
  package var coding: String?
  @Uncompared package var location: SourceLocation? = nil
}

extension ValueTypeDeclaration {
  package init(
    name: String, documentation: String? = nil, kind: Kind, isOwn: Bool = false,
    location: SourceLocation? = nil
  ) {
    self.init(
      name: name, documentation: documentation, kind: kind, isOwn: isOwn, appName: nil,
      location: location)
  }

  /// Whether its code treats old rows like that of an older declaration: constants added since do not matter to them.
  package func isCoded(as older: ValueTypeDeclaration) -> Bool {
    guard let coding, let old = older.coding else { return coding == older.coding }
    let (parts, oldParts) = (coding.split(separator: "+"), old.split(separator: "+"))
    return parts.first == oldParts.first && oldParts.allSatisfy(parts.contains)
  }

  /// The cases of an enum; none of another type.
  package var cases: [EnumCase] {
    if case .enumeration(_, let cases) = kind { return cases }
    return []
  }

  /// The properties of a struct; none of another type.
  package var fields: [StructField] {
    if case .structure(let fields) = kind { return fields }
    return []
  }
}

/// A case of an enum and, where it differs from the name, its raw value as Swift source.
package struct EnumCase: Equatable, Sendable {
  package var name: String
  package var rawValue: SwiftExpression?
  /// Whether the manifest writes the raw value, even if it equals the name.
  @Uncompared package var statesRawValue = false
  /// *Step:* the case's name in the version before.
  package var renamedFrom: Located<String>?
  @Uncompared package var location: SourceLocation? = nil

  /// The value in a row: the raw value's source, or the name as a string literal.
  package var storedText: String { rawValue?.text ?? "\"\(name)\"" }
}

extension EnumCase {
  package init(
    name: String, rawValue: SwiftExpression? = nil, renamedFrom: Located<String>? = nil,
    location: SourceLocation? = nil
  ) {
    self.init(
      name: name, rawValue: rawValue, statesRawValue: false, renamedFrom: renamedFrom,
      location: location)
  }
}

/// A stored property of a Codable struct.
package struct StructField: Equatable, Sendable {
  package var name: String
  package var type: TypeReference
  package var defaultValue: SwiftExpression?
  @Uncompared package var location: SourceLocation? = nil

  package init(
    name: String, type: TypeReference, defaultValue: SwiftExpression? = nil,
    location: SourceLocation? = nil
  ) {
    self.name = name
    self.type = type
    self.defaultValue = defaultValue
    self.location = location
  }
}
