import CommandLineSupport
import Foundation
import ManagedModels
import SchemaReporting
import StoreTools

extension Output {
  /// Reports why a store cannot be read or used.
  ///
  /// - Parameter clause: What a readable but refused store fails to do, such as `proves nothing`.
  static func report(_ trouble: any Error, ofStoreAt path: String, refused clause: String = "") {
    if let refusal = trouble as? StoreRefusal {
      error("schemagen: '\(path)' \(clause): \(refusal.reason.visibleInOneLine)")
      for detail in refusal.details { error("  \(detail.visibleInOneLine)") }
    } else {
      let reason = (trouble as? StoreError)?.reason ?? trouble.localizedDescription
      error("schemagen: '\(path)': \(reason)")
    }
  }
}
