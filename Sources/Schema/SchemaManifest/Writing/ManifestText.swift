package import SchemaModel

/// Writes a whole manifest in its canonical form: the order of keys, their style, the blank lines.
///
/// Reading the text gives the same version, except for invisible characters and spaces around strings, which a manifest
/// cannot contain. An acceptance in a comment becomes an entry for the element at the comment's line.
package struct ManifestText: Sendable {
  private let version: SchemaVersion
  private let header: [String]
  private let comments: [ElementPath: [String]]
  private let document: YAMLDocument?

  /// - Parameters:
  ///   - header: Comments at the top, without `#`.
  ///   - comments: Comments above models, properties (`Model.property`), types and drops. Comments on cases and fields
  ///     go above their type.
  package init(
    _ version: SchemaVersion, header: [String] = [], comments: [ElementPath: [String]] = [:]
  ) {
    self.version = version
    self.header = header
    self.comments = comments
    document = nil
  }

  /// - Parameters:
  ///   - document: A manifest whose comments stay with their keys and items. Comments on elements that the version
  ///     lacks move to the enclosing element.
  ///   - names: The new names of models and properties, by their paths in the document.
  package init(
    _ version: SchemaVersion, of document: YAMLDocument, renaming names: [ElementPath: String] = [:]
  ) {
    self.version = version
    header = []
    comments = [:]
    // Properties are renamed first, while their models still have the former names.
    let edits = names.sorted { $0.key.member != nil && $1.key.member == nil }.map {
      YAMLEdit.renameKey(YAMLPath(of: $0.key), to: $0.value)
    }
    self.document = edits.reduce(document) { $0.applying([$1]) ?? $0 }
  }

  package static func formatted(_ file: SourceFile) -> String? {
    let (version, diagnostics) = ManifestReader().read(file)
    guard let version, !diagnostics.hasErrors, let document = YAMLDocument(file) else {
      return nil
    }
    return ManifestText(version, of: document).text
  }

  /// Whether a file is in canonical form. A file with errors has none, and counts as formatted.
  package static func isFormatted(_ file: SourceFile) -> Bool {
    formatted(file).map { $0 == file.text } ?? true
  }

  package var text: String {
    let (acceptances, lines) = acceptances()
    var entries = entries(acceptances)
    guard let document else {
      var layout = ManifestLayout()
      layout.add(comments: header + lines)
      layout.add(entries)
      return layout.text
    }
    var kept = document.removingComments { $0.hasPrefix(AcceptanceComment.word) }
    // If a property has the dropped name again, the comment belongs to that property.
    for drop in version.drops where version.property(at: drop.element.value) == nil {
      kept.moveComments(from: YAMLPath(of: drop.element.value), toDrop: "\(drop.element.value)")
    }
    let left = entries.take(commentsIn: kept.root.entries)
    return kept.text(entries, below: lines, above: left)
  }

  private func entries(_ acceptances: [ManifestValue]) -> [ManifestEntry] {
    var entries = [ManifestEntry("version", .name(version.number.description))]
    entries.add("summary", version.summary?.manifestLine)
    entries.append(ManifestEntry("models", .mapping(version.models.map(model), most: 0)))
    if version.models.isEmpty { entries[entries.count - 1].value = .mapping([]) }
    entries.add(part: "types", .mapping(version.types.map(type), most: 0))
    entries.add(part: "drops", .mapping(version.drops.map(drop), most: 0))
    entries.add(
      part: "expect",
      .list(
        version.expectations.map { expectation in
          if case .holds(let expression) = expectation.claim {
            return .mapping([ManifestEntry(expectation.model.value, .source(expression.text))])
          }
          return .text(expectation.text)
        }))
    entries.add(part: "accept", .list(acceptances))
    let step = entries.count
    let hooks =
      (version.hooks.before ? [HookName.before] : []) + (version.hooks.after ? [.after] : [])
    if !hooks.isEmpty { entries.append(ManifestEntry("hooks", .names(hooks.map(\.rawValue)))) }
    if version.identity != .generated {
      entries.append(ManifestEntry("identity", .name(version.identity.rawValue)))
    }
    if let stage = version.expectedStage {
      entries.append(ManifestEntry("stage", .name(stage.value.rawValue)))
    }
    if step < entries.count { entries[step].isApart = true }
    return entries
  }

  // MARK: Models

  private func model(_ model: Model) -> ManifestEntry {
    var entries: [ManifestEntry] = []
    entries.add("doc", model.documentation?.manifestText)
    if let superclass = model.superclass {
      entries.append(ManifestEntry("inherits", .name(superclass.value)))
    }
    if !model.sources.isEmpty {
      let sources = oneOrMore(model.sources.map(\.value))
      entries.append(ManifestEntry(model.isRenamed ? "renamedFrom" : "from", sources))
    }
    if let entity = model.entity { entries.append(ManifestEntry("entity", .name(entity))) }
    let properties = model.properties.map { property in
      var entry = ManifestPropertyText(property).entry
      entry.comments = comments[ElementPath(model.name, property.name)] ?? []
      return entry
    }
    let most = properties.isEmpty ? Int.max : 0
    entries.append(ManifestEntry("properties", .mapping(properties, most: most)))
    if !model.uniques.isEmpty {
      entries.append(ManifestEntry("unique", .list(model.uniques.map(unique))))
    }
    if !model.indexes.isEmpty {
      entries.append(ManifestEntry("index", .list(model.indexes.map(index))))
    }
    var entry = ManifestEntry(model.name, .mapping(entries, most: 0))
    entry.comments = comments[ElementPath(model.name)] ?? []
    entry.isApart = true
    return entry
  }

  private func unique(_ constraint: UniqueConstraint) -> ManifestValue {
    guard let dedupe = constraint.dedupe else { return .names(constraint.names) }
    return .mapping([
      ManifestEntry("keys", .names(constraint.names)),
      ManifestEntry("dedupe", ManifestPropertyText.value(dedupe)),
    ])
  }

  private func index(_ index: Index) -> ManifestValue {
    switch index.kind {
    case .binary: .names(index.names)
    case .rtree: .mapping([ManifestEntry(index.kind.rawValue, .names(index.names))])
    }
  }

  private func oneOrMore(_ names: [String]) -> ManifestValue {
    names.count == 1 ? .name(names[0]) : .names(names)
  }

  // MARK: Types

  private func type(_ type: ValueTypeDeclaration) -> ManifestEntry {
    var entries: [ManifestEntry] = []
    let documentation = type.documentation?.manifestText ?? ""
    entries.add("doc", documentation)
    switch type.kind {
    case .enumeration(let rawType, let cases):
      entries.append(ManifestEntry("enum", .name(rawType?.description ?? "none")))
      entries.append(
        ManifestEntry("cases", self.cases(cases, rawType, isOwn: type.isOwn)))
    case .structure(let fields):
      let fields = fields.map {
        ManifestEntry($0.name, ManifestPropertyText.short($0.type, $0.defaultValue))
      }
      entries.append(ManifestEntry("struct", .mapping(fields)))
    case .opaque: entries.append(ManifestEntry("opaque", .source("true")))
    }
    if let name = type.appName {
      entries.append(ManifestEntry("own", .name(name)))
    } else if type.isOwn, type.kind != .opaque {
      entries.append(ManifestEntry("own", .source("true")))
    }
    if let coding = type.coding { entries.append(ManifestEntry("coding", .text(coding))) }
    var entry = ManifestEntry(
      type.name, .mapping(entries, most: documentation.isEmpty ? .max : 0))
    let parts = type.cases.map(\.name) + type.fields.map(\.name)
    entry.comments = ([ElementPath(type.name)] + parts.map { ElementPath(type.name, $0) })
      .flatMap { comments[$0] ?? [] }
    return entry
  }

  /// - Parameter isOwn: Whether the app declares the enum. If so and a case is renamed, all cases state their raw
  ///   values.
  private func cases(
    _ cases: [EnumCase], _ rawType: TypeReference?, isOwn: Bool
  ) -> ManifestValue {
    func renaming(_ enumCase: EnumCase, _ value: ManifestEntry? = nil) -> ManifestValue? {
      enumCase.renamedFrom.map { source in
        .mapping([value, ManifestEntry("renamedFrom", .name(source.value))].compactMap { $0 })
      }
    }
    let statesAll = isOwn && rawType != nil && cases.contains { $0.renamedFrom != nil }
    guard statesAll || cases.contains(where: { $0.rawValue != nil }) else {
      if cases.allSatisfy({ $0.renamedFrom == nil }) { return .names(cases.map(\.name)) }
      return .list(
        cases.map { enumCase in
          renaming(enumCase).map { .mapping([ManifestEntry(enumCase.name, $0)]) }
            ?? .name(enumCase.name)
        })
    }
    return .mapping(
      cases.map { enumCase in
        let value = rawValue(of: enumCase, rawType)
        return ManifestEntry(
          enumCase.name,
          renaming(enumCase, ManifestEntry("rawValue", value)) ?? value)
      })
  }

  private func rawValue(of enumCase: EnumCase, _ rawType: TypeReference?) -> ManifestValue {
    guard rawType == .named("String") else {
      return .source(enumCase.rawValue?.text ?? enumCase.name)
    }
    let literal = enumCase.storedText
    return .text(RawKind.plainText(ofLiteral: literal) ?? literal)
  }

  // MARK: The step

  private func drop(_ drop: Drop) -> ManifestEntry {
    let reason = ManifestValue.text(drop.acknowledgement.text.manifestLine)
    var keys = [ManifestEntry("reason", reason)]
    if let revert = drop.revert { keys.append(ManifestEntry("revert", .source(revert.text))) }
    if let name = drop.replacedBy { keys.append(ManifestEntry("replacedBy", .name(name.value))) }
    let names = drop.notCarriedTo.map(\.value)
    if !names.isEmpty {
      keys.append(
        ManifestEntry("notCarriedTo", names.count == 1 ? .name(names[0]) : .names(names)))
    }
    let path = drop.element.value
    var entry = ManifestEntry(path.description, keys.count == 1 ? reason : .mapping(keys))
    entry.comments = comments[path] ?? []
    return entry
  }

  // MARK: Acceptances

  private func acceptances() -> (entries: [ManifestValue], comments: [String]) {
    let places = ManifestPlaces(version)
    var entries: [ManifestValue] = []
    var comments: [String] = []
    for acceptance in version.acceptances {
      let until = acceptance.until?.value.description
      let element =
        switch acceptance.target {
        case .element(let element): Optional(element.value)
        case .line(let line): places.element(at: line)?.description
        }
      guard let element else {
        let end = until.map { " until \($0)" } ?? ""
        comments.append(
          "\(AcceptanceComment.word)accept \(acceptance.rule.value)\(end): "
            + acceptance.reason.manifestLine)
        continue
      }
      var entry = [
        ManifestEntry("rule", .text(acceptance.rule.value)),
        ManifestEntry("element", .text(element)),
        ManifestEntry("reason", .text(acceptance.reason.manifestLine)),
      ]
      if let until { entry.append(ManifestEntry("until", .name(until))) }
      entries.append(.mapping(entry, most: 0))
    }
    return (entries, comments)
  }
}

extension [ManifestEntry] {
  fileprivate mutating func add(part key: String, _ value: ManifestValue) {
    guard value != .list([]), value != .mapping([], most: 0) else { return }
    var entry = ManifestEntry(key, value)
    entry.isApart = true
    append(entry)
  }
}
