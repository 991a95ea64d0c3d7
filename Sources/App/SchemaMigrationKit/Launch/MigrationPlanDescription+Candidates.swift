internal import ManagedModels
internal import StoreFormat

extension MigrationPlanDescription {
  /// Every version that a store can be of, those that have left the plan first.
  var known: [Version] { retired + versions }
}

extension MigrationPlanDescription.Version {
  /// The version as a store is held against it: what its tables tell, and no more.
  var candidate: VersionCandidate {
    var gaps = VersionCandidate.Gaps()
    gaps.isLayoutOnly = true
    gaps.entities = Set(entities.filter(\.isOpen).map(\.name))
    for entity in entities {
      for attribute in entity.attributes {
        for column in attribute.columns where column.type == nil {
          let path = attribute.isComposite ? "\(attribute.name).\(column.name)" : attribute.name
          gaps.types.insert("\(entity.name).\(path)")
        }
      }
    }
    let model = ManagedModel(
      entities: entities.map(\.managed), versionIdentifier: number.description)
    return VersionCandidate(
      name: name, model: model, isBridge: isBridge, knownHashes: knownHashes,
      computedHashes: computedHashes, gaps: gaps)
  }
}

extension MigrationPlanDescription.Entity {
  fileprivate var managed: ManagedEntity {
    let plain = Set(attributes.filter { !$0.isComposite }.map(\.name))
    return ManagedEntity(
      name: name, superentity: parent, attributes: attributes.map(\.managed),
      relationships: relationships.map { relationship in
        ManagedRelationship(
          name: relationship.name, destination: relationship.destination,
          inverse: relationship.inverse, isToMany: relationship.isToMany,
          isOptional: relationship.isOptional)
      },
      uniqueness: uniques.map { $0.map { Self.place($0, plain) } })
  }

  /// "kind.rawValue" is the column of 'kind', and of a path through several structs the last is the column's name.
  private static func place(_ path: String, _ plain: Set<String>) -> String {
    let parts = path.split(separator: ".").map(String.init)
    guard let first = parts.first, let last = parts.last, parts.count > 1 else { return path }
    return plain.contains(first) || last == "rawValue" ? first : "\(first).\(last)"
  }
}

extension MigrationPlanDescription.Attribute {
  /// Whether its columns are those of its elements.
  fileprivate var isComposite: Bool { columns.count != 1 || columns[0].name != name }

  fileprivate var managed: ManagedAttribute {
    guard isComposite else {
      return ManagedAttribute(
        name: name, type: AttributeType(columns[0].type), isOptional: isOptional)
    }
    return ManagedAttribute(
      name: name, type: .composite, isOptional: isOptional,
      elements: columns.map {
        ManagedAttribute(name: $0.name, type: AttributeType($0.type), isOptional: true)
      })
  }
}

extension AttributeType {
  /// One of the types that a column is declared for.
  fileprivate init(_ type: MigrationPlanDescription.ColumnType?) {
    switch type {
    case .integer: self = .integer64
    case .float: self = .double
    case .decimal: self = .decimal
    case .timestamp: self = .date
    case .varchar: self = .string
    case .blob, nil: self = .binary
    }
  }
}
