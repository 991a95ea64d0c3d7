import Foundation

public struct UserProfile: Identifiable, Codable, Hashable {
    public var id: String
    public var homeTimezoneIdentifier: String = TimeZone.current.identifier
    public var displayTimezoneMode: DisplayTimezoneMode = .current
}
