internal import Foundation
internal import ManagedModels
package import SchemaEvolution
package import SchemaModel
internal import SchemaReporting
package import SchemaWorkspace
internal import StoreFormat

/// The stores in a folder and its subfolders, found by their contents and not by their names.
package struct StoreFolder: Sendable {
  package let path: String
  /// Files that are SQLite databases, by their paths below the folder; sorted.
  package private(set) var databases: [String] = []
  package private(set) var others: [PullRequestComment.Unmeasured] = []

  package var isEmpty: Bool { databases.isEmpty }

  package func only(_ names: Set<String>) -> StoreFolder {
    var some = self
    some.databases.removeAll { !names.contains($0) }
    some.others = []
    return some
  }

  /// Searches a folder. The log of a store and the folder of its large values are left out.
  ///
  /// - Throws: `FileSystemError` if the folder does not exist or cannot be read.
  package init(_ path: String) throws(FileSystemError) {
    self.path = path
    guard let names = try Disk().list(path) else {
      let isFile = FileManager.default.fileExists(atPath: path)
      throw FileSystemError(
        path: path, reason: isFile ? "it is a file: name its folder" : "there is no such folder")
    }
    look(at: names, below: "")
    databases.sort()
    others.sort { $0.name < $1.name }
  }

  private mutating func look(at names: [String], below folder: String) {
    let known = Set(names)
    let stems = Set(names.map { URL(filePath: $0).deletingPathExtension().lastPathComponent })
    for name in names {
      let place = folder + name
      let full = Path.join(path, place)
      if Self.belongsToStore(name, among: known, stems) || name == KeptStores.fileName { continue }
      let type = try? FileManager.default.attributesOfItem(atPath: full)[.type]
      let isLink = type as? FileAttributeType == .typeSymbolicLink
      do throws(FileSystemError) {
        guard Disk().isFolder(full) else {
          add(place, try Disk().read(full, limit: 16) ?? [])
          continue
        }
        // A link may form a cycle.
        guard !isLink else {
          others.append(.init(name: place, reason: "a link to a folder", isStore: false))
          continue
        }
        look(at: try Disk().list(full) ?? [], below: place + "/")
      } catch {
        others.append(.init(name: place, reason: error.reason, isStore: true))
      }
    }
  }

  private mutating func add(_ name: String, _ head: [UInt8]) {
    if head.elementsEqual("SQLite format 3\0".utf8) {
      databases.append(name)
    } else {
      others.append(
        .init(
          name: name, reason: head.isEmpty ? "it is empty" : "it is not a SQLite database",
          isStore: false))
    }
  }

  private static func belongsToStore(
    _ name: String, among names: Set<String>, _ stems: Set<String>
  ) -> Bool {
    for suffix in ["-wal", "-shm", "-journal"] where name.hasSuffix(suffix) {
      if names.contains(String(name.dropLast(suffix.count))) { return true }
    }
    // Core Data keeps large values of `a.store` in `.a_SUPPORT`.
    return name.hasPrefix(".") && name.hasSuffix("_SUPPORT")
      && stems.contains(String(name.dropFirst().dropLast("_SUPPORT".count)))
  }

  /// Compares each store with the changes in folders of manifests.
  ///
  /// - Parameter folders: The folders; nil for a folder without versions.
  /// - Returns: The measurements for each of the folders, and every other file with the reason.
  package func measure(
    in folders: [(evolution: Evolution, proven: [VersionNumber: LockedHashes])?],
    progress: WorkObserver? = nil
  ) -> (measurements: [[RowMeasurements]], unmeasured: [PullRequestComment.Unmeasured]) {
    var measurements: [[RowMeasurements]] = folders.map { _ in [] }
    var unmeasured = others
    for (place, name) in databases.enumerated() {
      progress?("measuring stores", place, databases.count)
      var reason = "there are no versions to compare the store with"
      var isStore = true
      var isMeasured = false
      for (index, folder) in folders.enumerated() {
        guard let folder, isStore else { continue }
        do {
          measurements[index].append(
            try StoreMeasurement.measure(
              storeAt: URL(filePath: Path.join(path, name)), named: name, in: folder.evolution,
              from: nil, proven: folder.proven, choice: ""))
          isMeasured = true
        } catch let refusal as StoreRefusal {
          reason = refusal.reason.visibleInOneLine
        } catch {
          reason = (error as? StoreError)?.reason ?? error.localizedDescription
          isStore = (error as? StoreError)?.isOfForeignDatabase != true
        }
      }
      if !isMeasured { unmeasured.append(.init(name: name, reason: reason, isStore: isStore)) }
    }
    return (measurements, unmeasured.sorted { $0.name < $1.name })
  }
}
