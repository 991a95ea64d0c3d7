internal import SchemaModel

/// Lists the functions of a step that its owned file has to have.
struct OwnedFunctionList {
  let pairing: HopPairing
  /// The enum of the version whose rows functions see.
  let rowSchema: String

  private var new: SchemaVersion { pairing.new }

  /// The functions that the app has to write for this step, in the manifest's order.
  func functions() -> [OwnedFunction] {
    var found: [OwnedFunction] = []
    func add(_ name: String, _ purpose: OwnedFunction.Purpose, _ element: ElementPath?) {
      let function = OwnedFunction(name: name, purpose: purpose, element: element)
      // One name may stand for several functions, which Swift tells apart by their types.
      if !found.contains(where: { $0.name == name && $0.purpose == purpose }) {
        found.append(function)
      }
    }
    if new.hooks.before { add("before", .before, nil) }
    for model in new.models where !pairing.isUnchanged(model.name) {
      let sources = pairing.origins(of: model)
      for property in model.properties {
        let element = ElementPath(model.name, property.name)
        let isRelationship = property.relationship != nil
        let row = "\(rowSchema).\(model.name)"
        let result = resultType(property, in: rowSchema)
        if case .function(let name)? = property.hop.convert?.value {
          if isRelationship {
            add(name, .relate(row: row, result: result), element)
          } else {
            let parameters = property.hop.from.map { from in
              let type = sources.lazy.compactMap { $0.property(named: from.value) }.first
                .map { $0.attribute?.valueType ?? $0.type }
              return OwnedFunction.Parameter(name: from.value, type: type?.description ?? "Never")
            }
            add(name, .convert(parameters: parameters, result: result), element)
          }
        }
        for (index, revert) in property.hop.revert.enumerated() {
          guard case .function(let name) = revert.value else { continue }
          let from =
            property.hop.from.indices.contains(index)
            ? property.hop.from[index].value : property.hop.renamedFrom?.value ?? property.name
          let type = sources.lazy.compactMap { $0.property(named: from) }.first
            .map { $0.attribute?.valueType ?? $0.type }
          add(
            name, .revert(parameter: result, result: type?.description ?? "Never"), element)
        }
        if case .function(let name)? = property.hop.fill?.value {
          add(
            name, isRelationship ? .relate(row: row, result: result) : .fill(result: result),
            element)
        }
        if case .function(let name)? = property.attribute?.dedupe {
          add(name, .dedupe(row: row), element)
        }
      }
      for unique in model.uniques {
        if case .function(let name)? = unique.dedupe {
          add(name, .dedupe(row: "\(rowSchema).\(model.name)"), ElementPath(model.name))
        }
      }
    }
    if new.hooks.after { add("after", .after, nil) }
    return found
  }

  private func resultType(_ property: Property, in schema: String) -> String {
    guard let relationship = property.relationship else {
      return (property.attribute?.valueType ?? property.type).description
    }
    let model = "\(schema).\(relationship.destination.value)"
    return relationship.cardinality.isMany ? "[\(model)]" : "\(model)?"
  }
}
