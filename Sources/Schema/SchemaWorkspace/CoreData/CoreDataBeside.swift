internal import ManagedModels
package import SchemaEvolution
internal import SchemaManifest
package import SchemaModel

extension Rule {
  package static let coreDataDiffers = Rule(
    "core-data-differs", .error,
    "Core Data's current version is in the manifests, and is the newest if both open one store",
    basis: .fact(.identity, "opening-compares-hashes", .likely))
}

/// The Core Data model next to a folder of manifests, compared with the manifests.
package struct CoreDataBeside: Sendable {
  /// The model's versions; nil if the configuration names no model, or if the model cannot be read.
  package private(set) var versions: CoreDataVersions?
  /// The step at launch for stores of older versions; nil if the manifests contain all of those versions, or if the
  /// launch library is not used.
  package private(set) var step: CoreDataStep?
  private(set) var diagnostics: [Diagnostic] = []
  private(set) var sources: [String: String] = [:]

  /// - Parameter evolution: Nil if the manifests have errors.
  init(
    _ configuration: Configuration, _ evolution: Evolution?, _ lock: SchemaLock, in path: String,
    fileSystem: some FileSystem
  ) {
    guard let settings = configuration.coreData else { return }
    let model = Path.join(path, settings.model.value)
    let reading = CoreDataVersions.read(model, fileSystem: fileSystem)
    versions = reading.versions
    diagnostics = reading.diagnostics.map { diagnostic in
      // A finding about the whole model is shown at the configuration's line that names the model, since that line can
      // be edited.
      var diagnostic = diagnostic
      if diagnostic.location?.file == model { diagnostic.location = settings.model.location }
      return diagnostic
    }
    sources = reading.sources
    guard let evolution, let versions else { return }
    let review = CoreDataReview(versions, evolution, settings)
    diagnostics += review.diagnostics
    guard review.diagnostics.isEmpty else { return }
    let found = review.step(proven: lock.provenHashes.mapValues(\.entities))
    guard configuration.extras.contains(.migrationKit) else {
      // While Core Data opens the store first, it performs the step itself.
      if let step = found.step, !settings.sharesStore {
        diagnostics.append(review.missingStep(step, in: path))
      }
      return
    }
    step = found.step
    diagnostics += found.diagnostics
  }
}

/// Compares the current version of a Core Data model with the versions of manifests.
///
/// A store written by Core Data has the current version's hashes. If no version of the manifests has them, SwiftData
/// does not recognise the store. While both stacks open the store, the newest version must have these hashes. Otherwise
/// one stack would migrate the other's store.
private struct CoreDataReview {
  private let coreData: CoreDataVersions
  private let evolution: Evolution
  private let settings: Configuration.CoreData

  init(
    _ coreData: CoreDataVersions, _ evolution: Evolution, _ settings: Configuration.CoreData
  ) {
    self.coreData = coreData
    self.evolution = evolution
    self.settings = settings
  }

  var diagnostics: [Diagnostic] {
    let current = coreData.versions[coreData.current]
    let wanted = current.model.versionHashes
    let models = zip(evolution.chain, VersionModel.chain(of: evolution)).filter { !$0.0.isBridge }
      .map { (name: $0.0.identifier.name, model: $0.1.model) }
    guard let newest = models.last else { return [] }
    let equal = models.last { $0.model.versionHashes == wanted }
    if let equal, !settings.sharesStore || equal.name == newest.name { return [] }
    let nearest =
      settings.sharesStore
      ? newest
      : models.max { Self.common($0.model, wanted) < Self.common($1.model, wanted) } ?? newest
    let message =
      settings.sharesStore
      ? "Core Data and SwiftData open one store, and '\(current.name)' differs from \(newest.name)"
      : "stores of '\(current.name)' match no version: the nearest is \(nearest.name)"
    let parts = Self.differences(current.model, nearest.model)
    return [
      Diagnostic(
        .coreDataDiffers, message, element: current.name, at: settings.model.location,
        related: parts.compactMap { part in
          current.places[part].map {
            Diagnostic.Related(
              "'\(part)' is missing from \(nearest.name), or differs there", at: $0)
          }
        },
        help: help(equal?.name, newest.name, current.name, parts, nearest.name))
    ]
  }

  /// The step at launch for stores of older versions, and findings about versions whose stores no launch can recognise.
  ///
  /// - Parameter proven: The hash of each entity, in Base64, for versions whose hashes a store has proven.
  func step(
    proven: [VersionNumber: [String: String]]
  ) -> (step: CoreDataStep?, diagnostics: [Diagnostic]) {
    let current = coreData.versions[coreData.current]
    var history = CoreDataHistory(modelName: coreData.name, versions: [], current: current.name)
    var found: [Diagnostic] = []
    for version in coreData.shipped {
      let doubts = Set(version.model.hashDoubts.values.joined()).sorted()
      // The current version passes with doubts, since a store may have proven its hashes.
      guard doubts.isEmpty || version.name == current.name else {
        found.append(unknowable(version.name, doubts.map(\.text)))
        continue
      }
      history.versions.append(.init(version))
    }
    do throws(CoreDataStep.Obstacle) {
      return (try CoreDataStep(history, evolution, proven: proven), found)
    } catch {
      // The other obstacles need no finding: that no version is equal is already reported, and names are unique here.
      if case .uncertainHashes(let version, let reasons) = error {
        found.append(unknowable(version, reasons))
      }
      return (nil, found)
    }
  }

  func missingStep(_ step: CoreDataStep, in path: String) -> Diagnostic {
    let names = step.origins.map { "'\($0.name)'" }
    return Diagnostic(
      .coreDataDiffers,
      "stores of \(names.enumeration) match no version, and the app does not open them (134504): at launch nothing "
        + "runs Core Data's own migration to '\(step.current)'",
      element: step.origins[0].name, at: settings.model.location,
      help: [
        "write 'extras: [migrationKit]' in \(Path.join(path, "schemagen.yaml")), and open the store with its launch: "
          + "\(Basis.documentation)cookbook/core-data.md#versions-that-only-core-data-opens"
      ], severity: .warning)
  }

  private func unknowable(_ version: String, _ reasons: [String]) -> Diagnostic {
    Diagnostic(
      .coreDataDiffers, "at launch, stores of '\(version)' cannot be recognised by their hashes",
      element: version, at: settings.model.location, help: reasons, severity: .warning)
  }

  private func help(
    _ equal: String?, _ newest: String, _ current: String, _ parts: [ElementPath],
    _ nearest: String
  ) -> [String] {
    let names = parts.map { "'\($0)'" }
    let list = names.prefix(8).joined(separator: ", ") + (names.count > 8 ? ", …" : "")
    let differ = "what differs from \(nearest): \(list)"
    guard settings.sharesStore else {
      return [
        differ,
        "restore the Core Data model as it shipped, or write a manifest that matches it: 'schemagen adopt --xcdatamodel' shows what differs",
      ]
    }
    return [
      differ, "make the same changes in a new version of the Core Data model",
      equal == nil
        ? "once the app no longer uses Core Data, remove 'sharesStore'"
        : "once the app no longer uses Core Data, remove 'sharesStore': '\(current)' equals \(equal ?? "")",
    ]
  }

  private static func common(_ model: ManagedModel, _ hashes: VersionHashes) -> Int {
    let own = model.versionHashes.entities
    return hashes.entities.count { own[$0.key] == $0.value }
  }

  /// The sorted entities that only one model has, and the properties of other entities whose hashes differ. Only hashes
  /// are compared, since this module does not link `ModelComparison`.
  static func differences(_ one: ManagedModel, _ other: ManagedModel) -> [ElementPath] {
    var found: [ElementPath] = []
    let hashes = (one.versionHashes.entities, other.versionHashes.entities)
    for name in Set(hashes.0.keys).union(hashes.1.keys) where hashes.0[name] != hashes.1[name] {
      guard let own = EntityHashParts(of: name, in: one),
        let others = EntityHashParts(of: name, in: other)
      else {
        found.append(ElementPath(name))
        continue
      }
      let properties = Set(own.properties.keys).union(others.properties.keys).filter {
        own.properties[$0] != others.properties[$0]
      }
      found += properties.isEmpty ? [ElementPath(name)] : properties.map { ElementPath(name, $0) }
    }
    return found.sorted()
  }
}

extension CoreDataVersions {
  /// Findings about shipped versions that differ from a base. Their stores still have the old hashes.
  func edits(since base: CoreDataVersions, _ name: String, at location: SourceLocation?)
    -> [Diagnostic]
  {
    let all = Set(versions.map(\.model.versionHashes.entities))
    return base.shipped.compactMap { was in
      guard !all.contains(was.model.versionHashes.entities) else { return nil }
      let now = versions.first { $0.name == was.name }
      let parts = now.map { CoreDataReview.differences(was.model, $0.model) } ?? []
      let isCurrent = was.name == base.versions[base.current].name
      let loses = parts.contains { part in
        func isOrdered(_ model: ManagedModel?) -> Bool {
          model?.entities.first { $0.name == part.owner }?.relationships
            .first { $0.name == part.member }?.isOrdered == true
        }
        return isOrdered(was.model) && !isOrdered(now?.model)
      }
      return Diagnostic(
        .coreDataDiffers,
        "'\(was.name)' of the Core Data model "
          + (now == nil ? "was removed" : "differs from \(name)")
          + ": stores that it wrote no longer match any version, and no app opens them"
          + (loses ? "; without 'Ordered' the order of the rows is lost" : ""),
        element: was.name, at: location,
        related: parts.compactMap { part in
          now?.places[part].map { Diagnostic.Related("'\(part)' was different", at: $0) }
        },
        help: [
          "restore the version from git, and make the change in a new version of the model (Editor, Add Model Version)"
        ], severity: isCurrent ? .warning : .error)
    }
  }
}

extension CoreDataHistory.Version {
  fileprivate init(_ version: CoreDataModel) {
    var identifiers: [String: String] = [:]
    for trait in version.traits {
      if case .renamedEntity(let name) = trait.kind { identifiers[trait.element.owner] = name }
    }
    self.init(name: version.name, model: version.model, renamingIdentifiers: identifiers)
  }
}
