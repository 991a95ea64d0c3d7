import Foundation
import SwiftData

/// Where a trip leads.
struct Place: Codable, Hashable {
  var city: String
  var country: String?
}

@Model
final class Trip {
  var name: String
  var place: Place?
  var old: Place?
  init(name: String) { self.name = name }
}
