import Foundation
import SwiftData

@Model
final class Room {
  @Attribute(.unique) var name: String
  @Relationship(deleteRule: .nullify, inverse: \Plant.room) var plants: [Plant] = []

  init(name: String) {
    self.name = name
  }
}

@Model
final class Plant {
  var name: String
  /// What the label says: "14 cm".
  var pot: String
  var wateredAt: Date?
  var room: Room?

  init(name: String, pot: String = "12 cm", wateredAt: Date? = nil, room: Room? = nil) {
    self.name = name
    self.pot = pot
    self.wateredAt = wateredAt
    self.room = room
  }

  /// Whether a week has passed since it was watered.
  var isThirsty: Bool {
    guard let wateredAt else { return true }
    return wateredAt < Date.now.addingTimeInterval(-7 * 24 * 60 * 60)
  }
}
