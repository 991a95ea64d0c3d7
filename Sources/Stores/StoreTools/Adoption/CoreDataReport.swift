internal import ManagedModels
internal import SchemaEvolution
internal import SchemaManifest
internal import SchemaModel
internal import SchemaReporting
internal import SchemaWorkspace

/// The report on a Core Data model's versions: which SwiftData can open, and what is in the way of others.
package struct CoreDataReport {
  private let adoption: CoreDataAdoption

  package init(_ adoption: CoreDataAdoption) { self.adoption = adoption }

  /// A line for each version, then what is in the way; ends with a line break.
  package var text: String {
    let rows = adoption.versions.map { [$0.name, words($0)] }
    var text = "\(adoption.name): \(counted(adoption.versions.count, "version"))\n"
    text += TextColumns.lines(rows).map { $0 + "\n" }.joined()
    for version in adoption.versions {
      guard let verdict = version.verdict else { continue }
      if !verdict.isEqual { text += "\n\(version.name), not as SwiftData has it:\n" }
      for obstacle in verdict.obstacles {
        text += "  \(obstacle.element) \(obstacle.clause)\n"
        if let place = obstacle.location { text += "    at \(place.file):\(place.line)\n" }
        if let way = obstacle.way { text += "    in a new version: \(way)\n" }
      }
    }
    if let newest = adoption.versions.last(where: { $0.verdict?.isEqual == true })?.verdict {
      for doubt in Set(newest.entities.flatMap(\.doubts)).sorted() {
        text += "\nnot certain: \(doubt.text)\n"
      }
    }
    let configurations = adoption.current?.verdict?.model.configurations ?? []
    if configurations.count > 1 {
      let names = configurations.map { "'\($0.name)'" }.joined(separator: ", ")
      text +=
        "\nthe model has the configurations \(names): a store of one has its entities only, and a manifest here has all; adopt a model with the entities of each by itself\n"
      let model = adoption.current?.verdict?.model
      if let model, model.isUsedWithCloudKit {
        let local = model.localEntities
        text +=
          local.isEmpty
          ? "which of them sync, the model does not say: name the entities that do not under 'cloud: { local: […] }' in schemagen.yaml\n"
          : "schemagen.yaml has the entities that do not sync under 'cloud: local': \(local.joined(separator: ", "))\n"
      }
    }
    text += mappings
    if !adoption.notes.isEmpty {
      text += "\nto look at, as the manifests' comments say:\n"
      for note in adoption.notes { text += "  \(note.visibleInOneLine)\n" }
    }
    return text + "\n"
  }

  /// What mapping models do, and manifests do not say.
  private var mappings: String {
    guard !adoption.mappings.isEmpty else { return "" }
    var text =
      "\nmapping models. SwiftData does not run them: the manifests say what they do, or you write it there:\n"
    for mapping in adoption.mappings {
      text += "  \(mapping.from) → \(mapping.to): \(mapping.path)\n"
      for (name, former) in mapping.renames.sorted(by: { $0.key < $1.key }) {
        text += "    \(name): was \(former)\n"
      }
      for entity in mapping.entities where !entity.isPlain {
        for clause in entity.words {
          text += "    \(entity.destination ?? entity.source ?? "an entity"): \(clause)\n"
        }
      }
    }
    return text
  }

  private func words(_ version: CoreDataAdoption.Version) -> String {
    let entities = version.verdict.map { verdict in
      let equal = verdict.entities.filter(\.isEqual).count
      let count = verdict.entities.count
      return "\(equal) of \(count) \(count == 1 ? "entity" : "entities") equal by hash"
    }
    switch version.fate {
    case .adopted(let number): return "\(number.name): \(entities ?? ""); its stores open in place"
    case .same(let name): return "the same as '\(name)' to the engine"
    case .inCoreDataOnly: return "\(entities ?? ""); its stores need Core Data"
    case .leftOut: return "\(entities ?? ""); left out, so that its stores need Core Data"
    case .draft: return "behind the current version: left out"
    }
  }

  /// Why nothing can be written; a clause.
  package var refusal: String {
    let name = adoption.current?.name ?? ""
    return
      "SwiftData would not open stores of '\(name)'\n  help: add a version to the Core Data model in which the obstacles above are gone, make it the current one, and run this again"
  }

  package func headline(isDry: Bool) -> String {
    var names: [String] = []
    for version in adoption.versions {
      if case .adopted(let number) = version.fate { names.append(number.name) }
    }
    let span = names.count > 1 ? "\(names[0]) to \(names[names.count - 1])" : names.first ?? ""
    return
      "\(counted(names.count, "version")) of '\(adoption.name)' \(isDry ? "would be " : "")adopted as \(span)"
  }

  /// What stores of versions without a manifest need.
  private func coreData(_ folder: String) -> String {
    let names = adoption.versions.filter { $0.fate == .inCoreDataOnly || $0.fate == .leftOut }
      .map { "'\($0.name)'" }
    guard !names.isEmpty else { return "" }
    let page = Basis.documentation + "cookbook/core-data.md#versions-that-only-core-data-opens"
    return
      "\nstores of \(names.joined(separator: ", ")) need Core Data's own step at launch: write 'extras: [migrationKit]' in \(Path.join(folder, "schemagen.yaml")); \(page)\n"
  }

  package func next(schemas folder: String) -> String {
    let option = ShellWord.schemas(folder)
    let newest =
      adoption.versions.compactMap { version -> String? in
        if case .adopted(let number) = version.fate { number.name } else { nil }
      }.last ?? "V1"
    return
      (adoption.questions.hasErrors
      ? "\nanswer the questions above in the manifests, then:\n" : "\nnext:\n")
      + "  schemagen generate\(option)\n"
      + "  schemagen rehearse --store STORE\(option)   # a store that the released app wrote\n"
      + "  schemagen release \(newest)\(option)\n" + coreData(folder)
  }
}
