// Written once by schemagen, and yours since then: it is never overwritten.

import Foundation
import SwiftData

extension Pass {
  typealias Level = PassLevel
}

extension PassLevel: Titled {
  static let first = Self.one

  var title: String {
    get { "Level \(rawValue)" }
    set {}
  }
}
