internal import SchemaModel

/// Writes GitHub workflow commands, which become annotations of a pull request.
///
/// GitHub shows ten errors and ten warnings per step, so the gravest come first.
struct GitHubReporter {
  let report: Report

  func render() -> String {
    Diagnostic.Severity.allCases.reversed().flatMap { severity in
      report.findings.filter { $0.severity == severity }.map(command)
    }.joined()
  }

  private func command(_ finding: Diagnostic) -> String {
    var properties: [String] = []
    if let location = finding.location {
      properties = [
        "file=" + property(report.relativePath(location.file)), "line=\(location.line)",
        "endLine=\(location.line)", "col=\(location.column)",
        "endColumn=\(location.column + location.length)",
      ]
    }
    properties.append("title=" + property(finding.rule.id))
    let message = [finding.message.visible] + finding.help.flatMap(help)
    return "::\(name(of: finding.severity)) \(properties.joined(separator: ","))::"
      + data(message.joined(separator: "\n")) + "\n"
  }

  private func help(_ text: String) -> [String] {
    text.visibleLines.enumerated().map { ($0 == 0 ? "help: " : "      ") + $1 }
  }

  private func name(of severity: Diagnostic.Severity) -> String {
    switch severity {
    case .note: "notice"
    case .warning: "warning"
    case .error: "error"
    }
  }

  private func data(_ text: String) -> String {
    escaped(text, ["%": "%25", "\r": "%0D", "\n": "%0A"])
  }

  private func property(_ text: String) -> String {
    escaped(text, ["%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"])
  }

  private func escaped(_ text: String, _ escapes: [Unicode.Scalar: String]) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if let escape = escapes[scalar] {
        result += escape
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
