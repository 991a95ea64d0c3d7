import Foundation
import SwiftData

extension SchemaV1 {
  @SwiftData.Model
  final class Habit {
    @SwiftData.Attribute(.unique) var id: Foundation.UUID
    @Relationship(inverse: \SchemaV1.Log.habit) var logs: [SchemaV1.Log] = []
    init(id: UUID) { self.id = id }
  }
}
