import SwiftData
import SwiftUI

@main
struct JournalApp: App {
  private let container: ModelContainer = {
    do {
      return try ModelContainer(for: Self.schema, configurations: ModelConfiguration())
    } catch {
      fatalError("no store: \(error)")
    }
  }()

  private static let schema = Schema(Stored.models)

  var body: some Scene {
    WindowGroup { Text("Journal") }.modelContainer(container)
  }
}

#Preview {
  Text("Drafts").modelContainer(for: Draft.self)
}
