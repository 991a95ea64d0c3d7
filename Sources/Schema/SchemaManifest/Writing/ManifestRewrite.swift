package import SchemaModel

/// What becomes of a manifest whose version changes: all of it is rewritten in the layout of `ManifestText`. Comments
/// stay with the element or key that they are above, inside or behind.
package enum ManifestRewrite {
  /// A manifest as another version; nil if it would not read back as that version.
  ///
  /// Acceptances in comments become entries of `accept:`.
  ///
  /// - Parameter names: Models and properties that have another name in the new version; properties by the old name of
  ///   their model.
  package static func text(
    of file: SourceFile, from old: SchemaVersion, to new: SchemaVersion,
    renaming names: [ElementPath: String] = [:]
  ) -> String? {
    if old == new { return file.text }
    guard let root = YAMLReader.read(file).root else { return nil }
    func renamed(_ element: ElementPath) -> ElementPath {
      let owner = names[ElementPath(element.owner)] ?? element.owner
      return ElementPath(owner, names[element] ?? element.member)
    }
    var header: [String] = []
    var footer: [String] = []
    var comments: [ElementPath: [String]] = [:]
    var sections: [String: [String]] = [:]
    let parts = YAMLComments.Part.allCases
    for (comment, element) in YAMLComments.withElements(in: file, of: parts)
    where !comment.text.hasPrefix(AcceptanceComment.word) {
      guard let line = comment.subject else {
        footer.append(comment.text)
        continue
      }
      let section = root.entries.last { $0.keyLocation.line <= line }?.key
      if let element {
        comments[renamed(element), default: []].append(comment.text)
      } else if let section, section != "version" {
        sections[section, default: []].append(comment.text)
      } else {
        header.append(comment.text)
      }
    }
    let written = ManifestText(
      new, header: header, comments: comments, sections: sections, footer: footer)
    let text = written.text
    var read = ManifestReader().read(SourceFile(path: file.path, text: text)).version
    guard read?.acceptances.count == new.acceptances.count else { return nil }
    read?.acceptances = new.acceptances
    guard read == new else { return nil }
    return file.text.contains("\r\n") ? text.replacing("\n", with: "\r\n") : text
  }

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
    case .list(let items): .list(items.map(\.inOneLine))
    case .text(let words): .source(words.manifestLine)
    case .name, .source: self
    }
  }
}
