internal import SchemaEvolution
package import SchemaModel

struct UnstorableType: LintRule {
  let rule = Rule.unstorableType

  /// Types that end the process when a container is created or a row is saved
  /// (docs/facts/swiftdata.md#fatal-field-types, docs/facts/swiftdata.md#unkeyed-types).
  private static let fatal: Set<String> = ["DateComponents", "Measurement", "PersistentIdentifier"]
  private static let unkeyed: Set<String> = [
    "ClosedRange", "PartialRangeFrom", "PartialRangeThrough", "PartialRangeUpTo", "Range",
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    guard context.isOpen(context.newest) else { return [] }
    let shipped = context.history.last { !context.isOpen($0) }
    return context.newest.columnTypes(besides: shipped).compactMap { name, element, place in
      let isUnkeyed = Self.unkeyed.contains(name)
      guard isUnkeyed || Self.fatal.contains(name) else { return nil }
      var finding = Diagnostic.unstorable(element, "a '\(name)'", at: place, endsOnSave: isUnkeyed)
      finding.help.append(context.acceptance(id, element))
      return finding
    }
  }
}

extension Diagnostic {
  /// - Parameters:
  ///   - kind: The type with an article: `a 'Range'`.
  ///   - endsOnSave: Whether the process ends only on saving a row, so an empty store can be opened.
  package static func unstorable(
    _ element: ElementPath, _ kind: String, at place: SourceLocation?, endsOnSave: Bool = false
  ) -> Diagnostic {
    let end = endsOnSave ? "saves the first row with one" : "makes its container"
    return Diagnostic(
      .unstorableType,
      "'\(element)' holds \(kind), which SwiftData cannot store: the app crashes when it \(end)",
      element: element, at: place,
      help: [
        "store the value's parts in separate properties, or its JSON in a property of type 'Data?'"
      ])
  }
}

extension SchemaVersion {
  /// The named types that have columns, including the types of fields in structs. Types of shipped versions are left
  /// out, since the app runs with them.
  package func columnTypes(
    besides shipped: SchemaVersion?
  ) -> [(name: String, element: ElementPath, place: SourceLocation?)] {
    let known = Set(shipped?.columnTypes(besides: nil).map(\.name) ?? [])
    let declared = Dictionary(types, keyedBy: \.name)
    var found: [(name: String, element: ElementPath, place: SourceLocation?)] = []
    for (model, property, attribute) in allAttributes where attribute.transformer == nil {
      var seen: Set<String> = []
      var open = [property.type]
      while let type = open.popLast() {
        // The elements of an array are stored as one JSON value.
        guard case .named(let name, _) = type.unwrapped, seen.insert(name).inserted else {
          continue
        }
        if !known.contains(name) {
          found.append((name, ElementPath(model.name, property.name), property.location))
        }
        open += declared[name]?.fields.map(\.type) ?? []
      }
    }
    return found
  }
}
