internal import ManagedModels
internal import SchemaEvolution
internal import SchemaManifest
internal import SchemaModel
package import SchemaReporting
internal import SchemaWorkspace

/// The report on a Core Data model's versions: which versions SwiftData can open, and what prevents the others.
package struct CoreDataReport {
  private let adoption: CoreDataAdoption

  package init(_ adoption: CoreDataAdoption) { self.adoption = adoption }

  package var document: Document {
    var document: Document = [
      .paragraph("\(adoption.name): \(counted(adoption.versions.count, "version"))"),
      .table(Table(cells: adoption.versions.map { [$0.name, words($0)] })),
    ]
    for version in adoption.versions {
      guard let verdict = version.verdict, !verdict.isEqual || !verdict.obstacles.isEmpty else {
        continue
      }
      document += [
        .paragraph("\(version.name), which differs in SwiftData:"),
        .list(
          verdict.obstacles.map { obstacle in
            Block.item(
              "\(obstacle.element) \(obstacle.clause)",
              (obstacle.location.map { ["at \($0.file):\($0.line)"] } ?? [])
                + (obstacle.way.map { ["in a new version: \($0)"] } ?? []))
          }),
      ]
    }
    if let newest = adoption.versions.last(where: { $0.verdict?.isEqual == true })?.verdict {
      let doubts = Set(newest.entities.flatMap(\.doubts)).sorted()
      document += doubts.map { .paragraph("not certain: \($0.text)") }
    }
    document += configurations + mappings
    if !adoption.notes.isEmpty {
      document += Block.item("to review, as noted in the manifests:", adoption.notes)
    }
    return document
  }

  private var configurations: Document {
    guard let model = adoption.current?.verdict?.model, model.configurations.count > 1 else {
      return []
    }
    let names = model.configurations.map { "'\($0.name)'" }.joined(separator: ", ")
    let local = model.localEntities
    return [
      .paragraph(
        "the model has the configurations \(names): a store of one configuration has only its entities, but the manifests have the entities of all configurations; adopt a separate model for each configuration"
      )
    ]
      + (!model.isUsedWithCloudKit
        ? []
        : [
          .paragraph(
            local.isEmpty
              ? "the model does not record which configurations sync: in schemagen.yaml, list the entities that do not sync, with 'cloud: { local: […] }'"
              : "in schemagen.yaml, 'cloud: local' lists the entities that do not sync: \(local.joined(separator: ", "))"
          )
        ])
  }

  private var mappings: Document {
    guard !adoption.mappings.isEmpty else { return [] }
    return [
      .paragraph(
        "SwiftData does not run mapping models. The manifests must do what these models do; add what is missing:"
      ),
      .list(
        adoption.mappings.map { mapping in
          Block.item(
            "\(mapping.from) → \(mapping.to): \(mapping.path)",
            mapping.renames.sorted { $0.key < $1.key }.map { "\($0): was \($1)" }
              + mapping.entities.filter { !$0.isPlain }.flatMap { entity in
                entity.words.map {
                  "\(entity.destination ?? entity.source ?? "an entity"): \($0)"
                }
              })
        }),
    ]
  }

  private func words(_ version: CoreDataAdoption.Version) -> String {
    let entities = version.verdict.map { verdict in
      let equal = verdict.entities.filter(\.isEqual).count
      let count = verdict.entities.count
      return "\(equal) of \(count) \(count == 1 ? "entity is" : "entities are") equal by hash"
    }
    switch version.fate {
    case .adopted(let number): return "\(number.name): \(entities ?? ""); its stores open in place"
    case .same(let name): return "the same as '\(name)' to the engine"
    case .inCoreDataOnly: return "\(entities ?? ""); its stores need Core Data"
    case .leftOut: return "\(entities ?? ""); left out, so its stores need Core Data"
    case .draft: return "after the current version: left out"
    }
  }

  /// Why nothing can be written, as a clause.
  package var refusal: String {
    let name = adoption.current?.name ?? ""
    return
      "SwiftData would not open stores of '\(name)'\n  help: add a version to the Core Data model in which the obstacles above are gone, make that version the current one, and run the command again"
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
