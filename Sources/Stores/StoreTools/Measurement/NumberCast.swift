internal import ManagedModels
internal import SchemaModel
internal import StoreFormat

/// Whether a row's number stays the same in a property of another type.
enum NumberCast {
  /// - Parameter type: The new type's name in Swift, without `?`. If it is not a number, every value stays the same.
  static func keeps(_ value: StoredValue, as type: String) -> Bool {
    switch value {
    case .null, .blob: true
    case .integer(let number): keeps(number, as: type)
    case .real(let number): keeps(number, as: type)
    // In a numeric column SQLite turns every numeric string into a number.
    case .text: StorageType.Primitive.bySwiftName[type]?.isNumeric != true
    }
  }

  private static func keeps(_ number: Int64, as type: String) -> Bool {
    switch type {
    case "Bool": number == 0 || number == 1
    case "Double", "TimeInterval", "CGFloat": Int64(exactly: Double(number)) == number
    case "Float": Int64(exactly: Float(number)) == number
    default: SwiftInteger(type)?.stored.contains(number) ?? true
    }
  }

  private static func keeps(_ number: Double, as type: String) -> Bool {
    switch type {
    case "Float": number.isNaN || Double(Float(number)) == number
    case "Double", "TimeInterval", "CGFloat": true
    case "Decimal": number.isFinite
    default:
      if StorageType.Primitive.bySwiftName[type]?.isNumeric != true {
        true
      } else if let whole = Int64(exactly: number) {
        keeps(whole, as: type)
      } else {
        false
      }
    }
  }
}
