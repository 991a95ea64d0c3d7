package import SchemaModel

extension CloudSchema {
  /// Adds everything that versions write, as the server would.
  ///
  /// - Parameter records: The records of each version. A field that exists with another type stays unchanged.
  package func merging(_ records: [CloudRecords], _ profile: Configuration.CloudProfile)
    -> CloudSchema
  {
    var places = Dictionary(
      recordTypes.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { $1 })
    var merged = self
    for type in records.flatMap(\.recordTypes) {
      let place: Int
      if let known = places[type.name] {
        place = known
      } else {
        place = merged.recordTypes.count
        places[type.name] = place
        merged.recordTypes.append(RecordType(madeByMirroring: type.name))
      }
      let names = Set(merged.recordTypes[place].fields.map(\.name))
      merged.recordTypes[place].fields += type.fields.compactMap { field in
        let isWanted = field.role != .moveReceipt || profile == .initialized
        return isWanted && !names.contains(field.name) ? Field(field) : nil
      }
    }
    return merged
  }

  package static let empty = CloudSchema(recordTypes: [
    RecordType(
      "Users", systemFields + [Field("roles", .list(.int64, isEncrypted: false))],
      grants: [Grant([.write], to: "_creator"), Grant([.read], to: "_world")])
  ])

  fileprivate static let systemFields = [
    Field("___createTime", .single(.timestamp, isEncrypted: false)),
    Field("___createdBy", .single(.reference, isEncrypted: false)),
    Field("___etag", .string),
    Field("___modTime", .single(.timestamp, isEncrypted: false)),
    Field("___modifiedBy", .single(.reference, isEncrypted: false)),
    Field("___recordID", .single(.reference, isEncrypted: false)),
  ]
}

extension CloudSchema.RecordType {
  /// A record type as the server creates it for its first record, without the record's fields.
  fileprivate init(madeByMirroring name: String) {
    self.init(
      name, CloudSchema.systemFields,
      grants: [
        CloudSchema.Grant([.write], to: "_creator"), CloudSchema.Grant([.create], to: "_icloud"),
        CloudSchema.Grant([.read], to: "_world"),
      ])
  }
}

extension CloudSchema.Field {
  /// A field as the server creates it for its first value, with automatic indexes
  /// (docs/facts/cloudkit.md#indexes-by-themselves).
  fileprivate init(_ field: CloudRecords.Field) {
    var indexes: Set<CloudSchema.Index> = []
    if case .single(let primitive, isEncrypted: false) = field.type {
      switch primitive {
      case .string: indexes = [.queryable, .searchable, .sortable]
      case .int64, .double, .timestamp, .bytes: indexes = [.queryable, .sortable]
      case .asset, .reference, .location: indexes = []
      }
    }
    self.init(field.name, field.type, indexes)
  }
}
