/// A schema version, as in `Schema.Version`: major, minor, patch.
///
/// Its description is "9.0.0", also in JSON.
public struct StoreVersion: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
  /// The major number.
  public let major: Int
  /// The minor number.
  public let minor: Int
  /// The patch number.
  public let patch: Int

  /// Creates the version with these numbers.
  public init(_ major: Int, _ minor: Int, _ patch: Int) {
    self.major = major
    self.minor = minor
    self.patch = patch
  }

  /// Parses "9", "9.0" or "9.0.0"; `nil` for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
    }
    guard (1...3).contains(parts.count), numbers.count == parts.count else { return nil }
    self.init(
      numbers[0], numbers.count > 1 ? numbers[1] : 0, numbers.count > 2 ? numbers[2] : 0)
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let version = StoreVersion(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(text)' is not a version")
    }
    self = version
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  public var description: String { "\(major).\(minor).\(patch)" }

  public static func < (left: StoreVersion, right: StoreVersion) -> Bool {
    (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
  }
}
