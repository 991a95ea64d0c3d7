import SwiftData

enum NoteSchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Note.self] }

  @Model final class Note {
    var title: String = ""
    init() {}
  }
}

enum NoteSchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Note.self] }

  @Model final class Note {
    var title: String = ""
    var rank: Int = 0
    var isLong: Bool { title.count > Self.limit }
    static let limit = 20
    init() {}
  }
}

enum NoteSchemaV3: VersionedSchema {
  static let versionIdentifier = Schema.Version(3, 0, 0)
  static var models: [any PersistentModel.Type] { [Note.self] }

  @Model final class Note {
    var title: String = ""
    var rank: Int = 0
    var group: String = ""
    init() {}
  }
}

enum NoteSchemaV4: VersionedSchema {
  static let versionIdentifier = Schema.Version(4, 0, 0)
  static var models: [any PersistentModel.Type] { [Note.self] }

  @Model final class Note {
    var title: String = ""
    var rank: Int = 0
    var group: String = ""
    var color: String = ""
    var label: String { group + color }
    init() {}
  }
}
