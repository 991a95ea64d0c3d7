package import SchemaModel

/// The records that Core Data's mirroring creates from a version's rows, with the purpose of each field
/// (docs/facts/cloudkit.md#records).
package struct CloudRecords: Equatable, Sendable {
  /// A record type that mirroring writes.
  package struct RecordType: Equatable, Sendable {
    package var name: String
    /// The models whose rows become such records, the root model first; empty for link records.
    package var models: [String]
    /// The fields sorted by name.
    package var fields: [Field]
  }

  package struct Field: Equatable, Sendable {
    package enum Role: Equatable, Sendable {
      /// Values of this property, or of equal properties of several models in one type.
      case values([ElementPath])
      /// The asset for values too large for the record.
      case asset([ElementPath], of: Content)
      /// Core Data's own data: the entity's name, the ends of a link.
      case bookkeeping
      /// What a record leaves behind when it is moved into a shared zone.
      case moveReceipt
    }

    package var name: String
    package var type: CloudSchema.FieldType
    package var role: Role
    /// What its values are in Swift; nil for Core Data's own fields.
    package var contents: Contents?

    var assetName: String { name + CloudRecords.assetSuffix }

    /// The name of an asset field's counterpart for values that fit into the record.
    var valueName: String { String(name.dropLast(CloudRecords.assetSuffix.count)) }

    package var properties: [ElementPath] {
      switch role {
      case .values(let properties), .asset(let properties, _): properties
      case .bookkeeping, .moveReceipt: []
      }
    }
  }

  /// The kind of content, if its size decides whether it is stored in the record.
  package enum Content: Comparable, Sendable {
    /// An enum, which is never too large.
    case enumeration
    /// A struct of numbers, dates and enums, which is rarely too large.
    case numbers
    case text
    case bytes
  }

  /// What the values of a field are.
  package struct Contents: Equatable, Sendable {
    package enum Form: Equatable, Sendable {
      case primitive(StorageType.Primitive)
      /// An enum, by the stored values of its cases; the raw type's name, if it has one.
      case cases(of: String?, Set<String>)
      /// The fields of a struct with their types.
      case fields(Set<String>)
      /// Anything else, described only by `text`.
      case other
    }

    /// A description for messages, including the parts of types: `Spot (x: Double, y: Double)`.
    package var text: String
    package var form: Form
    package var isOptional: Bool
  }

  /// The record types sorted by name, in the server's order.
  package var recordTypes: [RecordType]
  /// Properties that share a field's name but not its type, as (the field's first, the other).
  package var clashes: [(ElementPath, ElementPath)]
  /// The ends of many-to-many relationships, whose names are in link records.
  package var links: Set<ElementPath>

  package static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.recordTypes == rhs.recordTypes && lhs.links == rhs.links
      && lhs.clashes.elementsEqual(rhs.clashes, by: ==)
  }
}

extension CloudRecords {
  package static let assetSuffix = "_ckAsset"
  /// The only record type that links the rows of two models.
  package static let linkType = "CDMR"
  package static let shareType = "cloudkit.share"

  /// - Parameters:
  ///   - version: A resolved version that is not a bridge, whose contents are never sent.
  ///   - local: Models in another configuration, which does not sync.
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

  /// The range of versions that write a field.
  package struct Life: Equatable, Sendable {
    package var recordType: String
    package var field: Field
    package var first: Int
    package var last: Int
  }

  /// The fields of properties over a history, by record type and name, each with all its types.
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
      // Superclasses come first, since an inherited field is named after them.
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
        // An asset's name is reserved, which is reported elsewhere.
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
      // The rows of the other end are in another store.
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
  /// The content of an attribute's bytes, including the parts of types: `Spot (x: Double, y: Double)`.
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
  /// Its name with its stored parts in a fixed order; nil if they are not declared.
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
  /// The type of an attribute's field, and the content of values that may be too large for the record
  /// (docs/facts/cloudkit.md#attributes).
  package func cloudForm(
    of attribute: Attribute
  ) -> (CloudType, content: CloudRecords.Content?) {
    switch storage(of: attribute.type, transformable: attribute.transformer != nil) {
    case .primitive(let primitive): (primitive.row.cloudKit, primitive.content)
    case .rawEnum, .composite, .archived, .transformable: (.bytes, size(of: attribute))
    }
  }

  /// The content that limits the size of a value stored as bytes.
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

  /// An attribute's contents without names of types, which no record contains.
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
