internal import SchemaEvolution
internal import SchemaModel

/// The path of one model's rows through consecutive versions, with their model in each.
struct RowPath: Hashable {
  var start: Int
  /// The model in each version from `start` on; the list ends early if the rows are dropped.
  var models: [String]
  /// Whether a step made new rows from the old ones.
  var isMade: Bool

  var end: Int { start + models.count - 1 }

  func model(at version: Int) -> String { models[version - start] }
}

/// What one step does to one property, according to the newer manifest.
enum StepOrigin {
  /// The property continues an older one and keeps its values, perhaps under another name or type.
  case continued(Property)
  case converted([Property])
  case added
}

/// Follows rows and properties from version to version, according to the manifests.
///
/// The generator does the same in `HistoryGraph`. This second implementation is intentional, because a rehearsal that
/// used the generator's would repeat the generator's mistakes.
struct RowLineage: Sendable {
  let history: [SchemaVersion]
  let lookups: [VersionIndex]
  let cases: CaseLineage

  init(_ history: [SchemaVersion]) {
    self.history = history
    var declarations: [String: ValueTypeDeclaration] = [:]
    for version in history {
      for type in version.types { declarations[type.name] = type }
    }
    let newest = declarations
    let cases = CaseLineage(history: history)
    self.cases = cases
    lookups = history.indices.map { index in
      // Rows have the fields that the struct has in their version.
      let own = history[index].types.filter { !$0.fields.isEmpty }
      return VersionIndex(
        history[index], declarations: newest.merging(own.map { ($0.name, $0) }) { $1 },
        moved: cases.moved(from: index))
    }
  }

  // MARK: Rows

  /// The paths of a model's rows from one version to another; a path ends early if its rows are dropped. Rows of
  /// submodels have their own paths.
  func rowPaths(of model: String, from: Int, to: Int) -> [RowPath] {
    var open = [RowPath(start: from, models: [model], isMade: false)]
    var ended: [RowPath] = []
    for version in from..<to {
      var next: [RowPath] = []
      for rowPath in open {
        let successors = successors(of: rowPath.model(at: version), after: version)
        if successors.isEmpty { ended.append(rowPath) }
        for (name, isMade) in successors {
          var longer = rowPath
          longer.models.append(name)
          longer.isMade = longer.isMade || isMade
          next.append(longer)
        }
      }
      open = next
    }
    // If one path of the rows reaches the end, paths that end early lose nothing, because the rows at the end have the
    // values.
    return open.isEmpty ? Array(ended.prefix(1)) : open
  }

  private func successors(of model: String, after version: Int) -> [(name: String, isMade: Bool)] {
    let old = lookups[version]
    let new = lookups[version + 1]
    var successors: [(String, Bool)] = []
    if let same = new.models[model], same.sources.isEmpty { successors.append((model, false)) }
    let own = modelsMade(of: model, in: new)
    successors += own.map { ($0, true) }
    // A fetch of a model includes its submodels' rows.
    for ancestor in old.lineage(of: model).dropLast() {
      for name in modelsMade(of: ancestor.name, in: new)
      where !own.contains(where: { new.isModel($0, within: name) }) {
        successors.append((name, true))
      }
    }
    return successors
  }

  func heirs(of model: String, after version: Int) -> [String] {
    successors(of: model, after: version).map(\.name)
  }

  private func modelsMade(of model: String, in lookup: VersionIndex) -> [String] {
    lookup.version.models.filter { $0.sources.contains { $0.value == model } }.map(\.name).sorted()
  }

  // MARK: Properties

  func origin(of property: Property, on rowPath: RowPath, at version: Int) -> StepOrigin {
    let before = rowPath.model(at: version - 1)
    let now = rowPath.model(at: version)
    func find(_ name: String) -> Property? { lookups[version - 1].property(name, of: before) }
    // Between plain types and enums or structs the engine drops the old property and adds the new one
    // (docs/facts/migration.md#plain-to-composite). Code that makes new rows copies the old value.
    func goesOn(_ old: Property) -> Bool {
      old.isStored && (old.relationship == nil) == (property.relationship == nil)
        && (before != now
          || lookups[version - 1].isComposite(old) == lookups[version].isComposite(property))
    }
    if !property.migration.from.isEmpty {
      let sources = property.migration.from.compactMap { find($0.value) }
      // If a model is made from several models, a property may come from only one of these models.
      if sources.count == property.migration.from.count { return .converted(sources) }
      return .added
    }
    if let source = property.migration.renamedFrom {
      if let old = find(source.value), goesOn(old) { return .continued(old) }
      return .added
    }
    let isTaken = lookups[version].isRenamed(property.name, in: now)
    if !isTaken, let old = find(property.name), goesOn(old) { return .continued(old) }
    return .added
  }

  func successors(of property: String, on rowPath: RowPath, at version: Int) -> [Property] {
    lookups[version + 1].properties(of: rowPath.model(at: version + 1)).filter { candidate in
      guard candidate.isStored else { return false }
      switch origin(of: candidate, on: rowPath, at: version + 1) {
      case .continued(let old): return old.name == property
      case .converted(let olds): return olds.contains { $0.name == property }
      case .added: return false
      }
    }
  }
}
