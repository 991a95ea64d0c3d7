package import Foundation

/// Stores that Apple's SwiftData wrote, if they are available.
package enum AppleStores {
  /// `$SCHEMAGEN_STORES`, or the folder beside the checkout; nil if neither exists.
  package static let folder: URL? = {
    let candidates = [
      ProcessInfo.processInfo.environment["SCHEMAGEN_STORES"].map { URL(filePath: $0) },
      URL(filePath: Checkout.root).appending(path: "../shared/stores").standardizedFileURL,
    ].compactMap { $0 }
    return candidates.first {
      FileManager.default.fileExists(atPath: $0.appending(path: "freezeray-1.store").path)
    }
  }()

  /// Why their tests do not run.
  package static let missing =
    "skipped: the Apple-written stores are not here; put them beside the checkout or name them in SCHEMAGEN_STORES"

  /// A store's file, which must never be written to. Requires `folder`.
  package static func original(_ name: String) -> URL {
    guard let folder else { preconditionFailure(missing) }
    return folder.appending(path: name + ".store")
  }
}
