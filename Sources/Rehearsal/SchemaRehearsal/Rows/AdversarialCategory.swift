/// A kind of adversarial row. `--without` takes its raw value, and reports name it.
///
/// A migration that is right survives all of them; one that throws or loses something on them is a finding.
package enum AdversarialCategory: String, Hashable, Sendable, CaseIterable {
  /// Every optional is nil, and there are no links that need not be.
  case nilOptionals = "nil-optionals"
  /// Empty texts, data and arrays.
  case emptyValues = "empty-values"
  /// Texts and data of 100 kB, JSON of 10 kB, arrays of 1,000 elements.
  case hugeValues = "huge-values"
  /// Combining marks, right-to-left, joined emoji, characters beyond the basic plane. Never NUL, which ends a
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
  /// Not a number, in optional `Double`s, `Float`s and dates. SQLite stores it as NULL, so this is what a store can
  /// hold of it; in a required property no store can hold it, and none is made there.
  case notANumber = "not-a-number"
  /// A raw value that no case has, where nothing on the way reads it: the app's own types cannot.
  case unknownRawValue = "unknown-raw-value"
  /// Each case that the version's enums have and the newest version's have not: the newest app cannot read them.
  case removedCases = "removed-cases"
  /// JSON that cannot be decoded: cut off, of another type, no UTF-8.
  case malformedJSON = "malformed-json"
  /// No JSON where some is expected: empty data or text.
  case emptyJSON = "empty-json"
  /// Rows that are equal in what a later version makes unique, where its `dedupe:` says which one stays.
  case duplicates
  /// Rows without any link that need not be.
  case orphans
  /// Rows that lead to themselves, and to each other.
  case cycles

  /// The number of variants of the category; each gets a row. Of removed cases as many as there are.
  var variants: Int {
    switch self {
    case .oddNumbers, .infinity, .malformedJSON: 2
    default: 1
    }
  }
}
