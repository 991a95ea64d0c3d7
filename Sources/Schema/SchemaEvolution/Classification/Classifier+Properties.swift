internal import SchemaModel

extension Classifier {
  // MARK: Properties that come and go

  func additions(_ model: String, _ property: Property) -> [SchemaChange] {
    // The difference does not include step keys, so they are read from the manifest's property.
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
      // All old rows would be duplicates, and a choice among them would delete all but one.
      if attribute.options.contains(.unique), repeats(attribute, property.migration.fill?.value) {
        found.append(repetition(.everyRow, element, at: property.location))
      }
      return found
    case .relationship(let relationship):
      let kind: ChangeKind
      if property.migration.fill != nil {
        kind = .relationshipFilled
      } else if pairing.partLinks.isLinked(element) {
        kind = .relationshipLinked
      } else {
        kind = relationship.cardinality == .one ? .mandatoryRelationship : .relationshipAdded
      }
      return [change(kind, element, "\(relationship.type)", at: property.location)]
    }
  }

  /// Whether all properties of a constraint are new, and each has the same constant in all old rows.
  func isSameForAll(_ unique: UniqueConstraint, of name: String) -> Bool {
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

  /// Whether some properties of a constraint were unique already, so no two rows can be equal in all of them.
  func isImplied(_ unique: UniqueConstraint, of name: String) -> Bool {
    guard let model = pairing.newModels[name], model.sources.isEmpty,
      let old = pairing.predecessor(of: model).map({ pairing.withInherited($0) })
    else { return false }
    // The old names of the properties that keep their values.
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

  /// Whether all old rows get the same value in a new attribute, from a default or a constant fill.
  private func repeats(_ attribute: Attribute, _ fill: Conversion?) -> Bool {
    switch fill {
    case .expression(let expression): !expression.isVolatile
    case .function: false
    case nil: attribute.defaultValue.map { $0.text != "nil" } ?? !attribute.type.isOptional
    }
  }

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
    // Defaults do not reach the columns of a composite.
    if form.hasLeaves { return .optionalAttributeAdded }
    if let value = attribute.defaultValue, value.text != "nil" {
      return value.isVolatile ? .sharedDefault : .defaultedAttributeAdded
    }
    return attribute.type.isOptional ? .optionalAttributeAdded : .missingDefault
  }

  func repetition(
    _ repetition: SchemaChange.Repetition, _ element: ElementPath, at location: SourceLocation?
  ) -> SchemaChange {
    change(
      .uniqueAdded, element, repetition.rawValue, repeating: repetition, at: location)
  }

  private func uniqueAddition(
    _ element: ElementPath, _ attribute: Attribute, at location: SourceLocation?
  ) -> SchemaChange {
    change(
      attribute.dedupe == nil ? .uniqueAdded : .uniqueDeduped, element,
      attribute.dedupe?.words ?? "", at: location)
  }

  func removal(_ model: String, _ property: Property) -> SchemaChange {
    let kind: ChangeKind
    if !property.isStored {
      kind = .transientChanged
    } else {
      kind = property.relationship == nil ? .attributeRemoved : .relationshipRemoved
    }
    // A removed property has the name of the older version's model.
    let owner = pairing.newModels[model].flatMap(pairing.predecessor)?.name ?? model
    var removed = change(
      kind, ElementPath(owner, property.name), "\(property.type)",
      at: place(of: model) ?? pairing.new.location)
    // Links disappear together with their destination's rows.
    if removed.acknowledgement == nil, let destination = property.relationship?.destination.value,
      !pairing.continues(destination)
    {
      removed.acknowledgement = drops[ElementPath(destination)]?.acknowledgement
    }
    if removed.acknowledgement == nil, let taker = taker(of: property, from: owner) {
      removed.acknowledgement = .reason("'\(taker)' takes its values")
    }
    return removed
  }

  private func taker(of property: Property, from owner: String) -> ElementPath? {
    for model in pairing.new.models
    where !model.isRenamed && model.sources.contains(where: { $0.value == owner }) {
      let taker = model.properties.first { taken in
        taken.migration.from.contains { $0.value == property.name }
          || taken.name == property.name && taken.migration.isEmpty
            && taken.attribute?.type.unwrapped == property.attribute?.type.unwrapped
            && taken.attribute != nil
      }
      if let taker { return ElementPath(model.name, taker.name) }
    }
    return nil
  }

  func conversions(
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
    // Distinct values may become equal, unless they are only copied.
    let isSame = property.migration.convert.map { $0.value == .expression(.name("$0")) } ?? true
    if let attribute = property.attribute, attribute.options.contains(.unique),
      !wasUnique || !isSame
    {
      found.append(uniqueAddition(element, attribute, at: property.location))
    }
    return found + bridgeRenaming(property, of: model)
  }

  private static let longestMeans = 160

  private func means(of property: Property) -> String {
    guard let convert = property.migration.convert else { return "" }
    switch convert.value {
    case .function(let name): return ", by the function '\(name)'"
    case .expression(let expression):
      guard expression.text != "$0" else { return "" }
      let text = expression.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      guard text.count > Self.longestMeans else { return ", by \(text)" }
      return
        ", by \(text.prefix(Self.longestMeans))… (in full in \(pairing.new.number.name).yaml)"
    }
  }

  // MARK: Properties that stay

  func changes(
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
      // Whether a new original name is right depends on the whole history. If rows are copied to another table, the
      // engine does not use original names.
      guard old.originalName != nil, pairing.newModels[model]?.sources.isEmpty != false else {
        return []
      }
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
    // No other aspect of a transient property has an effect.
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

  /// Errors about a column that the engine adds in place of another column with the same name.
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
    // Core Data's attribute type differs (docs/facts/identity.md#type-2200).
    case .codable: return one(.typeChanged, aspect.rawValue)
    case .transformer:
      let detail = "\(old.transformer ?? "none") → \(new.transformer ?? "none")"
      // If only one version has a transformer, the stored type differs as well, unless both types are archives.
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

  func typeChanges(
    _ element: ElementPath, _ old: Attribute, _ new: Attribute, _ property: Property
  ) -> [SchemaChange] {
    let detail = "\(old.type) → \(new.type)"
    var found: [SchemaChange] = []
    if old.type.unwrapped != new.type.unwrapped {
      let kind = storageChange(old, new)
      let cases =
        [.rawValueChanged, .encodedTypeChanged].contains(kind)
        ? misreadCases(old.type, new.type)
        : kind == .enumCasesRenamed ? renamedCases(old.type, new.type) : []
      let lost = ([detail] + cases.prefix(3)).joined(separator: "; ")
      found.append(
        change(
          kind, element, cases.count > 3 ? "\(lost); …" : lost, at: property.location))
      // The old column is removed, so a change of its optionality has no effect.
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
      // Nil values all get the same constant, as rows do in a new attribute.
      if kind == .attributeMadeRequiredDefaulted, new.defaultValue?.isVolatile ?? false {
        found.append(change(.sharedDefault, element, detail, at: property.location))
      }
    }
    return found
  }

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
    case (.unknown, .unknown) where areAlikeDictionaries(old.type, new.type):
      return .encodedTypeChanged
    case (.unknown, _), (_, .unknown): return .typeChanged
    case (.plain(let before), .plain(let after)) where before == after:
      return NumberType.holds(new.type, all: old.type) ? .typeRespelled : .numberRangeChanged
    case (.plain(let before), .plain(let after)) where before.isNumeric && after.isNumeric:
      return .numberTypeChanged
    case (.archive, .archive):
      guard old.transformer != nil else { return .arrayElementChanged }
      // A changed transformer is a separate change.
      return old.transformer == new.transformer ? .transformerChanged : .typeRespelled
    case _ where before.isBinary && after.isBinary: return .encodedTypeChanged
    case _ where before.hasLeaves && after.hasLeaves:
      let (was, now) = (oldStorage.storage(of: old.type), newStorage.storage(of: new.type))
      let isGrown = isGrown(old.type, was, new.type, now)
      guard was == now || isGrown else { return .valueTypeChanged }
      // The engine only sees raw values.
      guard misreadCases(old.type, new.type).isEmpty else { return .rawValueChanged }
      guard was == now else { return .structFieldAddedOptional }
      return renamedCases(old.type, new.type).isEmpty ? .typeRespelled : .enumCasesRenamed
    case _ where before.hasLeaves != after.hasLeaves: return .attributeBecameValueType
    default: return .typeChanged
    }
  }

  /// Whether a struct has all fields of another struct, and otherwise only optional fields. The engine matches fields
  /// by name, and does not know the structs' names.
  private func isGrown(
    _ old: TypeReference, _ was: StorageType, _ new: TypeReference, _ now: StorageType
  ) -> Bool {
    guard case .structure? = oldStorage.declaration(of: old)?.kind,
      case .structure(let fields)? = newStorage.declaration(of: new)?.kind,
      case .composite(let before) = was, case .composite(let after) = now
    else { return false }
    let added = Set(after).subtracting(before)
    return Set(before).isSubset(of: after)
      && fields.allSatisfy { field in
        field.type.isOptional || !added.contains { $0.hasPrefix("\(field.name): ") }
      }
  }

  /// Whether both types are dictionaries from strings to types that the app declares. Such dictionaries are stored as
  /// JSON objects, as far as is known (docs/facts/identity.md#type-dictionary).
  private func areAlikeDictionaries(_ old: TypeReference, _ new: TypeReference) -> Bool {
    guard case .dictionary(let key, let was) = old.unwrapped,
      case .dictionary(key, let now) = new.unwrapped
    else { return false }
    return key.description == "String" && oldStorage.declaration(of: was) != nil
      && newStorage.declaration(of: now) != nil
  }

  /// Tells, in words, which case reads each old value, if an enum shares no case name with the old one.
  private func renamedCases(_ old: TypeReference, _ new: TypeReference) -> [String] {
    guard case .enumeration(.some, let cases)? = oldStorage.declaration(of: old)?.kind,
      case .enumeration(.some, let others)? = newStorage.declaration(of: new)?.kind,
      others.hasNoName(of: cases)
    else { return [] }
    return cases.map { was in
      let reader = others.first { $0.storedText == was.storedText }
      return "\(was.storedText) meant \(was.name) and now means \(reader?.name ?? "no case")"
    }
  }

  /// Tells, in words, which cases' stored values another type can no longer read. The cases are those of an enum, or of
  /// the enums in a struct's fields.
  func misreadCases(_ old: TypeReference, _ new: TypeReference, depth: Int = 0) -> [String] {
    guard old.unwrapped != new.unwrapped, depth < StorageTypes.deepest else { return [] }
    switch (old.unwrapped, new.unwrapped) {
    case (.array(let one), .array(let other)), (.dictionary(_, let one), .dictionary(_, let other)):
      return misreadCases(one, other, depth: depth + 1)
    default: break
    }
    guard let was = oldStorage.declaration(of: old), let now = newStorage.declaration(of: new)
    else { return [] }
    switch (was.kind, now.kind) {
    case (.enumeration(.some, let cases), .enumeration(.some, let others)):
      return cases.misread(as: others).map { lost in
        let reader = others.first { $0.storedText == lost.storedText }
        return "\(lost.storedText) meant \(lost.name) and now means \(reader?.name ?? "no case")"
      }
    case (.structure(let fields), .structure(let others)):
      return fields.flatMap { field in
        others.first { $0.name == field.name }
          .map { misreadCases(field.type, $0.type, depth: depth + 1) } ?? []
      }
    default: return []
    }
  }
}

extension Dedupe {
  var words: String {
    switch self {
    case .latest(let name): "of equal rows, the one with the greatest '\(name)' stays"
    case .earliest(let name): "of equal rows, the one with the least '\(name)' stays"
    case .function(let name): "of equal rows, the function '\(name)' decides which are deleted"
    }
  }
}
