package import SchemaEvolution
package import SchemaModel

/// The target branch's rules for approvals. They count instead of the change's rules, which the change's author may
/// have written.
package struct ApprovalAuthority: Sendable {
  package let name: String
  let mode: Configuration.Approvals
  /// Whether the branch's configuration could be read completely. A file that the configuration extends may be
  /// unavailable.
  let isWhole: Bool
  let approvals: Approvals
  /// Whether CODEOWNERS gives the approvals file an owner. The platform's settings decide whether the owner must review
  /// it.
  package let isOwned: Bool
  let diagnostics: [Diagnostic]

  /// - Parameter root: The repository's root, and the path from there to the change's folder of manifests. Nil if there
  ///   is no repository.
  package init(
    name: String, path: String, root: (path: String, folder: String)?, fileSystem: some FileSystem
  ) throws(FileSystemError) {
    self.name = name
    let (configuration, isWhole) = ManifestFiles(path, fileSystem: fileSystem).configuration
    mode = configuration.approvals
    self.isWhole = isWhole
    let (approvals, problems) = Approvals.read(in: path, fileSystem)
    self.approvals = problems.isEmpty ? approvals : Approvals()
    diagnostics = problems.map { problem in
      Diagnostic(
        .brokenBase,
        "the approvals in \(name) are broken, so none of them counts: \(problem.message)",
        at: nil)
    }
    // If there are two CODEOWNERS files, each may be for another platform, so both must name the file.
    var owned: [Bool] = []
    if let root {
      let file = Path.join(root.folder, Approvals.fileName)
      for place in CodeOwners.places {
        let owners = Path.join(root.path, place)
        if let bytes = try fileSystem.read(owners, limit: SchemaFolder.readLimit) {
          owned.append(CodeOwners.own(file, in: String(decoding: bytes, as: UTF8.self)))
        }
      }
    }
    isOwned = !owned.isEmpty && !owned.contains(false)
  }
}

/// Compares a change's losses of shipped data with the approvals of people other than its author.
///
/// Losses come from the versions, not from lint, so an accepted finding, a disabled rule and a baseline do not matter.
/// With a base, the base decides whether approvals are needed, and which count.
package struct LossReview: Sendable {
  package let losses: [Loss]
  /// The losses without an approval that counts. Empty if no approval is required.
  package let unapproved: [Loss]
  package let isDemanded: Bool
  package let problems: [Diagnostic]
  package let own: Approvals
  private let path: String
  private let mode: Configuration.Approvals
  private let authority: ApprovalAuthority?
  private let countsOwn: Bool
  /// Whether the base's versions are readable, so earlier losses are known.
  private let knowsBefore: Bool

  init(
    _ folder: SchemaFolder, released: Set<VersionNumber>, comparison: BaseComparison?,
    base: ComparisonBase?, found: [Loss] = [], fileSystem: some FileSystem
  ) {
    path = folder.path
    let (own, broken) = Approvals.read(in: folder.path, fileSystem)
    self.own = own
    authority = base?.authority
    let configured = folder.configuration.approvals
    // The previous commit shows what this commit removes, but not who approves the removal.
    let demanded = authority?.mode ?? base?.folder?.configuration.approvals ?? .none
    mode = demanded == .none ? configured : demanded
    isDemanded = mode != .none
    // If the base requires no approvals, the change that adds the requirement may also add the first approvals.
    var countsOwn = true
    if let authority = base?.authority {
      countsOwn =
        (demanded == .none && authority.isWhole) || (mode == .owners && authority.isOwned)
    }
    self.countsOwn = countsOwn
    let approvals = (authority?.approvals ?? Approvals()).union(countsOwn ? own : Approvals())
    problems = broken + (isDemanded ? authority?.diagnostics ?? [] : [])

    let settled = base == nil ? released : Set(comparison?.shippedVersions ?? [])
    var before = Set<Approvals.Key>()
    if let base, let evolution = base.folder?.evolution {
      before = Set(evolution.losses(ofShipped: settled).map(Approvals.Key.init))
    }
    let knowsBefore = base?.folder?.evolution != nil
    self.knowsBefore = knowsBefore
    var seen = Set<Approvals.Key>()
    losses =
      (Self.losses(folder, base, released) + found
      + ChangeReview(base).code(folder, released: released) + Self.withdrawal(folder, demanded)
      + Self.retirement(folder, base, settled) + Self.oldestRelease(folder, base))
      .filter { loss in
        let key = Approvals.Key(loss)
        let isHistory = settled.contains(loss.version) && (before.contains(key) || !knowsBefore)
        return !isHistory && seen.insert(key).inserted
      }
    unapproved = isDemanded ? losses.filter { !approvals.covers($0) } : []
  }

  /// The losses under the present configuration and under the base's. A change that also drops older systems therefore
  /// cannot hide its losses.
  private static func losses(
    _ folder: SchemaFolder, _ base: ComparisonBase?, _ released: Set<VersionNumber>
  ) -> [Loss] {
    guard let evolution = folder.evolution else { return [] }
    var losses = evolution.losses(ofShipped: released)
    guard let was = base?.folder?.configuration,
      base?.authority?.mode != Configuration.Approvals.none,
      was.platforms != folder.configuration.platforms
        || was.cloudKit != folder.configuration.cloudKit
    else { return losses }
    var configuration = folder.configuration
    configuration.platforms = was.platforms
    configuration.cloudKit = was.cloudKit
    let known = Set(losses.map(Approvals.Key.init))
    let others = AnalysisPipeline(history: folder.versions, configuration: configuration).run()
    losses += others.losses(ofShipped: released).filter { !known.contains(Approvals.Key($0)) }
    return losses
  }

  private static let withdrawal = "approvals"

  /// The loss if the change requires fewer approvals than the base. Later changes could then lose data without asking.
  private static func withdrawal(
    _ folder: SchemaFolder, _ demanded: Configuration.Approvals
  ) -> [Loss] {
    let now = folder.configuration.approvals
    guard demanded != .none, now != demanded, let newest = folder.versions.last else { return [] }
    return [
      Loss(
        version: newest.number, element: ElementPath(withdrawal), rule: withdrawal,
        words:
          "the configuration says 'approvals: \(now.rawValue)', and the base says '\(demanded.rawValue)': later changes "
          + "would need less approval",
        answer: "approvals: \(now.rawValue)",
        location: SourceLocation(file: Path.join(folder.path, "schemagen.yaml")))
    ]
  }

  private static let retirement = "retired"

  /// The loss if shipped versions leave the plan. Their stores keep all rows, but the app can no longer open them.
  private static func retirement(
    _ folder: SchemaFolder, _ base: ComparisonBase?, _ shipped: Set<VersionNumber>
  ) -> [Loss] {
    guard let was = base?.folder?.configuration, let retirement = folder.configuration.retirement
    else { return [] }
    let leaving = folder.versions.map(\.number).filter {
      shipped.contains($0) && folder.configuration.isRetired($0) && !was.isRetired($0)
    }
    guard !leaving.isEmpty else { return [] }
    return [
      Loss(
        version: retirement.below.value, element: ElementPath(self.retirement),
        rule: self.retirement,
        words:
          "\(leaving.map(\.name).enumeration) \(leaving.count == 1 ? "leaves" : "leave") the plan: stores of "
          + "\(leaving.count == 1 ? "it" : "them") are no longer migrated",
        answer: "below: \(retirement.below.value.name)", location: retirement.below.location)
    ]
  }

  private static let oldestRelease = "oldestRelease"

  /// The loss if the change sets another `oldestRelease` than the base. Stores of older releases are then no longer
  /// checked.
  private static func oldestRelease(_ folder: SchemaFolder, _ base: ComparisonBase?) -> [Loss] {
    guard let was = base?.folder?.configuration, let newest = folder.versions.last,
      let oldest = folder.configuration.oldestRelease, oldest.value != was.oldestRelease?.value
    else { return [] }
    let before = was.oldestRelease.map { ", and was '\($0.value)'" } ?? ""
    return [
      Loss(
        version: newest.number, element: ElementPath(oldestRelease), rule: oldestRelease,
        words:
          "'oldestRelease' is '\(oldest.value)'\(before): no check verifies that stores of older releases open",
        answer: "oldestRelease: \(oldest.value)", location: oldest.location)
    ]
  }

  /// The keys of losses that belong to no element of a version.
  private static let ofConfiguration = [withdrawal, retirement, oldestRelease]
  /// The keys of losses of whole versions. These losses are findings even if no approval is required.
  private static let ofVersions = [retirement, oldestRelease]

  var leaving: [Diagnostic] {
    losses.filter { Self.ofVersions.contains($0.rule) }.map { loss in
      Diagnostic(.versionRetired, loss.words, element: loss.element, at: loss.location)
    }
  }

  /// Findings about approvals, and about the unapproved losses of elements that have no error in `findings`.
  func diagnostics(beside findings: [Diagnostic]) -> [Diagnostic] {
    let told = Set(findings.filter { $0.severity == .error }.compactMap(\.element))
    return problems
      + unapproved.filter { !told.contains($0.element.description) }.map { loss in
        Diagnostic(
          .unapprovedLoss,
          Self.message(loss, "and this is not approved"),
          element: loss.element, at: loss.location, help: help(loss),
          // Without a target branch it is unknown which approvals count, so a commit gets only a warning.
          severity: authority == nil ? .warning : .error)
      }
  }

  /// Notes about losses for reviewers. Empty if approvals are required, or if the target branch or its versions are
  /// unknown.
  func acknowledged(beside findings: [Diagnostic]) -> [Diagnostic] {
    guard authority != nil, knowsBefore, !isDemanded else { return [] }
    let told = Set(findings.filter { $0.severity > .note }.compactMap(\.element))
    return losses.filter {
      !Self.ofVersions.contains($0.rule) && !told.contains($0.element.description)
    }
    .map { loss in
      Diagnostic(
        .unapprovedLoss, Self.message(loss, "confirmed only by its author"), element: loss.element,
        at: loss.location, help: ["tell a reviewer about this loss"], severity: .note)
    }
  }

  private static func message(_ loss: Loss, _ state: String) -> String {
    ofConfiguration.contains(loss.rule) || ChangeReview.ofCode.contains(loss.rule)
      ? "\(loss.words), \(state)"
      : "'\(loss.element)' loses data of shipped versions in \(loss.version.name), \(state): \(loss.words)"
  }

  private func help(_ loss: Loss) -> [String] {
    let file = Path.join(path, Approvals.fileName)
    let command =
      "schemagen approve \(loss.element)"
      + (Self.ofConfiguration.contains(loss.rule)
        ? " --against \(authority?.name ?? "BRANCH")" : "")
    var help: [String] = []
    if let answer = approvals.approvedAnswer(for: loss), answer != loss.answer {
      help.append(
        "the loss was approved while the manifest said "
          + (answer.isEmpty ? "nothing about it" : "'\(answer)'")
          + (loss.answer.isEmpty ? "" : "; this change says '\(loss.answer)'"))
    }
    let target = authority?.name ?? "the target branch"
    let request =
      "to run '\(command)' on this branch, and to commit '\(file)' alone to \(target), before this change"
    guard let authority, !countsOwn else {
      return help + [
        mode == .base && authority == nil
          ? "ask whoever may change \(target) \(request)"
          : "ask whoever owns '\(file)' to review the loss, and to run: \(command)"
      ]
    }
    if own.covers(loss) {
      help.append(
        "the approval in this change does not count: the change's author could have written it")
    }
    switch mode {
    case .owners:
      help.append(
        "CODEOWNERS in \(authority.name) gives '\(file)' no owner, so no review would be required: first add a line with the file and an owner to that CODEOWNERS"
      )
    default:
      help.append("ask whoever may change \(target) \(request)")
    }
    return help
  }

  private var approvals: Approvals { authority?.approvals.union(own) ?? own }
}
