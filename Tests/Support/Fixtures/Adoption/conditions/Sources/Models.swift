import SwiftData
#if canImport(UIKit)
import UIKit
#endif

enum SchemaV1: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  static var models: [any PersistentModel.Type] {
    #if DEBUG
    [Item.self, Trace.self]
    #else
    [Item.self]
    #endif
  }

  @Model final class Item {
    var name: String = ""
    #if os(macOS)
    var window: String?
    #elseif os(iOS) || os(visionOS)
    var scene: String?
    #else
    var other: String?
    #endif
    init() {}
  }

  #if DEBUG
  @Model final class Trace {
    var text: String = ""
    init() {}
  }
  #endif
}
