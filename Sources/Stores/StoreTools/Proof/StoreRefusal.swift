/// Why a store, readable as it is, does not serve.
package struct StoreRefusal: Error, Sendable {
  /// As a clause, such as `it is not of V3`.
  package var reason: String
  /// What differs, or what to do.
  package var details: [String]
}
