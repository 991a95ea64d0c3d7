// Deletions that have nothing to do with a store.
import Foundation
import SwiftData

struct Items {
  var list: [String] = []

  mutating func makeContainer() throws -> ModelContainer {
    list.removeAll()
    remove(1)
    return try ActiveSchema.container(configurations: [])
  }

  mutating func remove(_ index: Int) { list.remove(at: index) }

  func delete(_ trip: ActiveTrip, in context: ModelContext) {
    context.delete(trip)
    do { try context.save() } catch { context.rollback() }
  }

  func clearThumbnails(at folder: URL) { try? FileManager.default.removeItem(at: folder) }
}
