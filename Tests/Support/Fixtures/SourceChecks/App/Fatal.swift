// Containers whose failure ends the app.
import SwiftData
import SwiftUI

let shared = try! ActiveSchema.container(configurations: [])  // expect: fatal-container

struct TripApp {
  let container: ModelContainer = {
    do {
      return try ActiveSchema.container(configurations: [])
    } catch {
      print(error)
      fatalError("no container: \(error)")  // expect: fatal-container
    }
  }()

  static func make() throws -> ModelContainer {
    try ActiveSchema.container(configurations: [])
  }

  static func makeOrEnd() -> ModelContainer {
    guard let container = try? make() else {
      preconditionFailure("no container")  // expect: fatal-container
    }
    return container
  }

  static func makeByForce() -> ModelContainer { try! make() }  // expect: fatal-container

  static func makeInTwoSteps() -> ModelContainer {
    do {
      return try make()
    } catch {
      do {
        return try ModelContainer(  // expect: memory-fallback
          for: ActiveTrip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
      } catch {
        fatalError("not even in memory: \(error)")
      }
    }
  }

  static func makeByChoice(_ inMemory: Bool) -> ModelContainer {
    if inMemory {
      do {
        let configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        return try ModelContainer(for: ActiveTrip.self, configurations: configuration)
      } catch {
        fatalError("not even in memory: \(error)")
      }
    }
    do {
      let configuration = ModelConfiguration()
      return try ActiveSchema.container(configurations: [configuration])
    } catch {
      fatalError("no container: \(error)")  // expect: fatal-container
    }
  }

  static func makeSample() -> ModelContainer {
    try! ModelContainer(
      for: ActiveTrip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
  }

  static func makeOrThrow() throws -> ModelContainer {
    do {
      return try make()
    } catch {
      assertionFailure("no container: \(error)")
      throw error
    }
  }

  static func count(_ container: ModelContainer) -> Int {
    do {
      return try ModelContext(container).fetchCount(FetchDescriptor<ActiveTrip>())
    } catch {
      fatalError("no count")
    }
  }

  static func pattern() -> Any { try! NSRegularExpression(pattern: "a") }
}
