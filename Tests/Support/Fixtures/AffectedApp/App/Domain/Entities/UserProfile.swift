import Foundation

/// Settings; the homeTimezone of a user is where they live.
public struct UserProfile: Identifiable, Codable, Hashable {
  public var id: String
  public var name: String
  public var homeTimezone: String?
  public var displayTimezoneMode: String?

  enum CodingKeys: String, CodingKey {
    case id, name
    case homeTimezone = "home_timezone", displayTimezoneMode
  }

  public init(id: String, name: String, homeTimezone: String? = nil, displayTimezoneMode: String?) {
    self.id = id
    self.name = name
    self.homeTimezone = homeTimezone
    self.displayTimezoneMode = displayTimezoneMode
  }
}

extension UserProfile {
  var zone: TimeZone? { homeTimezone.flatMap { TimeZone(identifier: $0) } }
}
