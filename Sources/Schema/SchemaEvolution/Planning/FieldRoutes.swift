internal import SchemaModel

/// Builds the data-integrity map of one step: old field, new field, fallback.
struct FieldRoutes {
  let pairing: StepPairing

  func routes() -> [FieldRoute] {
    var found: [FieldRoute] = []
    for model in pairing.changed {
      for pair in pairing.pairs(of: model) where pair.old != model || model.hasStep {
        found += routes(pair)
      }
    }
    found += caseRoutes()
    for drop in pairing.new.drops.sorted(by: { $0.element.value < $1.element.value })
    where drop.replacedBy == nil {
      found.append(
        FieldRoute(from: drop.element.value, to: nil, fallback: .dropped(drop.acknowledgement)))
    }
    return found
  }

  private func caseRoutes() -> [FieldRoute] {
    pairing.old.types.map(\.name).sorted().flatMap { type in
      CasePairing(type, from: pairing.old, to: pairing.new).carried
        .filter { $0.old.name != $0.new.name }
        .map {
          FieldRoute(
            from: ElementPath(type, $0.old.name), to: ElementPath(type, $0.new.name), fallback: nil)
        }
    }
  }

  private func routes(_ pair: ModelPairing) -> [FieldRoute] {
    var found: [FieldRoute] = []
    let (old, new) = (pair.old, pair.new)
    for (was, now) in pair.properties.continued
    where old.name != new.name || was.name != now.name || was.type != now.type {
      found.append(
        FieldRoute(
          from: ElementPath(old.name, was.name), to: ElementPath(new.name, now.name),
          fallback: was.type.isOptional && !now.type.isOptional
            ? fallback(now) : nil))
    }
    for (sources, now) in pair.properties.converted {
      for source in sources {
        found.append(
          FieldRoute(
            from: ElementPath(old.name, source.name), to: ElementPath(new.name, now.name),
            fallback: conversion(now)))
      }
    }
    for property in pair.properties.added where !property.isTransient {
      found.append(
        FieldRoute(
          from: nil, to: ElementPath(new.name, property.name), fallback: fallback(property)))
    }
    return found
  }

  private func conversion(_ property: Property) -> FieldRoute.Fallback? {
    switch property.migration.convert?.value {
    case .expression(let expression): .value(expression.text)
    case .function(let name): .value("\(name)(…), yours")
    case nil: nil
    }
  }

  private func fallback(_ property: Property) -> FieldRoute.Fallback? {
    switch property.migration.fill?.value {
    case .expression(let expression): return .value(expression.text)
    case .function(let name): return .value("\(name)(), yours")
    case nil:
      if let value = property.attribute?.defaultValue { return .value(value.text) }
      if property.type.isOptional { return .value("nil") }
      return property.relationship == nil ? nil : .value("no links")
    }
  }
}
