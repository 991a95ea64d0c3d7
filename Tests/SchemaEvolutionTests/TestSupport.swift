import SchemaManifest
import Testing

@testable import SchemaEvolution
@testable import SchemaModel
@testable import SchemaRendering

/// Versions and evolutions made of YAML texts: the first is V1, the second V2, and so on.
enum Manifests {
  struct Unreadable: Error, CustomStringConvertible {
    var description: String
  }

  /// The versions of valid manifests. A text may have its own `version:`.
  static func versions(_ bodies: [String]) throws -> [SchemaVersion] {
    let files = bodies.enumerated().map { index, body in
      if body.hasPrefix("version: ") {
        let number = body.dropFirst(9).prefix { $0 != "\n" }
        return SourceFile(path: "V\(number).yaml", text: body)
      }
      return SourceFile(path: "V\(index + 1).yaml", text: "version: \(index + 1).0.0\n" + body)
    }
    let history = HistoryReader().read(files)
    guard !history.diagnostics.hasErrors, history.versions.count == bodies.count else {
      let found = history.diagnostics.map { "\($0.location.map { "\($0)" } ?? ""): \($0.message)" }
      throw Unreadable(
        description: found.joined(separator: "\n") + "\n" + bodies.joined(separator: "\n"))
    }
    return history.versions
  }

  static func evolution(
    _ bodies: String..., policy: Configuration.Policy = .standard,
    converters: Configuration.Converters = .both, cloudKit: Configuration.CloudKit = .none,
    platforms: [Configuration.Platform: Int] = [:]
  ) throws -> Evolution {
    try evolution(
      bodies, policy: policy, converters: converters, cloudKit: cloudKit, platforms: platforms)
  }

  static func evolution(
    _ bodies: [String], policy: Configuration.Policy = .standard,
    converters: Configuration.Converters = .both, cloudKit: Configuration.CloudKit = .none,
    platforms: [Configuration.Platform: Int] = [:], shipped: ShippedVersions = ShippedVersions(),
    hooks: [VersionNumber: HookCode] = [:]
  ) throws -> Evolution {
    AnalysisPipeline(
      history: try versions(bodies),
      configuration: Configuration(
        tests: "Tests", policy: policy, converters: converters, cloudKit: cloudKit,
        platforms: platforms),
      shipped: shipped, hooks: hooks
    ).run()
  }

  /// A manifest with one model `A`, which has an `id` beside the properties given, in flow style.
  static func one(_ properties: String = "", _ keys: String = "", _ top: String = "") -> String {
    "models: { A: { properties: { id: Int, \(properties) } \(keys.isEmpty ? "" : ", " + keys) } }\n\(top)"
  }

  /// A manifest with models `A` and `B`, which have an `id` each beside the properties given.
  static func two(_ a: String = "", _ b: String = "", _ top: String = "") -> String {
    "models: { A: { properties: { id: Int, \(a) } }, B: { properties: { id: Int, \(b) } } }\n\(top)"
  }
}

extension Evolution {
  var errors: [String] {
    diagnostics.filter { $0.severity == .error }.map { "\($0.rule.id): \($0.message)" }.sorted()
  }

  /// `rule element` of every finding, sorted.
  var findings: [String] { diagnostics.map { "\($0.rule.id) \($0.element ?? "-")" }.sorted() }

  func finding(_ rule: String) -> Diagnostic? { diagnostics.first { $0.rule.id == rule } }

  func finding(_ rule: Rule) -> Diagnostic? { finding(rule.id) }

  /// A model as the framework sees it in the version of that name: `SchemaV2`, `SchemaV1ToV2`.
  func model(_ name: String, in version: String) -> Model? {
    chain.first { $0.name == version }?.schema.model(named: name)
  }

  func property(_ name: String, of model: String, in version: String) -> Property? {
    self.model(model, in: version)?.property(named: name)
  }

  /// Names of the versions from which a barrier stage leads to the next.
  var stops: [String] { stages.filter(\.isBarrier).map(\.from.name) }

  /// The converters of each version, by model name.
  var converters: [[String: Converter]] { versions.map(\.converters) }

  /// The hazards that barrier stages remove.
  var hazards: [SkipHazard] {
    StagePlanner(chain: chain, isCustom: stages.map(\.isCustom)).hazards
  }

  var names: [String] { chain.map(\.name) }
}

/// Invariants of every evolution without errors.
enum Invariants {
  /// The broken invariants in words; empty if all hold.
  static func broken(_ evolution: Evolution) -> [String] {
    guard evolution.errors.isEmpty else { return [] }
    return inverses(evolution) + inference(evolution) + bridges(evolution) + identities(evolution)
      + stages(evolution) + rows(evolution) + converters(evolution)
  }

  /// Every inverse leads back, in every version that the framework sees.
  static func inverses(_ evolution: Evolution) -> [String] {
    evolution.chain.flatMap { version in
      version.schema.models.flatMap { model in
        model.properties.compactMap { property -> String? in
          guard let relationship = property.relationship else { return nil }
          let place = "\(version.name).\(model.name).\(property.name)"
          guard let other = version.schema.model(named: relationship.destination.value) else {
            return "\(place) leads to a model that is not there"
          }
          guard let inverse = relationship.inverse?.value else { return nil }
          let back = other.property(named: inverse)?.relationship
          if back?.destination.value == model.name, back?.inverse?.value == property.name {
            return nil
          }
          return "\(place): its inverse '\(inverse)' does not lead back"
        }
      }
    }
  }

  /// The engine infers each neighbouring pair, apart from nil values that `willMigrate` has filled before.
  static func inference(_ evolution: Evolution) -> [String] {
    evolution.steps.flatMap { step in step.stages.map { (step, $0) } }.flatMap {
      step, stage -> [String] in
      let (before, after, plan) = (stage.from, stage.to, step.plan)
      let hasRun = stage.part == .contract || (stage.part == .whole && plan.hasWork)
      return after.schema.models.flatMap { model -> [String] in
        guard let was = before.schema.model(named: model.name) else { return [] }
        let now = StoredModel(model, StorageTypes(version: after.schema))
        let found = Inference.provenances(
          from: StoredModel(was, StorageTypes(version: before.schema)), to: now)
        return found.compactMap { name, provenance in
          guard case .failure(let reason) = provenance else { return nil }
          let identifier = now.properties.first { $0.name == name }?.identifier
          let column = was.properties.first { ($0.originalName ?? $0.name) == identifier }?.name
          let isNil = reason == .nilNotAllowed
          let isMoved = isNil && plan.transfers.contains(where: { $0.target == model.name })
          if hasRun, isNil || reason == .mandatoryLink, let column,
            isMoved || isSet(model.name, column, plan) || isEmpty(model.name, in: step)
          {
            return nil
          }
          return "\(before.name) → \(after.name): \(model.name).\(name): \(reason)"
        }
      }
    }
  }

  /// Whether a model is new in a step and gets no rows, so that no row can fail.
  private static func isEmpty(_ model: String, in step: VersionStep) -> Bool {
    step.old.model(named: model) == nil
      && !step.plan.transfers.contains { $0.target == model }
  }

  private static func isSet(_ model: String, _ column: String, _ plan: StepPlan) -> Bool {
    plan.rowUpdates.contains { update in
      update.model == model && update.assignments.contains { $0.property == column }
    }
      || plan.relationshipUpdates.contains {
        ($0.ownerLink ?? $0.model) == "carriedTo\(model)" && $0.target == column
          || $0.model == model && $0.ownerLink == nil && $0.target == column
      }
  }

  /// A first bridge is the older version with additions, which are optional or have a default and are not unique.
  static func bridges(_ evolution: Evolution) -> [String] {
    var found: [String] = []
    for (position, version) in evolution.chain.enumerated() {
      guard case .bridge(_, _, 1) = version.role else { continue }
      let old = evolution.chain[position - 1].schema
      let storage = StorageTypes(version: version.schema)
      for model in old.models where version.schema.model(named: model.name) == nil {
        found.append("\(version.name) has no '\(model.name)'")
      }
      for model in version.schema.models {
        let names = model.properties.map(\.name)
        if Set(names).count != names.count { found.append("\(version.name).\(model.name) twice") }
        guard let was = old.model(named: model.name) else {
          if !model.uniques.isEmpty { found.append("\(version.name).\(model.name) is unique") }
          for property in model.properties where property.isUnique {
            found.append("\(version.name).\(model.name).\(property.name) is unique")
          }
          continue
        }
        if was.uniques.map(\.names) != model.uniques.map(\.names) {
          found.append("\(version.name).\(model.name): other constraints")
        }
        for property in was.properties where property.isStored {
          let kept = model.property(named: property.name)
          if kept?.kind != property.kind {
            found.append("\(version.name).\(model.name).\(property.name) is not as it was")
          }
        }
        for property in model.properties where !property.isTransient {
          if let before = was.property(named: property.name), before.isStored { continue }
          let place = "\(version.name).\(model.name).\(property.name)"
          if property.isUnique { found.append("\(place) is unique") }
          let isMany = property.relationship?.cardinality.isMany ?? false
          let hasDefault =
            property.attribute.map {
              $0.defaultValue != nil && !storage.form(of: $0.type).hasLeaves
            } ?? false
          if !property.type.isOptional, !isMany, !hasDefault {
            found.append("\(place) is required")
          }
        }
      }
    }
    return found
  }

  /// No two versions look the same to the engine, and their numbers go up.
  static func identities(_ evolution: Evolution) -> [String] {
    var found: [String] = []
    if evolution.identities.count != evolution.chain.count {
      found.append("identities are missing")
    }
    if Set(evolution.identities.map(\.certain)).count != evolution.identities.count {
      found.append("two versions look the same")
    }
    if Set(evolution.names).count != evolution.chain.count { found.append("two have one name") }
    for (before, after) in zip(evolution.chain, evolution.chain.dropFirst())
    where before.identifier >= after.identifier {
      found.append("\(before.name) is not before \(after.name)")
    }
    return found
  }

  /// Each pair of neighbours has a stage, and with the barrier stages every run gives the result of the steps.
  static func stages(_ evolution: Evolution) -> [String] {
    var found: [String] = []
    let names = evolution.names
    if evolution.stages.map(\.from.name) != names.dropLast()
      || evolution.stages.map(\.to.name) != Array(names.dropFirst())
    {
      found.append("stages are missing")
    }
    for hazard in evolution.hazards {
      let isStopped = evolution.stages[hazard.stages].contains {
        $0.isCustom || $0.isBarrier
      }
      if !isStopped { found.append("\(hazard) is not stopped") }
    }
    return found
  }

  /// Everything that `willMigrate` sets or reads exists in the version that it sees.
  static func rows(_ evolution: Evolution) -> [String] {
    var found: [String] = []
    for step in evolution.steps where step.plan.hasWork {
      let name = evolution.schemaOfUserCode(in: step)
      let schema = evolution.chain.first { $0.name == name }?.schema ?? step.old
      func inherited(_ name: String) -> [Property] {
        guard let model = schema.model(named: name) else { return [] }
        return model.properties + (model.superclass.map { inherited($0.value) } ?? [])
      }
      func check(_ model: String, _ property: String) {
        if !inherited(model).contains(where: { $0.name == property && !$0.isTransient }) {
          found.append(
            "\(name) has no \(model).\(property) to set or read")
        }
      }
      for update in step.plan.rowUpdates {
        for assignment in update.assignments { check(update.model, assignment.property) }
      }
      for transfer in step.plan.transfers {
        check(transfer.source, transfer.link)
        for value in transfer.values { check(transfer.target, value.property) }
      }
      for update in step.plan.relationshipUpdates {
        if let source = update.source ?? update.destinationLink { check(update.model, source) }
        if let link = update.ownerLink {
          check(update.model, link)
          check(String(link.dropFirst("carriedTo".count)), update.target)
        } else {
          check(update.model, update.target)
        }
      }
      for dedupe in step.plan.dedupes {
        for key in dedupe.keys {
          check(dedupe.model, key.name)
          let property = inherited(dedupe.model).first { $0.name == key.name }
          if let property, property.type.isOptional != key.isOptional {
            found.append("\(dedupe.model).\(key.name) is optional or not")
          }
        }
        for link in dedupe.relationships { check(dedupe.model, link.name) }
      }
    }
    return found
  }

  /// A converter calls another model's converter only if there is one.
  static func converters(_ evolution: Evolution) -> [String] {
    var found: [String] = []
    for (index, version) in evolution.history.enumerated() {
      for converter in evolution.converters[index].values {
        let model = version.model(named: converter.model)
        for value in converter.toEntity {
          guard case .links(let link) = value.value, link.form == .entities,
            let property = model?.property(named: link.property),
            let destination = property.relationship?.destination.value,
            evolution.converters[index][destination] == nil
          else { continue }
          found.append("\(version.number.name).\(destination) has no toEntity()")
        }
        for value in converter.fromEntity {
          guard case .rows(let name, _, _) = value.value,
            evolution.converters[index][name] == nil
          else { continue }
          found.append("\(version.number.name).\(name) has no fromEntity(_:)")
        }
      }
    }
    return found
  }
}

extension ConvertedValue {
  /// The argument in converters, in a version whose enum is called `Schema`.
  var text: String { ConversionText(schema: "Schema").text(value) }
}

extension Assignment {
  /// The value in functions over rows.
  var text: String { ConversionText(row: "row").text(value) }
}
