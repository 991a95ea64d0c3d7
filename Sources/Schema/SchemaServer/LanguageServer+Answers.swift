internal import SchemaEvolution
internal import SchemaLint
internal import SchemaModel
internal import SchemaWorkspace

/// Answers about a place in a document: what happens to rows, which names are possible, and what fixes a finding.
extension LanguageServer {
  // MARK: Hover

  func hover(_ parameters: JSONValue) throws(Refused) -> JSONValue {
    guard let (document, offset) = try place(parameters),
      let evolution = desk.folder(of: document.path).flatMap(desk.lint)?.evolution,
      let place = ManifestPlace(at: offset, in: document.text), let element = place.element,
      let step = evolution.steps.first(where: {
        $0.new.location?.file == document.path
      })
    else { return .null }
    let words = StepWords(step).text(of: element)
    return [
      "contents": ["kind": "markdown", "value": .string(words.joined(separator: "\n\n"))],
      "range": range(place.range, in: document.text),
    ]
  }

  // MARK: Completion

  func completion(_ parameters: JSONValue) throws(Refused) -> JSONValue {
    guard let (document, offset) = try place(parameters), desk.folder(of: document.path) != nil,
      let place = ManifestPlace(writtenAt: offset, in: document.text)
    else { return [] }
    let (before, version) = desk.versions(of: document.path)
    let names = NamesInManifest(before: before, version: version).names(at: place)
    return .array(
      names.enumerated().map { index, name in
        [
          // 12 is LSP's code for a value.
          "label": .string(name), "kind": 12,
          "sortText": .string(String(String(10_000 + index).dropFirst())),
          "textEdit": [
            "range": range(place.range, in: document.text), "newText": .string(name),
          ],
        ]
      })
  }

  // MARK: Quick fixes

  func actions(_ parameters: JSONValue) throws(Refused) -> JSONValue {
    guard let (document, start) = try place(parameters, parameters["range"]?["start"]),
      let (_, end) = try place(parameters, parameters["range"]?["end"]),
      let lint = desk.folder(of: document.path).flatMap(desk.lint),
      let file = desk.file(document.path)
    else { return [] }
    return .array(
      lint.answers(in: file).compactMap { answer in
        let isMeant = [answer.finding.location, answer.place].compactMap(\.self).contains {
          let range = document.text.range(of: $0)
          return range.lowerBound <= end && start <= range.upperBound
        }
        guard isMeant, let edit = edit(of: answer.fix, to: file, document.text, lint) else {
          return nil
        }
        return [
          "title": .string(answer.fix.title), "kind": "quickfix",
          "isPreferred": .bool(answer.isSafe),
          "diagnostics": [diagnostic(answer.finding) { self.desk.text(of: $0, in: lint) }],
          "edit": edit,
        ]
      })
  }

  /// The edit of a fix in its file. Nil if the fix cannot be made, or renames the file.
  private func edit(
    of fix: Fix, to file: SourceFile, _ document: DocumentText, _ lint: LintResult
  ) -> JSONValue? {
    guard let fixed = FixRun.file(file, with: [fix], lint),
      let edit = document.edit(to: fixed.text)
    else { return nil }
    let changes: JSONValue = [
      ["range": range(edit.range, in: document), "newText": .string(edit.text)]
    ]
    return ["changes": .object([DocumentURI.uri(file.path): changes])]
  }
}

/// The names that are possible at a place in a manifest. They come from the manifest's version or the previous one.
private struct NamesInManifest {
  let before: SchemaVersion?
  let version: SchemaVersion?

  func names(at place: ManifestPlace) -> [String] {
    let (path, key) = (place.path, place.path.last)
    switch path.first {
    case "drops" where path.count == 1: return gone
    case "drops" where key == "replacedBy":
      return cases(version, ElementPath(parsing: place.owner).owner)
    case "accept" where key == "element": return elements(version)
    case "accept" where key == "rule": return RuleCatalog.all.filter(\.isAcceptable).map(\.id)
    case "types" where path.count > 3 && path[2] == "struct": return types
    case "types" where path.count > 3 && key == "renamedFrom": return cases(before, place.owner)
    case "models" where !place.isKey: return names(inModel: place)
    default: return []
    }
  }

  private func names(inModel place: ManifestPlace) -> [String] {
    let (path, key) = (place.path, place.path.last ?? "")
    let isOfProperty = path.count == 5 && path[2] == "properties"
    let other = isOfProperty ? destination(place.owner, path[3]) : nil
    switch key {
    case _ where path.count == 4 && path[2] == "properties": return types
    case "type" where isOfProperty, "encodes" where isOfProperty: return types
    case "relationship" where isOfProperty, "inherits": return models(version)
    case "inverse" where isOfProperty:
      return (other?.properties ?? []).filter {
        $0.relationship?.destination.value == place.owner
      }.map(\.name)
    case "sortedBy": return properties(other)
    case "renamedFrom" where !isOfProperty, "from" where !isOfProperty: return models(before)
    case "renamedFrom", "from":
      let model = version?.model(named: place.owner)
      let former = model?.isRenamed == true ? model?.sources.first?.value : nil
      let names = properties(before?.model(named: former ?? place.owner))
      // Removed names come first.
      let now = Set(properties(model))
      return names.filter { !now.contains($0) } + names.filter(now.contains)
    case "latest", "earliest", "unique", "keys", "index", "binary", "rtree":
      return properties(version?.model(named: place.owner))
    default: return []
    }
  }

  private func models(_ version: SchemaVersion?) -> [String] { (version?.models ?? []).map(\.name) }

  private func properties(_ model: Model?) -> [String] { (model?.properties ?? []).map(\.name) }

  private func cases(_ version: SchemaVersion?, _ type: String) -> [String] {
    (version?.type(named: type)?.cases ?? []).map(\.name)
  }

  private var types: [String] {
    (version?.types ?? []).map(\.name) + StorageType.Primitive.bySwiftName.keys.sorted()
  }

  private func destination(_ model: String, _ property: String) -> Model? {
    let relationship = version?.property(at: ElementPath(model, property))?.relationship
    return relationship.flatMap { version?.model(named: $0.destination.value) }
  }

  private func elements(_ version: SchemaVersion?) -> [String] {
    (version?.models ?? []).flatMap { model in
      [model.name] + model.properties.map { "\(model.name).\($0.name)" }
    }
  }

  /// Elements of the previous version whose names the version lacks: models, properties, cases.
  private var gone: [String] {
    let models = (before?.models ?? []).flatMap { model in
      guard let now = version?.model(named: model.name) else { return [model.name] }
      return properties(model).filter { now.property(named: $0) == nil }.map {
        "\(model.name).\($0)"
      }
    }
    let types = (before?.types ?? []).filter { version?.type(named: $0.name) != nil }
    return models
      + types.flatMap { type in
        let now = cases(version, type.name)
        return type.cases.map(\.name).filter { !now.contains($0) }.map { "\(type.name).\($0)" }
      }
  }
}
