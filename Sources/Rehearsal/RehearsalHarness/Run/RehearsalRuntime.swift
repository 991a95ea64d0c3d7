public import Foundation
public import ManagedModels
internal import StoreFormat

/// What the rehearsal needs from the runtime and from the generated code. The generated `main` makes this value.
///
/// A version is given by its index in `versions`, which is also its index in the plan.
public struct RehearsalRuntime: Sendable {
  /// A shipped version as the runtime sees it.
  public struct Version: Sendable {
    /// `V9`, as in the plan.
    public var name: String
    /// The model of its `VersionedSchema`.
    public var model: ManagedModel { read() }
    private let read: @Sendable () -> ManagedModel

    /// - Parameter model: Reads the model when it is needed, since a process that opens one store needs few models.
    public init(name: String, model: @escaping @Sendable () -> ManagedModel) {
      self.name = name
      read = model
    }
  }

  /// One row's domain entity.
  public struct EntityDescription: Hashable, Sendable {
    /// The row that `toEntity()` was called on.
    public var row: ObjectID
    /// The entity's fields by name, as strings that are equal if the values are. A collection has a string for each
    /// element, and everything else has one.
    public var fields: [String: [String]]

    public init(row: ObjectID, fields: [String: [String]]) {
      self.row = row
      self.fields = fields
    }
  }

  public typealias Opening = @Sendable (_ store: URL, _ version: Int) throws -> Void
  public typealias Archive =
    @Sendable (_ elements: [StoredValue], _ element: AttributeType) throws -> StoredValue
  public typealias Reading = @Sendable (StoredValue) -> StoredValue
  public typealias Entities =
    @Sendable (_ store: URL, _ version: Int, _ except: Set<ObjectID>) throws -> [EntityDescription]

  /// The shipped versions in ascending order, without bridges.
  public var versions: [Version]
  /// Creates a store as an app of the given version does at its first launch, and closes it.
  public var create: Opening
  /// Opens a store as an app of the given version does, migrates the store if necessary, and closes it. The app's plan
  /// ends with the given version.
  public var migrate: Opening
  /// What a store holds for an array of primitives, such as `[String]`. `elements` are given in the form in which
  /// columns of type `element` hold values.
  public var archive: Archive
  /// A transformable value in a form for comparing only. Archives with equal contents have equal forms, though their
  /// bytes may differ from run to run.
  public var canonical: Reading
  /// The domain entities of all rows of a version that has converters, except the rows in `except`, which are
  /// unreadable on purpose. Nil if no version has converters.
  public var entities: Entities?
  /// The expectations, in the order of the manifests.
  public var expectations: [Expectation] = []

  public init(
    versions: [Version],
    create: @escaping Opening,
    migrate: @escaping Opening,
    archive: @escaping Archive,
    canonical: @escaping Reading = { $0 },
    entities: Entities? = nil
  ) {
    self.versions = versions
    self.create = create
    self.migrate = migrate
    self.archive = archive
    self.canonical = canonical
    self.entities = entities
  }
}
