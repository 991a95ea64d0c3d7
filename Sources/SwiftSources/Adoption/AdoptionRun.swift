internal import SchemaDiagnostics
internal import SchemaEvolution
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
  var findings: [Diagnostic] = []
  private var plan: WrittenPlan?
  private var versions: [WrittenVersion] = []
  private var numbers: [VersionNumber] = []
  /// Classes that versions are made of, each version's own.
  private var classes: [[DeclaredType]] = []

  init(_ index: SourceIndex, _ options: Adoption.Options) {
    self.index = index
    self.options = options
  }

  mutating func run() {
    var versionReader = VersionReader(index, options.conditions)
    let all = versionReader.versions()
    var planReader = PlanReader(index, versionReader)
    let plans = planReader.plans()
    findings += versionReader.findings
    guard choose(plans, all) else { return }
    findings += planReader.findings
    if versions.isEmpty { readUnversioned() }
    guard !versions.isEmpty else { return }
    number()
    readVersions()
    reportLiveModels()
    reportStrayModels(all)
    connectSteps()
    configure()
    acknowledge()
    adoptStages()
    freeze()
    let files = Set(classes.joined().map(\.file)).union(versions.map(\.type.file))
      .union(plan.map { [$0.type.file] } ?? [])
    newestFile = classes.last?.last.map { index.source(of: $0).file.path }
    replaced = files.map { index.sources[$0].file.path }.sorted()
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
    versions.removeAll { $0.isBridge }
    return true
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
      WrittenVersion(type: root, identifier: VersionNumber(1), identifierPlace: nil, classes: models)
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
        help: ["stores are known by their checksum, never by this number (swiftdata.md §3)"])
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
      let scope = ModelScope(version: versions[position].type.path, names: names)
      var resolver = TypeResolver(index, scope, typeNames)
      round = ([], [], [])
      for type in listed {
        var reader = ModelReader(type, type.name, index, resolver)
        var model = reader.read()
        ConverterReader(index: index, type: type).apply(
          to: &model, isNewest: position == versions.count - 1)
        if type.isGenerated { model.stripGeneratedDocumentation() }
        round.models.append(model)
        round.findings += reader.findings
        resolver = reader.types
      }
      for name in round.models.flatMap({ $0.encodedNames }) where !TypeResolver.isKnown(name) {
        let found = index.type(named: name.split(separator: ".").map(String.init), in: scope.version)
        resolver.used[name] = resolver.used[name] ?? .some(found)
      }
      let new = Dictionary(resolver.unlisted.map { ($0.fullName, $0) }) { first, _ in first }
        .values.sorted { $0.fullName < $1.fullName }
      guard !new.isEmpty else {
        var reader = ValueTypeReader(index, resolver)
        round.types = reader.readAll()
        undeclared.formUnion(reader.types.used.filter { $0.value == nil }.map(\.key))
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
    reportDuplicates(listed)
    return (version, listed, remaining)
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
    guard let text = version.type.path.isEmpty ? nil : version.type.documentation else { return nil }
    let line = text.split(separator: "\n").first.map(String.init) ?? ""
    if version.type.isGenerated {
      // `Version 9.0.0: Three-timezone model.`
      guard line.hasPrefix("Version "), let colon = line.firstRange(of: ": ") else { return nil }
      return String(line[colon.upperBound...]).withoutFullStop
    }
    return line.count <= 80 ? line.withoutFullStop : nil
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
    }
  }

  // MARK: Steps

  /// Turns original names into renames, as far as the version before has the property.
  private mutating func connectSteps() {
    let written = history
    for position in history.indices.dropFirst() {
      let before = Dictionary(written[position - 1].models.map { ($0.name, $0) }) { $1 }
      for place in history[position].models.indices {
        guard let old = before[history[position].models[place].name] else { continue }
        for index in history[position].models[place].properties.indices {
          Self.connect(&history[position].models[place].properties[index], old)
        }
      }
    }
  }

  private static func connect(_ property: inout Property, _ old: Model) {
    guard let original = property.originalName else { return }
    if let same = old.property(named: property.name) {
      // Said once more, as SwiftData wants it; a manifest says it once.
      if (same.originalName ?? same.name) == original { property.originalName = nil }
      return
    }
    let source =
      old.properties.first { $0.name == original }
      ?? old.properties.first { $0.originalName == original }
    guard let source else { return }
    property.hop.renamedFrom = Located(source.name, at: property.location)
    property.originalName = nil
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
            reason: "not in \(version.split(separator: ".").last ?? ""), which was adopted as it had shipped"))
        guard !versions[hop.to].type.isGenerated else { continue }
        report(
          .adoptedDrop,
          "'\(change.element)' is gone in '\(version)': \(change.reason)", element: change.element,
          at: change.location ?? versions[hop.to].type.place,
          help: [
            "it is acknowledged under 'drops:', as this is what the plan does; if something else is what it was, "
              + "write 'renamedFrom:' there instead"
          ])
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
    var seen: Set<String> = []
    for position in history.indices {
      let isNew = seen.insert(StructuralIdentity(of: history[position]).certain).inserted
      if versions[position].type.isGenerated {
        removeOwnModifiers(position)
      } else if isNew {
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
    let byName = Dictionary(
      zip(versions.map(\.name), versions.indices).map { ($0, $1) }) { first, _ in first }
    var stages: [Int: WrittenStage] = [:]
    for stage in plan.stages where !plan.type.isGenerated {
      guard let from = byName[stage.from], let to = byName[stage.to] else { continue }
      if to == from + 1 {
        stages[from] = stage
        adoptCode(stage, from, to)
      } else {
        report(
          .stageDiffers, "this stage leads from '\(stage.from)' to '\(stage.to)', which do not follow each other",
          element: stage.to, at: stage.place, help: ["one stage for each pair of neighbours"])
      }
    }
    guard !plan.type.isGenerated else { return }
    let evolution = Evolution(history: history, configuration: configuration)
    for hop in evolution.hops { compare(stages[hop.from], hop, plan) }
  }

  private mutating func adoptCode(_ stage: WrittenStage, _ from: Int, _ to: Int) {
    guard stage.willMigrate != nil || stage.didMigrate != nil else { return }
    history[to].hooks = Hooks(before: stage.willMigrate != nil, after: stage.didMigrate != nil)
    code.append(
      Adoption.AdoptedCode(
        from: numbers[from], to: numbers[to], before: stage.willMigrate?.lines ?? [],
        beforeContext: stage.willMigrate?.context ?? "context",
        after: stage.didMigrate?.lines ?? [],
        afterContext: stage.didMigrate?.context ?? "context"))
    report(
      .adoptedCode,
      "the code of the stage to '\(stage.to)' is in the owned file of the step, word for word",
      element: stage.to, at: stage.place,
      help: [
        "what it uses from around the stage has to come along",
        "what only 'didMigrate' does is lost when the app is killed before it (swiftdata.md §5)",
      ])
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
      version.type.name != configuration.names.schema(numbers[versions.firstIndex { $0.name == version.name }!])
    }) {
      report(
        .notCarried,
        "no one pattern makes the names of the versions: \(names.joined(separator: ", "))",
        element: first.name, at: first.type.place,
        help: ["they are called \(configuration.names.schema(numbers[0])) and so on; their stores are the same"])
    }
  }

  /// How app code names today's models: by aliases, or by the classes themselves where no version encloses them.
  private mutating func adoptActivePattern() {
    let newest = classes[classes.count - 1]
    if newest.allSatisfy({ $0.path.count == 1 }) {
      configuration.names.active = "{model}"
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
    let best = patterns.max { ($0.value, $1.key) < ($1.value, $0.key) }
    if let best { configuration.names.active = best.key }
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

extension WrittenVersion {
  /// Whether it is one of the generator's own bridges, which no manifest describes.
  fileprivate var isBridge: Bool {
    type.isGenerated && (type.documentation?.hasPrefix("The bridge from ") ?? false)
  }

  fileprivate var displayName: String { type.path.isEmpty ? "the app" : name }
}

extension Model {
  /// Names of types whose JSON is stored.
  fileprivate var encodedNames: [String] {
    properties.flatMap { $0.attribute?.encodes?.names ?? [] }
  }

  /// Takes off what the generator adds to documentation.
  fileprivate mutating func stripGeneratedDocumentation() {
    if let entity { documentation = documentation?.without("Converts to `\(entity)`.") }
    for index in properties.indices {
      if let encodes = properties[index].attribute?.encodes {
        properties[index].documentation =
          properties[index].documentation?.without("JSON of `\(encodes)`.")
      }
    }
  }
}

extension String {
  fileprivate var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }

  fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
    self[..<range.lowerBound] + text + self[range.upperBound...]
  }

  /// The text without its last paragraph, where that is the given one.
  fileprivate func without(_ paragraph: String) -> String? {
    guard hasSuffix(paragraph) else { return self }
    var rest = dropLast(paragraph.count)
    while rest.last?.isNewline ?? false { rest.removeLast() }
    return rest.isEmpty ? nil : String(rest)
  }
}
