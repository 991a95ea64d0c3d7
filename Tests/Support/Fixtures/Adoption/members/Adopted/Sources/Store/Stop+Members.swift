// Written once by schemagen, and yours since then: it is never overwritten.

import Foundation
import SwiftData

extension Stop: Identifiable, Hashable {
  func move(to other: Trip) {
    trip = other
    other.touch()
  }
}
