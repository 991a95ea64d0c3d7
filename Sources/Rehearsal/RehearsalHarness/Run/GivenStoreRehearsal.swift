internal import Foundation
internal import ManagedModels
internal import StoreEngine
internal import StoreFormat

/// Rehearses all paths from the version of one of the user's stores. The store itself is never opened.
struct GivenStoreRehearsal {
  private let session: RehearsalSession
  private let fresh: [FreshStore]
  private let number: Int

  init(_ session: RehearsalSession, fresh: [FreshStore], number: Int) {
    self.session = session
    self.fresh = fresh
    self.number = number
  }

  /// Why a store cannot be rehearsed, as a clause.
  private struct Refusal: Error {
    var reason: String
  }

  func run(_ store: GivenStore) -> (StoreResult, [PathResult]) {
    var result = StoreResult(store: store.name)
    var paths: [PathResult] = []
    do {
      let folder = try session.folder("given-\(number + 1)")
      let version = try version(of: store, in: folder)
      result.version = session.name(version)
      if version == session.plan.versions.count - 1 {
        result.limit = "already has \(session.name(version)): there is no later version"
      } else if session.plan.ends(from: version).isEmpty {
        result.limit = "has \(session.name(version)), from which no path was requested"
      } else {
        var rehearsal = try SourceRehearsal(
          session, from: version, fresh: fresh, given: store, in: folder)
        paths = rehearsal.run()
      }
      // The copies of many stores would fill the disk, so only copies with failures are kept.
      if paths.allSatisfy({ $0.failures.isEmpty }) {
        try? FileManager.default.removeItem(at: folder)
      }
    } catch let refusal as Refusal {
      result.refusal = refusal.reason
    } catch let error as StoreError where error.isOfForeignDatabase {
      // Databases of other programs may be in the folder too.
      result.limit = "is not a store: \(error.reason)"
    } catch {
      result.refusal = "cannot be opened: \(error)"
    }
    let failures = paths.flatMap(\.failures).count + (result.refusal == nil ? 0 : 1)
    session.tell(
      RehearsalEvent(
        from: result.version ?? "", to: paths.last?.to ?? "",
        store: RehearsalEvent.Store(name: store.name, paths: paths.count), failures: failures))
    return (result, paths)
  }

  private func version(of store: GivenStore, in folder: URL) throws -> Int {
    let copy = folder.appending(path: "copy.store")
    try session.copy(URL(filePath: store.path), to: copy)
    defer { session.remove(copy) }
    let versions = session.runtime.versions
    let found = try StoreFile(at: .file(copy)).recognize(
      versions.map { VersionCandidate(name: $0.name, model: $0.model) })
    guard let version = found.fitting.last else {
      throw Refusal(reason: "matches no version of these manifests")
    }
    if case .ambiguous(let alike, let basis) = found.verdict, basis != .model {
      let names = alike.map { versions[$0].name }.joined(separator: ", ")
      throw Refusal(
        reason: "has the tables of \(names), and its metadata does not show which version it has")
    }
    return version
  }
}
