import SwiftData

enum V2ToV3 {
  /// Leaves changes behind: what follows must not stumble over them.
  static func before(_ context: ModelContext) throws {
    for circle in try context.fetch(FetchDescriptor<SchemaV2.Circle>()) { circle.id = circle.id }
  }
}
