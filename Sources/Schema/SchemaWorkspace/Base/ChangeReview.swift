internal import SchemaEvolution
internal import SchemaLint
package import SchemaModel

extension Rule {
  package static let weakerChecks = Rule(
    "weaker-checks", .warning, "A change weakens the checks that it has to pass",
    basis: .page("approvals"))

  package static let storeMoved = Rule(
    "store-moved", "An update opens the stores that users have, with all their rows",
    basis: .page("approvals"), isAcceptable: true)
}

/// Checks a change's statements about itself: which versions have shipped, and how strict the checks are.
///
/// If the change has a target branch, that branch decides which versions have shipped and how strict the checks are. A
/// weaker check is a finding.
struct ChangeReview {
  private let base: ComparisonBase?

  init(_ base: ComparisonBase?) {
    self.base = base
  }

  /// The target branch's configuration. Nil if there is no target branch, or if its configuration is incomplete.
  private var authority: Configuration? {
    guard let base, base.authority?.isWhole == true, let folder = base.folder, !folder.isMalformed
    else { return nil }
    return folder.configuration
  }

  private var shipped: Set<VersionNumber>? {
    guard let base, authority != nil else { return nil }
    return base.shippedNumbers
  }

  /// Leaves out versions that have not shipped according to the target branch. Keeps all if `authority` is nil.
  func released(_ versions: Set<VersionNumber>) -> Set<VersionNumber> {
    shipped.map(versions.intersection) ?? versions
  }

  /// A copy of the lock in which versions that only this change marks as shipped are drafts.
  func lock(_ lock: SchemaLock) -> SchemaLock {
    guard let shipped else { return lock }
    var judged = lock
    for index in judged.entries.indices where !shipped.contains(judged.entries[index].version) {
      judged.entries[index].state = .draft
    }
    return judged
  }

  /// A copy of the configuration, made as strict as the target branch's.
  func judging(_ configuration: Configuration) -> Configuration {
    guard let authority else { return configuration }
    var judged = configuration
    for id in Self.loosened(from: authority, to: configuration) {
      judged.rules[id] = authority.rules[id]
    }
    if Self.isLooser(configuration.policy, than: authority.policy) {
      judged.policy = authority.policy
    }
    if authority.cloudKit == .private { judged.cloudKit = .private }
    for platform in Self.raised(from: authority, to: configuration) {
      judged.platforms[platform] = authority.platforms[platform]
    }
    return judged
  }

  private static func isLooser(
    _ policy: Configuration.Policy, than other: Configuration.Policy
  ) -> Bool {
    policy != other && (other == .strict || policy == .inferred)
  }

  /// The platforms on which the new configuration no longer supports some system versions.
  private static func raised(
    from old: Configuration, to new: Configuration
  ) -> [Configuration.Platform] {
    Configuration.Platform.allCases.filter { platform in
      // A configuration without platforms means all platforms.
      let isNamed = new.platforms.isEmpty || new.platforms[platform] != nil
      let was = old.platforms.isEmpty ? platform.lowest : old.platforms[platform]
      guard let was else { return false }
      return !isNamed || (new.platforms[platform] ?? platform.lowest) > was
    }
  }

  private static func loosened(from old: Configuration, to new: Configuration) -> [String] {
    let rules = Dictionary(RuleCatalog.all, keyedBy: \.id)
    func weight(_ id: String, _ configuration: Configuration) -> Int? {
      let level =
        configuration.rules[id]?.value
        ?? rules[id].flatMap { Configuration.RuleLevel(rawValue: $0.severity.rawValue) }
      return level.flatMap(Configuration.RuleLevel.allCases.firstIndex)
    }
    return Set(old.rules.keys).union(new.rules.keys).sorted().filter { id in
      guard let before = weight(id, old), let now = weight(id, new) else { return false }
      return now < before
    }
  }

  // MARK: Findings

  func findings(_ folder: SchemaFolder) -> [Diagnostic] {
    guard let base, let before = base.folder, !before.isMalformed, !folder.isMalformed else {
      return []
    }
    let (was, now) = (before.configuration, folder.writtenConfiguration)
    let file = SourceLocation(file: Path.join(folder.path, "schemagen.yaml"))
    var found: [Diagnostic] = []
    func tell(
      _ element: String, _ words: String, _ place: SourceLocation? = nil,
      _ severity: Diagnostic.Severity? = nil
    ) {
      var finding = finding(element, words, place ?? file)
      finding.severity = severity ?? finding.severity
      found.append(finding)
    }
    if Self.isLooser(now.policy, than: was.policy) {
      tell(
        "policy", "'policy: \(now.policy.rawValue)' is weaker than '\(was.policy.rawValue)'")
    }
    for id in Self.loosened(from: was, to: now) {
      let level = now.rules[id].map { "'\($0.value.rawValue)'" } ?? "its own severity"
      tell(
        "rules", "the rule '\(id)' gets \(level), which is weaker than before",
        now.rules[id]?.location)
    }
    if was.cloudKit == .private, now.cloudKit == .none {
      tell("cloudKit", "'cloudKit: none' turns off the rules for a store that syncs")
    }
    if was.cloud.container != now.cloud.container, let old = was.cloud.container {
      tell(
        "cloud",
        "'cloud:' names the container '\(now.cloud.container ?? "none")' instead of '\(old)': an updated app does not see records in the old container"
      )
    }
    for platform in Self.raised(from: was, to: now) {
      let lowest = now.platforms[platform].map { " before \($0)" } ?? ""
      // This is only a note: an app raises its lowest systems about once a year, and this change is still checked with
      // the base's systems.
      tell(
        "platforms", "'platforms:' leaves out stores on \(platform.rawValue)\(lowest)", nil, .note)
    }
    if was.classes != now.classes, let folder = was.classes {
      tell(
        "classes",
        "the classes are no longer read from '\(folder)'"
          + (now.classes.map { ", but from '\($0)'" } ?? ""))
    }
    for version in folder.versions
    where version.identity == .shipped && !base.shippedNumbers.contains(version.number) {
      tell(
        version.number.name,
        "'identity: shipped' says that \(version.number.name) has shipped, but \(base.name) does not have that line",
        version.location)
    }
    return found
  }

  private func finding(
    _ element: String, _ words: String, _ place: SourceLocation?
  ) -> Diagnostic {
    Diagnostic(
      .weakerChecks, words, element: element, at: place,
      help: authority.map { _ in
        [
          "\(base?.name ?? "") sets the rules for this change: make the edit there first, in a separate change"
        ]
      } ?? ["tell a reviewer about this change"])
  }

  /// Losses by migration code of the app that the change adds and that rules cannot read: new hooks, hooks with changed
  /// code, changed functions of shipped steps, and changed templates.
  func code(_ folder: SchemaFolder, released: Set<VersionNumber>) -> [Loss] {
    guard let evolution = folder.evolution else { return [] }
    let before = base?.folder?.ownCode ?? [:]
    var found = evolution.steps.flatMap { step -> [Loss] in
      let (old, new) = (step.old, step.new)
      guard released.contains(old.number) else { return [] }
      let name = VersionStep.name(from: old.number, to: new.number)
      let hooks = ["before", "after"].compactMap { hook -> Loss? in
        let element = ElementPath(name, hook)
        guard let digest = folder.ownCode[element], before[element] != digest,
          base?.folder != nil || !released.contains(new.number)
        else { return nil }
        return Loss(
          version: new.number, element: element, rule: Self.hook,
          words:
            "'\(element)' is app code that can change or delete any row, and no rule checks it",
          answer: "sha256 \(digest)", location: new.location)
      }
      return hooks + changedFunctions(of: step, ElementPath(name, "functions"), folder)
    }
    let templates = ElementPath(Self.templates)
    if base?.folder != nil, before[templates] != folder.ownCode[templates],
      let newest = folder.versions.last
    {
      found.append(
        Loss(
          version: newest.number, element: templates, rule: Self.templates,
          words: "new templates change the code of every version, and no rule checks that code",
          answer: folder.ownCode[templates].map { "sha256 \($0)" } ?? "none",
          location: SourceLocation(file: Path.join(folder.path, "schemagen.yaml"))))
    }
    return found + statements(folder)
  }

  /// The loss if the base marks a step as shipped and has another file of functions for it.
  private func changedFunctions(
    of step: VersionStep, _ element: ElementPath, _ folder: SchemaFolder
  ) -> [Loss] {
    guard let base = base?.folder, base.lock.released.contains(step.new.number),
      let was = base.ownCode[element], was != folder.ownCode[element]
    else { return [] }
    return [
      Loss(
        version: step.new.number, element: element, rule: Self.hook,
        words:
          "the functions of a step that has shipped have changed: users who still have \(step.old.number.name) get other "
          + "values, and no rule checks that code",
        answer: "sha256 \(folder.ownCode[element] ?? "none")", location: step.new.location)
    ]
  }

  /// Losses by statements about code that rules do not read: the values of `#if` conditions in the shipped app, and the
  /// claim that new code reads what old code wrote.
  private func statements(_ folder: SchemaFolder) -> [Loss] {
    guard let before = base?.folder, !before.isMalformed, let newest = folder.versions.last else {
      return []
    }
    let file = SourceLocation(file: Path.join(folder.path, "schemagen.yaml"))
    let defines = folder.configuration.defines.sorted { $0.key < $1.key }
      .filter { before.configuration.defines[$0.key] != $0.value }
      .map { condition, value in
        Loss(
          version: newest.number, element: ElementPath(Self.define, condition), rule: Self.define,
          words:
            "'define:' says that '#if \(condition)' is \(value) in every build that ships: if one build differs, "
            + "its stores differ too, and no rule checks that build",
          answer: "\(condition): \(value)", location: file)
      }
    let codings = newest.types.compactMap { type -> Loss? in
      let was = before.versions.last { $0.type(named: type.name) != nil }?.type(named: type.name)
      // `isCoded(as:)` allows static constants that were added to the type, because they do not affect old rows.
      guard let was, let coding = type.coding, !type.isCoded(as: was) else { return nil }
      return Loss(
        version: newest.number, element: ElementPath(type.name), rule: Self.coding,
        words:
          "the change says that the new code of '\(type.name)' can read old rows, and no rule checks that code",
        answer: "coding \(coding)", location: type.location)
    }
    return defines + codings
  }

  /// Findings about losses by code, if no approval is required. Losses by custom coding get no finding, because the
  /// manifest confirms them.
  func findings(ofCode losses: [Loss]) -> [Diagnostic] {
    guard base?.folder != nil else { return [] }
    return losses.filter { Self.ofCode.contains($0.rule) && $0.rule != Self.coding }.map {
      finding($0.element.description, $0.words, $0.location)
    }
  }

  private static let hook = "hook"
  private static let templates = "templates"
  private static let define = "define"
  private static let coding = "coding"
  /// The names that replace a rule's id in approvals of code.
  static let ofCode = [hook, templates, define, coding]
}
