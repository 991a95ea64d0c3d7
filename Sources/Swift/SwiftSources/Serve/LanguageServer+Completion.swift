internal import SchemaModel
internal import SchemaWorkspace

/// What can be written at a place.
extension LanguageServer {
  /// A proposal: LSP's kinds are numbers.
  private struct Proposal {
    enum Kind: Int {
      case property = 10
      case type = 7
      case field = 5
      case value = 12
    }

    var label: String
    var kind: Kind
    var text: String?
    /// What is written, where it is more than the label.
    var written: String?
  }

  func completion(_ parameters: JSONValue) throws(Refused) -> JSONValue {
    guard let subject = try subject(parameters, isWhole: false) else { return [] }
    let proposals =
      switch subject.cursor.role {
      case .key: keys(subject)
      case .value(let key): values(of: key, subject)
      case .item: items(subject)
      }
    var seen: Set<String> = []
    return .array(
      proposals.filter { seen.insert($0.label).inserted }.enumerated().map { index, proposal in
        var item: [String: JSONValue] = [
          "label": .string(proposal.label), "kind": .integer(proposal.kind.rawValue),
          // Their order is ours: names of the manifest before words of Swift.
          "sortText": .string(String(String(10_000 + index).dropFirst())),
          "textEdit": [
            "range": range(subject.cursor.word, in: subject.document.text),
            "newText": .string(proposal.written ?? proposal.label),
          ],
        ]
        if let text = proposal.text {
          item["documentation"] = ["kind": "markdown", "value": .string(text)]
        }
        return .object(item)
      })
  }

  // MARK: Keys

  private func keys(_ subject: Subject) -> [Proposal] {
    let cursor = subject.cursor
    let known = subject.guide.keys(at: cursor.path, with: cursor.siblings).map {
      Proposal(label: $0.key, kind: .property, text: $0.text, written: $0.key + ": ")
    }
    if subject.isConfiguration {
      return cursor.shape == "rules"
        ? rules(isAcceptable: false, cursor).map { rule in
          Proposal(label: rule.label, kind: .value, text: rule.text, written: rule.label + ": ")
        } : known
    }
    guard cursor.shape == "drops", let (before, version) = versions(of: subject) else {
      return known
    }
    return gone(from: before, in: version).filter { !cursor.siblings.contains($0) }.map {
      Proposal(
        label: $0, kind: .field, text: "gone since \(before.number.name)", written: $0 + ": ")
    }
  }

  /// What a version no longer has under its name: models, properties, cases.
  private func gone(from before: SchemaVersion, in version: SchemaVersion?) -> [String] {
    var found: [String] = []
    for model in before.models {
      guard let now = version?.model(named: model.name) else {
        found.append(model.name)
        continue
      }
      let names = Set(now.properties.map(\.name))
      found += model.properties.filter { !names.contains($0.name) }.map {
        "\(model.name).\($0.name)"
      }
    }
    for type in before.types {
      guard let now = version?.type(named: type.name) else { continue }
      let names = Set(now.cases.map(\.name))
      found += type.cases.filter { !names.contains($0.name) }.map { "\(type.name).\($0.name)" }
    }
    return found
  }

  // MARK: Values

  private func values(of key: String, _ subject: Subject) -> [Proposal] {
    let cursor = subject.cursor
    let known = subject.guide.values(of: key, at: cursor.path, with: cursor.siblings).map {
      Proposal(label: $0, kind: .value)
    }
    guard !subject.isConfiguration else { return known }
    let model = cursor.owner ?? ""
    switch (cursor.shape, key) {
    case ("models/*/properties", _), ("models/*/properties/*", "type"),
      ("models/*/properties/*", "encodes"), ("types/*/struct", _):
      return types(subject)
    case ("models/*/properties/*", "relationship"), ("models/*", "inherits"):
      return models(newest(subject))
    case ("models/*/properties/*", "inverse"): return inverses(of: model, subject)
    case ("models/*/properties/*", "renamedFrom"), ("models/*/properties/*", "from"):
      return former(model, subject)
    case ("models/*", "renamedFrom"), ("models/*", "from"):
      return models(versions(of: subject)?.before)
    case ("models/*/properties/*/dedupe", "latest"), ("models/*/properties/*/dedupe", "earliest"),
      ("models/*/unique/[]/dedupe", "latest"), ("models/*/unique/[]/dedupe", "earliest"):
      return properties(newest(subject)?.model(named: model))
    case ("accept/[]", "rule"): return rules(isAcceptable: true, cursor)
    case ("accept/[]", "element"):
      return (newest(subject)?.models ?? []).flatMap { model in
        [Proposal(label: model.name, kind: .type)]
          + model.properties.map { Proposal(label: "\(model.name).\($0.name)", kind: .field) }
      }
    default: return known
    }
  }

  private func items(_ subject: Subject) -> [Proposal] {
    let known = subject.guide.values(at: subject.cursor.path + [.item]).map {
      Proposal(label: $0, kind: .value)
    }
    if !subject.isConfiguration, ["expect", "expect/[]"].contains(subject.cursor.shape) {
      return (newest(subject)?.models ?? []).flatMap(expectations)
    }
    guard !subject.isConfiguration, let model = subject.cursor.owner else { return known }
    switch subject.cursor.shape {
    case "models/*/properties/*/from": return former(model, subject)
    case "models/*/from": return models(versions(of: subject)?.before)
    case "models/*/properties/*/relationship": return models(newest(subject))
    case "models/*/unique", "models/*/unique/[]", "models/*/unique/[]/keys", "models/*/index",
      "models/*/index/[]", "models/*/index/[]/binary", "models/*/index/[]/rtree":
      return properties(newest(subject)?.model(named: model))
    default: return known
    }
  }

  /// What can be expected of a model.
  private func expectations(_ model: Model) -> [Proposal] {
    let lines =
      ["count(\(model.name)) is unchanged"]
      + model.properties.filter { $0.isStored }.map { "no \(model.name) without \($0.name)" }
    return lines.map { Proposal(label: $0, kind: .value) }
      + [
        Proposal(
          label: "\(model.name): ", kind: .value,
          text: "Swift over the row before, `old`, and the row after, `new`")
      ]
  }

  private func types(_ subject: Subject) -> [Proposal] {
    let declared = newest(subject)?.types ?? []
    return declared.map { Proposal(label: $0.name, kind: .type, text: $0.documentation) }
      + StorageType.Primitive.bySwiftName.keys.sorted().map { Proposal(label: $0, kind: .type) }
  }

  private func models(_ version: SchemaVersion?) -> [Proposal] {
    (version?.models ?? []).map { Proposal(label: $0.name, kind: .type, text: $0.documentation) }
  }

  private func properties(_ model: Model?) -> [Proposal] {
    (model?.properties ?? []).map {
      Proposal(label: $0.name, kind: .field, text: "`\($0.type)`")
    }
  }

  /// The properties that a model had in the version before; first those that are gone.
  private func former(_ model: String, _ subject: Subject) -> [Proposal] {
    guard let (before, version) = versions(of: subject) else { return [] }
    let owner = version?.former(ElementPath(model)).owner ?? model
    let now = Set((version?.model(named: model)?.properties ?? []).map(\.name))
    let all = properties(before.model(named: owner))
    return all.filter { !now.contains($0.label) } + all.filter { now.contains($0.label) }
  }

  /// The properties at the other end that lead back.
  private func inverses(of model: String, _ subject: Subject) -> [Proposal] {
    guard let version = newest(subject),
      let name = subject.cursor.member,
      let destination = version.property(at: ElementPath(model, name))?.relationship?.destination
    else { return [] }
    let ends = version.model(named: destination.value)?.properties ?? []
    return ends.filter { $0.relationship?.destination.value == model }.map {
      Proposal(label: $0.name, kind: .field, text: "`\($0.type)`")
    }
  }

  private func rules(isAcceptable: Bool, _ cursor: ManifestCursor) -> [Proposal] {
    RuleCatalog.all.filter { !isAcceptable || $0.isAcceptable }
      .filter { !cursor.siblings.contains($0.id) }.map {
        Proposal(label: $0.id, kind: .value, text: $0.title)
      }
  }

  // MARK: Versions

  /// The manifest's own version, as far as it could last be read.
  private func newest(_ subject: Subject) -> SchemaVersion? {
    desk.versions(of: subject.folder).first { $0.location?.file == subject.document.path }
  }

  /// The version before the manifest's own, and that.
  private func versions(of subject: Subject) -> (before: SchemaVersion, version: SchemaVersion?)? {
    let versions = desk.versions(of: subject.folder)
    if let index = versions.firstIndex(where: { $0.location?.file == subject.document.path }) {
      return index > 0 ? (versions[index - 1], versions[index]) : nil
    }
    // It was never readable: its name tells where it belongs.
    let name = subject.document.path.split(separator: "/").last ?? ""
    guard let number = VersionNumber(name.prefix { $0 != "y" }.dropLast()) else { return nil }
    return versions.last { $0.number < number }.map { ($0, nil) }
  }
}
