package import SchemaEvolution
package import SchemaModel

/// How an entity is stored as a CloudKit record: today's form, and every older one that can still be read.
package struct CloudRecord: Sendable, Equatable {
  package var entity: Entity
  /// The entity's fields that hold other entities, which have separate records.
  package var nested: [EntityField]
  /// Today's form, followed by older ones, newest first.
  package var forms: [CloudRecordForm]
  package var current: CloudRecordForm { forms[0] }
}

/// The fields of a record type while one version of the record's schema was current.
package struct CloudRecordForm: Sendable, Equatable {
  /// The entity's name at the time.
  package var recordType: String
  /// The form's version, counted from 1. The number rises when the fields or their contents change.
  package var version: Int
  /// The index in the history of the newest schema version that wrote the form.
  package var index: Int
  package var model: String
  package var fields: [CloudField]
}

/// One field of a record, and the property that it stores.
package struct CloudField: Sendable, Equatable {
  /// How a Swift value is converted to one that a record accepts.
  package enum Form: Sendable, Equatable {
    case value
    case rawValue
    /// JSON, for structs, lists and enums without raw values.
    case encoded
    /// A separate file, for data that models store outside the row.
    case asset
    /// The `id` of the model at the other end of a relationship.
    case identifier
    case identifiers
    /// The record lacks the model's property. The associated value replaces it, as Swift source.
    case absent(String)
  }

  package var property: Property
  package var key: String
  /// The type of the value, or of one identifier.
  package var type: TypeReference
  package var form: Form
  /// Whether the value is stored in `encryptedValues`.
  package var isEncrypted: Bool

  /// The value written for an entity's field: the value itself, or its JSON if the model stores JSON.
  func writing(_ field: EntityField) -> DerivedValue {
    let value = DerivedValue.field(field.name)
    return property.attribute.map { .storing(value, as: $0, canThrow: true) } ?? value
  }

  package var isAbsent: Bool {
    if case .absent = form { return true }
    return false
  }
}

extension Rule {
  package static let cloudField = Rule(
    "cloud-field", "A property cannot be kept in a CloudKit record",
    basis: .guide(.schemaMigration, "phase 6: a cloud mapper for each entity"))
}

/// Builds the records of a history's entities.
///
/// The version of a form depends only on the manifest that introduced the form and on earlier ones, since records in
/// the cloud keep the form's version permanently.
package struct CloudRecords: Sendable {
  package private(set) var records: [CloudRecord] = []
  package private(set) var diagnostics: [Diagnostic] = []

  private let evolution: Evolution
  private let models: [[String: Model]]
  private var histories: [String: RecordHistory] = [:]

  package init(_ evolution: Evolution) {
    self.evolution = evolution
    models = evolution.history.map { version in
      Dictionary(version.models, keyedBy: \.name)
    }
    for index in evolution.history.indices { follow(index) }
    for entity in evolution.entities { add(entity) }
  }

  // MARK: Versions

  private mutating func follow(_ index: Int) {
    let version = evolution.history[index]
    let types = StorageTypes(version: version)
    var seen: Set<String> = []
    for model in version.models.sorted(by: { $0.name < $1.name }) {
      guard let recordType = model.entity, seen.insert(recordType).inserted else { continue }
      let fields = fields(of: model, at: index, types)
      let shape = fields.compactMap { $0.shape(in: version) }
      histories[recordType, default: RecordHistory()].add(
        fields, shape: shape, of: model, at: index)
    }
  }

  private func fields(
    of model: Model, at index: Int, _ types: StorageTypes
  ) -> [CloudField] {
    let declared = declarations(of: model, at: index)
    return model.effectiveProperties(among: models[index]).compactMap { property in
      guard !property.isTransient else { return nil }
      switch property.kind {
      case .attribute(var attribute):
        var property = property
        let declared = declared[property.name]
        if let declared {
          attribute.former = declared.former
          attribute.defaultValue = declared.defaultValue
          property.kind = .attribute(attribute)
        }
        var field = field(property, attribute, types)
        // An older version's class may declare a copy of the type. Generated code reads the copy, and the record's
        // version depends on the type itself.
        if let declared, declared.type != attribute.type {
          attribute.former = declared.type.unwrapped.description
          field?.property.kind = .attribute(attribute)
        }
        return field
      case .relationship(let relationship):
        return field(property, relationship, models[index])
      }
    }
  }

  /// The model's attributes as its class declares them; empty if no enum or struct has changed in the whole history.
  private func declarations(of model: Model, at index: Int) -> [String: Attribute] {
    guard !evolution.formers.isEmpty || !evolution.layouts.isEmpty else { return [:] }
    let models = Dictionary(evolution.versions[index].stored.schema.models, keyedBy: \.name)
    let properties = models[model.name]?.effectiveProperties(among: models) ?? []
    return Dictionary(
      properties.compactMap { property in property.attribute.map { (property.name, $0) } },
      uniquingKeysWith: { first, _ in first })
  }

  private func field(
    _ property: Property, _ attribute: Attribute, _ types: StorageTypes
  ) -> CloudField? {
    var field = CloudField(
      property: property, key: property.name, type: attribute.type, form: .value,
      isEncrypted: attribute.options.contains(.allowsCloudEncryption))
    if property.mapping.form == .omit {
      guard
        let value = attribute.storedDefault ?? (attribute.type.isOptional ? "nil" : nil)
      else { return nil }
      field.form = .absent(value)
      return field
    }
    switch types.storage(of: attribute.type, transformable: attribute.transformer != nil) {
    case .primitive(.data) where attribute.options.contains(.externalStorage):
      field.form = .asset
      // Assets are encrypted in any case, and `encryptedValues` does not accept them.
      field.isEncrypted = false
    case .primitive: field.form = .value
    case .rawEnum: field.form = .rawValue
    case .composite, .archived, .transformable: field.form = .encoded
    }
    return field
  }

  private func field(
    _ property: Property, _ relationship: Relationship, _ models: [String: Model]
  ) -> CloudField? {
    // Without the identifier of the other end's rows, the link cannot be stored.
    guard let id = models[relationship.destination.value]?.property(named: "id")?.type.unwrapped,
      case .named(let name, []) = id, StorageType.Primitive.bySwiftName[name] != nil
    else { return nil }
    let isMany = relationship.cardinality.isMany
    var field = CloudField(
      property: property, key: property.name, type: id, form: isMany ? .identifiers : .identifier,
      isEncrypted: false)
    guard property.mapping.form != .identifiers else { return field }
    // Entities within entities are separate records.
    guard relationship.cardinality != .one else { return nil }
    field.form = .absent(isMany ? "[]" : "nil")
    return field
  }

  // MARK: Records

  private mutating func add(_ entity: Entity) {
    let last = evolution.history.count - 1
    guard let model = models[last][entity.model] else { return }
    for property in model.effectiveProperties(among: models[last])
    where property.attribute?.transformer != nil && property.mapping.form != .omit {
      diagnostics.append(
        Diagnostic(
          .cloudField,
          "'\(model.name).\(property.name)' is stored by a value transformer, so no record can hold it",
          element: ElementPath(model.name, property.name), at: property.location,
          help: [
            "leave it out of the entity: inEntity: omit",
            "or remove 'cloudMappers' from 'extras' in schemagen.yaml",
          ]))
    }
    let links = Set(
      model.effectiveProperties(among: models[last])
        .filter { $0.relationship != nil && $0.mapping.form == .value }.map(\.name))
    let nested = entity.fields.filter { links.contains($0.property) }
    let given = Set(nested.map(\.name))
    var forms: [CloudRecordForm] = []
    for (recordType, history) in histories.sorted(by: { $0.key < $1.key }) {
      for form in history.forms {
        guard let converter = evolution.versions[form.index].converters[form.model],
          converter.entity == entity.name, hasAll(form, for: converter, given: given)
        else { continue }
        var form = form
        form.recordType = recordType
        forms.append(form)
      }
    }
    forms.sort { ($0.index, $0.recordType) > ($1.index, $1.recordType) }
    guard forms.first?.index == last else { return }
    records.append(CloudRecord(entity: entity, nested: nested, forms: forms))
  }

  /// Whether a form has everything that its converter reads, or the caller passes what is missing.
  ///
  /// - Parameter given: The entity's fields that the caller passes.
  private func hasAll(
    _ form: CloudRecordForm, for converter: Converter, given: Set<String>
  ) -> Bool {
    guard let model = models[form.index][form.model],
      !converter.toEntity.contains(where: { $0.value.isMadeOfLinks && !given.contains($0.label) })
    else { return false }
    let held = Set(form.fields.map(\.property.name))
    let missing = Set(
      model.effectiveProperties(among: models[form.index]).filter { !$0.isTransient }.map(\.name)
    ).subtracting(held)
    guard !missing.isEmpty else { return true }
    return converter.toEntity.allSatisfy { value in
      given.contains(value.label) || value.value.properties.isDisjoint(with: missing)
    }
  }
}

/// The forms of one record type, oldest first.
private struct RecordHistory: Sendable {
  private(set) var forms: [CloudRecordForm] = []
  private var shape: [String] = []
  /// Keys that were ever assigned, by name and then by the kind of value.
  private var keys: [String: [String: String]] = [:]
  private var taken: Set<String> = []

  mutating func add(_ fields: [CloudField], shape: [String], of model: Model, at index: Int) {
    if let last = forms.last, last.index == index - 1, shape == self.shape,
      !Self.hasNewMeaning(model, fields, since: last.model)
    {
      forms[forms.count - 1].index = index
      forms[forms.count - 1].model = model.name
      return
    }
    self.shape = shape
    let version = (forms.last?.version ?? 0) + 1
    let keyed = fields.map { field in
      guard !field.isAbsent else { return field }
      var field = field
      field.key = key(for: field, version)
      return field
    }
    forms.append(
      CloudRecordForm(
        recordType: "", version: version, index: index, model: model.name, fields: keyed))
  }

  /// Whether values of the same fields have another meaning than in the previous version.
  private static func hasNewMeaning(
    _ model: Model, _ fields: [CloudField], since name: String
  ) -> Bool {
    model.name != name || !model.sources.isEmpty
      || fields.contains { !$0.isAbsent && $0.property.migration.convert != nil }
  }

  /// The field's key. In production a field's type is permanent, so another type needs another field.
  private mutating func key(for field: CloudField, _ version: Int) -> String {
    let kind = field.recordKind
    if let known = keys[field.property.name]?[kind] { return known }
    var name = CloudField.permitted(field.property.name)
    if taken.contains(name) { name += "V\(version)" }
    while taken.contains(name) { name += "Field" }
    taken.insert(name)
    keys[field.property.name, default: [:]][kind] = name
    return name
  }
}

extension CloudField {
  /// The key of the field with the form's version. No other field may ever have this key, since records keep their
  /// fields permanently.
  package static let versionKey = "schemaVersion"

  private static let reserved: Set<String> = [
    versionKey,
    "createdBy", "creationDate", "creatorUserRecordID", "creatorUserRecordName", "etag",
    "lastModifiedUserRecordID", "modificationDate", "modifiedBy", "modifiedByDevice",
    "modifiedUserRecordName", "parent", "recordChangeTag", "recordID", "recordName", "recordType",
    "share", "zoneID",
  ]

  /// A property's name as a field name: CloudKit requires a letter first, and reserves some names.
  static func permitted(_ name: String) -> String {
    let bare = String(name.drop { $0 == "_" })
    guard let first = bare.first, first.isLetter else { return "field" + bare }
    return reserved.contains(bare) ? bare + "Field" : bare
  }

  var recordKind: String {
    let kind =
      switch form {
      case .value, .rawValue, .identifier: "value of \(type.unwrapped)"
      case .encoded, .identifiers: "data"
      case .asset: "asset"
      case .absent: "none"
      }
    return isEncrypted ? kind + ", encrypted" : kind
  }

  /// Everything that a reader must know about the field; nil if the record lacks the field.
  func shape(in version: SchemaVersion) -> String? {
    if isAbsent { return nil }
    let type = property.attribute?.encodes ?? type
    return "\(property.name): \(property.type) \(recordKind) \(version.definition(of: type))"
  }
}

extension SchemaVersion {
  fileprivate func definition(of type: TypeReference) -> String {
    var seen: Set<String> = []
    var queue = type.names
    var parts = [type.description]
    while let name = queue.popLast() {
      guard seen.insert(name).inserted, let declaration = self.type(named: name) else { continue }
      switch declaration.kind {
      case .enumeration(let raw, let cases):
        let list = cases.map { "\($0.name)=\($0.storedText)" }.joined(separator: ",")
        parts.append("\(name): \(raw?.description ?? "none") \(list)")
      case .structure(let fields):
        parts.append(
          "\(name): " + fields.map { "\($0.name):\($0.type)" }.joined(separator: ","))
        queue += fields.flatMap(\.type.names)
      case .opaque: parts.append(name)
      }
    }
    return parts.joined(separator: " ")
  }
}
