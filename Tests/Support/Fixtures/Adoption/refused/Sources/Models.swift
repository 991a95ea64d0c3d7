import SwiftData

enum SchemaV1: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  static var models: [any PersistentModel.Type] { [Item.self, Missing.self, NotAModel.self] + others() }

  @Model final class Item {
    var mystery = makeSomething()
    var pair: (Int, Int) = (1, 2)
    var callback: () -> Void = {}
    lazy var later: Int = 1
    @Wrapped var wrapped: Int = 1
    var text: String = """
      two
      lines
      """
    @Attribute(.encrypt) var old: String = ""
    @Relationship(.cascade) var items: [Item] = []
    @Attribute(originalName: Names.old) var renamed: String = ""
    #Unique<Item>([\.wrapped.count])
    init() {}
  }

  final class NotAModel {}
}
