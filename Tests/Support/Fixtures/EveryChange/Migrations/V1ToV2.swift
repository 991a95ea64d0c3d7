import Foundation
import SwiftData

/// V1 → V2: what no manifest can say.
nonisolated enum V1ToV2 {
  /// `Customer.town` from V1's values. Called for each row, and by `toEntity()`.
  static func town(_ address: String) -> String {
    address.split(separator: ",").dropFirst().joined(separator: ",")
  }
}
