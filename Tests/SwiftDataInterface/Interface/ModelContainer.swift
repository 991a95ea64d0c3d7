public import Foundation

/// `ModelContainer`.
public class ModelContainer: Equatable, @unchecked Sendable {
  public convenience init(
    for forTypes: any PersistentModel.Type...,
    migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: ModelConfiguration...
  ) throws { notBuilt() }
  public convenience init(
    for givenSchema: Schema,
    migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: ModelConfiguration...
  ) throws { notBuilt() }
  public init(
    for givenSchema: Schema,
    migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: [ModelConfiguration]
  ) throws { notBuilt() }

  public final var schema: Schema { notBuilt() }
  public final var migrationPlan: (any SchemaMigrationPlan.Type)? { notBuilt() }
  public var configurations: Set<ModelConfiguration> { notBuilt() }
  @MainActor public var mainContext: ModelContext { notBuilt() }

  public static func == (lhs: ModelContainer, rhs: ModelContainer) -> Bool { notBuilt() }
}

/// `ModelConfiguration`.
public struct ModelConfiguration: Identifiable, Hashable, Sendable {
  public init(
    _ name: String? = nil, schema: Schema? = nil, isStoredInMemoryOnly: Bool = false,
    allowsSave: Bool = true, groupContainer: GroupContainer = .automatic,
    cloudKitDatabase: CloudKitDatabase = .automatic
  ) { notBuilt() }
  public init(
    _ name: String? = nil, schema: Schema? = nil, url: URL, allowsSave: Bool = true,
    cloudKitDatabase: CloudKitDatabase = .automatic
  ) { notBuilt() }

  public var id: URL { notBuilt() }
  public var url: URL { notBuilt() }
  public var name: String { notBuilt() }
  public var schema: Schema? { notBuilt() }
  public var allowsSave: Bool { notBuilt() }
  public var isStoredInMemoryOnly: Bool { notBuilt() }

  /// `ModelConfiguration.GroupContainer`.
  public struct GroupContainer: Sendable {
    public static var automatic: GroupContainer { notBuilt() }
    public static var none: GroupContainer { notBuilt() }
    public static func identifier(_ groupName: String) -> GroupContainer { notBuilt() }
  }

  /// `ModelConfiguration.CloudKitDatabase`.
  public struct CloudKitDatabase: Sendable {
    public static var automatic: CloudKitDatabase { notBuilt() }
    public static var none: CloudKitDatabase { notBuilt() }
    public static func `private`(_ privateDBName: String) -> CloudKitDatabase { notBuilt() }
  }
}
