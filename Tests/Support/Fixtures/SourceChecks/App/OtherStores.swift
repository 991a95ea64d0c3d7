// Containers of stores that are none of the plan's.
import Foundation
import SwiftData

@Model final class CachedImage {
  var url: String = ""
  init() {}
}

@Model final class SearchTerm {
  var text: String = ""
  init() {}
}

struct ImageCache {
  let container: ModelContainer

  init() throws {
    let url = URL.cachesDirectory.appending(path: "images.store")
    container = try ModelContainer(
      for: CachedImage.self, configurations: ModelConfiguration(url: url))
  }
}

struct SearchHistory {
  static func open() throws -> ModelContainer {
    let schema = Schema([SearchTerm.self, CachedImage.self])
    return try ModelContainer(for: schema, configurations: [ModelConfiguration("Search", schema: schema)])
  }
}

struct Mixed {
  static func open() throws -> ModelContainer {
    let schema = Schema([ActiveTrip.self, SearchTerm.self])
    return try ModelContainer(for: schema)  // expect: container-without-plan
  }

  static func openUnknown(_ schema: Schema) throws -> ModelContainer {
    try ModelContainer(for: schema)  // expect: container-without-plan
  }

  static func openPlanned() throws -> ModelContainer {
    try ModelContainer(for: ActiveSchema.schema, migrationPlan: MigrationPlan.self)
  }
}
