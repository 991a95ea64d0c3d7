internal import ManagedModels
internal import SchemaEvolution
internal import SchemaGit
internal import SchemaLint
internal import SchemaModel
internal import SchemaRendering
internal import SchemaWorkspace
internal import SwiftAdoption
internal import SwiftSources
internal import SwiftSyntax

/// The versions that the `@Model` classes of a source tree describe. Versions with none of the wanted models are left
/// out.
///
/// Where an adoption would ask the user about an ambiguity, each possible answer is a separate version.
struct ClassVersions {
  private(set) var versions: [CommitVersion] = []
  /// Why some classes cannot be read. Each sentence begins with a place.
  private(set) var troubles: [String] = []
  /// Types that models mention and no file declares.
  private(set) var missing: Set<String> = []

  /// The models and hashes of the versions, by the version's name, for reuse. Most models of a commit equal those of
  /// the commit before.
  private(set) var readings: [String: (model: VersionModel, hashes: VersionHashes)]

  private let names: Set<String>?
  private let conditions: BuildConditions
  private let lacking: [String]

  /// - Parameters:
  ///   - names: The names of a store's entities; nil for all models.
  ///   - lacking: Why files that may have models are missing from the sources. Each sentence begins with a path.
  ///   - readings: The readings of another commit.
  init(
    _ sources: [SwiftSource], named names: Set<String>?, _ conditions: BuildConditions,
    lacking: [String] = [],
    after readings: [String: (model: VersionModel, hashes: VersionHashes)] = [:]
  ) {
    self.readings = readings
    self.names = names
    self.conditions = conditions
    self.lacking = lacking
    let app = TestCode.parted(sources).app.filter {
      !GeneratedFile.isMarked($0.file.bytes) || !$0.mayHaveModels
    }
    read(app, below: "")
  }

  private func isNamed(_ name: String) -> Bool { names?.contains(name) ?? true }

  // MARK: Apps side by side

  /// Reads files that may belong to one app. In a collection of apps, several files may declare a class or a version of
  /// the same name. Then each folder is read separately, together with the files outside all of these folders.
  private mutating func read(_ sources: [SwiftSource], below folder: String) {
    let index = SourceIndex(sources, conditions)
    let repeated = index.types.filter { type in
      type.kind != .extension && isModel(type, index)
        && Set(index.declarations(of: type.path).map(\.file)).count > 1
    }
    var paths = Set(repeated.map { sources[$0.file].file.path })
    let areModels = !paths.isEmpty
    // If no model is repeated, look for different declarations of a stored type. These declarations separate the
    // folders, unless files outside of the folders declare models.
    if !areModels {
      paths = Set(
        index.types.filter { type in
          type.kind != .extension && type.path.count == 1 && !type.isModel
            && Self.isAmbiguous(type.path, index)
        }.map { sources[$0.file].file.path })
    }
    guard !paths.isEmpty, let folders = Self.parting(paths, below: folder) else {
      return read(index)
    }
    let shared = sources.filter { source in !folders.contains { source.file.path.hasPrefix($0) } }
    guard areModels || !shared.contains(where: TestCode.declaresStore) else { return read(index) }
    for folder in folders {
      read(shared + sources.filter { $0.file.path.hasPrefix(folder) }, below: folder)
    }
  }

  private func isModel(_ type: DeclaredType, _ index: SourceIndex) -> Bool {
    type.isModel && isNamed(type.name) || index.conforms(type.path, to: "VersionedSchema")
  }

  /// The outermost folders, with a trailing slash, that separate the files; nil if a file is directly in their parent
  /// folder.
  private static func parting(_ paths: Set<String>, below folder: String) -> [String]? {
    var folder = folder
    while true {
      var children: Set<String> = []
      for path in paths {
        guard let slash = path.dropFirst(folder.count).firstIndex(of: "/") else { return nil }
        children.insert(String(path[...slash]))
      }
      guard children.count == 1, let only = children.first else { return children.sorted() }
      folder = only
    }
  }

  // MARK: One app

  private mutating func read(_ index: SourceIndex) {
    var reader = VersionReader(index, conditions)
    let written = reader.versions().filter { !$0.type.isGenerated }
    var planReader = PlanReader(index, reader)
    let plans = planReader.plans()
    missing.formUnion(reader.missing.union(planReader.missing))
    for version in written {
      // The unreadable list of models may be the one that the store was written from.
      let finding = reader.findings.first {
        $0.element == version.name && $0.severity == .error
      }
      if let finding { tell(finding) }
      guard version.classes.contains(where: { isNamed($0.name) }) else { continue }
      let isOlder = Self.isOlder(version, written, plans)
      read(version, index, called: version.name, role: isOlder ? .known : .current)
      versions[versions.count - 1].assumption = finding.map(Self.sentence)
    }
    readUnversioned(index, beside: written)
  }

  /// Reads classes that no version lists: the classes of containers, or all of them if no container shows its classes.
  private mutating func readUnversioned(_ index: SourceIndex, beside written: [WrittenVersion]) {
    let listed = Set(written.flatMap(\.classes).map(\.fullName))
    let all = index.types.filter {
      $0.isModel && !$0.isGenerated && !listed.contains($0.fullName)
    }
    guard all.contains(where: { isNamed($0.name) }) else { return }
    let reader = ContainerReader(
      index, Adoption.Options(container: .any, conditions: conditions))
    missing.formUnion(reader.missing)
    var lists: [[DeclaredType]] = []
    for container in reader.containers
    where !lists.contains(where: { $0.hasSame(container.classes) }) {
      lists.append(container.classes)
    }
    for classes in lists
    where !classes.allSatisfy({ listed.contains($0.fullName) }) {
      read(classes, index)
    }
    guard reader.containers.isEmpty || !reader.unread.isEmpty else { return }
    let count = versions.count
    let unread = reader.hasGenerated ? nil : reader.unread.first
    defer {
      for place in versions.indices.dropFirst(count) {
        versions[place].assumption =
          unread.map { "what the container at \($0.placed) stores cannot be read" } ?? lacking.first
        versions[place].isLeftOver = !written.isEmpty && reader.unread.isEmpty
      }
    }
    for classes in Self.choices(all.filter { isNamed($0.name) })
    where !lists.contains(where: { $0.hasSame(classes) }) {
      read(classes, index) { schema in
        // Without a container all classes are assumed to be in one store.
        let held = Set(schema.models.map(\.name))
        let others = Set(all.map(\.name)).subtracting(held).sorted()
        let doubles = Set(written.flatMap(\.classes).map(\.name)).intersection(held).sorted()
        return
          (others.isEmpty
          ? [] : ["no container shows whether the store holds \(Self.listed(others)) as well"])
          + (doubles.isEmpty
            ? [] : ["a version lists other classes called \(Self.listed(doubles))"])
      }
    }
  }

  private static func listed(_ names: [String]) -> String {
    names.map { "'\($0)'" }.firstThree
  }

  private mutating func read(
    _ classes: [DeclaredType], _ index: SourceIndex,
    doubting doubts: (SchemaVersion) -> [String] = { _ in [] }
  ) {
    var root = classes[0]
    root.path = []
    var seen: Set<String> = []
    // A list may have a class twice.
    let classes = classes.filter { seen.insert($0.fullName).inserted }
    let folders = Set(classes.map { Path.folder(of: index.source(of: $0).file.path) }).sorted()
    let version = WrittenVersion(type: root, identifier: VersionNumber(1), classes: classes)
    let scopes = Set(classes.map { $0.path.dropLast().joined(separator: ".") })
    let scope = scopes.count == 1 ? scopes.first ?? "" : ""
    read(
      version, index,
      called: "the classes in \(folders.joined(separator: ", "))"
        + (scope.isEmpty ? "" : ", of \(scope)"), role: .current)
    if let schema = versions.last?.schema {
      versions[versions.count - 1].isUnversioned = true
      // These doubts concern which classes the store holds, not what the classes store.
      versions[versions.count - 1].doubts += doubts(schema).map {
        CommitVersion.Doubt($0, models: [])
      }
    }
  }

  /// Whether an app with this version writes stores of a later version, because its plan continues or a later version
  /// has a model of the same name.
  private static func isOlder(
    _ version: WrittenVersion, _ all: [WrittenVersion], _ plans: [WrittenPlan]
  ) -> Bool {
    let byName = Dictionary(all, keyedBy: \.name)
    let planned = plans.filter { $0.versions.contains(version.name) }
    guard planned.isEmpty else {
      return planned.allSatisfy { plan in
        let numbers = plan.versions.map { byName[$0]?.order }
        // Some plans list the newest first. If all versions have numbers, the numbers decide.
        guard !numbers.contains(nil), let most = numbers.compactMap(\.self).max() else {
          return plan.versions.last != version.name
        }
        return version.order != most
      }
    }
    guard let order = version.order else { return false }
    let names = Set(version.classes.map(\.name))
    return all.contains { other in
      other.order.map { order < $0 } ?? false && other.classes.contains { names.contains($0.name) }
    }
  }

  /// Sets of classes that may be in one store together, with one class for each name. If a name has several classes,
  /// each scope makes a set.
  private static func choices(_ classes: [DeclaredType]) -> [[DeclaredType]] {
    guard !classes.isEmpty else { return [] }
    let byName = Dictionary(grouping: classes, by: \.name)
    let scopes = Set(
      byName.values.filter { Set($0.map(\.fullName)).count > 1 }.joined().map {
        Array($0.path.dropLast())
      })
    guard !scopes.isEmpty else { return [classes] }
    let alone = byName.values.filter { Set($0.map(\.fullName)).count == 1 }.joined()
    return scopes.sorted { $0.lexicographicallyPrecedes($1) }.map { scope in
      let own = classes.filter { $0.path.dropLast().elementsEqual(scope) }
      let taken = Set(own.map(\.name))
      return own + alone.filter { !taken.contains($0.name) }.sorted { $0.fullName < $1.fullName }
    }
  }

  private mutating func read(
    _ version: WrittenVersion, _ index: SourceIndex, called name: String, role: CommitVersion.Role
  ) {
    let repeated = version.classes.first { index.declarations(of: $0.path).count > 1 }
    // Only the stored properties of classes matter here.
    var run = Adoption(
      index, Adoption.Options(container: .any, keepsClasses: true, conditions: conditions))
    run.versions = [version]
    run.number()
    let scopes = version.type.path.isEmpty ? [] : [version.type.path]
    let schema = run.read(0, ValueTypeNames(index, versions: scopes)).0
    missing.formUnion(run.undeclared)
    let earlier = readings[name]
    let model = VersionModel(schema, after: earlier?.model)
    let hashes = VersionHashes(
      of: model.model, knowing: earlier.map { ($0.model.model, $0.hashes) })
    readings[name] = (model, hashes)
    var found = CommitVersion(name: name, role: role, schema: schema, hashes: hashes)
    if let place = version.classes.lazy.compactMap({ index.source(of: $0).firstError }).first {
      found.doubts.append(CommitVersion.Doubt("\(place.placed): it does not parse"))
    }
    if let repeated {
      found.doubts.append(
        CommitVersion.Doubt(
          "'\(repeated.fullName)' is declared \(index.declarations(of: repeated.path).count) times, first at \(repeated.place.placed)"
        ))
    }
    for type in schema.types {
      let path = (type.appName ?? type.name).split(separator: ".").map(String.init)
      guard Self.isAmbiguous(path, index) else { continue }
      let all = index.declarations(of: path)
      let users = schema.models.filter { model in
        model.properties.contains { $0.type.names.contains(type.name) }
      }
      found.doubts.append(
        CommitVersion.Doubt(
          "'\(type.name)' is declared \(all.count) times, first at \(all[0].place.placed)",
          // If no model uses the type directly, any model may contain it.
          models: users.isEmpty ? nil : Set(users.map(\.name))))
    }
    for finding in run.findings where finding.severity == .error {
      found.doubts.append(
        CommitVersion.Doubt(
          Self.sentence(finding),
          models: finding.element.map { ElementPath(parsing: $0).owner }
            .flatMap { schema.model(named: $0) == nil ? nil : [$0] }))
    }
    versions.append(found)
  }

  private static func isAmbiguous(_ path: [String], _ index: SourceIndex) -> Bool {
    let all = index.declarations(of: path)
    guard let first = all.first, all.count > 1 else { return false }
    return all.dropFirst().contains { !$0.isSame(as: first) }
  }

  private mutating func tell(_ finding: Diagnostic) {
    let text = Self.sentence(finding)
    if !troubles.contains(text) { troubles.append(text) }
  }

  private static func sentence(_ finding: Diagnostic) -> String {
    (finding.location.map { $0.placed + ": " } ?? "") + finding.message
  }
}

extension [DeclaredType] {
  fileprivate func hasSame(_ others: [DeclaredType]) -> Bool {
    Set(map(\.fullName)) == Set(others.map(\.fullName))
  }
}

extension WrittenVersion {
  fileprivate var order: VersionNumber? { identifier ?? numberInName }
}

extension Place {
  fileprivate var placed: String { "\(file):\(line)" }
}

extension DeclaredType {
  fileprivate func isSame(as other: DeclaredType) -> Bool {
    kind == other.kind && inherited == other.inherited
      && members.map(\.trimmedDescription) == other.members.map(\.trimmedDescription)
  }
}
