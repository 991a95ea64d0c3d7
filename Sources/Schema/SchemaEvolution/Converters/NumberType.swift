package import SchemaModel

/// The number types between which generated code converts without help.
package enum NumberType {
  package static let integers: Set<String> = [
    "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
  ]
  package static let floats: Set<String> = ["Double", "Float", "TimeInterval", "CGFloat"]
  private static let all = integers.union(floats).union(["Bool", "Decimal"])

  package static func isNumber(_ type: TypeReference) -> Bool {
    type.description != "Bool" && all.contains(type.description)
  }

  /// Whether an integer type can hold every number of another integer type; true for all other types.
  static func holds(_ new: TypeReference, all old: TypeReference) -> Bool {
    func range(_ type: TypeReference) -> (isSigned: Bool, bits: Int)? {
      let name = type.unwrapped.description
      guard integers.contains(name) else { return nil }
      return (!name.hasPrefix("U"), Int(name.filter(\.isNumber)) ?? 64)
    }
    guard let was = range(old), let now = range(new) else { return true }
    // A signed type needs one more bit to hold the values of an unsigned type.
    return was.isSigned
      ? now.isSigned && now.bits >= was.bits : now.bits >= was.bits + (now.isSigned ? 1 : 0)
  }

  static func converts(_ old: TypeReference, to new: TypeReference) -> Bool {
    let (old, new) = (old.description, new.description)
    return old == new || all.contains(old) && all.contains(new)
  }
}
