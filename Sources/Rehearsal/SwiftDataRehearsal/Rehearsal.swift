internal import Foundation
internal import ManagedModels
public import RehearsalHarness
internal import StoreFormat
public import SwiftData

/// The main program of a rehearsal's scratch package: the harness, connected to SwiftData and the generated code.
public struct Rehearsal: Sendable {
  /// A shipped version.
  public struct Version: Sendable {
    let name: String
    let schema: any VersionedSchema.Type
    let converters: [Converter]

    /// - Parameters:
    ///   - name: The version's name: `V9`.
    ///   - converters: The converters of its models that have a domain entity.
    public init(_ name: String, _ schema: any VersionedSchema.Type, converters: [Converter] = []) {
      self.name = name
      self.schema = schema
      self.converters = converters
    }
  }

  /// How rows of one model become their domain entity.
  public struct Converter: Sendable {
    let describe:
      @Sendable (ModelContext, Set<ObjectID>) throws -> [RehearsalRuntime.EntityDescription]

    public init<Model: PersistentModel, Entity>(
      _ model: Model.Type, _ toEntity: @escaping @Sendable (Model) throws -> Entity
    ) {
      describe = { context, except in
        var all: [RehearsalRuntime.EntityDescription] = []
        try context.enumerate(FetchDescriptor<Model>()) { row in
          // A subclass has its own converter.
          guard type(of: row) == Model.self, !except.contains(row.objectID) else { return }
          all.append(
            RehearsalRuntime.EntityDescription(
              row: row.objectID, fields: EntityText.fields(of: try toEntity(row))))
        }
        return all
      }
    }
  }

  public typealias Expectation = RehearsalHarness.Expectation

  private let schemas: [any VersionedSchema.Type]
  private let stages: [MigrationStage]
  private let versions: [Version]
  private let expectations: [Expectation]

  /// - Parameter plan: The generated plan, bridges included; nil if there is nothing to migrate.
  public init(
    plan: (any SchemaMigrationPlan.Type)?, versions: [Version], expectations: [Expectation] = []
  ) {
    self.expectations = expectations
    schemas = plan?.schemas ?? versions.map(\.schema)
    stages = plan?.stages ?? []
    self.versions = versions
  }

  /// Runs what the command line requests, and ends the process.
  public func main() -> Never {
    var runtime = RehearsalRuntime(
      versions: versions.map { version in
        RehearsalRuntime.Version(name: version.name) {
          Schema(versionedSchema: version.schema).managedModel
        }
      },
      create: { url, version in
        _ = try ModelContainer(
          for: Schema(versionedSchema: versions[version].schema),
          configurations: ModelConfiguration(url: url))
      },
      migrate: { url, version in _ = try open(url, through: version) },
      archive: { ArchivedElements.archived($0, of: $1) },
      canonical: { ArchivedElements.canonical($0) },
      entities: versions.contains { !$0.converters.isEmpty } ? entities : nil)
    runtime.expectations = expectations
    exit(RehearsalProgram(runtime).run(CommandLine.arguments))
  }

  /// Records that a value took its fallback; generated code calls it.
  ///
  /// - Parameter field: The field: `Habit.kind`.
  public static func noteFallback(_ value: some Any, of field: String) {
    FallbackTally.note(field, became: description(of: value))
  }

  /// The description of a case, number or string; nil for other values, whose description may differ from run to run.
  private static func description(of value: Any) -> String? {
    switch value {
    case let text as String: "'\(text)'"
    case is Bool, is any BinaryInteger, is any BinaryFloatingPoint: "\(value)"
    default:
      Mirror(reflecting: value).displayStyle == .enum ? ".\(value)" : nil
    }
  }

  @Sendable private func entities(
    _ url: URL, _ version: Int, _ except: Set<ObjectID>
  ) throws -> [RehearsalRuntime.EntityDescription] {
    let context = ModelContext(try open(url, through: version))
    return try versions[version].converters.flatMap { try $0.describe(context, except) }
  }

  private func open(_ url: URL, through version: Int) throws -> ModelContainer {
    let last = versions[version].schema
    let known = Array(schemas[...(schemas.firstIndex { $0 == last } ?? schemas.endIndex - 1)])
    let stages = stages.filter { stage in
      switch stage {
      case .lightweight(_, let to), .custom(_, let to, _, _): known.contains { $0 == to }
      }
    }
    return try ModelContainer(file: url, schemas: known, stages: stages)
  }
}
