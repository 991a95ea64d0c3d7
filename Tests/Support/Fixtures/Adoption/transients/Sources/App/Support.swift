import Foundation
import SwiftData

/// A value that classes share.
struct Box<Value> {
  var value: Value

  init(_ value: Value) { self.value = value }

  struct Latest {
    var value: Value?
  }
}
