internal import SchemaEvolution
internal import SchemaModel

/// The names in code that a step changes. New names have no uses yet, and code does not notice changes of
/// documentation, of indexes, or of how the store keeps a value.
struct AffectedNames: Sendable, Equatable {
  /// How certainly code that uses a name must be edited. The raw values are headings in the list of places.
  enum Need: String, Sendable, CaseIterable {
    case gone = "What no longer compiles"
    case changed = "What has another type, or another initialiser"
    case possible = "What else uses the name"
  }

  /// A property, a case or a field whose uses are affected.
  struct Member: Sendable, Equatable {
    /// The types that have the member. A use is certain if the file mentions one of them.
    var owners: Set<String>
    var type: String
    var need: Need
    /// Whether only a `switch` over the enum is affected, since the `switch` lacks the case.
    var isBranch = false
  }

  var members: [String: [Member]] = [:]
  var types: [String: Need] = [:]
  var made: Set<String> = []
  /// Models and value types whose own declarations already contain the change.
  var own: Set<String> = []

  var isEmpty: Bool { members.isEmpty && types.isEmpty }
}

extension AffectedNames {
  init(_ step: VersionStep, in evolution: Evolution) {
    var names = ChangedNames(evolution, step.old, step.new)
    for difference in step.differences { names.add(difference) }
    self = names.found
  }
}

private struct ChangedNames {
  private(set) var found = AffectedNames()
  private let evolution: Evolution
  private let (old, new): (SchemaVersion, SchemaVersion)

  init(_ evolution: Evolution, _ old: SchemaVersion, _ new: SchemaVersion) {
    self.evolution = evolution
    (self.old, self.new) = (old, new)
  }

  mutating func add(_ difference: Difference) {
    switch difference {
    case .modelRemoved(let model): add(owners(model.name), .gone)
    case .modelRenamed(let from, _): add(owners(from), .gone)
    case .modelDerived(_, let sources):
      for source in sources where new.model(named: source) == nil { add(owners(source), .gone) }
    case .superclass(let model, _, _): add(owners(model), .changed)
    case .entity(_, let from?, _): add([from], .gone)
    case .propertyAdded(let model, _): addMaking(of: model)
    case .propertyRemoved(let model, let property): add([property], of: model, .gone)
    case .propertyRenamed(let model, let from, _):
      add(forms(of: model).compactMap { $0.property(named: from) }, of: model, .gone)
    case .propertyConverted(let model, let from, let removed, let to):
      // A property that stays is used as before.
      for source in from where removed.contains(source.name) {
        add([source], of: model, source.name == to.name ? .changed : .gone)
      }
      addMaking(of: model)
    case .property(let model, let from, let to, let aspect) where aspect.isSeenByCode:
      add([from, to], of: model, .changed)
    case .typeRemoved(let type): add([type.name], .gone)
    case .typeReplaced(_, let type): add([type.name], .changed)
    case .caseAdded(let type, _):
      for known in old.type(named: type)?.cases ?? [] {
        add([known.name], of: type, [type], .gone, isBranch: true)
      }
      add([type], .possible)
    case .caseRemoved(let type, let part), .caseReplaced(let type, let part, _):
      add([part.name], of: type, [type], .gone)
    case .caseRenamed(let type, let from, let to):
      add([from.name], of: type, [type], from.name == to.name ? .possible : .gone)
    case .rawValue(let type, let part, _): add([part.name], of: type, [type], .possible)
    case .fieldAdded(let type, _): addMaking(of: type)
    case .fieldRemoved(let type, let field):
      add([field.name], of: type, [type], .gone)
      addMaking(of: type)
    case .fieldType(let type, let field, _):
      add([field.name], of: type, [type], .changed)
      addMaking(of: type)
    default: break
    }
  }

  // MARK: Names

  /// The old and new versions of a model, and the old models that the new one continues or is made from.
  private func forms(of model: String) -> [Model] {
    let names = new.model(named: model)?.sources.map(\.value) ?? []
    return ([model] + names).flatMap { name in [old, new].compactMap { $0.model(named: name) } }
  }

  /// Every name in code of a model or a value type: the simple name, the aliases, and the entity's name.
  private func owners(_ type: String) -> Set<String> {
    let patterns = evolution.configuration.names
    return forms(of: type).reduce(into: [type]) { names, model in
      names.formUnion([model.name, patterns.active(model: model.name)])
      names.formUnion(
        evolution.history.filter { $0.model(named: model.name) != nil }
          .map { patterns.alias(model: model.name, version: $0.number) })
      if let entity = model.entity { names.insert(entity) }
    }
  }

  private mutating func add(_ names: Set<String>, _ need: AffectedNames.Need) {
    for name in names where found.types[name] == nil || need == .gone {
      found.types[name] = need
    }
  }

  private mutating func addMaking(of type: String) {
    found.own.insert(type)
    found.made.formUnion(owners(type))
    add(owners(type), .possible)
  }

  private mutating func add(_ properties: [Property], of model: String, _ need: AffectedNames.Need)
  {
    let names = properties.flatMap { property in
      property.mapping.form == .omit ? [property.name] : [property.name, property.entityName]
    }
    add(Set(names), of: model, owners(model), need)
    addMaking(of: model)
  }

  private mutating func add(
    _ names: Set<String>, of type: String, _ owners: Set<String>, _ need: AffectedNames.Need,
    isBranch: Bool = false
  ) {
    let member = AffectedNames.Member(owners: owners, type: type, need: need, isBranch: isBranch)
    for name in names where found.members[name]?.contains(member) != true {
      found.members[name, default: []].append(member)
    }
  }
}

extension PropertyAspect {
  fileprivate var isSeenByCode: Bool {
    switch self {
    case .externalStorage, .allowsCloudEncryption, .preserveValueOnDeletion, .ephemeral, .spotlight,
      .codable, .transformer, .hashModifier, .originalName, .documentation:
      false
    default: true
    }
  }
}
