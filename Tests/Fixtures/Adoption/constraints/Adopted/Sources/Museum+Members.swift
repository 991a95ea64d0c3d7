// Written once by schemagen, and yours since then: it is never overwritten.

import Foundation
import SwiftData

extension ActiveMuseum {
  convenience init(_ name: String, fee: Decimal) {
    self.init(name: name, fee: fee)
  }
}
