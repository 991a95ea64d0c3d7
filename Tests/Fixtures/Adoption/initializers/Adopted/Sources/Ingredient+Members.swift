// Written once by schemagen, and yours since then: it is never overwritten.

import Foundation
import SwiftData

extension Ingredient {
  /// One of which nothing else is known.
  ///
  /// - Parameter name: As the user writes it.
  convenience init(name: String, amount: Double = 1) {
    self.init(
      // Made here.
      id: UUID(),
      name: name,
      amount: amount,
      addedAt: .now
    )
  }

  convenience init(_ line: String) {
    let parts = line.split(separator: " ")
    self.init(name: String(parts.last ?? ""), amount: Double(parts.first ?? "") ?? 1)
  }
}
