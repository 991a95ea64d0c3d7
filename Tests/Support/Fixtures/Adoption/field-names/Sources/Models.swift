import SwiftData

@Model final class Report {
  var title: String = ""
  /// Kept for a while after the user has thrown it away.
  var isDeleted: Bool = false
  var findings: [Finding] = []
  var wordings: [String: Wording]?
  init() {}
}
