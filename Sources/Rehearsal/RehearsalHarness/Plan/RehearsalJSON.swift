public import Foundation

/// Plans and results as JSON, with sorted keys. Numbers that JSON cannot express are strings.
public enum RehearsalJSON {
  private static let infinity = "infinity"
  private static let negativeInfinity = "-infinity"
  private static let notANumber = "nan"

  /// - Parameter isPretty: Whether to format it for people.
  public static func encode(_ value: some Encodable, isPretty: Bool = false) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting =
      isPretty
      ? [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
      : [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: infinity, negativeInfinity: negativeInfinity, nan: notANumber)
    return try encoder.encode(value)
  }

  public static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: infinity, negativeInfinity: negativeInfinity, nan: notANumber)
    return try decoder.decode(type, from: data)
  }
}
