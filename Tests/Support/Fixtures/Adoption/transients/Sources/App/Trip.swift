import Foundation
import SwiftData

@Model
final class Trip {
  var name: String = ""
  /// The stop that a screen shows; of no interest to a store.
  @Transient var selected: Stop?
  @Transient var shown: [Stop] = []
  /// Nothing else leads to this class, and so no version has it.
  @Transient var draft: Draft?
  @Transient var cached = Box<Date?>(nil)
  /// No manifest can write this type; nothing that is stored depends on it.
  @Transient private var latest = Box<Date>.Latest()
  @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []

  init(name: String) { self.name = name }
}

@Model
final class Stop {
  var name: String = ""
  var trip: Trip?

  init(name: String) { self.name = name }
}
