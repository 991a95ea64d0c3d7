/// Formats a property for a manifest, in the short form `name: Type = default` if possible.
package struct ManifestPropertyText {
  /// A property with more keys is easier to read with one key per line.
  static let mostInLine = 4

  private let property: Property

  package init(_ property: Property) { self.property = property }

  package var entry: ManifestEntry {
    if let attribute = property.attribute, isShort(attribute) {
      return ManifestEntry(property.name, Self.short(attribute.type, attribute.defaultValue))
    }
    let isRich = property.migration.convert != nil && !property.migration.revert.isEmpty
    return ManifestEntry(property.name, .mapping(keys, most: isRich ? 0 : Self.mostInLine))
  }

  /// All keys, even if the short form is possible.
  package var keys: [ManifestEntry] {
    var keys: [ManifestEntry] = []
    switch property.kind {
    case .attribute(let attribute): add(attribute, to: &keys)
    case .relationship(let relationship): add(relationship, to: &keys)
    }
    addCommon(to: &keys)
    add(property.migration, to: &keys)
    if let dedupe = property.attribute?.dedupe {
      keys.append(ManifestEntry("dedupe", Self.value(dedupe)))
    }
    return keys
  }

  package static func short(_ type: TypeReference, _ defaultValue: SwiftExpression?)
    -> ManifestValue
  {
    .name(defaultValue.map { "\(type) = \($0)" } ?? type.description)
  }

  package static func value(_ dedupe: Dedupe) -> ManifestValue {
    let (key, name) =
      switch dedupe {
      case .latest(let property): ("latest", property)
      case .earliest(let property): ("earliest", property)
      case .function(let function): ("function", function)
      }
    return .mapping([ManifestEntry(key, .name(name))])
  }

  private func isShort(_ attribute: Attribute) -> Bool {
    var bare = Property(
      name: property.name,
      kind: .attribute(
        Attribute(type: attribute.type, defaultValue: attribute.defaultValue)))
    // Documentation without visible characters is omitted.
    bare.documentation =
      property.documentation?.manifestText.isEmpty == true
      ? property.documentation : nil
    return property == bare
  }

  private func add(_ attribute: Attribute, to keys: inout [ManifestEntry]) {
    keys.append(ManifestEntry("type", .name(attribute.type.description)))
    if let value = attribute.defaultValue {
      keys.append(ManifestEntry("default", .source(value.text)))
    }
    for option in attribute.options.sorted() {
      keys.append(ManifestEntry(option.rawValue, .source("true")))
    }
    if let name = attribute.transformer { keys.append(ManifestEntry("transformable", .name(name))) }
    if let type = attribute.encodes {
      keys.append(ManifestEntry("encodes", .name(type.description)))
    }
    if let value = attribute.fallback {
      keys.append(ManifestEntry("fallback", .source(value.text)))
    }
    if property.isTransient { keys.append(ManifestEntry("transient", .source("true"))) }
  }

  private func add(_ relationship: Relationship, to keys: inout [ManifestEntry]) {
    keys.append(ManifestEntry("relationship", .name(relationship.type.description)))
    if relationship.declaresInverse, let inverse = relationship.inverse {
      keys.append(ManifestEntry("inverse", .name(inverse.value)))
    }
    if relationship.deleteRule != .nullify {
      keys.append(ManifestEntry("deleteRule", .name(relationship.deleteRule.rawValue)))
    }
    if relationship.isUnique { keys.append(ManifestEntry("unique", .source("true"))) }
    if let count = relationship.minimum {
      keys.append(ManifestEntry("minimum", .source("\(count)")))
    }
    if let count = relationship.maximum {
      keys.append(ManifestEntry("maximum", .source("\(count)")))
    }
  }

  private func addCommon(to keys: inout [ManifestEntry]) {
    if let value = property.initializerDefault {
      keys.append(ManifestEntry("init", .source(value.text)))
    }
    if let name = property.originalName { keys.append(ManifestEntry("originalName", .name(name))) }
    keys.add("hashModifier", property.hashModifier?.manifestLine)
    if property.mapping.form != (property.relationship == nil ? .value : .omit) {
      keys.append(ManifestEntry("inEntity", .name(property.mapping.form.rawValue)))
    }
    let order = property.mapping.sortedBy.map(\.value)
    if !order.isEmpty {
      keys.append(ManifestEntry("sortedBy", order.count == 1 ? .name(order[0]) : .names(order)))
    }
    if let name = property.mapping.name {
      keys.append(ManifestEntry("entityProperty", .name(name)))
    }
    let documentation = property.documentation?.manifestText ?? ""
    // Documentation of several lines comes first; one line comes last, like a remark.
    let doc = ManifestEntry("doc", .text(documentation))
    if !documentation.isEmpty {
      keys.insert(doc, at: documentation.unicodeScalars.contains("\n") ? 0 : keys.count)
    }
  }

  private func add(_ migration: PropertyMigration, to keys: inout [ManifestEntry]) {
    if let name = migration.renamedFrom {
      keys.append(ManifestEntry("renamedFrom", .name(name.value)))
    }
    let sources = migration.from.map(\.value)
    if !sources.isEmpty {
      keys.append(
        ManifestEntry("from", sources.count == 1 ? .name(sources[0]) : .names(sources)))
    }
    if let convert = migration.convert {
      keys.append(ManifestEntry("convert", value(convert.value)))
    }
    if sources.count > 1, !migration.revert.isEmpty {
      let reverts = zip(sources, migration.revert).map { ManifestEntry($0, value($1)) }
      keys.append(ManifestEntry("revert", .mapping(reverts)))
    } else if let revert = migration.revert.first {
      keys.append(ManifestEntry("revert", value(revert)))
    }
    if let fill = migration.fill { keys.append(ManifestEntry("fill", value(fill.value))) }
  }

  private func value(_ reversion: Reversion) -> ManifestValue {
    guard !reversion.from.isEmpty else { return value(reversion.value) }
    return .mapping([
      ManifestEntry("from", .names(reversion.from.map(\.value))),
      ManifestEntry("convert", value(reversion.value)),
    ])
  }

  private func value(_ conversion: Conversion) -> ManifestValue {
    switch conversion {
    case .expression(let expression): .source(expression.text)
    case .function(let name): .mapping([ManifestEntry("function", .name(name))])
    }
  }
}

extension [ManifestEntry] {
  package mutating func add(_ key: String, _ words: String?) {
    if let words, !words.isEmpty { append(ManifestEntry(key, .text(words))) }
  }
}
