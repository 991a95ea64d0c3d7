import Foundation
import SchemaEvolution
import SchemaManifest
import SchemaRendering
import SchemaWorkspace
import SwiftAdoption
import SwiftSources
import TestSupport
import Testing

@testable import SchemaModel

/// Generated code is read back as the manifests that it was generated from.
@Suite struct AdoptionRoundTripTests {
  /// Folders of manifests whose generated code is checked in.
  static let folders = [
    "Schemas/Ritualist", "Schemas/Habitto", "Schemas/KeepTrack", "Schemas/Travel",
    "Examples/Consumer/Schemas", "Tests/Support/Fixtures/Everything",
  ]

  @Test(arguments: folders) func generatedCodeComesToItsManifests(folder: String) throws {
    let manifests = SchemaFolder.read(Checkout.root + "/" + folder, fileSystem: Disk())
    let evolution = try #require(manifests.evolution)
    try expectRoundTrip(evolution, manifests.templates)
  }

  @Test(arguments: 0..<60) func randomHistoriesComeToThemselves(seed: Int) throws {
    let history = HistoryGenerator.history(seed: seed)
    let evolution = AnalysisPipeline(history: history).run()
    guard !evolution.diagnostics.hasErrors else { return }
    try expectRoundTrip(evolution, TemplateStore(overrides: []))
  }

  /// Most seeds must be usable.
  @Test func mostRandomHistoriesAreSound() {
    let sound = (0..<60).filter {
      !AnalysisPipeline(history: HistoryGenerator.history(seed: $0)).run().diagnostics.hasErrors
    }
    #expect(sound.count > 30)
  }

  /// A manifest that was adopted, generated and adopted again stays the same.
  @Test(arguments: AdoptionCorpusTests.forms) func adoptedManifestsStay(form: String) throws {
    let first = AdoptionCorpusTests.adopt(form).adopt
    guard !first.isRefused, !first.questions.hasErrors else { return }
    let files = MemoryFiles(first.files)
    for path in first.folders {
      let folder = SchemaFolder.read(path, fileSystem: files)
      let evolution = try #require(folder.evolution)
      try expectRoundTrip(evolution, folder.templates)
    }
  }

  private func expectRoundTrip(_ evolution: Evolution, _ templates: TemplateStore) throws {
    let sources = Renderer(templates: templates).files(for: evolution)
      .filter { $0.path.hasSuffix(".swift") && $0.kind == .generated }
      .map { SwiftSource(SourceFile(path: $0.path, text: $0.contents)) }
    let adoption = Adoption.read(sources)
    // A generated plan's stages lead over bridges, and the app's own types, which distinguish versions, are missing
    // here.
    let found = adoption.findings.filter {
      $0.severity > .note && ![.stageDiffers, .mergedVersion].contains($0.rule)
    }
    #expect(found.map(\.message) == [])
    #expect(adoption.history.map(\.number) == evolution.history.map(\.number))
    expectEqualIdentities(adoption, evolution)
    for (adopted, original) in zip(adoption.history, evolution.history) {
      // Read as a manifest, relationships know both of their ends.
      let text = ManifestText(adopted).text
      let read = ManifestReader().read(SourceFile(path: "\(adopted.number.name).yaml", text: text))
      let version = try #require(read.version)
      expectEqual(version.comparable, original.comparable)
    }
    var names = evolution.configuration.names
    (names.bridge, names.alias) = (nil, adoption.configuration.names.alias)
    #expect(adoption.configuration.names == names)
    #expect(adoption.configuration.access == evolution.configuration.access)
  }

  /// Stores that the code has written are recognised by the manifests read from it.
  private func expectEqualIdentities(_ adoption: Adoption, _ evolution: Evolution) {
    var history = adoption.history
    for index in history.indices {
      // Generated code does not contain the app's own types.
      let own = evolution.history[index].types.filter(\.isOwn)
      history[index].types.removeAll { type in own.contains { $0.name == type.name } }
      history[index].types += own
    }
    let reader = IdentityReader(history)
    for index in history.indices {
      let original = evolution.versions[index].identity
      #expect(
        reader.identity(of: history[index]).certain == original.certain,
        "\(history[index].number)")
    }
  }

  /// Compares the manifests, which show the differing lines.
  private func expectEqual(_ adopted: SchemaVersion, _ original: SchemaVersion) {
    guard adopted != original else { return }
    let left = ManifestText(adopted).text.split(separator: "\n")
    let right = ManifestText(original).text.split(separator: "\n")
    let difference = left.difference(from: right).map { change in
      switch change {
      case .insert(_, let line, _): "+ \(line)"
      case .remove(_, let line, _): "- \(line)"
      }
    }
    Issue.record("\(original.number): \(difference.joined(separator: "\n"))")
  }
}

extension SchemaVersion {
  /// The version without the keys of steps and entities, and without their documentation.
  fileprivate var comparable: SchemaVersion {
    var version = self
    version.summary = nil
    version.acceptances = []
    version.expectedStage = nil
    version.identity = .generated
    version.hooks = Hooks()
    version.drops = []
    // Generated code does not contain the app's own types, and types that no model stores are not read.
    let stored = Set(models.flatMap { $0.properties.flatMap(\.type.names) })
    version.types.removeAll { $0.isOwn || !reachable(stored).contains($0.name) }
    version.types.sort { $0.name < $1.name }
    version.models.sort { $0.name < $1.name }
    for place in version.models.indices {
      let written = models.first { $0.name == version.models[place].name }!
      version.models[place] = written.withoutStep
      version.models[place].entity = nil
      version.models[place].documentation = nil
      for index in written.properties.indices {
        version.models[place].properties[index].documentation = nil
        // The generator's additions are only in the code: identities are compared separately.
        version.models[place].properties[index].hashModifier = nil
        version.models[place].properties[index].originalName = nil
        version.models[place].properties[index].mapping = EntityMapping()
        if case .attribute(var attribute) = version.models[place].properties[index].kind {
          (attribute.encodes, attribute.fallback) = (nil, nil)
          version.models[place].properties[index].kind = .attribute(attribute)
        }
      }
    }
    for place in version.types.indices {
      version.types[place].documentation = nil
    }
    return version
  }
}

extension SchemaVersion {
  /// The names, and those of the types that they contain.
  fileprivate func reachable(_ names: Set<String>) -> Set<String> {
    var reached = names
    while true {
      let next = types.filter { reached.contains($0.name) }.flatMap { type -> [String] in
        guard case .structure(let fields) = type.kind else { return [] }
        return fields.flatMap(\.type.names)
      }
      guard !reached.isSuperset(of: next) else { return reached }
      reached.formUnion(next)
    }
  }
}
