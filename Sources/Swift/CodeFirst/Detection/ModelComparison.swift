internal import SchemaEvolution
internal import SchemaModel
internal import SchemaWorkspace

/// Compares code with one folder's newest version.
struct ModelComparison: Sendable {
  let folder: String
  let configuration: Configuration
  /// The newest version as in its manifest.
  private(set) var newest: SchemaVersion
  /// The newest version with the original names and hash modifiers that generated code sets.
  private var physical: SchemaVersion
  let isReleased: Bool
  let isAdopted: Bool

  /// Compares the manifest at `position` with the code from which it was adopted.
  init(_ evolution: Evolution, adopted position: Int, folder: String) {
    self.init(evolution, isReleased: true, folder: folder)
    newest = evolution.history[position]
    physical = newest
  }

  init(_ evolution: Evolution, isReleased: Bool, folder: String) {
    self.folder = folder
    self.isReleased = isReleased
    configuration = evolution.configuration
    isAdopted = evolution.history.contains { $0.identity == .shipped }
    newest = evolution.history[evolution.history.count - 1]
    physical = evolution.newestStored
  }

  /// The newest version's model names, by the names that app code may use.
  var names: [String: String] {
    let patterns = configuration.names
    var names: [String: String] = [:]
    for model in newest.models.map(\.name) {
      names[patterns.active(model: model)] = model
      names[patterns.alias(model: model, version: newest.number)] = model
      names["\(patterns.schema(newest.number)).\(model)"] = model
    }
    return names
  }

  func has(_ model: String) -> Bool { newest.model(named: model) != nil }

  var wayOut: String {
    isReleased
      ? "\(newest.number.name) has shipped: run 'schemagen new-version' and make the change there"
      : "\(newest.number.name) has not shipped yet: make the change in \(newest.number.name).yaml"
  }

  func differences(_ code: SchemaVersion) -> [Diagnostic] {
    var base = physical
    var version = code.withoutStep
    let names = Set(version.models.map(\.name))
    base.models.removeAll { !names.contains($0.name) }
    version.models.removeAll { base.model(named: $0.name) == nil }
    version.number = base.number.successors[2]
    for place in version.models.indices { neutralize(&version.models[place], in: base) }
    // The manifest leaves the cases or fields of an opaque type to the app. Perhaps no file here declares that type.
    version.types = base.types.map { type in
      guard var written = version.type(named: type.name) else { return type }
      // If no file declares a type, its coding is unknown. If the manifest lists the type's cases or fields and no
      // digest, the type had no custom coding when the manifest was written.
      if type.coding == nil && type.kind == .opaque
        || written.kind == .opaque && written.coding == nil
      {
        written.coding = type.coding
      }
      guard written.kind != .opaque, type.kind != .opaque else {
        var known = type
        // Static constants that were added to the type do not affect old rows.
        if !written.isCoded(as: type) || written.hasOtherColumns(than: type) {
          known.coding = written.coding
        }
        return known
      }
      written.documentation = type.documentation
      written.isOwn = type.isOwn
      written.appName = type.appName
      return written
    }
    let manifest = "\(newest.number.name).yaml"
    let unrecorded = base.types.compactMap { type -> Diagnostic? in
      guard type.isOwn, type.kind == .opaque, type.coding == nil,
        let written = code.type(named: type.name), let coding = written.coding
      else { return nil }
      return Diagnostic(
        .undeclaredType,
        "schemagen cannot tell how a store keeps '\(type.name)', and \(manifest) has no digest of the type's code: no check notices an edit of this code",
        element: type.name, at: written.location,
        help: ["write under '\(type.name)' in \(manifest): coding: \(coding)"], severity: .warning)
    }
    return unrecorded
      + SchemaDiffer().changes(from: base, to: version).map { change in
        let (element, place) = (
          change.element, version.location(of: change.element) ?? version.location
        )
        guard change.kind == .valueCodingChanged else {
          let detail = change.detail.isEmpty ? "" : " (\(change.detail))"
          return Diagnostic(
            .modelDiffers,
            "'\(element)'\(detail) differs from \(newest.number.name): \(change.classification.title)",
            element: element, at: place, help: waysOut(of: element))
        }
        let coding = version.type(named: element.owner)?.coding ?? "none"
        let isNew = base.type(named: element.owner)?.coding == nil
        return Diagnostic(
          .modelDiffers,
          isNew
            ? "'\(element)' decides in code what rows hold, but \(manifest) has no digest of that code: rows may hold values that other code wrote"
            : "the code that reads and writes '\(element)' has changed since \(newest.number.name) was written: rows hold what the old code wrote",
          element: element, at: place,
          help: [
            "if \(isNew ? "this" : "the new") code reads these rows, write under '\(element)' in \(manifest): coding: \(coding)",
            "if not, declare the new type under another name, and convert the values in the next version",
          ])
      }
  }

  /// The help for a difference. For a type that the app declares, the help names both ways out, because no other
  /// command reports the difference.
  private func waysOut(of element: ElementPath) -> [String] {
    let name = newest.number.name
    guard let type = newest.type(named: element.owner), type.isOwn else {
      return [wayOut, "or change the class back to match the manifest"]
    }
    return [
      "if \(name) is right, change '\(type.name)' in the app to match it, because the app must read the rows of \(name)",
      isReleased
        ? "if the app is right, run 'schemagen new-version' and make the change there, since \(name) has shipped: existing rows are then migrated to match"
        : "if the app is right, change \(name).yaml, which has not shipped: existing rows are then migrated to match",
    ]
  }

  /// Takes from the manifest everything that classes do not define.
  private func neutralize(_ model: inout Model, in base: SchemaVersion) {
    guard let known = base.model(named: model.name) else { return }
    model.entity = known.entity
    model.documentation = known.documentation
    model.properties = model.properties.map { written in
      guard let said = known.property(named: written.name) else { return written }
      var property = written.mapped(as: said)
      // Earlier versions define the property's former name.
      property.originalName = said.originalName
      property.documentation = said.documentation
      property.initializerDefault = said.initializerDefault
      // Original names and hash modifiers that follow from earlier steps are in generated code. Manifests need not
      // repeat them.
      if newest.property(at: ElementPath(model.name, written.name))?.hashModifier == nil {
        property.hashModifier = said.hashModifier
      }
      return property
    }
  }
}
