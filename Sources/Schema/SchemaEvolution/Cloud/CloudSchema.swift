package import SchemaModel

/// The schema of a CloudKit container in one environment, in the language of `cktool export-schema`
/// (docs/facts/cloudkit.md#language).
package struct CloudSchema: Equatable, Sendable {
  /// The container's roles without the predefined ones, in the file's order.
  package var roles: [String]
  /// The record types in the file's order. No name is used twice.
  package var recordTypes: [RecordType]

  package init(roles: [String] = [], recordTypes: [RecordType] = []) {
    self.roles = roles
    self.recordTypes = recordTypes
  }

  package func recordType(named name: String) -> RecordType? {
    recordTypes.first { $0.name == name }
  }
}

extension CloudSchema {
  /// A record type with its fields, and with permissions for its records in the public database.
  package struct RecordType: Equatable, Sendable {
    package var name: String
    /// The fields in the file's order. No name is used twice.
    package var fields: [Field]
    package var grants: [Grant]
    @Uncompared package var location: SourceLocation? = nil

    package init(
      _ name: String, _ fields: [Field] = [], grants: [Grant] = [],
      at location: SourceLocation? = nil
    ) {
      self.name = name
      self.fields = fields
      self.grants = grants
      self.location = location
    }

    package func field(named name: String) -> Field? { fields.first { $0.name == name } }
  }

  package struct Field: Equatable, Sendable {
    package var name: String
    package var type: FieldType
    package var indexes: Set<Index>
    @Uncompared package var location: SourceLocation? = nil

    package init(
      _ name: String, _ type: FieldType, _ indexes: Set<Index> = [],
      at location: SourceLocation? = nil
    ) {
      self.name = name
      self.type = type
      self.indexes = indexes
      self.location = location
    }
  }

  package enum FieldType: Hashable, Sendable {
    case single(CloudType, isEncrypted: Bool)
    case list(CloudType, isEncrypted: Bool)
    /// A number, whose final type is undecided if no type is preferred.
    case number(preferred: CloudType?)
  }

  package enum Index: String, Hashable, Sendable, CaseIterable {
    case queryable = "QUERYABLE"
    case searchable = "SEARCHABLE"
    case sortable = "SORTABLE"
  }

  package enum Permission: String, Hashable, Sendable, CaseIterable {
    case create = "CREATE"
    case read = "READ"
    case write = "WRITE"
  }

  package struct Grant: Equatable, Sendable {
    package var permissions: [Permission]
    package var role: String

    package init(_ permissions: [Permission], to role: String) {
      self.permissions = permissions
      self.role = role
    }
  }
}

extension CloudSchema.FieldType: CustomStringConvertible {
  package var description: String {
    switch self {
    case .single(let primitive, let isEncrypted):
      (isEncrypted ? "ENCRYPTED " : "") + primitive.rawValue
    case .list(let primitive, let isEncrypted):
      "LIST<\(isEncrypted ? "ENCRYPTED " : "")\(primitive.rawValue)>"
    case .number(let preferred):
      "NUMBER" + (preferred.map { " PREFERRED AS \($0.rawValue)" } ?? "")
    }
  }

  package var isEncrypted: Bool {
    switch self {
    case .single(_, let isEncrypted), .list(_, let isEncrypted): isEncrypted
    case .number: false
    }
  }
}
