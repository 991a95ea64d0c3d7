internal import SchemaModel

/// Replaces opaque types for rehearsals if no file declares them: an app's types with custom coding, Apple's types such
/// as `HKWorkoutActivityType`, and types of third parties. A migration passes their values on unchanged.
struct OpaqueStandIn {
  static let path = "OpaqueStandIn.swift"

  private let names: [String]

  init(for history: [SchemaVersion], besides declared: (String) -> Bool) {
    let opaque = history.flatMap(\.types).filter { $0.kind == .opaque }.map(\.name)
    let attributes = history.flatMap(\.models).flatMap(\.properties).compactMap(\.attribute)
    let fields = history.flatMap(\.types).flatMap(\.fields).map(\.type)
    // Foundation has the system's types on Linux as well, but some of them without coding.
    let system = (attributes.map(\.valueType) + fields).flatMap(\.names).filter {
      StorageType.systemTypes[$0] != nil
    }
    // A nested type comes with the enclosing one.
    names = Set(opaque + system).filter {
      !$0.contains(".") && !declared($0) && !Self.present.contains($0)
    }.sorted()
  }

  /// Types with coding that Swift and Foundation have on Linux.
  private static let present: Set<String> = [
    "AffineTransform", "CGFloat", "CGPoint", "CGRect", "CGSize", "Calendar", "CharacterSet",
    "DateComponents", "DateInterval", "Duration", "IndexPath", "IndexSet", "Int128", "Locale",
    "Morphology", "NSRange", "PersonNameComponents", "TimeZone", "UInt128", "URLComponents",
  ]

  var text: String? {
    guard !names.isEmpty else { return nil }
    return names.reduce(
      into: "// Written by 'schemagen rehearse': types whose parts the manifests do not list.\n"
    ) { text, name in
      text += """

        public struct \(name): Codable, Hashable, Sendable {
          public init() {}
        }

        """
    }
  }

  /// The version, with the stand-in's only value in place of each default that names a member of the type.
  func applied(_ version: SchemaVersion) -> SchemaVersion {
    guard !names.isEmpty else { return version }
    var version = version
    for model in version.models.indices {
      for index in version.models[model].properties.indices {
        let property = version.models[model].properties[index]
        version.models[model].properties[index].initializerDefault =
          value(property.initializerDefault, of: property.type)
        guard case .attribute(var attribute) = property.kind else { continue }
        attribute.defaultValue = value(attribute.defaultValue, of: property.type)
        attribute.fallback = value(attribute.fallback, of: property.type)
        version.models[model].properties[index].kind = .attribute(attribute)
      }
    }
    for type in version.types.indices {
      guard case .structure(var fields) = version.types[type].kind else { continue }
      for index in fields.indices {
        fields[index].defaultValue = value(fields[index].defaultValue, of: fields[index].type)
      }
      version.types[type].kind = .structure(fields: fields)
    }
    return version
  }

  private func value(_ expression: SwiftExpression?, of type: TypeReference) -> SwiftExpression? {
    guard let expression, expression.text != "nil" else { return expression }
    switch type.unwrapped {
    case .named(let name, []) where names.contains(name): return try? SwiftExpression("\(name)()")
    case .array(.named(let name, [])) where names.contains(name): return try? SwiftExpression("[]")
    default: return expression
    }
  }
}
