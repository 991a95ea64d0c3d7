package import SchemaModel

/// The keys and values that a manifest writes for a property.
package enum ManifestKeys {
  /// The keys of a property, with their values, that `other` lacks or has with another value: `fill: false`.
  package static func keys(of property: Property, otherThanOf other: Property) -> [String] {
    ManifestPropertyText(property).keys.map(\.key).filter {
      value(of: $0, in: property) != value(of: $0, in: other)
    }.map { "\($0): \(value(of: $0, in: property) ?? "")" }
  }

  package static func value(of key: String, in property: Property) -> String? {
    let entry = ManifestPropertyText(property).keys.first { $0.key == key }
    return entry.flatMap { ManifestLayout.flow($0.value.inOneLine, in: .flow) }
  }

  /// The keys of a property that describe the step, such as `from: height`.
  package static func stepKeys(of property: Property) -> [(key: String, value: String)] {
    var bare = property
    bare.migration = PropertyMigration()
    return keys(of: property, otherThanOf: bare).map { text in
      let parts = text.split(separator: ": ", maxSplits: 1).map(String.init)
      return (parts[0], parts.count > 1 ? parts[1] : "")
    }
  }
}

extension ManifestValue {
  /// The value without comments, and with each text in one line.
  fileprivate var inOneLine: ManifestValue {
    switch self {
    case .mapping(let entries, _):
      .mapping(
        entries.map { entry in
          var entry = entry
          entry.comments = []
          entry.value = entry.value.inOneLine
          return entry
        })
    case .list(let items, _): .list(items.map(\.inOneLine))
    case .text(let words): .source(words.manifestLine)
    case .name, .source: self
    }
  }
}
