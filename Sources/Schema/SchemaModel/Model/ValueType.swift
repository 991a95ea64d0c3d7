/// An enum or a struct that models store or domain entities contain.
package struct ValueTypeDeclaration: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    case enumeration(rawType: TypeReference?, cases: [EnumCase])
    case structure(fields: [StructField])
    /// A Codable type of the app whose cases or fields are not declared.
    case opaque
  }

  package var name: String
  package var documentation: String?
  package var kind: Kind
  /// Whether the app declares the type. If not, schemagen generates the type.
  package var isOwn = false
  /// The app's name for the type, if it is different: `Trip.Kind`, inside a live class.
  package var appName: String?
  /// A digest of the app's code that encodes and decodes the value; `nil` if that code is synthesized. A person checked
  /// the code against stores when the digest was recorded. A dot and a digest of the columns follow for an opaque type;
  /// a plus and a digest follow for each constant or case.
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

  /// Whether the type decodes old rows as an older declaration did. Constants added since then do not matter.
  package func isCoded(as older: ValueTypeDeclaration) -> Bool {
    guard let digests, let old = older.digests else { return coding == older.coding }
    return digests.code == old.code && old.parts.allSatisfy(digests.parts.contains)
  }

  /// A digest of an opaque type's columns; `nil` for other types, and if the columns are unknown.
  package var columnsDigest: String? { kind == .opaque ? digests?.columns : nil }

  /// Whether the columns of an opaque type differ from those of an older declaration; `false` if some columns are
  /// unknown. A manifest cannot list an opaque type's columns, so no version can have the older columns.
  package func hasOtherColumns(than older: ValueTypeDeclaration) -> Bool {
    guard let columnsDigest, let old = older.columnsDigest else { return false }
    return columnsDigest != old
  }

  private var digests: (code: Substring, columns: String?, parts: [Substring])? {
    guard let parts = coding?.split(separator: "+"), let first = parts.first else { return nil }
    let code = first.split(separator: ".")
    guard let start = code.first else { return nil }
    return (start, code.count > 1 ? String(code[1]) : nil, Array(parts.dropFirst()))
  }

  package var cases: [EnumCase] {
    if case .enumeration(_, let cases) = kind { return cases }
    return []
  }

  package var fields: [StructField] {
    if case .structure(let fields) = kind { return fields }
    return []
  }
}

extension SchemaVersion {
  /// The reason why no manifest can describe an older version's models; `nil` if no reason is known.
  package func cannotList(_ older: SchemaVersion) -> String? {
    let type = types.first { type in
      // Generated code of the older version would use the current declaration.
      guard let old = older.type(named: type.name), old.kind == .opaque else { return false }
      return type.kind == .opaque
        ? type.hasOtherColumns(than: old) : old.columnsDigest != nil
    }
    return type.map {
      "'\($0.name)' had other columns, which no manifest can list: the release's stores do not open (error 134504)"
    }
  }
}

/// A case of an enum. Its raw value is Swift source, and `nil` if it equals the name.
package struct EnumCase: Equatable, Sendable {
  package var name: String
  package var rawValue: SwiftExpression?
  /// Whether the manifest states the raw value. It may do so even if the raw value equals the name.
  @Uncompared package var statesRawValue = false
  package var renamedFrom: Located<String>?
  @Uncompared package var location: SourceLocation? = nil

  /// What a row stores, as Swift source: the raw value, or the name as a string literal.
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
