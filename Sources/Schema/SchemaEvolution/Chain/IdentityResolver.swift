internal import SchemaModel

/// The chain with hash modifiers, and the identity of each version.
struct IdentifiedChain {
  var chain: VersionChain
  var identities: [StructuralIdentity]
  var diagnostics: [Diagnostic]
}

/// Makes all versions of the chain distinct to the framework.
///
/// Versions with equal checksums end the app with an exception that Swift cannot catch
/// (docs/facts/migration.md#exceptions-that-swift-cannot-catch). Each version that equals an earlier one gets a hash
/// modifier on something that changed. Later versions keep the modifier, so the difference also exists for users who
/// skip a release. Earlier versions never depend on later ones. Versions that differ only in indexes get no modifier:
/// the next migration builds the indexes of all models (docs/facts/migration.md#index-needs-a-migration).
///
/// A version that shipped before adoption gets no modifier, because its stores have its original identity.
struct IdentityResolver {
  private let chain: VersionChain
  private let history: [VersionNumber: SchemaVersion]
  private let reader: IdentityReader

  init(_ chain: VersionChain, history: [SchemaVersion]) {
    self.chain = chain
    self.history = Dictionary(history, keyedBy: \.number)
    reader = IdentityReader(history)
  }

  private typealias Modifiers = [String: [String: String]]

  func resolve() -> IdentifiedChain {
    var chain = chain
    var identities: [StructuralIdentity] = []
    var diagnostics: [Diagnostic] = []
    var seen: [String: Int] = [:]
    var sticky: Modifiers = [:]
    // The identities without modifiers are computed once, because few versions get a modifier.
    let unmarked = reader.identities(of: chain.versions.map(\.schema))
    func identity(_ position: Int) -> StructuralIdentity {
      reader.identity(of: chain.versions[position].schema)
    }
    for position in chain.versions.indices {
      let isShipped = isShipped(chain.versions[position])
      sticky = isShipped ? [:] : carry(sticky, to: position, &chain)
      var made = sticky.isEmpty ? unmarked[position] : identity(position)
      if let earlier = seen[made.certain] {
        if isShipped {
          // The version is reported below, as a duplicate.
        } else if let place = distinguishable(chain, position, earlier, sticky) {
          mark(place, position, &chain, &sticky)
          made = identity(position)
        } else {
          diagnostics.append(emptyVersion(chain, position, earlier))
        }
      }
      if let earlier = seen[made.certain], !diagnostics.hasErrors {
        diagnostics.append(duplicate(chain, position, earlier))
      }
      seen[made.certain] = seen[made.certain] ?? position
      identities.append(made)
    }
    return IdentifiedChain(chain: chain, identities: identities, diagnostics: diagnostics)
  }

  private struct Place {
    var model: Int
    var property: Int
  }

  private func modifier(_ chain: VersionChain, _ position: Int) -> String {
    let version = chain.versions[position]
    return version.isBridge ? version.name : version.identifier.name
  }

  private func mark(
    _ place: Place, _ position: Int, _ chain: inout VersionChain, _ sticky: inout Modifiers
  ) {
    let model = chain.versions[position].schema.models[place.model]
    let property = model.properties[place.property]
    let modifier = modifier(chain, position)
    chain.setModifier(modifier, at: position, model: place.model, property: place.property)
    sticky[model.name, default: [:]][property.name] = modifier
  }

  private func carry(
    _ sticky: Modifiers, to position: Int, _ chain: inout VersionChain
  ) -> Modifiers {
    guard !sticky.isEmpty else { return [:] }
    var carried: Modifiers = [:]
    let version = chain.versions[position]
    for (modelIndex, model) in version.schema.models.enumerated() {
      guard let modifiers = sticky[model.name] else { continue }
      for (index, property) in model.properties.enumerated() where property.hashModifier == nil {
        let older = version.renames[model.name]?[property.name] ?? property.name
        guard let modifier = modifiers[older], !property.isTransient else { continue }
        chain.setModifier(modifier, at: position, model: modelIndex, property: index)
        carried[model.name, default: [:]][property.name] = modifier
      }
    }
    return carried
  }

  /// A property whose modifier can distinguish the version from an earlier one; `nil` if nothing changed.
  private func distinguishable(
    _ chain: VersionChain, _ position: Int, _ earlier: Int, _ sticky: Modifiers
  ) -> Place? {
    // A bridge that keeps all old columns has the same columns as the version after it. A change since the version
    // before the bridge distinguishes the two.
    let before =
      chain.versions[..<position].last { !$0.isBridge || !chain.versions[earlier].isBridge }?
      .schema ?? chain.versions[0].schema
    let now = chain.versions[position].schema
    let old = Dictionary(before.models, keyedBy: \.name)
    let sorted = now.models.enumerated().sorted { $0.element.name < $1.element.name }
    for (index, model) in sorted {
      guard let was = old[model.name] else { continue }
      let changed = model.properties.filter { property in
        was.property(named: property.name).map { isChanged($0, property) } ?? true
      }
      let differs =
        !changed.isEmpty || was.properties.count != model.properties.count
        || was.entity != model.entity || was.indexes != model.indexes
        || was.uniques != model.uniques
      guard differs else { continue }
      let indexed = Set(was.indexes).symmetricDifference(model.indexes).flatMap(\.names)
      let names = changed.isEmpty ? indexed : changed.map(\.name)
      if let place = place(in: model, index, Set(names), sticky) { return place }
    }
    // The value types differ, so a property that stores one of them is chosen.
    let types = Set(
      now.types.filter { type in before.type(named: type.name).map { $0 != type } ?? true }
        .map(\.name))
    for (index, model) in sorted {
      let users = model.properties.filter { !types.isDisjoint(with: $0.type.names) }.map(\.name)
      if !users.isEmpty, let place = place(in: model, index, Set(users), sticky) {
        return place
      }
    }
    // Without a changed property, there are two possibilities. Either models were added or removed, and the version
    // equals an earlier version. Or the version only has hooks, which change nothing but rows.
    guard earlier < position - 1 || hasHooks(chain.versions[position]) else { return nil }
    for (index, model) in sorted {
      if let place = place(in: model, index, [], sticky) { return place }
    }
    return nil
  }

  private func isShipped(_ version: ChainVersion) -> Bool {
    !version.isBridge && history[version.identifier]?.identity == .shipped
  }

  private func hasHooks(_ version: ChainVersion) -> Bool {
    !version.isBridge && history[version.identifier]?.hooks.isEmpty == false
  }

  private func isChanged(_ old: Property, _ new: Property) -> Bool {
    PropertyAspect.allCases.contains {
      ![.documentation, .initializerDefault].contains($0) && $0.differs(old, new)
    }
  }

  /// The property that gets the modifier. Properties with the given names are preferred, then attributes. A property
  /// with a modifier in the manifest is never chosen. On an enum or a struct a modifier has no effect
  /// (docs/facts/identity.md#hash-modifier-on-composite).
  private func place(
    in model: Model, _ index: Int, _ names: Set<String>, _ sticky: Modifiers
  ) -> Place? {
    // The properties are sorted, because the order of keys in a shipped manifest may change and its checksum must not.
    let stored = model.properties.enumerated().filter { _, property in
      property.hashesModifier
        && (property.hashModifier == nil || sticky[model.name]?[property.name] != nil)
    }.sorted { $0.element.name < $1.element.name }
    let preferred = stored.filter { names.contains($0.element.name) }
    let chosen =
      preferred.first { $0.element.attribute != nil } ?? preferred.first
      ?? stored.first { $0.element.attribute != nil } ?? stored.first
    return chosen.map { Place(model: index, property: $0.offset) }
  }

  /// The exception that Core Data raises if both versions are in the plan
  /// (docs/facts/migration.md#exceptions-that-swift-cannot-catch).
  private func crash(_ chain: VersionChain, _ position: Int, _ earlier: Int) -> String {
    let isNext = earlier == position - 1
    let exception =
      isNext && hasHooks(chain.versions[position])
      ? "The current model reference and the next model reference cannot be equal"
      // Core Data finds two equal versions at the plan's end in one list, and other equal versions across stages
      // (docs/facts/migration.md#duplicate-in-one-list).
      : isNext && position == chain.versions.count - 1
        ? "Duplicate version checksums detected"
        : "Duplicate version checksums across stages detected"
    return
      "with both versions in the plan, the app crashes with \"\(exception)\" as soon as it migrates a store"
  }

  private func emptyVersion(
    _ chain: VersionChain, _ position: Int, _ earlier: Int
  ) -> Diagnostic {
    let version = chain.versions[position]
    return Diagnostic(
      .emptyVersion,
      "\(version.identifier.name) stores the same as \(chain.versions[earlier].identifier.name): "
        + crash(chain, position, earlier),
      at: version.schema.location,
      help: [
        "make the change that this version is for, or remove the version: documentation needs no new version",
        "or give a property another 'hashModifier:', which has no effect on an enum or a struct",
      ])
  }

  private func duplicate(_ chain: VersionChain, _ position: Int, _ earlier: Int) -> Diagnostic {
    let version = chain.versions[position]
    return Diagnostic(
      .duplicateIdentity,
      "\(version.name) and \(chain.versions[earlier].name) look the same to the engine: "
        + crash(chain, position, earlier),
      at: version.schema.location,
      help: [
        isShipped(version)
          ? "no store shows which of the two versions it has: remove 'identity: shipped' from the later version"
          : "give one of the changed properties a new 'hashModifier:'"
      ])
  }
}

extension Property {
  /// Whether a hash modifier has an effect on the property, as on plain attributes, arrays and relationships.
  var hashesModifier: Bool {
    guard isStored, let attribute else { return isStored }
    if attribute.transformer != nil { return true }
    switch attribute.type.unwrapped {
    case .array: return true
    case .named(let name, let arguments):
      return arguments.isEmpty && StorageType.Primitive.bySwiftName[name] != nil
    case .dictionary, .optional: return false
    }
  }
}
