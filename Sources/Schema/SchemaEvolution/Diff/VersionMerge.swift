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
  /// What the two did or answered in two ways, sorted: it is as theirs has it.
  package private(set) var contested: [ElementPath] = []
  /// Answers of ours that theirs has given as well, sorted: they are left out of a draft.
  package private(set) var answered: [ElementPath] = []

  private let ours: SchemaVersion
  private let base: SchemaVersion
  private let theirs: SchemaVersion
  /// Theirs with what they say of their steps, ascending.
  private let answers: [SchemaVersion]
  private let isDraft: Bool

  /// - Parameters:
  ///   - ours: With what it says of its step.
  ///   - theirs: The same version; or, of a draft, the version that it comes after, under the draft's number.
  ///   - answers: Of a draft, the versions that only theirs has, ascending; nil where all three are one version, with one
  ///     step.
  package init(
    ours: SchemaVersion, base: SchemaVersion, theirs: SchemaVersion, after answers: [SchemaVersion]?
  ) {
    (self.ours, self.base, self.theirs) = (ours, base, theirs)
    isDraft = answers != nil
    self.answers = answers ?? [theirs]
    version = isDraft ? ours : theirs
    if isDraft {
      let copy = theirs.withoutStep
      (version.models, version.types, version.drops) = (copy.models, copy.types, [])
    } else {
      take(\.hooks, "hooks")
      take(\.expectedStage, "expect")
      take(\.expectations, "expect")
      take(\.identity, "identity")
    }
    takeDifferences()
    takeDrops()
    for model in ours.models { takeAnswers(of: model) }
    for type in ours.types { takeAnswers(of: type) }
    contested = Set(contested).sorted { $0.description < $1.description }
    answered = Set(answered).subtracting(contested).sorted { $0.description < $1.description }
  }

  private mutating func take<Value: Equatable>(
    _ part: WritableKeyPath<SchemaVersion, Value>, _ key: String
  ) {
    guard ours[keyPath: part] != base[keyPath: part] else { return }
    if theirs[keyPath: part] == base[keyPath: part] {
      version[keyPath: part] = ours[keyPath: part]
    } else if theirs[keyPath: part] != ours[keyPath: part] {
      contested.append(ElementPath(key))
    }
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
      return names.allSatisfy { known.contains($0.prefix { $0 != "." }.description) }
    }
    switch difference {
    case .uniqueAdded(let model, let unique): return has(unique.names, in: model)
    case .indexAdded(let model, let index): return has(index.names, in: model)
    case .propertyAdded(let model, let property), .property(let model, _, let property, _):
      guard isMadeOfTheSame(property.name, of: model) else { return false }
      guard let relationship = property.relationship else { return true }
      return ours.model(named: relationship.destination.value) == nil
        || theirs.model(named: relationship.destination.value) != nil
        || base.model(named: relationship.destination.value) == nil
    case .modelAdded(let model):
      return sources(of: model.name).allSatisfy {
        base.model(named: $0)?.withoutStep == theirs.model(named: $0)?.withoutStep
      }
    default: return true
    }
  }

  /// The models of before whose rows a model of ours takes: also its own.
  private func sources(of model: String) -> [String] {
    let sources = ours.model(named: model)?.sources.map(\.value) ?? []
    return sources.isEmpty ? [model] : sources
  }

  /// Whether theirs stores what the values of a property of ours are made of as it was.
  private func isMadeOfTheSame(_ name: String, of model: String) -> Bool {
    guard let property = ours.model(named: model)?.property(named: name) else { return true }
    let migration = property.migration
    let names =
      [name] + [migration.renamedFrom].compactMap { $0?.value } + migration.from.map(\.value)
    return sources(of: model).allSatisfy { source in
      names.allSatisfy { name in
        let name = name.prefix { $0 != "." }.description
        guard let was = base.model(named: source)?.property(named: name) else { return true }
        let now = theirs.model(named: source)?.property(named: name)
        return was.attribute?.type == now?.attribute?.type
          && was.relationship?.destination == now?.relationship?.destination
      }
    }
  }

  // MARK: What ours answered

  private func isContested(_ element: ElementPath) -> Bool {
    contested.contains(element) || contested.contains(ElementPath(element.owner))
  }

  /// Compares an answer of ours with theirs.
  ///
  /// - Parameter theirs: Whether theirs gives the same one; nil where it gives none.
  /// - Returns: Whether ours is still to be taken.
  private mutating func isOpen(_ element: ElementPath, theirs: Bool?) -> Bool {
    if isContested(element) { return false }
    switch theirs {
    case true?: if isDraft { answered.append(element) }
    case false?: contested.append(element)
    case nil: return true
    }
    return false
  }

  private mutating func takeDrops() {
    for drop in ours.drops where !base.drops.contains(where: { $0.isSame(as: drop) }) {
      let element = drop.element.value
      let said = answers.flatMap(\.drops).last { $0.element.value == element }
      var theirs = said.map { $0.isSame(as: drop) }
      if said == nil, base.has(element), !self.theirs.has(element) {
        theirs = answers.contains { answer in
          answer.drops.contains { $0.element.value == ElementPath(element.owner) }
        }
      }
      if isOpen(element, theirs: theirs) { version.drops.append(drop) }
    }
    let kept = Set(ours.drops.map(\.element.value))
    for drop in base.drops where !kept.contains(drop.element.value) {
      version.drops.removeAll { $0.isSame(as: drop) }
    }
  }

  private mutating func takeAnswers(of model: Model) {
    let was = base.model(named: model.name)
    let known = theirs.model(named: model.name)
    let element = ElementPath(model.name)
    let said = answers.compactMap { $0.model(named: model.name) }
    if model.sources != was?.sources ?? [] || model.isRenamed != was?.isRenamed ?? false {
      let other = said.last {
        $0.sources != was?.sources ?? [] || $0.isRenamed != was?.isRenamed ?? false
      }
      var theirs = other.map { $0.sources == model.sources && $0.isRenamed == model.isRenamed }
      if other == nil, was == nil, known != nil { theirs = false }
      if isOpen(element, theirs: theirs) {
        version.updateModel(model.name) {
          $0.sources = model.sources
          $0.isRenamed = model.isRenamed
        }
      }
    }
    for unique in model.uniques {
      func dedupe(_ model: Model?) -> Dedupe? {
        model?.uniques.first { $0.names == unique.names }?.dedupe
      }
      guard unique.dedupe != dedupe(was) else { continue }
      let other = said.compactMap(dedupe).last { $0 != dedupe(was) }
      var theirs = other.map { $0 == unique.dedupe }
      func has(_ model: Model?) -> Bool {
        model?.uniques.contains { $0.names == unique.names } ?? false
      }
      if other == nil, has(known), !has(was) {
        theirs = false
      }
      guard isOpen(element, theirs: theirs) else { continue }
      version.updateModel(model.name) { model in
        for index in model.uniques.indices where model.uniques[index].names == unique.names {
          model.uniques[index].dedupe = unique.dedupe
        }
      }
    }
    for property in model.properties {
      let was = was?.property(named: property.name)
      guard !property.hasStep(of: was) else { continue }
      let other = said.compactMap { $0.property(named: property.name) }.last {
        !$0.hasStep(of: was)
      }
      var theirs = other.map { property.hasStep(of: $0) }
      if other == nil, !isAsBefore(property, of: model.name) { theirs = false }
      guard isOpen(ElementPath(model.name, property.name), theirs: theirs) else { continue }
      version.updateProperty(model.name, property.name) { $0.takeStep(of: property) }
    }
  }

  /// Whether theirs leaves a property that ours answers for to ours.
  private func isAsBefore(_ property: Property, of model: String) -> Bool {
    guard isMadeOfTheSame(property.name, of: model),
      version.model(named: model)?.property(named: property.name) != nil
    else { return false }
    // The same change without an answer is another answer.
    let shape = property.withoutStep
    return theirs.model(named: model)?.property(named: property.name)?.withoutStep != shape
      || base.model(named: model)?.property(named: property.name)?.withoutStep == shape
  }

  private mutating func takeAnswers(of type: ValueTypeDeclaration) {
    func enumCase(_ type: ValueTypeDeclaration?, _ name: String) -> EnumCase? {
      guard case .enumeration(_, let cases)? = type?.kind else { return nil }
      return cases.first { $0.name == name }
    }
    guard case .enumeration(_, let cases) = type.kind else { return }
    let was = base.type(named: type.name)
    let known = theirs.type(named: type.name)
    for answer in cases where answer.renamedFrom != enumCase(was, answer.name)?.renamedFrom {
      let before = enumCase(was, answer.name)?.renamedFrom
      let other = answers.compactMap { enumCase($0.type(named: type.name), answer.name) }
        .last { $0.renamedFrom != before }
      var theirs = other.map { $0.renamedFrom == answer.renamedFrom }
      if other == nil {
        let isGone =
          answer.renamedFrom.map {
            enumCase(was, $0.value) != nil && enumCase(known, $0.value) == nil
          }
          ?? false
        if isGone || enumCase(was, answer.name) == nil && enumCase(known, answer.name) != nil {
          theirs = false
        }
      }
      guard isOpen(ElementPath(type.name, answer.name), theirs: theirs) else { continue }
      version.updateCases(type.name) { cases in
        for index in cases.indices where cases[index].name == answer.name {
          cases[index].renamedFrom = answer.renamedFrom
        }
      }
    }
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

extension Drop {
  /// Whether it says of a step what another one says: reasons can be put better at any time.
  fileprivate func isSame(as other: Drop) -> Bool {
    element.value == other.element.value && revert == other.revert
      && replacedBy == other.replacedBy
  }
}

extension Property {
  /// Whether both say the same of their step; without another one, whether this one says nothing.
  fileprivate func hasStep(of other: Property?) -> Bool {
    migration == other?.migration ?? PropertyMigration()
      && attribute?.dedupe == other?.attribute?.dedupe
  }

  fileprivate mutating func takeStep(of other: Property) {
    migration = other.migration
    guard case .attribute(var attribute) = kind else { return }
    attribute.dedupe = other.attribute?.dedupe
    kind = .attribute(attribute)
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
