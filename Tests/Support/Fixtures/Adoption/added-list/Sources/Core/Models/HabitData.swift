import Foundation
import SwiftData

/// Main habit entity.
@Model
final class HabitData {
  @Attribute(.unique) var id: UUID
  var name: String
  var habitType: HabitType
  var createdAt: Date = Date()
  @Relationship(deleteRule: .cascade, inverse: \CompletionRecord.habit)
  var completionHistory: [CompletionRecord]

  init(id: UUID, name: String, habitType: HabitType, completionHistory: [CompletionRecord] = []) {
    self.id = id
    self.name = name
    self.habitType = habitType
    self.completionHistory = completionHistory
  }
}

@Model
final class CompletionRecord {
  var dateKey: String
  var isCompleted: Bool = false
  var habit: HabitData?

  init(dateKey: String) { self.dateKey = dateKey }
}

@Model
final class SimpleHabitData {
  var name: String
  init(name: String) { self.name = name }
}
