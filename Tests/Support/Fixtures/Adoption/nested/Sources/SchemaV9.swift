import Foundation
import SwiftData

/// Three-timezone model.
public enum SchemaV9: VersionedSchema {
    public static let versionIdentifier = Schema.Version(9, 0, 0)

    public static var models: [any PersistentModel.Type] {
        return [SchemaV9.UserProfileModel.self, SchemaV9.HabitModel.self]
    }

    @Model
    public final class UserProfileModel {
        // Basic fields (unchanged)
        @Attribute(.unique) public var id: String
        public var name: String = ""

        // NEW FIELDS - Add with safe defaults
        public var homeTimezoneIdentifier: String = TimeZone.current.identifier

        // Encode complex types as Data
        public var displayTimezoneModeData: Data = Data()  // NOT String!

        public var updatedAt: Date = Date()

        public init(id: String, name: String = "", homeTimezoneIdentifier: String = TimeZone.current.identifier,
                    displayTimezoneModeData: Data = Data(), updatedAt: Date = Date()) {
            self.id = id
            self.name = name
            self.homeTimezoneIdentifier = homeTimezoneIdentifier
            self.displayTimezoneModeData = displayTimezoneModeData
            self.updatedAt = updatedAt
        }
    }

    @Model
    public final class HabitModel {
        @Attribute(.unique) public var id: UUID
        @Attribute(originalName: "title") public var name: String = ""
        public init(id: UUID, name: String = "") {
            self.id = id
            self.name = name
        }
    }
}

extension SchemaV9.UserProfileModel {
    public func toEntity() -> UserProfile {
        let displayMode: DisplayTimezoneMode
        if !displayTimezoneModeData.isEmpty {
            displayMode = (try? JSONDecoder().decode(DisplayTimezoneMode.self,
                                                      from: displayTimezoneModeData)) ?? .current
        } else {
            displayMode = .current  // Safe default
        }
        return UserProfile(id: id, homeTimezoneIdentifier: homeTimezoneIdentifier, displayTimezoneMode: displayMode)
    }
}
