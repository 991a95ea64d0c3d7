public import Foundation
public import ManagedModels
internal import StoreFormat

/// What the rehearsal needs of the runtime and of the generated code. The generated `main` makes one.
///
/// Versions are given by their places in `versions`, which are those of the plan.
public struct RehearsalRuntime: Sendable {
  /// A shipped version as the runtime sees it.
  public struct Version: Sendable {
    /// `V9`, as the plan calls it.
    public var name: String
    /// The model of its `VersionedSchema`.
    public var model: ManagedModel { read() }
    private let read: @Sendable () -> ManagedModel

    /// - Parameter model: Read where it is needed: a process that opens one store needs few.
    public init(name: String, model: @escaping @Sendable () -> ManagedModel) {
      self.name = name
      read = model
    }
  }

  /// One row's domain entity.
  public struct EntityDescription: Hashable, Sendable {
    /// The row that `toEntity()` was called on.
    public var row: ObjectID
    /// The entity's fields by name, as text that is equal where the values are: a collection has a text for each
    /// element, anything else one.
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

  /// The shipped versions in ascending order, bridges left out.
  public var versions: [Version]
  /// Creates a store as an app of that version does at its first launch, and closes it.
  public var create: Opening
  /// Opens a store as an app of that version does, with the plan cut off there, and closes it: it migrates
  /// where it has to.
  public var migrate: Opening
  /// What a store holds for an array of primitives, `[String]` and its like. `elements`: each as a column of its
  /// own, of type `element`, would hold it.
  public var archive: Archive
  /// What a transformable value means, the same for archives that hold the same: their bytes may differ from run
  /// to run. For comparing only.
  public var canonical: Reading
  /// The domain entities of all rows of a version that has converters, those of `except` left out: they are
  /// unreadable on purpose. Nil where nothing has converters.
  public var entities: Entities?
  /// In the order of the manifests.
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
