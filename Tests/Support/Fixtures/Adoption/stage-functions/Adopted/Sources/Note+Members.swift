// Written once by schemagen, and yours since then: it is never overwritten.

import SwiftData

extension ActiveNote {
  var label: String { group + color }
}
