public import Foundation

/// `ModelConfiguration`: the place of a container's store. Sendable since SDK 26.
public struct ModelConfiguration: Identifiable, Hashable {
  /// The name, which is also the file's name if no URL is given.
  public let name: String
  /// The file of the store.
  public let url: URL
  /// The schema that was given. A container uses the schema in its own arguments.
  public let schema: Schema?
  /// Whether contexts may save.
  public let allowsSave: Bool
  /// Whether the store is in memory only, without a file.
  public let isStoredInMemoryOnly: Bool

  /// Creates a configuration for a store in the folder of the app's support files, or in memory.
  public init(
    _ name: String? = nil, schema: Schema? = nil, isStoredInMemoryOnly: Bool = false,
    allowsSave: Bool = true, groupContainer: GroupContainer = .automatic,
    cloudKitDatabase: CloudKitDatabase = .automatic
  ) {
    self.name = name ?? "default"
    self.schema = schema
    self.isStoredInMemoryOnly = isStoredInMemoryOnly
    self.allowsSave = allowsSave
    url =
      isStoredInMemoryOnly
      ? URL(fileURLWithPath: "/dev/null")
      : FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0]
        .appendingPathComponent("\(self.name).store")
  }

  /// Creates a configuration for a store in a file.
  public init(
    _ name: String? = nil, schema: Schema? = nil, url: URL, allowsSave: Bool = true,
    cloudKitDatabase: CloudKitDatabase = .automatic
  ) {
    self.name = name ?? "default"
    self.schema = schema
    self.url = url
    self.allowsSave = allowsSave
    isStoredInMemoryOnly = false
  }

  public var id: URL { url }

  /// `ModelConfiguration.GroupContainer`, which has no effect here. The store is at `url`.
  public struct GroupContainer {
    /// Apple's default; it has no effect here.
    public static var automatic: GroupContainer { GroupContainer() }
    /// No group container.
    public static var none: GroupContainer { GroupContainer() }
    /// A group container by name; it has no effect here.
    public static func identifier(_ groupName: String) -> GroupContainer { GroupContainer() }
  }

  /// `ModelConfiguration.CloudKitDatabase`, which has no effect here. Nothing is synchronised.
  public struct CloudKitDatabase {
    /// Apple's default; it has no effect here.
    public static var automatic: CloudKitDatabase { CloudKitDatabase() }
    /// No CloudKit database.
    public static var none: CloudKitDatabase { CloudKitDatabase() }
    /// A CloudKit database by name; it has no effect here.
    public static func `private`(_ privateDBName: String) -> CloudKitDatabase { CloudKitDatabase() }
  }
}

#if !SDK_18
  extension ModelConfiguration: Sendable {}
  extension ModelConfiguration.GroupContainer: Sendable {}
  extension ModelConfiguration.CloudKitDatabase: Sendable {}
#endif
