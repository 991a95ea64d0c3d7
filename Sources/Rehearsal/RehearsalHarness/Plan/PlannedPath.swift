public import ManagedModels

/// The path from one version to a later one, and the expected result for every row and value.
///
/// The expectation is the result of the single steps in sequence. The app's plan must give the same result in one
/// migration.
public struct PlannedPath: Codable, Hashable, Sendable {
  /// Indexes in `RehearsalPlan.versions`.
  public var from: Int
  public var to: Int
  /// One flow for each entity of the older version and each entity that its rows become. Dropped rows have one flow
  /// without a target. Sorted by source, then by target.
  public var flows: [RowFlow]
  /// What the older version has and the newer one lacks, each with the author's acknowledgment.
  public var drops: [PlannedDrop]
  /// Steps of this path around which functions of the app run: `V1.2 → V2`.
  public var hooks: [String]
  /// Entities of which the app's functions may make rows, because the manifest names a function for a relationship to
  /// these entities. Nil if there are none.
  public var makes: [String]?

  public init(
    from: Int, to: Int, flows: [RowFlow], drops: [PlannedDrop] = [], hooks: [String] = [],
    makes: [String]? = nil
  ) {
    self.from = from
    self.to = to
    self.flows = flows
    self.drops = drops
    self.hooks = hooks
    self.makes = makes
  }
}

/// Rows of exactly one entity, and the entity that they become. Subentities have their own flows.
public struct RowFlow: Codable, Hashable, Sendable {
  public enum Identity: String, Codable, Hashable, Sendable {
    /// The row itself is kept, with its key.
    case kept
    /// A new row is made from the older row, because a model was renamed, split or merged.
    case made
  }

  public var source: String
  /// Nil if the rows are dropped, because the path drops their model.
  public var target: String?
  public var identity: Identity
  /// One expectation for each property of the target, including inherited and excluding transient properties. Sorted by
  /// name.
  public var fields: [FieldExpectation]
  /// Steps of the path on which equal rows become one, in order.
  public var merges: [PlannedMerge]
  /// The fields of the domain entity that must be equal for the rows of both versions; nil if either version has no
  /// converter.
  public var entityFields: [EntityFieldExpectation]?

  public init(
    source: String, target: String?, identity: Identity, fields: [FieldExpectation] = [],
    merges: [PlannedMerge] = [], entityFields: [EntityFieldExpectation]? = nil
  ) {
    self.source = source
    self.target = target
    self.identity = identity
    self.fields = fields
    self.merges = merges
    self.entityFields = entityFields
  }
}

/// What one property of a row must hold at the end of the path.
public struct FieldExpectation: Codable, Hashable, Sendable {
  /// What the path does to the property, in one word. Single values may have another fate: if a default replaces nulls,
  /// a null counts as defaulted, and every other value of the property as preserved.
  public enum Fate: String, Codable, Hashable, Sendable, CaseIterable {
    /// The same value, perhaps under another name.
    case preserved
    /// A number of another numeric type, or a value that an expression or a function made from other values.
    case converted
    /// One constant, from the model's default.
    case defaulted
    /// A value that a `fill:` made.
    case filled
    /// A new property, which is nil or has no links.
    case added
  }

  /// The target's property.
  public var property: String
  public var fate: Fate
  /// The source's properties from which the value comes. Empty if the value comes from no property.
  public var origins: [String]
  /// The value before the first step, if `origins` is empty. Nil means null.
  public var constant: PlannedConstant?
  /// What happens to the value on the path, in order.
  public var steps: [ValueStep]
  public var isLink: Bool
  /// Whether at least one column of the property must hold a value.
  public var isRequired: Bool
  /// Whether no two rows may have the same value.
  public var isDistinct: Bool
  /// Cases of the older version's enum that the newer version's enum lacks. An app of the newer version crashes when it
  /// reads a row with one of them.
  public var gone: [GoneCase]
  /// Whether two runs give the same value. False if a clock, a random source or the device's settings take part.
  public var isReproducible: Bool
  /// Whether the relationship links rows made from the same older row. Nil means no.
  public var joinsParts: Bool?

  public init(
    property: String, fate: Fate, origins: [String] = [], constant: PlannedConstant? = nil,
    steps: [ValueStep] = [], isLink: Bool = false, isRequired: Bool = false,
    isDistinct: Bool = false, gone: [GoneCase] = [], isReproducible: Bool = true,
    joinsParts: Bool? = nil
  ) {
    self.property = property
    self.fate = fate
    self.origins = origins
    self.constant = constant
    self.steps = steps
    self.isLink = isLink
    self.isRequired = isRequired
    self.isDistinct = isDistinct
    self.gone = gone
    self.isReproducible = isReproducible
    self.joinsParts = joinsParts
  }
}

/// A case of an enum that a later version no longer has.
public struct GoneCase: Codable, Hashable, Sendable {
  /// `cancelled`.
  public var name: String
  /// The enum that had the case.
  public var type: String
  /// Where the enum is in the property's value: `kind` or `first.kind` in a struct, empty if the value is the enum.
  public var path: String
  /// The raw value that a row holds; nil for an enum without raw values, which has a column for each case.
  public var rawValue: StoredValue?

  public init(name: String, type: String, path: String, rawValue: StoredValue?) {
    self.name = name
    self.type = type
    self.path = path
    self.rawValue = rawValue
  }

  func place(in property: String) -> String { path.isEmpty ? property : "\(property).\(path)" }
}

/// A default or a fill.
public struct PlannedConstant: Codable, Hashable, Sendable {
  /// The text in the manifest.
  public var text: String
  /// The value as the store holds it; nil if only running the code can show it, or if the property has several columns.
  public var value: StoredValue?
  /// Whether all rows get the same value. A default is evaluated once (docs/facts/identity.md#default-is-one-constant),
  /// a fill for each row.
  public var isShared: Bool
  public var isFill: Bool
  /// Whether a function of the app returns the constant.
  public var isFunction: Bool

  public init(
    text: String, value: StoredValue?, isShared: Bool, isFill: Bool, isFunction: Bool = false
  ) {
    self.text = text
    self.value = value
    self.isShared = isShared
    self.isFill = isFill
    self.isFunction = isFunction
  }
}

/// What one step does to a value.
public enum ValueStep: Codable, Hashable, Sendable {
  /// The engine converts a number to another type. `element` is the number's place in a struct, such as `.width`; empty
  /// if the number is the whole value.
  case cast(from: AttributeType, to: AttributeType, element: String)
  /// The constant replaces a null. Other values stay.
  case nullBecomes(PlannedConstant)
  /// Raw values of renamed or replaced cases change. Other values stay.
  case caseBecomes([CaseChange])
  /// An expression or a function in the manifest converts the value.
  case conversion(text: String)
}

/// A raw value of a case, and what replaces it when the case is renamed or replaced.
public struct CaseChange: Codable, Hashable, Sendable {
  public var old: StoredValue
  public var new: StoredValue

  public init(old: StoredValue, new: StoredValue) {
    self.old = old
    self.new = new
  }
}

/// Equal rows that become one, because their keys must be unique from `version` on.
public struct PlannedMerge: Codable, Hashable, Sendable {
  /// The first version in which the keys are unique.
  public var version: String
  /// The model whose rows are compared, including its subentities' rows. `number` is the constraint's index among the
  /// constraints that the model itself declares.
  public var model: String
  public var number: Int
  /// The properties whose values must be equal at `version`, each with how its value comes from the source.
  public var keys: [FieldExpectation]
  /// The property whose greatest (or least) value decides which row stays; nil if a function of the app decides.
  public var order: FieldExpectation?
  public var keepsGreatest: Bool

  public init(
    version: String, model: String, number: Int, keys: [FieldExpectation],
    order: FieldExpectation?, keepsGreatest: Bool
  ) {
    self.version = version
    self.model = model
    self.number = number
    self.keys = keys
    self.order = order
    self.keepsGreatest = keepsGreatest
  }
}

/// A field of the domain entity for which the converters of both versions must give the same value.
public struct EntityFieldExpectation: Codable, Hashable, Sendable {
  public var name: String
  /// Whether the field holds links to many rows, which have no order.
  public var isUnordered: Bool

  public init(name: String, isUnordered: Bool) {
    self.name = name
    self.isUnordered = isUnordered
  }
}

/// A model or a property that does not reach the newer version.
public struct PlannedDrop: Codable, Hashable, Sendable {
  public var entity: String
  /// Nil if the whole model is dropped.
  public var property: String?
  /// The step that drops it: `V7 → V8`.
  public var step: String
  /// The author's reason. Without a reason the drop is a failure, unless `isUnconfirmed`.
  public var reason: String?
  /// Whether the step has shipped without a confirmation of the drop.
  public var isUnconfirmed: Bool

  public init(
    entity: String, property: String?, step: String, reason: String?, isUnconfirmed: Bool = false
  ) {
    self.entity = entity
    self.property = property
    self.step = step
    self.reason = reason
    self.isUnconfirmed = isUnconfirmed
  }

  /// `Model` or `Model.property`.
  public var element: String { property.map { "\(entity).\($0)" } ?? entity }
}
