import Foundation
import SchemaEvolution
import SchemaModel
import StoreTools
import SwiftAdoption
import SwiftData
import SwiftSources
import TestSupport
import Testing

@testable import ManagedModels
@testable import StoreEngine
@testable import StoreFormat
@testable import SwiftData

/// Stores recognise a version by its classes. Code generated from adopted manifests must give the same classes: an app
/// whose version its stores do not know fails at launch (134504).
@Suite struct AdoptedIdentityTests {
  private struct Case: Sendable, CustomTestStringConvertible {
    var files: [String]
    var plan: String
    var versions: [any VersionedSchema.Type]
    var testDescription: String { plan }
  }

  private static let cases = [
    Case(
      files: ["AdoptedForms.swift"], plan: "FormsPlan", versions: [FormsV1.self, FormsV2.self]),
    Case(
      files: ["AppleStores/FreezeRay.swift"], plan: "FreezeRayPlan",
      versions: [FreezeRayV1.self, FreezeRayV2.self]),
    // These two are known to match what Apple's SwiftData wrote: AppleStoreTests.
    Case(
      files: [
        "AppleStores/OpenASOPlans.swift", "AppleStores/OpenASOV1.swift",
        "AppleStores/OpenASOV4.swift",
      ], plan: "OpenASOPlan", versions: [OpenASOV1.self, OpenASOV4.self]),
  ]

  @Test(arguments: cases)
  private func adoptedVersionsAreTheClassesThatWereCompiled(form: Case) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let sources = try form.files.map { name in
      let bytes = try Data(contentsOf: folder.appending(path: name))
      return SwiftSource(SourceFile(path: name, bytes: Array(bytes)))
    }
    let adoption = Adoption.read(sources, options: Adoption.Options(plan: form.plan))
    #expect(adoption.findings.filter { $0.severity == .error }.map(\.message) == [])
    try #require(adoption.history.count == form.versions.count)
    let evolution = AnalysisPipeline(
      history: adoption.history, configuration: adoption.configuration
    ).run()
    let models = ManagedModel.chain(of: evolution)
    for (index, version) in form.versions.enumerated() {
      let compiled = Schema(versionedSchema: version).managedModel
      let adopted = models[evolution.positions[index]]
      #expect(adopted.versionHashes == compiled.versionHashes)
      for entity in compiled.entities where adopted.versionHashes != compiled.versionHashes {
        let other = adopted.entities.first { $0.name == entity.name }
        #expect(other == entity)
      }
    }
  }

  @Test(
    "Stores written by Apple's SwiftData match the versions adopted from their app's code",
    .enabled(if: AppleStores.folder != nil, Comment(rawValue: AppleStores.missing)))
  func applesStoresAreOfAdoptedVersions() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    for (form, stores) in zip(
      Self.cases.dropFirst(), [["freezeray-1", "freezeray-2"], ["openaso-v1", "openaso-v4"]])
    {
      let sources = try form.files.map { name in
        let bytes = try Data(contentsOf: folder.appending(path: name))
        return SwiftSource(SourceFile(path: name, bytes: Array(bytes)))
      }
      let adoption = Adoption.read(sources, options: Adoption.Options(plan: form.plan))
      let evolution = AnalysisPipeline(
        history: adoption.history, configuration: adoption.configuration
      ).run()
      let candidates = VersionCandidate.all(of: evolution, folder: "adopted")
      for (index, name) in stores.enumerated() {
        let facts = try StoreFacts(ofStoreAt: AppleStores.original(name))
        let match = StoreMatch(facts, candidates: candidates)
        #expect(
          match.matches.map(\.candidate.name) == [evolution.history[index].number.name],
          "\(match.nearest?.differences.prefix(5) ?? [])")
        // Traits that Core Data does not hash are equal too.
        #expect(match.matches.first?.differences == [])
      }
    }
  }
}
