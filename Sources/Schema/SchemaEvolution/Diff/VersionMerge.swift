package import SchemaModel

/// Two branches' states of a version joined by what they say, not by their lines: theirs, with what ours did to the
/// version that both come from.
package struct VersionMerge {
  /// What of an element a difference is about: two that are about one thing are in each other's way.
  private struct Place: Hashable {
    var element: ElementPath
    /// The aspect of a property, or what of a model; nil for the whole element.
    var aspect: String?
  }

  /// Theirs with what ours did, and with the answers of ours.
  package var version: SchemaVersion
  /// What the two did in two ways, sorted: it is as theirs has it.
  package private(set) var contested: [ElementPath] = []
  /// Answers of ours for what theirs has done already, sorted: they are left out.
  package private(set) var answered: [ElementPath] = []

  private let ours: SchemaVersion
  private let base: SchemaVersion
  private let theirs: SchemaVersion

  /// - Parameters:
  ///   - ours: With what it says of its step.
  ///   - theirs: The same version; or, of a draft, the version that it comes after, under the draft's number.
  ///   - isDraft: Whether ours answers for a step of its own. Otherwise the step is theirs.
  package init(
    ours: SchemaVersion, base: SchemaVersion, theirs: SchemaVersion, isDraft: Bool
  ) {
    (self.ours, self.base, self.theirs) = (ours, base, theirs)
    version = isDraft ? ours : theirs
    if isDraft {
      let copy = theirs.withoutStep
      (version.models, version.types, version.drops) = (copy.models, copy.types, [])
    }
    takeDifferences()
    if isDraft {
      takeDrops()
      for model in ours.models { takeAnswers(of: model) }
      for type in ours.types { takeAnswers(of: type) }
    }
    contested = Set(contested).sorted { $0.description < $1.description }
    answered = Set(answered).subtracting(contested).sorted { $0.description < $1.description }
  }

  // MARK: What ours did

  private mutating func takeDifferences() {
    let differ = SchemaDiffer()
    let theirs = differ.differences(from: base.withoutStep, to: theirs.withoutStep)
    let ours = differ.differences(from: base.withoutStep, to: ours.withoutStep)
      .filter { !theirs.contains($0) }
    let touched = Set(theirs.map(Self.place))
    for difference in ours {
      let place = Self.place(difference)
      if isContested(place, by: touched) || !isPossible(difference) {
        contested.append(place.element)
      } else {
        difference.apply(to: &version)
      }
    }
  }

  private func isContested(_ place: Place, by touched: Set<Place>) -> Bool {
    if touched.contains(place) || touched.contains(Place(element: place.element)) { return true }
    if touched.contains(Place(element: ElementPath(place.element.owner))) { return true }
    guard place.aspect == nil else { return false }
    return touched.contains { other in
      other.element == place.element
        || place.element.member == nil && other.element.owner == place.element.owner
    }
  }

  /// Whether all that it names is there.
  private func isPossible(_ difference: Difference) -> Bool {
    func has(_ names: [String], in model: String) -> Bool {
      let known = Set(version.model(named: model)?.properties.map(\.name) ?? [])
      return names.allSatisfy {
        known.contains($0.split(separator: ".").first.map(String.init) ?? $0)
      }
    }
    switch difference {
    case .uniqueAdded(let model, let unique): return has(unique.names, in: model)
    case .indexAdded(let model, let index): return has(index.names, in: model)
    case .propertyAdded(_, let property), .property(_, _, let property, _):
      guard let relationship = property.relationship else { return true }
      return ours.model(named: relationship.destination.value) == nil
        || theirs.model(named: relationship.destination.value) != nil
        || base.model(named: relationship.destination.value) == nil
    default: return true
    }
  }

  // MARK: What ours answered

  private mutating func takeDrops() {
    for drop in ours.drops {
      let element = drop.element.value
      if base.has(element), !theirs.has(element) {
        answered.append(element)
      } else {
        version.drops.append(drop)
      }
    }
  }

  private mutating func takeAnswers(of model: Model) {
    guard model.hasStep || model.isRenamed,
      let place = version.models.firstIndex(where: { $0.name == model.name })
    else { return }
    let known = theirs.model(named: model.name)
    if !model.sources.isEmpty || model.isRenamed {
      if known != nil, base.model(named: model.name) == nil {
        answered.append(ElementPath(model.name))
      } else {
        version.models[place].sources = model.sources
        version.models[place].isRenamed = model.isRenamed
      }
    }
    for unique in model.uniques where unique.dedupe != nil {
      if known?.uniques.contains(where: { $0.names == unique.names }) ?? false {
        answered.append(ElementPath(model.name))
      } else if let index = version.models[place].uniques.firstIndex(where: {
        $0.names == unique.names
      }) {
        version.models[place].uniques[index].dedupe = unique.dedupe
      }
    }
    for property in model.properties where property != property.withoutStep {
      let element = ElementPath(model.name, property.name)
      let shape = property.withoutStep
      if known?.property(named: property.name)?.withoutStep == shape {
        answered.append(element)
      } else if let index = version.models[place].properties.firstIndex(where: {
        $0.withoutStep == shape
      }) {
        version.models[place].properties[index] = property
      } else {
        contested.append(element)
      }
    }
  }

  private mutating func takeAnswers(of type: ValueTypeDeclaration) {
    guard type != type.withoutStep, case .enumeration(_, let cases) = type.kind,
      let place = version.types.firstIndex(where: { $0.name == type.name }),
      case .enumeration(let raw, var joined) = version.types[place].kind
    else { return }
    let known = Set(theirs.type(named: type.name)?.caseNames ?? [])
    for answer in cases where answer.renamedFrom != nil {
      let element = ElementPath(type.name, answer.name)
      if known.contains(answer.name) {
        answered.append(element)
      } else if let index = joined.firstIndex(of: answer.withoutStep) {
        joined[index] = answer
      } else {
        contested.append(element)
      }
    }
    version.types[place].kind = .enumeration(rawType: raw, cases: joined)
  }

  // MARK: Places

  private static func place(_ difference: Difference) -> Place {
    switch difference {
    case .modelAdded(let model), .modelRemoved(let model), .modelDerived(let model, _):
      Place(element: ElementPath(model.name))
    case .modelRenamed(_, let name): Place(element: ElementPath(name))
    case .superclass(let model, _, _): Place(element: ElementPath(model), aspect: "superclass")
    case .entity(let model, _, _): Place(element: ElementPath(model), aspect: "entity")
    case .modelDocumentation(let model, _, _): Place(element: ElementPath(model), aspect: "doc")
    case .uniqueAdded(let model, let unique), .uniqueRemoved(let model, let unique):
      Place(element: ElementPath(model), aspect: "unique \(unique.sortKey)")
    case .indexAdded(let model, let index), .indexRemoved(let model, let index):
      Place(element: ElementPath(model), aspect: "index \(index.sortKey)")
    case .propertyAdded(let model, let property), .propertyRemoved(let model, let property),
      .propertyConverted(let model, _, _, let property):
      Place(element: ElementPath(model, property.name))
    case .propertyRenamed(let model, _, let name): Place(element: ElementPath(model, name))
    case .property(let model, _, let property, let aspect):
      Place(element: ElementPath(model, property.name), aspect: aspect.rawValue)
    case .typeAdded(let type), .typeRemoved(let type), .typeReplaced(_, let type):
      Place(element: ElementPath(type.name))
    case .typeDescription(_, let type): Place(element: ElementPath(type.name), aspect: "doc")
    case .caseAdded(let type, let place), .caseRemoved(let type, let place),
      .caseRenamed(let type, _, let place), .caseReplaced(let type, let place, _),
      .rawValue(let type, _, let place):
      Place(element: ElementPath(type, place.name))
    case .fieldAdded(let type, let field), .fieldRemoved(let type, let field):
      Place(element: ElementPath(type, field.name))
    case .fieldType(let type, _, let field):
      Place(element: ElementPath(type, field.name), aspect: "type")
    case .fieldDefault(let type, _, let field):
      Place(element: ElementPath(type, field.name), aspect: "default")
    }
  }
}

extension SchemaVersion {
  /// Whether it has a model, a property, a type or a part of a type of that name.
  fileprivate func has(_ element: ElementPath) -> Bool {
    guard let member = element.member else {
      return model(named: element.owner) != nil || type(named: element.owner) != nil
    }
    if let model = model(named: element.owner) { return model.property(named: member) != nil }
    return type(named: element.owner)?.caseNames.contains(member) ?? false
  }
}

extension ValueTypeDeclaration {
  /// What cases or fields are called.
  fileprivate var caseNames: [String] {
    switch kind {
    case .enumeration(_, let cases): cases.map(\.name)
    case .structure(let fields): fields.map(\.name)
    case .opaque: []
    }
  }
}
