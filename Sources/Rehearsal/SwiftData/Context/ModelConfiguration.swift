public import Foundation

/// `ModelConfiguration`: where a container's store is. Sendable since SDK 26.
public struct ModelConfiguration: Identifiable, Hashable {
  /// The name, which is the file's too where no URL is given.
  public let name: String
  /// The file of the store.
  public let url: URL
  /// The schema that was given; a container goes by its own.
  public let schema: Schema?
  /// Whether contexts may save.
  public let allowsSave: Bool
  /// Whether the store has no file.
  public let isStoredInMemoryOnly: Bool

  /// A store in the folder of the app's support files, or in memory.
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

  /// A store in a file.
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

  /// `ModelConfiguration.GroupContainer`: there are none here; the store is where `url` says.
  public struct GroupContainer {
    /// As Apple's default; without effect.
    public static var automatic: GroupContainer { GroupContainer() }
    /// No group container.
    public static var none: GroupContainer { GroupContainer() }
    /// A group container by name; without effect.
    public static func identifier(_ groupName: String) -> GroupContainer { GroupContainer() }
  }

  /// `ModelConfiguration.CloudKitDatabase`: there is none here; nothing is synchronised.
  public struct CloudKitDatabase {
    /// As Apple's default; without effect.
    public static var automatic: CloudKitDatabase { CloudKitDatabase() }
    /// No CloudKit database.
    public static var none: CloudKitDatabase { CloudKitDatabase() }
    /// A CloudKit database by name; without effect.
    public static func `private`(_ privateDBName: String) -> CloudKitDatabase { CloudKitDatabase() }
  }
}

#if !SDK_18
  extension ModelConfiguration: Sendable {}
  extension ModelConfiguration.GroupContainer: Sendable {}
  extension ModelConfiguration.CloudKitDatabase: Sendable {}
#endif
