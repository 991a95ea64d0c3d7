internal import SchemaModel

/// Writes GitLab's code quality artefact: what a merge request adds and what it resolves.
struct GitLabReporter {
  let report: Report

  func render() -> String {
    var fingerprints = Fingerprints(report)
    return JSONText.encode(
      report.findings.map { finding in
        // GitLab refuses an issue without a path.
        let path = report.relativePath(finding.location?.file ?? report.fileForAll)
        return JSONObject([
          "description": finding.message, "check_name": finding.rule.id,
          "fingerprint": fingerprints.next(finding), "severity": name(of: finding.severity),
          "location": JSONObject([
            "path": path, "lines": ["begin": finding.location?.line ?? 1],
          ]),
        ])
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
