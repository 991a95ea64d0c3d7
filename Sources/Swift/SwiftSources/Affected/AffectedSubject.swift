internal import SchemaEvolution
internal import SchemaModel

/// Something that changes between two versions, and the names under which code uses it.
package struct AffectedSubject: Sendable, Equatable {
  /// What of the code is concerned; the narrower before the wider.
  package enum Use: Int, Sendable {
    /// Members, key paths and labels of one of the names; within the owners' own braces every use.
    case member
    /// Cases in a `switch`: one more has to be handled.
    case branch
    /// Calls of the owners' initialisers, and the owners' declarations.
    case making
    /// Every other mention of the owners.
    case mention
  }

  /// How surely code that uses it has to be edited.
  package enum Need: Int, Sendable {
    /// The name is gone: what uses it no longer compiles.
    case gone
    /// The type is another one, or an initialiser takes something else.
    case changed
    /// It may have to be looked at.
    case possible
  }

  package var use: Use
  /// As the checklist calls it, in Markdown: `` `UserProfileModel.homeTimezone` is now `homeTimezoneIdentifier` ``.
  package var title: String
  /// What changes about it, in Markdown, each a line.
  package var changes: [String] = []
  /// The names of which one stands in every file that is concerned.
  package var names: Set<String>
  /// Types of which one is named where the subject is meant for sure.
  package var owners: Set<String>
  package var need: Need
  /// The model or the value type that it belongs to: its own declaration is where the change was made.
  package var type: String
}

extension AffectedSubject {
  /// What a step changes, what no longer compiles first.
  ///
  /// Left out is what no code can see: documentation, indexes, how the store keeps a value; and what is new.
  static func subjects(of step: VersionStep, in evolution: Evolution) -> [AffectedSubject] {
    var list = SubjectList(evolution: evolution, step: step)
    for difference in step.differences { list.add(difference) }
    for model in list.rebuilt.sorted() { list.addMakings(of: model) }
    return list.subjects.values.sorted {
      ($0.need.rawValue, $0.use.rawValue, $0.title) < ($1.need.rawValue, $1.use.rawValue, $1.title)
    }
  }
}

private struct SubjectList {
  let evolution: Evolution
  let step: VersionStep
  private var old: SchemaVersion { step.old }
  private var new: SchemaVersion { step.new }
  /// By use and element: one that changes in several ways is listed once.
  private(set) var subjects: [String: AffectedSubject] = [:]
  /// Models whose initialisers take something else now, by their new names.
  private(set) var rebuilt: Set<String> = []

  init(evolution: Evolution, step: VersionStep) {
    (self.evolution, self.step) = (evolution, step)
  }

  mutating func add(_ difference: Difference) {
    switch difference {
    case .modelRemoved(let model): addModel(model.name, "is gone", .gone)
    case .modelRenamed(let from, let to): addModel(from, "is now `\(to)`", .gone)
    case .modelDerived(let model, let sources):
      for source in sources {
        let need = new.model(named: source) == nil ? AffectedSubject.Need.gone : .possible
        addModel(source, "has its rows in `\(model.name)` as well", need)
      }
    case .superclass(let model, _, _): addModel(model, "has another superclass", .changed)
    case .entity(let model, let from, let to):
      let names = [from, to].compactMap(\.self)
      add(
        .mention, ElementPath(model),
        "The entity of `\(model)`: " + names.map { "`\($0)`" }.joined(separator: " → "),
        owners: Set(names), .changed)
    case .propertyAdded(let model, _): rebuilt.insert(model)
    case .propertyRemoved(let model, let property):
      addProperty(model, property.name, "is gone", [property], .gone)
    case .propertyRenamed(let model, let from, let to):
      let known = sources(of: model).compactMap { $0.property(named: from) }
      addProperty(model, from, "is now `\(to)`", known, .gone, element: to)
    case .propertyConverted(let model, let from, let removed, let to):
      // What stays is used as before.
      for source in from where removed.contains(source.name) {
        let isSame = source.name == to.name
        addProperty(
          model, source.name, isSame ? "has changed" : "is now `\(to.name)`", [source],
          isSame ? .changed : .gone, changes: to.name)
      }
      rebuilt.insert(model)
    case .property(let model, let from, let to, let aspect) where aspect.isSeenByCode:
      addProperty(model, to.name, "has changed", [from, to], .changed)
    case .typeRemoved(let type): addType(type.name, "is gone", .gone)
    case .typeReplaced(_, let type): addType(type.name, "has changed", .changed)
    case .caseAdded(let type, let added):
      var others: [EnumCase] = []
      if case .enumeration(_, let cases) = old.type(named: type)?.kind { others = cases }
      add(
        .branch, ElementPath(type, added.name),
        "`\(type)` has another case, `\(added.name)`", names: Set(others.map(\.name)),
        owners: [type],
        .gone)
      add(
        .mention, ElementPath(type), "Where else `\(type)` is named", owners: [type], .possible)
    case .caseRemoved(let type, let part), .caseReplaced(let type, let part, _):
      addPart(type, part.name, "is gone", .gone)
    case .caseRenamed(let type, let from, let to) where from.name != to.name:
      addPart(type, from.name, "is now `\(to.name)`", .gone)
    case .caseRenamed(let type, let part, _), .rawValue(let type, let part, _):
      addPart(type, part.name, "has another raw value", .possible)
    case .fieldAdded(let type, _): addMakings(of: type, [type])
    case .fieldRemoved(let type, let field):
      addPart(type, field.name, "is gone", .gone)
      addMakings(of: type, [type])
    case .fieldType(let type, let field, _):
      addPart(type, field.name, "is of another type", .changed)
      addMakings(of: type, [type])
    case .modelAdded, .modelDocumentation, .uniqueAdded, .uniqueRemoved, .indexAdded,
      .indexRemoved, .property, .typeAdded, .typeDescription, .fieldDefault:
      break
    }
  }

  // MARK: Names

  /// A model of the new version with those of the old one that it was, or is made of.
  private func sources(of model: String) -> [Model] {
    let names = new.model(named: model)?.sources.map(\.value) ?? []
    return ([model] + names).flatMap { name in
      [old, new].compactMap { $0.model(named: name) }
    }
  }

  /// Every name under which code knows a model: its own, its aliases', and its entity's.
  private func owners(_ model: String) -> Set<String> {
    let patterns = evolution.configuration.names
    return sources(of: model).reduce(into: [model]) { names, model in
      names.formUnion([model.name, patterns.active(model: model.name)])
      names.formUnion(
        evolution.history.filter { $0.model(named: model.name) != nil }
          .map { patterns.alias(model: model.name, version: $0.number) })
      if let entity = model.entity { names.insert(entity) }
    }
  }

  // MARK: Subjects

  private mutating func addModel(_ model: String, _ event: String, _ need: AffectedSubject.Need) {
    add(.mention, ElementPath(model), "`\(model)` \(event)", owners: owners(model), need)
  }

  private mutating func addProperty(
    _ model: String, _ name: String, _ event: String, _ properties: [Property],
    _ need: AffectedSubject.Need, element: String? = nil, changes: String? = nil
  ) {
    rebuilt.insert(model)
    let names = properties.flatMap { property in
      property.mapping.form == .omit ? [property.name] : [property.name, property.entityName]
    }
    add(
      .member, ElementPath(model, element ?? name), "`\(model).\(name)` \(event)",
      names: Set(names), owners: owners(model), need, changes: changes.map { [$0] } ?? [])
  }

  private mutating func addType(_ type: String, _ event: String, _ need: AffectedSubject.Need) {
    add(.mention, ElementPath(type), "`\(type)` \(event)", owners: [type], need)
  }

  private mutating func addPart(
    _ type: String, _ part: String, _ event: String, _ need: AffectedSubject.Need
  ) {
    add(
      .member, ElementPath(type, part), "`\(type).\(part)` \(event)", names: [part],
      owners: [type], need)
  }

  /// What makes a model, and where else it is named.
  mutating func addMakings(of model: String) {
    let entities = Set(sources(of: model).compactMap(\.entity)).sorted()
    addMakings(of: model, [model] + entities)
    let list = ([model] + entities).map { "`\($0)`" }.joined(separator: " and ")
    add(
      .mention, ElementPath(model), "Where else \(list) \(entities.isEmpty ? "is" : "are") named",
      owners: owners(model), .possible)
  }

  private mutating func addMakings(of type: String, _ names: [String]) {
    let list = names.map { "`\($0)`" }.joined(separator: " and ")
    add(
      .making, ElementPath(type), "What \(list) \(names.count == 1 ? "is" : "are") made with",
      owners: owners(type), .changed)
  }

  private mutating func add(
    _ use: AffectedSubject.Use, _ element: ElementPath, _ title: String,
    names: Set<String>? = nil, owners: Set<String>, _ need: AffectedSubject.Need,
    changes others: [String] = []
  ) {
    let elements = [element] + others.map { ElementPath(element.owner, $0) }
    let names = names ?? owners
    let changes = step.changes.filter {
      use != .making && (use != .mention || need != .possible) && elements.contains($0.element)
    }.map { change in
      change.classification.title
        + (change.detail.isEmpty ? "" : ": `\(change.detail.replacing("`", with: "'"))`")
    }
    let subject = AffectedSubject(
      use: use, title: title, changes: changes, names: names, owners: owners, need: need,
      type: element.owner)
    let key = "\(use) \(element)"
    guard var known = subjects[key] else {
      subjects[key] = subject
      return
    }
    known.names.formUnion(names)
    known.owners.formUnion(owners)
    if known.changes.isEmpty { known.changes = changes }
    if need.rawValue < known.need.rawValue { (known.need, known.title) = (need, title) }
    subjects[key] = known
  }
}

extension PropertyAspect {
  /// Whether code that uses the property, or that makes its model, can tell.
  fileprivate var isSeenByCode: Bool {
    switch self {
    case .externalStorage, .allowsCloudEncryption, .preserveValueOnDeletion, .ephemeral, .spotlight,
      .codable, .transformer, .hashModifier, .originalName, .documentation:
      false
    default: true
    }
  }
}
