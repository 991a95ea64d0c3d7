extension CloudSchema {
  /// The schema as the server writes it, sorted and in columns. A diff with an export shows only real differences.
  package var text: String {
    var lines = ["DEFINE SCHEMA", ""]
    for role in roles { lines += ["    CREATE ROLE \(CloudName.written(role));", ""] }
    for (index, type) in recordTypes.sorted(by: { CloudName.precedes($0.name, $1.name) })
      .enumerated()
    {
      if index > 0 { lines.append("") }
      lines.append("    RECORD TYPE \(CloudName.written(type.name)) (")
      let parts = type.parts
      for (index, part) in parts.enumerated() {
        lines.append("        " + part + (index < parts.count - 1 ? "," : ""))
      }
      lines.append("    );")
    }
    return lines.map { $0 + "\n" }.joined()
  }
}

extension CloudSchema.RecordType {
  fileprivate var parts: [String] {
    let fields = fields.sorted { CloudName.precedes($0.name, $1.name) }
      .map { (name: CloudName.written($0.name), field: $0) }
    let width = fields.map(\.name.utf8.count).max() ?? 0
    return fields.map { name, field in
      let indexes = CloudSchema.Index.allCases.filter(field.indexes.contains).map(\.rawValue)
      let padding = String(repeating: " ", count: width - name.utf8.count)
      return ([name + padding, field.type.description] + indexes).joined(separator: " ")
    }
      + grants.map { grant in
        let permissions = grant.permissions.map(\.rawValue).joined(separator: ", ")
        return "GRANT \(permissions) TO \(CloudName.written(grant.role))"
      }
  }
}

/// Rules for the names of record types, fields and roles.
enum CloudName {
  private static let reserved: Set<String> = [
    "grant", "preferred", "queryable", "searchable", "sortable",
  ]

  static func written(_ name: String) -> String {
    let isPlain =
      name.utf8.allSatisfy(isInPlainName) && name.utf8.first.map(isLetter) == true
    return isPlain && !reserved.contains(name.lowercased()) ? name : "\"\(name)\""
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  static func isInPlainName(_ byte: UInt8) -> Bool {
    isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || byte == UInt8(ascii: "_")
  }

  /// The server's order: by bytes, in any language.
  static func precedes(_ one: String, _ other: String) -> Bool {
    one.utf8.lexicographicallyPrecedes(other.utf8)
  }
}
