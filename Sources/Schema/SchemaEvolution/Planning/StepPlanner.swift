internal import SchemaModel

/// Plans what a step does to rows, and which additional columns its bridge needs.
struct StepPlanner {
  let pairing: StepPairing
  let changes: [SchemaChange]
  let formers: [FormerEnum]
  let layouts: TypeLayouts

  private var new: SchemaVersion { pairing.new }

  func plan() -> StepPlan {
    var plan = StepPlan()
    plan.hooks = new.hooks
    plan.isCustomByPolicy = changes.contains {
      $0.mechanism == .custom && $0.classification.mechanism == .lightweight
    }
    plan.bridgeNames = bridgeNames()
    plan.transfers = RowTransferPlanner(pairing: pairing, layouts: layouts).transfers()
    plan.rowUpdates = RowUpdatePlanner(
      pairing: pairing, formers: formers, layouts: layouts
    ).updates(plan.bridgeNames)
    plan.relationshipUpdates = RelationshipPlanner(pairing: pairing).updates(plan.bridgeNames)
    let needsColumns =
      !plan.transfers.isEmpty || !plan.relationshipUpdates.isEmpty
      || plan.rowUpdates.contains { update in
        update.assignments.contains { assignment in
          // A transient property has no column, and the engine drops the column of a value that is stored differently
          // in the newer version.
          pairing.oldModels[update.model]?.property(named: assignment.property)?.isStored != true
            || pairing.newModels[update.model].flatMap(pairing.pair)?.properties.removed
              .contains { $0.name == assignment.property } == true
        }
      }
    plan.bridges = needsColumns ? (plan.bridgeNames.isEmpty ? 1 : 2) : 0
    plan.dedupes = DeduplicationPlanner(pairing: pairing, changes: changes).dedupes(plan)
    return plan
  }

  // MARK: Names

  /// Names in the bridge for columns whose names the older version uses for other columns.
  private func bridgeNames() -> [String: [String: String]] {
    var names: [String: [String: String]] = [:]
    for model in pairing.changed {
      guard let pair = pairing.pair(of: model), pair.old.name == model.name else { continue }
      let (was, properties) = (pair.old, pair.properties)
      let taken = Set(was.properties.map(\.name) + model.properties.map(\.name))
      let converted = properties.converted.map(\.new)
      let followed = properties.continued.filter { pairing.isFollowed($0.old, $0.new) }.map(\.new)
      for property in converted + followed where was.property(named: property.name) != nil {
        var name = "\(property.name)V\(new.number.label)"
        while taken.contains(name) { name += "_" }
        names[model.name, default: [:]][property.name] = name
      }
    }
    return names
  }
}

extension StepPairing {
  var name: String { Self.name(old.number, new.number) }

  static func name(_ old: VersionNumber, _ new: VersionNumber) -> String {
    "V\(old.label)ToV\(new.label)"
  }

  func fill(_ conversion: Conversion) -> DerivedValue {
    .converted([], by: conversion, step: name)
  }
}

extension RowTransfer {
  static func link(to target: String) -> String { "carriedTo\(target)" }
}

extension Assignment {
  /// The value as an attribute stores it. A failed encoding ends the migration before anything is lost, because an
  /// empty field would be a loss.
  static func storing(
    _ value: DerivedValue, in column: String, _ attribute: Attribute, onlyWhereNil: Bool
  ) -> Assignment {
    Assignment(
      property: column, value: .storing(value, as: attribute, canThrow: true),
      onlyWhereNil: onlyWhereNil, canThrow: attribute.encodes != nil)
  }
}
