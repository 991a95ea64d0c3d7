// Core Data's interface, as far as the experiments call it.

import Foundation

public enum NSAttributeType: UInt, Sendable {
  case integer64AttributeType = 300
  case stringAttributeType = 700
  case binaryDataAttributeType = 1000
  case transformableAttributeType = 1800
}

open class NSPropertyDescription {
  public init() {}
  open var name: String = ""
  open var isOptional = true
  open var versionHashModifier: String?
}

open class NSAttributeDescription: NSPropertyDescription {
  open var attributeType = NSAttributeType.stringAttributeType
  open var allowsExternalBinaryDataStorage = false
}

open class NSRelationshipDescription: NSPropertyDescription {
  open weak var destinationEntity: NSEntityDescription?
  open weak var inverseRelationship: NSRelationshipDescription?
  open var maxCount = 0
  open var minCount = 0
  open var isOrdered = false
}

open class NSEntityDescription {
  public init() {}
  open var name: String?
  open var isAbstract = false
  open var properties: [NSPropertyDescription] = []
  open var uniquenessConstraints: [[Any]] = []
  open var versionHashModifier: String?
  open class func insertNewObject(
    forEntityName entityName: String, into context: NSManagedObjectContext
  ) -> NSManagedObject {
    NSManagedObject(entity: NSEntityDescription(), insertInto: context)
  }
}

open class NSManagedObjectModel {
  public init() {}
  open var entities: [NSEntityDescription] = []
  open var entityVersionHashesByName: [String: Data] { [:] }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public let NSPersistentHistoryTrackingKey = ""

open class NSPersistentStore {
  public struct StoreType: Sendable {
    public static let sqlite = StoreType()
  }
}

open class NSPersistentStoreCoordinator {
  public init(managedObjectModel model: NSManagedObjectModel) {}
  open func addPersistentStore(
    type: NSPersistentStore.StoreType, configuration: String? = nil, at storeURL: URL,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore { NSPersistentStore() }
}

#if SDK_26
  extension NSManagedObjectContext: @unchecked Sendable {}
#endif

open class NSManagedObjectContext {
  public enum ConcurrencyType: Sendable { case privateQueueConcurrencyType }
  public init(concurrencyType: ConcurrencyType) {}
  open var persistentStoreCoordinator: NSPersistentStoreCoordinator?
  #if SDK_26
    @preconcurrency public func performAndWait<T>(
      _ block: @Sendable () throws -> T
    ) rethrows -> T { try block() }
  #else
    public func performAndWait<T>(_ block: () throws -> T) rethrows -> T { try block() }
  #endif
  open func save() throws {}
}

open class NSManagedObject {
  public init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {}
  open func setValue(_ value: Any?, forKey key: String) {}
}
