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

  convenience init(key: String, identifier: Identifier, constant: Int, array: [String], first: Int, second: Int) {
    self.init(
      array: array,
      identifier: identifier,
      first: first,
      second: second,
      constant: constant,
      key: key
    )
  }

  func greet() { print("hello") }
}
