package import SchemaEvolution
package import SchemaModel
internal import SchemaRendering

extension DiffReport: Encodable {
  private enum CodingKeys: String, CodingKey { case format, pairs, store, outcome, retired }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(2, forKey: .format)
    try container.encode(steps, forKey: .pairs)
    try container.encodeIfPresent(measurements, forKey: .store)
    try container.encodeIfPresent(gravestOutcome, forKey: .outcome)
    if !evolution.retired.isEmpty {
      try container.encode(Left(evolution, survey), forKey: .retired)
    }
  }
}

extension DiffReport.Step: Encodable {
  private enum CodingKeys: String, CodingKey {
    case from, to, summary, mechanism, changes, stages, mixedDevices
  }

  private struct Stage: Encodable {
    var name, from, to, kind: String
    var reasons: [String]
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(step.old.number, forKey: .from)
    try container.encode(step.new.number, forKey: .to)
    try container.encodeIfPresent(step.new.summary, forKey: .summary)
    try container.encode(step.mechanism.rawValue, forKey: .mechanism)
    try container.encode(lines, forKey: .changes)
    let stages = step.stages.map { stage in
      Stage(
        name: stage.name(in: step), from: stage.from.name, to: stage.to.name,
        kind: stage.isCustom ? "custom" : stage.isBarrier ? "stop" : "lightweight",
        reasons: stage.barrierReasons.map(\.description))
    }
    try container.encode(stages, forKey: .stages)
    // Present only if the store syncs.
    guard syncs else { return }
    try container.encode(
      Dictionary(uniqueKeysWithValues: mixed.map { ($0.older, $0.verdicts) }), forKey: .mixedDevices)
  }
}

extension DiffReport.Line: Encodable {
  private enum CodingKeys: String, CodingKey { case store }

  func encode(to encoder: any Encoder) throws {
    try change.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(finding, forKey: .store)
  }
}

extension MixedDevices: Encodable {
  private enum CodingKeys: String, CodingKey { case element, verdict, older, newer }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(element.description, forKey: .element)
    try container.encode(verdict.rawValue, forKey: .verdict)
    try container.encode(older, forKey: .older)
    try container.encode(newer, forKey: .newer)
  }
}

extension SchemaChange: Encodable {
  private enum CodingKeys: String, CodingKey {
    case rule, element, title, detail, mechanism, effect, reason, basis, acknowledgement, location
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(ruleID, forKey: .rule)
    try container.encode(element.description, forKey: .element)
    try container.encode(classification.title, forKey: .title)
    try container.encodeIfPresent(detail.isEmpty ? nil : detail, forKey: .detail)
    try container.encode(mechanism.rawValue, forKey: .mechanism)
    try container.encode(effect.rawValue, forKey: .effect)
    try container.encode(reason, forKey: .reason)
    try container.encode(classification.basis, forKey: .basis)
    try container.encodeIfPresent(acknowledgement?.text, forKey: .acknowledgement)
    try container.encodeIfPresent(location, forKey: .location)
  }
}

extension VersionNumber: Encodable {
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
