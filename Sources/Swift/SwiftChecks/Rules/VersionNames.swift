internal import SchemaManifest
internal import SchemaModel
package import SchemaWorkspace
internal import SwiftSources

/// Every generated name of a version, and the names of the newest one.
package struct VersionNames: Sendable {
  /// A schema's name: `SchemaV8`, or a bridge's `SchemaV8ToV9`.
  struct Schema: Sendable {
    /// The version's name in messages: `V8`; for a bridge `V8 → V9`.
    var title: String
    /// The index of the folder of manifests.
    var folder: Int
    var models: Set<String>
    var isNewest: Bool
  }

  /// The name of a version's model: `UserProfileModelV8`.
  struct Alias: Sendable {
    var schema: String
    var model: String
    var folder: Int
  }

  /// A folder of manifests, with the names of its newest version.
  struct Folder: Sendable {
    /// The newest version's name: `V9`.
    var newest: String
    /// The active schema's name: `ActiveSchema`.
    var activeSchema: String
    /// The active names of the newest version's models.
    var active: [String: String]
    /// The plan's name: `MigrationPlan`.
    var plan: String
    var versions: Int
    /// The folder's path, as the user gave it.
    var path: String
    /// Whether versions in it were adopted from the app's code.
    var isAdopted: Bool
    /// Whether the newest version's models are the app's own classes.
    var keepsClasses: Bool
    /// Whether the store syncs through CloudKit.
    var syncs: Bool
    /// The containers that it syncs with, as far as they are known.
    var containers: Set<String>
  }

  /// Names in the user file of a step.
  struct UserStep: Sendable {
    /// The schemas that `before` can use: the older version's, or a bridge's.
    var before: Set<String>
    /// The schema that `after` can use.
    var after: String
  }

  private(set) var folders: [Folder] = []
  /// The app's iCloud settings, independent of manifests.
  var entitlements = Entitlements()
  /// The schemas by name; two folders may use the same.
  private(set) var schemas: [String: [Schema]] = [:]
  private(set) var aliases: [String: [Alias]] = [:]
  /// The model of each active name: `ActiveHabitModel` → `HabitModel`.
  private(set) var actives: [String: String] = [:]
  /// The user steps by the name of their enum: `V8ToV9`.
  private(set) var userSteps: [String: UserStep] = [:]
  /// Modules with generated code, which may qualify names.
  private(set) var modules: Set<String> = []

  /// - Parameter histories: The history of each folder of manifests, with versions in ascending order.
  package init(_ histories: [ManifestHistory]) {
    for folder in histories {
      add(folder.history.configuration, folder.history.versions, folder.path)
    }
  }

  /// All names of versions and their models, which app code should avoid.
  package var versioned: Set<String> { Set(schemas.keys).union(aliases.keys) }

  /// All names that code may use for models of the manifests.
  var models: Set<String> {
    Set(actives.keys).union(aliases.keys)
      .union(schemas.values.joined().flatMap { $0.models })
  }

  /// All names of the newest version, which migrations should avoid.
  package var active: Set<String> { Set(actives.keys).union(folders.map(\.activeSchema)) }

  private mutating func add(
    _ configuration: Configuration, _ versions: [SchemaVersion], _ path: String
  ) {
    guard let newest = versions.last else { return }
    let names = configuration.names
    let folder = folders.count
    let models = newest.models.map(\.name)
    for model in models { actives[names.active(model: model)] = model }
    folders.append(
      Folder(
        newest: newest.number.name, activeSchema: names.activeSchema,
        active: Dictionary(models.map { ($0, names.active(model: $0)) }) { first, _ in first },
        plan: names.plan, versions: versions.count, path: path,
        isAdopted: versions.contains { $0.identity == .shipped },
        keepsClasses: configuration.classes != nil, syncs: configuration.cloudKit == .private,
        containers: Set(
          [configuration.cloud.container].compactMap(\.self)
            + configuration.cloud.production.compactMap(\.container))))
    if let module = configuration.module { modules.insert(module) }
    for version in versions {
      let name = names.schema(version.number)
      schemas[name, default: []].append(
        Schema(
          title: version.number.name, folder: folder, models: Set(version.models.map(\.name)),
          isNewest: version.number == newest.number))
      for model in version.models {
        aliases[names.alias(model: model.name, version: version.number), default: []].append(
          Alias(schema: name, model: model.name, folder: folder))
      }
    }
    for (old, new) in zip(versions, versions.dropFirst()) {
      addStep(from: old, to: new, names, folder)
    }
  }

  /// Adds names of bridges as well. Only the evolution knows how many there are, but an unused name is harmless.
  private mutating func addStep(
    from old: SchemaVersion, to new: SchemaVersion, _ names: NamePatterns, _ folder: Int
  ) {
    let bridges = [1, 2].map { names.bridge(from: old.number, to: new.number, step: $0) }
    let models = Set(old.models.map(\.name)).union(new.models.map(\.name))
    for bridge in bridges {
      schemas[bridge, default: []].append(
        Schema(
          title: "\(old.number.name) → \(new.number.name)", folder: folder, models: models,
          isNewest: false))
    }
    userSteps["V\(old.number.label)ToV\(new.number.label)"] = UserStep(
      before: Set(bridges + [names.schema(old.number)]), after: names.schema(new.number))
  }

  /// The schema with a name; of several, the one that has the model.
  func schema(_ name: String, having model: String?) -> Schema? {
    let found = schemas[name] ?? []
    return found.first { schema in model.map(schema.models.contains) ?? false } ?? found.first
  }
}
