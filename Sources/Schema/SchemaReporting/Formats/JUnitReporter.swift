internal import SchemaModel

/// Writes JUnit's XML: a suite for each file, a test for each finding.
///
/// JUnit has no warnings. Findings that fail the run are failures; others are passing tests with a message.
struct JUnitReporter {
  let report: Report

  func render() -> String {
    var lines = SourceLines(report.sources)
    let failures = report.findings.count(where: isFailure)
    var text = XMLText.declaration
    text += "<testsuites name=\"schemagen\""
    text += counts(tests: max(1, report.findings.count), failures: failures) + ">\n"
    for (file, findings) in report.findingsByFile {
      text += suite(file ?? "schemagen", findings, lines: &lines)
    }
    // A report without tests looks like one that was lost.
    if report.findings.isEmpty {
      text += "  <testsuite name=\"schemagen\"\(counts(tests: 1, failures: 0))>\n"
      text += "    <testcase name=\"no findings\" classname=\"schemagen\"/>\n"
      text += "  </testsuite>\n"
    }
    return text + "</testsuites>\n"
  }

  private func isFailure(_ finding: Diagnostic) -> Bool { finding.severity >= report.failsAt }

  private func counts(tests: Int, failures: Int) -> String {
    XMLText.attribute("tests", tests) + XMLText.attribute("failures", failures)
      + XMLText.attribute("errors", 0)
  }

  private func suite(
    _ name: String, _ findings: [Diagnostic], lines: inout SourceLines
  ) -> String {
    var text = "  <testsuite\(XMLText.attribute("name", name))"
    text += counts(tests: findings.count, failures: findings.count(where: isFailure)) + ">\n"
    var seen: [String: Int] = [:]
    for finding in findings {
      var test = finding.rule.id
      if let location = finding.location { test += "_\(location.line)_\(location.column)" }
      seen[test, default: 0] += 1
      // If two tests have the same name, readers keep only the last.
      if let count = seen[test], count > 1 { test += "_\(count)" }
      text += "    <testcase\(XMLText.attribute("name", test))"
      text += XMLText.attribute("classname", name) + ">\n"
      text += outcome(finding, lines: &lines)
      text += "    </testcase>\n"
    }
    return text + "  </testsuite>\n"
  }

  private func outcome(_ finding: Diagnostic, lines: inout SourceLines) -> String {
    let text = XMLText.content(
      TextReport(sources: report.sources).render(finding, lines: &lines))
    guard isFailure(finding) else { return "      <system-out>\(text)</system-out>\n" }
    return "      <failure\(XMLText.attribute("type", finding.rule.id))"
      + "\(XMLText.attribute("message", finding.message))>\(text)</failure>\n"
  }
}
