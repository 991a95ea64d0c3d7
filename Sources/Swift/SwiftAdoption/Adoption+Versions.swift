internal import SchemaEvolution
internal import SchemaLint
internal import SchemaModel
internal import SchemaWorkspace
internal import SwiftSources
internal import SwiftSyntax

// This extension finds the versions, their order and their numbers.
extension Adoption {
  /// Chooses a plan and its versions; false if the user has to choose.
  mutating func choose(_ plans: [WrittenPlan], _ all: [WrittenVersion]) -> Bool {
    let used = inUse(plans)
    let isShared = used.indices.contains { index in
      used[..<index].contains { !$0.shared(with: used[index]).isEmpty }
    }
    // If plans that share versions were adopted together, shared versions would be generated twice.
    if !isShared { self.plans = used.map(\.type.fullName) }
    var chosen = used
    if let wanted = options.plan {
      chosen = plans.filter { $0.type.name == wanted || $0.type.fullName == wanted }
      if chosen.isEmpty {
        report(
          .cannotAdopt, "no migration plan is called '\(wanted)'", at: nil,
          help: Suggestion.help(for: wanted, among: plans.map(\.type.name)))
        return false
      }
      nameStore(chosen[0].type, among: used.map(\.type))
    }
    reportOtherPlans(plans, used)
    if chosen.count > 1 {
      report(
        .cannotAdopt,
        "there are \(chosen.count) migration plans" + (isShared ? ", and they share versions" : ""),
        at: chosen[0].type.place,
        related: chosen.dropFirst().map { .init("'\($0.type.name)' is here", at: $0.type.place) },
        help: options.container == .any
          ? ["open the store with the plan that schemagen generates, and remove these plans"]
          : chosen.map {
            (isShared ? "if all stores open with this plan" : "adopt one at a time")
              + ": --plan \($0.type.name)"
          })
      return false
    }
    let listed = Set(plans.flatMap(\.versions))
    plan = chosen.first
    let byName = Dictionary(all, keyedBy: \.name)
    if let plan {
      versions = plan.versions.compactMap { byName[$0] }
      if versions.isEmpty {
        report(
          .cannotAdopt,
          "'\(plan.type.name)' lists no version that hand-written code declares",
          element: plan.type.name, at: plan.type.place,
          help: [
            "if its versions are generated now, open the store with the plan that is generated with them, and remove '\(plan.type.name)'"
          ])
        return false
      }
      for version in all where !listed.contains(version.name) {
        report(
          .versionOutsidePlan, "'\(version.name)' is in no plan, and is not adopted",
          element: version.name, at: version.type.place,
          help: [
            "a store of this version would be unknown (134504): add the version to the plan first"
          ])
      }
    } else {
      versions = all.sorted {
        ($0.identifier ?? $0.numberInName ?? VersionNumber(0), $0.name)
          < ($1.identifier ?? $1.numberInName ?? VersionNumber(0), $1.name)
      }
    }
    versions.removeAll { $0.isBridge }
    return checkOrder()
  }

  /// Whether the plan's stages follow the order of its versions. If not, schemagen does not guess the order in which
  /// the versions shipped.
  mutating func checkOrder() -> Bool {
    guard let plan else { return true }
    turn(plan)
    let places = Dictionary(zip(versions.map(\.name), versions.indices).map { ($0, $1) }) { $1 }
    var isSound = true
    for stage in plan.stages {
      guard let from = places[stage.from], let to = places[stage.to], to < from else { continue }
      isSound = false
      report(
        .cannotAdopt,
        "this stage leads from '\(stage.from)' to '\(stage.to)', and the plan lists them the other way round",
        element: stage.to, at: stage.place, help: ["list versions from the oldest to the newest"])
    }
    return isSound
  }

  /// Reverses a plan's list if all its stages and the versions' numbers have the opposite order, since the engine
  /// follows the stages.
  private mutating func turn(_ plan: WrittenPlan) {
    let places = Dictionary(zip(versions.map(\.name), versions.indices).map { ($0, $1) }) { $1 }
    let ways = plan.stages.compactMap { stage in
      places[stage.from].flatMap { from in places[stage.to].map { (from, $0) } }
    }
    guard !ways.isEmpty, ways.allSatisfy({ $0 > $1 }),
      [versions.map(\.identifier), versions.map(\.numberInName)].contains(where: {
        Self.isAscending($0.reversed())
      })
    else { return }
    versions.reverse()
    report(
      .reversedPlan, "'\(plan.type.name)' lists its versions from the newest to the oldest",
      element: plan.type.name, at: plan.type.place,
      help: ["its stages and the versions' numbers lead the other way, and so do the manifests"])
  }

  mutating func readLive(except others: Set<String>) {
    let written = index.types.filter { $0.isModel && !$0.isGenerated }
    let all = written.filter { !others.contains($0.name) && !others.contains($0.fullName) }
    namesOfNothing = others.subtracting(written.flatMap { [$0.name, $0.fullName] })
      .subtracting(index.omitted.map(\.name)).sorted()
    for type in all where type.path.count > 1 {
      // Until '--finish', the hand-written versions still exist.
      if index.conforms(type.path.dropLast(), to: "VersionedSchema") { continue }
      report(
        .cannotAdopt, "'\(type.fullName)' is nested in another declaration",
        element: type.name, at: type.place,
        help: [
          "generated code names a class by one name: move it to the top level",
          "if the app does not store it, write into schemagen.yaml: notStored: [\(type.name)]",
        ])
    }
    hasWrittenVersions = index.types.contains { type in
      !type.isGenerated
        && ["VersionedSchema", "SchemaMigrationPlan"].contains { index.conforms(type.path, to: $0) }
    }
    let classes = all.filter { $0.path.count == 1 }
    guard !classes.isEmpty else { return }
    reportTwice(classes)
    reportAliases(in: classes)
    versions = [.unversioned(classes)]
    number()
    readVersions()
    let reader = containers
    undeclared.formUnion(reader.missing)
    unreadLists = reader.unreadLists
    if reader.unread.isEmpty {
      held = reader.containers.map {
        HeldModels(place: $0.place, names: reached(from: $0.classes))
      }
    }
  }

  /// Reports aliases that stored properties use and that mean something else in some builds.
  private mutating func reportAliases(in classes: [DeclaredType]) {
    let open = index.aliases.filter { !$0.unknownConditions.isEmpty }
    guard !open.isEmpty else { return }
    let names = classes.flatMap(\.members).compactMap { $0.as(VariableDeclSyntax.self) }
      .filter { !$0.modifiers.isStatic && $0.bindings.contains { !$0.isComputed } }
      .flatMap { $0.tokens(viewMode: .sourceAccurate).map(\.plain) }
    for alias in open where names.contains(alias.name) {
      findings.append(
        .buildCondition(
          "the meanings of '\(alias.name)'", element: alias.name, at: alias.place,
          unknown: alias.unknownConditions))
    }
  }

  /// Reports classes that are declared twice and store different things, since the one that the app stores is unknown.
  /// A widget's identical copy is not reported.
  private mutating func reportTwice(_ classes: [DeclaredType]) {
    let groups = Dictionary(grouping: classes, by: \.fullName)
    for (name, types) in groups.sorted(by: { $0.key < $1.key }) {
      guard let other = types.dropFirst().first(where: { $0.stored != types[0].stored }) else {
        continue
      }
      report(
        .cannotAdopt, "two classes are called '\(name)', and they do not store the same",
        element: name, at: types[0].place,
        related: [.init("the other class is here", at: other.place)],
        help: [
          "only one of them can be the model '\(name)': give the other class another name, or move its file out of the folder that 'classes:' names"
        ])
    }
  }

  mutating func readUnversioned() {
    let all = index.types.filter { $0.isModel && !$0.isGenerated }
    guard let models = contained(all) else {
      // If there are classes, the user has already been asked to choose a container.
      guard all.isEmpty, options.container != .any else { return }
      report(
        .cannotAdopt, "there is no '@Model' class in these files", at: nil,
        help: ["name the folder of the app's sources: schemagen adopt Sources"])
      return
    }
    reportTwice(models)
    versions = [.unversioned(models)]
  }

  /// The classes that the app's container names; all classes if no container lists any; `nil` if the user has to
  /// choose.
  private mutating func contained(_ all: [DeclaredType]) -> [DeclaredType]? {
    guard !all.isEmpty else { return nil }
    let reader = self.containers
    undeclared.formUnion(reader.missing)
    var containers = reader.containers
    if case .at(let wanted) = options.container {
      containers.removeAll { !$0.isAt(wanted) }
      guard let chosen = containers.first else {
        report(
          .cannotAdopt, "no container is created at '\(wanted)'", at: nil,
          help: reader.containers.map { "name the place of a container: \($0.option)" })
        return nil
      }
      let reached = reached(from: chosen.classes)
      return all.filter { reached.contains($0.fullName) }
    }
    guard !containers.isEmpty else {
      report(
        .unreachedModel,
        reader.unread.isEmpty
          ? "no container is created in these files: every '@Model' class is treated as one of its models"
          : "what this container holds cannot be read: every '@Model' class is treated as one of its models",
        at: reader.unread.first ?? all[0].place,
        help: [
          reader.unread.isEmpty
            ? "also name the folder in which the app creates its container"
            : "write the list out: [Habit.self, …]",
          "a store that has shipped shows which models it holds: schemagen inspect",
        ])
      return all
    }
    if let unread = reader.unread.first {
      if options.container == .any { return all }
      report(
        .cannotAdopt,
        "what this container holds cannot be read, and these files create other containers",
        at: unread,
        help: ["write the list out: [Habit.self, …]"]
          + containers.map { "or adopt another one: \($0.option)" })
      return nil
    }
    var kinds: [(container: WrittenContainer, reached: Set<String>)] = []
    for container in containers {
      let reached = reached(from: container.classes)
      if !kinds.contains(where: { $0.reached == reached }) { kinds.append((container, reached)) }
    }
    if kinds.count == 1 || options.container == .any {
      let held = all.filter { type in kinds.contains { $0.reached.contains(type.fullName) } }
      return held.isEmpty ? nil : held
    }
    report(
      .cannotAdopt,
      "there are \(kinds.count) containers that hold different models: \(kinds[0].reached.listed)",
      at: kinds[0].container.place,
      related: kinds.dropFirst().map {
        .init("this one holds \($0.reached.listed)", at: $0.container.place)
      },
      help: kinds.map { "adopt one at a time: \($0.container.option)" })
    return nil
  }

  /// The models in a store of some classes, including superclasses and the models that relationships lead to
  /// (docs/facts/identity.md#schema-holds-what-is-reachable).
  private func reached(from classes: [DeclaredType]) -> Set<String> {
    guard !classes.isEmpty else { return [] }
    var run = self
    run.versions = [.unversioned(classes)]
    run.number()
    return Set(run.read(0, valueTypes).1.map(\.fullName))
  }

  mutating func reportUnreachedModels() {
    let reached = Set(classes.joined().map(\.fullName))
    for type in index.types
    where type.isModel && !type.isGenerated && !reached.contains(type.fullName) {
      report(
        .unreachedModel,
        "the app's container does not lead to '\(type.fullName)', which is not adopted",
        element: type.name, at: type.place,
        help: [
          "SwiftData stores only classes that a container leads to; if another container holds the class, adopt that container's store with --container"
        ])
    }
  }

  // MARK: Numbers

  package mutating func number() {
    let written = versions.map(\.identifier)
    let inNames = versions.map(\.numberInName)
    for numbers in [written, inNames] where Self.isAscending(numbers) {
      self.numbers = numbers.compactMap { $0 }
      break
    }
    if numbers.isEmpty { numbers = versions.indices.map { VersionNumber($0 + 1) } }
    for (version, number) in zip(versions, numbers) {
      if !version.type.path.isEmpty { names[number] = version.name }
      guard let identifier = version.identifier, identifier != number else { continue }
      report(
        .renumbered, "'\(version.name)' is renumbered from \(identifier) to \(number)",
        element: version.name, at: version.identifierPlace ?? version.type.place,
        help: ["the engine recognises stores by their checksum, never by this number"])
    }
  }

  static func isAscending(_ numbers: [VersionNumber?]) -> Bool {
    let known = numbers.compactMap { $0 }
    return known.count == numbers.count && zip(known, known.dropFirst()).allSatisfy { $0 < $1 }
  }
}

extension WrittenVersion {
  var isBridge: Bool {
    type.isGenerated
      && ["The bridge from ", "The second bridge from "].contains {
        type.documentation?.hasPrefix($0) ?? false
      }
  }

  var displayName: String { type.path.isEmpty ? "the app" : name }

  /// The version of an app without versions, which has at least one class.
  fileprivate static func unversioned(_ classes: [DeclaredType]) -> WrittenVersion {
    var root = classes[0]
    root.path = []
    var seen: Set<String> = []
    return WrittenVersion(
      type: root, identifier: VersionNumber(1), identifierPlace: nil,
      classes: classes.filter { seen.insert($0.fullName).inserted })
  }
}

extension DeclaredType {
  /// The source text of a class's properties and macros, without comments and layout, sorted.
  fileprivate var stored: [String] {
    members.filter { member in
      if let variable = member.as(VariableDeclSyntax.self) {
        return !variable.modifiers.isStatic && variable.bindings.contains { !$0.isComputed }
      }
      return member.is(MacroExpansionDeclSyntax.self)
    }.map { $0.tokens(viewMode: .sourceAccurate).map(\.text).joined(separator: " ") }.sorted()
  }
}

extension WrittenContainer {
  fileprivate var option: String { "--container \(ShellWord.quoted(place.fileAndLine))" }

  fileprivate func isAt(_ text: String) -> Bool {
    [place.file, place.fileAndLine].contains { ("/" + $0).hasSuffix("/" + text) }
  }
}

extension Place {
  fileprivate var fileAndLine: String { "\(file):\(line)" }
}

extension Set<String> {
  fileprivate var listed: String {
    sorted().map { "'\($0)'" }.firstThree
  }
}
