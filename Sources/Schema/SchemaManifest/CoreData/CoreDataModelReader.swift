internal import ManagedModels
package import SchemaModel

extension Rule {
  package static let coreDataModel = Rule(
    "core-data-model", .error, "A Core Data model is read whole, or not at all",
    basis: .page("cookbook/core-data"))
}

/// Reads the source of a Core Data model: the file `contents` of an `.xcdatamodel`.
///
/// Anything unknown in the file is an error. It may be hashed, and a model without it would have a different hash than
/// Core Data's.
package struct CoreDataModelReader {
  private var findings = Findings()
  private var model = CoreDataModel(
    name: "", model: ManagedModel(entities: [], versionIdentifier: ""))
  private var composites: [String: MarkupElement] = [:]

  package static func read(
    _ file: SourceFile, name: String
  ) -> (model: CoreDataModel?, diagnostics: [Diagnostic]) {
    var reader = Self()
    reader.model.name = name
    do throws(MarkupFailure) {
      try reader.read(MarkupReader.read(file))
    } catch {
      let isOld = file.bytes.starts(with: Array("bplist".utf8))
      reader.report(
        isOld ? "the model is in a format that Xcode abandoned in 2010" : error.reason,
        error.location,
        help: isOld
          ? "open the model in Xcode, choose a tools version of Xcode 4 or newer in the file inspector, and save it"
          : nil)
    }
    let diagnostics = reader.findings.diagnostics
    return (diagnostics.isEmpty ? reader.model : nil, diagnostics)
  }

  private mutating func report(
    _ message: String, _ location: SourceLocation?, related: [Diagnostic.Related] = [],
    help: String? = nil
  ) {
    findings.report(
      .coreDataModel, message, at: location, related: related, help: help.map { [$0] } ?? [])
  }

  // MARK: The model

  private mutating func read(_ root: MarkupElement) {
    guard root.name == "model" else {
      report(
        "the outermost element is '\(root.name)', but must be 'model'",
        root.location)
      return
    }
    model.model.versionIdentifier = root.attributes["userDefinedModelVersionIdentifier"] ?? ""
    model.isUsedWithCloudKit = flag("usedWithCloudKit", root)
    for element in root.children where element.name == "composite" {
      guard let name = name(of: element) else { continue }
      if composites.updateValue(element, forKey: name) != nil {
        report("two composite attributes are called '\(name)'", element.location)
      }
    }
    for element in root.children {
      switch element.name {
      case "entity": entity(element)
      case "configuration": configuration(element)
      case "fetchRequest":
        if let entity = element.attributes["entity"] {
          model.traits.append(.init(element: ElementPath(entity), kind: .fetchRequest))
        }
      // The diagram, the app's own information about the model, and declarations of composites.
      case "elements", "userInfo", "composite": break
      default: unknown(element, in: root)
      }
    }
    check()
  }

  private mutating func unknown(_ element: MarkupElement, in parent: MarkupElement) {
    report(
      "unknown element '\(element.name)' in '\(parent.name)': schemagen cannot tell whether it affects the hash",
      element.location,
      help:
        "a newer schemagen may know the name; if none does, remove '\(element.name)' from the model, or adopt a store that the app wrote: 'schemagen adopt --store'"
    )
  }

  private mutating func expect(_ known: Set<String>, _ element: MarkupElement) {
    for name in element.attributes.keys.sorted() where !known.contains(name) {
      let meant = findings.suggestion(for: name, among: known.sorted())
      report(
        "unknown attribute '\(name)' of '\(element.name)': schemagen cannot tell whether it affects the hash",
        element.location,
        help: meant.map { "did you mean '\($0)'?" }
          ?? "a newer schemagen may know the name; if none does, remove '\(name)' from the model, or adopt a store that the app wrote: 'schemagen adopt --store'"
      )
    }
  }

  private mutating func name(of element: MarkupElement) -> String? {
    guard let name = element.attributes["name"], !name.isEmpty else {
      report("'\(element.name)' has no name", element.location)
      return nil
    }
    return name
  }

  private mutating func count(_ attribute: String, _ element: MarkupElement) -> Int? {
    guard let text = element.attributes[attribute], !text.isEmpty else { return nil }
    guard let number = Int32(text), number >= 0 else {
      report("'\(attribute)' is '\(text)', but must be a whole number, 0 or more", element.location)
      return nil
    }
    return Int(number)
  }

  private mutating func flag(_ attribute: String, _ element: MarkupElement) -> Bool {
    switch element.attributes[attribute] {
    case "YES", "true": return true
    case nil, "NO", "false": return false
    case let text?:
      report("'\(attribute)' is '\(text)', but must be YES or NO", element.location)
      return false
    }
  }

  private mutating func configuration(_ element: MarkupElement) {
    guard let name = name(of: element) else { return }
    let syncs = flag("usedWithCloudKit", element)
    model.configurations.append(
      CoreDataModel.Configuration(
        name: name, entities: element.children.compactMap { $0.attributes["name"] },
        isUsedWithCloudKit: syncs))
    if syncs { model.isUsedWithCloudKit = true }
  }

  // MARK: Entities

  private static let entityAttributes: Set<String> = [
    "name", "representedClassName", "parentEntity", "isAbstract", "syncable", "codeGenerationType",
    "elementID", "versionHashModifier", "coreSpotlightDisplayNameExpression", "customClassName",
    "renamingIdentifier",
  ]

  private mutating func entity(_ element: MarkupElement) {
    expect(Self.entityAttributes, element)
    guard let name = name(of: element) else { return }
    let path = ElementPath(name)
    if let other = model.places.updateValue(element.location, forKey: path) {
      report(
        "two entities are called '\(name)'", element.location,
        related: [.init("the other one", at: other)])
      return
    }
    let parent = element.attributes["parentEntity"].flatMap { $0.isEmpty ? nil : $0 }
    var entity = ManagedEntity(name: name, superentity: parent)
    entity.isAbstract = flag("isAbstract", element)
    entity.hashModifier = modifier(element)
    if let former = formerName(element), former != name {
      trait(path, .renamedEntity(from: former))
    }
    if let className = element.attributes["representedClassName"], !className.isEmpty {
      let own = className.split(separator: ".").last.map(String.init) ?? className
      if own != name, own != "NSManagedObject" { trait(path, .className(own)) }
    }
    for child in element.children { property(child, of: element, &entity) }
    // Core Data's own composites have not been seen in any store.
    for attribute in entity.attributes where attribute.type == .composite {
      entity.unknowns.append(
        HashDoubt(
          element: "\(name).\(attribute.name)",
          reason:
            "it is not certain that Core Data hashes a composite of the model editor as SwiftData does",
          evidence: "a store of a Core Data model with a composite"))
    }
    model.model.entities.append(entity)
  }

  private mutating func trait(_ element: ElementPath, _ kind: CoreDataModel.Trait.Kind) {
    model.traits.append(CoreDataModel.Trait(element: element, kind: kind))
  }

  private func modifier(_ element: MarkupElement) -> String? {
    element.attributes["versionHashModifier"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Xcode writes the "Renaming ID" into one of two attributes.
  private func formerName(_ element: MarkupElement) -> String? {
    (element.attributes["elementID"] ?? element.attributes["renamingIdentifier"]).flatMap {
      $0.isEmpty ? nil : $0
    }
  }

  private mutating func property(
    _ element: MarkupElement, of owner: MarkupElement, _ entity: inout ManagedEntity
  ) {
    switch element.name {
    case "attribute":
      guard let path = place(element, entity.name) else { return }
      guard let attribute = attribute(element, path) else { return }
      entity.attributes.append(attribute)
    case "relationship":
      guard let path = place(element, entity.name) else { return }
      guard let relationship = relationship(element, path) else { return }
      entity.relationships.append(relationship)
    case "fetchedProperty":
      guard let path = place(element, entity.name) else { return }
      trait(path, .fetchedProperty)
    case "uniquenessConstraints":
      for constraint in element.children {
        let names = constraint.children.compactMap { $0.attributes["value"] }
        if names.isEmpty {
          report("a uniqueness constraint names no property", constraint.location)
        } else {
          entity.uniqueness.append(names)
        }
      }
    case "fetchIndex": index(element, &entity)
    // Compound indexes are older than named indexes. Neither kind is hashed.
    case "compoundIndexes":
      for index in element.children {
        entity.indexes.append(
          ManagedIndex(properties: index.children.compactMap { $0.attributes["value"] }))
      }
    case "userInfo": trait(ElementPath(entity.name), .userInfo)
    default: unknown(element, in: owner)
    }
  }

  /// Records the place of a property, and returns its path; nil, with a finding, if its name is missing or already
  /// used.
  private mutating func place(_ element: MarkupElement, _ entity: String) -> ElementPath? {
    guard let name = name(of: element) else { return nil }
    let path = ElementPath(entity, name)
    if let other = model.places.updateValue(element.location, forKey: path) {
      report(
        "'\(entity)' has two properties called '\(name)'", element.location,
        related: [.init("the other one", at: other)])
      return nil
    }
    return path
  }

  /// Reads an index. Indexes are not hashed, so an index that SwiftData cannot have is left out and recorded as a
  /// trait.
  private mutating func index(_ element: MarkupElement, _ entity: inout ManagedEntity) {
    var names: [String] = []
    for part in element.children {
      guard let name = part.attributes["property"], part.attributes["expression"] == nil else {
        trait(ElementPath(entity.name), .index)
        return
      }
      names.append(name)
    }
    guard !names.isEmpty else { return }
    entity.indexes.append(
      ManagedIndex(
        properties: names,
        isRTree: element.children.contains { $0.attributes["type"] == "RTree" }))
  }

  // MARK: Attributes

  private static let propertyAttributes: Set<String> = [
    "name", "optional", "transient", "syncable", "elementID", "renamingIdentifier",
    "versionHashModifier", "spotlightIndexingEnabled", "indexed", "storedInTruthFile",
  ]

  private static let attributeAttributes: Set<String> = propertyAttributes.union([
    "attributeType", "defaultValueString", "defaultDateTimeInterval", "usesScalarValueType",
    "valueTransformerName", "customClassName", "minValueString", "maxValueString",
    "minDateTimeInterval", "maxDateTimeInterval", "regularExpressionString",
    "allowsExternalBinaryDataStorage", "allowsCloudEncryption", "preservesValueInHistoryOnDeletion",
    "preserveAfterDeletion", "derived", "derivationExpression", "indexedBySpotlight",
    "attributeValueClassName", "composite",
  ])

  private static let types = Dictionary(
    AttributeType.allCases.map { ($0.row.coreData, $0) }, uniquingKeysWith: { first, _ in first })

  private mutating func attribute(
    _ element: MarkupElement, _ path: ElementPath
  ) -> ManagedAttribute? {
    expect(Self.attributeAttributes, element)
    if element.children.contains(where: { $0.name == "userInfo" }) { trait(path, .userInfo) }
    if flag("transient", element) {
      trait(path, .transient)
      return nil
    }
    let written = element.attributes["attributeType"] ?? "Undefined"
    guard let type = Self.types[written] else {
      let meant = findings.suggestion(for: written, among: Self.types.keys.sorted())
      report(
        "'\(path)' has the unknown type '\(written)'", element.location,
        help: meant.map { "did you mean '\($0)'?" })
      return nil
    }
    let name = path.member ?? ""
    let former = formerName(element)
    var attribute = ManagedAttribute(
      name: name, originalName: former == name ? nil : former, type: type,
      isOptional: flag("optional", element), hashModifier: modifier(element),
      isExternal: flag("allowsExternalBinaryDataStorage", element),
      isPreservedOnDeletion: flag("preservesValueInHistoryOnDeletion", element)
        || flag("preserveAfterDeletion", element))
    attribute.defaultValue = defaultValue(element, type, path)
    if flag("derived", element) {
      attribute.derivation = Self.derivation(element.attributes["derivationExpression"] ?? "")
    }
    if type == .transformable {
      trait(
        path,
        .transformed(
          by: element.attributes["valueTransformerName"],
          of: element.attributes["customClassName"]))
    }
    if type == .composite { attribute.elements = elements(element, path, depth: 0) }
    if flag("allowsCloudEncryption", element) { trait(path, .cloudEncrypted) }
    let bounds = [
      "minValueString", "maxValueString", "minDateTimeInterval", "maxDateTimeInterval",
      "regularExpressionString",
    ]
    if bounds.contains(where: { element.attributes[$0] != nil }) { trait(path, .validation) }
    return attribute
  }

  /// An expression as Core Data writes and hashes it; empty if schemagen does not know how Core Data writes it
  /// (docs/facts/identity.md#derived-attributes).
  private static func derivation(_ text: String) -> String {
    let count = ".@count"
    if text.hasSuffix(count), !text.dropLast(count.count).contains("@") {
      return "count:(\(text.dropLast(count.count)))"
    }
    // A function of one property, or a function without arguments.
    let parts = text.split(separator: "(", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].hasSuffix(")") else { return "" }
    func isName(_ text: Substring) -> Bool {
      text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    }
    let argument = parts[1].dropLast()
    let isFunction =
      argument.isEmpty
      ? isName(parts[0]) && !parts[0].isEmpty
      : parts[0].hasSuffix(":") && isName(parts[0].dropLast()) && isName(argument)
    return isFunction ? text : ""
  }

  private mutating func elements(
    _ element: MarkupElement, _ path: ElementPath, depth: Int
  ) -> [ManagedAttribute] {
    guard let name = element.attributes["composite"], let composite = composites[name] else {
      report("'\(path)' uses a composite that the model does not have", element.location)
      return []
    }
    guard depth < 8 else {
      report("'\(path)' is a composite that contains itself", element.location)
      return []
    }
    return composite.children.compactMap { part in
      guard let name = part.attributes["name"],
        let type = Self.types[part.attributes["attributeType"] ?? ""]
      else {
        report("a part of '\(path)' has no name, or no type", part.location)
        return nil
      }
      var found = ManagedAttribute(
        name: name, type: type, isOptional: flag("optional", part), hashModifier: modifier(part))
      if type == .composite {
        found.elements = elements(part, path.appending(name), depth: depth + 1)
      }
      return found
    }
  }

  private mutating func defaultValue(
    _ element: MarkupElement, _ type: AttributeType, _ path: ElementPath
  ) -> StoredValue? {
    if type == .date, let text = element.attributes["defaultDateTimeInterval"] {
      if let seconds = Double(text) { return .real(seconds) }
      trait(path, .unreadDefault)
      return nil
    }
    guard let text = element.attributes["defaultValueString"] else { return nil }
    switch type {
    case .string: return .text(text)
    case .boolean where ["YES", "NO", "1", "0", "true", "false"].contains(text):
      return .integer(["YES", "1", "true"].contains(text) ? 1 : 0)
    case .integer16, .integer32, .integer64:
      if let number = Int64(text) { return .integer(number) }
    case .double, .float:
      if let number = Double(text), number.isFinite { return .real(number) }
    case .decimal:
      if let number = Double(text), number.isFinite { return .text(text) }
    default: break
    }
    trait(path, .unreadDefault)
    return nil
  }

  // MARK: Relationships

  private static let relationshipAttributes: Set<String> = propertyAttributes.union([
    "toMany", "ordered", "minCount", "maxCount", "deletionRule", "destinationEntity",
    "inverseName", "inverseEntity",
  ])

  private static let rules: [String: ManagedRelationship.DeleteRule] = [
    "Nullify": .nullify, "Cascade": .cascade, "Deny": .deny, "No Action": .noAction,
  ]

  private mutating func relationship(
    _ element: MarkupElement, _ path: ElementPath
  ) -> ManagedRelationship? {
    expect(Self.relationshipAttributes, element)
    if element.children.contains(where: { $0.name == "userInfo" }) { trait(path, .userInfo) }
    if flag("transient", element) {
      trait(path, .transient)
      return nil
    }
    guard let destination = element.attributes["destinationEntity"], !destination.isEmpty else {
      report("the relationship '\(path)' has no destination", element.location)
      return nil
    }
    let written = element.attributes["deletionRule"] ?? "Nullify"
    guard let rule = Self.rules[written] else {
      report(
        "'\(path)' has the unknown delete rule '\(written)'", element.location,
        help: "write one of: \(Self.rules.keys.sorted().joined(separator: ", "))")
      return nil
    }
    let name = path.member ?? ""
    let former = formerName(element)
    let isToMany = flag("toMany", element)
    let maximum = count("maxCount", element) ?? 0
    let minimum = count("minCount", element) ?? 0
    if isToMany ? maximum > 0 && minimum > maximum : minimum > 1 || maximum > 1 {
      report(
        "'\(path)' must lead to at least \(minimum) rows, but to at most \(isToMany ? maximum : 1)",
        element.location)
    }
    var relationship = ManagedRelationship(
      name: name, originalName: former == name ? nil : former, destination: destination,
      inverse: element.attributes["inverseName"].flatMap { $0.isEmpty ? nil : $0 },
      isToMany: isToMany, isOptional: flag("optional", element), minimumCount: minimum,
      maximumCount: isToMany ? maximum : 1, deleteRule: rule, hashModifier: modifier(element))
    relationship.isOrdered = flag("ordered", element)
    return relationship
  }

  // MARK: References

  /// Reports errors that stop Xcode from compiling the model.
  private mutating func check() {
    let entities = model.model.entitiesByName
    if entities.isEmpty, findings.diagnostics.isEmpty {
      report("the model has no entities", nil)
    }
    for entity in model.model.entities {
      let place = model.places[ElementPath(entity.name)]
      if let parent = entity.superentity, entities[parent] == nil {
        report("'\(entity.name)' inherits from '\(parent)', which the model does not have", place)
      } else if leadsBack(entity, entities) {
        report("'\(entity.name)' inherits from itself", place)
      }
      for relationship in entity.relationships where entities[relationship.destination] == nil {
        let path = ElementPath(entity.name, relationship.name)
        report(
          "'\(path)' leads to '\(relationship.destination)', which the model does not have",
          model.places[path])
      }
    }
  }

  private func leadsBack(_ entity: ManagedEntity, _ entities: [String: ManagedEntity]) -> Bool {
    var passed: Set<String> = [entity.name]
    var last = entity
    while let parent = last.superentity, let above = entities[parent] {
      guard passed.insert(parent).inserted else { return parent == entity.name }
      last = above
    }
    return false
  }
}
