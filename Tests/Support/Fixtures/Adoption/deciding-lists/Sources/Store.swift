import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)

  /// What is returned first counts on some systems only.
  static var models: [any PersistentModel.Type] {
    if #available(iOS 18, *) {
      return [Song.self, Genre.self]
    }
    return [Song.self]
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)

  static var models: [any PersistentModel.Type] {
    var models: [any PersistentModel.Type] = [Song.self]
    if #available(iOS 18, *) { models.append(Genre.self) }
    return models
  }
}

@Model final class Song {
  var title: String = ""
  init() {}
}

@Model final class Genre {
  var name: String = ""
  init() {}
}
