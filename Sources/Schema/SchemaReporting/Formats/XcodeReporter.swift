internal import SchemaModel

/// Writes lines in the format of compilers, which Xcode shows next to the source. Xcode requires absolute paths.
struct XcodeReporter {
  let report: Report

  func render() -> String {
    report.findings.map(lines).joined()
  }

  private func lines(_ finding: Diagnostic) -> String {
    let place = prefix(finding.location)
    var text =
      "\(place)\(finding.severity.rawValue): \(finding.message.visible) [\(finding.rule.id)]\n"
    for related in finding.related {
      text += "\(prefix(related.location))note: \(related.message.visible)\n"
    }
    // A line without a place would be lost in the build's log, or assigned to another finding.
    for help in finding.help {
      for line in help.visibleLines { text += "\(place)note: \(line)\n" }
    }
    return text
  }

  private func prefix(_ location: SourceLocation?) -> String {
    guard let location else { return "schemagen: " }
    return
      "\(report.absolutePath(location.file).visible):\(location.line):\(location.column): "
  }
}
