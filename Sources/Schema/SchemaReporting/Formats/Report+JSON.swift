internal import SchemaModel

/// All data of a run as one object. `format` rises when a key changes its meaning or is removed; new keys may come at
/// any time. A key without a value is left out.
extension Report: Encodable {
  private enum CodingKeys: String, CodingKey {
    case format, tool, summary, findings, accepted, rules
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(2, forKey: .format)
    try container.encode(["name": "schemagen", "version": toolVersion], forKey: .tool)
    let counts = [
      "errors": count(.error), "warnings": count(.warning), "notes": count(.note),
      "accepted": accepted.count,
    ]
    try container.encode(counts, forKey: .summary)
    try container.encode(findings.map(relative), forKey: .findings)
    let accepted = accepted.map { entry in
      SilencedFinding(relative(entry.finding), reason: entry.reason, isBaselined: entry.isBaselined)
    }
    try container.encode(accepted, forKey: .accepted)
    let found = Set((findings + self.accepted.map(\.finding)).map(\.rule.id))
    try container.encode(rules.filter { found.contains($0.id) }, forKey: .rules)
  }
}
