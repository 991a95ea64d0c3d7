/// A schema version's number, as `Schema.Version(major, minor, patch)` takes it.
package struct VersionNumber: Hashable, Sendable, Comparable, CustomStringConvertible {
  package var major: Int
  package var minor: Int
  package var patch: Int

  package init(_ major: Int, _ minor: Int = 0, _ patch: Int = 0) {
    self.major = major
    self.minor = minor
    self.patch = patch
  }

  /// Reads `9`, `9.0`, `9.0.0`, `V9` or `v9_1`. Returns `nil` for anything else, including numbers beyond Int32.
  package init?(_ text: some StringProtocol) {
    var digits = text[...]
    if let first = digits.first, first == "V" || first == "v" { digits = digits.dropFirst() }
    let parts = digits.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "_" }
    guard (1...3).contains(parts.count) else { return nil }
    var numbers: [Int] = []
    for part in parts {
      guard !part.isEmpty, part.utf8.allSatisfy({ (48...57).contains($0) }),
        let number = Int32(part)
      else { return nil }
      numbers.append(Int(number))
    }
    while numbers.count < 3 { numbers.append(0) }
    self.init(numbers[0], numbers[1], numbers[2])
  }

  package var description: String { "\(major).\(minor).\(patch)" }

  /// The number in generated names: `9` for 9.0.0, `1_1` for 1.1.0, `1_0_1` for 1.0.1.
  package var label: String {
    if patch != 0 { return "\(major)_\(minor)_\(patch)" }
    return minor != 0 ? "\(major)_\(minor)" : "\(major)"
  }

  /// The number in messages: `V9`, `V1.1`.
  package var name: String { "V" + label.split(separator: "_").joined(separator: ".") }

  package var successors: [VersionNumber] {
    [
      VersionNumber(major, minor, patch + 1),
      VersionNumber(major, minor + 1),
      VersionNumber(major + 1),
    ]
  }

  package static func < (lhs: VersionNumber, rhs: VersionNumber) -> Bool {
    (lhs.major, lhs.minor, lhs.patch) < (rhs.major, rhs.minor, rhs.patch)
  }
}
