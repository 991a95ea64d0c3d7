internal import SchemaModel

/// Assigns each difference between two versions to a row of the classification table.
struct Classifier {
  let pairing: StepPairing
  let configuration: Configuration
  let oldStorage: StorageTypes
  let newStorage: StorageTypes
  let drops: [ElementPath: Drop]

  init(_ pairing: StepPairing, configuration: Configuration) {
    self.pairing = pairing
    self.configuration = configuration
    oldStorage = StorageTypes(version: pairing.old)
    newStorage = StorageTypes(version: pairing.new)
    drops = Dictionary(pairing.new.drops, keyedBy: \.element.value)
  }

  func changes(_ differences: [Difference]) -> [SchemaChange] {
    differences.flatMap(changes)
  }

  func change(
    _ kind: ChangeKind, _ element: ElementPath, _ detail: String = "",
    constraint: [String] = [], repeating repetition: SchemaChange.Repetition? = nil,
    at location: SourceLocation?
  ) -> SchemaChange {
    let row = ClassificationTable[kind]
    let isCustom =
      configuration.policy == .strict && row.isCustomWhenStrict && row.mechanism == .lightweight
    return SchemaChange(
      kind: kind, element: element, detail: detail,
      mechanism: isCustom ? .custom : row.mechanism, effect: row.effect, constraint: constraint,
      repetition: repetition, location: location, acknowledgement: drops[element]?.acknowledgement)
  }

  func change(
    _ kind: ChangeKind, _ name: String, _ detail: String = "", at location: SourceLocation?
  ) -> SchemaChange {
    change(kind, ElementPath(name), detail, at: location)
  }

  func change(
    _ kind: ChangeKind, _ model: String, constraint: [String],
    repeating repetition: SchemaChange.Repetition? = nil, at location: SourceLocation?
  ) -> SchemaChange {
    let detail = repetition.map { "\(names(constraint)): \($0.rawValue)" } ?? names(constraint)
    return change(
      kind, ElementPath(model), detail, constraint: constraint, repeating: repetition,
      at: location)
  }

  // MARK: Models

  private func links(of model: Model) -> String {
    let links = pairing.partLinks
    let names = model.properties.map(\.name).filter {
      links.isLinked(ElementPath(model.name, $0))
    }
    return names.isEmpty ? "" : ", linked by \(names.map { "'\($0)'" }.enumeration)"
  }

  func changes(_ difference: Difference) -> [SchemaChange] {
    switch difference {
    case .modelAdded(let model):
      let isSubclass = model.superclass.map { pairing.oldModels[$0.value] != nil } ?? false
      return [
        change(
          isSubclass ? .subclassAdded : .modelAdded, model.name,
          model.superclass.map { "subclass of \($0.value)" } ?? "", at: model.location)
      ]
    case .modelDerived(let model, let sources):
      return [
        change(
          .modelDerived, model.name, "from " + sources.joined(separator: ", ") + links(of: model),
          at: model.location)
      ]
    case .modelRemoved(let model): return removals(of: model)
    case .modelRenamed(let from, let to):
      return [change(.modelRenamed, to, "\(from) → \(to)", at: place(of: to))]
    case .superclass(let model, let from, let to):
      let detail = "\(from ?? "none") → \(to ?? "none")"
      return [change(.superclassChanged, model, detail, at: place(of: model))]
    case .entity(let model, let from, let to):
      let detail = "\(from ?? "none") → \(to ?? "none")"
      return [change(.entityMappingChanged, model, detail, at: place(of: model))]
    case .modelDocumentation(let model, _, _):
      return [change(.documentationChanged, model, at: place(of: model))]
    case .uniqueAdded(let model, let unique):
      let location = unique.location ?? place(of: model)
      guard !isSameForAll(unique, of: model) else {
        return [
          change(
            .compoundUniqueAdded, model, constraint: unique.names, repeating: .everyRow,
            at: location)
        ]
      }
      let kind: ChangeKind =
        if unique.dedupe != nil {
          .compoundUniqueDeduped
        } else {
          isImplied(unique, of: model) ? .compoundUniqueImplied : .compoundUniqueAdded
        }
      let detail =
        names(unique.names) + (unique.dedupe.map { ": \($0.words)" } ?? "")
      return [
        change(kind, ElementPath(model), detail, constraint: unique.names, at: location)
      ]
    case .uniqueRemoved(let model, let unique):
      return [change(.compoundUniqueRemoved, model, constraint: unique.names, at: place(of: model))]
    case .indexAdded(let model, let index):
      return [change(.indexAdded, model, describe(index), at: place(of: model))]
    case .indexRemoved(let model, let index):
      return [change(.indexRemoved, model, describe(index), at: place(of: model))]
    case .propertyAdded(let model, let property): return additions(model, property)
    case .propertyRemoved(let model, let property): return [removal(model, property)]
    case .propertyRenamed(let model, let from, let to):
      return [renaming(model, from: from, to: to)]
    case .propertyConverted(let model, let from, _, let to):
      return conversions(model, from: from, to: to)
    case .property(let model, let from, let to, let aspect):
      return changes(model, from: from, to: to, aspect)
    default: return typeChanges(difference)
    }
  }

  /// The changes for a model that the newer version does not have. If other models take over its rows, only the removed
  /// properties are changes.
  private func removals(of model: Model) -> [SchemaChange] {
    let successors = pairing.takers(of: model)
    guard !successors.isEmpty else {
      return [
        change(.modelRemoved, model.name, sharedRows(of: model), at: pairing.new.location)
      ]
    }
    // Inherited properties are removed as well, because the rows leave the superclass's table.
    return pairing.withInherited(model).properties.filter { property in
      property.isStored && !successors.contains { isTaken(property, by: $0) }
    }.map { removal(model.name, $0) }
  }

  private func sharedRows(of model: Model) -> String {
    let stays = model.ancestors { pairing.oldModels[$0] }.first { pairing.continues($0.name) }
    return stays.map { "the model's rows are also rows of \($0.name), and are dropped there too" }
      ?? ""
  }

  private func isTaken(_ property: Property, by successor: Model) -> Bool {
    successor.properties.contains { candidate in
      candidate.migration.renamedFrom?.value == property.name
        || candidate.migration.from.contains { $0.value == property.name }
        || (candidate.name == property.name && candidate.migration.renamedFrom == nil)
    }
  }

  func renaming(_ model: String, from: String, to: String) -> SchemaChange {
    let property = pairing.newModels[model]?.property(named: to)
    let isLink = property?.relationship != nil
    let kind =
      property.flatMap { configuration.obstacle(toRenaming: $0, of: model, newStorage) }
      ?? (isLink ? .relationshipRenamed : .attributeRenamed)
    return change(kind, ElementPath(model, to), "\(from) → \(to)", at: property?.location)
  }

  /// Reports a property whose values go through a bridge's column, if the engine cannot rename that column afterwards.
  func bridgeRenaming(_ property: Property, of model: String) -> [SchemaChange] {
    guard let new = pairing.newModels[model],
      pairing.predecessor(of: new)?.property(named: property.name) != nil,
      let kind = configuration.obstacle(toRenaming: property, of: model, newStorage)
    else { return [] }
    return [
      change(
        kind, ElementPath(model, property.name), "renamed after the bridge", at: property.location)
    ]
  }

  // MARK: Words

  func place(of model: String) -> SourceLocation? {
    pairing.newModels[model]?.location ?? pairing.new.location
  }

  func names(_ names: [String]) -> String { "(" + names.joined(separator: ", ") + ")" }

  func describe(_ index: Index) -> String {
    index.kind.rawValue + " " + names(index.names)
  }

  func describe(_ attribute: Attribute) -> String {
    let value = attribute.defaultValue.map { " = \($0.text)" } ?? ""
    return "\(attribute.type)\(value)"
  }
}
