internal import SchemaDiagnostics
internal import SchemaEvolution
internal import SchemaLint
internal import SchemaModel
internal import SwiftSyntax

/// One adoption, step by step.
struct AdoptionRun {
  let index: SourceIndex
  let options: Adoption.Options
  var history: [SchemaVersion] = []
  var configuration = Configuration()
  var code: [Adoption.AdoptedCode] = []
  var names: [VersionNumber: String] = [:]
  var replaced: [String] = []
  var newestFile: String?
  var undeclared: Set<String> = []
  var plans: [String] = []
  var strays: [Model] = []
  var findings: [Diagnostic] = []
  private var plan: WrittenPlan?
  private var versions: [WrittenVersion] = []
  private var numbers: [VersionNumber] = []
  /// The generator's own, which tell what such versions are called.
  private var bridges: [WrittenVersion] = []
  /// Classes that versions are made of, each version's own.
  private var classes: [[DeclaredType]] = []
  /// What stands for a version that was left out, by name.
  private var merged: [String: String] = [:]

  init(_ index: SourceIndex, _ options: Adoption.Options) {
    self.index = index
    self.options = options
  }

  mutating func run() {
    var versionReader = VersionReader(index, options.conditions)
    let all = versionReader.versions()
    var planReader = PlanReader(index, versionReader)
    let plans = planReader.plans()
    self.plans = plans.map(\.type.name)
    findings += versionReader.findings
    for model in index.omitted {
      findings.append(
        .buildCondition(
          "'\(model.name)' and all that is in it", element: model.name, at: model.place))
    }
    guard choose(plans, all) else { return }
    findings += planReader.findings
    if versions.isEmpty { readUnversioned() }
    guard !versions.isEmpty else { return }
    number()
    readVersions()
    // What could not be read would only be missed in all that follows.
    guard !findings.hasErrors else { return }
    mergeTwins()
    reportLiveModels()
    reportStrayModels(all)
    dropHalfConverters()
    connectSteps()
    configure()
    acknowledge()
    dropBrokenConverters()
    adoptStages()
    freeze()
    newestFile = (versions.last?.type).map { index.source(of: $0).file.path }
    replaced = replacedFiles(all)
  }

  /// The files that declare what is generated from now on: versions, models, the plan, and aliases of models.
  private func replacedFiles(_ all: [WrittenVersion]) -> [String] {
    var files = Set(classes.joined().map(\.file))
    let adopted = Set(versions.map(\.name)).union(merged.keys)
    var paths = all.filter { adopted.contains($0.name) }.map(\.type.path)
    if let plan { paths.append(plan.type.path) }
    for path in paths where !path.isEmpty {
      files.formUnion((index.declarations(of: path) + index.extensions(of: path)).map(\.file))
    }
    let models = Set(classes.joined().map(\.fullName))
    var names = Set(files.map { index.sources[$0].file.path })
    for alias in index.aliases where alias.path.count == 1 {
      let type = index.type(named: alias.target.nameParts, in: [])
      if let type, type.path.count > 1, models.contains(type.fullName) {
        names.insert(alias.place.file)
      }
    }
    return names.sorted()
  }

  // MARK: Which versions

  /// Decides for a plan and its versions; false where that has to be asked.
  private mutating func choose(_ plans: [WrittenPlan], _ all: [WrittenVersion]) -> Bool {
    var plans = plans
    if let wanted = options.plan {
      plans = plans.filter { $0.type.name == wanted || $0.type.fullName == wanted }
      if plans.isEmpty {
        report(
          .cannotAdopt, "no migration plan is called '\(wanted)'", at: nil,
          help: Suggestion.help(for: wanted, among: all.map(\.type.name)))
        return false
      }
    }
    if plans.count > 1 {
      report(
        .cannotAdopt, "there are \(plans.count) migration plans", at: plans[0].type.place,
        related: plans.dropFirst().map { .init("'\($0.type.name)' is here", at: $0.type.place) },
        help: plans.map { "adopt one at a time: --plan \($0.type.name)" })
      return false
    }
    plan = plans.first
    let known = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
    if let plan {
      versions = plan.versions.compactMap { known[$0] }
      if versions.isEmpty {
        report(
          .cannotAdopt, "the versions of '\(plan.type.name)' cannot be read", at: plan.type.place)
        return false
      }
      let listed = Set(plan.versions)
      for version in all where !listed.contains(version.name) && plans.count == 1 {
        report(
          .versionOutsidePlan, "'\(version.name)' stands in no plan, and is not adopted",
          element: version.name, at: version.type.place,
          help: ["a store that it has written would be unknown (134504): add it to the plan first"])
      }
    } else {
      versions = all.sorted {
        ($0.identifier ?? $0.numberInName ?? VersionNumber(0), $0.name)
          < ($1.identifier ?? $1.numberInName ?? VersionNumber(0), $1.name)
      }
    }
    bridges = versions.filter(\.isBridge)
    versions.removeAll { $0.isBridge }
    return checkOrder()
  }

  /// Whether the plan's stages lead the way that its list of versions goes: what shipped when is not guessed.
  private mutating func checkOrder() -> Bool {
    guard let plan else { return true }
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

  /// An app that has no versions yet: what it stores today is the first.
  private mutating func readUnversioned() {
    let models = index.types.filter { $0.isModel && !$0.isGenerated }
    guard let first = models.first else {
      report(
        .cannotAdopt, "there is no '@Model' class in these files", at: nil,
        help: ["name the folder of the app's sources: schemagen adopt Sources"])
      return
    }
    var root = first
    root.path = []
    versions = [
      WrittenVersion(
        type: root, identifier: VersionNumber(1), identifierPlace: nil, classes: models)
    ]
  }

  // MARK: Numbers

  private mutating func number() {
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
        .renumbered, "'\(version.name)' calls itself \(identifier), and becomes \(number)",
        element: version.name, at: version.identifierPlace ?? version.type.place,
        help: ["stores are known by their checksum, never by this number"])
    }
  }

  private static func isAscending(_ numbers: [VersionNumber?]) -> Bool {
    let known = numbers.compactMap { $0 }
    return known.count == numbers.count && zip(known, known.dropFirst()).allSatisfy { $0 < $1 }
  }

  // MARK: Models

  private mutating func readVersions() {
    var typeNames = ValueTypeNames(index, versions: versions.map(\.type.path))
    for position in versions.indices {
      let (version, listed, remaining) = read(position, typeNames)
      typeNames = remaining
      history.append(version)
      classes.append(listed)
    }
  }

  /// Reads a version until no model leads to one that is not read.
  private mutating func read(
    _ position: Int, _ typeNames: ValueTypeNames
  ) -> (SchemaVersion, [DeclaredType], ValueTypeNames) {
    var listed = versions[position].classes
    var round = (models: [Model](), types: [ValueTypeDeclaration](), findings: [Diagnostic]())
    var remaining = typeNames
    while true {
      var names: [String: String] = [:]
      for type in listed { names[type.fullName] = type.name }
      let scope = ModelScope(
        version: versions[position].type.path, names: names, foreign: options.models)
      var resolver = TypeResolver(index, scope, typeNames)
      round = ([], [], [])
      for type in listed {
        var reader = ModelReader(type, type.name, index, resolver)
        var model = reader.read()
        if type.isGenerated { model.readGeneratedDocumentation() }
        let refusal = ConverterReader(index: index, type: type).apply(
          to: &model, isNewest: position == versions.count - 1)
        if let refusal { round.findings.append(refusal) }
        round.models.append(model)
        round.findings += reader.findings
        resolver = reader.types
      }
      for name in round.models.flatMap({ $0.encodedNames }) where !TypeResolver.isKnown(name) {
        let found = index.type(
          named: name.split(separator: ".").map(String.init), in: scope.version)
        resolver.used[name] = resolver.used[name] ?? .some(found)
      }
      let new = Dictionary(resolver.unlisted.map { ($0.fullName, $0) }) { first, _ in first }
        .values.sorted { $0.fullName < $1.fullName }
      guard !new.isEmpty else {
        var reader = ValueTypeReader(index, resolver)
        round.types = reader.readAll()
        undeclared.formUnion(reader.types.used.filter { $0.value == nil }.map(\.key))
        round.findings += undeclaredTypes(round.models, reader.types)
        round.findings += reader.findings
        remaining = reader.types.names
        break
      }
      for type in new {
        report(
          .modelNotListed,
          "'\(type.name)' is not among the models of '\(versions[position].displayName)', and one of them leads to it",
          element: type.name, at: type.place,
          help: ["SwiftData takes it in all the same, and so does the manifest"])
      }
      listed += new
    }
    findings += round.findings
    var version = SchemaVersion(
      number: numbers[position], models: round.models, types: round.types,
      location: versions[position].type.place)
    version.summary = summary(versions[position])
    version.joinInverses()
    reportDuplicates(listed)
    return (version, listed, remaining)
  }

  private func undeclaredTypes(_ models: [Model], _ types: TypeResolver) -> [Diagnostic] {
    types.used.filter { $0.value == nil }.keys.sorted().map { name in
      let users = models.flatMap { model in
        model.properties.filter { $0.type.names.contains(name) }.map { (model, $0) }
      }
      return Diagnostic(
        .undeclaredType, "no file declares '\(name)', so that nothing is said of its parts",
        element: name, at: users.first?.1.location,
        help: ["where it is the app's own, name the folder in which it is declared as well"])
    }
  }

  private mutating func reportDuplicates(_ listed: [DeclaredType]) {
    for (name, types) in Dictionary(grouping: listed, by: \.name).sorted(by: { $0.key < $1.key })
    where types.count > 1 {
      report(
        .cannotAdopt, "two models of one version are called '\(name)'", element: name,
        at: types[0].place, related: types.dropFirst().map { .init("here as well", at: $0.place) },
        help: ["an entity's name is its class's: only one of them can be stored"])
    }
  }

  /// What a version's documentation says it is about.
  private func summary(_ version: WrittenVersion) -> String? {
    guard let text = version.type.path.isEmpty ? nil : version.type.documentation else {
      return nil
    }
    let line = text.split(separator: "\n").first.map(String.init) ?? ""
    if version.type.isGenerated {
      // `Version 9.0.0: Three-timezone model.`
      guard line.hasPrefix("Version "), let colon = line.firstRange(of: ": ") else { return nil }
      return String(line[colon.upperBound...]).withoutFullStop
    }
    return line.count <= 80 ? line.withoutFullStop : nil
  }

  /// Of neighbours that store the same, the later one stays: stores cannot tell them apart, and no plan may have both.
  private mutating func mergeTwins() {
    for position in history.indices.dropLast().reversed()
    where history[position].canonical == history[position + 1].canonical {
      let old = versions[position].name
      let new = versions[position + 1].name
      let hasCode =
        plan?.stages.contains {
          $0.from == old && $0.to == new && ($0.willMigrate != nil || $0.didMigrate != nil)
        } ?? false
      guard !hasCode else { continue }
      report(
        .mergedVersion, "'\(new)' stores what '\(old)' stores, and stands for both", element: old,
        at: versions[position].type.place,
        related: [.init("'\(new)' is here", at: versions[position + 1].type.place)],
        help: [
          "to the framework they are one version: with both in a plan the app ends at launch",
          "a store of '\(old)' is one of '\(new)', so that nothing is lost",
        ])
      merged[old] = merged[new] ?? new
      for (name, target) in merged where target == old { merged[name] = new }
      names[numbers[position]] = nil
      versions.remove(at: position)
      numbers.remove(at: position)
      history.remove(at: position)
      classes.remove(at: position)
    }
  }

  private mutating func reportLiveModels() {
    for position in versions.indices.dropLast() {
      let version = versions[position]
      let later = Set(classes[(position + 1)...].joined().map(\.fullName))
      let shared = classes[position].filter { later.contains($0.fullName) }
      guard !shared.isEmpty else { continue }
      let names = shared.map(\.name).sorted().joined(separator: ", ")
      report(
        .liveModel,
        "'\(version.name)' shares classes with a later version: \(names)", element: version.name,
        at: version.type.place,
        help: [
          "what they were when it shipped is not in these sources: they are read as they are now",
          "if they have changed since, take this version from the tag of its release, or from a store of it",
        ])
    }
  }

  /// Models of today that no version knows.
  private mutating func reportStrayModels(_ all: [WrittenVersion]) {
    guard !versions[0].type.path.isEmpty else { return }
    let known = Set(all.flatMap(\.classes).map(\.fullName))
      .union(classes.joined().map(\.fullName))
    for type in index.types where type.isModel && !known.contains(type.fullName) {
      report(
        .modelNotListed, "'\(type.fullName)' stands in no version, and is not adopted",
        element: type.name, at: type.place,
        help: ["if the app stores it, add it to a new version: schemagen new-version"])
      var names = Dictionary(classes[classes.count - 1].map { ($0.fullName, $0.name) }) { $1 }
      names[type.fullName] = type.name
      let scope = ModelScope(version: [], names: names, foreign: options.models)
      var reader = ModelReader(
        type, type.name, index, TypeResolver(index, scope, ValueTypeNames(index, versions: [])))
      strays.append(reader.read())
    }
  }

  // MARK: Steps

  /// Turns original names into renames, as far as the version before has the property.
  private mutating func connectSteps() {
    let written = history
    for position in history.indices.dropFirst() {
      let before = Dictionary(written[position - 1].models.map { ($0.name, $0) }) { $1 }
      let connected = history[position - 1]
      for place in history[position].models.indices {
        let name = history[position].models[place].name
        guard let old = before[name], let known = connected.model(named: name) else { continue }
        for index in history[position].models[place].properties.indices {
          Self.connect(&history[position].models[place].properties[index], old, known)
          forgetBridge(&history[position].models[place].properties[index], position, name)
        }
      }
    }
  }

  /// A name that only a bridge of ours had on the way is nobody's original one.
  private func forgetBridge(_ property: inout Property, _ position: Int, _ model: String) {
    guard versions[position].type.isGenerated, let name = property.originalName else { return }
    let start = "bridge from \(numbers[position - 1].name) to \(numbers[position].name):"
    let isBridges = bridges.contains { bridge in
      guard bridge.type.documentation?.contains(start) ?? false else { return false }
      return index.members(of: bridge.type.path + [model]).contains { member in
        member.as(VariableDeclSyntax.self)?.bindings.contains {
          $0.pattern.trimmedDescription == name
        } ?? false
      }
    }
    if isBridges { property.originalName = nil }
  }

  /// - Parameters:
  ///   - old: The model of the version before, as it is written.
  ///   - known: The same, connected: its original names are those from before the first version.
  private static func connect(_ property: inout Property, _ old: Model, _ known: Model) {
    let original = property.originalName
    if let same = old.property(named: property.name) {
      // Said once more, as SwiftData wants it; a manifest says it once, and does not forget it.
      if original == nil || (same.originalName ?? same.name) == original {
        property.originalName = known.property(named: property.name)?.originalName
      }
      return
    }
    guard let original else { return }
    let source =
      old.properties.first { $0.name == original }
      ?? old.properties.first { $0.originalName == original }
    guard let source else { return }
    property.hop.renamedFrom = Located(source.name, at: property.location)
    property.originalName = known.property(named: source.name)?.originalName
  }

  /// A model whose newest version has no entity has none in the others either.
  private mutating func dropHalfConverters() {
    let converted = Set(history.last?.models.filter { $0.entity != nil }.map(\.name) ?? [])
    for position in history.indices {
      for place in history[position].models.indices
      where !converted.contains(history[position].models[place].name)
        && !versions[position].type.isGenerated
      {
        history[position].models[place].removeConverter()
      }
    }
  }

  /// Converters of older versions that would raise questions are left to the app.
  private mutating func dropBrokenConverters() {
    let evolution = Evolution(history: history, configuration: configuration)
    let rules: Set<Rule> = [
      .noWayForward, .noWayBack, .missingFallback, .unorderable, .conflictingEntity,
    ]
    let broken = evolution.diagnostics.filter {
      $0.severity == .error && rules.contains($0.rule)
    }
    for name in Set(broken.compactMap { $0.element?.split(separator: ".").first.map(String.init) })
      .sorted()
    {
      guard let type = classes.last?.first(where: { $0.name == name }), !type.isGenerated else {
        continue
      }
      report(
        .notCarried,
        "the converters of '\(name)' need what no manifest of these versions says, so they stay yours",
        element: name, at: type.place,
        help: broken.filter { $0.element?.hasPrefix(name) ?? false }.map(\.message))
      for position in history.indices {
        for place in history[position].models.indices
        where history[position].models[place].name == name {
          history[position].models[place].removeConverter()
        }
      }
    }
    if !history.contains(where: { $0.models.contains { $0.entity != nil } }) {
      configuration.converters = .none
      configuration.entities = .generated
    }
  }

  /// Says under `drops:` what each version takes away, as the plan that shipped did.
  private mutating func acknowledge() {
    let evolution = Evolution(history: history, configuration: configuration)
    for hop in evolution.hops {
      for change in hop.changes
      where change.classification.needsAcknowledgement && change.acknowledgement == nil {
        let version = names[history[hop.to].number] ?? history[hop.to].number.name
        history[hop.to].drops.append(
          Drop(
            element: Located(change.element),
            reason:
              "not in \(version.split(separator: ".").last ?? ""), which was adopted as it had shipped"
          ))
        guard !versions[hop.to].type.isGenerated else { continue }
        let questions = hop.questions(about: change.element)
        report(
          .adoptedDrop,
          "'\(change.element)' is gone in '\(version)': \(change.reason)", element: change.element,
          at: questions.first?.location ?? change.location ?? versions[hop.to].type.place,
          help: ["it is acknowledged under 'drops:', as this is what the plan does"]
            + questions.map { "\($0.message); instead of the entry: \($0.help.first ?? "")" },
          severity: questions.isEmpty ? .note : .warning)
      }
      history[hop.to].drops.sort { $0.element.value < $1.element.value }
    }
    for (before, after) in zip(history.indices, history.indices.dropFirst())
    where !history[before].number.successors.contains(history[after].number) {
      history[after].acceptances.append(
        Acceptance(
          rule: Located("version-gap"), target: .element(Located(history[after].number.name)),
          reason: "the plan that was adopted has no version between"))
    }
  }

  /// Stores know a version by the identity that its own classes gave it.
  private mutating func freeze() {
    var seen: [String: Int] = [:]
    for position in history.indices {
      let identity = StructuralIdentity(of: history[position]).certain
      let twin = seen[identity]
      seen[identity] = twin ?? position
      if versions[position].type.isGenerated {
        removeOwnModifiers(position)
      } else if let twin {
        report(
          .mergedVersion,
          "'\(versions[position].name)' looks to the framework as '\(versions[twin].name)' does: it gets a hash modifier",
          element: versions[position].name, at: versions[position].type.place,
          help: [
            "with both as they are in a plan the app ends at launch",
            "a store of '\(versions[position].name)' is taken for one of '\(versions[twin].name)', and goes the way from there",
          ])
      } else {
        history[position].identity = .shipped
      }
    }
  }

  /// Hash modifiers that the generator itself adds are not in manifests.
  private mutating func removeOwnModifiers(_ position: Int) {
    let labels = Set(history.prefix(position + 1).map(\.number.name))
    for place in history[position].models.indices {
      for index in history[position].models[place].properties.indices {
        let property = history[position].models[place].properties[index]
        guard let modifier = property.hashModifier, labels.contains(modifier) else { continue }
        var stripped = history
        stripped[position].models[place].properties[index].hashModifier = nil
        let evolution = Evolution(history: stripped, configuration: configuration)
        guard position < evolution.positions.count else { continue }
        let physical = evolution.chain[evolution.positions[position]].schema
        if physical.models[place].properties[index].hashModifier == modifier { history = stripped }
      }
    }
  }

  // MARK: Stages

  private mutating func adoptStages() {
    guard let plan, history.count > 1 else { return }
    if plan.type.isGenerated {
      for hop in history.indices.dropFirst() {
        let owned = Hop.ownedName(from: numbers[hop - 1], to: numbers[hop])
        history[hop].hooks = plan.hooks(callingInto: owned)
      }
      return
    }
    let byName = Dictionary(
      zip(versions.map(\.name), versions.indices).map { ($0, $1) }
    ) { first, _ in first }
    var stages: [Int: WrittenStage] = [:]
    for stage in plan.stages {
      guard let from = byName[merged[stage.from] ?? stage.from],
        let to = byName[merged[stage.to] ?? stage.to], from != to
      else { continue }
      if to == from + 1 {
        stages[from] = stage
        adoptCode(stage, from, to)
      } else {
        report(
          .stageDiffers,
          "this stage leads from '\(stage.from)' to '\(stage.to)', which do not follow each other",
          element: stage.to, at: stage.place, help: ["one stage for each pair of neighbours"])
      }
    }
    let evolution = Evolution(history: history, configuration: configuration)
    for hop in evolution.hops { compare(stages[hop.from], hop, plan) }
  }

  private mutating func adoptCode(_ stage: WrittenStage, _ from: Int, _ to: Int) {
    guard stage.willMigrate != nil || stage.didMigrate != nil else { return }
    history[to].hooks = Hooks(before: stage.willMigrate != nil, after: stage.didMigrate != nil)
    code.append(
      Adoption.AdoptedCode(
        from: numbers[from], to: numbers[to],
        before: qualified(stage.willMigrate?.lines ?? [], in: from),
        beforeContext: stage.willMigrate?.context ?? "context",
        after: qualified(stage.didMigrate?.lines ?? [], in: to),
        afterContext: stage.didMigrate?.context ?? "context"))
    report(
      .adoptedCode,
      "the code of the stage to '\(stage.to)' is in the owned file of the step, word for word",
      element: stage.to, at: stage.place,
      help: [
        "what it uses from around the stage has to come along",
        "what only 'didMigrate' does is lost when the app is killed before it",
      ])
  }

  /// Code in which models bear the name of a version: those that stood at the top level go into it.
  private func qualified(_ lines: [String], in position: Int) -> [String] {
    let names = Set(classes[position].filter { $0.path.count == 1 }.map(\.name))
    guard !names.isEmpty, !lines.isEmpty else { return lines }
    let text = lines.joined(separator: "\n")
    let finder = NameFinder(names)
    finder.walk(SwiftSource(SourceFile(path: "", text: text)).syntax)
    var bytes = Array(text.utf8)
    let prefix = Array((configuration.names.schema(numbers[position]) + ".").utf8)
    for offset in finder.offsets.sorted(by: >) { bytes.insert(contentsOf: prefix, at: offset) }
    return String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Holds the author's kind of stage against what the changes need.
  private mutating func compare(_ stage: WrittenStage?, _ hop: Hop, _ plan: WrittenPlan) {
    let step = "\(versions[hop.from].name) → \(versions[hop.to].name)"
    guard let stage else {
      report(
        .stageDiffers, "no stage leads over \(step)", element: versions[hop.to].name,
        at: plan.type.place,
        help: ["the generated plan has one; without it such a store cannot be opened (134504)"])
      return
    }
    let grave = hop.changes.filter { $0.mechanism > .lightweight }
    if !stage.isCustom, !grave.isEmpty {
      report(
        .stageDiffers,
        "\(step) is lightweight in the plan, and "
          + (grave.contains { $0.mechanism == .impossible }
            ? "cannot be inferred" : "needs a custom stage"),
        element: versions[hop.to].name, at: stage.place,
        help: grave.map {
          "\($0.element): \($0.classification.title): \($0.reason) (\($0.classification.basis.source), "
            + "\($0.classification.basis.mark.rawValue))"
        })
    } else if stage.isCustom, grave.isEmpty, stage.willMigrate == nil, stage.didMigrate == nil {
      report(
        .stageDiffers,
        "\(step) is custom in the plan without doing anything: every change in it is inferred",
        element: versions[hop.to].name, at: stage.place,
        help: ["the generated plan has a lightweight stage, or a stop where one is needed"],
        severity: .note)
    }
  }

  // MARK: Configuration

  private mutating func configure() {
    configuration.access =
      classes.joined().contains { $0.modifiers.has(.public) || $0.modifiers.has(.open) }
      ? .public : classes.joined().contains { $0.modifiers.has(.package) } ? .package : .internal
    if let plan { configuration.names.plan = plan.type.name }
    adoptSchemaPattern()
    adoptBridgePattern()
    adoptActivePattern()
    let entities = Set(history.flatMap(\.models).compactMap(\.entity))
    if entities.isEmpty {
      configuration.converters = .none
    } else if entities.contains(where: { index.type([$0]).map { !$0.isGenerated } ?? false }) {
      configuration.entities = .own
    }
  }

  private mutating func adoptSchemaPattern() {
    guard !versions[0].type.path.isEmpty else { return }
    let names = versions.map(\.type.name)
    let candidates = zip(names, numbers).flatMap { name, number -> [String] in
      guard let range = name.ranges(of: number.label).last else { return [] }
      return [name.replacingCharacters(in: range, with: "{version}")]
    }
    let pattern = candidates.first { pattern in
      zip(names, numbers).allSatisfy {
        pattern.replacingPlaceholder("version", with: $1.label) == $0
      }
    }
    if let pattern {
      configuration.names.schema = pattern
    } else if let first = versions.first(where: { version in
      version.type.name
        != configuration.names.schema(numbers[versions.firstIndex { $0.name == version.name }!])
    }) {
      report(
        .notCarried,
        "no one pattern makes the names of the versions: \(names.joined(separator: ", "))",
        element: first.name, at: first.type.place,
        help: [
          "they are called \(configuration.names.schema(numbers[0])) and so on; their stores are the same"
        ])
    }
  }

  /// What the generator's own bridges are called, where that is not what they would be called anyway.
  private mutating func adoptBridgePattern() {
    for bridge in bridges {
      for (old, new) in zip(numbers, numbers.dropFirst()) {
        guard
          bridge.type.documentation?.hasPrefix("The bridge from \(old.name) to \(new.name)")
            ?? false, bridge.type.name != configuration.names.bridge(from: old, to: new, step: 1)
        else { continue }
        var pattern = bridge.type.name
        guard let to = pattern.ranges(of: new.label).last else { continue }
        pattern = pattern.replacingCharacters(in: to, with: "{to}")
        guard let from = pattern.ranges(of: old.label).last else { continue }
        configuration.names.bridge = pattern.replacingCharacters(in: from, with: "{from}")
        return
      }
    }
  }

  /// How app code names today's models: by aliases, or by the classes themselves where no version encloses them.
  private mutating func adoptActivePattern() {
    let newest = classes[classes.count - 1]
    if newest.contains(where: { $0.path.count == 1 }) {
      configuration.names.active = "{model}"
      for type in newest where type.path.count > 1 {
        report(
          .notCarried,
          "'\(type.fullName)' is called '\(type.name)' from now on, as models at the top level are",
          element: type.name, at: type.place, help: ["or give other names under 'names:'"])
      }
      return
    }
    let paths = Dictionary(newest.map { ($0.fullName, $0.name) }) { first, _ in first }
    var patterns: [String: Int] = [:]
    for alias in index.aliases where alias.path.count == 1 {
      guard let type = index.type(named: alias.target.nameParts, in: []),
        let name = paths[type.fullName], let range = alias.name.ranges(of: name).last
      else { continue }
      let pattern = alias.name.replacingCharacters(in: range, with: "{model}")
      // `HabitModelV9` is the version's alias, not the app's.
      guard !pattern.contains(where: \.isNumber) else { continue }
      patterns[pattern, default: 0] += 1
    }
    noteOtherAliases(newest)
    let best = patterns.max { ($0.value, $1.key) < ($1.value, $0.key) }
    if let best { configuration.names.active = best.key }
  }

  /// Aliases of today's models that have names of their own.
  private mutating func noteOtherAliases(_ newest: [DeclaredType]) {
    let paths = Dictionary(newest.map { ($0.fullName, $0.name) }) { first, _ in first }
    for alias in index.aliases where alias.path.count == 1 && !alias.isGenerated {
      guard let type = index.type(named: alias.target.nameParts, in: []),
        let name = paths[type.fullName], !alias.name.contains(name)
      else { continue }
      report(
        .notCarried, "no pattern makes the alias '\(alias.name)' of '\(name)'", element: name,
        at: alias.place, help: ["keep it, and let it name the model's active alias"])
    }
  }

  private mutating func report(
    _ rule: Rule, _ message: String, element: String? = nil, at place: Place?,
    related: [Diagnostic.Related] = [], help: [String] = [],
    severity: Diagnostic.Severity? = nil
  ) {
    findings.append(
      Diagnostic(
        rule, message, element: element, at: place, related: related, help: help,
        severity: severity))
  }
}

/// Where names stand by themselves, as types or as values.
private final class NameFinder: SyntaxVisitor {
  /// UTF-8 units from the text's start.
  private(set) var offsets: [Int] = []
  private let names: Set<String>

  init(_ names: Set<String>) {
    self.names = names
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
    add(node.name)
    return .visitChildren
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    let isMember =
      node.parent?.as(MemberAccessExprSyntax.self).map { $0.declName.id == node.id } ?? false
    if !isMember { add(node.baseName) }
    return .visitChildren
  }

  private func add(_ token: TokenSyntax) {
    if names.contains(token.plain) {
      offsets.append(token.positionAfterSkippingLeadingTrivia.utf8Offset)
    }
  }
}

extension WrittenPlan {
  /// Which functions of an owned file the stages of a generated plan call.
  fileprivate func hooks(callingInto owned: String) -> Hooks {
    let lines = stages.flatMap { ($0.willMigrate?.lines ?? []) + ($0.didMigrate?.lines ?? []) }
    func calls(_ name: String) -> Bool {
      lines.contains { $0.contains("\(owned).\(name)(context)") }
    }
    return Hooks(before: calls("before"), after: calls("after"))
  }
}

extension WrittenVersion {
  /// Whether it is one of the generator's own bridges, which no manifest describes.
  fileprivate var isBridge: Bool {
    type.isGenerated && (type.documentation?.isAboutBridge ?? false)
  }

  fileprivate var displayName: String { type.path.isEmpty ? "the app" : name }
}

extension SchemaVersion {
  /// Tells both ends of a relationship of each other, as reading a manifest does.
  fileprivate mutating func joinInverses() {
    for model in models {
      for property in model.properties {
        guard let relationship = property.relationship, relationship.declaresInverse,
          let inverse = relationship.inverse
        else { continue }
        var owner = models.firstIndex { $0.name == relationship.destination.value }
        while let place = owner {
          let index = models[place].properties.firstIndex { $0.name == inverse.value }
          if let index, case .relationship(var other) = models[place].properties[index].kind {
            if other.inverse == nil {
              other.inverse = Located(property.name, at: property.location)
            }
            models[place].properties[index].kind = .relationship(other)
            break
          }
          let parent = models[place].superclass?.value
          owner = models.firstIndex { $0.name == parent }
        }
      }
    }
  }
}

extension Model {
  /// Takes off what says how rows become entities.
  fileprivate mutating func removeConverter() {
    entity = nil
    for index in properties.indices {
      let isRelationship = properties[index].relationship != nil
      properties[index].mapping = EntityMapping(form: isRelationship ? .omit : .value)
      if case .attribute(var attribute) = properties[index].kind {
        attribute.encodes = nil
        attribute.fallback = nil
        properties[index].kind = .attribute(attribute)
      }
    }
  }

  /// Names of types whose JSON is stored.
  fileprivate var encodedNames: [String] {
    properties.flatMap { $0.attribute?.encodes?.names ?? [] }
  }

  /// Reads what the generator adds to documentation: the entity, and what is stored as JSON.
  fileprivate mutating func readGeneratedDocumentation() {
    if let (name, rest) = documentation?.splitting("Converts to `", "`.") {
      entity = name
      documentation = rest
    }
    for index in properties.indices {
      guard case .attribute(var attribute) = properties[index].kind,
        let (name, rest) = properties[index].documentation?.splitting("JSON of `", "`."),
        let type = try? TypeReference(parsing: name)
      else { continue }
      attribute.encodes = type
      properties[index].kind = .attribute(attribute)
      properties[index].documentation = rest
    }
  }
}

extension String {
  fileprivate var isAboutBridge: Bool {
    hasPrefix("The bridge from ") || hasPrefix("The second bridge from ")
  }

  fileprivate var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }

  fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
    self[..<range.lowerBound] + text + self[range.upperBound...]
  }

  /// What stands between two texts in the last paragraph, and the text without that paragraph.
  fileprivate func splitting(_ start: String, _ end: String) -> (String, String?)? {
    var lines = split(separator: "\n", omittingEmptySubsequences: false)
    guard let last = lines.popLast(), last.hasPrefix(start), last.hasSuffix(end) else { return nil }
    while lines.last?.isEmpty ?? false { lines.removeLast() }
    let rest = lines.joined(separator: "\n")
    return (String(last.dropFirst(start.count).dropLast(end.count)), rest.isEmpty ? nil : rest)
  }
}
