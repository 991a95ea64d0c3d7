// Written once by schemagen, and yours since then: it is never overwritten.

import Foundation
import SwiftData

extension Everything {
  static let shared = 1

  static let defaultName = "somebody"

  var computed: Int { count + 1 }

  var both: Int {
    get { count }
    set { count = newValue }
  }

  func greet() { print("hello") }
}
