import Foundation
import RehearsalHarness
import SchemaRehearsal
import SchemaWorkspace
import StoreTools

/// The stores to rehearse, and the other files of their folder.
struct GivenStores {
  private(set) var given: [GivenStore]
  private var others: [StoreResult] = []
  private let isFleet: Bool

  /// - Parameter single: The absolute path of one store, if no folder is given.
  init(_ fleet: StoreFolder?, _ single: String?) {
    isFleet = fleet != nil
    given = single.map { [GivenStore(name: URL(filePath: $0).lastPathComponent, path: $0)] } ?? []
    guard let fleet else { return }
    let folder = Path.join(FileManager.default.currentDirectoryPath, fleet.path)
    given = fleet.databases.map { GivenStore(name: $0, path: Path.join(folder, $0)) }
    others = fleet.others.map { file in
      file.isStore
        ? StoreResult(store: file.name, refusal: "cannot be read: \(file.reason)")
        : StoreResult(store: file.name, limit: "is not a store: \(file.reason)")
    }
  }

  func completing(_ result: RehearsalResult) -> RehearsalResult {
    guard isFleet else { return result }
    var result = result
    result.stores = ((result.stores ?? []) + others).sorted { $0.store < $1.store }
    return result
  }
}
