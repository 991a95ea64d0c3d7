import SwiftData

enum Lists {
  static let second: [any PersistentModel.Type] = [SchemaV2.Bird.self, SchemaV2.Nest.self]
}
