import CodeFirst
import Foundation
import SchemaWorkspace
import SwiftData
import TestSupport
import Testing

@testable import LiveModels

/// An app that keeps its classes, with generated code beside them.
@Suite(.serialized) struct LiveModelsTests {
  private func withStore(_ work: (ModelConfiguration) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try work(
      ModelConfiguration(url: folder.appending(path: "default.store"), cloudKitDatabase: .none))
  }

  @Test("Manifest and generated files match the live classes")
  func isCurrent() throws {
    let path = Checkout.root + "/Tests/Support/LiveModels/Schemas"
    let folder = SchemaFolder.read(path, fileSystem: Disk())
    let snapshot = try #require(Snapshot.take(folder, fileSystem: Disk()))
    #expect(snapshot.findings.isEmpty && snapshot.changes.isEmpty)
    #expect(snapshot.files.map(\.path) == [])
  }

  @Test("The newest version's models are the app's classes")
  func models() {
    #expect(SchemaV2.Walk.self == Walk.self && WalkV2.self == Walk.self)
    #expect(SchemaV1.Walk.self != SchemaV2.Walk.self)
  }

  @Test("Rows of an older version become rows of the app's classes")
  func migration() throws {
    try withStore { store in
      do {
        let schema = Schema(versionedSchema: SchemaV1.self)
        let context = ModelContext(try ModelContainer(for: schema, configurations: store))
        let walk = SchemaV1.Walk(id: UUID(), title: "Along the river", length: 7)
        context.insert(walk)
        let place = FormerPlaceV1(latitude: 47, longitude: 8)
        context.insert(
          SchemaV1.Stop(
            name: "Mill", place: place, surface: FormerSurfaceV1.road, walk: walk))
        try context.save()
      }
      let context = ModelContext(try ActiveSchema.container(configurations: [store]))
      let walk = try #require(try context.fetch(FetchDescriptor<Walk>()).first)
      #expect(walk.title == "Along the river (easy)" && walk.length == 7 && walk.isPlanned)
      #expect(walk.stops.map(\.name) == ["Mill"])
      // A struct of the app that has gained a field.
      #expect(walk.stops.map(\.place) == [Place(latitude: 47, longitude: 8, altitude: nil)])
      // An enum of the app that has gained a case.
      #expect(walk.stops.map(\.surface) == [.road])
    }
  }

  @Test("Creating a row bypasses the class's initialisers and observers")
  func rows() throws {
    try withStore { store in
      let context = ModelContext(try ActiveSchema.container(configurations: [store]))
      let entity = WalkEntity(
        id: UUID(), name: "Up", length: 2, grade: .hard, start: Place(latitude: 1, longitude: 2),
        isPlanned: false)
      let row = Walk.fromEntity(entity)
      #expect(row.changes == 0)
      context.insert(row)
      context.insert(Stop("Top", on: row))
      try context.save()
      let other = ModelContext(try ActiveSchema.container(configurations: [store]))
      let walk = try #require(try other.fetch(FetchDescriptor<Walk>()).first)
      #expect(walk.toEntity() == entity && walk.stops.map(\.name) == ["Top"])
    }
  }
}
