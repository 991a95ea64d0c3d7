package import SchemaEvolution
package import SchemaModel
internal import SchemaRendering

extension DiffReport: Encodable {
  package func encode(to encoder: any Encoder) throws {
    try JSONObject([
      "format": 2, "pairs": steps, "store": measurements, "outcome": gravestOutcome,
      "retired": evolution.retired.isEmpty ? nil : evolution.leftBehindEntry(survey),
    ]).encode(to: encoder)
  }
}

extension DiffReport.Step: Encodable {
  func encode(to encoder: any Encoder) throws {
    let stages = step.stages.map { stage in
      JSONObject([
        "name": stage.name(in: step), "from": stage.from.name, "to": stage.to.name,
        "kind": stage.isCustom ? "custom" : stage.isBarrier ? "stop" : "lightweight",
        "reasons": stage.barrierReasons.map(\.description),
      ])
    }
    let devices = Dictionary(uniqueKeysWithValues: mixed.map { ($0.older, $0.verdicts) })
    try JSONObject([
      "from": step.old.number, "to": step.new.number, "summary": step.new.summary,
      "mechanism": step.mechanism.rawValue, "changes": lines, "stages": stages,
      "mixedDevices": syncs ? devices : nil,
    ]).encode(to: encoder)
  }
}

extension DiffReport.Line: Encodable {
  func encode(to encoder: any Encoder) throws {
    try change.encode(to: encoder)
    try JSONObject(["store": finding]).encode(to: encoder)
  }
}

extension MixedDevices: Encodable {
  package func encode(to encoder: any Encoder) throws {
    try JSONObject([
      "element": element.description, "verdict": verdict.rawValue, "older": older, "newer": newer,
    ]).encode(to: encoder)
  }
}

extension SchemaChange: Encodable {
  package func encode(to encoder: any Encoder) throws {
    try JSONObject([
      "rule": ruleID, "element": element.description, "title": classification.title,
      "detail": detail.isEmpty ? nil : detail, "mechanism": mechanism.rawValue,
      "effect": effect.rawValue, "reason": reason, "basis": classification.basis,
      "acknowledgement": acknowledgement?.text, "location": location,
    ]).encode(to: encoder)
  }
}

extension VersionNumber: Encodable {
  package func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}
