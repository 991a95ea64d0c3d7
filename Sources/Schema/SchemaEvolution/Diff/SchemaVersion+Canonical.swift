package import SchemaModel

extension Property {
  package var withoutStep: Property {
    var property = self
    if !migration.isEmpty { property.migration = PropertyMigration() }
    if case .attribute(var attribute) = property.kind, attribute.dedupe != nil {
      attribute.dedupe = nil
      property.kind = .attribute(attribute)
    }
    return property
  }
}

extension Model {
  /// Whether the model has step keys. A model with step keys counts as changed.
  var hasStep: Bool {
    !sources.isEmpty || uniques.contains { $0.dedupe != nil }
      || properties.contains { !$0.migration.isEmpty || $0.attribute?.dedupe != nil }
  }

  package var withoutStep: Model {
    guard hasStep || isRenamed else { return self }
    var model = self
    model.sources = []
    model.isRenamed = false
    for index in model.properties.indices {
      model.properties[index] = model.properties[index].withoutStep
    }
    for index in model.uniques.indices { model.uniques[index].dedupe = nil }
    return model
  }
}

extension ValueTypeDeclaration {
  package var withoutStep: ValueTypeDeclaration {
    guard case .enumeration(let rawType, let cases) = kind,
      cases.contains(where: { $0.renamedFrom != nil })
    else { return self }
    var type = self
    type.kind = .enumeration(
      rawType: rawType,
      cases: cases.map(\.withoutStep))
    return type
  }
}

extension EnumCase {
  var withoutStep: EnumCase {
    EnumCase(name: name, rawValue: rawValue, location: location)
  }
}

extension SchemaVersion {
  /// The version without its keys for the step from the previous version. `new-version` starts with such a version.
  package var withoutStep: SchemaVersion {
    var version = self
    version.models = models.map(\.withoutStep)
    version.types = types.map(\.withoutStep)
    version.drops = []
    version.acceptances = []
    version.expectations = []
    version.expectedStage = nil
    version.identity = .generated
    version.hooks = Hooks()
    return version
  }

  /// The version in a fixed order, without its number, summary and step. Versions that are equal in this form have no
  /// differences.
  package var canonical: SchemaVersion {
    var version = withoutStep
    version.number = VersionNumber(0)
    version.summary = nil
    version.models.sort { $0.name < $1.name }
    for index in version.models.indices {
      version.models[index].properties.sort { $0.name < $1.name }
      version.models[index].uniques.sort { $0.sortKey < $1.sortKey }
      version.models[index].indexes.sort { $0.sortKey < $1.sortKey }
    }
    version.types.sort { $0.name < $1.name }
    for index in version.types.indices {
      switch version.types[index].kind {
      case .enumeration(let rawType, let cases):
        version.types[index].kind = .enumeration(
          rawType: rawType, cases: cases.sorted { $0.name < $1.name })
      case .structure(let fields):
        version.types[index].kind = .structure(fields: fields.sorted { $0.name < $1.name })
      case .opaque: break
      }
    }
    return version
  }
}

extension SchemaVersion {
  /// Adds renames of cases. A new case with a removed case's raw value is the same case, because rows store the raw
  /// value.
  package func namingCases(of old: SchemaVersion) -> SchemaVersion {
    var version = self
    for place in version.types.indices {
      let type = version.types[place]
      guard case .enumeration(let raw?, var cases) = type.kind,
        case .enumeration(let before?, let olds)? = old.type(named: type.name)?.kind, before == raw
      else { continue }
      let names = Set(cases.map(\.name))
      let taken = Set(cases.compactMap { $0.renamedFrom?.value })
      let gone = olds.filter { !names.contains($0.name) && !taken.contains($0.name) }
      let known = Set(olds.map(\.name))
      for index in cases.indices
      where cases[index].renamedFrom == nil && !known.contains(cases[index].name) {
        guard let was = gone.first(where: { $0.storedText == cases[index].storedText }) else {
          continue
        }
        cases[index].renamedFrom = Located(was.name)
      }
      version.types[place].kind = .enumeration(rawType: raw, cases: cases)
    }
    return version
  }
}

extension UniqueConstraint {
  var sortKey: String { names.joined(separator: ",") }
}

extension Index {
  var sortKey: String { kind.rawValue + ":" + names.joined(separator: ",") }
}
