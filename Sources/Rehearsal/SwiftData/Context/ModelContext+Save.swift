internal import ManagedModels
internal import StoreEngine
internal import StoreFormat

extension ModelContext {
  /// Writes all changes in one transaction. If a change is not possible, this throws and changes nothing on disk.
  ///
  /// If a row already has the unique values of a new model, that row gets the new model's values, as in SwiftData.
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
    var inserted: [_ModelValues] = []
    var updated: [_ModelValues] = []
    var deleted: [_ModelValues] = []
    for model in changed {
      let values = model.values
      switch values.state {
      case .inserted: inserted.append(values)
      case .updated: updated.append(values)
      case .deleted: if values.key > 0 { deleted.append(values) }
      case .clean, .detached: break
      }
    }
    for values in inserted + updated { try checkRequiredLinks(of: values) }

    var changes = StoreChanges()
    changes.deleted = deleted.map { self.id(of: $0) }
    // Keys are assigned first, since links among new models need them.
    let replaced = try takeKeys(for: inserted, deleted: Set(changes.deleted))
    var written: Set<ObjectID> = []
    for values in inserted {
      let row = self.row(of: values)
      guard written.insert(row.id).inserted else { continue }
      if replaced.contains(row.id) {
        changes.updated.append(row)
      } else {
        changes.inserted.append(row)
      }
    }
    changes.patched = patches(of: updated)
    for values in inserted + updated where !values.changedLists.isEmpty {
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
      // The models become new again, as before the attempt.
      for values in inserted { rekey(values, to: TemporaryKey.next()) }
      throw error
    }
    settle()
  }

  private func id(of values: _ModelValues) -> ObjectID {
    ObjectID(entity: values.shape.name, key: values.key)
  }

  private func row(of values: _ModelValues) -> StoreRow {
    guard let node = values.node else { trap("a model without a schema cannot be saved") }
    return StoreRow(id: id(of: values), values: store.binding(of: node).write(values))
  }

  /// The changes of existing rows. Consecutive rows often have the same changed properties, so the slots (indices of
  /// values in a row) of the previous row are used again if possible.
  private func patches(of updated: [_ModelValues]) -> [StoreChanges.Patch] {
    var patches: [StoreChanges.Patch] = []
    patches.reserveCapacity(updated.count)
    var last: EntityNode?
    var properties: [Int] = []
    var slots: [Int] = []
    for values in updated {
      guard let node = values.node else { trap("a model without a schema cannot be saved") }
      let binding = store.binding(of: node)
      if last !== node || properties != values.changedProperties {
        last = node
        properties = values.changedProperties
        slots = binding.slots(of: properties)
      }
      patches.append(
        StoreChanges.Patch(
          id: id(of: values), slots: slots, values: binding.write(properties, of: values)))
    }
    return patches
  }

  private func checkRequiredLinks(of values: _ModelValues) throws {
    guard let node = values.node else { return }
    for index in node.requiredLinks {
      guard case .one(let reference) = values.links[index] else { continue }
      let target = reference.flatMap { values.resolve($0) }
      if target == nil || target?.values.state == .deleted {
        throw SwiftDataError(
          .modelValidationFailure,
          "\(node.shape.name).\(node.shape.properties[index].name) is a mandatory relationship, and has no value"
        )
      }
    }
  }

  /// Assigns keys to new models: the key of the row that a model replaces, or a new key.
  ///
  /// Returns the replaced rows.
  private func takeKeys(
    for inserted: [_ModelValues], deleted: Set<ObjectID>
  ) throws -> Set<ObjectID> {
    var replaced: Set<ObjectID> = []
    /// New models that are equal in a constraint become one row, with the values of the last model.
    var first: [UniqueValues: _ModelValues] = [:]
    var duplicates: [(duplicate: _ModelValues, of: _ModelValues)] = []
    var fresh: [Int: [_ModelValues]] = [:]
    for values in inserted {
      guard let node = values.node else { continue }
      let constraints = uniqueValues(of: values, node)
      if let model = constraints.lazy.compactMap({ first[$0] }).first {
        duplicates.append((values, model))
      } else if let key = try self.key(equalIn: constraints, deleted) {
        // If the row has a model in this context, that model gets the new values.
        if let other = registeredModel(at: RowKey(root: node.root, key: key))?.values {
          other.columns = values.columns
          other.links = values.links
        }
        rekey(values, to: key)
        replaced.insert(id(of: values))
      } else {
        fresh[node.root, default: []].append(values)
      }
      for constraint in constraints where first[constraint] == nil { first[constraint] = values }
    }
    for (index, group) in fresh.sorted(by: { $0.key < $1.key }) {
      let keys = try store.access {
        try $0.allocateKeys(of: graph.nodes[index].shape.name, count: group.count)
      }
      for (values, key) in zip(group, keys) { rekey(values, to: key) }
    }
    for (duplicate, model) in duplicates {
      model.columns = duplicate.columns
      model.links = duplicate.links
      rekey(duplicate, to: model.key)
    }
    return replaced
  }

  private func key(equalIn constraints: [UniqueValues], _ deleted: Set<ObjectID>) throws -> Int64? {
    for constraint in constraints {
      let id = try store.access { try $0.row(of: constraint.entity, where: constraint.values) }
      if let id, !deleted.contains(id) { return id.key }
    }
    return nil
  }

  private struct UniqueValues: Hashable {
    let entity: String
    let values: [String: StoredValue]
  }

  /// A model's values for each constraint. A constraint with a nil is left out, since nil equals nothing.
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
