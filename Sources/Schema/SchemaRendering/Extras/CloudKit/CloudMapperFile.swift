internal import SchemaEvolution
internal import SchemaModel

/// What CloudMapper.mustache reads: an entity and its CloudKit record.
struct CloudMapperFile: EmittedFile {
  static let template = "CloudMapper"
  var path: String { "\(name).swift" }

  var mark: String
  var importLines: [String]
  var access: String
  var name: String
  var entity: String
  var recordType: String
  var version: Int
  var versionKey: String
  var keys: [String]
  /// Whether the entity's `id` can be used as its record's name.
  var isIdentifiable: Bool
  var recordName: String
  var mayBeUnnameable: Bool
  var writes: [String]
  var fromHead: [String]
  var forms: [CloudFormView]

  static let sections: [String: any TemplateView.Type] = ["forms": CloudFormView.self]

  static let members: [String: @Sendable (Self) -> Any?] = [
    "mark": { $0.mark }, "importStatements": { SwiftText.block($0.importLines, indent: 2) },
    "access": { $0.access },
    "name": { $0.name }, "entity": { $0.entity }, "recordType": { $0.recordType },
    "version": { $0.version }, "versionKey": { $0.versionKey }, "keys": { $0.keys },
    "isIdentifiable": { $0.isIdentifiable }, "recordName": { $0.recordName },
    "mayBeUnnameable": { $0.mayBeUnnameable },
    "throwing": { $0.mayBeUnnameable ? "throws " : "" },
    "trying": { $0.mayBeUnnameable ? "try self." : "self." },
    "writes": { SwiftText.block($0.writes, indent: 6) }, "fromHead": { $0.fromHead },
    "forms": { $0.forms },
  ]
}

/// The struct for one form of records.
struct CloudFormView: TemplateView {
  var recordType: String
  var version: Int
  var type: String
  var documentation: String
  var members: [String]
  var reads: [String]
  var call: [String]
  var toHead: [String]
  var toEntity: [String]

  static let members: [String: @Sendable (Self) -> Any?] = [
    "recordType": { $0.recordType }, "version": { $0.version }, "type": { $0.type },
    "documentation": { $0.documentation },
    "members": { SwiftText.block($0.members, indent: 6) },
    "reads": { SwiftText.block($0.reads, indent: 8) }, "call": { $0.call },
    "toHead": { $0.toHead }, "toEntity": { SwiftText.block($0.toEntity, indent: 8) },
  ]
}

extension CloudMapperFile {
  static func makers(_ input: RenderingInput) -> [Maker] {
    (input.records?.records ?? []).map { record in { Self(record, input.whole) } }
  }

  static func declarations(_ input: RenderingInput) -> [Declaration] {
    guard let records = input.records?.records else { return [] }
    let mappers = input.evolution.entities.map { name(of: $0.name) }
    // These names are declared in each mapper, where they would hide outer declarations with the same name.
    let inner = Set(records.flatMap { innerNames($0) }).sorted()
    return (mappers + inner).map { .own($0, input) }
  }

  private init(_ record: CloudRecord, _ evolution: Evolution) {
    let configuration = evolution.configuration
    let current = record.current
    mark = FileMark.everyManifest
    var shown = Imports.Shown()
    shown.add(.named(record.entity.name))
    importLines = Imports(evolution).lines(
      ["CloudKit", "Foundation"], showing: ["CloudKit"], shown)
    access = configuration.access.prefix
    name = Self.name(of: record.entity.name)
    entity = record.entity.name
    recordType = current.recordType
    version = current.version
    versionKey = CloudField.versionKey
    keys = Self.keys(record)
    let id = record.entity.fields.first { $0.name == "id" }
    let naming = id.flatMap { Self.naming(by: $0.type, current.recordType) }
    recordName = naming?.expression ?? ""
    mayBeUnnameable = naming?.mayFail ?? false
    isIdentifiable = naming != nil
    writes = current.fields.flatMap { field in
      record.entity.fields.first { $0.property == field.property.name }
        .map { Self.write(field, $0) } ?? []
    }
    let parameters =
      ["_ record: CKRecord"]
      + record.nested.map { "\(SwiftIdentifier.quoted($0.name)): \($0.type)" } + [
        "or form: Int? = nil"
      ]
    fromHead = SwiftText.list(
      "\(access)static func fromCKRecord", parameters, " throws -> \(entity) {", indent: 4)
    forms = record.forms.map { CloudFormView($0, record, evolution) }
  }

  private static func name(of entity: String) -> String { entity + "CloudMapper" }

  private static func innerNames(_ record: CloudRecord) -> [String] {
    ["FieldKey"] + record.forms.map { CloudFormView.type(of: $0, record) }
  }

  private static func keys(_ record: CloudRecord) -> [String] {
    var seen: Set<String> = []
    return record.forms.enumerated().flatMap { index, form -> [String] in
      let new = form.fields.filter { !$0.isAbsent && seen.insert($0.key).inserted }
      let comment = index == 0 || new.isEmpty ? [] : ["// Of form \(form.version) and before."]
      return comment + new.map { "case \(SwiftIdentifier.quoted($0.key))" }
    }
  }

  /// The expression that names a record by an identifier; nil if the type cannot name one.
  private static func naming(
    by type: TypeReference, _ recordType: String
  ) -> (expression: String, mayFail: Bool)? {
    guard case .named(let name, []) = type else { return nil }
    return switch StorageType.Primitive.bySwiftName[name] {
    case .uuid: ("\"\(recordType)-\\(entity.id.uuidString)\"", false)
    case .int16, .int32, .int64: ("\"\(recordType)-\\(entity.id)\"", false)
    case .string: ("try CloudRecordName.make(recordType, entity.id)", true)
    default: nil
    }
  }

  private static func write(_ field: CloudField, _ source: EntityField) -> [String] {
    let value = ConversionText().text(field.writing(source))
    let key = "for: .\(SwiftIdentifier.quoted(field.key))"
    let encrypted = field.isEncrypted ? ["encrypted: true"] : []
    let head: String
    let mayFail = field.property.attribute?.encodes != nil
    let argument = mayFail ? "try \(value)" : value
    switch field.form {
    case .value, .identifier: head = "fields.set"
    case .rawValue: head = "fields.setRawValue"
    case .encoded, .identifiers: head = "try fields.encode"
    case .asset:
      return SwiftText.guarded(
        SwiftText.list("try fields.setAsset", [value, key], indent: 6), indent: 6)
    case .absent: return []
    }
    return SwiftText.guarded(
      SwiftText.list(head, [argument, key] + encrypted, indent: 6), indent: 6)
  }
}

extension CloudFormView {
  init(
    _ form: CloudRecordForm, _ record: CloudRecord, _ evolution: Evolution
  ) {
    let nested = record.nested
    recordType = form.recordType
    version = form.version
    type = Self.type(of: form, record)
    let writer = evolution.history[form.index].number.name
    documentation =
      form == record.current
      ? "A record as this app writes it."
      : "A record of form \(form.version), as \(writer) wrote it."
    let parameters = nested.map { "\(SwiftIdentifier.quoted($0.name)): \($0.type)" }
    call = SwiftText.list(
      "return try \(type)(fields).toEntity",
      nested.map { "\($0.name): \(SwiftIdentifier.quoted($0.name))" }, indent: 8)
    toHead = SwiftText.list(
      "func toEntity", parameters, " -> \(record.entity.name) {", indent: 6)
    let given = Set(nested.map(\.name))
    let schema = evolution.configuration.names.schema(evolution.history[form.index].number)
    let converter = evolution.versions[form.index].converters[form.model]
    let text = ConversionText(schema: schema)
    let values = (converter?.toEntity ?? []).map { value in
      given.contains(value.label)
        ? ConverterArgument(label: value.label, text: SwiftIdentifier.quoted(value.label))
        : text.argument(Self.unsorted(value))
    }
    toEntity = ConverterView.call(record.entity.name, values, indent: 8)
    // A missing field that no entity uses must not make the record unreadable.
    let used = Set(
      (converter?.toEntity ?? []).filter { !given.contains($0.label) }
        .flatMap(\.value.properties))
    let fields = form.fields.filter { used.contains($0.property.name) }
    members = fields.map { Self.member($0) }
    reads = fields.flatMap { Self.read($0) }
  }

  /// Removes the sorting of a value, since the identifiers in a record are already sorted.
  private static func unsorted(_ value: ConvertedValue) -> ConvertedValue {
    guard case .links(var link) = value.value else { return value }
    link.sortKeys = []
    var value = value
    value.value = .links(link)
    return value
  }

  /// `Form2`, or `WriterForm2` if the entity was called `Writer` when that form was written.
  static func type(of form: CloudRecordForm, _ record: CloudRecord) -> String {
    let isOther = form.recordType != record.current.recordType
    return (isOther ? form.recordType : "") + "Form\(form.version)"
  }

  /// The type of the member that replaces a property. A converter's expressions read the member like the model's
  /// property.
  private static func type(of field: CloudField) -> String {
    guard let relationship = field.property.relationship else {
      return (field.property.attribute?.storedType ?? field.property.type).description
    }
    let link = "CloudLink<\(field.type)>"
    return switch relationship.cardinality {
    case .one: link
    case .optionalOne: "\(link)?"
    case .many: "[\(link)]"
    case .optionalMany: "[\(link)]?"
    }
  }

  private static func member(_ field: CloudField) -> String {
    let head = "let \(SwiftIdentifier.quoted(field.property.name)): \(type(of: field))"
    guard case .absent(let value) = field.form else { return head }
    return "\(head) = \(value)"
  }

  private static func read(_ field: CloudField) -> [String] {
    let isOptional =
      field.property.attribute?.type.isOptional
      ?? (field.property.relationship?.cardinality == .optionalOne)
    var arguments = [".\(SwiftIdentifier.quoted(field.key))"]
    var name: String
    switch field.form {
    case .value:
      name = "value"
      if let encoded = field.property.attribute?.encodes?.unwrapped {
        name = "json"
        arguments.append("of: \(encoded).self")
      }
    case .rawValue: name = "rawValue"
    case .encoded: name = "decoded"
    case .asset: name = "asset"
    case .identifier: name = "link"
    case .identifiers: name = "links"
    case .absent: return []
    }
    if isOptional { name += "IfPresent" }
    if field.isEncrypted { arguments.append("encrypted: true") }
    let target = "self.\(SwiftIdentifier.quoted(field.property.name))"
    return SwiftText.guarded(
      SwiftText.list("\(target) = try fields.\(name)", arguments, indent: 8), indent: 8)
  }
}
