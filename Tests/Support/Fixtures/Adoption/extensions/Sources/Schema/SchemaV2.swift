import Foundation
import SwiftData

struct SchemaV2: VersionedSchema {
  static var versionIdentifier: Schema.Version { get { Version.current } }
  enum Version { static let current = Schema.Version(2, 0, 0) }
  static var models: [any PersistentModel.Type] = {
    [Habit.self]
  }()

  @Model
  final class Habit {
    @Attribute(.unique) var id: UUID
    @Relationship(inverse: \Log.habit) var logs: [Log] = []
    init(id: UUID) { self.id = id }
  }
}

extension Today {
  @Model final class Log { var date: Date; var habit: Habit?; init(date: Date) { self.date = date } }
}
