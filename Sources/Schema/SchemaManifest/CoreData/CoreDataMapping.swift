package import SchemaModel

/// What a mapping model says of one step between versions of a Core Data model; as far as it is no code.
package struct CoreDataMapping: Hashable, Sendable {
  /// Its path, as the user would type it.
  package var path: String
  /// The names of the versions: `Trips`, `Trips 2`.
  package var from: String
  package var to: String
  /// The model that both are of: `Trips.xcdatamodeld`.
  package var model: String
  package var entities: [Entity]

  /// How rows of one entity become rows of another.
  package struct Entity: Hashable, Sendable {
    /// Nil where rows are made by code, or only go.
    package var source: String?
    /// Nil where rows only go.
    package var destination: String?
    /// The class of the app's that does it.
    package var policy: String?
    /// Which rows it is about; nil for all.
    package var filter: String?
    /// Properties whose value an expression gives, sorted.
    package var expressions: [String]

    /// What entities are sorted by.
    fileprivate var key: String { "\(destination ?? "") \(source ?? "")" }

    /// Whether there is nothing in it that Core Data would not infer, names aside.
    package var isPlain: Bool { policy == nil && filter == nil && expressions.isEmpty }
  }

  /// Entities that are called otherwise in the newer version, by their names there; of one row each one row is made.
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
  /// - Parameter path: That of the `.xcmappingmodel`.
  /// - Returns: Nil for what is no mapping model.
  package static func read(_ file: SourceFile, path: String) -> CoreDataMapping? {
    guard let root = try? MarkupReader.read(file), root.name == "database" else { return nil }
    func objects(_ kind: String) -> [MarkupElement] {
      root.children.filter { $0.name == "object" && $0.attributes["type"] == "XDDEV\(kind)" }
    }
    guard let model = objects("MAPPINGMODEL").first,
      let from = model.value("sourcemodelpath"), let to = model.value("destinationmodelpath")
    else { return nil }
    // Expressions stand in properties of their own, which name the entity's mapping by its number.
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
  /// An attribute's text; nil where there is none.
  fileprivate func value(_ name: String) -> String? {
    let found = children.first { $0.name == "attribute" && $0.attributes["name"] == name }
    return found.flatMap { $0.text.isEmpty ? nil : $0.text }
  }

  /// The numbers of the objects that a relationship leads to.
  fileprivate func references(_ name: String) -> [String] {
    let found = children.first { $0.name == "relationship" && $0.attributes["name"] == name }
    return (found?.attributes["idrefs"] ?? "").split(separator: " ").map(String.init)
  }
}
