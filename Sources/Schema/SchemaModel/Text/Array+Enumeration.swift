extension [String] {
  /// The elements as a sentence lists them: `a, b and c`.
  package var enumeration: String {
    guard let last, count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " and " + last
  }

  /// The first three, and how many more there are: `a, b, c and 2 more`.
  package var firstThree: String {
    prefix(3).joined(separator: ", ") + (count > 3 ? " and \(count - 3) more" : "")
  }
}
