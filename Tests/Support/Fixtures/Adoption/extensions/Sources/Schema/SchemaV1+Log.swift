import Foundation
import SwiftData

extension SchemaV1 {
  @Model
  final class Log {
    var date: Date
    var habit: Habit?
    init(date: Date) { self.date = date }
  }
}
