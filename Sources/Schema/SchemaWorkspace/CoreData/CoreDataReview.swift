internal import ManagedModels
internal import SchemaEvolution
internal import SchemaManifest
package import SchemaModel

extension Rule {
  package static let coreDataDiffers = Rule(
    "core-data-differs", .error,
    "Core Data's current version is a version of the manifests; of a shared store, the newest",
    basis: .fact(.identity, "opening-compares-hashes", .likely))
}

/// Holds the current version of a Core Data model against the versions of manifests.
///
/// A store that Core Data leaves behind has its hashes. If no version has them, SwiftData does not know the store; and while
/// both stacks open it, the newest version has to have them, or the one migrates what the other works with.
struct CoreDataReview {
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
    // Of several versions, the one that has most in common.
    let nearest =
      settings.sharesStore
      ? newest
      : models.max { Self.common($0.model, wanted) < Self.common($1.model, wanted) } ?? newest
    let message =
      settings.sharesStore
      ? "Core Data and SwiftData open one store, and '\(current.name)' is not \(newest.name)"
      : "stores of '\(current.name)' are of no version: the nearest is \(nearest.name)"
    let parts = Self.differences(current.model, nearest.model)
    return [
      Diagnostic(
        .coreDataDiffers, message, element: current.name, at: settings.model.location,
        related: parts.compactMap { part in
          current.places[part].map {
            Diagnostic.Related("'\(part)' is not in \(nearest.name), or not as here", at: $0)
          }
        },
        help: help(equal?.name, newest.name, current.name, parts, nearest.name))
    ]
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
        "make the Core Data model as it shipped again, or make a version of manifests that is equal: 'schemagen adopt --xcdatamodel' says what keeps them apart",
      ]
    }
    return [
      differ, "change the Core Data model in the same way, in a new version of it",
      equal == nil
        ? "once Core Data's stack is out of the app, take 'sharesStore' out"
        : "once Core Data's stack is out of the app, take 'sharesStore' out: '\(current)' is \(equal ?? "")",
    ]
  }

  /// How many entities have these hashes.
  private static func common(_ model: ManagedModel, _ hashes: VersionHashes) -> Int {
    let own = model.versionHashes.entities
    return hashes.entities.count { own[$0.key] == $0.value }
  }

  /// The entities that only one has, and the properties of others that are hashed otherwise; sorted.
  private static func differences(_ one: ManagedModel, _ other: ManagedModel) -> [ElementPath] {
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
