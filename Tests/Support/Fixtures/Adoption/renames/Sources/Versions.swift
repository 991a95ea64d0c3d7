import SwiftData

enum SchemaV1: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  static var models: [any PersistentModel.Type] { [Item.self] }
  @Model final class Item {
    @Attribute(originalName: "ancient") var a: String = ""
    var count: Int = 0
    var flag: Bool = false
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  static var models: [any PersistentModel.Type] { [Item.self] }
  @Model final class Item {
    @Attribute(originalName: "a") var b: String = ""
    var count: Int = 0
    var flag: Bool = false
    init() {}
  }
}

enum SchemaV3: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(3, 0, 0) }
  static var models: [any PersistentModel.Type] { [Item.self] }
  @Model final class Item {
    @Attribute(originalName: "a") var c: String = ""
    var count: String = ""
    init() {}
  }
}

enum SchemaV4: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(4, 0, 0) }
  static var models: [any PersistentModel.Type] { [Item.self] }
  @Model final class Item {
    @Attribute(originalName: "c") var d: String = ""
    var count: String = ""
    var total: Int
    init() {}
  }
}
