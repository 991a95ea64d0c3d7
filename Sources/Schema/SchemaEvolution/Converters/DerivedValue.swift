package import SchemaModel

/// How a value comes about: from properties, from an entity's fields, from what the manifest says.
///
/// Whoever writes Swift spells it; nothing here knows what a row or a version's enum is called there.
package indirect enum DerivedValue: Equatable, Sendable {
  /// A property's value as the app means it: decoded, where JSON is stored.
  case property(Property)
  /// The stored value of the property with that name.
  case column(String)
  case field(String)
  /// An expression in the manifest: a default, a fallback, a fill, a drop's `revert:`.
  case expression(SwiftExpression)
  /// Nil.
  case nothing
  case emptyList
  /// What the manifest's conversion makes of values; `step` is the enum in the step's user file.
  case converted([DerivedValue], by: Conversion, step: String)
  /// Values that the manifest's `revert:` takes back, from those types.
  case reverted([DerivedValue], from: [TypeReference], by: Conversion, step: String)
  /// A value of one type as another, with what stands in for nil. Where it `canFail`, not every value becomes one.
  case adapted(
    DerivedValue, from: TypeReference, to: TypeReference, canFail: Bool, substitute: DerivedValue?)
  /// The JSON that an attribute stores of a value. Unless it can throw, what cannot be encoded is left empty.
  case encoded(DerivedValue, Attribute, canThrow: Bool)
  /// The stored raw value of an enum whose cases changed.
  case former(DerivedValue, Attribute)
  /// A value with its type annotated, so that the compiler reports an optional.
  case required(DerivedValue, TypeReference)
  /// What an entity has for the rows at a relationship's other end.
  case links(LinkReading)
  /// Rows of a model, made of what an entity's field holds.
  case rows(of: String, field: String, LinkMaking)
  /// What the app's function returns for a relationship, given the row and the context.
  case related(function: String, step: String)
}

/// How an entity represents a relationship.
package struct LinkReading: Equatable, Sendable {
  package enum Form: Equatable, Sendable {
    case identifiers, entities
  }

  /// The relationship of the older model.
  package var property: String
  package var cardinality: Relationship.Cardinality
  package var form: Form
  package var isList: Bool
  /// The properties of the rows at the other end that a list is sorted by, the first one first.
  package var sortKeys: [String] = []
}

/// How a relationship takes the entities of a field.
package enum LinkMaking: Equatable, Sendable {
  /// Each of a list, or the one that an optional holds.
  case each
  /// The first of a list.
  case first
  case one
}

extension DerivedValue {
  /// Whether it is a `nil` literal, also inside conversions.
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

  /// Whether a conversion makes it of linked rows, and so needs more of them than their entities or identifiers.
  package var isMadeOfLinks: Bool {
    guard case .converted(let values, _, _) = self else { return false }
    return values.contains { value in
      if case .property(let property) = value { property.relationship != nil } else { false }
    }
  }

  /// The properties of its own model that it reads.
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

  /// A value as a property of another type holds it: from optional to required, from number to number, from one layout
  /// of a struct or an enum to another; nil if there is no way.
  ///
  /// - Parameter substitute: What stands in for nil. Nil when there is nothing, and then the result may be nil too.
  static func adapting(
    _ value: DerivedValue, from old: TypeReference, to new: TypeReference,
    substitute: DerivedValue?, _ layouts: TypeLayouts
  ) -> DerivedValue? {
    // What `drops:` says of a property that later versions do not have.
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
