package import SchemaEvolution
package import SchemaManifest
package import SchemaModel

/// The input of rules.
package struct LintContext: Sendable {
  /// The versions in ascending order; not empty.
  package let history: [SchemaVersion]
  package let configuration: Configuration
  /// The evolution, which has no stages, identities and converters if the manifests or steps have errors.
  package let evolution: Evolution
  /// The versions that have shipped, according to the target branch; without one, according to the lock and any other
  /// base.
  package let released: Set<VersionNumber>
  /// The versions that the lock marks as shipped, whatever the target branch says.
  let marked: Set<VersionNumber>
  package let hasLock: Bool
  /// The lock that must have been lost, since there are generated files; nil if none was lost.
  package let lostLock: LostLock?
  package let newestDocument: YAMLNode?
  let newestProperties: [ElementPath: YAMLNode]
  package let today: CalendarDay

  package init(
    evolution: Evolution, released: Set<VersionNumber>, marked: Set<VersionNumber>, hasLock: Bool,
    lostLock: LostLock? = nil, newestDocument: YAMLNode?, today: CalendarDay
  ) {
    history = evolution.history
    configuration = evolution.configuration
    self.evolution = evolution
    self.released = released
    self.marked = marked
    self.hasLock = hasLock
    self.lostLock = lostLock
    self.newestDocument = newestDocument
    var properties: [ElementPath: YAMLNode] = [:]
    for model in newestDocument?.entry("models")?.value.entries ?? [] {
      for property in model.value.entry("properties")?.value.entries ?? [] {
        properties[ElementPath(model.key, property.key)] = property.value
      }
    }
    newestProperties = properties
    self.today = today
  }

  package var newest: SchemaVersion { history[history.count - 1] }

  /// What to write to accept a finding about a model or a property: in a live class, or in the manifest.
  func acceptance(_ rule: String, _ element: ElementPath) -> String {
    let isDeclared =
      element.member == nil
      ? newest.model(named: element.owner) != nil : newest.property(at: element) != nil
    let form = AnswerForm(isInClass: configuration.classes != nil && isDeclared)
    return form.instruction("to accept it", form.acceptance(rule, element))
  }

  package func isOpen(_ version: SchemaVersion) -> Bool { !released.contains(version.number) }

  package var openSteps: [VersionStep] { evolution.steps.filter { isOpen($0.new) } }

  package func place(
    ofKey keys: String..., or fallback: SourceLocation? = nil
  ) -> SourceLocation? {
    newestDocument?.entry(at: YAMLPath(keys: keys))?.keyLocation ?? fallback
  }

  package func place(of key: String, in property: Property, of model: Model) -> SourceLocation? {
    place(ofKey: "models", model.name, "properties", property.name, key, or: property.location)
  }

  package func place(
    ofValue keys: String..., or fallback: SourceLocation? = nil
  ) -> SourceLocation? {
    newestDocument?.node(at: YAMLPath(keys: keys))?.location ?? fallback
  }
}

extension LintContext {
  /// Models that do not sync although the store does.
  var localModels: Set<String> { Set(configuration.cloud.local.map(\.value)) }

  /// The steps to versions that have not shipped, if devices with an older version share the records; empty if the
  /// store does not sync.
  var mixedSteps: [VersionStep] {
    openSteps.filter(evolution.isMixed)
  }

  func cloudRecords(of step: VersionStep) -> (old: CloudRecords, new: CloudRecords) {
    (
      CloudRecords(step.old, local: localModels),
      CloudRecords(step.new, local: localModels)
    )
  }

  /// The conversions and fills in steps to versions that have not shipped, with their elements.
  package var stepExpressions: [(element: ElementPath, conversion: Located<Conversion>)] {
    openSteps.flatMap { step in
      step.new.migratedProperties.flatMap { model, property in
        [property.migration.convert, property.migration.fill].compactMap { $0 }.map {
          (element: ElementPath(model.name, property.name), conversion: $0)
        }
      }
    }
  }
}

/// Lists of a version's contents. They are arrays, not lazy sequences, since rules often iterate over them, and a large
/// history has 100,000 properties.
extension SchemaVersion {
  package var allProperties: [(model: Model, property: Property)] {
    all { model, property in (model, property) }
  }

  /// The properties with keys that say where their values come from.
  var migratedProperties: [(model: Model, property: Property)] {
    all { model, property in property.migration.isEmpty ? nil : (model, property) }
  }

  package var allAttributes: [(model: Model, property: Property, attribute: Attribute)] {
    all { model, property in property.attribute.map { (model, property, $0) } }
  }

  package var allRelationships: [(model: Model, property: Property, relationship: Relationship)] {
    all { model, property in property.relationship.map { (model, property, $0) } }
  }

  private func all<Element>(_ element: (Model, Property) -> Element?) -> [Element] {
    var elements: [Element] = []
    for model in models {
      for property in model.properties {
        if let element = element(model, property) { elements.append(element) }
      }
    }
    return elements
  }
}
