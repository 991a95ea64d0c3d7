internal import SchemaDiagnostics
internal import SchemaModel

/// Works out what a step has to do to rows, and which columns the bridge needs for it.
struct HopPlanner {
  let pairing: HopPairing
  let changes: [SchemaChange]
  /// Index of the older version.
  let index: Int

  private var old: SchemaVersion { pairing.old }
  private var new: SchemaVersion { pairing.new }

  /// The enum in the owned file of this step: `V8ToV9`.
  var ownedName: String { Self.ownedName(old.number, new.number) }

  static func ownedName(_ old: VersionNumber, _ new: VersionNumber) -> String {
    "V\(old.label)ToV\(new.label)"
  }

  func plan() -> HopPlan {
    var plan = HopPlan(from: index, to: index + 1)
    plan.hooks = new.hooks
    plan.isCustomByPolicy = changes.contains {
      $0.mechanism == .custom && $0.classification.mechanism == .lightweight
    }
    plan.bridgeNames = bridgeNames()
    plan.moves = moves()
    plan.carries = carries(plan.bridgeNames)
    plan.relinks = relinks(plan.bridgeNames)
    let needsColumns =
      !plan.moves.isEmpty || !plan.relinks.isEmpty
      || plan.carries.contains { carry in
        carry.assignments.contains { assignment in
          // What is transient has no column.
          pairing.oldModels[carry.model]?.property(named: assignment.property)?.isTransient ?? true
        }
      }
    plan.bridges = needsColumns ? (plan.bridgeNames.isEmpty ? 1 : 2) : 0
    plan.dedupes = dedupes(plan)
    return plan
  }

  // MARK: Names

  /// Columns whose names are taken in the older version, by what they are called in the bridge.
  private func bridgeNames() -> [String: [String: String]] {
    var names: [String: [String: String]] = [:]
    for model in pairing.changed {
      guard let pair = pairing.pair(of: model), pair.old.name == model.name else { continue }
      let (was, properties) = (pair.old, pair.properties)
      let taken = Set(was.properties.map(\.name) + model.properties.map(\.name))
      let converted = properties.converted.map(\.new)
      let followed = properties.continued.filter { pairing.isFollowed($0.old, $0.new) }.map(\.new)
      for property in converted + followed where was.property(named: property.name) != nil {
        var name = "\(property.name)V\(new.number.camelLabel)"
        while taken.contains(name) { name += "_" }
        names[model.name, default: [:]][property.name] = name
      }
    }
    return names
  }

  /// The link from rows of a model to the rows that are made of them.
  static func link(to target: String) -> String { "carriedTo\(target)" }

  // MARK: Moves

  private func moves() -> [ModelMove] {
    pairing.changed.filter { !$0.sources.isEmpty }.flatMap { target in
      pairing.sources(of: target).map { source in
        let whole = pairing.withInherited(source)
        return ModelMove(
          source: source.name, target: target.name, link: Self.link(to: target.name),
          values: pairing.inherited(by: target).compactMap { copy(of: $0, from: whole) }
            + target.properties.compactMap { value(for: $0, from: whole) })
      }
    }
  }

  /// An inherited value is copied as it is: the ancestor's own step comes later and goes over all its rows.
  private func copy(of property: Property, from source: Model) -> Assignment? {
    guard property.attribute != nil, !property.isTransient,
      let was = source.property(named: property.name), !was.isTransient, was.type == property.type
    else { return nil }
    return Assignment(property: property.name, value: .column(was.name), onlyWhereNil: false)
  }

  /// What an attribute of a carried model is made of; nil where the initialiser's default serves.
  private func value(for property: Property, from source: Model) -> Assignment? {
    guard !property.isTransient, let attribute = property.attribute else { return nil }
    let hop = property.hop
    func assignment(_ value: DerivedValue) -> Assignment {
      Self.storing(value, in: property.name, attribute, onlyWhereNil: false)
    }
    if let convert = hop.convert?.value {
      let sources = hop.from.compactMap { source.property(named: $0.value) }
      guard sources.count == hop.from.count else {
        return hop.fill.map { assignment(fill($0.value)) }
      }
      return assignment(
        .converted(sources.map(DerivedValue.property), by: convert, step: ownedName))
    }
    let name = hop.renamedFrom?.value ?? hop.from.first?.value ?? property.name
    guard let was = source.property(named: name), let old = was.attribute else {
      return hop.fill.map { assignment(fill($0.value)) }
    }
    let substitute =
      hop.fill.map { fill($0.value) } ?? attribute.defaultValue.map(DerivedValue.expression)
    if old.encodes == attribute.encodes, old.type == attribute.type {
      return Assignment(property: property.name, value: .column(was.name), onlyWhereNil: false)
    }
    return DerivedValue.adapting(
      .property(was), from: old.valueType, to: attribute.valueType, substitute: substitute
    ).map(assignment)
  }

  private func fill(_ conversion: Conversion) -> DerivedValue {
    .converted([], by: conversion, step: ownedName)
  }

  // MARK: Carries

  private func carries(_ bridgeNames: [String: [String: String]]) -> [ModelCarry] {
    pairing.changed.compactMap { model in
      if !model.sources.isEmpty { return relations(of: model) }
      guard let pair = pairing.pair(of: model), pair.old.name == model.name else { return nil }
      let properties = pair.properties
      var assignments: [Assignment] = []
      for (sources, property) in properties.converted {
        let column = bridgeNames[model.name]?[property.name] ?? property.name
        assignments += conversion(property, column, sources).map { [$0] } ?? []
      }
      for property in properties.added {
        guard let fill = property.hop.fill?.value else { continue }
        assignments.append(filling(property, property.name, fill))
      }
      for (was, property) in properties.continued {
        // A continued column is filled under its old name: it is renamed only afterwards.
        guard let fill = property.hop.fill?.value, was.type.isOptional else { continue }
        assignments.append(filling(property, was.name, fill))
      }
      return assignments.isEmpty ? nil : ModelCarry(model: model.name, assignments: assignments)
    }
  }

  /// What functions say of the relationships of a model that is carried over, asked for each new row.
  private func relations(of model: Model) -> ModelCarry? {
    let assignments = model.properties.compactMap { property -> Assignment? in
      guard property.relationship != nil else { return nil }
      if case .function(let name)? = property.hop.convert?.value {
        return relating(property, property.name, name, onlyWhereNil: false)
      }
      guard case .function? = property.hop.fill?.value, let fill = property.hop.fill else {
        return nil
      }
      return filling(property, property.name, fill.value)
    }
    return assignments.isEmpty || pairing.sources(of: model).isEmpty
      ? nil : ModelCarry(model: model.name, assignments: assignments)
  }

  private func conversion(
    _ property: Property, _ column: String, _ sources: [Property]
  ) -> Assignment? {
    guard let attribute = property.attribute else {
      guard case .function(let name)? = property.hop.convert?.value else { return nil }
      return relating(property, column, name, onlyWhereNil: false)
    }
    let arguments = sources.map(DerivedValue.property)
    let convert = property.hop.convert?.value
    let value =
      convert.map { DerivedValue.converted(arguments, by: $0, step: ownedName) }
      ?? arguments.first
    guard let value else { return nil }
    return Self.storing(
      Self.required(value, by: convert, attribute), in: column, attribute, onlyWhereNil: false)
  }

  /// An encoding that fails ends the migration, with everything still there: an empty field would be a loss.
  private static func storing(
    _ value: DerivedValue, in column: String, _ attribute: Attribute, onlyWhereNil: Bool
  ) -> Assignment {
    Assignment(
      property: column, value: .storing(value, as: attribute, canThrow: true),
      onlyWhereNil: onlyWhereNil, canThrow: attribute.encodes != nil)
  }

  /// An expression of the manifest's for a value that must be there. The bridge's column could hold nil: said with
  /// its type, an optional is the compiler's to find and not a customer's migration's.
  private static func required(
    _ value: DerivedValue, by conversion: Conversion?, _ attribute: Attribute
  ) -> DerivedValue {
    guard !attribute.type.isOptional, attribute.encodes == nil else { return value }
    // A function of the app's says itself what it returns.
    if case .function = conversion { return value }
    return .required(value, attribute.type)
  }

  private func filling(_ property: Property, _ column: String, _ fill: Conversion) -> Assignment {
    guard let attribute = property.attribute else {
      if case .function(let name) = fill {
        // No links are not nil: there a function answers for every row.
        let isNilable = property.relationship?.cardinality != .many
        return relating(property, column, name, onlyWhereNil: isNilable)
      }
      return Assignment(property: column, value: self.fill(fill), onlyWhereNil: true)
    }
    return Self.storing(
      Self.required(self.fill(fill), by: fill, attribute), in: column, attribute,
      onlyWhereNil: true)
  }

  /// A relationship's target is found by a function that sees the row and the context.
  private func relating(
    _ property: Property, _ column: String, _ function: String, onlyWhereNil: Bool
  ) -> Assignment {
    Assignment(
      property: column, value: .related(function: function, step: ownedName),
      onlyWhereNil: onlyWhereNil, canThrow: true)
  }

  // MARK: Relationships that follow

  private func relinks(_ bridgeNames: [String: [String: String]]) -> [Relink] {
    var found: [Relink] = []
    for model in pairing.changed {
      let isCarried = !model.sources.isEmpty
      for source in pairing.origins(of: model) {
        for property in model.properties {
          guard let relationship = property.relationship, property.hop.convert == nil else {
            continue
          }
          guard let was = relinked(property, of: model, from: source),
            let before = was.relationship, isSettingSide(model, property, relationship)
          else { continue }
          let isDestinationCarried = before.destination != relationship.destination
          found.append(
            Relink(
              model: source.name,
              ownerLink: isCarried ? Self.link(to: model.name) : nil,
              source: was.name,
              target: bridgeNames[model.name]?[property.name] ?? property.name,
              destinationLink: isDestinationCarried
                ? Self.link(to: relationship.destination.value) : nil,
              isMany: before.cardinality.isMany,
              isSourceOptional: before.cardinality == .optionalMany
                || before.cardinality == .optionalOne,
              isTargetOptional: relationship.cardinality == .optionalMany))
        }
      }
    }
    return found
  }

  /// The relationship whose links a relationship takes over because a model at one end is carried; else nil.
  private func relinked(_ property: Property, of model: Model, from source: Model) -> Property? {
    guard property.relationship != nil, property.hop.convert == nil else { return nil }
    let name = property.hop.renamedFrom?.value ?? property.name
    guard let was = source.property(named: name), was.relationship != nil,
      !model.sources.isEmpty || pairing.isFollowed(was, property)
    else { return nil }
    return was
  }

  /// Of two ends that are each other's inverse one is set; the framework sets the other. It has to be an end
  /// that has old links to take over.
  private func isSettingSide(
    _ model: Model, _ property: Property, _ relationship: Relationship
  ) -> Bool {
    guard let inverse = relationship.inverse,
      let destination = pairing.newModels[relationship.destination.value],
      let end = destination.property(named: inverse.value), let other = end.relationship
    else { return true }
    guard
      pairing.origins(of: destination).contains(where: {
        relinked(end, of: destination, from: $0) != nil
      })
    else {
      return true
    }
    if relationship.cardinality.isMany != other.cardinality.isMany {
      return !relationship.cardinality.isMany
    }
    return (model.name, property.name) <= (relationship.destination.value, inverse.value)
  }

  // MARK: Dedupes

  private func dedupes(_ plan: HopPlan) -> [DedupeStep] {
    pairing.changed.flatMap { model -> [DedupeStep] in
      var steps: [DedupeStep] = []
      for property in model.properties {
        guard let strategy = property.attribute?.dedupe, isNewlyUnique(model, property) else {
          continue
        }
        steps.append(step(model, [property.name], strategy, plan))
      }
      for unique in model.uniques {
        guard let strategy = unique.dedupe else { continue }
        let new = unique.names.filter { isNewConstant($0, model) }
        // With a nil among its values no row is like another.
        let isNil = new.contains { model.property(named: $0)?.type.isOptional ?? false }
        guard !isNil else { continue }
        steps.append(step(model, unique.names.filter { !new.contains($0) }, strategy, plan))
      }
      return steps
    }
  }

  /// Whether a property is new and the engine alone gives it its value, one for all rows: no two rows differ in it,
  /// and `willMigrate` may not see it.
  private func isNewConstant(_ name: String, _ model: Model) -> Bool {
    guard model.sources.isEmpty, let was = pairing.predecessor(of: model) else { return false }
    return was.property(named: name) == nil
      && model.property(named: name).map(\.hop.isEmpty) ?? false
  }

  private func isNewlyUnique(_ model: Model, _ property: Property) -> Bool {
    !model.sources.isEmpty
      || changes.contains {
        $0.kind == .uniqueDeduped && $0.element == ElementPath(model.name, property.name)
      }
  }

  private func step(
    _ model: Model, _ keys: [String], _ strategy: Dedupe, _ plan: HopPlan
  ) -> DedupeStep {
    let was = pairing.predecessor(of: model)
    let isCarried = !model.sources.isEmpty
    func column(_ name: String) -> String {
      guard !isCarried, let property = model.property(named: name) else { return name }
      if let bridge = plan.bridgeNames[model.name]?[name] { return bridge }
      return property.hop.renamedFrom?.value ?? name
    }
    func isOptional(_ name: String) -> Bool {
      let column = column(name)
      if !isCarried, let property = was?.property(named: column) { return property.type.isOptional }
      // What the bridge adds to rows that exist is optional there.
      let property = model.property(named: name)
      return !isCarried || (property?.type.isOptional ?? true)
    }
    let strategy: Dedupe =
      switch strategy {
      case .latest(let name): .latest(by: column(name))
      case .earliest(let name): .earliest(by: column(name))
      case .function: strategy
      }
    let owner = isCarried ? model : (was ?? model)
    let links = owner.properties.compactMap { property in
      property.relationship.map {
        DedupeStep.Link(name: property.name, cardinality: $0.cardinality)
      }
    }
    return DedupeStep(
      model: model.name,
      keys: keys.map { DedupeStep.Key(name: column($0), isOptional: isOptional($0)) },
      strategy: strategy, relationships: links)
  }

  // MARK: Owned functions

  /// The functions that the app has to write for this step, in the manifest's order.
  func ownedFunctions(rowSchema: String, newSchema: String) -> [OwnedFunction] {
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
