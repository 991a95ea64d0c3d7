internal import SchemaManifest
internal import SchemaModel
package import SchemaWorkspace
internal import SwiftSources

/// The generated names of all versions.
package struct VersionNames: Sendable {
  /// A version or a bridge, whose schema is named `SchemaV8` or `SchemaV8ToV9`.
  struct Schema: Sendable {
    /// The name in messages: `V8`; for a bridge `V8 → V9`.
    var title: String
    var folder: Int
    var models: Set<String>
    var isNewest: Bool
  }

  /// A name like `UserProfileModelV8`, which means a model of one version.
  struct Alias: Sendable {
    var schema: String
    var model: String
    var folder: Int
  }

  struct Folder: Sendable {
    /// A name such as `V9`.
    var newest: String
    var activeSchema: String
    /// The active names of the newest version's models, by model.
    var active: [String: String]
    var plan: String
    var versions: Int
    var path: String
    var isAdopted: Bool
    /// Whether the models of the newest version are the app's own classes.
    var keepsClasses: Bool
    var syncs: Bool
    var containers: Set<String>
  }

  /// The schemas that a step's user file can use.
  struct UserStep: Sendable {
    /// The schemas for `before`: the older version's and the bridges'.
    var before: Set<String>
    var after: String
  }

  private(set) var folders: [Folder] = []
  var entitlements = Entitlements()
  /// The schemas by name. Two folders may use the same name.
  private(set) var schemas: [String: [Schema]] = [:]
  private(set) var aliases: [String: [Alias]] = [:]
  /// The model of each active name: `ActiveHabitModel` → `HabitModel`.
  private(set) var actives: [String: String] = [:]
  /// The schemas of each step, by the name of its enum: `V8ToV9`.
  private(set) var userSteps: [String: UserStep] = [:]
  /// Modules of generated code, with which code may qualify names.
  private(set) var modules: Set<String> = []

  /// - Parameter histories: The history of each folder, with versions in ascending order.
  package init(_ histories: [ManifestHistory]) {
    for folder in histories {
      add(folder.history.configuration, folder.history.versions, folder.path)
    }
  }

  /// All names of versions and of their models, which app code should avoid.
  package var versioned: Set<String> { Set(schemas.keys).union(aliases.keys) }

  /// All names that code may use for the manifests' models.
  var models: Set<String> {
    Set(actives.keys).union(aliases.keys)
      .union(schemas.values.joined().flatMap { $0.models })
  }

  /// All names that mean the newest version, which migrations should avoid.
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

  /// Adds the step with names of up to two bridges. Only the evolution knows how many bridges there are, but an
  /// unused name is harmless.
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

  /// The schema with the name. If there are several, one that has the model is preferred.
  func schema(_ name: String, having model: String?) -> Schema? {
    let found = schemas[name] ?? []
    return found.first { schema in model.map(schema.models.contains) ?? false } ?? found.first
  }
}
