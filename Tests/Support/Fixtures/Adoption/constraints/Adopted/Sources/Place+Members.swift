// Written once by schemagen, and yours since then: it is never overwritten.

import Foundation
import SwiftData

extension ActivePlace {
  func greeting() -> String { name }
}
