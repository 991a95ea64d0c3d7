package import SchemaModel

/// The findings of a run, for every format.
///
/// The findings are sorted by place, rule and message, without duplicates. A report contains no time, no locale and,
/// except for `.xcode`, no absolute path, so the same findings give the same bytes.
package struct Report: Sendable {
  let findings: [Diagnostic]
  let accepted: [SilencedFinding]
  /// The rules that were passed and those known only from a finding, sorted by id.
  let rules: [RuleDescription]
  let sources: [String: String]
  let toolVersion: String
  let workingDirectory: String
  let failsAt: Diagnostic.Severity
  let terminal: TerminalText

  /// - Parameters:
  ///   - rules: The known rules. A missing rule is described by its findings.
  ///   - sources: The texts of files by path, as in the findings' locations.
  ///   - toolVersion: This tool's version: `0.1.0`.
  ///   - workingDirectory: An absolute path, to which the locations' paths are relative.
  ///   - accepted: Findings that do not count. SARIF and JSON list them, text and Markdown count them.
  ///   - failsAt: The lowest severity that fails the run. In JUnit, findings of this severity or higher are failures.
  ///   - terminal: The terminal for text; other formats do not depend on it.
  package init(
    findings: [Diagnostic], rules: [RuleDescription], sources: [String: String],
    toolVersion: String, workingDirectory: String, accepted: [SilencedFinding] = [],
    failsAt: Diagnostic.Severity = .error, terminal: TerminalText = .plain
  ) {
    self.findings = findings.reportOrder
    var seen: Set<SilencedFinding> = []
    self.accepted = accepted.sorted { ($0.finding, $0.reason) < ($1.finding, $1.reason) }
      .filter { seen.insert($0).inserted }
    var described: [String: RuleDescription] = [:]
    for rule in rules { described[rule.id] = described[rule.id] ?? rule }
    for finding in self.findings + self.accepted.map(\.finding) {
      described[finding.rule.id] = described[finding.rule.id] ?? RuleDescription(finding.rule)
    }
    self.rules = described.values.sorted { $0.id < $1.id }
    self.sources = sources
    self.toolVersion = toolVersion
    self.workingDirectory = workingDirectory
    self.failsAt = failsAt
    self.terminal = terminal
  }

  /// The report's text, which ends in a line break unless it is empty. Without findings, text and the formats for Xcode
  /// and GitHub are empty.
  package func render(_ format: ReportFormat) -> String {
    switch format {
    case .text: text()
    case .xcode: XcodeReporter(report: self).render()
    case .github: GitHubReporter(report: self).render()
    case .gitlab: GitLabReporter(report: self).render()
    case .sarif: SARIFReporter(report: self).render()
    case .junit: JUnitReporter(report: self).render()
    case .json: JSONText.encode(json)
    case .markdown: markdown()
    }
  }

  private func text() -> String { findingsText + (summary.isEmpty ? "" : summary + "\n") }

  package var findingsText: String {
    TextReport(sources: sources, terminal: terminal).render(findings)
  }

  package var summary: String {
    let summary = TextReport.summary(findings, accepted: accepted.count)
    guard summary.isEmpty, !findings.isEmpty else { return summary }
    return counted(findings.count, "note")
  }
}

extension Report {
  func count(_ severity: Diagnostic.Severity) -> Int {
    findings.count { $0.severity == severity }
  }

  /// The findings of each file, by path. Findings without a place come first, under nil.
  var findingsByFile: [(file: String?, findings: [Diagnostic])] {
    var groups: [String: [Diagnostic]] = [:]
    for finding in findings {
      groups[finding.location.map { relativePath($0.file) } ?? "", default: []].append(finding)
    }
    return groups.keys.sorted().map { ($0.isEmpty ? nil : $0, groups[$0]!) }
  }

  // MARK: Paths

  /// The file for a finding without a place, if a format requires one: the configuration if it was read, otherwise the
  /// first file.
  var fileForAll: String {
    let files = sources.keys.sorted()
    let name = "schemagen.yaml"
    return files.first { $0 == name || $0.hasSuffix("/" + name) } ?? files.first ?? name
  }

  /// The path relative to the working directory; unchanged if the path is outside.
  func relativePath(_ path: String) -> String {
    let folder = Self.normalized(workingDirectory)
    let whole = absolutePath(path)
    let prefix = folder == "/" ? folder : folder + "/"
    if whole.hasPrefix(prefix), whole != prefix { return String(whole.dropFirst(prefix.count)) }
    return path.hasPrefix("/") ? whole : path
  }

  func relative(_ finding: Diagnostic) -> Diagnostic {
    var finding = finding
    if let file = finding.location?.file { finding.location?.file = relativePath(file) }
    for index in finding.related.indices {
      let file = finding.related[index].location.file
      finding.related[index].location.file = relativePath(file)
    }
    return finding
  }

  func absolutePath(_ path: String) -> String {
    Self.normalized(path.hasPrefix("/") ? path : workingDirectory + "/" + path)
  }

  /// The path without `.`, `..` and doubled slashes; symbolic links are not resolved.
  private static func normalized(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }
}
