package import SchemaModel

/// What a mapping model defines for one step between versions of a Core Data model, except for code.
package struct CoreDataMapping: Hashable, Sendable {
  /// The path of the `.xcmappingmodel`, as the user would type it.
  package var path: String
  package var from: String
  package var to: String
  /// The model that both versions belong to: `Trips.xcdatamodeld`.
  package var model: String
  package var entities: [Entity]

  /// How rows of one entity become rows of another.
  package struct Entity: Hashable, Sendable {
    /// The older version's entity; nil if the mapping names none.
    package var source: String?
    /// The newer version's entity; nil if the mapping names none, because rows are only deleted.
    package var destination: String?
    package var policy: String?
    /// The predicate for the rows that the mapping applies to; nil for all rows.
    package var filter: String?
    package var expressions: [String]

    fileprivate var key: String { "\(destination ?? "") \(source ?? "")" }

    /// Whether Core Data would infer the whole mapping, except for the names.
    package var isPlain: Bool { policy == nil && filter == nil && expressions.isEmpty }
  }

  /// The old names of renamed entities, by new name. Entities whose rows are filtered, split or merged are left out.
  package var renames: [String: String] {
    let sources = Dictionary(grouping: entities, by: \.source)
    let destinations = Dictionary(grouping: entities, by: \.destination)
    var found: [String: String] = [:]
    for entity in entities where entity.filter == nil {
      guard let source = entity.source, let destination = entity.destination, source != destination,
        sources[source]?.count == 1, destinations[destination]?.count == 1
      else { continue }
      found[destination] = source
    }
    return found
  }
}

extension CoreDataMapping {
  /// Reads the file `xcmapping.xml` of an `.xcmappingmodel`.
  ///
  /// - Parameter path: The path of the `.xcmappingmodel`.
  ///
  /// - Returns: Nil if the file is not a mapping model.
  package static func read(_ file: SourceFile, path: String) -> CoreDataMapping? {
    guard let root = try? MarkupReader.read(file), root.name == "database" else { return nil }
    func objects(_ kind: String) -> [MarkupElement] {
      root.children.filter { $0.name == "object" && $0.attributes["type"] == "XDDEV\(kind)" }
    }
    guard let model = objects("MAPPINGMODEL").first,
      let from = model.value("sourcemodelpath"), let to = model.value("destinationmodelpath")
    else { return nil }
    // Expressions are separate objects that refer to the entity's mapping by its ID.
    var expressions: [String: Set<String>] = [:]
    for property in objects("ATTRIBUTEMAPPING") + objects("RELATIONSHIPMAPPING")
    where property.value("valueexpressiondata") != nil {
      guard let name = property.value("name") else { continue }
      for owner in property.references("entitymapping") {
        expressions[owner, default: []].insert(name)
      }
    }
    let entities = objects("ENTITYMAPPING").map { entity in
      Entity(
        source: entity.value("sourcename"), destination: entity.value("destinationname"),
        policy: entity.value("migrationpolicyclassname"),
        filter: entity.value("sourcefilterpredicatestring"),
        expressions: (expressions[entity.attributes["id"] ?? ""] ?? []).sorted())
    }
    func names(_ path: String) -> [String] { path.split(separator: "/").map(String.init) }
    func stem(_ path: String) -> String {
      let name = names(path).last ?? path
      return name.hasSuffix(".xcdatamodel") ? String(name.dropLast(".xcdatamodel".count)) : name
    }
    return CoreDataMapping(
      path: path, from: stem(from), to: stem(to), model: names(from).dropLast().last ?? "",
      entities: entities.sorted { $0.key < $1.key })
  }
}

extension MarkupElement {
  fileprivate func value(_ name: String) -> String? {
    let found = children.first { $0.name == "attribute" && $0.attributes["name"] == name }
    return found.flatMap { $0.text.isEmpty ? nil : $0.text }
  }

  fileprivate func references(_ name: String) -> [String] {
    let found = children.first { $0.name == "relationship" && $0.attributes["name"] == name }
    return (found?.attributes["idrefs"] ?? "").split(separator: " ").map(String.init)
  }
}
