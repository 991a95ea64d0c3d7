// Written once by schemagen, and yours since then: it is never overwritten.

import Foundation
import SwiftData

extension ActiveTrip {
  convenience init() {
    self.init(
      // The server gives one later.
      code: UUID().uuidString
    )
  }

  /// What people read.
  // Two words at most.
  var title: String { code }

  typealias Kind = TripKind
}
