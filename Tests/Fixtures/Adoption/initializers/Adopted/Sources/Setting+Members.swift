// Written once by schemagen, and yours since then: it is never overwritten.

import Foundation
import SwiftData

extension Setting {
  convenience init() {
    self.init(value: "")
  }
}
