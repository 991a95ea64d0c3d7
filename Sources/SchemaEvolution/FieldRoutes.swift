internal import SchemaModel

/// Makes the data-integrity map of one step: old field, new field, fallback.
struct FieldRoutes {
  let pairing: HopPairing

  func routes() -> [FieldRoute] {
    var found: [FieldRoute] = []
    for model in pairing.changed {
      let sources =
        pairing.predecessor(of: model).map { [$0] } ?? pairing.sources(of: model)
      for source in sources where source != model || model.hasStep {
        found += routes(from: source, to: model)
      }
    }
    for drop in pairing.new.drops.sorted(by: { $0.element.value < $1.element.value }) {
      found.append(
        FieldRoute(from: drop.element.value, to: nil, fallback: "dropped: \(drop.reason)"))
    }
    return found
  }

  private func routes(from old: Model, to new: Model) -> [FieldRoute] {
    var found: [FieldRoute] = []
    let pairing = pairing.properties(from: old, to: new)
    for (was, now) in pairing.continued
    where old.name != new.name || was.name != now.name || was.type != now.type {
      found.append(
        FieldRoute(
          from: "\(old.name).\(was.name)", to: "\(new.name).\(now.name)",
          fallback: was.type.isOptional && !now.type.isOptional ? fallback(now) : nil))
    }
    for (sources, now) in pairing.converted {
      for source in sources {
        found.append(
          FieldRoute(
            from: "\(old.name).\(source.name)", to: "\(new.name).\(now.name)",
            fallback: conversion(now)))
      }
    }
    for property in pairing.added where !property.isTransient {
      found.append(
        FieldRoute(from: nil, to: "\(new.name).\(property.name)", fallback: fallback(property)))
    }
    return found
  }

  private func conversion(_ property: Property) -> String? {
    switch property.hop.convert?.value {
    case .expression(let expression): expression.text
    case .function(let name): "\(name)(…), yours"
    case nil: nil
    }
  }

  private func fallback(_ property: Property) -> String? {
    switch property.hop.fill?.value {
    case .expression(let expression): expression.text
    case .function(let name): "\(name)(), yours"
    case nil:
      property.attribute?.defaultValue?.text
        ?? (property.type.isOptional ? "nil" : property.relationship == nil ? nil : "no links")
    }
  }
}
