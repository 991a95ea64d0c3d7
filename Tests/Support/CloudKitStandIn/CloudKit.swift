public import Foundation

// The CloudKit interface that generated mappers use, for systems without it: records in memory, with the names, types
// and preconditions of Apple's interface. It shows that mappers compile, and what they write and read; it sends
// nothing.

/// A Swift type that a record's field may have.
public protocol CKRecordValueProtocol {}

extension String: CKRecordValueProtocol {}
extension Int: CKRecordValueProtocol {}
extension Int64: CKRecordValueProtocol {}
extension Double: CKRecordValueProtocol {}
extension Bool: CKRecordValueProtocol {}
extension Date: CKRecordValueProtocol {}
extension Data: CKRecordValueProtocol {}
extension CKAsset: CKRecordValueProtocol {}

/// Something with fields.
public protocol CKRecordKeyValueSetting: AnyObject {
  subscript(key: String) -> (any CKRecordValueProtocol)? { get set }
}

public final class CKAsset {
  public let fileURL: URL?
  public init(fileURL: URL) { self.fileURL = fileURL }
}

public final class CKRecordZone {
  public struct ID: Hashable, Sendable {
    public let zoneName: String
    public init(zoneName: String) { self.zoneName = zoneName }
  }

  public let zoneID: ID
  private init(zoneID: ID) { self.zoneID = zoneID }

  public static func `default`() -> CKRecordZone {
    CKRecordZone(zoneID: ID(zoneName: "_defaultZone"))
  }
}

public final class CKRecord: CKRecordKeyValueSetting {
  public typealias RecordType = String
  public typealias FieldKey = String

  public struct ID: Hashable, Sendable {
    public let recordName: String
    public let zoneID: CKRecordZone.ID
    public init(
      recordName: String, zoneID: CKRecordZone.ID = CKRecordZone.default().zoneID
    ) {
      // As in CloudKit.
      precondition(recordName.utf8.count <= 255 && !recordName.hasPrefix("_"))
      self.recordName = recordName
      self.zoneID = zoneID
    }
  }

  public let recordType: RecordType
  public let recordID: ID
  public let encryptedValues: any CKRecordKeyValueSetting

  private let fields: Fields

  public init(recordType: RecordType, recordID: ID) {
    self.recordType = recordType
    self.recordID = recordID
    fields = Fields(isEncrypted: false)
    encryptedValues = Fields(isEncrypted: true)
  }

  public func allKeys() -> [FieldKey] { fields.values.keys.sorted() }

  public subscript(key: FieldKey) -> (any CKRecordValueProtocol)? {
    get { fields[key] }
    set { fields[key] = newValue }
  }

  public subscript<Value: CKRecordValueProtocol>(key: FieldKey) -> Value? {
    get { fields[key] as? Value }
    set { fields[key] = newValue }
  }

  private final class Fields: CKRecordKeyValueSetting {
    private(set) var values: [FieldKey: any CKRecordValueProtocol] = [:]
    private let isEncrypted: Bool

    init(isEncrypted: Bool) { self.isEncrypted = isEncrypted }

    /// Names reserved by CloudKit: a record traps on them.
    private static let reserved: Set<String> = [
      "recordID", "recordType", "recordName", "recordChangeTag", "creationDate",
      "modificationDate", "creatorUserRecordID", "lastModifiedUserRecordID", "parent", "share",
    ]

    subscript(key: FieldKey) -> (any CKRecordValueProtocol)? {
      get { values[key] }
      set {
        precondition(!Self.reserved.contains(key), "'\(key)' is CloudKit's own")
        precondition(
          key.first?.isASCII == true && key.first?.isLetter == true
            && key.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") },
          "'\(key)' is not a name of a field")
        precondition(!(isEncrypted && newValue is CKAsset), "assets are encrypted as they are")
        values[key] = newValue
      }
    }
  }
}
