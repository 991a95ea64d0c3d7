/// Why a readable store is unsuitable.
package struct StoreRefusal: Error, Sendable {
  /// The reason as a clause: `it does not match V3`.
  package var reason: String
  /// The differences, or what to do.
  package var details: [String]
}
