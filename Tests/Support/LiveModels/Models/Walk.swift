import Foundation
import SwiftData

/// A class as people write it: initialisers with other parameters, observers, computed properties, a protocol.
@Model
final class Walk: Titled {
  @Attribute(.unique) private(set) var id: UUID
  @Attribute(originalName: "title") var name: String = "" {
    didSet { changes += 1 }
  }
  var length = 0
  var grade: Grade = Grade.easy
  var start: Place?
  var isPlanned: Bool
  @Relationship(deleteRule: .cascade, inverse: \Stop.walk) var stops: [Stop] = []
  var season: Season?
  @Transient var changes = 0

  enum Season: String, Codable {
    case summer, winter
  }

  init(from start: Place, called name: String) {
    id = UUID()
    self.name = name
    self.start = start
    isPlanned = true
  }

  var title: String { "\(name) (\(grade.rawValue))" }
}

nonisolated protocol Titled {
  var title: String { get }
}
