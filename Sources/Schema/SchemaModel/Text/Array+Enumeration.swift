extension [String] {
  /// The elements as a sentence lists them: `a, b and c`.
  package var enumeration: String {
    guard let last, count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " and " + last
  }
}
