// Written once by schemagen, and yours since then: it is never overwritten.

import Foundation
import SwiftData

extension ActiveTrip {
  typealias Kind = TripKind

  /// What people read.
  // Two words at most.
  var title: String { code }
}
