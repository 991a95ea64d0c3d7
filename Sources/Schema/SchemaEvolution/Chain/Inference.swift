internal import SchemaModel

/// A model as the engine's inference sees it.
struct StoredModel: Equatable, Sendable {
  var superclass: String?
  /// Sorted by name. Properties that are not stored are left out.
  var properties: [StoredProperty]

  init(_ model: Model, _ storage: StorageTypes) {
    superclass = model.superclass?.value
    properties = model.properties.filter(\.isStored)
      .map { StoredProperty($0, storage) }
      .sorted { $0.name < $1.name }
  }
}

/// A property as the engine's inference sees it.
struct StoredProperty: Equatable {
  enum Kind: Equatable {
    case attribute(StorageType, StoredForm, isExternal: Bool, defaultValue: String?)
    case relationship(destination: String, isMany: Bool, hasInverse: Bool)
  }

  var name: String
  /// The first name that any store had for the property.
  var identifier: String
  var isOptional: Bool
  var kind: Kind

  /// An attribute and a relationship never match: the engine drops the old property and adds the new one.
  var isRelationship: Bool {
    if case .relationship = kind { return true }
    return false
  }

  init(_ property: Property, _ storage: StorageTypes) {
    name = property.name
    identifier = property.originalName ?? property.name
    isOptional = property.type.isOptional
    switch property.kind {
    case .attribute(let attribute):
      let value = attribute.defaultValue?.text
      kind = .attribute(
        storage.storage(of: attribute.type, transformable: attribute.transformer != nil),
        storage.form(of: attribute.type, transformable: attribute.transformer != nil),
        // Types other than `Data` ignore the option (docs/facts/identity.md#external-storage-only-on-data).
        isExternal: attribute.options.contains(.externalStorage)
          && storage.form(of: attribute.type) == .plain(.data),
        defaultValue: value == "nil" ? nil : value)
    case .relationship(let relationship):
      kind = .relationship(
        destination: relationship.destination.value, isMany: relationship.cardinality.isMany,
        hasInverse: relationship.inverse != nil)
    }
  }
}

/// The source of a property's values in a migrated row.
enum Provenance: Equatable {
  /// The value of a property of the source version. `types` are the types in which the value was stored, in order.
  /// `nils` is the value that replaced nil.
  case value(source: String, types: [StorageType], nils: String?)
  case links(source: String)
  case constant(String)
  case null
  case empty
  case failure(Inference.Failure)
}

extension Provenance: CustomStringConvertible {
  var description: String {
    switch self {
    case .value(let source, let types, let nils):
      let path = types.count > 2 ? " through other types" : ""
      return "the value of '\(source)'\(path)" + (nils.map { ", or \($0) for nil" } ?? "")
    case .links(let source): return "the links of '\(source)'"
    case .constant(let value): return "the default \(value)"
    case .null: return "nil"
    case .empty: return "no links"
    case .failure(let reason): return "a failure (\(reason))"
    }
  }
}

extension Inference.Failure: CustomStringConvertible {
  var description: String {
    switch self {
    case .ambiguous(let other): "the values of '\(other)' could also be meant"
    case .claimedTwice(let name): "two properties have the original name '\(name)'"
    case .externalStorageTakenBack: "external storage cannot be turned off"
    case .otherType: "the type differs"
    case .nilNotAllowed: "nil is not allowed"
    case .otherDestination: "the destination differs, and links would lead to other rows"
    case .manyToOne: "many links cannot become one"
    case .newInverse: "the inverse is new, and one link cannot become many"
    case .noInverse: "without an inverse one link cannot become many"
    case .mandatoryLink: "a link is mandatory"
    case .nullInOldRows: "old rows hold NULL"
    case .missingValue: "a value is required"
    case .missingSource(let name): "'\(name)' is missing"
    }
  }
}

/// The engine's inference between two versions of one model (docs/facts/migration.md#inference).
enum Inference {
  enum Failure: Equatable, Sendable {
    /// Another property of the source also matches by name or original name.
    case ambiguous(with: String)
    /// Two properties have this original name.
    case claimedTwice(String)
    case externalStorageTakenBack
    case otherType
    case nilNotAllowed
    case otherDestination
    case manyToOne
    /// A to-one relationship becomes to-many and loses its links, because its inverse is new.
    case newInverse
    case noInverse
    case mandatoryLink
    case nullInOldRows
    case missingValue
    case missingSource(String)
  }

  static func provenances(from old: StoredModel, to new: StoredModel) -> [String: Provenance] {
    var byIdentifier: [String: StoredProperty] = [:]
    var byName: [String: StoredProperty] = [:]
    for property in old.properties {
      byIdentifier[property.identifier] = property
      byName[property.name] = property
    }
    var claims: [String: Int] = [:]
    for property in new.properties { claims[property.identifier, default: 0] += 1 }
    var found: [String: Provenance] = [:]
    for property in new.properties {
      let match = byIdentifier[property.identifier]
      // Another property of the source may match as well, by its name or its original name.
      let matches = [byName[property.name], byName[property.identifier]].compactMap { $0 }
        .filter { $0.name != match?.name && $0.isRelationship == property.isRelationship }
      if let other = matches.first {
        found[property.name] = .failure(.ambiguous(with: other.name))
      } else if claims[property.identifier]! > 1, match != nil {
        found[property.name] = .failure(.claimedTwice(property.identifier))
      } else if let match {
        found[property.name] = provenance(from: match, to: property)
      } else {
        found[property.name] = addition(property)
      }
    }
    return found
  }

  private static func provenance(from old: StoredProperty, to new: StoredProperty) -> Provenance {
    switch (old.kind, new.kind) {
    case (
      .attribute(let before, let was, let wasExternal, _),
      .attribute(let after, let form, let isExternal, let value)
    ):
      // The columns of a composite never match a single column, even if both hold strings.
      if was != .unknown, form != .unknown, was.hasLeaves != form.hasLeaves { return addition(new) }
      if wasExternal, !isExternal { return .failure(.externalStorageTakenBack) }
      let isBinary = was.isBinary && form.isBinary
      if !isBinary, before != after, !before.isMatchedByPath(after) {
        guard let from = before.primitive, let to = after.primitive, from.isNumeric, to.isNumeric
        else { return .failure(.otherType) }
      }
      var nils: String?
      if old.isOptional, !new.isOptional, form != .structure(.optionalFields) {
        guard let value, !form.hasLeaves, form != .unknown else {
          return .failure(.nilNotAllowed)
        }
        nils = value
      }
      let types = before == after ? [before] : [before, after]
      return .value(source: old.name, types: types, nils: nils)
    case (
      .relationship(let before, let wasMany, let hadInverse),
      .relationship(let after, let isMany, let hasInverse)
    ):
      if before != after { return .failure(.otherDestination) }
      if wasMany, !isMany { return .failure(.manyToOne) }
      if !wasMany, isMany {
        if !hasInverse { return .failure(.noInverse) }
        if !hadInverse { return .failure(.newInverse) }
      }
      if old.isOptional, !new.isOptional, !isMany { return .failure(.mandatoryLink) }
      return .links(source: old.name)
    default: return addition(new)
    }
  }

  private static func addition(_ property: StoredProperty) -> Provenance {
    switch property.kind {
    case .attribute(_, let form, _, let value):
      switch form {
      case .structure(.optionalFields): return .null
      case .structure(.requiredFields): return property.isOptional ? .null : .failure(.missingValue)
      case .enumeration, .unknown: return property.isOptional ? .null : .failure(.nullInOldRows)
      case .plain, .archive, .json: break
      }
      if let value { return .constant(value) }
      return property.isOptional ? .null : .failure(.missingValue)
    case .relationship(_, let isMany, _):
      return isMany || property.isOptional ? .empty : .failure(.mandatoryLink)
    }
  }

  /// Chains two steps: `first` leads to the version from which `second` begins.
  static func compose(
    _ first: [String: Provenance], _ second: [String: Provenance]
  ) -> [String: Provenance] {
    second.mapValues { step in
      switch step {
      case .value(let source, let types, let nils):
        switch first[source] ?? .failure(.missingSource(source)) {
        case .value(let origin, let path, let taken):
          let types = path + types.dropFirst()
          return .value(source: origin, types: shortened(types), nils: taken ?? nils)
        case .null: return nils.map { .constant($0) } ?? .null
        case let other: return other
        }
      case .links(let source): return first[source] ?? .failure(.missingSource(source))
      default: return step
      }
    }
  }

  /// Removes intermediate types that have no effect: repetitions, and structs with every element that both neighbours
  /// have.
  private static func shortened(_ types: [StorageType]) -> [StorageType] {
    var path: [StorageType] = []
    for type in types where type != path.last {
      if path.count > 1, case .composite(let last) = type,
        case .composite(let middle) = path[path.count - 1],
        case .composite(let first) = path[path.count - 2],
        Set(first).intersection(last).isSubset(of: middle)
      {
        path.removeLast()
      }
      if type != path.last { path.append(type) }
    }
    return path
  }

  static func identity(_ model: StoredModel) -> [String: Provenance] {
    var found: [String: Provenance] = [:]
    for property in model.properties {
      switch property.kind {
      case .attribute(let type, _, _, _):
        found[property.name] = .value(source: property.name, types: [type], nils: nil)
      case .relationship: found[property.name] = .links(source: property.name)
      }
    }
    return found
  }
}

extension StorageType {
  /// Whether elements are matched one by one, so elements may be added and removed
  /// (docs/facts/migration.md#element-matching).
  fileprivate func isMatchedByPath(_ other: StorageType) -> Bool {
    if case .composite = self, case .composite = other { return true }
    return false
  }
}
