internal import SchemaLint
package import SchemaModel
internal import SchemaReporting
internal import SchemaWorkspace
package import SwiftSources
internal import SwiftSyntax

extension StoreOpening {
  /// Whether two pieces of code may open the same file: they name the same place, and one system can run both. An app
  /// extension has its own folders, and shares files with the app only in an app group.
  fileprivate func isSame(as other: StoreOpening) -> Bool {
    store == other.store && !isInMemory && !other.isInMemory
      && (system == other.system
        || !isOfWatch && !other.isOfWatch && (system == nil || other.system == nil))
      && (isExtension == other.isExtension || isShared)
  }
}

extension StoreOpening {
  fileprivate var isShared: Bool {
    store.contains("in the group") || store.contains("'group.") || path.contains("app group")
  }

  private var isOfWatch: Bool { system?.contains("watch") ?? false }
}

extension StoreOpenings {
  /// Reports containers that open a store with fewer models than another container does, because the engine then drops
  /// tables.
  ///
  /// - Parameter version: A folder's newest version.
  package func findings(_ version: SchemaVersion) -> [Diagnostic] {
    all.compactMap { opening in
      let held = opening.models(of: version)
      // A container without a list has all models of the version.
      guard opening.models != nil, !held.isEmpty else { return nil }
      let others = all.filter { $0.isSame(as: opening) && $0.place != opening.place }
      let fuller = others.compactMap { other -> (models: Set<String>, place: Place)? in
        let all = other.models(of: version)
        // If the other container's code names no models, that container may be for any store.
        let isToldOf = other.models != nil || other.isOfVersions
        return isToldOf && !held.isDisjoint(with: all) && !all.isSubset(of: held)
          ? (all, other.place) : nil
      }
      guard let fullest = fuller.max(by: { $0.models.count < $1.models.count }) else { return nil }
      let gone = fullest.models.subtracting(held).sorted()
      let list = fullest.models.sorted().map { "\($0).self" }.joined(separator: ", ")
      return Diagnostic(
        .unreachedModel,
        "this container opens \(opening.store) without \(gone.map { "'\($0)'" }.enumeration): the engine drops \(gone.count == 1 ? "its table" : "their tables") with all rows",
        element: gone[0], at: opening.place,
        related: [.init("the same store is opened here with more models", at: fullest.place)],
        help: [
          "give both containers the same list: [\(list)]",
          "or give this one a separate store: ModelConfiguration(\"Name\", schema: …)",
        ], severity: .error)
    }
  }

  /// Reports stores whose path contains a version's number, because each version then opens an empty store.
  package var numbered: [Diagnostic] {
    all.filter { !$0.isInMemory }.compactMap { opening in
      opening.versioned.map { number in
        .changed(
          "the place of this store contains '\(number)': with each new version the app opens an empty store, and the rows stay in the old one",
          opening.store, opening.place, "give the store a name that never changes")
      }
    }
  }

  /// Reports how the app opens stores differently from the base's code.
  ///
  /// - Parameters:
  ///   - name: The base's name in messages.
  ///   - version: A folder's newest version.
  ///   - shipped: The folder's newest version that users have.
  ///   - plan: The name of the folder's plan.
  ///   - told: Containers already reported as having no plan, or as not syncing.
  package func changes(
    from base: StoreOpenings, _ name: String, _ version: SchemaVersion,
    since shipped: SchemaVersion?, plan: String, toldAt told: Set<Place?> = []
  ) -> [Diagnostic] {
    let before = base.stores(of: version)
    let after = stores(of: version)
    var found: [Diagnostic] = []
    for (old, held) in before.sorted(by: { $0.key < $1.key }) {
      let lost = held.models.subtracting(after[old]?.models ?? [])
      if !lost.isEmpty {
        found += moved(lost, from: old, before, after, name, version)
      }
      guard let now = after[old] else { continue }
      found += opened(old, held.openings, now.openings, name, plan, told)
    }
    found += others(than: before, after, name)
    return found + inMemory(since: base, name, version, besides: found) + entitled(base, name)
      + choices(since: base, name) + handlings(since: base, name)
      + unregistered(version, shipped, since: base, name)
  }

  package func hiding(_ names: [String], since base: StoreOpenings, _ name: String) -> [Diagnostic]
  {
    let names = Set(names + ["ModelConfiguration", "ModelContainer"])
    let before = Set(base.declarations(of: names).map(\.path))
    return declarations(of: names).filter { !before.contains($0.path) }.map { path, place in
      let hidden = path.split(separator: ".").last.map(String.init) ?? path
      return .changed(
        "'\(path)' hides '\(hidden)', with which the app opens its store: code that sees '\(path)' may open another store, or this store without its plan",
        path, place, "give '\(path)' another name")
    }
  }

  private func declarations(of names: Set<String>) -> [(path: String, place: Place)] {
    let words = ["class", "enum", "func", "struct", "typealias"]
    let texts = names.sorted().flatMap { name in words.map { "\($0) \(name)" } }
    return files(texts).writtenForUsers.flatMap { source in
      source.syntax.all(DeclSyntax.self).compactMap { declaration in
        guard let name = declaration.asProtocol((any NamedDeclSyntax).self)?.name,
          names.contains(name.plain)
        else { return nil }
        let path = Syntax(declaration).enclosingTypes + [name.plain]
        return (path.joined(separator: "."), source.location(of: name))
      }
    }
  }

  /// Reports new stores with models whose rows are in another store.
  private func others(
    than before: [String: (models: Set<String>, openings: [StoreOpening])],
    _ after: [String: (models: Set<String>, openings: [StoreOpening])], _ name: String
  ) -> [Diagnostic] {
    after.filter { before[$0.key] == nil }.sorted { $0.key < $1.key }.compactMap { new, held in
      let shared = after.filter { $0.key != new && before[$0.key] != nil }
        .sorted { $0.key < $1.key }
        .first { !$0.value.models.isDisjoint(with: held.models) }
      guard let shared, let opening = held.openings.first(where: { !$0.isExtension }) else {
        return nil
      }
      let models = held.models.intersection(shared.value.models).sorted().map { "'\($0)'" }
      return .changed(
        "rows of \(models.enumeration) are in \(shared.key), and the app now opens \(new) for \(models.count == 1 ? "it" : "them") as well: users' rows are not in \(new)",
        new, opening.place,
        "open \(shared.key) here, or list only other models for \(new)")
    }
  }

  /// Reports a new sandbox, and CloudKit entitlements that the base's app has and the app now lacks.
  private func entitled(_ base: StoreOpenings, _ name: String) -> [Diagnostic] {
    let outside = base.all.first { !$0.isInMemory && !$0.isShared }
    if entitlements.isSandboxed, !base.entitlements.isSandboxed, let outside {
      return [
        .changed(
          "the app's entitlements give it a sandbox, and in \(name) they do not: on a Mac it opens \(outside.store) in another folder, and the rows stay where they are",
          "entitlements", all.first?.place ?? outside.place,
          "let the system move the files: 'container-migration.plist' in the app's resources")
      ]
    }
    guard let opening = all.first(where: { !$0.isInMemory && $0.database != .none }) else {
      return []
    }
    return base.entitlements.losses(in: entitlements).map { lost in
      .changed(
        "the app's entitlements lack \(lost), which they have in \(name): users' rows in CloudKit no longer reach their devices",
        "entitlements", opening.place,
        "keep the entitlement, or say in the reason what happens to those rows")
    }
  }

  /// The stores on disk that have models of the version, by name.
  private func stores(
    of version: SchemaVersion
  ) -> [String: (models: Set<String>, openings: [StoreOpening])] {
    all.filter { !$0.isInMemory }.reduce(into: [:]) { stores, opening in
      let models = opening.models(of: version)
      guard !models.isEmpty else { return }
      stores[opening.store, default: ([], [])].models.formUnion(models)
      stores[opening.store, default: ([], [])].openings.append(opening)
    }
  }

  private func moved(
    _ lost: Set<String>, from old: String,
    _ before: [String: (models: Set<String>, openings: [StoreOpening])],
    _ after: [String: (models: Set<String>, openings: [StoreOpening])], _ name: String,
    _ version: SchemaVersion
  ) -> [Diagnostic] {
    let takers = after.filter { store, held in
      !lost.isDisjoint(with: held.models.subtracting(before[store]?.models ?? []))
    }
    // If no store has gained any of the lost models, the models may be in a store that already had them, or in memory.
    let taker =
      takers.min { $0.key < $1.key }
      ?? (after[old] == nil
        ? after.filter { !lost.isDisjoint(with: $0.value.models) }.min { $0.key < $1.key } : nil)
    let memory = all.first { $0.isInMemory && !lost.isDisjoint(with: $0.models(of: version)) }
    guard let place = taker?.value.openings.first?.place ?? memory?.place else {
      return after[old].map { [narrowed(lost, old, $0.openings[0], name)] } ?? []
    }
    let now = taker?.key ?? "a store in memory"
    let models = lost.sorted().map { "'\($0)'" }.enumeration
    let isNew = taker.map { before[$0.key] == nil } ?? true
    let drop =
      after[old] == nil
      ? "" : ", and the engine drops \(lost.count == 1 ? "its table" : "their tables") in \(old)"
    let isMove = after[old] == nil && isNew
    return [
      .changed(
        isMove
          ? "the app opens \(now), and in \(name) it opens \(old): unless the app moves the files, an update shows an empty store, and the rows stay where they are"
          : "rows of \(models) are in \(now), and in \(name) they are in \(old): unless the app copies them, an update shows none\(drop)",
        old, place,
        taker == nil
          ? "keep it on disk: a store in memory begins empty at each launch"
          : isMove
            ? "open \(old) as before, or let the app move its files (also '-wal' and '-shm') before a container is made"
            : "leave \(models) in \(old), or copy the rows before a container is made without them")
    ]
  }

  /// Reports a store that no container opens with all of its former models.
  private func narrowed(
    _ lost: Set<String>, _ store: String, _ opening: StoreOpening, _ name: String
  ) -> Diagnostic {
    let models = lost.sorted().map { "'\($0)'" }.enumeration
    return .changed(
      "this container opens \(store) without \(models), but in \(name) with \(lost.count == 1 ? "it" : "them"): the engine drops \(lost.count == 1 ? "its table" : "their tables") with all rows",
      store, opening.place, "open the store with \(models) as before")
  }

  /// Reports how a store is opened differently although its place is unchanged.
  private func opened(
    _ store: String, _ before: [StoreOpening], _ after: [StoreOpening], _ name: String,
    _ plan: String, _ told: Set<Place?>
  ) -> [Diagnostic] {
    var found: [Diagnostic] = []
    var plans = before.compactMap(\.plans).reduce(into: Set()) { $0.formUnion($1) }
    if before.contains(where: \.isOfVersions) { plans.insert(plan) }
    if !plans.isEmpty {
      for opening in after {
        guard let now = opening.plans, !now.contains(plan), now.isDisjoint(with: plans),
          !before.contains(where: { $0.plans == now }), !told.contains(opening.place)
        else { continue }
        let what = now.min().map { "with '\($0)'" } ?? "without a migration plan"
        found.append(
          .changed(
            "this container opens \(store) \(what), and in \(name) it is opened with '\(plans.sorted()[0])': that plan's stages do not run, and a store of an older version may not open",
            store, opening.place, "write 'migrationPlan: \(plan).self'"))
      }
    }
    if !before.allSatisfy(\.isReadOnly), after.allSatisfy(\.isReadOnly), let first = after.first {
      found.append(
        .changed(
          "\(store) is opened with 'allowsSave: false', and in \(name) it is not: what users enter is not saved, and a migration cannot be written",
          store, first.place, "remove 'allowsSave: false'"))
    }
    if let old = before.first(where: { $0.database.isNamed }), let first = after.first,
      !told.contains(first.place), before.allSatisfy(\.database.isNamed),
      after.allSatisfy({ $0.database == .none })
    {
      let container = old.database.container.map { " with '\($0)'" } ?? ""
      found.append(
        .changed(
          "\(store) no longer syncs, and in \(name) it syncs\(container): what users enter on one device does not reach their other devices, and a newly set up device has none of it",
          store, first.place, "sync the store as before"))
    }
    if before.allSatisfy(\.database.isNamed), !before.contains(where: \.syncsAtTimes),
      let first = after.first(where: { $0.syncsAtTimes && !told.contains($0.place) })
    {
      found.append(
        .changed(
          "\(store) syncs only where a condition holds, and in \(name) it always does: for all other users, what they enter on one device no longer reaches their other devices",
          store, first.place, "sync the store as before"))
    }
    let containers = before.compactMap(\.database.container)
    if let old = containers.first,
      let opening = after.first(where: {
        $0.database.container.map { !containers.contains($0) } ?? false
      }), let now = opening.database.container
    {
      found.append(
        .changed(
          "\(store) syncs with '\(now)', and in \(name) with '\(old)': what users have in that container no longer reaches their devices, and a newly set up device has none of it",
          store, opening.place, "sync with '\(old)' as before"))
    }
    return found
  }
}

extension CloudDatabase {
  fileprivate var container: String? { if case .named(let name) = self { name } else { nil } }

  fileprivate var isNamed: Bool { if case .named = self { true } else { false } }
}

extension Diagnostic {
  package static func changed(
    _ message: String, _ element: String, _ place: Place, _ help: String
  ) -> Diagnostic {
    Diagnostic(
      .storeMoved, message, element: element, at: place,
      help: [
        help,
        "if users lose nothing, write above this line: // schemagen:accept store-moved: REASON",
      ])
  }
}
