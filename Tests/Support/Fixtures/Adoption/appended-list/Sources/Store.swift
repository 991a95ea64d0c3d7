import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)

  static var models: [any PersistentModel.Type] {
    var models: [any PersistentModel.Type] = [Song.self]
    #if os(iOS)
      models.append(Playlist.self)
    #endif
    #if os(watchOS)
      models.append(Workout.self)
    #endif
    return models
  }
}

/// Versions by which the store is known elsewhere too.
extension Schema.Version {
  static let second = Schema.Version(2, 0, 0)
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier: Schema.Version = .second

  static var models: [any PersistentModel.Type] {
    var list: [any PersistentModel.Type] = SchemaV1.models
    list += [Genre.self]
    #if DEBUG
      list.append(Trace.self)
    #endif
    #if !os(watchOS)
      list.append(contentsOf: [Artist.self])
    #endif
    return list
  }
}

@Model final class Song {
  var title: String = ""
  init() {}
}

@Model final class Playlist {
  var name: String = ""
  init() {}
}

@Model final class Workout {
  var name: String = ""
  init() {}
}

@Model final class Genre {
  var name: String = ""
  init() {}
}

@Model final class Artist {
  var name: String = ""
  init() {}
}

@Model final class Trace {
  var line: String = ""
  init() {}
}

/// Versions behind constants.
enum Versions {
  static let first = SchemaV1.self
  static let latest: any VersionedSchema.Type = SchemaV2.self
  static let all: [any VersionedSchema.Type] = [first, latest]
}

enum MusicPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { Versions.all }
  static var stages: [MigrationStage] {
    var stages: [MigrationStage] = []
    stages.append(.lightweight(fromVersion: Versions.first, toVersion: Versions.latest))
    return stages
  }
}
