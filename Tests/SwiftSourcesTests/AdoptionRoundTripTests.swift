import Foundation
import SchemaEvolution
import SchemaManifest
import SchemaModel
import SchemaRendering
import SchemaWorkspace
import SwiftSources
import TestSupport
import Testing

/// What is generated, read again, is what it was generated from.
@Suite struct AdoptionRoundTripTests {
  /// Folders of manifests whose generated code is checked in.
  static let folders = [
    "Schemas/Ritualist", "Schemas/Habitto", "Schemas/KeepTrack", "Schemas/Travel",
    "Examples/Consumer/Schemas", "Tests/Fixtures/Everything",
  ]

  @Test(arguments: folders) func generatedCodeComesToItsManifests(folder: String) throws {
    let root = AdoptionCorpusTests.corpus.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let path = root.appending(path: folder).path
    let manifests = SchemaFolder.read(path, fileSystem: Disk())
    let evolution = try #require(manifests.evolution)
    try expectRoundTrip(evolution, manifests.templates)
  }

  @Test(arguments: 0..<60) func randomHistoriesComeToThemselves(seed: Int) throws {
    let history = HistoryGenerator.history(seed: seed)
    let evolution = AnalysisPipeline(history: history).run()
    guard !evolution.diagnostics.hasErrors else { return }
    try expectRoundTrip(evolution, TemplateStore(overrides: []))
  }

  /// Most seeds have to be of use.
  @Test func mostRandomHistoriesAreSound() {
    let sound = (0..<60).filter {
      !AnalysisPipeline(history: HistoryGenerator.history(seed: $0)).run().diagnostics.hasErrors
    }
    #expect(sound.count > 30)
  }

  /// What was adopted, generated and adopted again is the same.
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
    #expect(adoption.findings.filter { $0.severity > .note }.map(\.message) == [])
    #expect(adoption.history.map(\.number) == evolution.history.map(\.number))
    let last = evolution.history.count - 1
    expectEqualIdentities(adoption, evolution)
    for (index, (adopted, original)) in zip(adoption.history, evolution.history).enumerated() {
      // Read as a manifest, relationships know both of their ends.
      let text = ManifestText(adopted).text
      let read = ManifestReader().read(SourceFile(path: "\(adopted.number.name).yaml", text: text))
      let version = try #require(read.version)
      expectEqual(version.comparable(index == last), original.comparable(index == last))
    }
    var names = evolution.configuration.names
    let usual = names.schema.replacingPlaceholder("version", with: "{from}ToV{to}")
    if names.bridge == usual { names.bridge = nil }
    #expect(adoption.configuration.names == names)
    #expect(adoption.configuration.access == evolution.configuration.access)
  }

  /// Stores that the code has written are known to what is generated from the adopted manifests.
  private func expectEqualIdentities(_ adoption: Adoption, _ evolution: Evolution) {
    var history = adoption.history
    // That stores of a version are older than its code, only its manifest says.
    for index in history.indices {
      history[index].identity = evolution.history[index].identity
      // The app's own types are not among what is generated.
      let own = evolution.history[index].types.filter(\.isOwn)
      history[index].types.removeAll { type in own.contains { $0.name == type.name } }
      history[index].types += own
    }
    let again = AnalysisPipeline(history: history, configuration: adoption.configuration).run()
    let isSound = !again.identities.isEmpty
    for index in adoption.history.indices {
      let original = evolution.versions[index].identity
      // Where steps are missing, every modifier stands in the manifests themselves.
      let adopted =
        isSound
        ? again.versions[index].identity
        : IdentityReader(history).identity(of: history[index])
      #expect(adopted.certain == original.certain, "\(adoption.history[index].number)")
    }
  }

  /// Compares as manifests, whose differing lines are easily seen.
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
  /// The version without what generated Swift does not say: what belongs to the step but renames and hooks, reasons,
  /// and, of all versions but the newest, the names that values have in the entity.
  fileprivate func comparable(_ isNewest: Bool) -> SchemaVersion {
    var version = self
    version.acceptances = []
    version.expectedStage = nil
    version.identity = .generated
    version.drops = []
    // The app's own types are not among what is generated, and what no model stores is not looked for.
    let stored = Set(models.flatMap { $0.properties.flatMap(\.storedNames) })
    version.types.removeAll { $0.isOwn || !reachable(stored).contains($0.name) }
    version.types.sort { $0.name < $1.name }
    version.models.sort { $0.name < $1.name }
    for place in version.models.indices {
      let written = models.first { $0.name == version.models[place].name }!
      version.models[place] = written.withoutStep
      version.models[place].documentation = written.documentation?.asWritten
      for index in written.properties.indices {
        let property = written.properties[index]
        version.models[place].properties[index].documentation = property.documentation?.asWritten
        // What carries a model over carries its properties as well.
        if written.sources.isEmpty {
          version.models[place].properties[index].migration.renamedFrom =
            property.migration.renamedFrom
        }
        // The generator's own modifiers can be in the manifest or not: identities are compared by themselves.
        version.models[place].properties[index].hashModifier = nil
        // What an older version's converter puts in for broken JSON, only the manifest says for sure.
        if !isNewest || version.models[place].entity == nil,
          case .attribute(var attribute) = version.models[place].properties[index].kind
        {
          attribute.fallback = nil
          version.models[place].properties[index].kind = .attribute(attribute)
        }
        if !isNewest || version.models[place].entity == nil {
          version.models[place].properties[index].mapping = EntityMapping()
        }
      }
    }
    for place in version.types.indices {
      version.types[place].documentation = version.types[place].documentation?.asWritten
    }
    return version
  }
}

extension SchemaVersion {
  /// The names, and those of the types of which those are made.
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

extension Property {
  fileprivate var storedNames: [String] { type.names + (attribute?.encodes?.names ?? []) }
}

extension String {
  /// Lines are wrapped, and sentences end in full stops.
  fileprivate var asWritten: String {
    let words = split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.hasSuffix(".") ? words : words + "."
  }
}
