import Foundation

/// A type of the app's own, which a value transformer stores.
package struct Color: Codable, Hashable, Sendable {
  package var red: Double = 0

  package init() {}
}
