import SchemaModel
import SchemaWorkspace
import TestSupport
import Testing

@testable import SwiftSources

/// What a snapshot makes of classes, one thing at a time.
@Suite struct SnapshotTests {
  private static let manifest = """
    version: 1.0.0
    # About the app.
    models:
      Trip:
        entity: TripEntity
        properties:
          # The name that people see.
          name: String
          days: { type: Int, default: 1, entityProperty: length }  # at least one
          stops: { relationship: "[Stop]", inverse: trip, deleteRule: cascade }
      Stop:
        properties:
          trip: { relationship: "Trip?" }

    """
  private static let classes = """
    import SwiftData

    @Model
    final class Trip {
      var name: String
      var days: Int = 1
      @Relationship(deleteRule: .cascade, inverse: \\Stop.trip) var stops: [Stop] = []
      init() { name = "" }
    }

    @Model
    final class Stop {
      var trip: Trip?
      init() {}
    }
    """

  private func disk(_ manifests: [String: String] = [:], settings: String = "") -> MemoryDisk {
    var files = [
      "Schemas/V1.yaml": Self.manifest,
      "Schemas/schemagen.yaml": "classes: ../App\nconverters: toEntity\n" + settings,
    ]
    for (name, text) in manifests { files["Schemas/\(name)"] = text }
    return MemoryDisk(files)
  }

  private func snapshot(_ classes: String, on disk: MemoryDisk) throws -> Snapshot {
    let file = SourceFile(path: "App/Models.swift", text: classes)
    let folder = SchemaFolder.read("Schemas", fileSystem: disk)
    return try #require(Snapshot.take(folder, files: [file], fileSystem: disk))
  }

  private func release(_ disk: MemoryDisk) throws {
    try GenerationPipeline(fileSystem: disk).run("Schemas").write(to: disk)
    let run = ReleaseMarking.prepare("Schemas", upTo: nil, fileSystem: disk)
    #expect(!run.diagnostics.hasErrors)
    try run.write(to: disk)
  }

  @Test("Classes that say what the manifest says change nothing")
  func unchanged() throws {
    let snapshot = try snapshot(Self.classes, on: disk())
    #expect(snapshot.changes.isEmpty && !snapshot.isRefused)
    #expect(!snapshot.files.contains { $0.path.hasSuffix("V1.yaml") })
  }

  @Test("Only what the classes changed is edited")
  func edits() throws {
    let disk = disk()
    let edited = Self.classes
      .replacing(
        "var days: Int = 1", with: "/// How long.\n  var days: Int = 2\n  var note: String?")
    let snapshot = try snapshot(edited, on: disk)
    #expect(Set(snapshot.changes.map(\.element)) == ["Trip.note", "Trip.days"])
    try snapshot.write(to: disk)
    let text = try #require(disk["Schemas/V1.yaml"])
    #expect(text.contains("# The name that people see.\n      name: String\n"))
    #expect(
      text.contains(
        "days: { type: Int, default: 2, entityProperty: length, doc: How long. }  # at least one\n")
    )
    #expect(text.contains("      note: String?\n  Stop:\n"))
  }

  @Test("A new key has the place at which a manifest is written with it")
  func order() throws {
    let manifest = Self.manifest.replacing(
      "name: String\n", with: "name: { type: String, entityProperty: label }\n")
    let disk = disk(["V1.yaml": manifest])
    let edited = Self.classes
      .replacing("@Model\nfinal class Trip", with: "/// A journey.\n@Model\nfinal class Trip")
      .replacing("@Model\nfinal class Stop", with: "/// A place.\n@Model\nfinal class Stop")
      .replacing("var name: String", with: "/// For people.\n  var name: String = \"x\"")
      .replacing("  init() { name", with: "  #Unique<Trip>([\\.name])\n  init() { name")
    try snapshot(edited, on: disk).write(to: disk)
    let text = try #require(disk["Schemas/V1.yaml"])
    #expect(text.contains("  Trip:\n    doc: A journey.\n    entity: TripEntity\n"))
    #expect(
      text.contains(
        "name: { type: String, default: '\"x\"', entityProperty: label, doc: For people. }\n"))
    #expect(text.contains("    unique: [[name]]\n  Stop:\n    doc: A place.\n    properties:\n"))
  }

  @Test(
    "Documentation is taken as a manifest can hold it", arguments: ["///     ", "/// \u{200B}"])
  func documentation(start: String) throws {
    let disk = disk()
    let edited = Self.classes.replacing(
      "var name: String", with: "\(start)For people.\n  /// - All of them.\n  var name: String")
    let snapshot = try snapshot(edited, on: disk)
    #expect(!snapshot.isRefused, "\(snapshot.findings.map(\.message))")
    try snapshot.write(to: disk)
    #expect(
      disk["Schemas/V1.yaml"]?.contains("          For people.\n          - All of them.\n") == true
    )
    #expect(try self.snapshot(edited, on: disk).changes.isEmpty)
  }

  @Test("A version that has shipped stays; the next one begins without its step")
  func next() throws {
    let disk = disk()
    try release(disk)
    let shipped = disk["Schemas/V1.yaml"]
    let edited = Self.classes.replacing(
      "var name: String", with: "@Attribute(originalName: \"name\") var title: String")
    let snapshot = try snapshot(edited, on: disk)
    #expect(snapshot.isNext && snapshot.manifest == "Schemas/V2.yaml")
    #expect(snapshot.changes.map(\.what) == ["rename an attribute (name → title)"])
    try snapshot.write(to: disk)
    #expect(disk["Schemas/V1.yaml"] == shipped)
    let text = try #require(disk["Schemas/V2.yaml"])
    #expect(text.hasPrefix("version: 2.0.0\n# About the app.\n"))
    #expect(
      text.contains(
        "      # The name that people see.\n      title: { type: String, renamedFrom: name }\n"))
    #expect(disk["Schemas/Generated/SchemaV1.swift"]?.contains("class Trip") == true)
    #expect(disk["Schemas/Generated/SchemaV2.swift"]?.contains("typealias Trip = LiveTrip") == true)
  }

  @Test("A class that lost the original name of its property is refused, with what to write")
  func originalName() throws {
    let disk = disk()
    try release(disk)
    let renamed = Self.classes.replacing(
      "var name: String", with: "@Attribute(originalName: \"name\") var title: String")
    try snapshot(renamed, on: disk).write(to: disk)
    let lost = try snapshot(
      renamed.replacing("@Attribute(originalName: \"name\") ", with: ""), on: disk)
    let finding = try #require(lost.findings.first { $0.rule == .modelDiffers })
    #expect(finding.help == ["write in the class: @Attribute(originalName: \"name\")"])
    #expect(finding.location?.file == "App/Models.swift")
    #expect(lost.files.isEmpty)
  }

  @Test("A manifest that has shipped and was edited is no ground for the next")
  func editedRelease() throws {
    let disk = disk()
    try release(disk)
    disk["Schemas/V1.yaml"] = disk["Schemas/V1.yaml"]?.replacing(
      "name: String", with: "name: String?")
    let snapshot = try snapshot(Self.classes, on: disk)
    #expect(
      snapshot.isRefused && snapshot.findings.contains { $0.rule.id == "shipped-version-edited" })
  }

  @Test("What may stand only in a version of before is no ground for the next either")
  func reservedName() throws {
    let manifest = """
      version: 1.0.0
      models:
        Note:
          properties:
            isDeleted: Bool = false
      identity: shipped

      """
    let disk = disk(["V1.yaml": manifest])
    let classes = """
      @Model final class Note {
        var isDeleted: Bool = false
        var text: String?
        init() {}
      }
      """
    let snapshot = try snapshot(classes, on: disk)
    #expect(snapshot.isRefused && snapshot.files.isEmpty)
    #expect(snapshot.findings.map(\.rule.id) == ["reserved-name"])
    #expect(snapshot.findings.first?.help.last?.contains("schemagen new-version") == true)
  }

  @Test("A comment is as good as the manifest's key, and wins")
  func comments() throws {
    let disk = disk()
    try release(disk)
    func edited(_ fill: String) -> String {
      Self.classes.replacing(
        "var name: String", with: "var name: String\n  var isDone: Bool  // schemagen:fill \(fill)")
    }
    try snapshot(edited("false"), on: disk).write(to: disk)
    #expect(disk["Schemas/V2.yaml"]?.contains("isDone: { type: Bool, fill: false }") == true)
    let changed = try snapshot(edited("true"), on: disk)
    #expect(changed.changes.map(\.what) == ["fill: true"])
    try changed.write(to: disk)
    #expect(disk["Schemas/V2.yaml"]?.contains("isDone: { type: Bool, fill: true }") == true)
    // The step has shipped: what was said of it is done.
    try release(disk)
    let next = try snapshot(
      edited("true").replacing("var days: Int = 1", with: "var days: Int?"), on: disk)
    try next.write(to: disk)
    #expect(disk["Schemas/V3.yaml"]?.contains("isDone: { type: Bool }\n") == true)
  }

  @Test(
    "What is not understood is refused, with its place",
    arguments: [
      ("var name: String  // schemagen:fil \"\"", "unknown comment 'schemagen:fil'"),
      ("var name: String  // schemagen:fill (\"\"", "'(' is never closed"),
      (
        "var (name, other): (String, String)", "'(name, other)' declares several properties at once"
      ),
      (
        "var name: String\n  // schemagen:fill 1\n  func f() {}",
        "'schemagen:fill' stands at nothing that it could speak of"
      ),
    ])
  func refused(_ line: String, _ message: String) throws {
    let snapshot = try snapshot(Self.classes.replacing("var name: String", with: line), on: disk())
    #expect(snapshot.isRefused)
    let finding = try #require(
      snapshot.findings.first { $0.message == message }, "\(snapshot.findings.map(\.message))")
    #expect(finding.location?.file == "App/Models.swift")
  }

  @Test(
    "What generated code in other files cannot reach is named",
    arguments: [
      ("private(set) ", "both", "has a setter that is private"),
      ("// schemagen:inEntity omit\n  private(set) ", "both", nil),
      ("fileprivate(set) ", "toEntity", nil), ("private ", "toEntity", "is private"),
      ("private ", "none", nil), ("private ", "none\ntests: Tests", "is private"),
    ])
  func access(_ modifier: String, _ converters: String, _ found: String?) throws {
    let disk = disk()
    disk["Schemas/schemagen.yaml"] = "classes: ../App\nconverters: \(converters)\n"
    let classes = Self.classes.replacing("var days", with: modifier + "var days")
    let snapshot = try snapshot(classes, on: disk)
    let finding = snapshot.findings.first { $0.severity == .error }
    #expect(finding?.element == found.map { _ in "Trip.days" }, "\(snapshot.findings)")
    #expect(found.map { finding?.message.contains($0) == true } ?? true, "\(snapshot.findings)")
    #expect(found == nil || !snapshot.files.contains { $0.path.contains("Generated") })
  }

  @Test("An enum that older versions still store is not to go")
  func goneType() throws {
    let typed = Self.classes.replacing("var days", with: "var kind: Kind = Kind.walk\n  var days")
    let disk = disk()
    try snapshot(typed + "\nenum Kind: String, Codable { case walk, ride }", on: disk).write(
      to: disk)
    try release(disk)
    let drop = Self.classes.replacing(
      "@Model\nfinal class Trip", with: "// schemagen:drop kind: all walk\n@Model\nfinal class Trip"
    )
    #expect(
      try !snapshot(drop + "\nenum Kind: String, Codable { case walk, ride }", on: disk).findings
        .hasErrors)
    let lost = try snapshot(drop, on: disk)
    let finding = try #require(lost.findings.first { $0.rule == .undeclaredType })
    #expect(finding.severity == .error && finding.message.hasPrefix("no file declares 'Kind'"))
    #expect(!lost.files.contains { $0.path.contains("Generated") })
  }

  @Test("A class inside another declaration is refused, unless the app does not store it")
  func nested() throws {
    let more =
      Self.classes
      + "\nenum Cache {\n  @Model final class Draft { var text: String = \"\"; init() {} }\n}\n"
    #expect(try snapshot(more, on: disk()).isRefused)
    let other = try snapshot(more, on: disk(settings: "notStored: [Draft]\n"))
    #expect(!other.isRefused && other.changes.isEmpty)
  }

  @Test("A class that is renamed says so in a comment, and keeps its place in the manifest")
  func renamedModel() throws {
    let disk = disk()
    try release(disk)
    let edited = Self.classes.replacing("Trip", with: "Journey")
      .replacing("import SwiftData\n", with: "import SwiftData\n\n// schemagen:renamedFrom Trip")
    let snapshot = try snapshot(edited, on: disk)
    try snapshot.write(to: disk)
    let text = try #require(disk["Schemas/V2.yaml"])
    #expect(
      text.contains(
        "  Journey:\n    renamedFrom: Trip\n    entity: TripEntity\n    properties:\n      # The name that people see.\n"
      ))
    // A relationship to a renamed entity is a column of another name to the engine.
    let demand = "@Relationship(originalName: \"tripV2\")"
    #expect(snapshot.findings.map(\.help) == [["write in the class: \(demand)"]])
    let settled = try self.snapshot(
      edited.replacing("var trip: Journey?", with: "\(demand) var trip: Journey?"), on: disk)
    #expect(!settled.findings.hasErrors && settled.changes.isEmpty, "\(settled.findings)")
  }

  @Test("What may go is said at the class")
  func drops() throws {
    let disk = disk()
    try release(disk)
    let edited = Self.classes.replacing("  var days: Int = 1\n", with: "")
      .replacing(
        "@Model\nfinal class Trip",
        with: "// schemagen:drop days: nobody counted them\n@Model\nfinal class Trip")
    let snapshot = try snapshot(edited, on: disk)
    try snapshot.write(to: disk)
    #expect(disk["Schemas/V2.yaml"]?.contains("drops:\n  Trip.days: nobody counted them\n") == true)
    #expect(!snapshot.findings.hasErrors, "\(snapshot.findings)")
    // Beside what could be its new name, a reason is not enough, and the class has a place for more.
    let replaced = edited.replacing("nobody counted them", with: "no use").replacing(
      "var name: String", with: "var nights: Int = 1\n  var name: String")
    let asked = try self.snapshot(replaced, on: disk)
    let finding = try #require(asked.findings.first { $0.severity == .error })
    #expect(
      finding.help.prefix(2) == [
        "if 'nights' is its new name, remove the drop, and write in the class: @Attribute(originalName: \"days\")",
        "if none of its values goes on there, write in the class: "
          + "// schemagen:drop days: { reason: \"no use\", notCarriedTo: nights }",
      ], "\(asked.findings)")
    let told = replaced.replacing(
      "days: no use", with: "days: { reason: \"no use\", notCarriedTo: nights }")
    let settled = try self.snapshot(told, on: disk)
    #expect(!settled.findings.hasErrors, "\(settled.findings)")
    try settled.write(to: disk)
    #expect(
      disk["Schemas/V2.yaml"]?.contains(
        "  Trip.days: { reason: no use, notCarriedTo: nights }\n") == true)
    // The other answer. What a snapshot has written stays until somebody takes it out.
    disk["Schemas/V2.yaml"]?.replace(
      "  Trip.days: { reason: no use, notCarriedTo: nights }\n", with: "")
    disk["Schemas/V2.yaml"]?.replace("drops:\n", with: "")
    let renamed = replaced.replacing("// schemagen:drop days: no use\n", with: "")
      .replacing("var nights", with: "@Attribute(originalName: \"days\") var nights")
    #expect(try !self.snapshot(renamed, on: disk).findings.hasErrors)
  }

  @Test("A new class that two stores would take is named", arguments: ["", "notStored: [Tag]\n"])
  func severalStores(settings: String) throws {
    let disk = disk()
    disk["Other/V1.yaml"] =
      "version: 1.0.0\nmodels:\n  Draft: { properties: { text: String } }\n"
    disk["Other/schemagen.yaml"] = "classes: ../App\n" + settings
    let more = Self.classes + "\n@Model final class Tag { var text: String = \"\"; init() {} }\n"
    let snapshot = try snapshot(more, on: disk)
    let told = snapshot.findings.filter { $0.element == "Tag" }.map(\.message)
    #expect(
      told
        == (settings.isEmpty
          ? ["'Tag' becomes a model of 'Schemas', and 'Other' keeps classes of the same folder"]
          : []))
    #expect(!snapshot.isRefused && snapshot.changes.map(\.element) == ["Tag"])
    try snapshot.write(to: disk)
    #expect(try self.snapshot(more, on: disk).findings.isEmpty, "it is told once")
  }

  @Test("Classes that the app begins to keep have the manifest's comments")
  func begin() throws {
    let manifest = """
      # About the app.
      version: 1.0.0
      # All of them.
      models:
        # On foot.
        Trip:
          doc: A journey.
          properties:
            # The name that people see,
            # and search.
            # schemagen:accept missing-default: it is clear
            name: String
            days:  # at least one
              # and at most ten
              type: Int
              doc: How long.
          # One of each name.
          unique: [[name]]
      # Those of before.
      types:
        Kind: { enum: String, cases: [walk] }

      """
    let disk = MemoryDisk([
      "Schemas/V1.yaml": manifest, "Schemas/schemagen.yaml": "converters: none\n",
    ])
    try GenerationPipeline(fileSystem: disk).run("Schemas").write(to: disk)
    let begun = ClassFiles.make("Schemas", into: "App", workingFolder: "/", fileSystem: disk)
    #expect(begun.findings.isEmpty, "\(begun.findings.map(\.message))")
    let text = begun.files.first { $0.path == "App/Trip.swift" }
      .map { String(decoding: $0.contents, as: UTF8.self) }
    #expect(
      text?.hasPrefix(
        """
        import Foundation
        import SwiftData

        // On foot.
        // One of each name.
        /// A journey.
        @Model
        final class Trip {
        """) == true, "\(text ?? "")")
    #expect(
      text?.contains(
        """
          // The name that people see,
          // and search.
          var name: String
          // at least one
          // and at most ten
          /// How long.
          var days: Int

        """) == true, "\(text ?? "")")
    #expect(text?.contains("schemagen:") == false)
  }

  @Test("A type inside a class has a name of its own in the manifest")
  func nestedType() throws {
    let disk = disk()
    let edited = Self.classes.replacing(
      "var name: String",
      with:
        "var name: String\n  var kind: Kind = Kind.short\n  enum Kind: Int, Codable { case short, long }"
    )
    try snapshot(edited, on: disk).write(to: disk)
    let text = try #require(disk["Schemas/V1.yaml"])
    #expect(text.contains("kind: TripKind = TripKind.short"))
    #expect(text.contains("TripKind: { enum: Int, cases: { short: 0, long: 1 }, own: Trip.Kind }"))
    #expect(
      disk["Schemas/Generated/ValueTypes.swift"]?.contains("typealias TripKind = Trip.Kind") == true
    )
  }
}
