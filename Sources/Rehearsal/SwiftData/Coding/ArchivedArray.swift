internal import Foundation
package import ManagedModels

/// A type that an archived array may hold.
protocol ArchivableElement {
  init?(archived: Any)
  var archived: Any { get }
}

extension ArchivableElement {
  var archived: Any { self }
}

extension String: ArchivableElement {
  init?(archived: Any) {
    guard let text = archived as? String else { return nil }
    self = text
  }
}

extension ArchivableElement where Self: FixedWidthInteger {
  init?(archived: Any) {
    guard let number = archived as? NSNumber else { return nil }
    self.init(truncatingIfNeeded: number.int64Value)
  }
  var archived: Any { NSNumber(value: Int64(truncatingIfNeeded: self)) }
}

extension Int: ArchivableElement {}
extension Int8: ArchivableElement {}
extension Int16: ArchivableElement {}
extension Int32: ArchivableElement {}
extension Int64: ArchivableElement {}
extension UInt: ArchivableElement {}
extension UInt8: ArchivableElement {}
extension UInt16: ArchivableElement {}
extension UInt32: ArchivableElement {}
extension UInt64: ArchivableElement {}

extension Bool: ArchivableElement {
  init?(archived: Any) {
    guard let number = archived as? NSNumber else { return nil }
    self = number.boolValue
  }
  var archived: Any { NSNumber(value: self) }
}

extension Double: ArchivableElement {
  init?(archived: Any) {
    guard let number = archived as? NSNumber else { return nil }
    self = number.doubleValue
  }
  var archived: Any { NSNumber(value: self) }
}

extension Float: ArchivableElement {
  init?(archived: Any) {
    guard let number = archived as? NSNumber else { return nil }
    self = number.floatValue
  }
  var archived: Any { NSNumber(value: self) }
}

extension Date: ArchivableElement {
  init?(archived: Any) {
    guard let date = archived as? Date else { return nil }
    self = date
  }
}

extension Data: ArchivableElement {
  init?(archived: Any) {
    guard let data = archived as? Data else { return nil }
    self = data
  }
}

extension UUID: ArchivableElement {
  init?(archived: Any) {
    guard let text = archived as? String else { return nil }
    self.init(uuidString: text)
  }
  // The string is archived, because NSUUID is not a property-list value, and the class in Apple's archives is not known
  // (docs/facts/store-format.md#archived-uuids).
  var archived: Any { uuidString }
}

extension URL: ArchivableElement {
  init?(archived: Any) {
    guard let text = archived as? String else { return nil }
    self.init(string: text)
  }
  var archived: Any { absoluteString }
}

extension Decimal: ArchivableElement {
  init?(archived: Any) {
    guard let text = archived as? String else { return nil }
    self.init(string: text)
  }
  var archived: Any { "\(self)" }
}

/// NSKeyedArchiver's plist of an NSArray, as NSSecureUnarchiveFromData reads and writes it.
enum ArchivedArray {
  /// The archive of an empty array. It is cached, because each new model begins with its defaults and most arrays are
  /// empty.
  private static let empty = archive([])

  static func data(of elements: [Any]) -> Data {
    elements.isEmpty ? empty : archive(elements)
  }

  private static func archive(_ elements: [Any]) -> Data {
    let array = NSArray(array: elements.map { ($0 as? String).map { NSString(string: $0) } ?? $0 })
    do {
      return try NSKeyedArchiver.archivedData(withRootObject: array, requiringSecureCoding: true)
    } catch {
      trap("an array cannot be archived: \(error)")
    }
  }

  static func elements(of data: Data) -> [Any]? {
    let classes = [
      NSArray.self, NSString.self, NSNumber.self, NSDate.self, NSData.self,
    ]
    return try? NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data) as? [Any]
  }
}

/// Archives arrays whose elements are given as columns, not as Swift values, for a rehearsal's rows.
package enum ArchivedElements {
  package static func archived(_ elements: [StoredValue], of type: AttributeType) -> StoredValue {
    .blob(ArchivedArray.data(of: elements.map { object($0, type) }))
  }

  private static func object(_ element: StoredValue, _ type: AttributeType) -> Any {
    switch (element, type) {
    case (.real(let value), .date): return Date(timeIntervalSinceReferenceDate: value)
    case (.real(let value), .decimal): return "\(Decimal(value))"
    case (.blob(let data), .uuid) where data.count == 16:
      return NSUUID(uuidBytes: Array(data)).uuidString
    case (.null, _): return NSNull()
    case (.integer(let value), _): return NSNumber(value: value)
    case (.real(let value), _): return NSNumber(value: value)
    case (.text(let value), _): return value
    case (.blob(let value), _): return value
    }
  }

  /// The elements as a string, which is equal for archives with the same elements. The archives' bytes differ from
  /// process to process, because a dictionary's keys have no order. Any other value is unchanged.
  package static func canonical(_ value: StoredValue) -> StoredValue {
    guard case .blob(let data) = value, data.starts(with: Data("bplist00".utf8)),
      let elements = ArchivedArray.elements(of: data)
    else { return value }
    return .text(
      elements.map { element in
        (element as? Date).map { "\($0.timeIntervalSinceReferenceDate)" }
          ?? (element as? Data).map { $0.base64EncodedString() } ?? "\(element)"
      }.debugDescription)
  }
}
