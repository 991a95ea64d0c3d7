internal import SchemaModel

/// A version as text that has exactly what affects generated code, in an order that does not depend on the manifest.
///
/// The text is only hashed. Its format must not change between releases of schemagen without a new lock format.
struct SchemaText {
  private enum Part {
    /// An element's name, which is in the structure and in the step.
    case name
    case structure
    case step
    /// Documentation and reasons, which only people read.
    case prose
  }

  private(set) var text: [UInt8] = []
  private(set) var structure: [UInt8] = []
  private(set) var step: [UInt8] = []

  init(_ version: SchemaVersion) {
    func arranged<Element>(_ list: [Element], _ key: (Element) -> String) -> [Element] {
      list.map { (key: key($0), element: $0) }.sorted { $0.key < $1.key }.map(\.element)
    }
    add("version", "\(version.number)", .name)
    add("summary", version.summary, .prose)
    if version.identity != .generated { add("identity", version.identity.rawValue) }
    if version.hooks.before { add("hook", "before", .step) }
    if version.hooks.after { add("hook", "after", .step) }
    for model in arranged(version.models, { $0.name }) {
      add("model", model.name, .name)
      add(" doc", model.documentation, .prose)
      add(" entity", model.entity)
      add(" super", model.superclass?.value)
      for source in model.sources {
        add(model.isRenamed ? " renamedFrom" : " from", source.value, .step)
      }
      for property in arranged(model.properties, { $0.name }) { add(property) }
      for unique in arranged(model.uniques, { $0.names.joined(separator: ",") }) {
        add(" unique", unique.names.joined(separator: ","), .name)
        add("  dedupe", unique.dedupe.map(Self.describe), .step)
      }
      let indexes = arranged(model.indexes) { $0.kind.rawValue + $0.names.joined(separator: ",") }
      for index in indexes {
        add(" index", index.kind.rawValue + " " + index.names.joined(separator: ","))
      }
    }
    for type in arranged(version.types, { $0.name }) { add(type) }
    for drop in arranged(version.drops, { $0.element.value.description }) {
      add("drop", drop.element.value.description, .step)
      add(" reason", drop.acknowledgement.text, .prose)
      add(" revert", drop.revert?.text, .step)
      add(" replacedBy", drop.replacedBy?.value, .step)
    }
    // Comments are not changes, even if they accept findings.
    let accepted = version.acceptances.compactMap { entry in
      entry.element.map { (rule: entry.rule.value, element: $0) }
    }
    for entry in arranged(accepted, { $0.rule + $0.element }) {
      add("accept", "\(entry.rule) \(entry.element)", .prose)
    }
  }

  /// Adds a key and a value with their lengths, so that different values cannot give the same text.
  private mutating func add(_ key: String, _ value: String?, _ part: Part = .structure) {
    guard let value else { return }
    let start = text.count
    text += key.utf8
    text.append(UInt8(ascii: " "))
    text += String(value.utf8.count).utf8
    text.append(UInt8(ascii: ":"))
    text += value.utf8
    text.append(UInt8(ascii: "\n"))
    if part == .name || part == .structure { structure += text[start...] }
    if part == .name || part == .step { step += text[start...] }
  }

  private mutating func add(_ property: Property) {
    add(" property", property.name, .name)
    add("  doc", property.documentation, .prose)
    add("  originalName", property.originalName)
    add("  hashModifier", property.hashModifier)
    if property.isTransient { add("  transient", "") }
    // A default of the initialiser does not affect stores.
    add("  init", property.initializerDefault?.text, .prose)
    add("  entityName", property.mapping.name)
    add("  inEntity", property.mapping.form.rawValue)
    // The order in which a list is sorted in memory does not affect stores.
    let order = property.mapping.sortedBy.map(\.value)
    if !order.isEmpty { add("  sortedBy", order.joined(separator: ", "), .prose) }
    switch property.kind {
    case .attribute(let attribute):
      add("  type", attribute.type.description)
      add("  default", attribute.defaultValue?.text)
      for option in attribute.options.sorted() { add("  option", option.rawValue) }
      add("  transformer", attribute.transformer)
      add("  encodes", attribute.encodes?.description)
      add("  fallback", attribute.fallback?.text)
      add("  dedupe", attribute.dedupe.map(Self.describe), .step)
    case .relationship(let relationship):
      add("  relationship", relationship.type.description)
      if relationship.declaresInverse { add("  inverse", relationship.inverse?.value) }
      add("  deleteRule", relationship.deleteRule.rawValue)
      if relationship.isUnique { add("  unique", "") }
      add("  minimum", relationship.minimum.map(String.init))
      add("  maximum", relationship.maximum.map(String.init))
    }
    add("  renamedFrom", property.migration.renamedFrom?.value, .step)
    for from in property.migration.from { add("  from", from.value, .step) }
    add("  convert", property.migration.convert.map { Self.describe($0.value) }, .step)
    for revert in property.migration.revert {
      add("  revert", Self.describe(revert.value), .step)
      for from in revert.from { add("  revertFrom", from.value, .step) }
    }
    add("  fill", property.migration.fill.map { Self.describe($0.value) }, .step)
  }

  private mutating func add(_ type: ValueTypeDeclaration) {
    add("type", type.name, .name)
    add(" doc", type.documentation, .prose)
    if type.isOwn { add(" own", type.appName ?? "") }
    add(" coding", type.coding, .prose)
    switch type.kind {
    case .enumeration(let rawType, let cases):
      add(" enum", rawType?.description ?? "none")
      for enumCase in cases.sorted(by: { $0.name < $1.name }) {
        add("  case", enumCase.name)
        add("  raw", enumCase.rawValue?.text)
        add("  renamedFrom", enumCase.renamedFrom?.value, .step)
      }
    case .structure(let fields):
      add(" struct", "")
      for field in fields.sorted(by: { $0.name < $1.name }) {
        add("  field", field.name)
        add("  type", field.type.description)
        add("  default", field.defaultValue?.text)
      }
    case .opaque: add(" opaque", "")
    }
  }

  private static func describe(_ conversion: Conversion) -> String {
    switch conversion {
    case .expression(let expression): "=" + expression.text
    case .function(let name): "()" + name
    }
  }

  private static func describe(_ dedupe: Dedupe) -> String {
    switch dedupe {
    case .latest(let by): "latest \(by)"
    case .earliest(let by): "earliest \(by)"
    case .function(let name): "function \(name)"
    }
  }
}
