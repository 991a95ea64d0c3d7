// Written once by schemagen, and yours since then: it is never overwritten.

import Foundation
import SwiftData

extension Meal {
  func mark(_ tag: String) { tags.append(tag) }
}
