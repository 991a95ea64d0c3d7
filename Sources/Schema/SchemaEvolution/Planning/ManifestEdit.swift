package import SchemaModel

/// Writes pieces of manifests, for messages that print the exact edit.
package enum ManifestEdit {
  /// A property in flow style, with further keys: `name: { type: String, default: "", renamedFrom: title }`.
  package static func property(
    _ property: Property, adding keys: [(key: String, value: String)] = []
  ) -> String {
    var pairs: [(String, String)] = []
    switch property.kind {
    case .attribute(let attribute):
      pairs.append(("type", attribute.type.description))
      if let value = attribute.defaultValue { pairs.append(("default", value.text)) }
      for option in attribute.options.sorted() { pairs.append((option.rawValue, "true")) }
      if let transformer = attribute.transformer { pairs.append(("transformable", transformer)) }
      if let encodes = attribute.encodes { pairs.append(("encodes", encodes.description)) }
      if let fallback = attribute.fallback { pairs.append(("fallback", fallback.text)) }
      if property.isTransient { pairs.append(("transient", "true")) }
    case .relationship(let relationship):
      pairs.append(("relationship", relationship.type.description))
      if relationship.declaresInverse, let inverse = relationship.inverse {
        pairs.append(("inverse", inverse.value))
      }
      if relationship.deleteRule != .nullify {
        pairs.append(("deleteRule", relationship.deleteRule.rawValue))
      }
      if relationship.isUnique { pairs.append(("unique", "true")) }
      if let minimum = relationship.minimum { pairs.append(("minimum", String(minimum))) }
      if let maximum = relationship.maximum { pairs.append(("maximum", String(maximum))) }
    }
    if let value = property.initializerDefault { pairs.append(("init", value.text)) }
    if let name = property.originalName { pairs.append(("originalName", name)) }
    if let modifier = property.hashModifier { pairs.append(("hashModifier", modifier)) }
    if let name = property.mapping.name { pairs.append(("entityProperty", name)) }
    if property.mapping.form != (property.relationship == nil ? .value : .omit) {
      pairs.append(("inEntity", property.mapping.form.rawValue))
    }
    let order = property.mapping.sortedBy.map(\.value)
    if !order.isEmpty { pairs.append(("sortedBy", order.count == 1 ? order[0] : list(order))) }
    if let documentation = property.documentation { pairs.append(("doc", documentation)) }
    pairs += step(of: property, adding: keys)
    // Of these the value is a name, or a list of names.
    let text = pairs.map { "\($0.0): \(["from", "sortedBy"].contains($0.0) ? $0.1 : scalar($0.1))" }
      .joined(separator: ", ")
    return "\(property.name): { \(text) }"
  }

  /// The keys of the step that stand at a property already, and the new ones: those that exclude each other do not
  /// stand together.
  private static func step(
    of property: Property, adding keys: [(key: String, value: String)]
  ) -> [(String, String)] {
    let migration = property.migration
    let added = Set(keys.map(\.key))
    let sources = migration.from.map(\.value)
    var found: [(String, String)] = []
    if let name = migration.renamedFrom, !added.contains("from") {
      found.append(("renamedFrom", name.value))
    }
    if !sources.isEmpty, !added.contains("renamedFrom") {
      found.append(("from", sources.count == 1 ? sources[0] : list(sources)))
      if let convert = migration.convert { found.append(("convert", text(convert.value))) }
    }
    let isReverted = !added.contains("renamedFrom") && !added.contains("from")
    if isReverted, sources.count > 1, !migration.revert.isEmpty {
      let reverts = zip(sources, migration.revert).map { "\($0): \(scalar(text($1)))" }
      found.append(("revert", "{ \(reverts.joined(separator: ", ")) }"))
    } else if isReverted, let revert = migration.revert.first {
      found.append(("revert", text(revert)))
    }
    if let fill = migration.fill { found.append(("fill", text(fill.value))) }
    if let dedupe = property.attribute?.dedupe { found.append(("dedupe", text(dedupe))) }
    return found.filter { !added.contains($0.0) } + keys.map { ($0.key, $0.value) }
  }

  private static func list(_ names: [String]) -> String { "[\(names.joined(separator: ", "))]" }

  static func text(_ conversion: Conversion) -> String {
    switch conversion {
    case .expression(let expression): expression.text
    case .function(let name): "{ function: \(name) }"
    }
  }

  private static func text(_ reversion: Reversion) -> String {
    guard !reversion.from.isEmpty else { return text(reversion.value) }
    return
      "{ from: \(list(reversion.from.map(\.value))), convert: \(scalar(text(reversion.value))) }"
  }

  static func text(_ dedupe: Dedupe) -> String {
    switch dedupe {
    case .latest(let name): "{ latest: \(name) }"
    case .earliest(let name): "{ earliest: \(name) }"
    case .function(let name): "{ function: \(name) }"
    }
  }

  /// `drops: { Model.property: "why" }`; beside what could take its values:
  /// `drops: { Model.note: { reason: "why", notCarriedTo: remark } }`.
  package static func drop(_ element: ElementPath, notCarriedTo names: [String] = []) -> String {
    drop(
      Drop(element: Located(element), reason: "why", notCarriedTo: names.map { Located($0) }))
  }

  /// An entry of `drops:` as it stands.
  package static func drop(_ drop: Drop) -> String {
    "drops: { \(drop.element.value): \(value(of: drop)) }"
  }

  /// What stands behind an entry's name: the reason, or a mapping.
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

  /// A case under a new name, with the raw value that it had or another:
  /// `cases: { read: { rawValue: done, renamedFrom: finished }, … }`.
  package static func renamedCase(
    _ name: String, from old: EnumCase, rawValue: String? = nil
  ) -> String {
    let literal = rawValue ?? old.storedText
    // A manifest writes text without Swift's quotes, where nothing in it is escaped.
    let text = literal.hasPrefix("\"") ? String(literal.dropFirst().dropLast()) : literal
    let isPlain = !text.isEmpty && !text.contains { $0 == "\\" || $0 == "\"" }
    let value = scalar(isPlain ? text : literal)
    return "cases: { \(name): { rawValue: \(value), renamedFrom: \(old.name) }, … }"
  }

  /// An entry of `accept:`.
  package static func acceptance(_ rule: String, _ element: some CustomStringConvertible) -> String
  {
    "accept: [{ rule: \(rule), element: \(element), reason: \"why\" }]"
  }

  /// A text as a YAML scalar inside a flow mapping: in quotes where YAML would read it otherwise.
  package static func scalar(_ text: String) -> String {
    if text.hasPrefix("{ ") && text.hasSuffix(" }") { return text }
    if text.contains(where: \.isNewline) { return YAMLText.doubleQuoted(text) }
    // A question mark stays plain in what people have written, and in what they read.
    let isPlain = YAMLText.isPlain(
      text.first == "?" ? text : text.replacing("?", with: "_"), in: .flow)
    return isPlain ? text : YAMLText.singleQuoted(text)
  }
}
