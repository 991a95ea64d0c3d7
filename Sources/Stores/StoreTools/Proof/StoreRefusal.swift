/// Why a readable store is unsuitable.
package struct StoreRefusal: Error, Sendable {
  /// The reason as a clause: `it does not match V3`.
  package var reason: String
  package var details: [String]
}
