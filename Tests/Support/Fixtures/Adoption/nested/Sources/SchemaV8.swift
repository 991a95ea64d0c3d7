import Foundation
import SwiftData

/// Subscription moved to SubscriptionService.
public enum SchemaV8: VersionedSchema {
    public static let versionIdentifier = Schema.Version(8, 0, 0)

    public static var models: [any PersistentModel.Type] {
        [UserProfileModel.self, HabitModel.self]
    }

    @Model
    public final class UserProfileModel {
        @Attribute(.unique) public var id: String
        public var name: String = ""
        public var homeTimezone: String?
        public var displayTimezoneMode: String?
        public var updatedAt: Date = Date()

        public init(id: String, name: String = "", homeTimezone: String? = nil,
                    displayTimezoneMode: String? = nil, updatedAt: Date = Date()) {
            self.id = id
            self.name = name
            self.homeTimezone = homeTimezone
            self.displayTimezoneMode = displayTimezoneMode
            self.updatedAt = updatedAt
        }
    }

    @Model
    public final class HabitModel {
        @Attribute(.unique) public var id: UUID
        public var title: String = ""
        public init(id: UUID, title: String = "") {
            self.id = id
            self.title = title
        }
    }
}

public typealias UserProfileModelV8 = SchemaV8.UserProfileModel
public typealias HabitModelV8 = SchemaV8.HabitModel
