import Foundation

enum HabitType: String, Codable, CaseIterable {
  case formation
  case breaking = "break"
}
