import SwiftData

enum StageSchemaV1: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  static var models: [any PersistentModel.Type] { [Item.self] }
  @Model final class Item {
    var field1: Int?
    init() {}
  }
}

enum StageSchemaV2: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  static var models: [any PersistentModel.Type] { [Item.self] }
  @Model final class Item {
    var field1: Int?
    var field2: Int?
    init() {}
  }
}

enum StageSchemaV3: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(3, 0, 0) }
  static var models: [any PersistentModel.Type] { [Item.self] }
  @Model final class Item {
    var field1: Int?
    var field2: Int?
    var field3: Int?
    init() {}
  }
}

enum StageSchemaV4: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(4, 0, 0) }
  static var models: [any PersistentModel.Type] { [Item.self] }
  @Model final class Item {
    var field1: Int?
    var field2: Int?
    var field3: Int?
    var field4: Int?
    init() {}
  }
}

enum StageSchemaV5: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(5, 0, 0) }
  static var models: [any PersistentModel.Type] { [Item.self] }
  @Model final class Item {
    var field1: Int?
    var field2: Int?
    var field3: Int?
    var field4: Int?
    var field5: Int?
    init() {}

    init(of fifth: Int, first: Int? = nil) {
      self.field5 = fifth
      self.field1 = first
    }
  }
}

extension StageSchemaV5.Item {
  var isEmpty: Bool { field5 == nil }
}

enum StageSchemaV6: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(6, 0, 0) }
  static var models: [any PersistentModel.Type] { [Item.self] }
  @Model final class Item {
    var field1: Int?
    var field2: Int?
    var field3: Int?
    var field4: Int?
    var field5: Int?
    var field6: Int?
    init() {}
  }
}

enum StageSchemaV7: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(7, 0, 0) }
  static var models: [any PersistentModel.Type] { [Item.self] }
  @Model final class Item {
    var field1: Int?
    var field2: Int?
    var field3: Int?
    var field4: Int?
    var field5: Int?
    var field6: Int?
    var field7: Int?
    init() {}
  }
}
