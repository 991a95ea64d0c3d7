package import SchemaModel

/// The records that Core Data's mirroring creates from a version's rows, with the purpose of each field
/// (docs/facts/cloudkit.md#records).
package struct CloudRecords: Equatable, Sendable {
  package struct RecordType: Equatable, Sendable {
    package var name: String
    /// The models whose rows are stored in records of this type, the root model first. Empty for link records.
    package var models: [String]
    package var fields: [Field]
  }

  package struct Field: Equatable, Sendable {
    package enum Role: Equatable, Sendable {
      /// The values of a property, or of equal properties of several models that share the record type.
      case values([ElementPath])
      case asset([ElementPath], of: Content)
      /// Data of Core Data, such as the entity's name or the ends of a link.
      case bookkeeping
      /// The receipt of a record that is moved into a shared zone.
      case moveReceipt
    }

    package var name: String
    package var type: CloudSchema.FieldType
    package var role: Role
    /// The Swift values in the field; `nil` for Core Data's own fields.
    package var contents: Contents?

    var assetName: String { name + CloudRecords.assetSuffix }

    /// The name of the field for values that fit into the record, if this is an asset's field.
    var valueName: String { String(name.dropLast(CloudRecords.assetSuffix.count)) }

    package var properties: [ElementPath] {
      switch role {
      case .values(let properties), .asset(let properties, _): properties
      case .bookkeeping, .moveReceipt: []
      }
    }
  }

  /// Content whose size decides whether a value is stored in the record or as an asset.
  package enum Content: Comparable, Sendable {
    /// An enum, which is never too large for a record.
    case enumeration
    /// A struct of numbers, dates and enums, which is rarely too large for a record.
    case numbers
    case text
    case bytes
  }

  package struct Contents: Equatable, Sendable {
    package enum Form: Equatable, Sendable {
      case primitive(StorageType.Primitive)
      /// The stored values of an enum's cases, and the raw type's name if there is one.
      case cases(of: String?, Set<String>)
      case fields(Set<String>)
      case other
    }

    /// A description for messages, with the fields or cases of types: `Spot (x: Double, y: Double)`.
    package var text: String
    package var form: Form
    package var isOptional: Bool
  }

  /// The record types in the server's order, which is by name.
  package var recordTypes: [RecordType]
  /// Pairs of properties that share a field's name but not its type. The first property has the field.
  package var clashes: [(ElementPath, ElementPath)]
  package var links: Set<ElementPath>

  package static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.recordTypes == rhs.recordTypes && lhs.links == rhs.links
      && lhs.clashes.elementsEqual(rhs.clashes, by: ==)
  }
}

extension CloudRecords {
  package static let assetSuffix = "_ckAsset"
  /// The record type for links of all many-to-many relationships.
  package static let linkType = "CDMR"
  package static let shareType = "cloudkit.share"

  /// - Parameters:
  ///   - version: A resolved version. It must not be a bridge, because bridges are never sent to CloudKit.
  ///   - local: The models of another configuration, which does not sync.
  package init(_ version: SchemaVersion, local: Set<String> = []) {
    var builder = Builder(version, local: local)
    builder.build()
    recordTypes = builder.recordTypes
    clashes = builder.clashes
    links = builder.links
  }

  package func fields(
    sharedWith older: CloudRecords
  ) -> [(type: String, old: Field, new: Field)] {
    let known = Dictionary(older.recordTypes, keyedBy: \.name)
    return recordTypes.flatMap { type -> [(type: String, old: Field, new: Field)] in
      guard let was = known[type.name] else { return [] }
      let fields = Dictionary(was.fields, keyedBy: \.name)
      return type.fields.compactMap { new in
        fields[new.name].map { (type.name, $0, new) }
      }
    }
  }

  /// The range of versions that write a field, as indices.
  package struct Life: Equatable, Sendable {
    package var recordType: String
    package var field: Field
    package var first: Int
    package var last: Int
  }

  /// The fields for values of properties in all versions. A field with several types has several entries.
  package static func lives(_ history: [CloudRecords]) -> [Life] {
    var found: [String: Life] = [:]
    for (index, records) in history.enumerated() {
      for type in records.recordTypes {
        for field in type.fields {
          guard case .values = field.role else { continue }
          let key = "\(type.name).\(field.name) \(field.type)"
          found[key, default: Life(recordType: type.name, field: field, first: index, last: index)]
            .last = index
        }
      }
    }
    return found.sorted { CloudName.precedes($0.key, $1.key) }.map(\.value)
  }

  package static func cloudName(_ name: String) -> String { "CD_" + name }

  private struct Builder {
    let version: SchemaVersion
    let models: [Model]
    let byName: [String: Model]
    let types: StorageTypes
    var fields: [String: [String: Field]] = [:]
    var members: [String: [String]] = [:]
    var clashes: [(ElementPath, ElementPath)] = []
    var links: Set<ElementPath> = []

    init(_ version: SchemaVersion, local: Set<String>) {
      self.version = version
      models = version.models.filter { !local.contains($0.name) }
      byName = Dictionary(models, keyedBy: \.name)
      types = StorageTypes(version: version)
    }

    var recordTypes: [RecordType] {
      fields.sorted { CloudName.precedes($0.key, $1.key) }.map { name, fields in
        RecordType(
          name: name, models: members[name] ?? [],
          fields: fields.values.sorted { CloudName.precedes($0.name, $1.name) })
      }
    }

    mutating func build() {
      // Superclasses come first, because the first property with a field's name gets the field.
      let depths = models.map { (model: $0, ancestors: $0.ancestors { byName[$0] }) }
      for (model, ancestors) in depths.sorted(by: {
        ($0.ancestors.count, $0.model.name) < ($1.ancestors.count, $1.model.name)
      }) {
        let type = CloudRecords.cloudName(ancestors.last?.name ?? model.name)
        members[type, default: []].append(model.name)
        add(Field(name: "CD_entityName", type: .string, role: .bookkeeping), to: type)
        add(Field(name: "CD_moveReceipt", type: .bytes, role: .moveReceipt), to: type)
        add(Field(name: "CD_moveReceipt_ckAsset", type: .asset, role: .moveReceipt), to: type)
        for property in model.properties { add(property, of: model, to: type) }
      }
    }

    private mutating func add(_ field: Field, to type: String) {
      guard let other = fields[type]?[field.name] else {
        fields[type, default: [:]][field.name] = field
        return
      }
      guard let first = other.properties.first, let second = field.properties.first else { return }
      guard other.type == field.type else {
        // A clash with an asset's field is reported elsewhere, because the names of assets' fields are reserved.
        if case (.values, .values) = (other.role, field.role) { clashes.append((first, second)) }
        return
      }
      switch other.role {
      case .values(let all):
        fields[type]?[field.name]?.role = .values(all + field.properties)
      case .asset(let all, let content):
        fields[type]?[field.name]?.role = .asset(all + field.properties, of: content)
      case .bookkeeping, .moveReceipt: break
      }
    }

    private mutating func add(_ property: Property, of model: Model, to type: String) {
      guard property.isStored else { return }
      let path = ElementPath(model.name, property.name)
      let name = CloudRecords.cloudName(property.name)
      switch property.kind {
      case .relationship(let relationship):
        add(relationship, named: name, path, of: model, to: type)
      case .attribute(let attribute):
        guard !attribute.options.contains(.ephemeral) else { return }
        let (primitive, content) = types.cloudForm(of: attribute)
        let isEncrypted = attribute.options.contains(.allowsCloudEncryption)
        add(
          Field(
            name: name, type: .single(primitive, isEncrypted: isEncrypted), role: .values([path]),
            contents: version.contents(of: attribute, types)), to: type)
        guard let content else { return }
        add(
          Field(
            name: name + CloudRecords.assetSuffix, type: .asset, role: .asset([path], of: content)),
          to: type)
      }
    }

    private mutating func add(
      _ relationship: Relationship, named name: String, _ path: ElementPath, of model: Model,
      to type: String
    ) {
      guard let destination = byName[relationship.destination.value] else { return }
      guard relationship.cardinality.isMany else {
        return add(Field(name: name, type: .string, role: .values([path])), to: type)
      }
      let all = destination.effectiveProperties(among: byName)
      guard let inverse = all.first(where: { $0.name == relationship.inverse?.value }),
        inverse.relationship?.cardinality.isMany == true
      else { return }
      links.insert(path)
      for field in ["CD_entityNames", "CD_recordNames", "CD_relationships"] {
        add(
          Field(name: field, type: .string, role: .bookkeeping), to: CloudRecords.linkType)
      }
    }
  }
}

extension CloudSchema.FieldType {
  package static let string = Self.single(.string, isEncrypted: false)
  package static let bytes = Self.single(.bytes, isEncrypted: false)
  package static let asset = Self.single(.asset, isEncrypted: false)
}

extension SchemaVersion {
  fileprivate func contents(
    of attribute: Attribute, _ storage: StorageTypes
  ) -> CloudRecords.Contents {
    CloudRecords.Contents(
      text: text(of: attribute), form: storage.contentsForm(of: attribute),
      isOptional: attribute.type.isOptional)
  }

  private func text(of attribute: Attribute) -> String {
    if let transformer = attribute.transformer { return "what \(transformer) makes" }
    let type = (attribute.encodes ?? attribute.type).unwrapped
    let declared = Dictionary(types, keyedBy: \.name)
    let parts = type.names.flatMap(declared.reached).compactMap { declared[$0]?.cloudParts }
    let shown = parts.isEmpty ? "\(type)" : parts.joined(separator: ", ")
    let around = parts.isEmpty || type == .named(type.description) ? "" : "\(type) of "
    return (attribute.encodes == nil ? "" : "JSON of ") + around + shown
  }
}

extension ValueTypeDeclaration {
  fileprivate var cloudParts: String? {
    let parts: [String]
    switch kind {
    case .enumeration(nil, let cases): parts = cases.map(\.name)
    case .enumeration(_?, let cases): parts = cases.map(\.storedText)
    case .structure(let fields): parts = fields.map { "\($0.name): \($0.type)" }
    case .opaque: return nil
    }
    return "\(name) (\(parts.sorted().joined(separator: ", ")))"
  }
}

extension StorageTypes {
  /// The type of an attribute's field, and the kind of content if values may be too large for the record
  /// (docs/facts/cloudkit.md#attributes).
  package func cloudForm(
    of attribute: Attribute
  ) -> (CloudType, content: CloudRecords.Content?) {
    switch storage(of: attribute.type, transformable: attribute.transformer != nil) {
    case .primitive(let primitive): (primitive.row.cloudKit, primitive.content)
    case .rawEnum, .composite, .archived, .transformable: (.bytes, size(of: attribute))
    }
  }

  private func size(of attribute: Attribute) -> CloudRecords.Content {
    attribute.transformer == nil && attribute.encodes == nil
      ? size(of: attribute.type, depth: 0) : .bytes
  }

  private func size(of type: TypeReference, depth: Int) -> CloudRecords.Content {
    if case .primitive(let primitive) = storage(of: type) {
      return primitive.content ?? .numbers
    }
    guard depth < 16, let declaration = declaration(of: type) else { return .bytes }
    switch declaration.kind {
    case .enumeration: return .enumeration
    case .structure(let fields):
      return fields.map { size(of: $0.type, depth: depth + 1) }.reduce(.numbers) { max($0, $1) }
    case .opaque: return .bytes
    }
  }

  /// An attribute's contents without names of types, because records do not contain those names.
  fileprivate func contentsForm(of attribute: Attribute) -> CloudRecords.Contents.Form {
    guard attribute.transformer == nil, attribute.encodes == nil else { return .other }
    if case .primitive(let primitive) = storage(of: attribute.type) { return .primitive(primitive) }
    switch declaration(of: attribute.type)?.kind {
    case .enumeration(let raw, let cases):
      return .cases(
        of: raw?.description, Set(cases.map { raw == nil ? $0.name : $0.storedText }))
    case .structure(let fields): return .fields(Set(fields.map { "\($0.name): \($0.type)" }))
    case .opaque, nil: return .other
    }
  }
}

extension StorageType.Primitive {
  fileprivate var content: CloudRecords.Content? {
    row.isLong ? row.cloudKit == .bytes ? .bytes : .text : nil
  }
}
