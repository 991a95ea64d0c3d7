package import SchemaEvolution
internal import SchemaModel

/// What the step from one version to the next changes for code that uses its models.
///
/// Left out is what no code can see: documentation, indexes, how the store keeps a value.
package struct AffectedSubjects {
  private let evolution: Evolution
  private let step: VersionStep
  private var old: SchemaVersion { evolution.history[step.from] }
  private var new: SchemaVersion { evolution.history[step.to] }
  /// In the order in which they were found, by what they are about.
  private var subjects: [(key: String, subject: AffectedSubject)] = []
  /// Models whose initialisers take something else now, by their new names.
  private var rebuilt: Set<String> = []

  /// What a step changes, what no longer compiles first: of each kind models by name, with their properties and their
  /// initialisers, then value types.
  package static func subjects(of step: VersionStep, in evolution: Evolution) -> [AffectedSubject] {
    var builder = AffectedSubjects(evolution, step)
    for difference in step.differences { builder.add(difference) }
    builder.addInitializers()
    return builder.subjects.sorted {
      ($0.subject.need, $0.key) < ($1.subject.need, $1.key)
    }.map(\.subject)
  }

  private init(_ evolution: Evolution, _ step: VersionStep) {
    self.evolution = evolution
    self.step = step
  }

  private mutating func add(_ difference: Difference) {
    switch difference {
    case .modelAdded(let model):
      addModel(model.name, "`\(model.name)` is new", [model.name])
    case .modelRemoved(let model):
      addModel(model.name, "`\(model.name)` is gone", [model.name], need: .gone)
    case .modelRenamed(let from, let to):
      addModel(to, "`\(from)` is now `\(to)`", [from], need: .gone)
    case .modelDerived(let model, let sources):
      let list = sources.map { "`\($0)`" }.joined(separator: ", ")
      addModel(model.name, "`\(model.name)` is made of \(list)", [model.name] + sources)
    case .superclass(let model, _, _): addModel(model, "`\(model)` has changed", [model])
    case .entity(let model, let from, let to):
      let names = [from, to].compactMap { $0.map { "`\($0)`" } }.joined(separator: " → ")
      add(
        "0 \(model) 0 entity", "The entity of `\(model)`: \(names)", elements: [ElementPath(model)],
        .mentions(Set([from, to].compactMap(\.self))))
    case .propertyAdded(let model, let property):
      addProperty(model, property.name, "is new", [property])
      rebuilt.insert(model)
    case .propertyRemoved(let model, let property):
      addProperty(model, property.name, "is gone", [property], need: .gone)
      rebuilt.insert(model)
    case .propertyRenamed(let model, let from, let to):
      addProperty(
        model, to, titled: from, "is now `\(to)`",
        oldModel(model)?.property(named: from).map { [$0] } ?? [], need: .gone)
      rebuilt.insert(model)
    case .propertyConverted(let model, let sources, let removed, let to):
      addConversion(model, sources, removed, to)
      rebuilt.insert(model)
    case .property(let model, let from, let to, let aspect):
      guard aspect.isSeenByCode else { return }
      addProperty(model, to.name, "has changed", [from, to])
      if aspect.isSeenByInitializers { rebuilt.insert(model) }
    case .typeAdded(let type): addType(type.name, "is new")
    case .typeRemoved(let type): addType(type.name, "is gone", need: .gone)
    case .typeReplaced(_, let type): addType(type.name, "has changed")
    case .caseAdded(let type, let added):
      addType(type, "has another case, `\(added.name)`", part: added.name)
    case .caseRemoved(let type, let part): addPart(type, part.name, "is gone", need: .gone)
    case .caseRenamed(let type, let from, let to):
      addPart(
        type, from.name, from.name == to.name ? "has another raw value" : "is now `\(to.name)`",
        need: from.name == to.name ? .possible : .gone)
    case .caseReplaced(let type, let part, let by):
      addPart(type, part.name, "is gone: rows have `\(by.name)` then", need: .gone)
    case .rawValue(let type, _, let part):
      addPart(type, part.name, "has another raw value", need: .possible)
    case .fieldAdded(let type, let added):
      addPart(type, added.name, "is new")
      addInitializers(of: type)
    case .fieldRemoved(let type, let field):
      addPart(type, field.name, "is gone", need: .gone)
      addInitializers(of: type)
    case .fieldType(let type, _, let field): addPart(type, field.name, "is of another type")
    case .modelDocumentation, .uniqueAdded, .uniqueRemoved, .indexAdded, .indexRemoved,
      .typeDescription, .fieldDefault:
      break
    }
  }

  // MARK: Names

  /// Every name under which code knows a model: its own, its aliases', and its entity's.
  private func names(of model: String, withEntity: Bool) -> Set<String> {
    let patterns = evolution.configuration.names
    var names: Set<String> = [model, patterns.active(model: model)]
    for version in evolution.history {
      guard let found = version.model(named: model) else { continue }
      names.insert(patterns.alias(model: model, version: version.number))
      if withEntity, version.number == old.number || version.number == new.number,
        let entity = found.entity
      {
        names.insert(entity)
      }
    }
    return names
  }

  /// The same for both names of a model that was renamed.
  private func owners(_ model: String) -> Set<String> {
    let before = oldModel(model)?.name ?? model
    return names(of: model, withEntity: true).union(names(of: before, withEntity: true))
  }

  private func oldModel(_ name: String) -> Model? {
    if let source = new.model(named: name)?.sources.first?.value,
      new.model(named: name)?.isRenamed == true
    {
      return old.model(named: source)
    }
    return old.model(named: name)
  }

  private func newProperty(_ model: String, _ name: String) -> Property? {
    new.model(named: model)?.property(named: name)
  }

  // MARK: Subjects

  private mutating func addModel(
    _ model: String, _ title: String, _ models: [String],
    need: AffectedSubject.Need = .changed
  ) {
    let names = models.reduce(into: Set<String>()) {
      $0.formUnion(self.names(of: $1, withEntity: true))
    }
    add("0 \(model) 0", title, elements: [ElementPath(model)], .mentions(names), need: need)
  }

  private mutating func addProperty(
    _ model: String, _ name: String, titled: String? = nil, _ event: String,
    _ properties: [Property], need: AffectedSubject.Need = .changed
  ) {
    let names = properties.flatMap { property in
      property.mapping.form == .omit ? [property.name] : [property.name, property.entityName]
    }
    add(
      "0 \(model) 1 \(name)", "`\(model).\(titled ?? name)` \(event)",
      elements: [ElementPath(model, name)], .members(Set(names), of: owners(model)), need: need,
      declaring: [model])
  }

  private mutating func addConversion(
    _ model: String, _ sources: [Property], _ removed: [String], _ property: Property
  ) {
    let gone = sources.filter { removed.contains($0.name) }
    let names = sources.map { "`\($0.name)`" }.joined(separator: ", ")
    let isSame = sources.map(\.name) == [property.name]
    // What the new name is used for says it already.
    let properties = gone.isEmpty ? [property] : gone
    let need: AffectedSubject.Need = gone.isEmpty ? .changed : .gone
    if let source = gone.first, gone.count == 1, sources.count == 1, !isSame {
      addProperty(
        model, property.name, titled: source.name, "is now `\(property.name)`", properties,
        need: need)
    } else {
      addProperty(
        model, property.name, isSame ? "has changed" : "is made of \(names)", properties,
        need: isSame ? .changed : need)
    }
  }

  private mutating func addType(
    _ type: String, _ event: String, part: String = "", need: AffectedSubject.Need = .changed
  ) {
    add(
      "1 \(type) \(part.isEmpty ? "0" : "1 \(part)")", "`\(type)` \(event)",
      elements: [ElementPath(type, part.isEmpty ? nil : part)], .mentions([type]), need: need)
  }

  private mutating func addPart(
    _ type: String, _ part: String, _ event: String, need: AffectedSubject.Need = .changed
  ) {
    add(
      "1 \(type) 1 \(part)", "`\(type).\(part)` \(event)", elements: [ElementPath(type, part)],
      .members([part], of: [type]), need: need, declaring: [type])
  }

  private mutating func addInitializers() {
    for model in rebuilt {
      let entities = Set([oldModel(model)?.entity, new.model(named: model)?.entity])
      let names = [model] + entities.compactMap(\.self).sorted()
      let list = names.map { "`\($0)`" }.joined(separator: " and ")
      add(
        "0 \(model) 2", "What \(list) \(names.count == 1 ? "is" : "are") made with", elements: [],
        .initializers(of: owners(model)), declaring: [model])
      guard !subjects.contains(where: { $0.key == "0 \(model) 0" }) else { continue }
      add(
        "0 \(model) 3", "Where else \(list) \(names.count == 1 ? "is" : "are") named",
        elements: [], .otherMentions(owners(model)), need: .possible)
    }
  }

  private mutating func addInitializers(of type: String) {
    add(
      "1 \(type) 2", "What `\(type)` is made with", elements: [], .initializers(of: [type]),
      declaring: [type])
  }

  /// Adds a subject; what is known already gets further names.
  private mutating func add(
    _ key: String, _ title: String, elements: Set<ElementPath>, _ uses: AffectedSubject.Uses,
    need: AffectedSubject.Need = .changed, declaring: Set<String> = []
  ) {
    if let index = subjects.firstIndex(where: { $0.key == key }) {
      if case .members(let known, let owners) = subjects[index].subject.uses,
        case .members(let names, _) = uses
      {
        subjects[index].subject.uses = .members(known.union(names), of: owners)
        subjects[index].subject.need = min(subjects[index].subject.need, need)
      }
      return
    }
    let changes = step.changes.filter { elements.contains($0.element) }.map { change in
      change.classification.title
        + (change.detail.isEmpty ? "" : ": `\(change.detail.replacing("`", with: "'"))`")
    }
    subjects.append(
      (
        key,
        AffectedSubject(
          title: title, changes: changes, uses: uses, need: need, declaring: declaring)
      ))
  }
}

extension PropertyAspect {
  /// Whether code that uses the property can tell.
  fileprivate var isSeenByCode: Bool {
    switch self {
    case .kind, .type, .defaultValue, .unique, .transient, .encodes, .fallback, .destination,
      .cardinality, .inverse, .deleteRule, .relationshipUnique, .bounds, .mapping,
      .initializerDefault:
      true
    case .externalStorage, .allowsCloudEncryption, .preserveValueOnDeletion, .ephemeral, .spotlight,
      .codable, .transformer, .hashModifier, .originalName, .documentation:
      false
    }
  }

  /// Whether who makes a model or an entity can tell.
  fileprivate var isSeenByInitializers: Bool {
    switch self {
    case .kind, .type, .defaultValue, .transient, .encodes, .destination, .cardinality, .mapping,
      .initializerDefault:
      true
    default: false
    }
  }
}
