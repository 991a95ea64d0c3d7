package import SchemaEvolution
package import SchemaLint
internal import SchemaManifest
package import SchemaModel

/// The result of one `Linter.run`.
package struct LintResult: Sendable {
  package let path: String
  package private(set) var findings: [Diagnostic]
  package let accepted: [AcceptedFinding]
  package let baselined: [Diagnostic]
  package let fixes: [(finding: Diagnostic, fix: Fix)]
  /// Whether files and manifests themselves are broken, so most rules could not run.
  package let isMalformed: Bool
  package let hasSteps: Bool
  package let sources: [String: String]
  /// A new baseline of all findings that do not prevent generation.
  package let baseline: Baseline
  /// The present baseline without entries that are no longer found.
  package let prunedBaseline: Baseline
  /// The versions that have shipped, according to the branch that the change goes to.
  let released: Set<VersionNumber>
  /// The versions that the folder's own lock marks as shipped.
  let marked: Set<VersionNumber>
  package let losses: LossReview
  package let evolution: Evolution?
  package let versions: [SchemaVersion]
}

extension LintResult {
  /// Adds findings about what releases stored. They replace the finding that a release's tag has no manifests.
  package mutating func add(_ history: ReleaseHistory, _ folder: SchemaFolder) {
    let levels = RuleLevels(folder.configuration, in: folder.path)
    if !history.isEmpty { findings.removeAll { $0.rule == .newFolder } }
    findings = (findings + levels.apply(to: history.findings(in: folder))).reportOrder
  }

  package func isOpen(_ version: SchemaVersion) -> Bool {
    !released.contains(version.number) && version.identity != .shipped
  }

  /// A text edit that answers a finding.
  package struct Answer: Sendable {
    package var finding: Diagnostic
    package var fix: Fix
    /// A further place that offers the answer, in addition to the finding's place.
    package var place: SourceLocation?
    /// Whether `--fix` applies the answer, because it needs no confirmation.
    package var isSafe: Bool
  }

  /// Answers to the findings in a manifest: safe fixes, and renames that a person has to confirm.
  package func answers(in file: SourceFile) -> [Answer] {
    fixes.filter { $0.fix.file == file.path }.map {
      Answer(finding: $0.finding, fix: $0.fix, isSafe: true)
    } + renames(in: file)
  }

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
