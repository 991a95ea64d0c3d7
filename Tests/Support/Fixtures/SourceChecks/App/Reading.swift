// Rows that cannot be read are no reason to throw them away.
import Foundation
import SwiftData

struct TripRepository {
  let container: ModelContainer
  let storeURL: URL

  func trips() -> [ActiveTrip] {
    do {
      return try ModelContext(container).fetch(FetchDescriptor<ActiveTrip>())
    } catch {
      container.deleteAllData()  // expect: store-deletion
      return []
    }
  }

  func count() -> Int {
    do {
      return try ModelContext(container).fetchCount(FetchDescriptor<ActiveTrip>())
    } catch {
      try? FileManager.default.removeItem(at: storeURL)  // expect: store-deletion
      return 0
    }
  }

  func first() -> ActiveTrip? {
    do {
      return try ModelContext(container).fetch(FetchDescriptor<ActiveTrip>()).first
    } catch {
      let report = URL.temporaryDirectory.appending(path: "report.txt")
      try? FileManager.default.removeItem(at: report)
      return nil
    }
  }

  func pictures() -> [Data] {
    do {
      return try ModelContext(container).fetch(FetchDescriptor<ActiveTrip>()).map { _ in Data() }
    } catch {
      let folder = URL.documentsDirectory.appending(path: "Pictures")
      try? FileManager.default.removeItem(at: folder)
      return []
    }
  }

  func signOut() throws {
    // What people ask for themselves is theirs to throw away.
    try FileManager.default.removeItem(at: storeURL)
    container.deleteAllData()
  }
}
