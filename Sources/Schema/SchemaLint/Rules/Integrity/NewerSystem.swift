package import SchemaModel

struct NewerSystem: LintRule {
  let rule = Rule.newerSystem

  func findings(in context: LintContext) -> [Diagnostic] {
    Diagnostic.newerSystems(
      than: context.configuration.platforms, in: context.history, source: "'platforms:' says")
  }
}

extension Diagnostic {
  /// Reports what the versions of a history need and some of the app's systems lack.
  ///
  /// - Parameters:
  ///   - platforms: The lowest version of each system that the app runs on.
  ///   - source: Where `platforms` comes from, as the start of a clause: `'platforms:' says`.
  package static func newerSystems(
    than platforms: [Configuration.Platform: Int], in history: [SchemaVersion], source: String
  ) -> [Diagnostic] {
    guard !platforms.isEmpty else { return [] }
    return history.flatMap { version in
      version.needs.compactMap { newerSystem($0, platforms, source) }
    }
  }

  private static func newerSystem(
    _ need: SystemNeed, _ platforms: [Configuration.Platform: Int], _ source: String
  ) -> Diagnostic? {
    let lacking = platforms.filter { $0.value < $0.key.version(of: need.generation) }.keys.sorted()
    guard !lacking.isEmpty else { return nil }
    func listed(_ number: (Configuration.Platform) -> Int) -> String {
      lacking.map { "\($0.rawValue) \(number($0))" }.enumeration
    }
    let needed = listed { $0.version(of: need.generation) }
    let said = listed { platforms[$0] ?? $0.lowest }
    var raised = platforms
    for platform in lacking { raised[platform] = platform.version(of: need.generation) }
    return Diagnostic(
      .newerSystem,
      "\(need.what) \(needed), but \(source) \(said)\(need.isCompiled ? ", for which the generated code does not compile" : "")",
      element: need.element, at: need.place,
      help: [
        need.wayOut,
        "or, if the app runs on no older system, write 'platforms: \(raised.written)' in schemagen.yaml",
      ], severity: need.isCompiled ? nil : .warning)
  }
}

/// A feature of a version that some systems with SwiftData lack.
private struct SystemNeed {
  let generation: Configuration.Generation
  let element: ElementPath
  let place: SourceLocation?
  /// The subject and the verb, before the names of systems.
  let what: String
  let wayOut: String
  /// Whether the compiler refuses the feature for an older system.
  var isCompiled = true
}

extension SchemaVersion {
  fileprivate var needs: [SystemNeed] {
    models.flatMap { model -> [SystemNeed] in
      let element = ElementPath(model.name)
      var needs: [SystemNeed] = []
      if let superclass = model.superclass {
        needs.append(
          SystemNeed(
            generation: .iOS26, element: element, place: superclass.location,
            what: "'inherits:' of '\(model.name)' needs",
            wayOut:
              "give '\(model.name)' the properties of '\(superclass.value)', without 'inherits:'"))
      }
      if let unique = model.uniques.first {
        needs.append(
          SystemNeed(
            generation: .iOS18, element: element, place: unique.location,
            what: "'unique:' of '\(model.name)', which becomes '#Unique', needs",
            wayOut: unique.names.count == 1
              ? "write 'unique: true' at '\(unique.names[0])'"
              : "remove 'unique:', and check for equal rows in the app"))
      }
      if let index = model.indexes.first {
        needs.append(
          SystemNeed(
            generation: .iOS18, element: element, place: index.properties.first?.location,
            what: "'index:' of '\(model.name)', which becomes '#Index', needs",
            wayOut: "remove 'index:': stores are recognised without it"))
      }
      for property in model.properties {
        guard let attribute = property.attribute, property.isStored else { continue }
        let element = ElementPath(model.name, property.name)
        if attribute.options.contains(.codable) {
          needs.append(
            SystemNeed(
              generation: .iOS27, element: element, place: property.location,
              what: "'codable:' of '\(element)' needs", wayOut: "remove 'codable: true'"))
        }
        if attribute.transformer == nil,
          let (name, generation) = attribute.type.names.lazy.compactMap({ name in
            StorageType.systemTypes[name].map { (name, $0) }
          }).first, type(named: name) == nil
        {
          needs.append(
            SystemNeed(
              generation: generation, element: element, place: property.location,
              what: "'\(element)' holds an '\(name)', which SwiftData stores since",
              wayOut: "store the value as 'Data', which the app encodes", isCompiled: false))
        }
      }
      return needs
    }
  }
}
