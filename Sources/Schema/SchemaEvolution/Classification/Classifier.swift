internal import SchemaModel

/// Says of each difference between two versions which row of the classification table it falls under.
struct Classifier {
  let pairing: StepPairing
  let configuration: Configuration
  private let oldStorage: StorageTypes
  private let newStorage: StorageTypes
  private let drops: [ElementPath: Drop]

  init(_ pairing: StepPairing, configuration: Configuration) {
    self.pairing = pairing
    self.configuration = configuration
    oldStorage = StorageTypes(version: pairing.old)
    newStorage = StorageTypes(version: pairing.new)
    drops = Dictionary(pairing.new.drops, keyedBy: \.element.value)
  }

  /// The changes, in the differences' order; a difference may be more than one change.
  func changes(_ differences: [Difference]) -> [SchemaChange] {
    differences.flatMap(changes)
  }

  private func change(
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

  /// A change of a model or a type as a whole.
  private func change(
    _ kind: ChangeKind, _ name: String, _ detail: String = "", at location: SourceLocation?
  ) -> SchemaChange {
    change(kind, ElementPath(name), detail, at: location)
  }

  private func change(
    _ kind: ChangeKind, _ model: String, constraint: [String],
    repeating repetition: SchemaChange.Repetition? = nil, at location: SourceLocation?
  ) -> SchemaChange {
    let detail = repetition.map { "\(names(constraint)): \($0.rawValue)" } ?? names(constraint)
    return change(
      kind, ElementPath(model), detail, constraint: constraint, repeating: repetition,
      at: location)
  }

  // MARK: Models

  private func changes(_ difference: Difference) -> [SchemaChange] {
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
          .modelDerived, model.name, "from " + sources.joined(separator: ", "), at: model.location)
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
      return [change(kind, model, constraint: unique.names, at: location)]
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

  /// A model that is gone, or whose rows others take over: then only what none of them takes is lost.
  private func removals(of model: Model) -> [SchemaChange] {
    let successors = pairing.takers(of: model)
    guard !successors.isEmpty else {
      return [
        change(.modelRemoved, model.name, sharedRows(of: model), at: pairing.new.location)
      ]
    }
    // What it inherits goes with it: its rows leave the table of the model that they inherited from.
    return pairing.withInherited(model).properties.filter { property in
      property.isStored && !successors.contains { isTaken(property, by: $0) }
    }.map { removal(model.name, $0) }
  }

  /// Says of which model that stays the rows of a subclass that goes are rows too; empty where of none.
  private func sharedRows(of model: Model) -> String {
    let stays = model.ancestors { pairing.oldModels[$0] }.first { pairing.continues($0.name) }
    return stays.map { "its rows are rows of \($0.name), and are dropped there too" } ?? ""
  }

  private func isTaken(_ property: Property, by successor: Model) -> Bool {
    successor.properties.contains { candidate in
      candidate.migration.renamedFrom?.value == property.name
        || candidate.migration.from.contains { $0.value == property.name }
        || (candidate.name == property.name && candidate.migration.renamedFrom == nil)
    }
  }

  private func renaming(_ model: String, from: String, to: String) -> SchemaChange {
    let property = pairing.newModels[model]?.property(named: to)
    let isLink = property?.relationship != nil
    let kind =
      property.flatMap { configuration.obstacle(toRenaming: $0, newStorage) }
      ?? (isLink ? .relationshipRenamed : .attributeRenamed)
    return change(kind, ElementPath(model, to), "\(from) → \(to)", at: property?.location)
  }

  /// A property that keeps its name while a bridge makes its values gets it from a column of another name in the end.
  private func bridgeRenaming(_ property: Property, of model: String) -> [SchemaChange] {
    guard let new = pairing.newModels[model],
      pairing.predecessor(of: new)?.property(named: property.name) != nil,
      let kind = configuration.obstacle(toRenaming: property, newStorage)
    else { return [] }
    return [
      change(
        kind, ElementPath(model, property.name), "renamed after the bridge", at: property.location)
    ]
  }

  // MARK: Properties that come and go

  private func additions(_ model: String, _ property: Property) -> [SchemaChange] {
    // The difference is without its step; how the value is made stands in the manifest's own property.
    let property = pairing.newModels[model]?.property(named: property.name) ?? property
    let element = ElementPath(model, property.name)
    guard property.isStored else {
      return [change(.transientChanged, element, "\(property.type)", at: property.location)]
    }
    switch property.kind {
    case .attribute(let attribute):
      var found = [
        change(
          additionKind(attribute, isFilled: property.migration.fill != nil), element,
          describe(attribute) + filled(property.migration.fill), at: property.location)
      ]
      // Which of them stays does not matter then: all but one would go.
      if attribute.options.contains(.unique), repeats(attribute, property.migration.fill?.value) {
        found.append(repetition(.everyRow, element, at: property.location))
      }
      return found
    case .relationship(let relationship):
      let kind: ChangeKind
      if property.migration.fill != nil {
        kind = .relationshipFilled
      } else {
        kind = relationship.cardinality == .one ? .mandatoryRelationship : .relationshipAdded
      }
      return [change(kind, element, "\(relationship.type)", at: property.location)]
    }
  }

  /// Whether each of a constraint's properties is new, and one constant in all old rows.
  private func isSameForAll(_ unique: UniqueConstraint, of name: String) -> Bool {
    guard let model = pairing.newModels[name], let old = pairing.predecessor(of: model) else {
      return false
    }
    return unique.names.allSatisfy { key in
      guard let property = model.property(named: key), let attribute = property.attribute,
        old.property(named: key) == nil, property.migration.renamedFrom == nil,
        property.migration.from.isEmpty
      else { return false }
      return repeats(attribute, property.migration.fill?.value)
    }
  }

  /// Whether a part of a constraint was unique already: rows that differ in the part differ in all of it.
  private func isImplied(_ unique: UniqueConstraint, of name: String) -> Bool {
    guard let model = pairing.newModels[name], model.sources.isEmpty,
      let old = pairing.predecessor(of: model).map({ pairing.withInherited($0) })
    else { return false }
    // What keeps its values, by its old name.
    let kept = unique.names.compactMap { key -> String? in
      guard let property = model.property(named: key), property.migration.from.isEmpty,
        property.migration.fill == nil
      else { return nil }
      let was = property.migration.renamedFrom?.value ?? key
      return old.property(named: was)?.type == property.type ? was : nil
    }
    let single = old.properties.filter(\.isUnique)
    return (single.map { [$0.name] } + old.uniques.map(\.names)).contains {
      Set($0).isSubset(of: kept)
    }
  }

  /// Whether two old rows get the same value in a new attribute: from one default, or a fill that is a constant.
  private func repeats(_ attribute: Attribute, _ fill: Conversion?) -> Bool {
    switch fill {
    case .expression(let expression): !expression.isVolatile
    case .function: false
    case nil: attribute.defaultValue.map { $0.text != "nil" } ?? !attribute.type.isOptional
    }
  }

  /// What old rows get, where that is not the default.
  private func filled(_ fill: Located<Conversion>?) -> String {
    switch fill?.value {
    case .expression(let expression): "; old rows: \(expression)"
    case .function(let name): "; old rows: by '\(name)'"
    case nil: ""
    }
  }

  private func additionKind(_ attribute: Attribute, isFilled: Bool) -> ChangeKind {
    if isFilled { return .attributeFilled }
    let form = newStorage.form(of: attribute.type, transformable: attribute.transformer != nil)
    switch form {
    case .enumeration: if !attribute.type.isOptional { return .nullTrap }
    case .unknown:
      if !attribute.type.isOptional, !attribute.type.isCollection { return .nullTrap }
    case .structure(let leaves):
      if !attribute.type.isOptional {
        return leaves == .requiredFields ? .requiredStructAdded : .structOfOptionalsAdded
      }
    default: break
    }
    // No default reaches leaves.
    if form.hasLeaves { return .optionalAttributeAdded }
    if let value = attribute.defaultValue, value.text != "nil" {
      return value.isVolatile ? .sharedDefault : .defaultedAttributeAdded
    }
    return attribute.type.isOptional ? .optionalAttributeAdded : .missingDefault
  }

  private func repetition(
    _ repetition: SchemaChange.Repetition, _ element: ElementPath, at location: SourceLocation?
  ) -> SchemaChange {
    change(
      .uniqueAdded, element, repetition.rawValue, repeating: repetition, at: location)
  }

  private func uniqueAddition(
    _ element: ElementPath, _ attribute: Attribute, at location: SourceLocation?
  ) -> SchemaChange {
    change(attribute.dedupe == nil ? .uniqueAdded : .uniqueDeduped, element, at: location)
  }

  private func removal(_ model: String, _ property: Property) -> SchemaChange {
    let kind: ChangeKind
    if !property.isStored {
      kind = .transientChanged
    } else {
      kind = property.relationship == nil ? .attributeRemoved : .relationshipRemoved
    }
    // What is gone is called as it was: by the older version's names.
    let owner = pairing.newModels[model].flatMap(pairing.predecessor)?.name ?? model
    var removed = change(
      kind, ElementPath(owner, property.name), "\(property.type)",
      at: place(of: model) ?? pairing.new.location)
    // Links cannot outlast the rows that they lead to.
    if removed.acknowledgement == nil, let destination = property.relationship?.destination.value,
      !pairing.continues(destination)
    {
      removed.acknowledgement = drops[ElementPath(destination)]?.acknowledgement
    }
    return removed
  }

  private func conversions(
    _ model: String, from: [Property], to: Property
  ) -> [SchemaChange] {
    let property = pairing.newModels[model]?.property(named: to.name) ?? to
    let detail =
      from.map { "\($0.name): \($0.type)" }.joined(separator: ", ")
      + " → \(property.name): \(property.type)" + means(of: property)
    let element = ElementPath(model, property.name)
    let kind: ChangeKind = property.relationship == nil ? .attributeConverted : .relationshipFilled
    var found = [change(kind, element, detail, at: property.location)]
    let wasUnique = from.contains { $0.attribute?.options.contains(.unique) ?? false }
    // Values that were distinct may become equal, unless they stay what they are.
    let isSame = property.migration.convert.map { $0.value == .expression(.name("$0")) } ?? true
    if let attribute = property.attribute, attribute.options.contains(.unique),
      !wasUnique || !isSame
    {
      found.append(uniqueAddition(element, attribute, at: property.location))
    }
    return found + bridgeRenaming(property, of: model)
  }

  /// The conversion, where it is more than a copy and so short that a line has room for it.
  private func means(of property: Property) -> String {
    guard case .expression(let expression)? = property.migration.convert?.value,
      expression.text != "$0", expression.text.count <= 40
    else { return "" }
    return ", by \(expression.text)"
  }

  // MARK: Properties that stay

  private func changes(
    _ model: String, from old: Property, to new: Property, _ aspect: PropertyAspect
  ) -> [SchemaChange] {
    let element = ElementPath(model, new.name)
    func one(_ kind: ChangeKind, _ detail: String = "") -> [SchemaChange] {
      [change(kind, element, detail, at: new.location)]
    }
    func shown(_ text: String?) -> String { text ?? "none" }
    switch aspect {
    case .kind:
      return one(.attributeBecameRelationship, "\(old.type) → \(new.type)") + refusals(model, new)
    case .transient, .ephemeral:
      if new.isStored { return additions(model, new) }
      return one(old.isStored ? .storedToTransient : .transientChanged)
    case .hashModifier:
      let hasLeaves =
        new.attribute.map {
          newStorage.form(of: $0.type, transformable: $0.transformer != nil).hasLeaves
        } ?? false
      return one(
        hasLeaves ? .hashModifierIgnored : .hashModifierChanged,
        "\(shown(old.hashModifier)) → \(shown(new.hashModifier))")
    case .originalName:
      // Whether a name that is said for the first time is the right one, the whole history tells.
      guard old.originalName != nil else { return [] }
      return one(
        .originalNameChanged, "\(shown(old.originalName)) → \(shown(new.originalName))")
    case .initializerDefault:
      let before = old.initializerDefault?.text ?? "none"
      return one(
        .initializerDefaultChanged, "\(before) → \(new.initializerDefault?.text ?? "none")")
    case .mapping: return one(.entityMappingChanged)
    case .documentation: return one(.documentationChanged)
    default: break
    }
    // What only lives in memory changes nothing else.
    if !new.isStored { return one(.transientChanged) }
    if let was = old.attribute, let now = new.attribute {
      let found = attributeChanges(element, was, now, new, aspect)
      return found.contains { $0.kind == .attributeBecameValueType }
        ? found + refusals(model, new) : found
    }
    if let was = old.relationship, let now = new.relationship {
      return relationshipChanges(element, was, now, new, aspect)
    }
    return []
  }

  /// What the engine cannot do about a column that it adds in place of another of the same name.
  private func refusals(_ model: String, _ property: Property) -> [SchemaChange] {
    additions(model, property).filter { $0.classification.severity == .error }
  }

  private func attributeChanges(
    _ element: ElementPath, _ old: Attribute, _ new: Attribute, _ property: Property,
    _ aspect: PropertyAspect
  ) -> [SchemaChange] {
    let location = property.location
    func one(_ kind: ChangeKind, _ detail: String = "") -> [SchemaChange] {
      [change(kind, element, detail, at: location)]
    }
    func shown(_ value: some CustomStringConvertible) -> String { value.description }
    switch aspect {
    case .type: return typeChanges(element, old, new, property)
    case .defaultValue:
      let before = old.defaultValue.map(shown) ?? "none"
      return one(.defaultChanged, "\(before) → \(new.defaultValue.map(shown) ?? "none")")
    case .unique:
      guard new.options.contains(.unique) else { return one(.uniqueRemoved) }
      return [uniqueAddition(element, new, at: location)]
    case .externalStorage:
      guard newStorage.form(of: new.type) == .plain(.data) else {
        return one(.attributeOptionChanged, aspect.rawValue)
      }
      return one(
        new.options.contains(.externalStorage) ? .externalStorageAdded : .externalStorageRemoved)
    case .allowsCloudEncryption: return one(.cloudEncryptionChanged)
    case .preserveValueOnDeletion: return one(.preserveValueChanged)
    case .spotlight: return one(.attributeOptionChanged, aspect.rawValue)
    // Another attribute type (docs/facts/identity.md#type-2200).
    case .codable: return one(.typeChanged, aspect.rawValue)
    case .transformer:
      let detail = "\(old.transformer ?? "none") → \(new.transformer ?? "none")"
      // With none on one side the stored type itself is another, unless that is an archive as well.
      let wasArchive =
        oldStorage.form(of: old.type, transformable: old.transformer != nil) == .archive
      let isArchive =
        newStorage.form(of: new.type, transformable: new.transformer != nil) == .archive
      return one(wasArchive && isArchive ? .transformerChanged : .typeChanged, detail)
    case .encodes:
      let before = old.encodes.map(shown) ?? "none"
      return one(.encodedTypeChanged, "\(before) → \(new.encodes.map(shown) ?? "none")")
    case .fallback: return one(.encodingChanged)
    default: return []
    }
  }

  /// A changed type is up to two changes: of the stored type, and of whether it may be nil.
  private func typeChanges(
    _ element: ElementPath, _ old: Attribute, _ new: Attribute, _ property: Property
  ) -> [SchemaChange] {
    let detail = "\(old.type) → \(new.type)"
    var found: [SchemaChange] = []
    if old.type.unwrapped != new.type.unwrapped {
      let kind = storageChange(old, new)
      found.append(change(kind, element, detail, at: property.location))
      // The old column goes, and whether it could hold nil with it.
      if kind == .attributeBecameValueType { return found }
    }
    let isUnique = new.options.contains(.unique) && old.options.contains(.unique)
    if isUnique, old.type.isOptional, !new.type.isOptional,
      repeats(new, property.migration.fill?.value)
    {
      found.append(repetition(.everyNil, element, at: property.location))
    }
    let form = newStorage.form(of: new.type, transformable: new.transformer != nil)
    if !old.type.isOptional, new.type.isOptional {
      let kind: ChangeKind =
        form.isOptionalAnyway ? .valueTypeOptionality : .attributeMadeOptional
      found.append(change(kind, element, detail, at: property.location))
    } else if old.type.isOptional, !new.type.isOptional {
      let kind = requiredKind(form, new, isFilled: property.migration.fill != nil)
      found.append(change(kind, element, detail, at: property.location))
      // Nils take one constant as new attributes do.
      if kind == .attributeMadeRequiredDefaulted, new.defaultValue?.isVolatile ?? false {
        found.append(change(.sharedDefault, element, detail, at: property.location))
      }
    }
    return found
  }

  /// What it means that a value must be there that could be nil.
  private func requiredKind(
    _ form: StoredForm, _ attribute: Attribute, isFilled: Bool
  ) -> ChangeKind {
    switch form {
    case .structure(.optionalFields): return .valueTypeOptionality
    case _ where isFilled: return .attributeMadeRequiredFilled
    case .unknown where attribute.type.isCollection:
      return attribute.defaultValue == nil ? .requiredWithoutFill : .attributeMadeRequiredDefaulted
    case .enumeration, .unknown: return .enumMadeRequired
    case .structure(.requiredFields): return .requiredWithoutFill
    case .plain, .archive, .json:
      return attribute.defaultValue == nil ? .requiredWithoutFill : .attributeMadeRequiredDefaulted
    }
  }

  private func storageChange(_ old: Attribute, _ new: Attribute) -> ChangeKind {
    let before = oldStorage.form(of: old.type, transformable: old.transformer != nil)
    let after = newStorage.form(of: new.type, transformable: new.transformer != nil)
    switch (before, after) {
    case (.unknown, _), (_, .unknown): return .typeChanged
    case (.plain(let before), .plain(let after)) where before == after:
      return .typeRespelled
    case (.plain(let before), .plain(let after)) where before.isNumeric && after.isNumeric:
      return .numberTypeChanged
    case (.enumeration(let before?), .enumeration(let after?)) where before == after:
      // The engine knows raw values only.
      return holdsCases(of: old.type, new.type) ? .typeRespelled : .rawValueChanged
    case (.archive, .archive):
      return old.transformer != nil ? .typeRespelled : .arrayElementChanged
    case _ where before.isBinary && after.isBinary: return .encodedTypeChanged
    case _ where before.hasLeaves && after.hasLeaves:
      let isSame = oldStorage.storage(of: old.type) == newStorage.storage(of: new.type)
      return isSame ? .typeRespelled : .valueTypeChanged
    case _ where before.hasLeaves != after.hasLeaves: return .attributeBecameValueType
    default: return .typeChanged
    }
  }

  /// Whether an enum has each raw value of the one that it takes the place of.
  private func holdsCases(of old: TypeReference, _ new: TypeReference) -> Bool {
    guard case .enumeration(_, let before)? = oldStorage.declaration(of: old)?.kind,
      case .enumeration(_, let after)? = newStorage.declaration(of: new)?.kind
    else { return false }
    return Set(before.map(\.storedText)).isSubset(of: after.map(\.storedText))
  }

  // MARK: Relationships

  private func relationshipChanges(
    _ element: ElementPath, _ old: Relationship, _ new: Relationship, _ property: Property,
    _ aspect: PropertyAspect
  ) -> [SchemaChange] {
    func one(_ kind: ChangeKind, _ detail: String = "") -> [SchemaChange] {
      [change(kind, element, detail, at: property.location)]
    }
    switch aspect {
    case .destination:
      let detail = "\(old.destination.value) → \(new.destination.value)"
      let successors = pairing.successors(of: old.destination.value).map(\.name)
      guard successors.contains(new.destination.value) else {
        return one(.destinationChanged, detail)
      }
      return one(.destinationFollowed, detail) + bridgeRenaming(property, of: element.owner)
    case .cardinality:
      return one(cardinalityChange(old, new, property), "\(old.type) → \(new.type)")
    case .inverse:
      let (wasMany, isMany) = (old.cardinality.isMany, new.cardinality.isMany)
      // Where one becomes many, its links depend on the inverse: that is told there.
      guard !isSameInverse(old, new), wasMany || !isMany else { return [] }
      let detail = "\(old.inverse?.value ?? "none") → \(new.inverse?.value ?? "none")"
      return one(
        isMadeExclusive(old, new) && wasMany == isMany
          ? .relationshipMadeExclusive : .inverseChanged, detail)
    case .deleteRule:
      return one(.deleteRuleChanged, "\(old.deleteRule.rawValue) → \(new.deleteRule.rawValue)")
    case .relationshipUnique: return one(new.isUnique ? .uniqueAdded : .uniqueRemoved)
    case .bounds: return one(narrows(old, new) ? .relationshipNarrowed : .relationshipWidened)
    default: return []
    }
  }

  private func cardinalityChange(
    _ old: Relationship, _ new: Relationship, _ property: Property
  ) -> ChangeKind {
    switch (old.cardinality.isMany, new.cardinality.isMany) {
    case (true, true): return .toManyOptionality
    case (false, true):
      if new.inverse == nil { return .toOneToManyNoInverse }
      if !isSameInverse(old, new) { return .toOneToManyNewInverse }
      return isMadeExclusive(old, new) ? .relationshipMadeExclusive : .toOneToMany
    case (true, false): return .toManyToOne
    case (false, false):
      if new.cardinality == .optionalOne { return .relationshipMadeOptional }
      return property.migration.fill == nil ? .relationshipMadeRequired : .relationshipFilled
    }
  }

  /// Whether the inverse is the same property, perhaps under another name or declared at the other end.
  private func isSameInverse(_ old: Relationship, _ new: Relationship) -> Bool {
    guard let was = old.inverse?.value, let now = new.inverse?.value else {
      return old.inverse == nil && new.inverse == nil
    }
    if was == now { return true }
    guard let destination = pairing.newModels[new.destination.value],
      let inverse = destination.property(named: now)
    else { return false }
    return inverse.migration.renamedFrom?.value == was
  }

  /// Whether several rows could lead to one, and no longer can.
  private func isMadeExclusive(_ old: Relationship, _ new: Relationship) -> Bool {
    !isExclusive(old, in: pairing.oldModels) && isExclusive(new, in: pairing.newModels)
  }

  /// Whether no two rows lead to the same one. A to-many relationship without an inverse is a column of the rows
  /// at its other end, which holds one row (docs/facts/store-format.md#to-many-without-inverse).
  private func isExclusive(_ relationship: Relationship, in models: [String: Model]) -> Bool {
    if relationship.isUnique { return true }
    guard let inverse = relationship.inverse?.value else { return relationship.cardinality.isMany }
    let destination = models[relationship.destination.value]
    let end = destination?.effectiveProperties(among: models).last { $0.name == inverse }
    return end?.relationship?.cardinality.isMany != true
  }

  /// Zero and nil are not bounds.
  private func narrows(_ old: Relationship, _ new: Relationship) -> Bool {
    let oldMaximum = old.maximum.flatMap { $0 == 0 ? nil : $0 } ?? .max
    let newMaximum = new.maximum.flatMap { $0 == 0 ? nil : $0 } ?? .max
    return newMaximum < oldMaximum || (new.minimum ?? 0) > (old.minimum ?? 0)
  }

  // MARK: Value types

  private func typeChanges(_ difference: Difference) -> [SchemaChange] {
    func place(_ name: String) -> SourceLocation? {
      pairing.new.type(named: name)?.location ?? pairing.new.location
    }
    switch difference {
    case .typeAdded(let type): return [change(.valueTypeAdded, type.name, at: type.location)]
    case .typeRemoved(let type):
      return [change(.valueTypeRemoved, type.name, at: pairing.new.location)]
    case .typeReplaced(_, let to):
      let holders = holders(of: to.name)
      let isInJSON = holders.areJSON && !holders.areColumns
      return [change(isInJSON ? .encodedTypeChanged : .valueTypeChanged, to.name, at: to.location)]
    case .typeDescription(_, let to):
      return [change(.documentationChanged, to.name, at: to.location)]
    case .caseAdded(let type, let new):
      let kind: ChangeKind = hasCaseColumns(type) ? .plainEnumCaseAdded : .enumCaseAdded
      return [change(kind, ElementPath(type, new.name), at: new.location)]
    case .caseRemoved(let type, let old):
      let kind: ChangeKind = hasCaseColumns(type) ? .plainEnumCaseRemoved : .enumCaseRemoved
      return [change(kind, ElementPath(type, old.name), at: place(type))]
    case .caseRenamed(let type, let from, let to):
      return renaming(from, to, of: type)
    case .caseReplaced(let type, let old, let by):
      let kind: ChangeKind = hasCaseColumns(type) ? .plainEnumCaseRemoved : .enumCaseReplaced
      return [change(kind, ElementPath(type, old.name), "→ \(by.name)", at: by.location)]
    case .rawValue(let type, let from, let to):
      let detail = "\(from.storedText) → \(to.storedText)"
      return [change(.rawValueChanged, ElementPath(type, to.name), detail, at: to.location)]
    case .fieldAdded(let type, let new):
      let kind = fieldAdditionKind(new, of: type)
      return [change(kind, ElementPath(type, new.name), "\(new.type)", at: new.location)]
    case .fieldRemoved(let type, let old):
      return [
        change(.structFieldRemoved, ElementPath(type, old.name), "\(old.type)", at: place(type))
      ]
    case .fieldType(let type, let from, let to):
      let detail = "\(from.type) → \(to.type)"
      return fieldChangeKinds(from, to, of: type).map {
        change($0, ElementPath(type, to.name), detail, at: to.location)
      }
    case .fieldDefault(let type, _, let to):
      return [change(.structFieldDefaultChanged, ElementPath(type, to.name), at: to.location)]
    default: return []
    }
  }

  private func renaming(_ from: EnumCase, _ to: EnumCase, of type: String) -> [SchemaChange] {
    if hasCaseColumns(type) {
      return [
        change(.plainEnumCaseRemoved, ElementPath(type, from.name), at: to.location),
        change(.plainEnumCaseAdded, ElementPath(type, to.name), at: to.location),
      ]
    }
    let names = from.name == to.name ? "" : "\(from.name) → \(to.name)"
    guard from.storedText != to.storedText else {
      return [change(.enumCaseRenamed, ElementPath(type, to.name), names, at: to.location)]
    }
    let detail = "\(from.storedText) → \(to.storedText)"
    return [change(.enumCaseCarried, ElementPath(type, to.name), detail, at: to.location)]
  }

  /// Whether an enum's cases are columns of old rows.
  private func hasCaseColumns(_ type: String) -> Bool {
    guard case .enumeration(nil, _)? = pairing.new.type(named: type)?.kind else { return false }
    return holders(of: type).areColumns
  }

  private func fieldAdditionKind(_ field: StructField, of type: String) -> ChangeKind {
    let form = newStorage.form(of: field.type)
    if field.type.isOptional || form == .structure(.optionalFields) {
      return .structFieldAddedOptional
    }
    let holders = holders(of: type)
    guard holders.areColumns else {
      return holders.areJSON ? .encodedTypeChanged : .valueTypeAdded
    }
    return holders.areMandatory && !form.isOptionalAnyway ? .structFieldAdded : .structFieldNullTrap
  }

  private func fieldChangeKinds(
    _ old: StructField, _ new: StructField, of type: String
  ) -> [ChangeKind] {
    let holders = holders(of: type)
    guard holders.areColumns else {
      return [holders.areJSON ? .encodedTypeChanged : .valueTypeAdded]
    }
    let (was, now) = (oldStorage.form(of: old.type), newStorage.form(of: new.type))
    var kinds: [ChangeKind] = []
    if old.type.unwrapped != new.type.unwrapped {
      switch (was, now) {
      case (.plain(let before), .plain(let after)) where before == after:
        kinds.append(.typeRespelled)
      case (.plain(let before), .plain(let after)) where before.isNumeric && after.isNumeric:
        kinds.append(.structFieldNumberChanged)
      default: kinds.append(.structFieldChanged)
      }
    }
    if !old.type.isOptional, new.type.isOptional { kinds.append(.structFieldMadeOptional) }
    if old.type.isOptional, !new.type.isOptional, now != .structure(.optionalFields) {
      kinds.append(.structFieldMadeRequired)
    }
    return kinds
  }

  /// How rows that are there hold values of a type.
  private struct Holders {
    /// As columns of its parts.
    var areColumns = false
    /// As columns, and nothing around them is optional: the engine demands a value.
    var areMandatory = false
    /// Inside of JSON.
    var areJSON = false
  }

  /// How the properties that go on hold a type, themselves or in a struct's field, as the newer version has them.
  private func holders(of type: String) -> Holders {
    var found = Holders()
    for model in pairing.new.models {
      guard let pair = pairing.pair(of: model) else { continue }
      for property in pair.properties.continued.map(\.new) where property.isStored {
        guard let attribute = property.attribute, attribute.transformer == nil else { continue }
        if let encoded = attribute.encodes {
          if reached(from: encoded).contains(type) { found.areJSON = true }
        } else {
          note(attribute.type, holds: type, isOptional: false, depth: 0, in: &found)
        }
      }
    }
    return found
  }

  private func note(
    _ held: TypeReference, holds type: String, isOptional: Bool, depth: Int,
    in found: inout Holders
  ) {
    let isOptional = isOptional || held.isOptional
    guard let declaration = newStorage.declaration(of: held) else {
      if reached(from: held).contains(type) { found.areJSON = true }
      return
    }
    if declaration.name == type {
      found.areColumns = true
      if !isOptional { found.areMandatory = true }
    }
    // A manifest may say that a struct contains itself.
    guard case .structure(let fields) = declaration.kind, depth < 16 else { return }
    for field in fields {
      note(field.type, holds: type, isOptional: isOptional, depth: depth + 1, in: &found)
    }
  }

  /// The names in a type, and those in its structs' fields, as deep as they go.
  private func reached(from type: TypeReference) -> Set<String> {
    var open = type.names
    var found: Set<String> = []
    while let name = open.popLast() {
      guard found.insert(name).inserted,
        case .structure(let fields)? = pairing.new.type(named: name)?.kind
      else { continue }
      open += fields.flatMap(\.type.names)
    }
    return found
  }

  // MARK: Words

  private func place(of model: String) -> SourceLocation? {
    pairing.newModels[model]?.location ?? pairing.new.location
  }

  private func names(_ names: [String]) -> String { "(" + names.joined(separator: ", ") + ")" }

  private func describe(_ index: Index) -> String {
    index.kind.rawValue + " " + names(index.names)
  }

  private func describe(_ attribute: Attribute) -> String {
    let value = attribute.defaultValue.map { " = \($0.text)" } ?? ""
    return "\(attribute.type)\(value)"
  }
}
