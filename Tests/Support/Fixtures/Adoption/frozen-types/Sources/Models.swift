import Foundation
import SwiftData

/// Where a trip leads.
struct Place: Codable, Hashable {
  var city: String
  var country: String?
}

/// How fast it goes there.
enum Pace: Codable {
  case slow, fast, sprint
}

@Model
final class Trip {
  var name: String
  var place: Place?
  var old: Place?
  var pace: Pace?
  init(name: String) { self.name = name }
}
