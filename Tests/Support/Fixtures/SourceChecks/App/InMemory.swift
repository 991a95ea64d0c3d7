// One function, several containers: what one says of memory, it says of itself.
import Foundation
import SwiftData

enum Containers {
  static func make(forTests: Bool) throws -> ModelContainer {
    if forTests {
      return try ModelContainer(
        for: ActiveTrip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }
    return try ModelContainer(for: ActiveTrip.self)  // expect: container-without-plan
  }

  static func makeWithFallback() throws -> ModelContainer {
    let disk = ModelConfiguration(url: .applicationSupportDirectory.appending(path: "Trips.store"))
    if let container = try? ModelContainer(for: ActiveTrip.self, configurations: disk) {  // expect: container-without-plan
      return container
    }
    let memory = ModelConfiguration(isStoredInMemoryOnly: true)
    return try ModelContainer(for: ActiveTrip.self, configurations: [memory])  // expect: memory-fallback
  }

  static func makeAsAsked(_ isTest: Bool) throws -> ModelContainer {
    let configuration = ModelConfiguration(isStoredInMemoryOnly: isTest)
    return try ModelContainer(for: ActiveTrip.self, configurations: configuration)  // expect: container-without-plan
  }

  static func makeByChoice(_ isTest: Bool) throws -> ModelContainer {
    let configuration: ModelConfiguration
    if isTest {
      configuration = ModelConfiguration(isStoredInMemoryOnly: true)
    } else {
      configuration = ModelConfiguration()
    }
    return try ModelContainer(for: ActiveTrip.self, configurations: configuration)  // expect: container-without-plan
  }

  static func makeNowhere() throws -> ModelContainer {
    let nowhere = URL(fileURLWithPath: "/dev/null")
    return try ModelContainer(
      for: ActiveTrip.self, configurations: ModelConfiguration(url: nowhere))
  }

  static func makeBoth() throws -> ModelContainer {
    let kept = ModelConfiguration("Trips")
    let scratch = ModelConfiguration("Scratch", isStoredInMemoryOnly: true)
    return try ModelContainer(for: ActiveTrip.self, configurations: kept, scratch)  // expect: container-without-plan
  }

  private static let memoryOnly = ModelConfiguration(isStoredInMemoryOnly: true)

  static func makeShared() throws -> ModelContainer {
    try ModelContainer(for: ActiveTrip.self, configurations: memoryOnly)
  }

  static func makeEither(_ isTest: Bool) throws -> ModelContainer {
    let configurations = isTest
      ? [ModelConfiguration(isStoredInMemoryOnly: true)] : [ModelConfiguration()]
    return try ModelContainer(for: ActiveTrip.self, configurations: configurations)  // expect: container-without-plan
  }

  static func makeInternally() throws -> ModelContainer {
    try .init(for: ActiveTrip.self, configurations: .init(isStoredInMemoryOnly: true))
  }
}
