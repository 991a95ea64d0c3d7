internal import ManagedModels
internal import SchemaEvolution
package import SchemaManifest
package import SchemaModel
package import SchemaWorkspace
internal import StoreFormat

/// One run of `adopt --xcdatamodel`: the manifests of a Core Data model's versions, and why SwiftData cannot open some
/// of their stores. A run writes no file.
package struct CoreDataAdoption: Sendable {
  /// One version of the Core Data model.
  package struct Version: Sendable {
    package var name: String
    /// Nil for a draft.
    package var verdict: CoreDataVerdict?
    package var fate: Fate
  }

  package enum Fate: Hashable, Sendable {
    case adopted(VersionNumber)
    /// Every entity equals that of a later version, so the engine cannot distinguish the versions.
    case same(as: String)
    case inCoreDataOnly
    /// SwiftData could open the version's stores, but the version is older than requested, or older than a version
    /// whose stores SwiftData cannot open.
    case leftOut
    /// The version comes after the current version.
    case draft
  }

  /// The manifests and the configuration, by path; empty if nothing can be written.
  package private(set) var files: [SourceFile] = []
  package private(set) var versions: [Version] = []
  /// The findings that `generate` will report about the manifests.
  package private(set) var questions: [Diagnostic] = []
  package private(set) var notes: [String] = []
  package let mappings: [CoreDataMapping]
  package let name: String
  package var sources: [String: String]

  /// - Parameters:
  ///   - first: The name of the oldest version to adopt; nil to go back as far as SwiftData can open the stores.
  ///   - working: The absolute path at which relative paths start.
  package init(
    _ model: CoreDataVersions, mappings: [CoreDataMapping] = [], from first: String? = nil,
    folder: String, working: String = "/"
  ) throws(CoreDataTrouble) {
    name = model.name
    self.mappings = mappings
    sources = model.sources
    let shipped = model.shipped
    let begin = shipped.firstIndex { $0.name == first }
    if let first, begin == nil {
      throw CoreDataTrouble(
        "'\(model.path)' has no version '\(first)', or that version comes after the current one",
        help: "there are: \(shipped.map(\.name).joined(separator: ", "))")
    }
    // The number is preliminary, because the final number depends on how many versions are adopted.
    versions = shipped.map {
      Version(
        name: $0.name, verdict: CoreDataVerdict($0, number: VersionNumber(1)), fate: .leftOut)
    }
    settleFates(from: begin ?? 0)
    let taken = versions.indices.filter {
      if case .adopted = versions[$0].fate { true } else { false }
    }
    versions += model.drafts.map { Version(name: $0.name, verdict: nil, fate: .draft) }
    guard !taken.isEmpty else { return }
    compose(taken.compactMap { versions[$0].verdict }, model, folder, working)
  }

  /// Selects the current version and the versions before it, until SwiftData's hashes differ from a version's.
  private mutating func settleFates(from begin: Int) {
    var later: [String: String] = [:]
    var isOpen = true
    var taken: [Int] = []
    for place in versions.indices.reversed() {
      guard let verdict = versions[place].verdict else { continue }
      let checksum = verdict.hashes.checksum
      if !verdict.isEqual {
        versions[place].fate = .inCoreDataOnly
        isOpen = false
      } else if let name = later[checksum] {
        versions[place].fate = .same(as: name)
      } else if isOpen, place >= begin {
        taken.append(place)
        later[checksum] = versions[place].name
      }
    }
    for (number, place) in taken.reversed().enumerated() {
      versions[place].fate = .adopted(VersionNumber(number + 1))
    }
  }

  package var isPossible: Bool { !files.isEmpty }

  package var current: Version? { versions.last { $0.fate != .draft } }

  private mutating func compose(
    _ verdicts: [CoreDataVerdict], _ model: CoreDataVersions, _ folder: String, _ working: String
  ) {
    var history: [SchemaVersion] = []
    for (place, verdict) in verdicts.enumerated() {
      var version = verdict.version
      version.number = VersionNumber(place + 1)
      if let before = history.last {
        version.rename(verdict.model, mapping(to: place, verdicts)?.renames ?? [:], after: before)
      }
      history.append(version)
    }
    history.connectRenames()
    for place in history.indices.dropFirst() {
      history[place].forgetStrangers(after: history[place - 1])
    }
    var configuration = Configuration()
    if let model = verdicts.last?.model, model.isUsedWithCloudKit {
      configuration.cloudKit = .private
      configuration.cloud.local = model.localEntities.map { Located($0) }
    }
    let needsCoreData = versions.contains { $0.fate == .inCoreDataOnly || $0.fate == .leftOut }
    if needsCoreData, CoreDataVersions.isSource(model.path) {
      configuration.coreData = Configuration.CoreData(
        model: Located(Path.relative(model.path, to: folder, in: working)))
    }
    let drops = history.noteDrops(configuration)
    for (place, verdict) in verdicts.enumerated() {
      let version = history[place]
      var comments = Dictionary(grouping: verdict.notes, by: \.element).mapValues {
        $0.map { "'\($0.element.member ?? $0.element.owner)' \($0.clause)" }
      }
      comments.merge(drops[version.number] ?? [:]) { $0 + $1 }
      comments.merge(mapping(to: place, verdicts)?.comments ?? [:]) { $0 + $1 }
      let manifest = ManifestText(
        version,
        header: ["Adopted from '\(verdict.model.name)' of the Core Data model '\(model.name)'."],
        comments: comments)
      files.append(
        SourceFile(path: Path.join(folder, "\(version.number.name).yaml"), text: manifest.text))
    }
    let settings = ConfigurationText(
      configuration,
      header: [
        "Settings for all versions. Every key has a default; paths are relative to this folder."
      ])
    files.append(SourceFile(path: Path.join(folder, "schemagen.yaml"), text: settings.text))
    notes = (verdicts.last?.notes.map(\.description) ?? []) + Self.newerSystems(history)
    if !CoreDataVersions.isSource(model.path) {
      notes.append(
        "a compiled model does not record what syncs with CloudKit or what CloudKit encrypts: if the app syncs, write 'cloudKit: private' in schemagen.yaml, and 'allowsCloudEncryption: true' where the model's source has it"
      )
    }
    // Only the new files are read. If files exist in the folder already, the caller reports that they are in the way.
    let place = configuration.coreData.map { Path.join(folder, $0.model.value) }
    let beside = model.files.compactMap { file in
      place.map { SourceFile(path: $0 + file.path.dropFirst(model.path.count), bytes: file.bytes) }
    }
    questions = SchemaFolder.read(folder, fileSystem: MemoryFiles(files + beside)).diagnostics
    sources.merge(files.textsByPath) { $1 }
  }

  /// Features of the manifests that older systems lack. A Core Data model does not record the app's systems.
  private static func newerSystems(_ history: [SchemaVersion]) -> [String] {
    let models = history.flatMap(\.models)
    let newer = "needs iOS 18, macOS 15 or another system of that year"
    func names(_ has: (Model) -> Bool) -> String? {
      let names = Set(models.filter(has).map(\.name)).sorted()
      return names.isEmpty ? nil : names.firstThree
    }
    return [
      names { $0.superclass != nil }.map {
        "'inherits:' of \($0) needs iOS 26, macOS 26 or another system of that year: on an older system SwiftData cannot open these stores"
      },
      names { !$0.indexes.isEmpty }.map {
        "'index:' of \($0) \(newer): if the app runs on an older system, remove it from every manifest, since stores are recognised without it"
      },
      names { !$0.uniques.isEmpty }.map {
        "'unique:' of \($0) \(newer): on an older system SwiftData cannot open these stores"
      },
    ].compactMap(\.self)
  }

  private func mapping(to place: Int, _ verdicts: [CoreDataVerdict]) -> CoreDataMapping? {
    guard place > 0 else { return nil }
    return mappings.first {
      $0.from == verdicts[place - 1].model.name && $0.to == verdicts[place].model.name
    }
  }
}

extension SchemaVersion {
  /// Records which models had other names in the previous version, according to renaming identifiers or a mapping
  /// model.
  fileprivate mutating func rename(
    _ model: CoreDataModel, _ mapped: [String: String], after before: SchemaVersion
  ) {
    var renames = mapped
    for trait in model.traits {
      if case .renamedEntity(let former) = trait.kind { renames[trait.element.owner] = former }
    }
    for (name, former) in renames {
      guard before.model(named: former) != nil, before.model(named: name) == nil,
        self.model(named: former) == nil, let place = models.firstIndex(where: { $0.name == name })
      else { continue }
      models[place].sources = [Located(former)]
      models[place].isRenamed = true
    }
  }

  /// Removes renaming identifiers of properties that the previous version lacks under any name. They are for versions
  /// that are not adopted.
  fileprivate mutating func forgetStrangers(after before: SchemaVersion) {
    for place in models.indices {
      let model = models[place]
      let old = before.model(named: model.isRenamed ? model.sources[0].value : model.name)
      for index in model.properties.indices {
        let property = model.properties[index]
        let name = property.migration.renamedFrom?.value ?? property.name
        guard property.originalName != old?.property(named: name)?.originalName else { continue }
        models[place].properties[index].originalName = nil
      }
    }
  }
}

extension CoreDataMapping {
  /// Comments above the manifest's models: what Core Data did in the step and the manifest cannot express.
  fileprivate var comments: [ElementPath: [String]] {
    var comments: [ElementPath: [String]] = [:]
    for entity in entities where !entity.isPlain {
      guard let name = entity.destination else { continue }
      comments[ElementPath(name), default: []] += entity.words.map {
        "Core Data's step: \($0) (\(path))"
      }
    }
    return comments
  }
}

extension CoreDataMapping.Entity {
  /// What manifests cannot express, such as custom code, each as a clause.
  var words: [String] {
    [
      policy.map { "rows are made by the class '\($0)'" },
      filter.map { "rows are migrated only if this is true: \($0)" },
      expressions.isEmpty ? nil : "an expression gives \(expressions.joined(separator: ", "))",
    ].compactMap(\.self)
  }
}
