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

    func result(_ finding: Diagnostic, _ suppressions: [JSONObject]?) -> JSONObject {
      var prints = ["schemagenElement/v1": fingerprints.next(finding)]
      if let location = finding.location, let source = report.sources[location.file] {
        let known = hashes[location.file] ?? LineHashes.hashes(of: source)
        hashes[location.file] = known
        if known.indices.contains(location.line - 1) {
          prints["primaryLocationLineHash"] = known[location.line - 1]
        }
      }
      let related = finding.related.map { related in
        JSONObject([
          "message": related.message.nonEmpty.map { ["text": $0] },
          "physicalLocation": place(related.location, &lines),
        ])
      }
      return JSONObject([
        "ruleId": finding.rule.id, "ruleIndex": indexes[finding.rule.id],
        "level": finding.severity, "message": ["text": message(of: finding)],
        "locations": [
          JSONObject([
            "physicalLocation": finding.location.map { place($0, &lines) } ?? placeForAll,
            "logicalLocations": finding.element.flatMap(\.nonEmpty).map {
              [["fullyQualifiedName": $0]]
            },
          ])
        ],
        "relatedLocations": related.isEmpty ? nil : related,
        "partialFingerprints": prints, "suppressions": suppressions,
      ])
    }

    // Either every result of a run says whether it is suppressed, or none does (SARIF, section 3.27.23).
    var results = report.findings.map { result($0, report.accepted.isEmpty ? nil : []) }
    results += report.accepted.map { accepted in
      let suppression = JSONObject([
        "kind": accepted.isBaselined ? "external" : "inSource",
        "justification": accepted.reason.nonEmpty,
      ])
      return result(accepted.finding, [suppression])
    }
    let driver = JSONObject([
      "name": "schemagen", "semanticVersion": report.toolVersion.nonEmpty,
      "rules": report.rules.map(rule),
    ])
    return JSONText.encode(
      JSONObject([
        "$schema":
          "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [
          JSONObject([
            "tool": ["driver": driver],
            // The category of GitHub's code scanning. The final slash means that no name of a run follows.
            "automationDetails": ["id": "schemagen/"],
            "columnKind": "utf16CodeUnits", "results": results,
          ])
        ],
      ]))
  }

  // MARK: Texts

  private func rule(_ rule: RuleDescription) -> JSONObject {
    // Readers refuse empty texts.
    let title = rule.title.nonEmpty ?? rule.id
    let purpose = rule.purpose.nonEmpty
    return JSONObject([
      "id": rule.id, "shortDescription": ["text": title],
      "fullDescription": JSONObject(["text": purpose ?? title, "markdown": purpose]),
      "help": rule.help.nonEmpty.map { ["text": $0, "markdown": $0] },
      "helpUri": rule.documentationURL, "defaultConfiguration": ["level": rule.severity],
      "properties": JSONObject([
        "tags": rule.category.flatMap(\.nonEmpty).map { [$0] } ?? [],
        "basis": rule.basis.text.nonEmpty, "basisMark": rule.basis.mark,
        "isFixable": rule.isFixable,
      ]),
    ])
  }

  private func message(of finding: Diagnostic) -> String {
    let text = finding.message.nonEmpty ?? finding.rule.title.nonEmpty ?? finding.rule.id
    return ([text] + finding.help.map { "help: " + $0 }).joined(separator: "\n")
  }

  // MARK: Places

  /// GitHub refuses a whole log for one result without a file (github/codeql-action#2459).
  private var placeForAll: JSONObject {
    JSONObject([
      "artifactLocation": ["uri": uri(of: report.fileForAll)], "region": ["startLine": 1],
    ])
  }

  private func place(_ location: SourceLocation, _ lines: inout SourceLines) -> JSONObject {
    var region = ["startLine": max(1, location.line)]
    if let line = lines.line(location.line, of: location.file) {
      let scalars = line.unicodeScalars
      let lead = scalars.prefix(max(0, location.column - 1))
      let marked = scalars[lead.endIndex...].prefix(location.length)
      let start = Substring(lead).utf16.count + 1
      region["startColumn"] = start
      // After the last character there is nothing to mark, and the default is the line's end.
      if !marked.isEmpty { region["endColumn"] = start + Substring(marked).utf16.count }
    }
    return JSONObject(["artifactLocation": ["uri": uri(of: location.file)], "region": region])
  }

  private func uri(of path: String) -> String {
    let path = report.relativePath(path)
    // An empty string is not a place, but the working directory is.
    if path.isEmpty { return "." }
    return (path.hasPrefix("/") ? "file://" : "") + URIText.path(path)
  }
}

extension String {
  fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
