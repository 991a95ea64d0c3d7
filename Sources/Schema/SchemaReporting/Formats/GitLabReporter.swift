internal import SchemaModel

/// Writes GitLab's code quality artefact: what a merge request adds and what it resolves.
struct GitLabReporter {
  let report: Report

  private struct Issue: Encodable {
    var description: String
    var checkName: String
    var fingerprint: String
    var severity: String
    var location: Location

    private enum CodingKeys: String, CodingKey {
      case description
      case checkName = "check_name"
      case fingerprint, severity, location
    }

    struct Location: Encodable {
      var path: String
      var lines: Lines
    }

    struct Lines: Encodable {
      var begin: Int
    }
  }

  func render() -> String {
    var fingerprints = Fingerprints(report)
    return JSONText.encode(
      report.findings.map { finding in
        Issue(
          description: finding.message, checkName: finding.rule.id,
          fingerprint: fingerprints.next(finding), severity: name(of: finding.severity),
          // GitLab refuses an issue without a path.
          location: Issue.Location(
            path: report.relativePath(finding.location?.file ?? report.fileForAll),
            lines: Issue.Lines(begin: finding.location?.line ?? 1)))
      })
  }

  private func name(of severity: Diagnostic.Severity) -> String {
    switch severity {
    case .note: "info"
    case .warning: "minor"
    case .error: "critical"
    }
  }
}
