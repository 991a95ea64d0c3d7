internal import Foundation
internal import ManagedModels
internal import RehearsalHarness
internal import StoreFormat
public import SwiftData

/// The program that a rehearsal's scratch package is: the harness, told of SwiftData and of the generated code.
public struct Rehearsal: Sendable {
  /// A shipped version.
  public struct Version: Sendable {
    let name: String
    let schema: any VersionedSchema.Type
    let converters: [Converter]

    /// `name`: `V9`. `converters`: of its models that have a domain entity.
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
          // A subclass has a converter of its own.
          guard type(of: row) == Model.self, !except.contains(row.objectID) else { return }
          all.append(
            RehearsalRuntime.EntityDescription(
              row: row.objectID, fields: EntityText.fields(of: try toEntity(row))))
        }
        return all
      }
    }
  }

  /// What a manifest asserts of the step to its version.
  public struct Expectation: Sendable {
    /// One row's values, by the paths of their columns.
    public struct Row: Sendable {
      fileprivate let values: RowValues

      /// A value, an optional one, or an enum's case by its raw value. Throws where the column holds something else.
      public func value<Value>(_ path: String) throws -> Value { try values.value(path) }
    }

    let version: String
    let model: String
    let text: String
    let claim: RehearsalRuntime.Expectation.Claim

    /// As many rows of `model` as those of `sources` before. `version`: `V9`, to which the step leads.
    public static func count(
      _ version: String, _ model: String, of sources: [String], _ text: String
    ) -> Expectation {
      Expectation(version: version, model: model, text: text, claim: .count(of: sources))
    }

    /// No row without a value or a link of `property`, but for rows that had none before, when it was called `before`.
    public static func present(
      _ version: String, _ model: String, _ property: String, before: String?, _ text: String
    ) -> Expectation {
      Expectation(
        version: version, model: model, text: text, claim: .present(property, before: before))
    }

    /// `holds` takes the row after the step.
    public static func after(
      _ version: String, _ model: String, _ text: String,
      _ holds: @escaping @Sendable (Row) throws -> Bool
    ) -> Expectation {
      Expectation(
        version: version, model: model, text: text,
        claim: .holds { _, new in try holds(Row(values: new)) })
    }

    /// `holds` takes the row before the step and the row after it; a row that comes from none is left out.
    public static func pair(
      _ version: String, _ model: String, _ text: String,
      _ holds: @escaping @Sendable (_ old: Row, _ new: Row) throws -> Bool
    ) -> Expectation {
      Expectation(
        version: version, model: model, text: text,
        claim: .holds { old, new in
          guard let old else { return true }
          return try holds(Row(values: old), Row(values: new))
        })
    }
  }

  private let schemas: [any VersionedSchema.Type]
  private let stages: [MigrationStage]
  private let versions: [Version]
  private let expectations: [Expectation]

  /// `plan`: the generated one, bridges and all; without one there is nothing to migrate.
  public init(
    plan: (any SchemaMigrationPlan.Type)?, versions: [Version], expectations: [Expectation] = []
  ) {
    self.expectations = expectations
    schemas = plan?.schemas ?? versions.map(\.schema)
    stages = plan?.stages ?? []
    self.versions = versions
  }

  /// Does what the command line says, and ends the process.
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
    runtime.expectations = expectations.compactMap { expectation in
      versions.firstIndex { $0.name == expectation.version }.map {
        RehearsalRuntime.Expectation(
          version: $0, model: expectation.model, text: expectation.text, expectation.claim)
      }
    }
    exit(RehearsalProgram(runtime).run(CommandLine.arguments))
  }

  /// Generated code tells that a value took its fallback. `field`: `Habit.kind`.
  public static func noteFallback(_ value: some Any, of field: String) {
    FallbackTally.note(field, became: description(of: value))
  }

  /// A value that people know by its text: a case, a number, a text. Others may have another text in each run.
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

  /// Opens a store as an app of a version does, whose plan ends with that version.
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
