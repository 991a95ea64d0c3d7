// Written once by schemagen, and yours since then: it is never overwritten.

import Foundation
import SwiftData

extension Badge {
  convenience init(kind: Int? = nil, label: String = "new") {
    self.init(kindText: kind.map(String.init), label: label)
  }

  convenience init(kind: Int, label: String = "new", isLoud: Bool) {
    self.init(kindText: "\(kind)", label: isLoud ? label.uppercased() : label)
  }
}
