/// A kind of adversarial row, for `--without` and reports.
///
/// A correct migration succeeds with all of them. A migration that fails or loses a value is a finding.
package enum AdversarialCategory: String, Hashable, Sendable, CaseIterable {
  /// Every optional is nil, and there are only mandatory links.
  case nilOptionals = "nil-optionals"
  /// Empty strings, data and arrays.
  case emptyValues = "empty-values"
  /// Strings and data of 100 kB, JSON of 10 kB, arrays of 1,000 elements.
  case hugeValues = "huge-values"
  /// Combining marks, right-to-left text, joined emoji, characters outside the basic plane. Never NUL, which ends a
  /// string for SQLite.
  case unicode
  /// The least number of each type, `Date.distantPast`, a UUID of zeros, `false`.
  case leastValues = "least-values"
  /// The greatest number of each type, `Date.distantFuture`, a UUID of ones, `true`.
  case greatestValues = "greatest-values"
  /// −1, −0, the least number above 0, 0.1 + 0.2; dates a billion years off, and a nanosecond.
  case oddNumbers = "odd-numbers"
  /// Infinity in every `Double` and `Float`.
  case infinity
  /// NaN in optional `Double`s, `Float`s and dates. SQLite stores NaN as NULL, so the rows hold NULL. Required
  /// properties are left out, because no store can hold NaN in them.
  case notANumber = "not-a-number"
  /// A raw value without a case, which the app's types cannot read. Only properties that no code on the path reads have
  /// such a value.
  case unknownRawValue = "unknown-raw-value"
  /// Each case that the version's enums have and the newest version's enums lack. The newest app cannot read them.
  case removedCases = "removed-cases"
  /// JSON that cannot be decoded: cut off, of another type, or not UTF-8.
  case malformedJSON = "malformed-json"
  /// Empty data or text in place of JSON.
  case emptyJSON = "empty-json"
  /// Rows that are equal in properties that a later version makes unique, if its `dedupe:` decides which row stays.
  case duplicates
  /// Rows with mandatory links only.
  case orphans
  /// Rows with links to themselves, and to each other.
  case cycles

  /// The number of variants of the category. Each variant has a row. `removedCases` has a variant for each case
  /// instead.
  var variants: Int {
    switch self {
    case .oddNumbers, .infinity, .malformedJSON: 2
    default: 1
    }
  }
}
