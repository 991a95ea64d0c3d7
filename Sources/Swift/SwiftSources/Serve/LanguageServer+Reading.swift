internal import SchemaEvolution
internal import SchemaLint
internal import SchemaModel
internal import SchemaRendering
internal import SchemaWorkspace

/// What a person asks about a place: what it means, where it comes from.
extension LanguageServer {
  /// A place of a manifest or of `schemagen.yaml`, and what stands there.
  struct Subject {
    let document: OpenDocument
    let folder: String
    let cursor: ManifestCursor

    var isConfiguration: Bool {
      let name = document.path.split(separator: "/").last ?? ""
      return name == "schemagen.yaml" || name == "schemagen.yml"
    }

    var guide: KeyGuide { isConfiguration ? .configuration : .manifest }
    var word: String {
      String(String.UnicodeScalarView(document.text.scalars[cursor.word]))
    }
  }

  /// Nil for what is no manifest, and in comments.
  ///
  /// - Parameter isWhole: Whether the word at the place is taken as it is, rather than as far as it is written.
  func subject(_ parameters: JSONValue, isWhole: Bool) throws(Refused) -> Subject? {
    guard let (document, offset, line) = try place(parameters),
      let folder = desk.folder(of: document.path),
      var cursor = ManifestCursor(document.text, at: offset, line: line)
    else { return nil }
    if isWhole {
      guard let whole = ManifestCursor(document.text, at: cursor.word.upperBound, line: line) else {
        return nil
      }
      cursor = whole
    }
    return Subject(document: document, folder: folder, cursor: cursor)
  }

  // MARK: Hover

  func hover(_ parameters: JSONValue) throws(Refused) -> JSONValue {
    guard let subject = try subject(parameters, isWhole: true), !subject.cursor.word.isEmpty else {
      return .null
    }
    let lint = desk.lint(subject.folder)
    var parts: [String] = []
    if let element = subject.element, let lint, let step = step(of: subject, lint) {
      parts += lint.evolution.map { StepWords($0, step).text(of: element) } ?? []
    }
    if case .key = subject.cursor.role,
      let text = subject.guide.text(
        of: subject.word, at: subject.cursor.path, with: subject.cursor.siblings)
    {
      parts.append("`\(subject.word)`: \(text)")
    }
    let found = (lint?.findings ?? []).filter { finding in
      guard let place = finding.location, place.file == subject.document.path else { return false }
      let range = subject.document.text.range(of: place)
      return range.overlaps(subject.cursor.word)
        || range.lowerBound == subject.cursor.word.lowerBound
    }
    var rules: [String] = []
    for finding in found where !rules.contains(finding.rule.id) {
      rules.append(finding.rule.id)
      let page = RuleCatalog.rulesByID[finding.rule.id].map {
        "[\($0.id)](\(Basis.documentation)rules/\($0.fileName))"
      }
      parts.append("\(page ?? finding.rule.id): \(finding.rule.title).")
      if let purpose = RuleCatalog.rulesByID[finding.rule.id]?.purpose { parts.append(purpose) }
    }
    guard !parts.isEmpty else { return .null }
    return [
      "contents": ["kind": "markdown", "value": .string(parts.joined(separator: "\n\n"))],
      "range": range(subject.cursor.word, in: subject.document.text),
    ]
  }

  /// The step to the version that a manifest describes.
  private func step(of subject: Subject, _ lint: LintResult) -> VersionStep? {
    guard let evolution = lint.evolution,
      let index = evolution.history.firstIndex(where: {
        $0.location?.file == subject.document.path
      })
    else { return nil }
    return evolution.steps.first { $0.to == index }
  }

  // MARK: Definition

  func definition(_ parameters: JSONValue) throws(Refused) -> JSONValue {
    guard let subject = try subject(parameters, isWhole: true), !subject.cursor.word.isEmpty else {
      return .null
    }
    let versions = desk.versions(of: subject.folder)
    guard let index = versions.firstIndex(where: { $0.location?.file == subject.document.path })
    else { return .null }
    let version = versions[index]
    let before = index > 0 ? versions[index - 1] : nil
    var places: [SourceLocation?] = []
    var generated: ElementPath?
    let model = subject.cursor.owner ?? ""
    switch (subject.cursor.shape, subject.cursor.role) {
    case ("models", .key), ("types", .key), ("models/*/properties", .key):
      guard let element = subject.element else { break }
      generated = element
      places.append(before?.place(of: version.former(element)))
    case ("drops", .key):
      places.append(before?.place(of: ElementPath(parsing: subject.word)))
    case ("models/*", .value("renamedFrom")), ("models/*", .value("from")),
      ("models/*/from", .item):
      places.append(before?.model(named: subject.word)?.location)
    case ("models/*/properties/*", .value("renamedFrom")),
      ("models/*/properties/*", .value("from")), ("models/*/properties/*/from", .item):
      let owner = version.former(ElementPath(model)).owner
      places.append(before?.property(at: ElementPath(owner, subject.word))?.location)
    case ("models/*/properties/*", .value("inverse")):
      let property = version.property(at: ElementPath(model, subject.cursor.member ?? ""))
      places.append(
        property?.relationship.flatMap {
          version.property(at: ElementPath($0.destination.value, subject.word))?.location
        })
    case (_, .value), (_, .item):
      places.append(
        version.model(named: subject.word)?.location ?? version.type(named: subject.word)?.location)
    default: break
    }
    var found = places.compactMap(\.self).map { place -> JSONValue in
      ["uri": .string(uri(place.file)), "range": range(place) { self.desk.text(of: $0) }]
    }
    if let generated, let place = self.generated(generated, of: version, in: subject.folder) {
      found.append(place)
    }
    return found.isEmpty ? .null : .array(found)
  }

  /// Where the generated Swift declares a model or a property.
  private func generated(
    _ element: ElementPath, of version: SchemaVersion, in folder: String
  ) -> JSONValue? {
    guard let lint = desk.lint(folder), let configuration = lint.evolution?.configuration else {
      return nil
    }
    let output = OutputLocations(folder: folder, configuration: configuration).output
    let name = "SchemaV\(version.number.label).swift"
    guard desk.names(in: output).contains(name),
      let file = desk.file(Path.join(output, name)), GeneratedFile.isMarked(file.bytes)
    else { return nil }
    let document = DocumentText(file.text)
    var isInside = element.member == nil
    for line in 0..<document.lineCount {
      let text = String(String.UnicodeScalarView(document.line(line)))
      let words = text.split { !($0.isLetter || $0.isNumber || $0 == "_") }
      let wanted = isInside && element.member != nil ? element.member : element.owner
      let word = isInside && element.member != nil ? "var" : "class"
      guard let place = words.firstIndex(of: word[...]), words.indices.contains(place + 1),
        words[place + 1] == wanted ?? ""
      else { continue }
      guard isInside else {
        isInside = true
        continue
      }
      let column = text.unicodeScalars.distance(
        from: text.startIndex, to: words[place + 1].startIndex)
      let location = SourceLocation(
        file: file.path, line: line + 1, column: column + 1,
        length: wanted?.unicodeScalars.count ?? 1)
      return ["uri": .string(uri(file.path)), "range": range(location) { _ in document }]
    }
    return nil
  }
}

extension LanguageServer.Subject {
  /// The model, the property or the type that stands at the place, by its name there.
  var element: ElementPath? {
    guard !isConfiguration, case .key = cursor.role else { return nil }
    switch cursor.shape {
    case "models", "types": return ElementPath(word)
    case "drops": return ElementPath(parsing: word)
    case "models/*/properties": return cursor.owner.map { ElementPath($0, word) }
    default: return nil
    }
  }
}

extension SchemaVersion {
  /// What the version before called a model or a property.
  func former(_ element: ElementPath) -> ElementPath {
    guard let model = model(named: element.owner) else { return element }
    let owner = model.isRenamed ? model.sources.first?.value ?? model.name : model.name
    guard let member = element.member else { return ElementPath(owner) }
    let migration = model.property(named: member)?.migration
    let name = migration?.renamedFrom?.value ?? migration?.from.first?.value ?? member
    return ElementPath(owner, name)
  }

  /// Where an element stands; nil where the version does not have just that.
  func place(of element: ElementPath) -> SourceLocation? {
    guard let member = element.member else {
      return model(named: element.owner)?.location ?? type(named: element.owner)?.location
    }
    return property(at: element)?.location
      ?? type(named: element.owner)?.cases.first { $0.name == member }?.location
  }
}
