/// A kind of adversarial row, for `--without` and reports.
///
/// A correct migration succeeds with all of them; one that fails or loses something on them is a finding.
package enum AdversarialCategory: String, Hashable, Sendable, CaseIterable {
  /// Every optional is nil, and there are only mandatory links.
  case nilOptionals = "nil-optionals"
  /// Empty texts, data and arrays.
  case emptyValues = "empty-values"
  /// Texts and data of 100 kB, JSON of 10 kB, arrays of 1,000 elements.
  case hugeValues = "huge-values"
  /// Combining marks, right-to-left text, joined emoji, characters outside the basic plane. Never NUL, which ends a
  /// text for SQLite.
  case unicode
  /// The least number of each type, `Date.distantPast`, a UUID of zeros, `false`.
  case leastValues = "least-values"
  /// The greatest number of each type, `Date.distantFuture`, a UUID of ones, `true`.
  case greatestValues = "greatest-values"
  /// −1, −0, the least number above 0, 0.1 + 0.2; dates a billion years off, and a nanosecond.
  case oddNumbers = "odd-numbers"
  /// Infinity in every `Double` and `Float`.
  case infinity
  /// Not a number, in optional `Double`s, `Float`s and dates. SQLite stores it as NULL, so NULL is what a store can
  /// hold; a required property cannot hold it in any store, and gets none.
  case notANumber = "not-a-number"
  /// A raw value without a case, for properties that no code on the path reads: the app's own types cannot read it.
  case unknownRawValue = "unknown-raw-value"
  /// Each case that the version's enums have and the newest version's lack: the newest app cannot read them.
  case removedCases = "removed-cases"
  /// JSON that cannot be decoded: cut off, of another type, or not UTF-8.
  case malformedJSON = "malformed-json"
  /// Empty data or text in place of JSON.
  case emptyJSON = "empty-json"
  /// Rows that are equal in what a later version makes unique, if its `dedupe:` decides which one stays.
  case duplicates
  /// Rows with mandatory links only.
  case orphans
  /// Rows that lead to themselves, and to each other.
  case cycles

  /// The number of variants of the category; each gets a row. Removed cases have one variant each.
  var variants: Int {
    switch self {
    case .oddNumbers, .infinity, .malformedJSON: 2
    default: 1
    }
  }
}
