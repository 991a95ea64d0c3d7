import SwiftData

enum Schema1_0_0: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  static var models: [any PersistentModel.Type] { [Item.self] }
  @Model final class Item {
    var field1: Int?
    init() {}
  }
}

enum V1p10: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  static var models: [any PersistentModel.Type] { [Item.self] }
  @Model final class Item {
    var field1: Int?
    var field2: Int?
    init() {}
  }
}

enum Schema_V002: VersionedSchema {
  static var versionIdentifier: Schema.Version { .init(1, 0, 0) }
  static var models: [any PersistentModel.Type] { [Item.self] }
  @Model final class Item {
    var field1: Int?
    var field2: Int?
    var field3: Int?
    init() {}
  }
}
