// Written once by schemagen, and yours since then: it is never overwritten.

import Foundation
import RegexBuilder
import SwiftData

extension Expense {
  public var label: String { title }
}
