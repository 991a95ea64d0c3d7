import Foundation
import SchemaEvolution
import SchemaManifest
import SchemaModel
import SchemaReporting
import SchemaWorkspace
import SwiftAdoption
import SwiftSources
import TestSupport
import Testing

/// The corpus: each folder of Tests/Support/Fixtures/Adoption has sources in a form that real apps use, the manifests
/// adopted from them, and the report.
///
/// `RECORD_ADOPTIONS=1 swift test --filter AdoptionCorpusTests` records them again.
@Suite struct AdoptionCorpusTests {
  static let corpus = URL(filePath: Checkout.root).appending(
    path: "Tests/Support/Fixtures/Adoption")
  static let forms: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: corpus.path)) ?? []).sorted()

  static func adopt(
    _ form: String, options: Adoption.Options = Adoption.Options()
  ) -> (adopt: SourceAdoption, report: String) {
    let folder = corpus.appending(path: form).path
    let tree = SourceTree(folders: [folder + "/Sources"])
    func named(_ files: [SourceFile]) -> [SourceFile] {
      files.map {
        SourceFile(path: String($0.path.dropFirst(folder.count + 1)), bytes: $0.bytes)
      }
    }
    let adopt = SourceAdoption.adopt(
      named(tree.files(containing: SourceAdoption.prefilter).files),
      options: SourceAdoption.Options(folder: "Schemas", adoption: options),
      fileSystem: MemoryFiles()
    ) { named(tree.files(containing: SourceAdoption.prefilter(declaring: $0)).files) }
    let text = TextReport(sources: adopt.sources)
    let report =
      text.render(adopt.findings) + (adopt.isRefused ? "refused\n" : "")
      + text.render(adopt.questions)
    return (adopt, report)
  }

  @Test(arguments: forms) func comesToItsManifests(form: String) throws {
    let (adopt, report) = Self.adopt(form)
    let folder = Self.corpus.appending(path: form)
    // The integration test removes what the report says is generated from now on.
    var expected: [String: String] = [
      "report.txt": report, "replaced.txt": adopt.replaced.map { $0 + "\n" }.joined(),
    ]
    if !adopt.isRefused {
      for file in adopt.files { expected["Adopted/" + file.path] = file.text }
    }
    if ProcessInfo.processInfo.environment["RECORD_ADOPTIONS"] == "1" {
      try? FileManager.default.removeItem(at: folder.appending(path: "Adopted"))
      for (path, text) in expected {
        try Disk().write(Array(text.utf8), to: folder.appending(path: path).path)
      }
    }
    let recorded = try Self.files(below: folder.appending(path: "Adopted"))
    #expect(recorded == Set(expected.keys.filter { $0.hasPrefix("Adopted/") }))
    for (path, text) in expected {
      let known = try? String(contentsOf: folder.appending(path: path), encoding: .utf8)
      #expect(known == text, "\(form)/\(path): RECORD_ADOPTIONS=1 records anew")
    }
  }

  /// Each form must report something that another does not: an empty corpus would prove nothing.
  @Test func theCorpusIsThere() {
    #expect(Self.forms.count >= 16)
    #expect(
      Self.forms.filter { Self.adopt($0).adopt.isRefused }
        == [
          "deciding-lists", "left-over-files", "mixed-enums", "mixed-order", "refused",
          "two-containers",
        ])
  }

  /// If one property is unclear, the others are adopted, as a draft from which nothing is generated.
  @Test func whatCannotBeToldIsADraft() throws {
    let (adopt, report) = Self.adopt("drafts")
    #expect(adopt.isDraft && !adopt.isRefused, "\(report)")
    let files = MemoryFiles(adopt.files)
    let generation = GenerationPipeline(fileSystem: files).run("Schemas")
    #expect(generation.isMalformed && generation.changes.isEmpty)
    #expect(
      Set(generation.diagnostics.filter { $0.severity == .error }.compactMap(\.element)) == [
        "Trip", "Trip.stops", "Trip.mystery", "Trip.others", "Stop.pair", "Stop.wrapped",
        "Stop.renamed",
      ], "\(report)")
    // Each is reported where the class declares it.
    #expect(
      adopt.questions.filter { $0.severity == .error }.allSatisfy {
        $0.location?.file == "Schemas/V2.yaml"
          && $0.related.last?.location.file.hasSuffix("Store.swift") == true
      })
    let stage = try #require(adopt.files.first { $0.name == "V1ToV2.swift" }?.text)
    #expect(stage.contains("trip.code = trip.name"))
    // With each of them written, the draft becomes a schema.
    var text = try #require(adopt.files.first { $0.name == "V2.yaml" }?.text)
    for (draft, written) in [
      ("mystery: …", "mystery: String?"), ("others: …", "others: { relationship: \"[Stop]\" }"),
      (", inverse: gone", ""), ("pair: …", "pair: \"[Int]?\""), ("wrapped: …", "wrapped: Int?"),
      ("renamed: …", "renamed: String?"), ("[…]", "[name]"),
    ] {
      #expect(text.contains(draft), "\(draft) in \(text)")
      text = text.replacing(draft, with: written)
    }
    files.write(Array(text.utf8), to: "Schemas/V2.yaml")
    #expect(!GenerationPipeline(fileSystem: files).run("Schemas").isMalformed)
  }

  /// Classes stay at the top level, even beside a version with copies of them, but not beside one with other classes.
  @Test(arguments: [
    ("unversioned", nil), ("live-classes", "the models of 'SchemaV1' are copies of classes"),
    ("live-beside", "nested in another declaration ('SchemaV1.Walk'"),
    ("stages", "nested in another declaration"),
  ])
  func classesStay(form: String, told: String?) throws {
    let (adopt, report) = Self.adopt(form, options: Adoption.Options(keepsClasses: true))
    let settings = try #require(adopt.files.first { $0.name == "schemagen.yaml" }?.text)
    let stay = !(told?.contains("nested") ?? false)
    #expect(settings.contains("classes: ") == stay, "\(report)")
    #expect(told.map(report.contains) ?? true, "\(report)")
    #expect(!stay || !adopt.files.contains { $0.name.hasSuffix("+Members.swift") })
  }

  /// If several containers have different models, the named one is taken, and none is guessed.
  @Test(arguments: [
    ("App.swift:7", ["Book", "Note"]), ("Sources/App.swift:18", ["Entry"]),
    ("App.swift:12", []), ("pp.swift:7", []),
  ])
  func oneContainerIsAdopted(container: String, models: [String]) {
    let (adopt, report) = Self.adopt(
      "two-containers", options: Adoption.Options(container: .at(container)))
    #expect(adopt.isRefused == models.isEmpty, "\(report)")
    #expect(adopt.versions.first?.models ?? 0 == models.count)
    let text = adopt.files.first { $0.name == "V1.yaml" }?.text ?? ""
    for model in ["Book", "Note", "Entry"] {
      #expect(text.contains("  \(model):\n") == models.contains(model))
    }
  }

  @Test func aContainerIsNotForAnAppWithVersions() {
    let (adopt, report) = Self.adopt("stages", options: Adoption.Options(container: .at("A.swift")))
    #expect(
      adopt.isRefused
        && report.contains("the app has versions, and '--container' is for an app without versions")
    )
  }

  /// Additions of SDK 26: a schema of classes without brackets, and a type that needs no declaration.
  @Test(arguments: [
    "Schema(Note.self, Page.self)",
    "Schema(Note.self, Page.self, version: Schema.Version(2, 0, 0))",
    "Schema([Note.self, Page.self])",
  ])
  func newerForms(schema: String) throws {
    let file = SourceFile(
      path: "App.swift",
      text: """
        let container = try ModelContainer(for: \(schema), configurations: ModelConfiguration())
        @Model final class Note { var body: AttributedString?; init() {} }
        @Model final class Page { var number = 0; init() {} }
        @Model final class Draft { var text = ""; init() {} }
        """)
    let adopt = SourceAdoption.adopt(
      [file], options: SourceAdoption.Options(folder: "Schemas"), fileSystem: MemoryFiles()
    ) { _ in [] }
    let text = try #require(adopt.files.first { $0.name == "V1.yaml" }?.text)
    #expect(text.contains("  Note:\n") && text.contains("  Page:\n") && !text.contains("Draft"))
    #expect(text.contains("body: AttributedString?") && !text.contains("types:"), "\(text)")
    #expect(!adopt.isRefused)
  }

  /// A store is named after its plan or the enclosing type, or after both if that does not distinguish it.
  @Test(arguments: [
    (["NotesMigrationPlan", "CoversPlan"], ["Covers", "Notes"]),
    (["Notes.MigrationPlan", "Covers.Plan"], ["Covers", "Notes"]),
    (["NotesPlan", "NotesMigrationPlan"], ["NotesMigrationPlan", "NotesPlan"]),
    (["Old.Plan", "Plan.Old"], ["OldPlan", "PlanOld"]),
  ])
  func storesAreCalledAfterPlans(plans: [String], stores: [String]) {
    let files = plans.enumerated().map { place, plan in
      let parts = plan.split(separator: ".")
      let body = """
        enum \(parts.last!): SchemaMigrationPlan {
          static var schemas: [any VersionedSchema.Type] { [V\(place).self] }
          static var stages: [MigrationStage] { [] }
        }
        """
      return SourceFile(
        path: "\(place).swift",
        text: """
          enum V\(place): VersionedSchema {
            static let versionIdentifier = Schema.Version(1, 0, 0)
            static var models: [any PersistentModel.Type] { [Row.self] }
            @Model final class Row { var x: Int = 0 }
          }
          \(parts.count == 1 ? body : "enum \(parts[0]) { \(body) }")
          """)
    }
    let adopt = SourceAdoption.adopt(
      files, options: SourceAdoption.Options(folder: "Schemas"), fileSystem: MemoryFiles()
    ) { _ in [] }
    #expect(!adopt.isRefused)
    #expect(adopt.folders.sorted() == stores.map { "Schemas/\($0)" })
  }

  /// Plans that share a version would each generate it.
  @Test func plansThatShareVersionsAreNotAdoptedTogether() {
    func plan(_ name: String, _ versions: String) -> String {
      """
      enum \(name): SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [\(versions)] }
        static var stages: [MigrationStage] { [] }
      }

      """
    }
    let versions = (1...3).map { number in
      """
      enum V\(number): VersionedSchema {
        static let versionIdentifier = Schema.Version(\(number), 0, 0)
        static var models: [any PersistentModel.Type] { [Row.self] }
        @Model final class Row { var x\(number): Int = 0 }
      }

      """
    }.joined()
    let file = SourceFile(
      path: "A.swift",
      text: versions + plan("Old", "V1.self, V2.self") + plan("New", "V2.self, V3.self"))
    func adopt(_ plan: String?) -> SourceAdoption {
      SourceAdoption.adopt(
        [file],
        options: SourceAdoption.Options(
          folder: "Schemas", adoption: Adoption.Options(plan: plan)),
        fileSystem: MemoryFiles()
      ) { _ in [] }
    }
    let both = adopt(nil)
    #expect(both.isRefused)
    #expect(
      both.findings.flatMap(\.help).contains("if all stores open with this plan: --plan New"))
    let one = adopt("New")
    #expect(!one.isRefused && one.folders == ["Schemas"])
    #expect(
      one.findings.map(\.message).contains("'Old' is not adopted: 'New' also lists 'V2'")
    )
  }

  /// Inferred inverses are part of the version's identity, whether or not they are written.
  @Test func writtenInversesChangeNoIdentity() throws {
    let text = try #require(
      Self.adopt("inferred-inverses").adopt.files.first { $0.name == "V1.yaml" }?.text)
    func identity(_ text: String) throws -> (String, Int) {
      let version = try #require(
        ManifestReader().read(SourceFile(path: "V1.yaml", text: text)).version)
      let written = version.models.flatMap(\.properties).count {
        $0.relationship?.declaresInverse ?? false
      }
      return (IdentityReader([version]).identity(of: version).certain, written)
    }
    let bare = text.replacing(", inverse: author", with: "").replacing(", inverse: tag", with: "")
    let (adopted, unsaid) = (try identity(text), try identity(bare))
    #expect((adopted.1, unsaid.1) == (3, 1))
    #expect(adopted.0 == unsaid.0)
    // With two candidates nothing is inferred, and the declared inverse counts.
    func withAnother(_ text: String) -> String {
      text.replacing(
        "      stars: Int = 0", with: "      stars: Int = 0\n      other: { relationship: Tag? }")
    }
    let (said, left) = (try identity(withAnother(text)), try identity(withAnother(bare)))
    #expect(said.0 != left.0)
  }

  /// Defaults of an initialiser's parameters do not affect a store.
  @Test func defaultsOfInitializersAreNoDefaultsOfProperties() throws {
    let text = try #require(
      Self.adopt("initializers").adopt.files.first { $0.name == "V1.yaml" }?.text)
    func version(_ text: String) throws -> SchemaVersion {
      try #require(ManifestReader().read(SourceFile(path: "V1.yaml", text: text)).version)
    }
    let adopted = try version(text)
    let servings = try #require(adopted.model(named: "Recipe")?.property(named: "servings"))
    #expect(servings.attribute?.defaultValue == nil)
    #expect(servings.initializerDefault?.text == "2")
    let bare = try version(
      text.replacing("{ type: Int, init: 2 }", with: "Int").replacing(", init: 3", with: ""))
    #expect(bare != adopted)
    func identity(_ version: SchemaVersion) -> String {
      IdentityReader([version]).identity(of: version).certain
    }
    #expect(identity(adopted) == identity(bare))
  }

  /// A declared inverse would stop the framework from inferring the others of its model.
  @Test(arguments: [("Person?", false), ("[Person]", true)])
  func ownInversesStayInferred(partner: String, isWritten: Bool) {
    let text = """
      @Model final class Person {
        var partner: \(partner)
        var home: Home?
      }
      @Model final class Home {
        var people: [Person] = []
      }
      """
    let source = SwiftSource(SourceFile(path: "A.swift", text: text))
    let home = Adoption.read([source]).history.first?.model(named: "Home")
    #expect(home?.property(named: "people")?.relationship?.declaresInverse == isWritten)
  }

  /// A member is removed as it is written, and an initialiser that does more than the generated one is named.
  @Test(arguments: [
    ("init(first: Int) { count = first }", ["init(first:)"]),
    ("init(count: Int) { self.count = count }", []),
    ("init(count: Int = 2) { self.count = count }; init() { count = 3 }", ["init()"]),
    ("init(count: Int) throws { self.count = count }", ["init(count:)"]),
    ("init(count: Int) { self.count = count; print(count) }", ["init(count:)"]),
    ("init(count: Int) { self.count = count }; deinit {}", ["deinit"]),
  ])
  func whatNoExtensionCanHaveIsNamed(members: String, refused: [String]) {
    let text = "@Model final class Trip { var count: Int; \(members); func  walk ( ) {} }"
    let adopt = SourceAdoption.adopt(
      [SourceFile(path: "A.swift", text: text)],
      options: SourceAdoption.Options(folder: "Schemas"), fileSystem: MemoryFiles()
    ) { _ in [] }
    let named = adopt.findings.filter { $0.rule == .notCarried && $0.severity == .warning }
    #expect(
      named.map { String($0.message.split(separator: "'")[0]) } == refused,
      "\(adopt.findings.map(\.message))")
    let file = adopt.files.first { $0.name == "Trip+Members.swift" }
    #expect(file?.text.contains("\n  func  walk ( ) {}\n") == true)
  }

  private static func files(below folder: URL) throws -> Set<String> {
    guard let walk = FileManager.default.enumerator(atPath: folder.path) else { return [] }
    var files: Set<String> = []
    for case let path as String in walk {
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(
        atPath: folder.path + "/" + path, isDirectory: &isFolder)
      if !isFolder.boolValue { files.insert("Adopted/" + path) }
    }
    return files
  }
}
