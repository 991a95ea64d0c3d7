import Foundation
import SchemaEvolution
import SchemaManifest
import SchemaModel
import SchemaWorkspace
import TestSupport
import Testing

@testable import ManagedModels
@testable import StoreEngine
@testable import StoreFormat
@testable import StoreTools

/// What a store without its model differs in from manifests that were altered: found by its hashes and its tables.
///
/// `SEARCH_CASES=500 swift test --filter SearchTests` alters 500 times, and prints what was not found.
@Suite struct SearchTests {
  static let count =
    ProcessInfo.processInfo.environment["SEARCH_CASES"].flatMap { Int($0) } ?? 60

  /// Models of apps: the newest versions of folders of the checkout, and in a long run those that Apple's stores have.
  static let models: [ManagedModel] = {
    var models = MatchTests.folders.compactMap { folder in
      (try? Evolution.of(folder)).flatMap {
        StoreMatch.Candidate.all(of: $0, folder: folder).last?.model.model
      }
    }
    guard count > 100, AppleStores.folder != nil else { return models }
    for name in ["cartkit-swiftdata-v1", "freezeray-2", "openaso-v1", "openaso-v4"] {
      models += [try? StoreFacts(ofStoreAt: AppleStores.original(name)).model].compactMap { $0 }
    }
    return models
  }()

  /// One thing that a model has otherwise.
  enum Alteration: CaseIterable {
    case optional, type, removed, added, renamed, unique, relationshipOptional, relationshipRemoved
    case relationshipRenamed, cardinality, inverse, modelRenamed, modelAdded, modifier, external
    case plainForEnum, enumForPlain, bounds, destination, two, three
  }

  private struct Alterer {
    var generator: SplitMix64
    var model: ManagedModel

    mutating func pick<Element>(_ elements: [Element]) -> Element? {
      elements.randomElement(using: &generator)
    }

    /// Makes it; false where the model has nothing that could be altered so.
    mutating func alter(_ kind: Alteration, in entity: Int) -> Bool {
      let attributes = model.entities[entity].attributes
      let plain = attributes.indices.filter {
        ![.composite, .transformable].contains(attributes[$0].type)
      }
      let links = model.entities[entity].relationships.indices.map { $0 }
      switch kind {
      case .optional:
        guard let index = pick(plain) else { return false }
        model.entities[entity].attributes[index].isOptional.toggle()
      case .type:
        guard let index = pick(plain) else { return false }
        let types: [AttributeType] = [
          .string, .integer64, .integer32, .integer16, .double, .float, .boolean, .date, .uuid,
          .uri,
          .decimal, .binary,
        ].filter { $0 != attributes[index].type }
        model.entities[entity].attributes[index].type = pick(types) ?? .string
        model.entities[entity].attributes[index].isExternal = false
      case .removed:
        guard let index = pick(plain), attributes.count > 1 else { return false }
        remove(attributes[index].name, in: entity)
      case .added:
        guard let type = pick([AttributeType.string, .integer64, .boolean, .date, .uuid]) else {
          return false
        }
        model.entities[entity].attributes.append(
          ManagedAttribute(
            name: "anotherValue\(attributes.count)", type: type,
            isOptional: Bool.random(using: &generator)))
      case .renamed:
        guard let index = pick(plain) else { return false }
        let name = attributes[index].name
        model.entities[entity].attributes[index].name = "other" + name.capitalized
        model.entities[entity].uniqueness = model.entities[entity].uniqueness.map {
          $0.map { $0 == name ? "other" + name.capitalized : $0 }
        }
      case .unique:
        guard let index = pick(plain) else { return false }
        let names = [attributes[index].name]
        if model.entities[entity].uniqueness.contains(names) {
          model.entities[entity].uniqueness.removeAll { $0 == names }
        } else if model.entities[entity].uniqueness.isEmpty {
          model.entities[entity].uniqueness.append(names)
        } else {
          return false
        }
      case .relationshipOptional:
        guard let index = pick(links) else { return false }
        model.entities[entity].relationships[index].isOptional.toggle()
      case .relationshipRemoved:
        guard let index = pick(links) else { return false }
        let link = model.entities[entity].relationships[index]
        model.entities[entity].relationships.remove(at: index)
        unlink(link.inverse, in: link.destination)
      case .relationshipRenamed:
        guard let index = pick(links) else { return false }
        let link = model.entities[entity].relationships[index]
        let name = "other" + link.name.capitalized
        model.entities[entity].relationships[index].name = name
        unlink(link.inverse, in: link.destination, to: name)
      case .cardinality:
        guard
          let index = pick(
            links.filter { model.entities[entity].relationships[$0].inverse == nil })
        else { return false }
        model.entities[entity].relationships[index].isToMany.toggle()
        model.entities[entity].relationships[index].maximumCount =
          model.entities[entity].relationships[index].isToMany ? 0 : 1
      case .inverse:
        guard
          let index = pick(
            links.filter { model.entities[entity].relationships[$0].inverse != nil })
        else { return false }
        let link = model.entities[entity].relationships[index]
        model.entities[entity].relationships[index].inverse = nil
        unlink(link.inverse, in: link.destination)
      case .modelRenamed:
        let name = model.entities[entity].name
        model = model.renaming(name, to: "Other\(name)")
      case .modelAdded:
        model.entities.append(
          ManagedEntity(
            name: "Brandnew", attributes: [ManagedAttribute(name: "id", type: .uuid)]))
      case .modifier:
        guard let index = pick(plain) else { return false }
        model.entities[entity].attributes[index].hashModifier = "9"
      case .external:
        guard let index = pick(plain.filter { attributes[$0].type == .binary }) else {
          return false
        }
        model.entities[entity].attributes[index].isExternal.toggle()
      case .plainForEnum:
        guard let index = pick(attributes.indices.filter { attributes[$0].rawValueElement != nil })
        else { return false }
        model.entities[entity].attributes[index] = ManagedAttribute(
          name: attributes[index].name, type: attributes[index].elements[0].type,
          isOptional: attributes[index].isOptional)
      case .enumForPlain:
        guard let index = pick(plain.filter { attributes[$0].type == .string }) else {
          return false
        }
        model.entities[entity].attributes[index] = ManagedAttribute(
          name: attributes[index].name, type: .composite,
          elements: [
            ManagedAttribute(name: attributes[index].name, type: .string, isOptional: true)
          ])
      case .bounds:
        guard
          let index = pick(links.filter { model.entities[entity].relationships[$0].isToMany })
        else { return false }
        model.entities[entity].relationships[index].maximumCount = 7
      case .destination:
        guard
          let index = pick(
            links.filter { model.entities[entity].relationships[$0].inverse == nil }),
          let other = pick(model.entities.map(\.name))
        else { return false }
        model.entities[entity].relationships[index].destination = other
      case .two, .three:
        let single: [Alteration] = [
          .optional, .type, .removed, .added, .renamed, .unique, .relationshipOptional, .modifier,
          .enumForPlain,
        ]
        for _ in 0..<(kind == .two ? 2 : 3) {
          guard let next = pick(single), alter(next, in: entity) else { return false }
        }
      }
      return true
    }

    private mutating func remove(_ name: String, in entity: Int) {
      model.entities[entity].attributes.removeAll { $0.name == name }
      model.entities[entity].uniqueness.removeAll { $0.contains(name) }
      model.entities[entity].indexes.removeAll { $0.properties.contains(name) }
    }

    private mutating func unlink(_ inverse: String?, in destination: String, to name: String? = nil)
    {
      guard let place = model.entities.firstIndex(where: { $0.name == destination }),
        let link = model.entities[place].relationships.firstIndex(where: { $0.name == inverse })
      else { return }
      model.entities[place].relationships[link].inverse = name
    }
  }

  /// A store that was written with a model, and the manifests of an altered one.
  struct Case {
    var kind: Alteration
    var store: ManagedModel
    var folder: ManifestFolder
    var altered: ManagedModel
  }

  static func cases(_ count: Int) -> [Case] {
    var generator = SplitMix64(seed: 37)
    var cases: [Case] = []
    var turn = 0
    while cases.count < count, turn < count * 40 {
      turn += 1
      let kind = Alteration.allCases[turn % Alteration.allCases.count]
      guard let base = models.randomElement(using: &generator),
        let entity = base.entities.indices.randomElement(using: &generator),
        base.entities[entity].superentity == nil
      else { continue }
      // As the manifest of a store has it: what no manifest tells is in neither.
      let store = VersionModel(StoreSchema.version(of: base, number: VersionNumber(1)).version)
        .model
      guard let place = store.entities.firstIndex(where: { $0.name == base.entities[entity].name })
      else { continue }
      var alterer = Alterer(
        generator: SplitMix64(seed: UInt64(turn)), model: store)
      guard alterer.alter(kind, in: place) else { continue }
      let version = StoreSchema.version(of: alterer.model, number: VersionNumber(1)).version
      let files = MemoryFiles([
        SourceFile(path: "Schemas/V1.yaml", text: ManifestText(version).text)
      ])
      let read = SchemaFolder.read("Schemas", fileSystem: files)
      guard let folder = ManifestFolder(read),
        let altered = folder.candidates.last?.model.model,
        altered.versionHashes != store.versionHashes, store.hashDoubts.isEmpty
      else { continue }
      cases.append(Case(kind: kind, store: store, folder: folder, altered: altered))
    }
    return cases
  }

  @Test(
    "what was altered is found in most cases, and never wrongly",
    .enabled(if: Checkout.runsEverything))
  func alterations() throws {
    let cases = Self.cases(Self.count)
    #expect(cases.count == Self.count)
    var found = 0
    for example in cases {
      let diagnosis = try DiagnosisTests.diagnose(
        example.store, hasCache: false, folder: example.folder)
      #expect(!diagnosis.isRecognised)
      let unexplained = diagnosis.entities.filter { $0.status == .unexplained }
      if unexplained.isEmpty { found += 1 }
      if let model = diagnosis.storeModel {
        #expect(model.versionHashes == example.store.versionHashes)
      }
      guard Self.count > 100, !unexplained.isEmpty else { continue }
      let differences = ModelComparison(example.store, example.altered).differences
      print("not found:", example.kind, diagnosis.hashCount, differences.map(\.detail))
    }
    if Self.count > 100 { print("found: \(found) of \(cases.count)") }
    #expect(found * 100 >= cases.count * 95)
  }
}
