internal import SchemaModel

enum HookName: String, CaseIterable {
  case before, after
}

extension NodeInterpreter {
  /// Reads a whole manifest, and returns whether its number could be read. The rest is always read, for its findings.
  mutating func version(_ root: YAMLNode) -> (version: SchemaVersion, hasNumber: Bool)? {
    guard let keys = mapping(root, by: VersionKey.self, named: "a manifest") else { return nil }
    let number = keys[.version].flatMap { versionNumber($0) }
    var version = SchemaVersion(
      number: number ?? VersionNumber(0),
      // Findings about a whole version are shown at its number.
      location: keys[.version]?.keyLocation ?? SourceLocation(file: root.location.file))
    version.summary = keys[.summary].flatMap { words($0) }
    isShipped = keys[.identity]?.value.scalar?.text == IdentityOrigin.shipped.rawValue
    version.types = keys[.types].map { valueTypes($0) } ?? []
    version.models = keys[.models].map { models($0) } ?? []
    version.drops = keys[.drops].map { drops($0) } ?? []
    version.expectations = keys[.expect].map { expectations($0) } ?? []
    version.acceptances = keys[.accept].map { acceptances($0) } ?? []
    version.hooks = keys[.hooks].map { hooks($0) } ?? Hooks()
    version.expectedStage = keys[.stage].flatMap { entry in
      choice(entry, of: ExpectedStage.self).map { Located($0, at: entry.value.location) }
    }
    if let identity = keys[.identity].flatMap({ choice($0, of: IdentityOrigin.self) }) {
      version.identity = identity
    }
    reportTypesNamedLikeModels(version)
    return (version, number != nil)
  }

  private mutating func versionNumber(_ entry: YAMLEntry) -> VersionNumber? {
    let help = ["write three numbers: 'version: 9.0.0'"]
    guard let source = text(entry, help: help) else { return nil }
    if source.text.utf8.first.map({ (48...57).contains($0) }) == true,
      let number = VersionNumber(source.text)
    {
      return number
    }
    report(.wrongValue, "'\(source.text)' is not a version number", at: source.location, help: help)
    return nil
  }

  private mutating func models(_ entry: YAMLEntry) -> [Model] {
    guard let entries = entries(of: pointed(entry), named: "'models'") else { return [] }
    if entries.isEmpty {
      report(.wrongValue, "a version needs at least one model", at: entry.keyLocation)
    }
    return entries.compactMap { model($0) }
  }

  private mutating func reportTypesNamedLikeModels(_ version: SchemaVersion) {
    let models = Dictionary(version.models, keyedBy: \.name)
    for type in version.types {
      guard let model = models[type.name] else { continue }
      reportDuplicate(
        "'\(type.name)' is both a model and a type", at: type.location, first: model.location)
    }
  }

  // MARK: Drops, acceptances, hooks

  private mutating func drops(_ entry: YAMLEntry) -> [Drop] {
    entries(of: entry).compactMap { entry in reading(entry.key) { $0.drop(entry) } }
  }

  private mutating func drop(_ entry: YAMLEntry) -> Drop? {
    let parts = entry.key.split(separator: ".", omittingEmptySubsequences: false)
    if !parts.allSatisfy({ SwiftIdentifier.isAnyName($0) }) {
      report(
        .invalidName, "'\(entry.key)' is not the name of an element", at: entry.keyLocation,
        help: ["write 'Model', 'Model.property' or 'Type.case'"])
    }
    let element = Located(ElementPath(parsing: entry.key), at: entry.keyLocation)
    guard case .mapping = entry.value.content else {
      return words(entry).map { Drop(element: element, reason: $0) }
    }
    guard let keys = mapping(entry.value, by: DropKey.self, named: "a drop") else { return nil }
    let revert = keys[.revert].flatMap { code($0) }.flatMap {
      expression($0, named: "'revert' of a drop")
    }
    let replacedBy = keys[.replacedBy].flatMap { name($0, as: .case) }
    let notCarriedTo = keys[.notCarriedTo].map { references($0) } ?? []
    guard let reason = keys[.reason].flatMap({ words($0) }) else { return nil }
    return Drop(
      element: element, reason: reason, revert: revert, replacedBy: replacedBy,
      notCarriedTo: notCarriedTo)
  }

  private mutating func expectations(_ entry: YAMLEntry) -> [Expectation] {
    items(of: entry).compactMap { expectation($0) }
  }

  private mutating func expectation(_ node: YAMLNode) -> Expectation? {
    let help = ["no Trip without owner", "Trip: new.cents == old.euros * 100"].map {
      "write, for example: - \($0)"
    }
    if case .mapping(let entries) = node.content {
      guard entries.count == 1, let entry = entries.first else {
        report(
          .wrongValue, "an expectation is about one model, but this one is about \(entries.count)",
          at: node.location, help: ["begin a new list entry for each model"])
        return nil
      }
      return text(entry, help: help).flatMap {
        expectation(of: Located(entry.key, at: entry.keyLocation), $0)
      }
    }
    guard let source = text(node, named: "an expectation", help: help)?.trimmed else { return nil }
    // If the whole line is in quotes, YAML reads it as a string, not as a mapping.
    if let colon = source.text.firstRange(of: ": ") {
      let model = source.trimmed(source.text.startIndex..<colon.lowerBound)
      return expectation(
        of: Located(model.text, at: model.location),
        source.trimmed(colon.upperBound..<source.text.endIndex))
    }
    let words = source.text.split(separator: " ").map(String.init)
    func located(_ name: String) -> Located<String> { Located(name, at: source.place(of: name)) }
    if words.count == 4, words[0] == "no", words[2] == "without" {
      let (model, property) = (located(words[1]), located(words[3]))
      guard isName(model.value, at: model.location ?? source.location, as: .model),
        isName(property.value, at: property.location ?? source.location, as: .property)
      else { return nil }
      return Expectation(model: model, .present(property.value), at: property.location)
    }
    report(
      .wrongValue, "'\(source.text)' is not something that schemagen can check",
      at: source.location,
      help: help)
    return nil
  }

  private mutating func expectation(
    of model: Located<String>, _ source: SourceText
  ) -> Expectation? {
    guard isName(model.value, at: model.location ?? source.location, as: .model),
      let expression = expression(source, named: "'expect'")
    else { return nil }
    return Expectation(model: model, .holds(expression), at: source.location)
  }

  private mutating func acceptances(_ entry: YAMLEntry) -> [Acceptance] {
    items(of: entry).compactMap { acceptance($0) }
  }

  private mutating func acceptance(_ node: YAMLNode) -> Acceptance? {
    guard let keys = mapping(node, by: AcceptanceKey.self, named: "an acceptance") else {
      return nil
    }
    let rule = keys[.rule].flatMap { words($0) }
    let element = keys[.element].flatMap { words($0) }
    let reason = keys[.reason].flatMap { words($0) }
    let until = keys[.until].flatMap { day($0) }
    guard let rule, let element, let reason else { return nil }
    return Acceptance(
      rule: Located(rule, at: keys[.rule]?.value.location),
      target: .element(Located(element, at: keys[.element]?.value.location)), reason: reason,
      until: until)
  }

  private mutating func day(_ entry: YAMLEntry) -> Located<CalendarDay>? {
    guard let source = text(entry) else { return nil }
    guard let day = CalendarDay(source.text) else {
      report(
        .wrongValue, "'\(source.text)' is not a date", at: source.location,
        help: ["write year, month and day: 'until: 2027-01-31'"])
      return nil
    }
    return Located(day, at: source.location)
  }

  private mutating func hooks(_ entry: YAMLEntry) -> Hooks {
    var hooks = Hooks()
    for item in items(of: entry) {
      switch choice(item, named: "a hook", of: HookName.self) {
      case .before: hooks.before = true
      case .after: hooks.after = true
      case nil: break
      }
    }
    return hooks
  }
}
