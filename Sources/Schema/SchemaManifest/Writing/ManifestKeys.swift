package import SchemaModel

/// The keys of a property as a manifest writes them, and their values.
package enum ManifestKeys {
  /// The keys that a manifest writes for a property and not, or differently, for another: `fill: false`.
  package static func keys(of property: Property, otherThanOf other: Property) -> [String] {
    ManifestPropertyText(property).keys.map(\.key).filter {
      value(of: $0, in: property) != value(of: $0, in: other)
    }.map { "\($0): \(value(of: $0, in: property) ?? "")" }
  }

  package static func value(of key: String, in property: Property) -> String? {
    let entry = ManifestPropertyText(property).keys.first { $0.key == key }
    return entry.flatMap { ManifestLayout.flow($0.value.inOneLine, in: .flow) }
  }

  /// The keys that a manifest writes for how values come to a property in its version: `from` and `height`.
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
  /// The value without what needs lines of its own.
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
