internal import SchemaModel

/// Checkstyle's XML, in the form that its versions from 5.0 on write.
struct CheckstyleReporter {
  let report: Report

  func render() -> String {
    var text = XMLText.declaration + "<checkstyle version=\"5.0\">\n"
    for (file, findings) in report.findingsByFile {
      text += "  <file\(XMLText.attribute("name", file ?? "schemagen"))>\n"
      text += findings.map(error).joined()
      text += "  </file>\n"
    }
    return text + "</checkstyle>\n"
  }

  private func error(_ finding: Diagnostic) -> String {
    var text = "    <error"
    if let location = finding.location {
      text += XMLText.attribute("line", location.line)
      text += XMLText.attribute("column", location.column)
    }
    text += XMLText.attribute("severity", name(of: finding.severity))
    text += XMLText.attribute("message", finding.message)
    return text + XMLText.attribute("source", "schemagen." + finding.rule.id) + "/>\n"
  }

  private func name(of severity: Diagnostic.Severity) -> String {
    severity == .note ? "info" : severity.rawValue
  }
}
