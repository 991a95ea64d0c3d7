package import SchemaEvolution
package import SchemaModel

/// The target branch's rules for approvals. The change's own statements may come from its author.
package struct ApprovalAuthority: Sendable {
  /// The branch's name in messages: `origin/main`.
  package let name: String
  let mode: Configuration.Approvals
  /// Whether its configuration could be read completely; a file that it extends may be unavailable.
  let isWhole: Bool
  let approvals: Approvals
  /// Whether the platform asks owners of the file of approvals for a review, if it is configured to.
  package let isOwned: Bool
  let diagnostics: [Diagnostic]

  /// - Parameters:
  ///   - path: The folder of manifests in the branch.
  ///   - root: The repository's root, and the folder's path below it in the change; nil if there is no repository.
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
    // Two files are for two platforms, or one of them is unused.
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

/// Compares a change's losses of shipped data with approvals by other people than its author.
///
/// Losses come from the versions, not from lint, so an accepted finding, a disabled rule and a baseline do not matter.
/// With a base, the base decides whether approvals are needed, and which count.
package struct LossReview: Sendable {
  /// The change's losses, approved or not.
  package let losses: [Loss]
  /// The losses without an approval that counts.
  package let unapproved: [Loss]
  /// Whether the configuration or the base requires approvals.
  package let isDemanded: Bool
  /// Findings about the file of approvals, here and in the base.
  package let problems: [Diagnostic]
  /// The approvals in the change itself.
  package let own: Approvals
  private let path: String
  private let mode: Configuration.Approvals
  private let authority: ApprovalAuthority?
  /// Whether approvals in the change itself count.
  private let countsOwn: Bool
  /// Whether the base's versions are readable, so that earlier losses are known.
  private let knowsBefore: Bool

  /// - Parameters:
  ///   - released: The versions that have shipped according to the lock or the base.
  ///   - found: Losses that rules find.
  init(
    _ folder: SchemaFolder, released: Set<VersionNumber>, comparison: BaseComparison?,
    base: ComparisonBase?, found: [Loss] = [], fileSystem: some FileSystem
  ) {
    path = folder.path
    let (own, broken) = Approvals.read(in: folder.path, fileSystem)
    self.own = own
    authority = base?.authority
    let configured = folder.configuration.approvals
    // The previous commit shows what this one removes, but not who approves it.
    let demanded = authority?.mode ?? base?.folder?.configuration.approvals ?? .none
    mode = demanded == .none ? configured : demanded
    isDemanded = mode != .none
    // A base without required approvals would let everything pass, so the first approvals may come together with the
    // requirement.
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

  /// The losses under the present configuration and the base's, so that a change that also drops older systems cannot
  /// hide them.
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

  /// The configuration's key that a change can withdraw; it replaces a rule's id in an approval.
  private static let withdrawal = "approvals"

  /// The loss if the change requires less than the base: later changes would lose data without asking.
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

  /// The loss if shipped versions of the base's plan leave it: their stores' rows are kept but out of reach.
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

  /// The loss if a change gives up the stores of releases that the base still asks for.
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

  /// Losses of whole versions or of later changes, which belong to no element of a version.
  private static let ofConfiguration = [withdrawal, retirement, oldestRelease]
  /// Losses of whole versions, which are findings whether they need an approval or not.
  private static let ofVersions = [retirement, oldestRelease]

  /// Findings about versions that leave the plan, whether that needs an approval or not.
  var leaving: [Diagnostic] {
    losses.filter { Self.ofVersions.contains($0.rule) }.map { loss in
      Diagnostic(.versionRetired, loss.words, element: loss.element, at: loss.location)
    }
  }

  /// The problems and unapproved losses, without elements that already have an error.
  func diagnostics(beside findings: [Diagnostic]) -> [Diagnostic] {
    let told = Set(findings.filter { $0.severity == .error }.compactMap(\.element))
    return problems
      + unapproved.filter { !told.contains($0.element.description) }.map { loss in
        Diagnostic(
          .unapprovedLoss,
          Self.message(loss, "and this is not approved"),
          element: loss.element, at: loss.location, help: help(loss),
          // Without a base it is unknown which approvals count, and nobody should need an approval just to commit.
          severity: authority == nil ? .warning : .error)
      }
  }

  /// Notes on unapproved losses if no approval is required, so that reviewers know of them.
  func acknowledged(beside findings: [Diagnostic]) -> [Diagnostic] {
    guard authority != nil, knowsBefore, !isDemanded else { return [] }
    let told = Set(findings.filter { $0.severity > .note }.compactMap(\.element))
    return losses.filter {
      !Self.ofVersions.contains($0.rule) && !told.contains($0.element.description)
    }
    .map { loss in
      Diagnostic(
        .unapprovedLoss, Self.message(loss, "confirmed only by its author"), element: loss.element,
        at: loss.location, help: ["a reviewer should know about it"], severity: .note)
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
        "the approval is for something else: "
          + (answer.isEmpty ? "the loss without details" : "'\(answer)'")
          + (loss.answer.isEmpty ? "" : "; this change says '\(loss.answer)'"))
    }
    let target = authority?.name ?? "the target branch"
    let request =
      "to run '\(command)' on this branch, and to commit '\(file)' alone to \(target), before this change"
    guard let authority, !countsOwn else {
      return help + [
        mode == .base && authority == nil
          ? "ask whoever may change \(target) \(request)"
          : "ask whoever owns '\(file)' to review it, and to run: \(command)"
      ]
    }
    if own.covers(loss) {
      help.append(
        "the approval in this change does not count: the change's author could have written it")
    }
    switch mode {
    case .owners:
      help.append(
        "CODEOWNERS in \(authority.name) gives '\(file)' no owner, so no review would be required: add a line there first that names the file and an owner"
      )
    default:
      help.append("ask whoever may change \(target) \(request)")
    }
    return help
  }

  private var approvals: Approvals { authority?.approvals.union(own) ?? own }
}
