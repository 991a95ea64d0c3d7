// Written once by schemagen, and yours since then: it is never overwritten.

import SwiftData

extension Walk {
  convenience init(_ length: Double, with dog: Dog) {
    self.init(length: length, dog: dog)
  }
}
