import Foundation
import SwiftData
import Testing
import TripModels

/// What this app promises of its stores, run on a real one: with SwiftData on a Mac, with schemagen's on Linux.
@Suite struct TripStoreTests {
  @Test("V1's trips are V2's, in whole metres, with their stops")
  func upgrade() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = ModelConfiguration(
      url: folder.appending(path: "trips.store"), cloudKitDatabase: .none)

    do {
      let container = try ModelContainer(
        for: Schema(versionedSchema: TripSchemaV1.self), configurations: store)
      let context = ModelContext(container)
      let trip = TripSchemaV1.TripModel(id: UUID(), title: "Gotthard", kilometres: 17.25)
      context.insert(trip)
      trip.stops = [TripSchemaV1.StopModel(name: "Airolo")]
      try context.save()
    }

    let container = try ModelContainer(
      for: Schema(versionedSchema: TripSchemaV2.self), migrationPlan: TripMigrationPlan.self,
      configurations: store)
    let context = ModelContext(container)
    let trips = try context.fetch(FetchDescriptor<ActiveTripModel>())
    #expect(trips.map(\.name) == ["Gotthard"])
    #expect(trips.map(\.metres) == [17_250])
    #expect(trips.first?.stops.map(\.name) == ["Airolo"])
    #expect(trips.first?.isArchived == false)
  }
}
