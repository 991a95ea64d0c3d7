package import SchemaEvolution
package import SchemaLint
internal import SchemaManifest
package import SchemaModel

/// The result of one `Linter.run`.
package struct LintResult: Sendable {
  /// The path as the user named it.
  package let path: String
  /// The findings that count, sorted.
  package private(set) var findings: [Diagnostic]
  /// The accepted findings, with the reason.
  package let accepted: [AcceptedFinding]
  package let baselined: [Diagnostic]
  /// Safe fixes, each with its finding.
  package let fixes: [(finding: Diagnostic, fix: Fix)]
  /// Whether files and manifests themselves are broken, so that most rules could not run.
  package let isMalformed: Bool
  /// Whether there are several versions, between which something changes.
  package let hasSteps: Bool
  /// The files' texts by path, for snippets.
  package let sources: [String: String]
  /// A new baseline of all findings that do not prevent generation.
  package let baseline: Baseline
  /// The present baseline without entries that are no longer found.
  package let prunedBaseline: Baseline
  /// The versions that have shipped, according to the branch that the change goes to.
  let released: Set<VersionNumber>
  /// The versions that the folder's own lock marks as shipped.
  let marked: Set<VersionNumber>
  /// The losses of shipped versions, and which of them are approved.
  package let losses: LossReview
  /// The evolution; nil if the manifests have errors of their own.
  package let evolution: Evolution?
  /// The versions that could be read, in ascending order.
  package let versions: [SchemaVersion]
}

extension LintResult {
  /// Adds what a release stored, which is more useful than the finding that its tag has no manifests.
  package mutating func add(_ history: ReleaseHistory, _ folder: SchemaFolder) {
    let levels = RuleLevels(folder.configuration, in: folder.path)
    if !history.isEmpty { findings.removeAll { $0.rule == .newFolder } }
    findings = (findings + levels.apply(to: history.findings(in: folder))).reportOrder
  }

  /// Whether a version may still be changed.
  package func isOpen(_ version: SchemaVersion) -> Bool {
    !released.contains(version.number) && version.identity != .shipped
  }

  /// A text edit that answers a finding.
  package struct Answer: Sendable {
    package var finding: Diagnostic
    package var fix: Fix
    /// A further place that offers the answer, in addition to the finding's place.
    package var place: SourceLocation?
    /// Whether it needs no confirmation, so that `--fix` applies it.
    package var isSafe: Bool
  }

  /// Answers to the findings in a manifest: safe fixes, and renames that a person has to confirm.
  package func answers(in file: SourceFile) -> [Answer] {
    fixes.filter { $0.fix.file == file.path }.map {
      Answer(finding: $0.finding, fix: $0.fix, isSafe: true)
    } + renames(in: file)
  }

  /// Renames of dropped elements: for each, the one that loses nothing.
  private func renames(in file: SourceFile) -> [Answer] {
    guard let evolution,
      let step = evolution.steps.first(where: {
        $0.new.location?.file == file.path
      }), isOpen(step.new), let root = YAMLReader.read(file).root
    else { return [] }
    let version = step.new
    let context = FixContext(nil, document: root)
    return findings.filter {
      $0.location?.file == file.path
        && ($0.rule == .ambiguousRename || $0.rule == .unacknowledgedDrop)
    }.flatMap { finding in
      step.renames(about: finding).compactMap { old, new in
        let title = "keep the values of '\(old)': it is '\(new)' now"
        let fix =
          version.property(at: new).map { property in
            context.adding(
              [("renamedFrom", old.member ?? "")], to: property, of: new.owner, finding, title)
          }
          ?? (new.member == nil
            ? Fix(
              title, in: file.path,
              .set(YAMLPath(of: new).appending("renamedFrom"), to: old.owner)) : nil)
        return fix.map {
          Answer(finding: finding, fix: $0, place: version.location(of: new), isSafe: false)
        }
      }
    }
  }
}
