import Foundation

extension SchemaV8.UserProfileModel {
    public func toEntity() -> UserProfile {
        UserProfile(
            id: id,
            homeTimezoneIdentifier: homeTimezone ?? TimeZone.current.identifier,
            displayTimezoneMode: DisplayTimezoneMode.fromLegacyString(displayTimezoneMode ?? "current"))
    }
}
