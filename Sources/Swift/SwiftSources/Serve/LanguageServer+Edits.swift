internal import Foundation
internal import SchemaEvolution
internal import SchemaLint
internal import SchemaManifest
internal import SchemaModel
internal import SchemaWorkspace

/// What the server offers to write: answers to findings, and another name for a model or a property.
extension LanguageServer {
  // MARK: Answers

  func actions(_ parameters: JSONValue) throws(Refused) -> JSONValue {
    guard let uri = parameters["textDocument"]?["uri"]?.string else {
      throw .parameters("'textDocument' is missing")
    }
    guard let path = DocumentURI.path(uri), let document = desk.document(path),
      let folder = desk.folder(of: path), let lint = desk.lint(folder),
      let file = desk.file(path)
    else { return [] }
    func offset(_ key: String) -> Int {
      let place = parameters["range"]?[key]
      return document.text.offset(
        of: DocumentText.Position(
          line: place?["line"]?.integer ?? 0, character: place?["character"]?.integer ?? 0),
        client.encoding)
    }
    let (start, end) = (offset("start"), offset("end"))
    if let only = parameters["context"]?["only"]?.array?.compactMap(\.string),
      !only.contains(where: { $0 == "quickfix" || $0.isEmpty })
    {
      return []
    }
    var found: [JSONValue] = []
    for answer in lint.answers(in: file) {
      let places = [answer.finding.location, answer.place].compactMap(\.self)
      let isMeant = places.contains { place in
        let range = document.text.range(of: place)
        return range.lowerBound <= end && start <= range.upperBound
      }
      guard isMeant, let edit = edit(of: answer.fix, to: file, lint) else { continue }
      found.append([
        "title": .string(answer.fix.title), "kind": "quickfix",
        "isPreferred": .bool(answer.isSafe),
        "diagnostics": [diagnostic(answer.finding) { self.desk.text(of: $0, in: lint) }],
        "edit": edit,
      ])
    }
    return .array(found)
  }

  /// What a fix changes; nil where it cannot be made, or the editor cannot make it.
  private func edit(of fix: Fix, to file: SourceFile, _ lint: LintResult) -> JSONValue? {
    if case .rename(let name)? = fix.changes.first, fix.changes.count == 1 {
      let target = Path.join(Path.folder(of: file.path), name)
      guard client.hasRenamedFiles, desk.file(target) == nil else { return nil }
      return [
        "documentChanges": [
          [
            "kind": "rename", "oldUri": .string(uri(file.path)),
            "newUri": .string(DocumentURI.uri(target)),
          ]
        ]
      ]
    }
    return FixRun.file(file, with: fix, lint).flatMap { edits([$0]) }
  }

  /// The edits that make the editor's files what they are to be; nil where nothing changes.
  private func edits(_ files: [SourceFile]) -> JSONValue? {
    var changes: [(path: String, edits: JSONValue)] = []
    for file in files {
      guard let document = desk.text(of: file.path), let edit = document.edit(to: file.text) else {
        continue
      }
      changes.append(
        (file.path, [["range": range(edit.range, in: document), "newText": .string(edit.text)]]))
    }
    guard !changes.isEmpty else { return nil }
    guard client.hasVersionedEdits else {
      return [
        "changes": .object(
          Dictionary(uniqueKeysWithValues: changes.map { (uri($0.path), $0.edits) }))
      ]
    }
    return [
      "documentChanges": .array(
        changes.map { path, edits in
          let version = desk.document(path)?.version.map(JSONValue.integer)
          return [
            "textDocument": ["uri": .string(uri(path)), "version": version ?? .null],
            "edits": edits,
          ]
        })
    ]
  }

  // MARK: Names

  func prepareRename(_ parameters: JSONValue) throws(Refused) -> JSONValue {
    guard let subject = try subject(parameters, isWhole: true), subject.element != nil,
      subject.cursor.shape != "drops"
    else {
      throw Refused(reason: "models and properties can be renamed, where a manifest has them")
    }
    _ = try lineage(subject)
    return [
      "range": range(subject.cursor.word, in: subject.document.text),
      "placeholder": .string(subject.word),
    ]
  }

  func rename(_ parameters: JSONValue) throws(Refused) -> JSONValue {
    guard let name = parameters["newName"]?.string else {
      throw .parameters("'newName' is missing")
    }
    guard let subject = try subject(parameters, isWhole: true), let element = subject.element,
      subject.cursor.shape != "drops"
    else {
      throw Refused(reason: "models and properties can be renamed, where a manifest has them")
    }
    guard SwiftIdentifier.isValid(name) else {
      throw Refused(reason: "'\(name)' is no name: letters, digits and '_' are")
    }
    guard name != subject.word else { return .null }
    let (lint, versions) = try lineage(subject)
    let renaming = LineageRename(
      versions, element, to: name, isOpen: { lint.isOpen($0) },
      at: versions.firstIndex { $0.location?.file == subject.document.path } ?? 0)
    var files: [SourceFile] = []
    for (path, edits) in renaming.edits {
      guard let file = desk.file(path), let root = YAMLReader.read(file).root else { continue }
      var editor = YAMLEditor(file, root: root)
      guard editor.apply(edits(root)), editor.isFaithful else {
        throw Refused(reason: "'\(path)' is laid out in a way that cannot be edited here")
      }
      files.append(SourceFile(path: path, text: editor.result))
    }
    // What names it elsewhere, in an expression or a list, would now name nothing.
    var known: [String: Int] = [:]
    for finding in lint.findings where finding.severity == .error {
      known[finding.rule.id, default: 0] += 1
    }
    for finding in desk.lint(subject.folder, with: files).findings
    where finding.severity == .error {
      known[finding.rule.id, default: 0] -= 1
      guard known[finding.rule.id, default: 0] < 0 else { continue }
      throw Refused(reason: "the new name would lead to an error: \(finding.message)")
    }
    return edits(files) ?? .null
  }

  /// The versions of a folder, of which the one at a place may be edited.
  private func lineage(
    _ subject: Subject
  ) throws(Refused) -> (lint: LintResult, versions: [SchemaVersion]) {
    guard let lint = desk.lint(subject.folder), let evolution = lint.evolution else {
      throw Refused(reason: "the manifests have errors; correct those first")
    }
    guard
      let version = evolution.history.first(where: { $0.location?.file == subject.document.path })
    else { throw Refused(reason: "the file is no version's manifest") }
    let newest = evolution.history.last?.number.name ?? ""
    guard lint.isOpen(version) else {
      throw Refused(
        reason: "\(version.number.name) has shipped, and a shipped version is never edited: "
          + (evolution.history.last.map(lint.isOpen) == true
            ? "rename it in \(newest)" : "begin the next one with 'schemagen new-version'"))
    }
    if evolution.configuration.classes != nil, version.number == evolution.history.last?.number {
      throw Refused(
        reason: "\(newest) is written from the app's classes: rename it there, with 'originalName:'"
      )
    }
    return (lint, evolution.history)
  }
}

/// Another name for a model or a property, in all versions that have not shipped and go on with it.
///
/// Where the version before has shipped it keeps the old name, and the next one says where its values come from.
struct LineageRename {
  /// For each manifest, its edits, which may need its YAML.
  private(set) var edits: [(path: String, edits: (YAMLNode) -> [YAMLEdit])] = []

  /// - Parameters:
  ///   - place: The version in which somebody renames it; it is open.
  init(
    _ versions: [SchemaVersion], _ element: ElementPath, to name: String,
    isOpen: (SchemaVersion) -> Bool, at place: Int
  ) {
    var first = place
    while first > 0, isOpen(versions[first - 1]),
      versions[first].continues(element, versions[first - 1])
    {
      first -= 1
    }
    let hasShipped = first > 0 && versions[first].continues(element, versions[first - 1])
    for index in first..<versions.count {
      let version = versions[index]
      let isFirst = index == first
      let goesOn = isFirst || version.continues(element, versions[index - 1])
      if let path = version.location?.file {
        let former = isFirst && hasShipped
        edits.append(
          (
            path,
            { root in
              let names = ManifestNames(root)
              return (goesOn ? names.renaming(element, to: name, in: version) : [])
                + (former ? names.former(element, as: name, in: version) : [])
                + (isFirst ? [] : names.renamingFormer(element, to: name, in: version))
                + names.expecting(
                  element, as: name, in: version, isOfNew: goesOn, isOfOld: !isFirst)
            }
          ))
      }
      guard goesOn else { break }
    }
  }
}

extension SchemaVersion {
  /// Whether an element is what the version before has under the same name.
  fileprivate func continues(_ element: ElementPath, _ before: SchemaVersion) -> Bool {
    guard let model = model(named: element.owner), model.sources.isEmpty,
      before.model(named: element.owner) != nil
    else {
      // A type goes on by its name.
      return element.member == nil && type(named: element.owner) != nil
        && before.type(named: element.owner) != nil
    }
    guard element.member != nil else { return true }
    guard let property = property(at: element), before.property(at: element) != nil else {
      return false
    }
    return property.migration.renamedFrom == nil && property.migration.from.isEmpty
  }
}

/// The places of a manifest that name a model or a property.
private struct ManifestNames {
  private let root: YAMLNode

  init(_ root: YAMLNode) { self.root = root }

  /// The edits that give an element of the version another name wherever the manifest names it.
  func renaming(_ element: ElementPath, to name: String, in version: SchemaVersion) -> [YAMLEdit] {
    guard let member = element.member else { return renaming(owner: element.owner, to: name) }
    let model = element.owner
    var edits: [YAMLEdit] = [
      .renameKey(YAMLPath(keys: ["models", model, "properties", member]), to: name)
    ]
    for entry in root.node(at: ["models"])?.entries ?? [] {
      let path = YAMLPath(keys: ["models", entry.key])
      if entry.key == model {
        for key in ["unique", "index"] {
          edits += replacing(member, with: name, below: path.appending(.key(key)))
        }
      }
      for property in entry.value.entry("properties")?.value.entries ?? [] {
        let place = path.appending(.key("properties")).appending(.key(property.key))
        let destination = version.property(at: ElementPath(entry.key, property.key))?.relationship?
          .destination.value
        if destination == model {
          for key in ["inverse", "sortedBy"] {
            edits += replacing(member, with: name, below: place.appending(.key(key)))
          }
        }
        guard entry.key == model else { continue }
        edits += replacing(member, with: name, below: place.appending(.key("dedupe")))
      }
    }
    return edits + accepting("\(model).\(member)", as: "\(model).\(name)")
  }

  /// The edits where something is expected of an element.
  ///
  /// - Parameters:
  ///   - isOfNew: Whether it is an element of the version.
  ///   - isOfOld: Whether it is one of the version before.
  func expecting(
    _ element: ElementPath, as name: String, in version: SchemaVersion, isOfNew: Bool, isOfOld: Bool
  ) -> [YAMLEdit] {
    guard let member = element.member else {
      return isOfNew ? expecting(element.owner, as: name) : []
    }
    func hasIt(_ model: String) -> Bool {
      guard let found = version.model(named: model) else { return false }
      return model == element.owner
        || found.ancestors { version.model(named: $0) }.contains { $0.name == element.owner }
    }
    return expectations { model, text in
      let isOfNew = isOfNew && hasIt(model)
      if let expression = text.expression {
        let new = isOfNew ? expression.renaming(member, of: "new", to: name) : text.line
        guard isOfOld, version.former(ElementPath(model)).owner == element.owner,
          let expression = try? SwiftExpression(new)
        else { return (nil, new) }
        return (nil, expression.renaming(member, of: "old", to: name))
      }
      let words = text.line.split(separator: " ")
      guard isOfNew, words.last == member[...], words.count == 4 else { return nil }
      return (nil, (words.dropLast().map(String.init) + [name]).joined(separator: " "))
    }
  }

  private func expecting(_ model: String, as name: String) -> [YAMLEdit] {
    expectations { found, text in
      guard found == model else { return nil }
      if text.expression != nil { return (name, text.line) }
      return (
        nil,
        text.line.replacing("count(\(model))", with: "count(\(name))")
          .replacing("no \(model) without ", with: "no \(name) without ")
      )
    }
  }

  /// What is expected, one by one: of which model, and what.
  ///
  /// - Parameter change: Gives the model's new name, if it has one, and the new text; nil where all stays.
  private func expectations(
    _ change: (_ model: String, _ text: (line: String, expression: SwiftExpression?)) -> (
      model: String?, text: String
    )?
  ) -> [YAMLEdit] {
    (root.node(at: ["expect"])?.items ?? []).enumerated().flatMap { index, item -> [YAMLEdit] in
      let path: YAMLPath = [.key("expect"), .index(index)]
      if let line = item.scalar?.text {
        let words = line.split(separator: " ")
        let model =
          words.count == 4 ? words[1] : words.first?.dropFirst(6).dropLast() ?? ""
        guard let changed = change(String(model), (line, nil)), changed.text != line else {
          return []
        }
        return [.replace(path, with: ManifestEdit.scalar(changed.text))]
      }
      guard let entry = item.entries.first, let line = entry.value.scalar?.text,
        let expression = try? SwiftExpression(line),
        let changed = change(entry.key, (line, expression))
      else { return [] }
      let place = path.appending(.key(entry.key))
      return
        (changed.text == line
        ? [] : [.replace(place, with: ManifestEdit.scalar(changed.text))])
        + (changed.model.map { [.renameKey(place, to: $0)] } ?? [])
    }
  }

  private func renaming(owner: String, to name: String) -> [YAMLEdit] {
    let kind = root.node(at: ["models"])?.entry(owner) == nil ? "types" : "models"
    var edits: [YAMLEdit] = [.renameKey(YAMLPath(keys: [kind, owner]), to: name)]
    for entry in root.node(at: ["models"])?.entries ?? [] {
      let path = YAMLPath(keys: ["models", entry.key])
      edits += replacing(owner, with: name, below: path.appending(.key("inherits")))
      for property in entry.value.entry("properties")?.value.entries ?? [] {
        let place = path.appending(.key("properties")).appending(.key(property.key))
        if property.value.scalar != nil {
          edits += replacing(word: owner, with: name, at: place)
        }
        for key in ["relationship", "type", "encodes"] {
          edits += replacing(word: owner, with: name, at: place.appending(.key(key)))
          edits += replacing(owner, with: name, below: place.appending(.key(key)))
        }
      }
    }
    return edits + accepting(owner, as: name, isOwner: true)
  }

  /// The edits that say where the values of a renamed element come from.
  func former(_ element: ElementPath, as name: String, in version: SchemaVersion) -> [YAMLEdit] {
    guard let member = element.member else {
      return [
        .add(
          key: "renamedFrom", value: element.owner, to: YAMLPath(keys: ["models", element.owner]),
          before: "properties")
      ]
    }
    let path = YAMLPath(keys: ["models", element.owner, "properties", member])
    guard let property = version.property(at: element), let node = root.node(at: path) else {
      return []
    }
    guard node.scalar != nil else {
      return [.add(key: "renamedFrom", value: member, to: path)]
    }
    let whole = ManifestEdit.property(property, adding: [("renamedFrom", member)])
    return [.replace(path, with: String(whole.dropFirst(member.count + 2)))]
  }

  /// The edits where a manifest names an element of the version before.
  func renamingFormer(_ element: ElementPath, to name: String, in version: SchemaVersion)
    -> [YAMLEdit]
  {
    var edits: [YAMLEdit] = []
    let new = element.member == nil ? ElementPath(name) : ElementPath(element.owner, name)
    for drop in root.node(at: ["drops"])?.entries ?? [] {
      let path = ElementPath(parsing: drop.key)
      if path == element {
        edits.append(.renameKey(YAMLPath(keys: ["drops", drop.key]), to: new.description))
      } else if element.member == nil, path.owner == element.owner {
        edits.append(
          .renameKey(
            YAMLPath(keys: ["drops", drop.key]), to: ElementPath(name, path.member).description))
      }
    }
    for model in version.models {
      let path = YAMLPath(keys: ["models", model.name])
      guard let member = element.member else {
        for key in ["renamedFrom", "from"] {
          edits += replacing(element.owner, with: name, below: path.appending(.key(key)))
        }
        continue
      }
      guard version.former(ElementPath(model.name)).owner == element.owner else { continue }
      for property in model.properties where !property.migration.isEmpty {
        let place = path.appending(.key("properties")).appending(.key(property.name))
        for key in ["renamedFrom", "from"] {
          edits += replacing(member, with: name, below: place.appending(.key(key)))
        }
      }
    }
    return edits
  }

  private func accepting(_ old: String, as new: String, isOwner: Bool = false) -> [YAMLEdit] {
    (root.node(at: ["accept"])?.items ?? []).enumerated().flatMap { index, item -> [YAMLEdit] in
      let path: YAMLPath = [.key("accept"), .index(index), .key("element")]
      guard let text = item.entry("element")?.value.scalar?.text else { return [] }
      if text == old { return [.replace(path, with: new)] }
      guard isOwner, text.hasPrefix(old + ".") else { return [] }
      return [.replace(path, with: new + text.dropFirst(old.count))]
    }
  }

  /// Replaces every text below a node that is just a name.
  private func replacing(_ old: String, with new: String, below path: YAMLPath) -> [YAMLEdit] {
    guard let node = root.node(at: path) else { return [] }
    switch node.content {
    case .scalar(let scalar): return scalar.text == old ? [.replace(path, with: new)] : []
    case .sequence(let items):
      return items.indices.flatMap { replacing(old, with: new, below: path.appending(.index($0))) }
    case .mapping(let entries):
      return entries.flatMap { replacing(old, with: new, below: path.appending(.key($0.key))) }
    }
  }

  /// Replaces a name inside a type: `[Old]?`.
  private func replacing(word old: String, with new: String, at path: YAMLPath) -> [YAMLEdit] {
    guard let scalar = root.node(at: path)?.scalar, scalar.text != old else {
      return replacing(old, with: new, below: path)
    }
    func isPart(_ character: Character?) -> Bool {
      character.map { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." } ?? false
    }
    var text = ""
    var rest = scalar.text[...]
    var isChanged = false
    while let range = rest.range(of: old) {
      let before = rest[..<range.lowerBound]
      text += before
      let isWord =
        !isPart(before.last ?? text.last)
        && !isPart(rest[range.upperBound...].first)
      text += isWord ? new : old
      isChanged = isChanged || isWord
      rest = rest[range.upperBound...]
    }
    guard isChanged else { return [] }
    return [.replace(path, with: ManifestEdit.scalar(text + rest))]
  }
}
