internal import ManagedModels
internal import RehearsalHarness
internal import SchemaEvolution
internal import SchemaModel

/// Composes the effects of a path's steps on one property.
struct ValueTracer {
  let rowLineage: RowLineage

  /// What a property of a version's model must hold, for rows from the start of `rowPath`.
  func expectation(
    for property: Property, on rowPath: RowPath, at version: Int
  ) -> FieldExpectation {
    var expectation = trace(property, on: rowPath, at: version)
    expectation.property = property.name
    expectation.isRequired = isRequired(property, at: version)
    expectation.isDistinct = property.attribute?.options.contains(.unique) ?? false
    expectation.gone = gone(property, expectation, on: rowPath, at: version)
    return expectation
  }

  private func gone(
    _ property: Property, _ expectation: FieldExpectation, on rowPath: RowPath, at version: Int
  ) -> [GoneCase] {
    let start = rowLineage.lookups[rowPath.start]
    let isConverted = expectation.steps.contains {
      if case .conversion = $0 { true } else { false }
    }
    guard expectation.origins.count == 1, !isConverted,
      let attribute = property.attribute, attribute.encodes == nil,
      let old = start.property(expectation.origins[0], of: rowPath.models[0])?.attribute
    else { return [] }
    let end = rowLineage.lookups[version]
    let enums = end.enums(in: attribute.type)
    return start.enums(in: old.type).flatMap { path, type -> [GoneCase] in
      guard let before = start.ownCases(of: type),
        let newer = enums.first(where: { $0.path == path })?.type,
        let after = end.ownCases(of: newer)
      else { return [] }
      let name = type.unwrapped.description
      guard case .rawEnum(let primitive) = end.storage(of: newer) else {
        return before.filter { old in !after.contains { $0.name == old.name } }.map {
          GoneCase(name: $0.name, type: name, path: path, rawValue: nil)
        }
      }
      let read = Set(after.map(\.storedText))
      return before.filter { old in
        let successor = rowLineage.cases.successor(
          of: old, in: name, from: rowPath.start, to: version)
        return !read.contains(successor?.storedText ?? old.storedText)
      }.compactMap { gone in
        LiteralReader.value(gone.storedText, primitive).map {
          GoneCase(name: gone.name, type: name, path: path, rawValue: $0)
        }
      }
    }
  }

  /// Whether the app cannot read a row that lacks the property's value.
  private func isRequired(_ property: Property, at version: Int) -> Bool {
    guard !property.type.isOptional else { return false }
    guard let attribute = property.attribute else {
      return property.relationship?.cardinality == .one
    }
    switch rowLineage.lookups[version].storage(of: attribute) {
    case .primitive, .rawEnum, .archived: return true
    case .composite:
      // A struct whose elements are all nil looks like a missing struct. An opaque type may be stored in any way.
      guard
        case .enumeration? = rowLineage.lookups[version].type(named: attribute.type.description)?
          .kind
      else { return false }
      return true
    case .transformable: return false
    }
  }

  private func trace(
    _ property: Property, on rowPath: RowPath, at version: Int
  ) -> FieldExpectation {
    let isLink = property.relationship != nil
    if version == rowPath.start {
      return FieldExpectation(
        property: property.name, fate: .preserved, origins: [property.name], isLink: isLink)
    }
    switch rowLineage.origin(of: property, on: rowPath, at: version) {
    case .continued(let old):
      return continued(property, old, trace(old, on: rowPath, at: version - 1), rowPath, version)
    case .converted(let olds):
      return converted(
        property, olds, olds.map { trace($0, on: rowPath, at: version - 1) }, version)
    case .added: return added(property, rowPath, version)
    }
  }

  // MARK: Steps

  private func continued(
    _ property: Property, _ old: Property, _ before: FieldExpectation, _ rowPath: RowPath,
    _ version: Int
  ) -> FieldExpectation {
    var trace = before
    guard let attribute = property.attribute, let was = old.attribute else {
      // A function adds links to rows without any.
      if let fill = property.migration.fill?.value {
        append(conversion: fill, to: &trace)
      } else if let end = otherEnd(of: property, version), end.isMade {
        trace.steps.append(.conversion(text: "mirrors \(end.name)"))
      }
      return trace
    }
    let isMade = rowPath.model(at: version - 1) != rowPath.model(at: version)
    if isMade, was.type != attribute.type || was.encodes != attribute.encodes,
      was.encodes != nil || attribute.encodes != nil
    {
      // The code of a row transfer decodes the value and encodes it again.
      trace.steps.append(.conversion(text: "decoded, and encoded again"))
      trace.fate = .converted
    } else {
      let casts = casts(attribute, was, version)
      trace.steps += casts
      if !casts.isEmpty, !trace.origins.isEmpty { trace.fate = .converted }
    }
    trace.steps += caseSteps(attribute, was, version)
    guard old.type.isOptional else { return trace }
    if let fill = property.migration.fill?.value {
      take(constant(fill, attribute, version), &trace)
    } else if !property.type.isOptional, let value = attribute.defaultValue {
      take(constant(value, attribute, version, isShared: !isMade), &trace)
    }
    return trace
  }

  private func casts(_ attribute: Attribute, _ was: Attribute, _ version: Int) -> [ValueStep] {
    let (old, new) = (rowLineage.lookups[version - 1], rowLineage.lookups[version])
    guard was.transformer == nil, attribute.transformer == nil, attribute.encodes == was.encodes
    else { return [] }
    let elements = new.elements(of: attribute.type)
    return old.elements(of: was.type).compactMap { element in
      guard let now = elements.first(where: { $0.path == element.path }),
        let from = old.storage(of: element.type).primitive,
        let to = new.storage(of: now.type).primitive, from != to
      else { return nil }
      return .cast(
        from: from.row.attribute, to: to.row.attribute,
        element: element.path.isEmpty ? "" : "." + element.path)
    }
  }

  private func caseSteps(_ attribute: Attribute, _ was: Attribute, _ version: Int) -> [ValueStep] {
    guard attribute.type.unwrapped == was.type.unwrapped,
      case .rawEnum(let primitive) = rowLineage.lookups[version - 1].storage(of: was)
    else { return [] }
    let changes = rowLineage.cases.moves(in: was.type.unwrapped.description, after: version - 1)
      .compactMap { move -> CaseChange? in
        guard let old = LiteralReader.value(move.old.storedText, primitive),
          let new = LiteralReader.value(move.new.storedText, primitive)
        else { return nil }
        return CaseChange(old: old, new: new)
      }
    return changes.isEmpty ? [] : [.caseBecomes(changes)]
  }

  /// Applies a constant to nulls, or to all rows if the property has had no values so far.
  private func take(_ constant: PlannedConstant, _ trace: inout FieldExpectation) {
    if !isReproducible(constant.text) { trace.isReproducible = false }
    if trace.origins.isEmpty, trace.constant == nil, trace.fate == .added {
      trace.constant = constant
      trace.fate = constant.isFill ? .filled : .defaulted
    } else {
      trace.steps.append(.nullBecomes(constant))
    }
  }

  private func converted(
    _ property: Property, _ olds: [Property], _ traces: [FieldExpectation], _ version: Int
  ) -> FieldExpectation {
    let isLink = property.relationship != nil
    let text = property.migration.convert.map { describe($0.value) } ?? "$0"
    if text == "$0", let old = olds.first, let trace = traces.first,
      !rowLineage.lookups[version - 1].hasMovedCases(old.type),
      old.type.unwrapped == property.type.unwrapped,
      old.attribute?.encodes == property.attribute?.encodes,
      isLink == (old.relationship != nil)
    {
      // The value is unchanged; it may have left external storage, for example.
      return trace
    }
    var origins: [String] = []
    for origin in traces.flatMap(\.origins) where !origins.contains(origin) {
      origins.append(origin)
    }
    return FieldExpectation(
      property: property.name, fate: .converted, origins: origins,
      steps: [.conversion(text: text)], isLink: isLink,
      isReproducible: isReproducible(text) && traces.allSatisfy(\.isReproducible))
  }

  private func added(
    _ property: Property, _ rowPath: RowPath, _ version: Int
  ) -> FieldExpectation {
    let isMade = rowPath.model(at: version - 1) != rowPath.model(at: version)
    var trace = FieldExpectation(
      property: property.name, fate: .added, isLink: property.relationship != nil)
    let fill = property.migration.fill?.value
    guard let attribute = property.attribute else {
      // A function that sees the row and the context decides where the relationship leads.
      if let function = fill ?? property.migration.convert?.value {
        append(conversion: function, to: &trace)
        trace.fate = .filled
      } else if joinsParts(property, rowPath, version) {
        trace.fate = .converted
        trace.joinsParts = true
      } else if let mirrored = mirrored(by: property, version) {
        trace.steps.append(.conversion(text: "mirrors \(mirrored)"))
      }
      return trace
    }
    if let fill {
      take(constant(fill, attribute, version), &trace)
    } else if let value = attribute.defaultValue, value.text != "nil" {
      take(constant(value, attribute, version, isShared: !isMade), &trace)
    }
    return trace
  }

  /// Whether a new relationship is the only one between two models made from the same model. The step then links rows
  /// made from the same row.
  private func joinsParts(_ property: Property, _ rowPath: RowPath, _ version: Int) -> Bool {
    guard let relationship = property.relationship else { return false }
    let new = rowLineage.lookups[version]
    let (model, other) = (rowPath.model(at: version), relationship.destination.value)
    let source = rowPath.model(at: version - 1)
    let heirs = rowLineage.heirs(of: source, after: version - 1)
    guard let owner = new.models[model], model != other,
      owner.properties.contains(where: { $0.name == property.name }),
      heirs.contains(model), heirs.contains(other)
    else { return false }
    var ends: [(model: String, property: Property)] = []
    for (from, to) in [(model, other), (other, model)] {
      for end in new.models[from]?.properties ?? [] where end.relationship?.destination.value == to
      {
        // If a function sets the relationship, nothing else may.
        if end.migration.convert != nil || end.migration.fill != nil { return false }
        let olds =
          (new.models[from]?.sources.map(\.value)).flatMap { $0.isEmpty ? [from] : $0 } ?? []
        let isOld = olds.contains {
          rowLineage.lookups[version - 1].property(end.name, of: $0)?.relationship != nil
        }
        if !isOld, end.migration.isEmpty { ends.append((from, end)) }
      }
    }
    // If SwiftData treats the two ends as inverses of each other, there is only one relationship.
    if ends.count == 2, ends[0].model != ends[1].model {
      let inverses = ends.map { $0.property.relationship?.inverse?.value }
      return inverses == [nil, nil]
        || inverses[0] == ends[1].property.name || inverses[1] == ends[0].property.name
    }
    return ends.count == 1
  }

  /// The inverse of a new relationship, if the inverse is older or a function sets it. The new relationship then has
  /// the inverse's links.
  private func mirrored(by property: Property, _ version: Int) -> String? {
    guard let end = otherEnd(of: property, version) else { return nil }
    if end.isMade { return end.name }
    let name = end.property.migration.renamedFrom?.value ?? end.property.name
    let olds = end.model.sources.isEmpty ? [end.model.name] : end.model.sources.map(\.value)
    return olds.contains {
      rowLineage.lookups[version - 1].property(name, of: $0)?.relationship != nil
    } ? end.name : nil
  }

  private func otherEnd(
    of property: Property, _ version: Int
  ) -> (name: String, property: Property, model: Model, isMade: Bool)? {
    guard let relationship = property.relationship, let inverse = relationship.inverse?.value,
      let model = rowLineage.lookups[version].models[relationship.destination.value],
      let end = rowLineage.lookups[version].property(inverse, of: model.name)
    else { return nil }
    let isMade = end.migration.fill != nil || end.migration.convert != nil
    return ("\(model.name).\(inverse)", end, model, isMade)
  }

  private func append(conversion: Conversion, to trace: inout FieldExpectation) {
    trace.steps.append(.conversion(text: describe(conversion)))
    trace.fate = .converted
  }

  // MARK: Words

  private func describe(_ conversion: Conversion) -> String {
    switch conversion {
    case .expression(let expression): expression.text
    case .function(let name): "\(name)(…), yours"
    }
  }

  private func constant(
    _ fill: Conversion, _ attribute: Attribute, _ version: Int
  ) -> PlannedConstant {
    switch fill {
    case .expression(let expression):
      var constant = constant(expression, attribute, version, isShared: false)
      constant.isFill = true
      return constant
    case .function:
      return PlannedConstant(
        text: describe(fill), value: nil, isShared: false, isFill: true, isFunction: true)
    }
  }

  private func constant(
    _ value: SwiftExpression, _ attribute: Attribute, _ version: Int, isShared: Bool
  ) -> PlannedConstant {
    let reader = LiteralReader(lookup: rowLineage.lookups[version])
    return PlannedConstant(
      text: value.text, value: reader.value(of: value, as: attribute), isShared: isShared,
      isFill: false)
  }

  private func isReproducible(_ text: String) -> Bool {
    (try? SwiftExpression(text)).map { !$0.isVolatile } ?? true
  }
}
