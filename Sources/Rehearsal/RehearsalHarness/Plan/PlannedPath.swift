public import ManagedModels

/// The way from one version to a later one, and what must become of every row and value on it.
///
/// What is expected is what the steps give, one after the other: the plan of the app is to give the same at once.
public struct PlannedPath: Codable, Hashable, Sendable {
  /// Places in `RehearsalPlan.versions`.
  public var from: Int
  public var to: Int
  /// What becomes of the rows of each entity of the older version; one flow for each entity that they reach,
  /// and one without a target where they reach none. By source, then by target.
  public var flows: [RowFlow]
  /// What the older version has and the newer has not, each with the author's word for it.
  public var drops: [PlannedDrop]
  /// Steps on this way around which functions of the app's run: `V1.2 → V2`.
  public var hooks: [String]
  /// Entities of which a function of the app's may make rows, since the manifest names one for a relationship that leads
  /// there; nil for none.
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

/// Rows of exactly one entity (subentities have flows of their own) that become rows of another, or of the same.
public struct RowFlow: Codable, Hashable, Sendable {
  public enum Identity: String, Codable, Hashable, Sendable {
    /// The row itself goes on, with its key.
    case kept
    /// A new row is made of it: a model was renamed, split or merged.
    case made
  }

  public var source: String
  /// Nil where the rows go: their model is dropped on the way.
  public var target: String?
  public var identity: Identity
  /// One for each property of the target, inherited ones among them, transient ones left out; sorted by name.
  public var fields: [FieldExpectation]
  /// Steps of the way on which equal rows become one, in order.
  public var merges: [PlannedMerge]
  /// The fields of the domain entity that rows of both versions must agree on; nil where one has no converter.
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

/// What must stand in one property of a row that has come the whole way.
public struct FieldExpectation: Codable, Hashable, Sendable {
  /// What the way does to the property, in one word. Single values may fare better: a null that a default
  /// replaces counts as defaulted, and every other value of that property as preserved.
  public enum Fate: String, Codable, Hashable, Sendable, CaseIterable {
    /// The same value, perhaps under another name.
    case preserved
    /// A number as another kind of number, or a value that an expression or a function made of others.
    case converted
    /// One constant, which the model's default gave.
    case defaulted
    /// A value that a `fill:` made.
    case filled
    /// New, and nil or without links.
    case added
  }

  /// The target's property.
  public var property: String
  public var fate: Fate
  /// The source's properties that it comes from; empty for none.
  public var origins: [String]
  /// What stands there before the first step, where `origins` is empty: a constant, or null.
  public var constant: PlannedConstant?
  /// What happens to the value on the way, in order.
  public var steps: [ValueStep]
  public var isLink: Bool
  /// Whether some slot of the property must hold a value.
  public var isRequired: Bool
  /// Whether two rows may not have the same value.
  public var isDistinct: Bool
  /// Cases of the older version's enum that the newer version's has not: an app of it ends at a row that holds one.
  public var gone: [GoneCase]
  /// Whether two runs give the same: not so where a clock, a random source or the device's settings take part.
  public var isReproducible: Bool
  /// Whether it leads to what the same older row became as well; nil for no.
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

/// A case of an enum that a later version has no more.
public struct GoneCase: Codable, Hashable, Sendable {
  /// `cancelled`.
  public var name: String
  /// The enum that had it.
  public var type: String
  /// Where the enum stands in the property's value: `kind` or `first.kind` in a struct, empty for the value itself.
  public var path: String
  /// What a row holds of it; nil for an enum without raw values, each case of which has a column.
  public var rawValue: StoredValue?

  public init(name: String, type: String, path: String, rawValue: StoredValue?) {
    self.name = name
    self.type = type
    self.path = path
    self.rawValue = rawValue
  }

  /// The enum's place in a row whose property has that name.
  func place(in property: String) -> String { path.isEmpty ? property : "\(property).\(path)" }
}

/// A default or a fill.
public struct PlannedConstant: Codable, Hashable, Sendable {
  /// As the manifest writes it.
  public var text: String
  /// What stands in the property's one slot; nil where only running the code can tell.
  public var value: StoredValue?
  /// Whether all rows get one and the same: so a default does, for it is evaluated once
  /// (docs/facts/identity.md#default-is-one-constant). A fill is evaluated for each row.
  public var isShared: Bool
  public var isFill: Bool
  /// Whether a function of the app's gives it.
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
  /// From one kind of number to another, by the engine: the value itself, or an element of it, `.width`.
  case cast(from: AttributeType, to: AttributeType, element: String)
  /// What a null becomes; other values stay.
  case nullBecomes(PlannedConstant)
  /// A raw value that cases of an enum had becomes another; other values stay.
  case caseBecomes([CaseChange])
  /// An expression or a function of the manifest's makes another value of it.
  case conversion(text: String)
}

/// A raw value that stands for a case, and what stands there once the case is renamed or replaced.
public struct CaseChange: Codable, Hashable, Sendable {
  public var old: StoredValue
  public var new: StoredValue

  public init(old: StoredValue, new: StoredValue) {
    self.old = old
    self.new = new
  }
}

/// Equal rows that become one, because their keys must be unique from here on.
public struct PlannedMerge: Codable, Hashable, Sendable {
  /// The version from which on they are unique.
  public var version: String
  /// The model whose rows are compared, subentities' among them, and the constraint's place among its own.
  public var model: String
  public var number: Int
  /// What must be equal: the values of these properties at that version, told as they come from the source.
  public var keys: [FieldExpectation]
  /// The property whose greatest (or least) value decides which row stays; nil where a function of the app's does.
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

/// A field of the domain entity that converters of both versions must agree on.
public struct EntityFieldExpectation: Codable, Hashable, Sendable {
  public var name: String
  /// Whether it holds links to many rows, which have no order.
  public var isUnordered: Bool

  public init(name: String, isUnordered: Bool) {
    self.name = name
    self.isUnordered = isUnordered
  }
}

/// A model or a property that does not reach the newer version.
public struct PlannedDrop: Codable, Hashable, Sendable {
  public var entity: String
  /// Nil where the whole model goes.
  public var property: String?
  /// The step on which it goes: `V7 → V8`.
  public var step: String
  /// The author's reason; nil where nobody said one, which is a failure unless the step has shipped so.
  public var reason: String?
  /// Whether the step has shipped so, and nobody has confirmed it.
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
