internal import SchemaEvolution
internal import SchemaLint
internal import SchemaModel
internal import SchemaWorkspace
internal import SwiftSyntax

// Which versions there are, in which order, and what their numbers are.
extension AdoptionRun {
  /// Decides for a plan and its versions; false where that has to be asked.
  mutating func choose(_ plans: [WrittenPlan], _ all: [WrittenVersion]) -> Bool {
    let used = inUse(plans)
    self.plans = used.map(\.type.fullName)
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
        .cannotAdopt, "there are \(chosen.count) migration plans", at: chosen[0].type.place,
        related: chosen.dropFirst().map { .init("'\($0.type.name)' is here", at: $0.type.place) },
        help: chosen.map { "adopt one at a time: --plan \($0.type.name)" })
      return false
    }
    let listed = Set(plans.flatMap(\.versions))
    plan = chosen.first
    let byName = Dictionary(all, keyedBy: \.name)
    if let plan {
      versions = plan.versions.compactMap { byName[$0] }
      if versions.isEmpty {
        report(
          .cannotAdopt, "the versions of '\(plan.type.name)' cannot be read", at: plan.type.place)
        return false
      }
      for version in all where !listed.contains(version.name) {
        report(
          .versionOutsidePlan, "'\(version.name)' is in no plan, and is not adopted",
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
  mutating func checkOrder() -> Bool {
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
  mutating func readUnversioned() {
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

  mutating func number() {
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
        help: ["the engine recognises stores by their checksum, never by this number"])
    }
  }

  static func isAscending(_ numbers: [VersionNumber?]) -> Bool {
    let known = numbers.compactMap { $0 }
    return known.count == numbers.count && zip(known, known.dropFirst()).allSatisfy { $0 < $1 }
  }
}

extension WrittenVersion {
  /// Whether it is one of the generator's own bridges, which no manifest describes.
  var isBridge: Bool {
    type.isGenerated && (type.documentation?.isAboutBridge ?? false)
  }

  var displayName: String { type.path.isEmpty ? "the app" : name }
}
