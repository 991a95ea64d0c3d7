internal import ManagedModels
internal import SchemaEvolution
internal import SchemaModel

/// What CoreDataStep.mustache reads: the step that runs first for stores of older Core Data versions.
struct CoreDataStepFile: EmittedFile {
  static let template = "CoreDataStep"
  var path: String { "\(Self.name).swift" }
  static let name = "CoreDataStep"

  var mark: String
  var importLines: [String]
  var access: String
  var plan: String
  /// The names of the model, of its current version, and of the plan's version that equals the current version.
  var model: String
  var current: String
  var target: String
  var number: String
  var hashes: [String]
  var versions: [String]

  static let members: [String: @Sendable (Self) -> Any?] = [
    "mark": { $0.mark }, "importStatements": { SwiftText.block($0.importLines, indent: 0) },
    "access": { $0.access }, "plan": { $0.plan }, "model": { $0.model },
    "current": { $0.current }, "target": { $0.target }, "number": { $0.number },
    "guarding": { SwiftText.guarding($0.hashes + $0.versions, indent: 8) },
    "hashes": { SwiftText.block($0.hashes, indent: 8) },
    "versions": { SwiftText.block($0.versions, indent: 8) },
  ]
}

extension CoreDataStepFile {
  static func makers(_ input: RenderingInput) -> [Maker] {
    input.coreDataStep.map { step in [{ Self(step, input) }] } ?? []
  }

  static func declarations(_ input: RenderingInput) -> [Declaration] {
    input.coreDataStep == nil ? [] : [.own(name, input)]
  }

  private init(_ step: CoreDataStep, _ input: RenderingInput) {
    let configuration = input.evolution.configuration
    mark = FileMark.everyManifest
    importLines = Imports(access: configuration.access).lines(
      ["Foundation", "SchemaMigrationKit"], showing: ["Foundation", "SchemaMigrationKit"])
    access = configuration.access.prefix
    plan = configuration.names.plan
    model = SwiftText.escaped(step.modelName)
    current = SwiftText.escaped(step.current)
    target = step.target.name
    number = SwiftText.storeVersion(step.target)
    hashes = Self.pairs(step.hashes)
    versions = SwiftText.separated(step.origins.map(Self.version))
  }

  private static func version(_ origin: CoreDataStep.Origin) -> [String] {
    let entities = origin.model.entities.sorted { $0.name < $1.name }.map { entity in
      DescribedEntityView.lines(of: counted(entity, in: origin.model), unspecified: [])
    }
    var effects = origin.renamed.mapValues { ".renamed(from: \"\($0)\")" }
    for name in origin.removed where effects[name] == nil { effects[name] = ".removed" }
    for name in origin.created { effects[name] = ".created" }
    var lines = ["MigrationPlanDescription.CoreDataVersion("]
    lines += ["  \"\(SwiftText.escaped(origin.name))\",", "  entities: ["]
    lines += SwiftText.separated(entities).map { "    " + $0 }
    lines += ["  ],", "  hashes: ["] + pairs(origin.hashes).map { "    " + $0 }
    if !effects.isEmpty {
      lines += ["  ],", "  rowEffects: ["]
      lines += SwiftText.elements(
        effects.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }
      ).map { "    " + $0 }
    }
    return lines + ["  ]", ")"]
  }

  private static func pairs(_ hashes: [String: String]) -> [String] {
    SwiftText.elements(
      hashes.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \"\($0.value)\"" })
  }

  /// An entity with only what is needed to count rows and links: its superentity and relationships with join tables.
  private static func counted(_ entity: ManagedEntity, in model: ManagedModel) -> ManagedEntity {
    var counted = ManagedEntity(name: entity.name, superentity: entity.superentity)
    counted.relationships = entity.relationships.filter { relationship in
      relationship.isToMany
        && model.entities.contains { other in
          other.relationships.contains { $0.isToMany && $0.name == relationship.inverse }
        }
    }
    return counted
  }
}
