package import SchemaEvolution
package import SchemaModel

extension Rule {
  package static let conflictingName = Rule(
    "conflicting-name", "Two generated declarations would have one name",
    basis: .fact(.swiftData, "nested-names-resolve-silently", .certain))
}

/// Makes all files of an evolution, in memory.
package struct Renderer: Sendable {
  package let templates: TemplateStore
  /// Core Data's hash of each entity in base64, for versions of which a store has proven them.
  private let hashes: [VersionNumber: [String: String]]

  package init(templates: TemplateStore, hashes: [VersionNumber: [String: String]] = [:]) {
    self.templates = templates
    self.hashes = hashes
  }

  /// The files, sorted by kind and path. The evolution must be free of errors.
  package func files(for evolution: Evolution) -> [GeneratedFile] {
    let jobs = jobs(for: evolution)
    let results = concurrentMap(jobs.count) { jobs[$0]() }
    return results.compactMap { $0 }.sorted {
      ($0.kind.rawValue, $0.path) < ($1.kind.rawValue, $1.path)
    }
  }

  private typealias Job = @Sendable () -> GeneratedFile?

  private func jobs(for evolution: Evolution) -> [Job] {
    guard !evolution.history.isEmpty else { return [] }
    let configuration = evolution.configuration
    var jobs: [Job] = []
    for physical in evolution.chain { jobs.append { schema(physical, evolution) } }
    if configuration.converters != .none {
      for index in evolution.history.indices where !evolution.converters[index].isEmpty {
        jobs.append { conversion(index, evolution) }
      }
    }
    for step in evolution.steps {
      jobs.append { rows(step, evolution) }
      jobs.append { owned(step, evolution) }
    }
    jobs.append { plan(evolution) }
    jobs.append { active(evolution) }
    jobs.append { entities(evolution) }
    jobs.append { valueTypes(evolution) }
    jobs.append { support(evolution) }
    jobs.append { log() }
    jobs.append { tests(evolution) }
    jobs.append { document(evolution) }
    return jobs + extras(evolution)
  }

  /// What is generated only when asked for.
  private func extras(_ evolution: Evolution) -> [Job] {
    evolution.configuration.extras.sorted().flatMap { extra -> [Job] in
      switch extra {
      case .cloudMappers: cloudMappers(evolution)
      case .debugReport: [{ debugReport(evolution) }]
      case .fixtures: [{ fixtures(evolution) }]
      case .jsonImport: [{ jsonImport(evolution) }]
      case .migrationKit: [{ planDescription(evolution) }, { progressView() }]
      }
    }
  }

  // MARK: Marks

  private static let everyManifest = "all manifests"

  private func mark(_ source: String) -> String {
    "\(GeneratedFile.mark) from \(source). Do not edit."
  }

  private func manifest(_ version: SchemaVersion) -> String {
    version.location.map { SourceFile(path: $0.file, bytes: []).name }
      ?? "\(version.number.name).yaml"
  }

  private let userFileMark =
    "Written once by schemagen, and yours since then: it is never overwritten."

  // MARK: Files

  private func file(_ path: String, _ name: TemplateName, _ view: some TemplateView)
    -> GeneratedFile
  {
    GeneratedFile(kind: .generated, path: path, contents: templates.render(name, view))
  }

  private func schema(_ physical: ChainVersion, _ evolution: Evolution) -> GeneratedFile {
    let names = evolution.configuration.names
    let source: String
    let documentation: String
    var aliases: [String] = []
    switch physical.role {
    case .version(let index):
      let version = evolution.history[index]
      source = manifest(version)
      documentation =
        ("Version \(version.number)" + (version.summary.map { ": \($0)" } ?? "")).sentence
      let access = evolution.configuration.access.prefix
      aliases = version.models.map(\.name).sorted().flatMap {
        SwiftText.alias(
          access, names.alias(model: $0, version: version.number), "\(physical.name).\($0)")
      }
    case .bridge(let index, let step):
      let old = evolution.history[index - 1]
      let new = evolution.history[index]
      source = "\(manifest(old)) and \(manifest(new))"
      documentation =
        step == 1
        ? "The bridge from \(old.number.name) to \(new.number.name): the one's columns and, beside them, "
          + "the other's.\n\nNo app works with it; values are carried over in it."
        : "The second bridge from \(old.number.name) to \(new.number.name): \(new.number.name)'s shape, "
          + "with columns under another name until the older ones of that name are gone."
    }
    let view = SchemaFileView(
      physical, mark: mark(source), documentation: documentation, aliases: aliases,
      evolution.configuration)
    return file("\(physical.name).swift", .schema, view)
  }

  private func conversion(_ index: Int, _ evolution: Evolution) -> GeneratedFile {
    let name = evolution.configuration.names.schema(evolution.history[index].number)
    let view = ConversionFileView(
      evolution: evolution, index: index, mark: mark(Self.everyManifest))
    return file("\(name)+Conversion.swift", .conversion, view)
  }

  private func rows(_ step: VersionStep, _ evolution: Evolution) -> GeneratedFile? {
    let functions = RowFunctions(step, evolution)
    guard !functions.functions.isEmpty else { return nil }
    let source =
      "\(manifest(evolution.history[step.from])) and \(manifest(evolution.history[step.to]))"
    let view = RowsFileView(functions, step: step, evolution: evolution, mark: mark(source))
    return file("\(RowFunctions.enumName(step)).swift", .migrationRows, view)
  }

  /// The user file of a step, which is written once; nil if the app has nothing to write.
  package func owned(_ step: VersionStep, _ evolution: Evolution) -> GeneratedFile? {
    guard !step.userFunctions.isEmpty else { return nil }
    let view = UserFileView(step: step, evolution: evolution, mark: userFileMark)
    return GeneratedFile(
      kind: .userFile, path: "\(step.name).swift",
      contents: templates.render(.userMigration, view))
  }

  private func plan(_ evolution: Evolution) -> GeneratedFile {
    let view = PlanFileView(evolution: evolution, mark: mark(Self.everyManifest))
    return file("\(evolution.configuration.names.plan).swift", .migrationPlan, view)
  }

  private func active(_ evolution: Evolution) -> GeneratedFile {
    let newest = evolution.history[evolution.history.count - 1]
    let view = ActiveSchemaView(evolution: evolution, mark: mark(manifest(newest)))
    return file("\(evolution.configuration.names.activeSchema).swift", .activeSchema, view)
  }

  private func entities(_ evolution: Evolution) -> GeneratedFile? {
    guard evolution.configuration.entities == .generated, !evolution.entities.isEmpty,
      evolution.configuration.converters != .none
    else { return nil }
    let newest = evolution.history[evolution.history.count - 1]
    return file(
      "Entities.swift", .entities,
      EntitiesView(evolution: evolution, mark: mark(manifest(newest))))
  }

  private func valueTypes(_ evolution: Evolution) -> GeneratedFile? {
    let view = ValueTypesView(evolution: evolution, mark: mark(Self.everyManifest))
    return view.isEmpty ? nil : file("ValueTypes.swift", .valueTypes, view)
  }

  private func support(_ evolution: Evolution) -> GeneratedFile {
    let view = SupportView(
      mark: mark(Self.everyManifest), batchSize: evolution.configuration.batchSize,
      tellsKit: evolution.configuration.extras.contains(.migrationKit))
    return file("MigrationSupport.swift", .migrationSupport, view)
  }

  private func log() -> GeneratedFile {
    GeneratedFile(
      kind: .userFile, path: "MigrationLog.swift",
      contents: templates.render(.migrationLog, LogView(mark: userFileMark)))
  }

  private func tests(_ evolution: Evolution) -> GeneratedFile? {
    guard evolution.configuration.tests != nil else { return nil }
    let view = TestsFileView(evolution: evolution, mark: mark(Self.everyManifest))
    return GeneratedFile(
      kind: .test, path: "\(evolution.configuration.names.plan)Tests.swift",
      contents: templates.render(.migrationTests, view))
  }

  private func cloudMappers(_ evolution: Evolution) -> [Job] {
    let records = CloudRecords(evolution).records
    let access = evolution.configuration.access.prefix
    let mark = mark(Self.everyManifest)
    var jobs: [Job] = records.map { record in
      { @Sendable in
        let view = CloudMapperView(record, evolution, mark: mark)
        return file("\(view.name).swift", .cloudMapper, view)
      }
    }
    jobs.append {
      file("CloudSupport.swift", .cloudSupport, CloudSupportView(mark: mark, access: access))
    }
    return jobs
  }

  private func jsonImport(_ evolution: Evolution) -> GeneratedFile? {
    let newest = evolution.history[evolution.history.count - 1]
    let view = JSONImportView(evolution, mark: mark(manifest(newest)))
    return view.entities.isEmpty ? nil : file("JSONImport.swift", .jsonImport, view)
  }

  private func debugReport(_ evolution: Evolution) -> GeneratedFile {
    let view = DebugReportView(evolution, mark: mark(Self.everyManifest))
    return file("SchemaDebugReport.swift", .debugReport, view)
  }

  private func planDescription(_ evolution: Evolution) -> GeneratedFile {
    let view = PlanDescriptionView(evolution, hashes: hashes, mark: mark(Self.everyManifest))
    return file("\(evolution.configuration.names.plan)+Description.swift", .planDescription, view)
  }

  private func progressView() -> GeneratedFile {
    GeneratedFile(
      kind: .userFile, path: "MigrationProgressView.swift",
      contents: templates.render(.migrationProgressView, LogView(mark: userFileMark)))
  }

  private func fixtures(_ evolution: Evolution) -> GeneratedFile {
    let view = FixturesView(evolution, mark: mark(Self.everyManifest))
    return GeneratedFile(
      kind: .test, path: "SchemaFixtures.swift", contents: templates.render(.fixtures, view))
  }

  private func document(_ evolution: Evolution) -> GeneratedFile? {
    guard let path = evolution.configuration.documentation else { return nil }
    let view = DocumentView(evolution: evolution, mark: mark(Self.everyManifest))
    return GeneratedFile(
      kind: .documentation, path: path, contents: templates.render(.migrations, view))
  }
}

// MARK: - Findings

extension Renderer {
  /// What only the generated files can tell of an evolution: names that clash, and fields that no record can hold.
  package static func findings(_ evolution: Evolution) -> [Diagnostic] {
    let hasRecords = evolution.configuration.extras.contains(.cloudMappers)
    let records = hasRecords ? CloudRecords(evolution) : nil
    return nameConflicts(evolution, records?.records ?? []) + (records?.diagnostics ?? [])
  }

  /// What an extra declares at the top of its files.
  private static func declaredNames(
    _ extra: Configuration.Extra, _ evolution: Evolution, _ records: [CloudRecord]
  ) -> [String] {
    switch extra {
    case .cloudMappers:
      [
        "CloudAssetFiles", "CloudFields", "CloudLink", "CloudRecordError", "CloudRecordName",
        "CloudValue", "StoredJSONText",
      ] + evolution.entities.map { CloudMapperView.name(of: $0.name) }
        // Declared within each mapper, where they would hide what is called so outside.
        + Set(records.flatMap { CloudMapperView.innerNames($0) }).sorted()
    case .debugReport: ["SchemaDebugReport"]
    case .jsonImport:
      ["JSONImport", "JSONImportKeys", "JSONImportRun", "JSONImportState", "JSONElements"]
        + evolution.entities.map { JSONEntityView.json($0.name) }
    case .migrationKit: ["DescribedEntities"]
    case .fixtures: []
    }
  }

  /// Findings about declarations of one name: aliases, entities, types and schemas share the module.
  private static func nameConflicts(
    _ evolution: Evolution, _ records: [CloudRecord]
  ) -> [Diagnostic] {
    guard let newest = evolution.history.last else { return [] }
    let names = evolution.configuration.names
    var owners: [String: (what: String, location: SourceLocation?)] = [:]
    var found: [Diagnostic] = []
    func claim(_ name: String, _ what: String, _ location: SourceLocation?) {
      guard let other = owners.updateValue((what, location), forKey: name) else { return }
      found.append(
        Diagnostic(
          .conflictingName, "'\(name)' would be \(other.what) and \(what)", element: name,
          at: location ?? other.location,
          help: ["rename one of them, or change 'names:' in schemagen.yaml"]))
    }
    let extras = evolution.configuration.extras.sorted().flatMap {
      declaredNames($0, evolution, records)
    }
    for name in ["StoredJSON", "MigrationStep", "MigrationBatch", "MigrationLog"] + extras {
      claim(name, "schemagen's own \(name)", newest.location)
    }
    for physical in evolution.chain { claim(physical.name, "a schema", physical.schema.location) }
    claim(names.plan, "the migration plan", newest.location)
    claim(names.activeSchema, "the active schema", newest.location)
    for step in evolution.steps {
      let location = evolution.history[step.to].location
      if !step.userFunctions.isEmpty { claim(step.name, "a user file's enum", location) }
      if step.plan.hasWork { claim(RowFunctions.enumName(step), "a step's functions", location) }
    }
    for version in evolution.history {
      for model in version.models {
        let alias = names.alias(model: model.name, version: version.number)
        claim(alias, "the alias of \(version.number.name)'s '\(model.name)'", model.location)
      }
    }
    for model in newest.models {
      claim(names.active(model: model.name), "the alias of '\(model.name)'", model.location)
    }
    for entity in evolution.entities {
      claim(entity.name, "an entity", newest.model(named: entity.model)?.location)
    }
    for type in evolution.history.newestTypes.values.sorted(by: { $0.name < $1.name }) {
      claim(type.name, "a value type", type.location)
    }
    return found
  }
}
