// Written once by schemagen, and yours since then: it is never overwritten.

import Foundation
import SwiftData

extension Photo {
  convenience init(height: Int = 2, width: Int = 1) {
    self.init(caption: "\(width) × \(height)", width: width, height: height)
  }
}
