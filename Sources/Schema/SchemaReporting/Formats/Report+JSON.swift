internal import SchemaModel

extension Report {
  /// All data of a run as one object. `format` rises when a key changes its meaning or is removed; new keys may be
  /// added at any time. A key without a value is left out.
  var json: JSONObject {
    let found = Set((findings + accepted.map(\.finding)).map(\.rule.id))
    return JSONObject([
      "format": 2,
      "tool": ["name": "schemagen", "version": toolVersion],
      "summary": [
        "errors": count(.error), "warnings": count(.warning), "notes": count(.note),
        "accepted": accepted.count,
      ],
      "findings": findings.map(relative),
      "accepted": accepted.map { entry in
        var entry = entry
        entry.finding = relative(entry.finding)
        return entry
      },
      "rules": rules.filter { found.contains($0.id) },
    ])
  }
}
