import Foundation
import SwiftData

enum SchemaV1: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  static var models: [any PersistentModel.Type] { [Order.self, Task.self] }

  @Model final class Order {
    enum Status: String, Codable { case open, paid }
    var status: Status = Status.open
    var level: Level = Level.low
    var address: Address?
    var shape: Shape = Shape.circle(1)
    var money: Money
    var point: CGPoint?
    var coded: ByHand?
    var stage: SchemaV1.Stage = SchemaV1.Stage.one
    var history: [Change] = []
    var flavour: Flavour = Flavour.jalapeño
    var pins: [Pin] = []
    var tilt: Tilt?
    init(money: Money) { self.money = money }
  }

  @Model final class Task {
    enum Status: Int, Codable { case new = 3, done, late = -1, never }
    var status = Status.new
    init() {}
  }

  enum Stage: Codable { case one, two }
}
