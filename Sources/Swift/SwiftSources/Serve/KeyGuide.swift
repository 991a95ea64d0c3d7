/// What keys a file may have where, and what each means: by the JSON Schemas that editors use without a server as well.
struct KeyGuide: Sendable {
  /// The guide to manifests.
  static let manifest = KeyGuide(PackageResources.manifest_schema_json)
  /// The guide to `schemagen.yaml`.
  static let configuration = KeyGuide(PackageResources.schemagen_schema_json)

  private let root: JSONValue

  init(_ schema: [UInt8]) { root = JSONValue(parsing: schema) ?? .null }

  /// The keys of a mapping that are not written yet, sorted, each with what it means.
  ///
  /// - Parameter siblings: The keys that the mapping has already; they tell an attribute from a relationship.
  func keys(at path: [ManifestCursor.Step], with siblings: Set<String>) -> [(
    key: String, text: String?
  )] {
    var found: [String: String] = [:]
    for node in nodes(at: path, with: siblings) {
      for (key, value) in node["properties"]?.object ?? [:] where found[key] == nil {
        if value.bool == false { continue }
        found[key] = description(of: value) ?? ""
      }
    }
    return found.filter { !siblings.contains($0.key) }.sorted { $0.key < $1.key }.map {
      ($0.key, $0.value.isEmpty ? nil : $0.value)
    }
  }

  /// What a key of a mapping means; nil for a name that the user chose.
  func text(of key: String, at path: [ManifestCursor.Step], with siblings: Set<String>) -> String? {
    for node in nodes(at: path, with: siblings) {
      if let value = node["properties"]?[key], let text = description(of: value) { return text }
    }
    return nil
  }

  /// The words that the value of a key can be, in the schema's order; none where it can be anything.
  func values(of key: String, at path: [ManifestCursor.Step], with siblings: Set<String>)
    -> [String]
  {
    values(at: path + [.key(key)], with: siblings)
  }

  /// The words that an item of a list can be.
  func values(at path: [ManifestCursor.Step], with siblings: Set<String> = []) -> [String] {
    var found: [String] = []
    for node in nodes(at: path, with: siblings) {
      let words = node["enum"]?.array?.compactMap(\.string) ?? []
      let flags = node["type"]?.string == "boolean" ? ["true", "false"] : []
      found += (words + flags).filter { !found.contains($0) }
    }
    return found
  }

  // MARK: Schemas

  /// Everything that a schema says of the node at a path.
  private func nodes(at path: [ManifestCursor.Step], with siblings: Set<String>) -> [JSONValue] {
    var open = expanded([root], path.isEmpty ? siblings : [])
    for (index, step) in path.enumerated() {
      var next: [JSONValue] = []
      for node in open {
        switch step {
        case .key(let key):
          if let value = node["properties"]?[key] {
            next.append(value)
          } else if let value = node["additionalProperties"], value.object != nil {
            next.append(value)
          }
        case .item:
          if let value = node["items"] { next.append(value) }
        }
      }
      // What is beside the place tells which of several forms it has; of those further out nothing is known.
      open = expanded(next, index == path.count - 1 ? siblings : [])
    }
    return open
  }

  /// Schemas with all that they refer to or choose between.
  private func expanded(_ nodes: [JSONValue], _ siblings: Set<String>) -> [JSONValue] {
    var open = Array(nodes.reversed())
    var found: [JSONValue] = []
    // A schema that refers to itself ends somewhere.
    while let node = open.popLast(), found.count < 64 {
      found.append(node)
      var next: [JSONValue] = []
      if let name = node["$ref"]?.string?.split(separator: "/").last,
        let target = root["$defs"]?[String(name)]
      {
        next.append(target)
      }
      for list in ["anyOf", "oneOf", "allOf"] { next += node[list]?.array ?? [] }
      next += branches(of: node, siblings)
      open += next.reversed()
    }
    return found
  }

  private func branches(of node: JSONValue, _ siblings: Set<String>) -> [JSONValue] {
    let both = [node["then"], node["else"]].compactMap(\.self)
    let wanted = node["if"]?["required"]?.array?.compactMap(\.string) ?? []
    guard !wanted.isEmpty, !siblings.isEmpty else { return both }
    let branch = siblings.isSuperset(of: wanted) ? node["then"] : node["else"]
    return [branch].compactMap(\.self)
  }

  private func description(of node: JSONValue) -> String? {
    expanded([node], []).lazy.compactMap { $0["description"]?.string }.first
  }
}
