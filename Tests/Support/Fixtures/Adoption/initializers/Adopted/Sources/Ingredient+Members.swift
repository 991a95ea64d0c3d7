// Written once by schemagen, and yours since then: it is never overwritten.

import Foundation
import SwiftData

extension Ingredient {
  convenience init(_ line: String) {
    let parts = line.split(separator: " ")
    self.init(name: String(parts.last ?? ""), amount: Double(parts.first ?? "") ?? 1)
  }
}
