package import SchemaModel

/// Formats parts of manifests for messages that show the exact edit.
package enum ManifestEdit {
  /// A property in flow style with additional keys: `name: { type: String, default: "", renamedFrom: title }`.
  package static func property(
    _ property: Property, adding keys: [(key: String, value: String)] = []
  ) -> String {
    let added = Set(keys.map(\.key))
    let excluded: Set<String> =
      added.contains("renamedFrom")
      ? ["from", "convert", "revert"] : added.contains("from") ? ["renamedFrom", "revert"] : []
    let own = ManifestPropertyText(property).keys.filter {
      !added.union(excluded).contains($0.key)
    }
    let pairs =
      own.map { ($0.key, flow($0.value)) }
      + keys.map { ($0.key, $0.key == "from" ? $0.value : scalar($0.value)) }
    return "\(property.name): { \(pairs.map { "\($0): \($1)" }.joined(separator: ", ")) }"
  }

  private static func flow(_ value: ManifestValue) -> String {
    switch value {
    case .name(let text), .source(let text), .text(let text): scalar(text)
    case .list(let items, _): list(items.map(flow))
    case .mapping(let entries, _):
      "{ \(entries.map { "\($0.key): \(flow($0.value))" }.joined(separator: ", ")) }"
    }
  }

  private static func list(_ names: [String]) -> String { "[\(names.joined(separator: ", "))]" }

  static func text(_ conversion: Conversion) -> String {
    switch conversion {
    case .expression(let expression): expression.text
    case .function(let name): "{ function: \(name) }"
    }
  }

  static func text(_ dedupe: Dedupe) -> String { flow(ManifestPropertyText.value(dedupe)) }

  /// `drops: { Model.property: "why" }`. With elements that could receive the values: `drops: { Model.note: { reason:
  /// "why", notCarriedTo: remark } }`.
  package static func drop(_ element: ElementPath, notCarriedTo names: [String] = []) -> String {
    drop(
      Drop(element: Located(element), reason: "why", notCarriedTo: names.map { Located($0) }))
  }

  package static func drop(_ drop: Drop) -> String {
    "drops: { \(drop.element.value): \(value(of: drop)) }"
  }

  static func value(of drop: Drop) -> String {
    let reason = YAMLText.doubleQuoted(drop.acknowledgement.text)
    var keys = [("reason", reason)]
    if let revert = drop.revert { keys.append(("revert", scalar(revert.text))) }
    if let name = drop.replacedBy { keys.append(("replacedBy", name.value)) }
    let names = drop.notCarriedTo.map(\.value)
    if !names.isEmpty { keys.append(("notCarriedTo", names.count == 1 ? names[0] : list(names))) }
    return keys.count == 1
      ? reason : "{ \(keys.map { "\($0.0): \($0.1)" }.joined(separator: ", ")) }"
  }

  /// A renamed case with its former raw value or another one: `cases: { read: { rawValue: done, renamedFrom: finished
  /// }, … }`.
  package static func renamedCase(
    _ name: String, from old: EnumCase, rawValue: String? = nil
  ) -> String {
    let literal = rawValue ?? old.storedText
    // A manifest writes strings without Swift's quotes, unless a character is escaped.
    let text = literal.hasPrefix("\"") ? String(literal.dropFirst().dropLast()) : literal
    let isPlain = !text.isEmpty && !text.contains { $0 == "\\" || $0 == "\"" }
    let value = scalar(isPlain ? text : literal)
    return "cases: { \(name): { rawValue: \(value), renamedFrom: \(old.name) }, … }"
  }

  package static func acceptance(_ rule: String, _ element: some CustomStringConvertible) -> String
  {
    "accept: [{ rule: \(rule), element: \(element), reason: \"why\" }]"
  }

  /// A string as a YAML scalar in a flow mapping, in quotes if necessary.
  package static func scalar(_ text: String) -> String {
    if text.hasPrefix("{ ") && text.hasSuffix(" }") { return text }
    if text.contains(where: \.isNewline) { return YAMLText.doubleQuoted(text) }
    // A question mark does not cause quotes, because people write types without them.
    let isPlain = YAMLText.isPlain(
      text.first == "?" ? text : text.replacing("?", with: "_"), in: .flow)
    return isPlain ? text : YAMLText.singleQuoted(text)
  }
}
