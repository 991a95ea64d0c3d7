extension [String] {
  /// The elements as a list in a sentence: `a, b and c`.
  package var enumeration: String {
    guard let last, count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " and " + last
  }

  /// The first three elements, and the number of the others: `a, b, c and 2 more`.
  package var firstThree: String {
    prefix(3).joined(separator: ", ") + (count > 3 ? " and \(count - 3) more" : "")
  }
}
