/// One `@Model` class of a version.
package struct Model: Equatable, Sendable {
  package var name: String
  package var documentation: String?
  /// The domain entity that `toEntity()` creates; nil for a model without converters.
  package var entity: String?
  /// The model it inherits from (26+).
  package var superclass: Located<String>?
  /// The model's own properties in the manifest's order. Names are unique, including inherited ones.
  package var properties: [Property] = []
  /// `#Unique` constraints of several properties, or of one that has its own strategy for duplicates.
  package var uniques: [UniqueConstraint] = []
  package var indexes: [Index] = []
  /// The models of the version before whose rows become rows of this one: a rename, a split or a merge.
  package var sources: [Located<String>] = []
  /// Whether `sources` was written as `renamedFrom`: then it is one model, which the version no longer has.
  package var isRenamed = false
  @Uncompared package var location: SourceLocation? = nil

  /// The property with that name. The search is linear.
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

  /// The models that it inherits from, the nearest first.
  ///
  /// - Parameter find: Finds a model of the same version by its name.
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

  /// The properties that it inherits, those of the farthest ancestor first.
  package func inheritedProperties(_ find: (String) -> Model?) -> [Property] {
    superclass == nil ? [] : ancestors(find).reversed().flatMap(\.properties)
  }

  /// Whether any property or constraint, inherited or its own, is unique.
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
  /// What happens to duplicate rows if the constraint is new.
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

/// How one of several rows that a new unique constraint would reject is chosen; the others are deleted.
package enum Dedupe: Hashable, Sendable {
  /// The row with the greatest value of a property stays.
  case latest(by: String)
  /// The row with the least value of a property stays.
  case earliest(by: String)
  /// A function in the user file decides which rows are deleted.
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
