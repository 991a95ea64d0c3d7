import SwiftData

@Model final class UserPreferences {
  @Attribute(.unique) var userId: String
  var theme: String
  init(userId: String, theme: String) { self.userId = userId; self.theme = theme }
}
