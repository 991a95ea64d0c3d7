package import SchemaModel

/// Writes pieces of manifests, for messages that print the exact edit.
package enum ManifestEdit {
  /// A property in flow style, with further keys: `name: { type: String, default: "", renamedFrom: title }`.
  package static func property(
    _ property: Property, adding keys: [(key: String, value: String)] = [],
    settingType type: TypeReference? = nil
  ) -> String {
    var pairs: [(String, String)] = []
    switch property.kind {
    case .attribute(let attribute):
      pairs.append(("type", (type ?? attribute.type).description))
      if let value = attribute.defaultValue { pairs.append(("default", value.text)) }
      for option in attribute.options.sorted() { pairs.append((option.rawValue, "true")) }
      if let transformer = attribute.transformer { pairs.append(("transformable", transformer)) }
      if let encodes = attribute.encodes { pairs.append(("encodes", encodes.description)) }
      if let fallback = attribute.fallback { pairs.append(("fallback", fallback.text)) }
      if property.isTransient { pairs.append(("transient", "true")) }
    case .relationship(let relationship):
      pairs.append(("relationship", (type ?? relationship.type).description))
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
    if let name = property.originalName { pairs.append(("originalName", name)) }
    if let modifier = property.hashModifier { pairs.append(("hashModifier", modifier)) }
    if let name = property.mapping.name { pairs.append(("entityProperty", name)) }
    if property.mapping.form != (property.relationship == nil ? .value : .omit) {
      pairs.append(("inEntity", property.mapping.form.rawValue))
    }
    if let key = property.mapping.sortedBy { pairs.append(("sortedBy", key.value)) }
    if let documentation = property.documentation { pairs.append(("doc", documentation)) }
    pairs += keys.map { ($0.key, $0.value) }
    let text = pairs.map { "\($0.0): \(scalar($0.1))" }.joined(separator: ", ")
    return "\(property.name): { \(text) }"
  }

  /// `drops: { Model.property: "why" }`
  package static func drop(_ element: ElementPath) -> String { "drops: { \(element): \"why\" }" }

  /// An entry of `accept:`.
  package static func acceptance(_ rule: String, _ element: some CustomStringConvertible) -> String
  {
    "accept: [{ rule: \(rule), element: \(element), reason: \"why\" }]"
  }

  /// A text as a YAML scalar inside a flow mapping: in quotes where YAML would read it otherwise.
  package static func scalar(_ text: String) -> String {
    if text.hasPrefix("{ ") && text.hasSuffix(" }") { return text }
    if text.contains(where: \.isNewline) { return YAMLText.doubleQuoted(text) }
    return YAMLText.isPlain(text, in: .flow) ? text : YAMLText.singleQuoted(text)
  }
}
