internal import SchemaStore

extension ModelContext {
  /// Writes all changes in one transaction; throws, and changes nothing on disk, where one is not possible.
  ///
  /// A new model whose unique values a row has already becomes that row's new values, as in SwiftData.
  public func save() throws {
    guard hasChanges else { return settle() }
    guard container.allowsSave else {
      throw SwiftDataError(.readOnly, "the ModelConfiguration does not allow saving")
    }
    guard denied.isEmpty else {
      throw SwiftDataError(
        .modelValidationFailure,
        "deletion is denied while there are models in \(denied.joined(separator: ", "))")
    }
    let inserted = changed.map(\.values).filter { $0.state == .inserted }
    let updated = changed.map(\.values).filter { $0.state == .updated }
    let deleted = changed.map(\.values).filter { $0.state == .deleted && $0.key > 0 }
    for values in inserted + updated { try checkRequiredLinks(of: values) }

    var changes = StoreChanges()
    changes.deleted = deleted.map { self.id(of: $0) }
    // Keys first: links among new models need them.
    let replaced = try takeKeys(for: inserted, deleted: Set(changes.deleted))
    for values in inserted {
      let row = self.row(of: values)
      if replaced.contains(row.id) { changes.updated.append(row) } else { changes.inserted.append(row) }
    }
    changes.updated += updated.map { self.row(of: $0) }
    for values in inserted + updated {
      for index in values.changedLists.sorted() {
        guard let node = values.node, let link = node.links[index] else { continue }
        let root = graph.nodes[link.destination]
        let destinations = values.references(index).filter { $0.key.key > 0 }
          .map { ObjectID(entity: root.shape.name, key: $0.key.key) }
        changes.links.append(
          StoreChanges.Link(
            source: id(of: values), relationship: node.shape.properties[index].name,
            destinations: destinations))
      }
    }
    do {
      try store.access { try $0.apply(changes) }
    } catch {
      // The models are new again, as before the attempt.
      for values in inserted { rekey(values, to: TemporaryKey.next()) }
      throw error
    }
    settle()
  }

  private func id(of values: _ModelValues) -> ObjectID {
    ObjectID(entity: values.shape.name, key: values.key)
  }

  private func row(of values: _ModelValues) -> StoreRow {
    guard let node = values.node else { trap("a model without a schema is saved") }
    return StoreRow(id: id(of: values), values: store.binding(of: node).write(values))
  }

  private func checkRequiredLinks(of values: _ModelValues) throws {
    guard let node = values.node else { return }
    for (index, link) in node.links.enumerated() {
      guard let link, link.isRequired, case .one(let reference) = values.links[index] else { continue }
      let target = reference.flatMap { values.resolve($0) }
      if target == nil || target?.values.state == .deleted {
        throw SwiftDataError(
          .modelValidationFailure,
          "\(node.shape.name).\(node.shape.properties[index].name) is a mandatory relationship, and has no value")
      }
    }
  }

  /// Gives new models their keys: those of the rows that they replace, or new ones.
  ///
  /// Returns the rows that are replaced.
  private func takeKeys(
    for inserted: [_ModelValues], deleted: Set<ObjectID>
  ) throws -> Set<ObjectID> {
    var replaced: Set<ObjectID> = []
    var taken: [UniqueValues: Int64] = [:]
    var fresh: [Int: [_ModelValues]] = [:]
    for values in inserted {
      guard let node = values.node else { continue }
      var key: Int64?
      let constraints = uniqueValues(of: values, node)
      for constraint in constraints where key == nil {
        key = taken[constraint]
        if key == nil,
          let id = try store.access({
            try $0.row(of: constraint.entity, where: constraint.values)
          }), !deleted.contains(id)
        {
          key = id.key
        }
      }
      if let key {
        // The row's model, if there is one, is no longer what the row holds.
        let place = RowKey(root: node.root, key: key)
        if let other = registeredModel(at: place), other.values !== values {
          other.values.columns = values.columns
          other.values.links = values.links
        }
        rekey(values, to: key)
        replaced.insert(id(of: values))
      } else if constraints.isEmpty {
        fresh[node.index, default: []].append(values)
      } else {
        let new = try store.access { try $0.allocateKeys(of: node.shape.name, count: 1) }
        rekey(values, to: new.lowerBound)
      }
      for constraint in constraints { taken[constraint] = values.key }
    }
    for (index, group) in fresh.sorted(by: { $0.key < $1.key }) {
      let keys = try store.access {
        try $0.allocateKeys(of: graph.nodes[index].shape.name, count: group.count)
      }
      for (values, key) in zip(group, keys) { rekey(values, to: key) }
    }
    return replaced
  }

  private struct UniqueValues: Hashable {
    let entity: String
    let values: [String: StoredValue]
  }

  /// What each constraint says of a model; none for one with a nil, which is equal to nothing.
  private func uniqueValues(of values: _ModelValues, _ node: EntityNode) -> [UniqueValues] {
    node.allUniqueness.compactMap { names in
      var found: [String: StoredValue] = [:]
      for name in names {
        let index = node.shape.property(name)
        let property = node.shape.properties[index]
        if case .one(let reference) = values.links.isEmpty ? .one(nil) : values.links[index],
          property.destination != nil
        {
          guard let key = reference?.key.key, key > 0 else { return nil }
          found[name] = .integer(key)
        } else {
          for (path, column) in zip(property.codec?.paths ?? [], values.columns[property.columns]) {
            if column == .null { return nil }
            found[path.isEmpty ? name : "\(name).\(path)"] = column
          }
        }
      }
      return UniqueValues(entity: node.shape.name, values: found)
    }
  }
}
