internal import Foundation
internal import ManagedModels
internal import SchemaEvolution
internal import SchemaModel

/// What PlanDescription.mustache reads: the plan's versions and stages as `SchemaMigrationKit` accepts them.
struct PlanDescriptionFile: EmittedFile {
  static let template = "PlanDescription"
  var path: String { "\(plan)+Description.swift" }

  var mark: String
  var importLines: [String]
  var access: String
  var plan: String
  var versions: [String]
  var retired: [String]
  var through: String?
  var stages: [String]
  var hasCoreDataStep: Bool
  var entities: [DescribedEntityView]

  static let sections: [String: any TemplateView.Type] = ["entities": DescribedEntityView.self]

  static let members: [String: @Sendable (Self) -> Any?] = [
    "mark": { $0.mark }, "importStatements": { SwiftText.block($0.importLines, indent: 0) },
    "access": { $0.access },
    "plan": { $0.plan },
    "guarding": {
      SwiftText.guarding($0.versions + $0.retired + $0.stages, indent: 8)
    },
    "hasRetired": { !$0.retired.isEmpty },
    "retired": { SwiftText.block($0.retired, indent: 8) },
    "through": { $0.through },
    "hasCoreDataStep": { $0.hasCoreDataStep },
    "versions": { SwiftText.block($0.versions, indent: 8) },
    "stages": { SwiftText.block($0.stages, indent: 8) }, "entities": { $0.entities },
  ]
}

/// One entity, for all versions in which the entity is the same.
struct DescribedEntityView: TemplateView {
  var name: String
  var lines: [String]
  var isNotFirst: Bool

  static let members: [String: @Sendable (Self) -> Any?] = [
    "name": { $0.name }, "lines": { SwiftText.block($0.lines, indent: 4) },
    "isNotFirst": { $0.isNotFirst },
  ]
}

extension PlanDescriptionFile {
  static func makers(_ input: RenderingInput) -> [Maker] {
    input.has(.migrationKit) ? [{ Self(input) }] : []
  }

  static func declarations(_ input: RenderingInput) -> [Declaration] {
    input.has(.migrationKit) ? [.own("DescribedEntities", input)] : []
  }

  private init(_ input: RenderingInput) {
    let evolution = input.evolution
    hasCoreDataStep = input.coreDataStep != nil
    mark = FileMark.everyManifest
    let kit = ["SchemaMigrationKit"]
    importLines = Imports(access: evolution.configuration.access).lines(kit, showing: kit)
    access = evolution.configuration.access.prefix
    plan = evolution.configuration.names.plan
    var entities: [DescribedEntityView] = []
    var names: [[String]: String] = [:]
    var taken: Set<String> = []
    var versions: [[String]] = []
    let whole = input.whole
    let models = VersionModel.chain(of: whole)
    for ((physical, identity), model) in zip(zip(whole.chain, whole.identities), models) {
      let members = model.model.entities.sorted { $0.name < $1.name }.map { entity -> String in
        let lines = DescribedEntityView.lines(of: entity, unspecified: model.unspecified)
        if let name = names[lines] { return "DescribedEntities.\(name)" }
        var name = "\(entity.name.lowercasedFirst)V\(physical.identifier.label)"
        while !taken.insert(name).inserted { name += "Next" }
        names[lines] = name
        entities.append(
          DescribedEntityView(name: name, lines: lines, isNotFirst: !entities.isEmpty))
        return "DescribedEntities.\(name)"
      }
      versions.append(
        Self.version(
          physical, members, shipped: input.hashes[physical.identifier] ?? [:],
          // Hashes of only some entities prove nothing.
          computed: identity.doubts.isEmpty ? identity.hashes : nil))
    }
    self.entities = entities
    let retired = whole.chain.count - evolution.chain.count
    self.versions = SwiftText.separated(Array(versions.dropFirst(retired)))
    self.retired = SwiftText.separated(Array(versions.prefix(retired)))
    through =
      retired == 0 ? nil : evolution.configuration.retirement?.through.map(SwiftText.escaped)
    stages = SwiftText.separated(
      evolution.steps.flatMap { step in step.stages.map { Self.stage($0, of: step, evolution) } })
  }

  private static func version(
    _ physical: ChainVersion, _ members: [String], shipped: [String: String],
    computed made: VersionHashes?
  ) -> [String] {
    let name: String
    switch physical.role {
    case .version:
      name = physical.identifier.name
    case .bridge(let old, let new, let number):
      name = "V\(old.label)ToV\(new.label)" + (number == 1 ? "" : "Step\(number)")
    }
    var lines = [
      "  number: \(SwiftText.storeVersion(physical.identifier)),", "  name: \"\(name)\",",
    ]
    if physical.isBridge { lines.append("  isBridge: true,") }
    lines += list("entities", members)
    let computed = shipped.isEmpty ? made?.entities ?? [:] : [:]
    for (label, hashes) in [
      ("knownHashes", shipped), ("computedHashes", computed.mapValues { $0.base64EncodedString() }),
    ] where !hashes.isEmpty {
      lines[lines.count - 1] += ","
      lines += list(
        label, hashes.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \"\($0.value)\"" })
    }
    return ["MigrationPlanDescription.Version("] + lines + [")"]
  }

  private static func list(_ label: String, _ elements: [String]) -> [String] {
    if elements.isEmpty { return ["  \(label): []"] }
    return ["  \(label): ["] + SwiftText.elements(elements).map { "    " + $0 } + ["  ]"]
  }

  // MARK: Stages

  private static func stage(
    _ stage: Stage, of step: VersionStep, _ evolution: Evolution
  ) -> [String] {
    let from = stage.from
    let to = stage.to
    var lines = [
      "  from: \(SwiftText.storeVersion(from.identifier)),",
      "  to: \(SwiftText.storeVersion(to.identifier)),",
      "  kind: .\(stage.isCustom || stage.isBarrier ? "custom" : "lightweight"),",
      "  title: \"\(title(stage, of: step, evolution))\"",
    ]
    let effects = effects(stage, of: step)
    if !effects.isEmpty {
      lines[lines.count - 1] += ","
      lines += list(
        "rowEffects", effects.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" })
    }
    return ["MigrationPlanDescription.Stage("] + lines + [")"]
  }

  /// The title that the plan reports for a stage. The preparing and the finishing stage of a step have separate titles.
  private static func title(
    _ stage: Stage, of step: VersionStep, _ evolution: Evolution
  ) -> String {
    let title = StageView(stage, of: step, evolution).title
    return switch stage.part {
    case .whole, .contract: title
    case .expand: title + " (preparing)"
    case .rename: title + " (finishing)"
    }
  }

  private static func effects(_ stage: Stage, of step: VersionStep) -> [String: String] {
    let plan = step.plan
    let before = Set(stage.from.schema.models.map(\.name))
    let after = Set(stage.to.schema.models.map(\.name))
    let old = Set(step.old.models.map(\.name))
    var effects: [String: String] = [:]
    for name in before.subtracting(after) { effects[name] = ".removed" }
    for name in after.subtracting(before) { effects[name] = ".created" }
    let isWorking = stage.part == .whole || stage.part == .contract
    if isWorking {
      let transfers = Dictionary(grouping: plan.transfers, by: \.target)
      for (target, transfers) in transfers where after.contains(target) {
        let sources = Set(transfers.map(\.source)).sorted()
        effects[target] =
          sources.count == 1 && !old.contains(target)
          ? ".renamed(from: \"\(sources[0])\")"
          : mayChange("rows of \(sources.joined(separator: " and ")) become rows of this model")
      }
      for dedupe in plan.dedupes {
        let reached = reached(from: dedupe.model, in: stage.from.schema)
        for name in reached where after.contains(name) {
          effects[name] = mayChange("of equal rows of \(dedupe.model), one stays")
        }
      }
    }
    let isLast = stage.part != .expand && !stage.to.isBridge
    let hooks =
      (plan.hooks.before && isWorking ? ["before"] : [])
      + (plan.hooks.after && isLast ? ["after"] : [])
    if !hooks.isEmpty {
      let reason =
        "the app's code runs: "
        + hooks.map { "\(step.name).\($0)" }.joined(separator: " and ")
      for model in after where effects[model] != ".created" || hooks.contains("after") {
        effects[model] = mayChange(reason)
      }
    }
    return effects
  }

  /// The models whose rows may be deleted together with rows of one model: its subclasses, and the destinations of its
  /// cascading relationships.
  private static func reached(from model: String, in version: SchemaVersion) -> Set<String> {
    var reached: Set<String> = []
    var queue = [model]
    while let name = queue.popLast() {
      guard reached.insert(name).inserted else { continue }
      queue += version.models.filter { $0.superclass?.value == name }.map(\.name)
      guard let model = version.model(named: name) else { continue }
      let lineage = [model] + model.ancestors { version.model(named: $0) }
      queue += lineage.flatMap(\.properties).compactMap { property in
        property.relationship.flatMap { $0.deleteRule == .cascade ? $0.destination.value : nil }
      }
    }
    return reached
  }

  private static func mayChange(_ reason: String) -> String {
    ".mayChange(\"\(SwiftText.escaped(reason))\")"
  }
}

extension DescribedEntityView {
  /// The expression that creates the entity.
  ///
  /// - Parameter unspecified: Attributes, as `Model.property`, whose columns the manifest does not define.
  static func lines(of entity: ManagedEntity, unspecified: Set<String>) -> [String] {
    var arguments: [[String]] = [["\"\(entity.name)\""]]
    if let parent = entity.superentity { arguments.append(["parent: \"\(parent)\""]) }
    // The paths of a composite's elements begin with the attribute's path.
    let isTold = { (name: String) in
      !unspecified.contains {
        $0 == "\(entity.name).\(name)" || $0.hasPrefix("\(entity.name).\(name).")
      }
    }
    let attributes = entity.attributes.sorted { $0.name < $1.name }
    add("attributes", attributes.filter { isTold($0.name) }.map { attribute($0) }, &arguments)
    add(
      "relationships",
      entity.relationships.sorted { $0.name < $1.name }.map { relationship($0) }, &arguments)
    add(
      "uniques",
      entity.uniqueness.map { names in
        ["[" + names.map { "\"\($0)\"" }.joined(separator: ", ") + "]"]
      }, &arguments)
    if !attributes.allSatisfy({ isTold($0.name) }) { arguments.append(["isOpen: true"]) }
    var lines = ["MigrationPlanDescription.Entity("]
    for (index, argument) in arguments.enumerated() {
      lines += argument.map { "  " + $0 }
      if index < arguments.count - 1 { lines[lines.count - 1] += "," }
    }
    return SwiftText.guarded(lines + [")"], indent: 4)
  }

  private static func add(
    _ label: String, _ elements: [[String]], _ arguments: inout [[String]]
  ) {
    guard !elements.isEmpty else { return }
    arguments.append(
      ["\(label): ["] + SwiftText.separated(elements).map { "  " + $0 } + ["]"])
  }

  private static func attribute(_ attribute: ManagedAttribute) -> [String] {
    var arguments = ["\"\(attribute.name)\""]
    if attribute.isOptional { arguments.append("isOptional: true") }
    if let raw = attribute.rawValueElement {
      arguments += type(raw.type).map { ["type: .\($0)"] } ?? []
    } else if attribute.type == .composite {
      let columns = columns(of: attribute).map { "\"\($0)\"" }
      arguments.append("columns: [\(columns.joined(separator: ", "))]")
    } else {
      arguments += type(attribute.type).map { ["type: .\($0)"] } ?? []
    }
    return SwiftText.list("MigrationPlanDescription.Attribute", arguments, indent: 9)
  }

  private static func columns(of attribute: ManagedAttribute) -> [String] {
    guard attribute.type == .composite, attribute.rawValueElement == nil else {
      return [attribute.name]
    }
    return attribute.elements.flatMap { columns(of: $0) }
  }

  /// The library's name for a column's type. Types that were never seen in a store written by Apple are not checked,
  /// since a launch must not fail because of a guess (docs/facts/store-format.md#tables-and-columns).
  private static func type(_ type: AttributeType) -> String? {
    type.row.isSeen ? type.row.column.lowercased() : nil
  }

  private static func relationship(_ relationship: ManagedRelationship) -> [String] {
    var arguments = ["\"\(relationship.name)\"", "to: \"\(relationship.destination)\""]
    if let inverse = relationship.inverse { arguments.append("inverse: \"\(inverse)\"") }
    if !relationship.isToMany, !relationship.isOptional { arguments.append("isOptional: false") }
    if relationship.isToMany { arguments.append("isToMany: true") }
    return SwiftText.list("MigrationPlanDescription.Relationship", arguments, indent: 9)
  }
}
