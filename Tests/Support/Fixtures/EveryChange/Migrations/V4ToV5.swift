import Foundation
import SwiftData

/// V4 → V5: what no manifest can say.
nonisolated enum V4ToV5 {
  /// What `Job.customer` leads to. Called for each row.
  static func customer(
    for row: SchemaV4ToV5.Job,
    in context: ModelContext
  ) throws -> SchemaV4ToV5.Customer? {
    row.bike.owner
  }
}
