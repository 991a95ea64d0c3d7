import SwiftData

@Model
final class Stop {
  var name: String = ""
  var place: Place?
  var surface: Surface?
  var walk: Walk?

  init(_ name: String, on walk: Walk) {
    self.name = name
    self.walk = walk
  }
}
