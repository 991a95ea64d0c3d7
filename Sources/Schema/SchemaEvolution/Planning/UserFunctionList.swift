internal import SchemaModel

/// Lists the functions that the app must implement in a step's user file.
struct UserFunctionList {
  let pairing: StepPairing

  private var new: SchemaVersion { pairing.new }

  func functions() -> [UserFunction] {
    var found: [UserFunction] = []
    func add(_ name: String, _ purpose: UserFunction.Purpose, _ element: ElementPath?) {
      let function = UserFunction(name: name, purpose: purpose, element: element)
      // Several functions may have the same name, because Swift distinguishes them by their types.
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
        let result = Self.value(of: property)
        if case .function(let name)? = property.migration.convert?.value {
          if isRelationship {
            add(name, .relate(row: model.name, result: result), element)
          } else {
            let parameters = property.migration.from.map { from in
              UserFunction.Parameter(
                name: from.value, value: Self.value(of: from.value, in: sources))
            }
            add(name, .convert(parameters: parameters, result: result), element)
          }
        }
        for (index, revert) in property.migration.revert.enumerated() {
          guard case .function(let name) = revert.value else { continue }
          let from =
            property.migration.from.indices.contains(index)
            ? property.migration.from[index].value
            : property.migration.renamedFrom?.value ?? property.name
          let parameters =
            revert.from.isEmpty
            ? [UserFunction.Parameter(name: "value", value: result)]
            : revert.from.compactMap { from in
              model.property(named: from.value).map {
                UserFunction.Parameter(name: from.value, value: Self.value(of: $0))
              }
            }
          add(
            name, .revert(parameters: parameters, result: Self.value(of: from, in: sources)),
            element)
        }
        if case .function(let name)? = property.migration.fill?.value {
          add(
            name,
            isRelationship ? .relate(row: model.name, result: result) : .fill(result: result),
            element)
        }
        if case .function(let name)? = property.attribute?.dedupe {
          add(name, .dedupe(row: model.name), element)
        }
      }
      for unique in model.uniques {
        if case .function(let name)? = unique.dedupe {
          add(name, .dedupe(row: model.name), ElementPath(model.name))
        }
      }
    }
    if new.hooks.after { add("after", .after, nil) }
    return found
  }

  private static func value(of name: String, in sources: [Model]) -> UserFunction.Value {
    let property = sources.lazy.compactMap { $0.property(named: name) }.first
    return .value(property.map { $0.attribute?.valueType ?? $0.type } ?? .named("Never"))
  }

  private static func value(of property: Property) -> UserFunction.Value {
    guard let relationship = property.relationship else {
      return .value(property.attribute?.valueType ?? property.type)
    }
    let model = relationship.destination.value
    return relationship.cardinality.isMany ? .rows(of: model) : .row(of: model)
  }
}
