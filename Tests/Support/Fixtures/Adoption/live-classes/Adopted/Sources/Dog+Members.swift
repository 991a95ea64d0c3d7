// Written once by schemagen, and yours since then: it is never overwritten.

import SwiftData

extension Dog {
  func bark() -> Dog {
    name += "!"
    return self
  }
}
