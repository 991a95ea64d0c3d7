// Written once by schemagen, and yours since then: it is never overwritten.

import SwiftData

extension ActiveCup {
  var label: String { "\(name) (\(size))" }
}
