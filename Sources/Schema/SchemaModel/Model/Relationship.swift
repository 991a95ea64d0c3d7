/// A property that leads to other models: `@Relationship`.
package struct Relationship: Equatable, Sendable {
  package enum Cardinality: String, Hashable, Sendable, CaseIterable {
    /// `T?`
    case optionalOne
    /// `T`
    case one
    /// `[T]`
    case many
    /// `[T]?`
    case optionalMany

    package init(isMany: Bool, isOptional: Bool) {
      self = isMany ? (isOptional ? .optionalMany : .many) : (isOptional ? .optionalOne : .one)
    }

    package var isMany: Bool { self == .many || self == .optionalMany }
    package var isOptional: Bool { self == .optionalOne || self == .optionalMany }
  }

  package enum DeleteRule: String, Hashable, Sendable, CaseIterable {
    case noAction, nullify, cascade, deny
  }

  package var destination: Located<String>
  package var cardinality: Cardinality
  /// The property at the other end. Once a version is resolved, each end of the relationship has its inverse.
  package var inverse: Located<String>?
  /// Whether this end writes `inverse:`. If both ends did, the macros would refer to each other in a cycle.
  package var declaresInverse = false
  package var deleteRule = DeleteRule.nullify
  package var isUnique = false
  package var minimum: Int?
  package var maximum: Int?

  package var type: TypeReference {
    let model = TypeReference.named(destination.value)
    return switch cardinality {
    case .optionalOne: .optional(model)
    case .one: model
    case .many: .array(model)
    case .optionalMany: .optional(.array(model))
    }
  }
}

extension Relationship {
  package init(
    destination: Located<String>, cardinality: Cardinality, inverse: Located<String>? = nil
  ) {
    self.init(
      destination: destination, cardinality: cardinality, inverse: inverse, deleteRule: .nullify)
  }
}
