// Written once by schemagen, and yours since then: it is never overwritten.

import SwiftData

extension ActiveDog {
  /// What the screens call.
  func bark() -> Dog {
    name += "!"
    return self
  }
}
