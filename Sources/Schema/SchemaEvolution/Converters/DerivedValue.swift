package import SchemaModel

/// The computation of a value from properties, from an entity's fields, or from the manifest.
///
/// The computation does not depend on generated Swift. The renderer knows the names of rows and enums in generated
/// code.
package indirect enum DerivedValue: Equatable, Sendable {
  /// A property's value as the app sees it. Stored JSON is decoded.
  case property(Property)
  case column(String)
  case field(String)
  /// An expression in the manifest: a default, a fallback, a fill, or a drop's `revert:`.
  case expression(SwiftExpression)
  case nothing
  case emptyList
  /// The result of the manifest's `convert:`. `step` is the enum in the step's user file.
  case converted([DerivedValue], by: Conversion, step: String)
  case reverted([DerivedValue], from: [TypeReference], by: Conversion, step: String)
  /// A value converted to another type, with a substitute for nil. If `canFail` is true, some values have no result.
  case adapted(
    DerivedValue, from: TypeReference, to: TypeReference, canFail: Bool, substitute: DerivedValue?)
  /// The JSON that an attribute stores for a value. If `canThrow` is false, a value that cannot be encoded gives an
  /// empty result.
  case encoded(DerivedValue, Attribute, canThrow: Bool)
  case former(DerivedValue, Attribute)
  /// A value with an explicit type, so the compiler reports an optional value.
  case required(DerivedValue, TypeReference)
  case links(LinkReading)
  case rows(of: String, field: String, LinkMaking)
  /// The result of the app's function for a relationship. The function takes the row and the context.
  case related(function: String, step: String)
}

/// The representation of a relationship in an entity.
package struct LinkReading: Equatable, Sendable {
  package enum Form: Equatable, Sendable {
    case identifiers, entities
  }

  package var property: String
  package var cardinality: Relationship.Cardinality
  package var form: Form
  package var isList: Bool
  /// The destination's properties by which a list is sorted, the most significant first.
  package var sortKeys: [String] = []
}

/// The creation of a relationship's rows from the entities in a field.
package enum LinkMaking: Equatable, Sendable {
  /// A row for each entity of a list, or for the entity in an optional.
  case each
  case first
  case one
}

extension DerivedValue {
  /// Whether the value is a `nil` literal, also inside conversions.
  var isNil: Bool {
    switch self {
    case .nothing: true
    case .expression(let expression): expression.text == "nil"
    case .converted(let values, .expression(let expression), _):
      expression.text == "nil" || expression.text == "$0" && values.first?.isNil ?? false
    case .reverted(_, _, .expression(let expression), _): expression.text == "nil"
    default: false
    }
  }

  /// Whether a conversion uses linked rows, and needs more than their entities or identifiers.
  package var isMadeOfLinks: Bool {
    guard case .converted(let values, _, _) = self else { return false }
    return values.contains { value in
      if case .property(let property) = value { property.relationship != nil } else { false }
    }
  }

  package var properties: Set<String> {
    switch self {
    case .property(let property): [property.name]
    case .column(let name): [name]
    case .links(let link): [link.property]
    case .converted(let values, _, _), .reverted(let values, _, _, _):
      Set(values.flatMap(\.properties))
    case .encoded(let value, _, _), .required(let value, _), .former(let value, _):
      value.properties
    case .adapted(let value, _, _, _, let substitute):
      value.properties.union(substitute?.properties ?? [])
    case .field, .expression, .nothing, .emptyList, .rows, .related: []
    }
  }

  /// Converts a value to another property's type: from optional to required, from number to number, or from one layout
  /// of a struct or an enum to another. Returns `nil` if there is no conversion.
  ///
  /// - Parameter substitute: The value that replaces nil. Without a substitute, the result may be nil as well.
  static func adapting(
    _ value: DerivedValue, from old: TypeReference, to new: TypeReference,
    substitute: DerivedValue?, _ layouts: TypeLayouts
  ) -> DerivedValue? {
    // The value may come from `drops:`, for a property that later versions do not have.
    if value.isNil { return new.isOptional ? value : substitute }
    let isSame = old.unwrapped == new.unwrapped
    let conversion = layouts.conversion(old.unwrapped, to: new.unwrapped)
    guard
      isSame || NumberType.converts(old.unwrapped, to: new.unwrapped) || conversion != nil
    else { return nil }
    let canFail = conversion?.canFail ?? false
    let needsSubstitute = (old.isOptional || canFail) && !new.isOptional
    if needsSubstitute, substitute == nil { return nil }
    if isSame, !needsSubstitute { return value }
    return .adapted(
      value, from: old, to: new, canFail: canFail, substitute: needsSubstitute ? substitute : nil)
  }

  package static func storing(
    _ value: DerivedValue, as attribute: Attribute, canThrow: Bool = false
  ) -> DerivedValue {
    if attribute.former != nil { return value.isNil ? value : .former(value, attribute) }
    return attribute.encodes == nil ? value : .encoded(value, attribute, canThrow: canThrow)
  }
}
