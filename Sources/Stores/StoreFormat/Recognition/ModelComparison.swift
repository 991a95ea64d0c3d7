package import ManagedModels

/// The differences between a store's model and a version's.
///
/// It compares what stores contain, for recognition, inspection, doctor and proofs, and is linked into apps, which have
/// no manifests. Equality is that of Core Data's hashes. `SchemaDiffer` compares what manifests declare, and
/// `ComparisonTests` check that both agree.
package struct ModelComparison: Sendable {
  package struct Difference: Encodable, Hashable, Sendable, Comparable {
    /// `Model` or `Model.property`.
    package var element: String
    /// What differs, the store's side first: `String in the store, Int in the version`.
    package var detail: String
    package var store: String?
    package var version: String?
    /// Whether the difference changes Core Data's hashes, so the store does not match the version.
    package var isHashed: Bool

    package static func < (left: Difference, right: Difference) -> Bool {
      (left.element, left.detail) < (right.element, right.detail)
    }
  }

  package private(set) var differences: [Difference] = []

  package var isSame: Bool { !differences.contains(where: \.isHashed) }

  private var isSameEntity = false

  /// The number of hashed differences. An entity that only one side has counts as one, and so does each of its
  /// properties.
  package private(set) var distance = 0

  /// The differences between a store's model and a version's. Defaults are ignored, since a store has a constant where
  /// a version has an expression. Original names are ignored, since they refer to earlier versions.
  ///
  /// - Parameters:
  ///   - unspecified: Attributes, as `Entity.attribute`, whose columns the version does not define.
  ///   - known: The hashes of both models, if they are computed already.
  package init(
    _ store: ManagedModel, _ version: ManagedModel, unspecified: Set<String> = [],
    hashes known: (store: VersionHashes, version: VersionHashes)? = nil
  ) {
    let entities = store.entitiesByName
    let others = version.entitiesByName
    let hashes = (known?.store ?? store.versionHashes).entities
    let otherHashes = (known?.version ?? version.versionHashes).entities
    for name in Set(entities.keys).union(others.keys) {
      switch (entities[name], others[name]) {
      case (let own?, let other?):
        // Some differences are not hashed: whether an enum is optional, the name of a struct's property.
        isSameEntity = hashes[name] == otherHashes[name]
        compare(own, other, unspecified)
        isSameEntity = false
      case (let own?, nil): lone(own, inStore: true)
      case (nil, let other?): lone(other, inStore: false)
      case (nil, nil): break
      }
    }
    differences.sort()
  }

  private mutating func lone(_ entity: ManagedEntity, inStore: Bool) {
    differences.append(
      Difference(
        element: entity.name, detail: "a model in the \(inStore ? "store" : "version") only",
        store: inStore ? "a model" : nil, version: inStore ? nil : "a model", isHashed: true))
    distance += 1 + entity.attributes.count + entity.relationships.count
  }

  /// - Parameter separator: The text before "in the store only" or "in the version only".
  private mutating func add(
    _ element: String, store: String?, version: String?, separator: String = "",
    isHashed: Bool = true
  ) {
    let isHashed = isHashed && !isSameEntity
    let detail =
      switch (store, version) {
      case (let own?, let other?): "\(own) in the store, \(other) in the version"
      case (let own?, nil): "\(own)\(separator) in the store only"
      case (nil, let other): "\(other ?? "")\(separator) in the version only"
      }
    differences.append(
      Difference(
        element: element, detail: detail, store: store, version: version, isHashed: isHashed))
    if isHashed { distance += 1 }
  }

  private mutating func add<Value: Equatable>(
    _ element: String, _ own: Value, _ other: Value, isHashed: Bool = true,
    _ words: (Value) -> String
  ) {
    if own != other {
      add(element, store: words(own), version: words(other), isHashed: isHashed)
    }
  }

  // MARK: Entities

  private mutating func compare(
    _ own: ManagedEntity, _ other: ManagedEntity, _ unspecified: Set<String>
  ) {
    add(own.name, own.isAbstract, other.isAbstract) { $0 ? "abstract" : "not abstract" }
    add(own.name, own.hashModifier, other.hashModifier) {
      $0.map { "hash modifier '\($0)'" } ?? "no hash modifier"
    }
    add(own.name, own.superentity, other.superentity) {
      $0.map { "subclass of \($0)" } ?? "no subclass"
    }
    let constraints = Set(own.uniqueness)
    let wanted = Set(other.uniqueness)
    for names in constraints.subtracting(wanted) {
      add(own.name, store: "unique by \(names.joined(separator: ", "))", version: nil)
    }
    for names in wanted.subtracting(constraints) {
      add(own.name, store: nil, version: "unique by \(names.joined(separator: ", "))")
    }
    for index in Set(own.indexes).subtracting(other.indexes) {
      add(own.name, store: "index of \(Self.words(index))", version: nil, isHashed: false)
    }
    for index in Set(other.indexes).subtracting(own.indexes) {
      add(own.name, store: nil, version: "index of \(Self.words(index))", isHashed: false)
    }
    compareProperties(own, other, unspecified)
  }

  private static func words(_ index: ManagedIndex) -> String {
    index.properties.joined(separator: ", ") + (index.isRTree ? " (R-tree)" : "")
  }

  private mutating func compareProperties(
    _ own: ManagedEntity, _ other: ManagedEntity, _ unspecified: Set<String>
  ) {
    let properties = Self.properties(of: own)
    let others = Self.properties(of: other)
    for name in Set(properties.keys).union(others.keys) {
      let place = "\(own.name).\(name)"
      switch (properties[name], others[name]) {
      case (.attribute(let one)?, .attribute(let two)?):
        compare(one, two, at: place, unspecified)
      case (.relationship(let one)?, .relationship(let two)?):
        compare(one, two, at: place)
      case (let one?, let two?): add(place, store: one.words, version: two.words)
      case (let one?, nil): add(place, store: one.words, version: nil, separator: ",")
      case (nil, let two?): add(place, store: nil, version: two.words, separator: ",")
      case (nil, nil): break
      }
    }
  }

  private enum Property {
    case attribute(ManagedAttribute)
    case relationship(ManagedRelationship)

    var words: String {
      switch self {
      case .attribute(let attribute): ModelComparison.words(attribute)
      case .relationship(let relationship): ModelComparison.words(relationship)
      }
    }
  }

  private static func properties(of entity: ManagedEntity) -> [String: Property] {
    let attributes = entity.attributes.map { ($0.name, Property.attribute($0)) }
    let relationships = entity.relationships.map { ($0.name, Property.relationship($0)) }
    return Dictionary(attributes + relationships) { first, _ in first }
  }

  // MARK: Properties

  private mutating func compare(
    _ own: ManagedAttribute, _ other: ManagedAttribute, at place: String, _ unspecified: Set<String>
  ) {
    let isComposite = own.type == .composite && other.type == .composite
    if unspecified.contains(place) {
      add(place, own.isOptional, other.isOptional) { $0 ? "optional" : "required" }
    } else if isComposite {
      add(place, own.isOptional, other.isOptional) { $0 ? "optional" : "required" }
      // All columns of an optional struct are optional.
      var columns = [own, other]
      if own.isOptional != other.isOptional {
        for index in columns.indices { columns[index] = columns[index].withOptionalLeaves }
      }
      if !unspecified.contains(where: { $0.hasPrefix(place + ".") }) {
        add(place, Self.columns(columns[0]), Self.columns(columns[1])) {
          "columns \($0.joined(separator: ", "))"
        }
      }
    } else if own.type != other.type || own.isOptional != other.isOptional {
      add(place, store: Self.side(own), version: Self.side(other))
    }
    // The hash modifier of an unspecified attribute may be a digest of its columns.
    if !unspecified.contains(place) {
      add(place, own.hashModifier, other.hashModifier) {
        $0.map { "hash modifier '\($0)'" } ?? "no hash modifier"
      }
    }
    add(place, own.isExternal, other.isExternal) { $0 ? "externalStorage" : "no externalStorage" }
    add(place, own.isPreservedOnDeletion, other.isPreservedOnDeletion) {
      $0 ? "preserveValueOnDeletion" : "no preserveValueOnDeletion"
    }
  }

  private static func side(_ attribute: ManagedAttribute) -> String {
    guard attribute.type == .composite else { return words(attribute) }
    let optional = attribute.isOptional ? "optional " : ""
    return optional
      + (attribute.rawValueElement.map { "enum of \($0.type.row.swift)" } ?? "struct or enum")
  }

  /// The columns as `street: String?`, sorted; for a nested composite, its own columns.
  private static func columns(_ attribute: ManagedAttribute) -> [String] {
    attribute.elements.map { element in
      element.elements.isEmpty
        ? "\(element.name): \(words(element))"
        : "\(element.name): (\(columns(element).joined(separator: ", ")))"
    }.sorted()
  }

  private mutating func compare(
    _ own: ManagedRelationship, _ other: ManagedRelationship, at place: String
  ) {
    if own.destination != other.destination || own.isToMany != other.isToMany
      || own.isOptional != other.isOptional
    {
      add(place, store: Self.words(own), version: Self.words(other))
    }
    add(place, own.isOrdered, other.isOrdered) { $0 ? "ordered" : "not ordered" }
    add(place, own.inverse, other.inverse) { $0.map { "inverse '\($0)'" } ?? "no inverse" }
    if own.isToMany == other.isToMany {
      add(place, Self.bounds(own), Self.bounds(other)) { "bounds \($0)" }
    }
    add(place, own.hashModifier, other.hashModifier) {
      $0.map { "hash modifier '\($0)'" } ?? "no hash modifier"
    }
    add(place, own.deleteRule, other.deleteRule, isHashed: false) { "delete rule \($0.rawValue)" }
  }

  /// The bounds in words. Core Data writes "to one" as a maximum of 1, and 0 is not a bound.
  private static func bounds(_ relationship: ManagedRelationship) -> String {
    let maximum = relationship.isToMany ? relationship.maximumCount : 1
    return "\(relationship.minimumCount)…\(maximum == 0 ? "" : "\(maximum)")"
  }

  // MARK: Words

  package static func words(_ attribute: ManagedAttribute) -> String {
    attribute.type.row.swift + (attribute.isOptional ? "?" : "")
  }

  /// A relationship's type in Swift: `[Trip]`, `[Trip]?`, `Trip?`.
  package static func words(_ relationship: ManagedRelationship) -> String {
    let destination = relationship.destination
    return (relationship.isToMany ? "[\(destination)]" : destination)
      + (relationship.isOptional ? "?" : "")
  }
}

extension ManagedAttribute {
  fileprivate var withOptionalLeaves: ManagedAttribute {
    var attribute = self
    attribute.isOptional = true
    attribute.elements = elements.map(\.withOptionalLeaves)
    return attribute
  }
}
