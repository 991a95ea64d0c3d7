// Written once by schemagen, and yours since then: it is never overwritten.

import SwiftData

extension Dog {
  convenience init(age: Int = 1, name: String = "Rex") {
    self.init(name: name, age: age)
  }

  func bark() -> Dog {
    name += "!"
    return self
  }
}
