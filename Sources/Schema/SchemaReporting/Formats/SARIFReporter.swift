internal import SchemaModel

/// Writes SARIF 2.1.0, as GitHub's code scanning and most editors read it.
struct SARIFReporter {
  let report: Report

  func render() -> String {
    var lines = SourceLines(report.sources)
    var fingerprints = Fingerprints(report)
    var hashes: [String: [String]] = [:]
    let indexes = Dictionary(
      uniqueKeysWithValues: report.rules.enumerated().map { ($1.id, $0) })

    func result(_ finding: Diagnostic) -> SARIFLog.Result {
      var prints = ["schemagenElement/v1": fingerprints.next(finding)]
      if let location = finding.location, let source = report.sources[location.file] {
        let known = hashes[location.file] ?? LineHashes.hashes(of: source)
        hashes[location.file] = known
        if known.indices.contains(location.line - 1) {
          prints["primaryLocationLineHash"] = known[location.line - 1]
        }
      }
      return SARIFLog.Result(
        ruleId: finding.rule.id, ruleIndex: indexes[finding.rule.id],
        level: finding.severity.rawValue,
        message: SARIFLog.Text(text: message(of: finding)),
        locations: [location(of: finding, lines: &lines)],
        relatedLocations: relatedLocations(of: finding, lines: &lines),
        partialFingerprints: prints)
    }

    var results = report.findings.map(result)
    if !report.accepted.isEmpty {
      // Either every result of a run says whether it is suppressed, or none does (SARIF, section 3.27.23).
      for index in results.indices { results[index].suppressions = [] }
      results += report.accepted.map { accepted in
        var result = result(accepted.finding)
        result.suppressions = [
          SARIFLog.Suppression(
            kind: accepted.isBaselined ? "external" : "inSource",
            justification: accepted.reason.nonEmpty)
        ]
        return result
      }
    }
    let driver = SARIFLog.Driver(
      name: "schemagen", semanticVersion: report.toolVersion.nonEmpty, rules: report.rules.map(rule)
    )
    return JSONText.encode(
      SARIFLog(runs: [
        SARIFLog.Run(
          tool: SARIFLog.Tool(driver: driver),
          // The category of GitHub's code scanning: what ends in a slash has no run's own name behind it.
          automationDetails: SARIFLog.AutomationDetails(id: "schemagen/"), results: results)
      ]))
  }

  // MARK: Texts

  private func rule(_ rule: RuleDescription) -> SARIFLog.Rule {
    // Empty texts are refused by readers.
    let title = rule.title.nonEmpty ?? rule.id
    let purpose = rule.purpose.nonEmpty
    return SARIFLog.Rule(
      id: rule.id, shortDescription: SARIFLog.Text(text: title),
      fullDescription: SARIFLog.Text(text: purpose ?? title, markdown: purpose),
      help: rule.help.nonEmpty.map { SARIFLog.Text(text: $0, markdown: $0) },
      helpUri: rule.documentationURL,
      defaultConfiguration: SARIFLog.Configuration(level: rule.severity.rawValue),
      properties: SARIFLog.Properties(
        tags: rule.category.flatMap(\.nonEmpty).map { [$0] } ?? [],
        basis: rule.basis.text.nonEmpty, basisMark: rule.basis.mark.rawValue,
        isFixable: rule.isFixable))
  }

  private func message(of finding: Diagnostic) -> String {
    let text = finding.message.nonEmpty ?? finding.rule.title.nonEmpty ?? finding.rule.id
    return ([text] + finding.help.map { "help: " + $0 }).joined(separator: "\n")
  }

  // MARK: Places

  private func location(
    of finding: Diagnostic, lines: inout SourceLines
  ) -> SARIFLog.Location {
    // GitHub refuses a whole log for one result without a file (github/codeql-action#2459).
    let place =
      finding.location.map { physicalLocation($0, lines: &lines) }
      ?? SARIFLog.PhysicalLocation(
        artifactLocation: SARIFLog.ArtifactLocation(uri: uri(of: report.fileForAll)),
        region: SARIFLog.Region(startLine: 1))
    return SARIFLog.Location(
      physicalLocation: place,
      logicalLocations: finding.element.flatMap(\.nonEmpty).map {
        [SARIFLog.LogicalLocation(fullyQualifiedName: $0)]
      })
  }

  private func relatedLocations(
    of finding: Diagnostic, lines: inout SourceLines
  ) -> [SARIFLog.Location]? {
    guard !finding.related.isEmpty else { return nil }
    return finding.related.map { related in
      SARIFLog.Location(
        message: related.message.nonEmpty.map { SARIFLog.Text(text: $0) },
        physicalLocation: physicalLocation(related.location, lines: &lines))
    }
  }

  private func physicalLocation(
    _ location: SourceLocation, lines: inout SourceLines
  ) -> SARIFLog.PhysicalLocation {
    var region = SARIFLog.Region(startLine: max(1, location.line))
    if let line = lines.line(location.line, of: location.file) {
      let scalars = line.unicodeScalars
      let lead = scalars.prefix(max(0, location.column - 1))
      let marked = scalars[lead.endIndex...].prefix(location.length)
      let start = Substring(lead).utf16.count + 1
      region.startColumn = start
      // Behind the last character there is nothing to mark, and the default is the line's end.
      if !marked.isEmpty { region.endColumn = start + Substring(marked).utf16.count }
    }
    return SARIFLog.PhysicalLocation(
      artifactLocation: SARIFLog.ArtifactLocation(uri: uri(of: location.file)), region: region)
  }

  /// A path as a URI: relative to the working directory if it is below that.
  private func uri(of path: String) -> String {
    let path = report.relativePath(path)
    // An empty text is not a place; the working directory itself is.
    if path.isEmpty { return "." }
    return (path.hasPrefix("/") ? "file://" : "") + URIText.path(path)
  }
}

extension String {
  fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
