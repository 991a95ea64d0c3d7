import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Author.self, Text.self, Profile.self, Tag.self] }

  /// Nobody says that its texts and their author are two ends of one; the framework joins them.
  @Model final class Author {
    var name: String = ""
    var texts: [Text] = []
    var profile: Profile?
    init() {}
  }

  @Model final class Text {
    var title: String = ""
    var author: Author?
    /// Two to-many relationships that are not optional: the framework joins nothing.
    var tags: [Tag] = []
    init() {}
  }

  @Model final class Profile {
    var picture: String = ""
    @Relationship(inverse: \Author.profile) var author: Author?
    init() {}
  }

  @Model final class Tag {
    var name: String = ""
    var reviews: [Review]? = []
    init() {}
  }

  @Model final class Review {
    var stars: Int = 0
    var tag: Tag?
    init() {}
  }
}
