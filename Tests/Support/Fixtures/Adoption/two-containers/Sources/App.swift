import SwiftData
import SwiftUI

@main
struct ShelfApp: App {
  var body: some Scene {
    WindowGroup { Text("Shelf") }.modelContainer(for: [Book.self, Note.self])
  }
}

/// Keeps nothing on disk.
func makeCatalogue() throws -> ModelContainer {
  try ModelContainer(for: Entry.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
}

/// Another store of the same app.
func makeCache() throws -> ModelContainer {
  try ModelContainer(
    for: Entry.self,
    configurations: ModelConfiguration("cache"))
}

/// The store of the app once more.
func makeWidget() throws -> ModelContainer {
  try ModelContainer(for: Note.self, Book.self)
}
