/// One `@Model` class of a version.
package struct Model: Equatable, Sendable {
  package var name: String
  package var documentation: String?
  package var entity: String?
  package var superclass: Located<String>?
  /// The model's properties in the manifest's order, without inherited ones. No name is used twice, also not among
  /// inherited properties.
  package var properties: [Property] = []
  /// `#Unique` constraints of several properties, or of one property if the constraint has a strategy for duplicates.
  package var uniques: [UniqueConstraint] = []
  package var indexes: [Index] = []
  /// The models of the previous version whose rows become rows of this model: a rename, a split or a merge.
  package var sources: [Located<String>] = []
  /// Whether `sources` was written as `renamedFrom`. If so, it is one model, which the version no longer has.
  package var isRenamed = false
  @Uncompared package var location: SourceLocation? = nil

  package func property(named name: String) -> Property? { properties.first { $0.name == name } }
}

extension Model {
  package init(
    name: String, documentation: String? = nil, superclass: Located<String>? = nil,
    properties: [Property] = [], uniques: [UniqueConstraint] = [], indexes: [Index] = [],
    location: SourceLocation? = nil
  ) {
    self.init(
      name: name, documentation: documentation, entity: nil, superclass: superclass,
      properties: properties, uniques: uniques, indexes: indexes, location: location)
  }

  /// The models that this model inherits from, the nearest first.
  ///
  /// - Parameter find: Finds a model of the same version by name.
  package func ancestors(_ find: (String) -> Model?) -> [Model] {
    var found: [Model] = []
    var seen: Set<String> = []
    var name = superclass?.value
    while let next = name, seen.insert(next).inserted, let ancestor = find(next) {
      found.append(ancestor)
      name = ancestor.superclass?.value
    }
    return found
  }

  package func inheritedProperties(_ find: (String) -> Model?) -> [Property] {
    superclass == nil ? [] : ancestors(find).reversed().flatMap(\.properties)
  }

  /// Whether the model or an ancestor has a unique property or constraint.
  ///
  /// - Parameter models: The models of the version, by name.
  package func hasUniqueness(among models: [String: Model]) -> Bool {
    ([self] + ancestors { models[$0] }).contains {
      !$0.uniques.isEmpty || $0.properties.contains(where: \.isUnique)
    }
  }

  /// The inherited properties, then the model's own.
  ///
  /// - Parameter models: The models of the version, by name.
  package func effectiveProperties(among models: [String: Model]) -> [Property] {
    superclass == nil ? properties : inheritedProperties { models[$0] } + properties
  }
}

/// A set of properties whose combined values are unique: `#Unique<Model>([\.name, \.createdAt])`.
package struct UniqueConstraint: Hashable, Sendable {
  package var properties: [Located<String>]
  package var dedupe: Dedupe?
  @Uncompared package var location: SourceLocation? = nil

  package init(
    properties: [Located<String>], dedupe: Dedupe? = nil, location: SourceLocation? = nil
  ) {
    self.properties = properties
    self.dedupe = dedupe
    self.location = location
  }

  package var names: [String] { properties.map(\.value) }
}

/// The choice of the row that stays among duplicates of a new unique constraint. The other rows are deleted.
package enum Dedupe: Hashable, Sendable {
  case latest(by: String)
  case earliest(by: String)
  case function(String)
}

/// An `#Index` of one or several properties.
package struct Index: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case binary, rtree
  }

  package var kind: Kind
  package var properties: [Located<String>]

  package init(kind: Kind = .binary, properties: [Located<String>]) {
    self.kind = kind
    self.properties = properties
  }

  package var names: [String] { properties.map(\.value) }
}
