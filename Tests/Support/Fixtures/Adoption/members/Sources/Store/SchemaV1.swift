import Foundation
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }

  @Model final class Trip {
    var name: String
    init(name: String) { self.name = name }

    var oldLabel: String { "old " + name }
  }
}
