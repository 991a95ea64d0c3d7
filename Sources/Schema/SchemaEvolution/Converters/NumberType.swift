package import SchemaModel

/// The number types among which the generator converts by itself.
package enum NumberType {
  package static let integers: Set<String> = [
    "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
  ]
  package static let floats: Set<String> = ["Double", "Float", "TimeInterval", "CGFloat"]
  private static let all = integers.union(floats).union(["Bool", "Decimal"])

  /// Whether its values are numbers.
  package static func isNumber(_ type: TypeReference) -> Bool {
    type.description != "Bool" && all.contains(type.description)
  }

  /// Whether a value of one type becomes one of another without a question.
  static func converts(_ old: TypeReference, to new: TypeReference) -> Bool {
    let (old, new) = (old.description, new.description)
    return old == new || all.contains(old) && all.contains(new)
  }
}
