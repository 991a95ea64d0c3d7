import SchemaModel
import SchemaWorkspace
import TestSupport
import Testing

@testable import CodeFirst
@testable import SwiftAdoption

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

  @Test("A snapshot changes nothing if classes and manifest agree")
  func unchanged() throws {
    let snapshot = try snapshot(Self.classes, on: disk())
    #expect(snapshot.changes.isEmpty && !snapshot.isRefused)
    #expect(!snapshot.files.contains { $0.path.hasSuffix("V1.yaml") })
  }

  @Test("A snapshot keeps the comments of the manifest that it updates")
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
        "      # at least one\n      days: { type: Int, default: 2, entityProperty: length, doc: How long. }\n"
      ))
    #expect(text.contains("      note: String?\n\n  Stop:\n"))
  }

  @Test("A new key is inserted where the manifest printer puts it")
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
    #expect(text.contains("    unique: [[name]]\n\n  Stop:\n    doc: A place.\n    properties:\n"))
  }

  @Test(
    "Documentation comments are copied into the manifest", arguments: ["///     ", "/// \u{200B}"])
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

  @Test(
    "A snapshot leaves a shipped version alone and begins the next one without copying its step keys"
  )
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

  @Test("A class that lost a property's original name is refused, with the line to write")
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

  @Test(
    "A documentation comment that differs from a shipped version is a warning, anything else an error"
  )
  func documentationAlone() throws {
    let disk = disk()
    try release(disk)
    let documented = Self.classes.replacing("var name", with: "/// What it is called.\n  var name")
    let comment = try snapshot(documented, on: disk).differences
    #expect(comment.map(\.severity) == [.warning], "\(comment)")
    #expect(comment.first?.help.last?.contains("schemagen snapshot changes V1.yaml") == true)
    let more = try snapshot(
      documented.replacing("var name", with: "var note: String?\n  var name"), on: disk)
    #expect(more.differences.map(\.severity) == [.error])
  }

  @Test("No next version is written if a shipped manifest was edited")
  func editedRelease() throws {
    let disk = disk()
    try release(disk)
    disk["Schemas/V1.yaml"] = disk["Schemas/V1.yaml"]?.replacing(
      "name: String", with: "name: String?")
    let snapshot = try snapshot(Self.classes, on: disk)
    #expect(
      snapshot.files.isEmpty
        && snapshot.findings.contains { $0.rule.id == "shipped-version-edited" })
  }

  @Test("A reserved name that shipped can stay or be renamed")
  func reservedName() throws {
    let manifest = """
      version: 1.0.0
      models:
        Note:
          properties:
            isDeleted: Bool = false
      identity: shipped

      """
    let classes = """
      @Model final class Note {
        var isDeleted: Bool = false
        var text: String?
        init() {}
      }
      """
    let disk = disk(["V1.yaml": manifest])
    let kept = try snapshot(classes, on: disk)
    #expect(!kept.findings.hasErrors && kept.files.contains { $0.path == "Schemas/V2.yaml" })
    #expect(Set(kept.findings.map(\.rule.id)) == ["reserved-name"])
    let renamed = try snapshot(
      classes.replacing(
        "var isDeleted", with: "@Attribute(originalName: \"isDeleted\") var wasDeleted"), on: disk)
    #expect(!renamed.findings.hasErrors, "\(renamed.findings)")
    try renamed.write(to: disk)
    #expect(disk["Schemas/V2.yaml"]?.contains("renamedFrom: isDeleted") == true)
    // If no version has shipped with it, it is refused.
    let new = self.disk()
    let added = Self.classes.replacing("var name", with: "var isDeleted: Bool = false\n  var name")
    #expect(try snapshot(added, on: new).isRefused)
  }

  @Test("A comment in the class sets a key of the manifest and overrides the key's former value")
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
    // The step has shipped, so its answers have no effect any more.
    try release(disk)
    let next = try snapshot(
      edited("true").replacing("var days: Int = 1", with: "var days: Int?"), on: disk)
    try next.write(to: disk)
    #expect(disk["Schemas/V3.yaml"]?.contains("isDone: Bool\n") == true)
  }

  @Test(
    "A line that cannot be read is refused at its place",
    arguments: [
      ("var name: String  // schemagen:fil \"\"", "unknown comment 'schemagen:fil'"),
      ("var name: String  // schemagen:fill (\"\"", "'(' is never closed"),
      (
        "var (name, other): (String, String)", "'(name, other)' declares several properties at once"
      ),
      (
        "var name: String\n  // schemagen:fill 1\n  func f() {}",
        "'schemagen:fill' is not above a declaration that it applies to"
      ),
    ])
  func refused(_ line: String, _ message: String) throws {
    let snapshot = try snapshot(Self.classes.replacing("var name: String", with: line), on: disk())
    #expect(snapshot.findings.hasErrors && snapshot.files.isEmpty)
    let finding = try #require(
      snapshot.findings.first { $0.message == message }, "\(snapshot.findings.map(\.message))")
    #expect(finding.location?.file == "App/Models.swift")
  }

  @Test(
    "A declaration that generated code cannot access is reported",
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

  @Test("An enum that older versions still store must not be removed")
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

  @Test("A property with a hash modifier may become transient")
  func transient() throws {
    let disk = disk()
    let stored = "@Attribute(hashModifier: \"b\") var days"
    try snapshot(Self.classes.replacing("var days", with: stored), on: disk).write(to: disk)
    try release(disk)
    let drop = "// schemagen:drop days: unused\n@Model\nfinal class Trip"
    for edited in ["@Transient var days", "@Transient \(stored)"] {
      let snapshot = try snapshot(
        Self.classes.replacing("var days", with: edited)
          .replacing("@Model\nfinal class Trip", with: drop), on: disk)
      #expect(!snapshot.findings.hasErrors, "\(snapshot.findings)")
      let manifest = snapshot.files.first { $0.path == "Schemas/V2.yaml" }
      let text = String(decoding: try #require(manifest?.contents), as: UTF8.self)
      #expect(text.contains("transient: true") && !text.contains("hashModifier"))
    }
  }

  @Test("An enum that moved into a namespace needs an alias, since older versions name it")
  func movedType() throws {
    let typed = Self.classes.replacing("var days", with: "var kind: Kind = Kind.walk\n  var days")
    let declaration = "\nenum Kind: String, Codable { case walk, ride }\n"
    let disk = disk()
    disk["Schemas/schemagen.yaml"] = "classes: ../App\nconverters: none\n"
    try snapshot(typed + declaration, on: disk).write(to: disk)
    try release(disk)
    let moved =
      typed.replacing("var days", with: "var note: String = \"\"\n  var days")
      + "\nextension Trip {\(declaration)}\n"
    let refused = try snapshot(moved, on: disk)
    let finding = try #require(refused.findings.first { $0.rule == .undeclaredType })
    #expect(finding.help.last == "or write in Swift: typealias Kind = Trip.Kind", "\(finding)")
    let aliased = try snapshot(moved + "typealias Kind = Trip.Kind\n", on: disk)
    #expect(!aliased.findings.hasErrors, "\(aliased.findings)")
    // The alias holds only as long as the type does.
    let stored = Self.classes.replacing("var days", with: "var lid: Lid?\n  var days")
    let other = self.disk()
    other["Schemas/schemagen.yaml"] = "classes: ../App\nconverters: none\n"
    try snapshot(stored + "\nstruct Lid: Codable { var width: Double }\n", on: other).write(
      to: other)
    try release(other)
    let note = stored.replacing("var days", with: "var note: String = \"\"\n  var days")
    let alias =
      "\ntypealias Lid = Trip.Lid\nextension Trip {\n  struct Lid: Codable { var width: Double }\n}\n"
    try snapshot(note + alias, on: other).write(to: other)
    try release(other)
    let grown = try snapshot(
      note + alias.replacing("width: Double", with: "width: Double; var height: Double?"), on: other
    )
    #expect(
      grown.findings.flatMap(\.help).contains(
        "replace 'typealias Lid' with a copy of the declaration as V1 stores it"),
      "\(grown.findings)")
  }

  @Test("A nested class is refused unless the configuration says that it is not stored")
  func nested() throws {
    let more =
      Self.classes
      + "\nenum Cache {\n  @Model final class Draft { var text: String = \"\"; init() {} }\n}\n"
    #expect(try snapshot(more, on: disk()).isRefused)
    let other = try snapshot(more, on: disk(settings: "notStored: [Draft]\n"))
    #expect(!other.isRefused && other.changes.isEmpty)
  }

  @Test("A comment declares the rename of a class, which keeps its place in the manifest")
  func renamedModel() throws {
    let disk = disk()
    try release(disk)
    let edited = Self.classes.replacing("Trip", with: "Journey")
      .replacing("import SwiftData\n", with: "import SwiftData\n\n// schemagen:renamedFrom Trip")
    let snapshot = try snapshot(edited, on: disk)
    // The engine sees a relationship to a renamed entity as a column with another name.
    let demand = "@Relationship(originalName: \"tripV2\")"
    #expect(snapshot.findings.map(\.help) == [["write in the class: \(demand)"]])
    #expect(snapshot.files.isEmpty)
    let settled = try self.snapshot(
      edited.replacing("var trip: Journey?", with: "\(demand) var trip: Journey?"), on: disk)
    #expect(!settled.findings.hasErrors, "\(settled.findings)")
    try settled.write(to: disk)
    let text = try #require(disk["Schemas/V2.yaml"])
    #expect(
      text.contains(
        "  Journey:\n    renamedFrom: Trip\n    entity: TripEntity\n    properties:\n      # The name that people see.\n"
      ))
  }

  @Test("A drop above another class than the one that had the property is reported")
  func dropAboveAnotherClass() throws {
    let disk = disk()
    try release(disk)
    let edited = Self.classes.replacing("  var days: Int = 1\n", with: "")
      .replacing(
        "@Model\nfinal class Stop", with: "// schemagen:drop days: unused\n@Model\nfinal class Stop"
      )
    let finding = try #require(
      try snapshot(edited, on: disk).findings.first { $0.rule == .malformedAcceptance })
    #expect(finding.message == "'Stop' had no 'days': this comment has no effect")
    #expect(finding.help[0].contains("above 'Trip'") && finding.help[0].contains("drop Trip.days:"))
  }

  @Test("A comment at the class confirms a drop")
  func drops() throws {
    let disk = disk()
    try release(disk)
    let edited = Self.classes.replacing("  var days: Int = 1\n", with: "")
      .replacing(
        "@Model\nfinal class Trip",
        with: "// schemagen:drop days: nobody counted them\n@Model\nfinal class Trip")
    let snapshot = try snapshot(edited, on: disk)
    try snapshot.write(to: disk)
    #expect(
      disk["Schemas/V2.yaml"]?.contains(
        "drops:\n  # at least one\n  Trip.days: nobody counted them\n") == true)
    #expect(!snapshot.findings.hasErrors, "\(snapshot.findings)")
    // If a new property could be the renamed one, a reason is not enough; the comment has room for the other name.
    let replaced = edited.replacing("nobody counted them", with: "no use").replacing(
      "var name: String", with: "var nights: Int = 1\n  var name: String")
    let asked = try self.snapshot(replaced, on: disk)
    let finding = try #require(asked.findings.first { $0.severity == .error })
    #expect(
      finding.help.prefix(2) == [
        "if 'nights' is its new name, remove the drop, and write in the class: @Attribute(originalName: \"days\")",
        "if no new element takes the dropped values, write above 'Trip' in Swift: "
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
    // The other answer. What a snapshot has written stays until somebody removes it.
    disk["Schemas/V2.yaml"]?.replace(
      "  Trip.days: { reason: no use, notCarriedTo: nights }\n", with: "")
    disk["Schemas/V2.yaml"]?.replace("drops:\n", with: "")
    let renamed = replaced.replacing("// schemagen:drop days: no use\n", with: "")
      .replacing("var nights", with: "@Attribute(originalName: \"days\") var nights")
    #expect(try !self.snapshot(renamed, on: disk).findings.hasErrors)
  }

  @Test(
    "A new class that matches two schema folders is reported",
    arguments: ["", "notStored: [Tag]\n"])
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
          ? [
            "'Tag' becomes a model of 'Schemas', but 'Other' reads its classes from the same folder"
          ]
          : []))
    #expect(!snapshot.isRefused && snapshot.changes.map(\.element) == ["Tag"])
    try snapshot.write(to: disk)
    #expect(try self.snapshot(more, on: disk).findings.isEmpty, "it is told once")
  }

  @Test("Class files written from a manifest contain the classes that were generated")
  func begin() throws {
    let manifest = """
      version: 1.0.0
      models:
        # It stays in the manifest.
        Trip:
          doc: A journey.
          properties: { name: String, kind: Kind, days: { type: Int, doc: How long. } }
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

        /// A journey.
        @Model
        final class Trip {
          var name: String
          var kind: Kind
          /// How long.
          var days: Int

        """) == true, "\(text ?? "")")
  }

  @Test("A nested type gets a name that includes its class")
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

  // MARK: After the first release

  /// The base's classes with an enum, released as version 1.
  private static let shipped =
    classes.replacing("var days", with: "/// Kind.\n  var kind: Kind = Kind.walk\n  var days")
    + "\nenum Kind: String, Codable { case walk, ride }\n"

  private func released() throws -> MemoryDisk {
    let disk = disk()
    try snapshot(Self.shipped, on: disk).write(to: disk)
    try release(disk)
    return disk
  }

  private func lint(_ disk: MemoryDisk) -> [Diagnostic] {
    GenerationPipeline(fileSystem: disk).run("Schemas").diagnostics
  }

  @Test(
    "A change that affects neither stores nor rows is written to the shipped version",
    arguments: [
      ("/// Kind.", "/// What kind.\n  ///\n  /// - on foot\n  /// - by bike", "on foot"),
      ("var days: Int = 1", "var days: Int = 7", "default: 7"),
      ("case walk, ride", "case walk, ride, swim", "swim"),
      ("case walk, ride", "case walk, cycle = \"ride\"", "cycle: ride"),
      ("init() { name", "@Transient var isOpen = false\n  init() { name", "transient: true"),
      ("init() { name", "#Index<Trip>([\\.name])\n  init() { name", "index: [[name]]"),
      ("deleteRule: .cascade", "deleteRule: .nullify", "inverse: trip"),
      ("init() { name = \"\" }", "init(name: String = \"x\") { self.name = name }", nil),
    ])
  func freeEdits(_ old: String, _ new: String, _ part: String?) throws {
    let disk = try released()
    let edited = Self.shipped.replacing(old, with: new)
    #expect(edited != Self.shipped)
    let taken = try snapshot(edited, on: disk)
    #expect(!taken.isNext && taken.findings.isEmpty, "\(taken.findings)")
    try taken.write(to: disk)
    #expect(disk["Schemas/V2.yaml"] == nil)
    if let part { #expect(disk["Schemas/V1.yaml"]?.contains(part) == true) }
    #expect(lint(disk).isEmpty, "\(lint(disk))")
    let again = try snapshot(edited, on: disk)
    #expect(again.changes.isEmpty && again.files.isEmpty)
  }

  @Test(
    "A change that affects stores or rows begins the next version",
    arguments: [
      ("var days: Int = 1", "var days: Int?"), ("case walk, ride", "case walk"),
      ("case walk, ride", "case walk, ride = \"bike\""),
      ("var name: String\n", "@Attribute(.unique) var name: String\n"),
      ("var trip: Trip?", "var trip: Trip?\n  var place: String?"),
    ])
  func nextVersion(_ old: String, _ new: String) throws {
    let disk = try released()
    let shipped = disk["Schemas/V1.yaml"]
    let edited = Self.shipped.replacing(old, with: new)
    #expect(edited != Self.shipped)
    let taken = try snapshot(edited, on: disk)
    #expect(taken.isNext)
    if !taken.findings.hasErrors { try taken.write(to: disk) }
    #expect(disk["Schemas/V1.yaml"] == shipped)
  }

  @Test(
    "A new field in a nested struct begins the next version")
  func nestedField() throws {
    let disk = disk()
    let start =
      Self.classes.replacing("var days", with: "var home: Home?\n  var days")
      + "\nstruct Home: Codable { var place: Place? }\nstruct Place: Codable { var lat: Double }\n"
    try snapshot(start, on: disk).write(to: disk)
    try release(disk)
    let taken = try snapshot(
      start.replacing("var lat: Double", with: "var lat: Double; var alt: Double?"), on: disk)
    #expect(taken.isNext && !taken.findings.hasErrors, "\(taken.findings)")
    try taken.write(to: disk)
    #expect(lint(disk).isEmpty, "\(lint(disk))")
  }

  @Test("An answer in a class counts until a version ships with it, whatever else changes")
  func doneAnswers() throws {
    let disk = try released()
    let converted = Self.shipped.replacing(
      "var days: Int = 1",
      with: """
        // schemagen:from days
          // schemagen:convert $0 * 100
          @Attribute(originalName: "daysV2", hashModifier: "V2") var days: Int = 1
          var code: String  // schemagen:fill "x"
        """)
    try snapshot(converted, on: disk).write(to: disk)
    #expect(disk["Schemas/V2.yaml"]?.contains("convert: $0 * 100") == true)
    try release(disk)
    var edited = converted
    for version in 3...5 {
      edited = edited.replacing(
        "var trip: Trip?", with: "var trip: Trip?\n  var added\(version): String?")
      let taken = try snapshot(edited, on: disk)
      #expect(taken.findings.map(\.severity) == [.note], "\(taken.findings)")
      #expect(taken.findings.first?.message.hasPrefix("2 comments answered steps") == true)
      try taken.write(to: disk)
      let text = try #require(disk["Schemas/V\(version).yaml"])
      #expect(!text.contains("convert") && !text.contains("fill"))
      #expect(try snapshot(edited, on: disk).findings.isEmpty, "it is told once")
      try release(disk)
    }
    // The shipped answers do not settle an undeclared rename either.
    let lost = try snapshot(
      edited.replacing(
        "@Attribute(originalName: \"daysV2\", hashModifier: \"V2\") var days",
        with: "var nights"), on: disk)
    #expect(
      lost.findings.contains {
        $0.rule.id == "ambiguous-rename" || $0.rule.id == "unacknowledged-drop"
      })
    #expect(lost.files.isEmpty)
    // The same answer for another step must name the step.
    let again = try snapshot(
      edited.replacing("// schemagen:from days", with: "// schemagen:V6 from days")
        .replacing("// schemagen:convert", with: "// schemagen:V6 convert")
        .replacing("\"daysV2\"", with: "\"daysV6\"").replacing(
          "hashModifier: \"V2\"", with: "hashModifier: \"V6\""),
      on: disk)
    #expect(!again.findings.hasErrors, "\(again.findings)")
    try again.write(to: disk)
    #expect(disk["Schemas/V6.yaml"]?.contains("convert: $0 * 100") == true)
  }

  @Test("A 'dedupe' comment that has shipped does not answer for a constraint of a later version")
  func doneDedupe() throws {
    let disk = try released()
    let keyed = Self.shipped.replacing(
      "  init() { name",
      with: "  // schemagen:dedupe { latest: days }\n  #Unique<Trip>([\\.name])\n  init() { name")
    try snapshot(keyed, on: disk).write(to: disk)
    #expect(disk["Schemas/V2.yaml"]?.contains("dedupe: { latest: days }") == true)
    try release(disk)
    let other = keyed.replacing("[\\.name]", with: "[\\.days]")
    let asked = try snapshot(other, on: disk)
    let finding = try #require(
      asked.findings.first { $0.rule.id == "compound-unique-added" }, "\(asked.findings)")
    #expect(asked.files.isEmpty)
    #expect(
      finding.help.contains { $0.contains("// schemagen:V3 dedupe { latest: … }") },
      "\(finding.help)")
    let told = try snapshot(
      other.replacing(
        "schemagen:dedupe { latest: days }", with: "schemagen:V3 dedupe { latest: name }"), on: disk
    )
    #expect(!told.findings.hasErrors, "\(told.findings)")
    try told.write(to: disk)
    #expect(disk["Schemas/V3.yaml"]?.contains("dedupe: { latest: name }") == true)
  }

  @Test("A drop comment does not cover the same property when it is dropped again later")
  func secondDrop() throws {
    let disk = try released()
    let comment = "// schemagen:drop days: nobody counted\n"
    func without(_ text: String) -> String {
      comment + text.replacing("  var days: Int = 1\n", with: "")
    }
    let first = without(Self.shipped)
      .replacing("import SwiftData\n", with: "import SwiftData\n")
    let placed = Self.shipped.replacing("  var days: Int = 1\n", with: "")
      .replacing("@Model\nfinal class Trip", with: comment + "@Model\nfinal class Trip")
    #expect(first != placed)
    try snapshot(placed, on: disk).write(to: disk)
    #expect(disk["Schemas/V2.yaml"]?.contains("Trip.days: nobody counted") == true)
    try release(disk)
    let back = placed.replacing(
      "  var name: String\n", with: "  var name: String\n  var days: Int?\n")
    try snapshot(back, on: disk).write(to: disk)
    #expect(disk["Schemas/V3.yaml"]?.contains("days: Int?") == true)
    try release(disk)
    let asked = try snapshot(placed, on: disk)
    let finding = try #require(asked.findings.first { $0.rule.id == "unacknowledged-drop" })
    #expect(
      finding.help.contains { $0.contains("// schemagen:V4 drop days: \"why\"") }, "\(finding.help)"
    )
    let told = try snapshot(
      placed.replacing("schemagen:drop", with: "schemagen:V4 drop"), on: disk)
    // V4 looks like V2, and the engine has to tell them apart.
    #expect(told.findings.map(\.help) == [["write in the class: @Attribute(hashModifier: \"V4\")"]])
    let message = told.findings.first?.message ?? ""
    #expect(message.contains("V4 has the same shape as an earlier version"))
  }

  @Test("Answers in a draft follow a property that is renamed before it ships")
  func renamedDraft() throws {
    let disk = try released()
    let added = Self.shipped.replacing(
      "var days: Int = 1",
      with: "var days: Int = 1\n  @Attribute(hashModifier: \"V2\") var hours: Double?")
    try snapshot(added.replacing("@Attribute(hashModifier: \"V2\") ", with: ""), on: disk)
      .write(to: disk)
    let draft = try #require(disk["Schemas/V2.yaml"])
    let line = try #require(draft.split(separator: "\n").first { $0.contains("hours:") })
    disk["Schemas/V2.yaml"] = draft.replacing(
      line, with: "      hours: { type: Double?, from: days, convert: Double($0) * 24 }  # agreed")
    try snapshot(added, on: disk).write(to: disk)
    let renamed = added.replacing("var hours", with: "var allHours")
    let taken = try snapshot(renamed, on: disk)
    #expect(!taken.findings.hasErrors, "\(taken.findings)")
    try taken.write(to: disk)
    #expect(
      disk["Schemas/V2.yaml"]?.contains(
        "      # agreed\n      allHours: { type: \"Double?\", from: days, convert: Double($0) * 24 }\n"
      )
        == true)
    // With two candidates, or none, nothing is guessed.
    let two = renamed.replacing(
      "var allHours: Double?", with: "var one: Double?\n  var two: Double?")
    let asked = try snapshot(two, on: disk)
    #expect(asked.findings.map(\.element) == ["Trip.allHours"] && asked.files.isEmpty)
    #expect(asked.findings.first?.location?.file == "App/Models.swift")
    #expect(asked.findings.first?.help.first?.contains("// schemagen:from days") == true)
  }

  @Test("If the classes become as they shipped again, the draft and its answers are removed")
  func takenBack() throws {
    let disk = try released()
    let before = disk["Schemas/V1.yaml"]
    let edited = Self.shipped.replacing("  var days: Int = 1\n", with: "")
      .replacing(
        "@Model\nfinal class Trip", with: "// schemagen:drop days: no use\n@Model\nfinal class Trip"
      )
    try snapshot(edited, on: disk).write(to: disk)
    #expect(disk["Schemas/V2.yaml"] != nil)
    let back = try snapshot(Self.shipped, on: disk)
    #expect(back.findings.isEmpty && back.changes.map(\.element) == ["V2"], "\(back.findings)")
    try back.write(to: disk)
    #expect(disk["Schemas/V2.yaml"] == nil && disk["Schemas/V1.yaml"] == before)
    #expect(disk["Schemas/Generated/SchemaV2.swift"] == nil)
    #expect(try snapshot(Self.shipped, on: disk).files.isEmpty)
    // What a person wrote into the draft is kept.
    try snapshot(edited, on: disk).write(to: disk)
    disk["Schemas/V2.yaml"] = (disk["Schemas/V2.yaml"] ?? "") + "# Ask Ana.\n"
    let kept = try snapshot(Self.shipped, on: disk)
    #expect(!kept.files.contains { $0.action == .remove && $0.path == "Schemas/V2.yaml" })
    #expect(kept.findings.contains { $0.rule.id == "empty-version" }, "\(kept.findings)")
  }

  @Test(
    "A file with a syntax error is refused",
    arguments: [
      ("var days: Int = 1", "va days: Int = 1"), ("var days: Int = 1", "var days Int = 1"),
      ("var days: Int = 1", "<<<<<<< HEAD\n  var days: Int = 1\n=======\n>>>>>>> other"),
      ("init() { name = \"\" }", "init() { name = \"\" "),
    ])
  func broken(_ old: String, _ new: String) throws {
    let disk = try released()
    let edited = Self.shipped.replacing(old, with: new)
    #expect(edited != Self.shipped)
    let taken = try snapshot(edited, on: disk)
    #expect(taken.isRefused && taken.files.isEmpty)
    #expect(taken.findings.map(\.rule.id) == ["broken-source"])
    #expect(taken.findings.first?.location?.file == "App/Models.swift")
  }

  @Test("An error about a class shows its line and the comment to write")
  func classAnswers() throws {
    let disk = try released()
    func help(_ old: String, _ new: String) throws -> [String] {
      let taken = try snapshot(Self.shipped.replacing(old, with: new), on: disk)
      #expect(taken.findings.hasErrors && taken.files.isEmpty, "\(taken.findings)")
      #expect(taken.findings.allSatisfy { $0.location?.file == "App/Models.swift" })
      return taken.findings.flatMap(\.help)
    }
    #expect(
      try help("var days: Int = 1", "var days: String = \"\"").contains(
        "for example, above 'days' in the class: // schemagen:from days, and below it // schemagen:convert String($0)"
      ))
    #expect(
      try help("case walk, ride", "case walk, cycle").contains {
        $0.contains("above 'case cycle' in Swift: // schemagen:renamedFrom ride")
      })
    #expect(
      try help("case walk, ride", "case walk").contains {
        $0.contains(
          "above 'Kind' in Swift: // schemagen:drop ride: { reason: \"why\", replacedBy: … }")
      })
    #expect(
      try help("case walk, ride", "case walk").contains {
        $0.contains(
          "if no row holds the case, write above 'Kind' in Swift: // schemagen:drop ride: \"why\"")
      })
    let renamed = try snapshot(
      Self.shipped.replacing(
        "case walk, ride", with: "case walk\n  // schemagen:renamedFrom ride\n  case cycle"),
      on: disk)
    #expect(renamed.findings.map(\.rule.id) == ["model-differs"], "\(renamed.findings)")
    let gone = Self.shipped.replacing("var stops: [Stop] = []", with: "var stop = 0")
      .replacing("  @Relationship(deleteRule: .cascade, inverse: \\Stop.trip) ", with: "  ")
    let end = try #require(gone.firstRange(of: "@Model\nfinal class Stop"))
    let enumeration = try #require(gone.firstRange(of: "enum Kind"))
    let dropped = gone.replacingCharacters(in: end.lowerBound..<enumeration.lowerBound, with: "")
    let told = try snapshot(
      "// schemagen:drop Stop: all of them are gone\n// schemagen:drop Trip.stops: { reason: gone, notCarriedTo: stop }\n"
        + dropped, on: disk)
    #expect(!told.findings.hasErrors, "\(told.findings)")
  }

  @Test("A renamed class may keep the original name of a renamed property")
  func renamedWithProperty() throws {
    for isEarlier in [false, true] {
      let disk = try released()
      let property = Self.shipped.replacing(
        "var days: Int", with: "@Attribute(originalName: \"days\") var length: Int")
      if isEarlier {
        try snapshot(property, on: disk).write(to: disk)
        try release(disk)
      }
      let edited = property.replacing("class Trip", with: "class Tour")
        .replacing(
          "var trip: Trip?",
          with: "@Relationship(originalName: \"tripV\(isEarlier ? 3 : 2)\") var trip: Trip?"
        )
        .replacing("Trip?", with: "Tour?")
        .replacing(
          "@Model\nfinal class Tour",
          with: "// schemagen:renamedFrom Trip\n@Model\nfinal class Tour")
      let taken = try snapshot(edited, on: disk)
      #expect(!taken.findings.hasErrors, "\(taken.findings)")
      try taken.write(to: disk)
      let manifest = try #require(disk["Schemas/\(isEarlier ? "V3" : "V2").yaml"])
      #expect(manifest.contains("originalName: days"))
      #expect(manifest.contains("renamedFrom: days") == !isEarlier)
      try release(disk)
      #expect(try snapshot(edited, on: disk).files.isEmpty)
      #expect(lint(disk).isEmpty, "\(lint(disk))")
    }
  }

  @Test(
    "A comment that resembles a 'schemagen:' comment but is malformed is reported",
    arguments: [
      "/// schemagen:fill 1", "/* schemagen:fill 1 */", "// Schemagen:fill 1",
      "// schema-gen: fill 1", "// schemagen fill 1", "// @schemagen:fill 1",
      "// schemagen:Fill 1", "// schemagen:V1 fill 1",
    ])
  func unreadComments(_ comment: String) throws {
    let disk = try released()
    let taken = try snapshot(
      Self.shipped.replacing("var trip", with: "\(comment)\n  var rank: Int = 0\n  var trip"),
      on: disk)
    #expect(taken.findings.map(\.rule.id) == ["malformed-acceptance"], "\(taken.findings)")
    let prose = try snapshot(
      Self.shipped.replacing(
        "var trip", with: "/// schemagen fills it.\n  var rank: Int = 0\n  var trip"),
      on: disk)
    #expect(!prose.findings.hasErrors)
  }

  @Test(
    "A class cannot take the name of a struct that older versions store")
  func takenName() throws {
    let disk = disk()
    let start =
      Self.classes.replacing("var days", with: "var home: Home?\n  var days")
      + "\nstruct Home: Codable { var place: String }\n"
    try snapshot(start, on: disk).write(to: disk)
    try release(disk)
    let edited = start.replacing(
      "struct Home: Codable { var place: String }",
      with: "@Model final class Home { var place = \"\"; init() {} }")
    let findings = try snapshot(edited, on: disk).findings.filter { $0.severity == .error }
    #expect(findings.map(\.rule.id) == ["unacknowledged-drop", "conflicting-name"], "\(findings)")
    #expect(findings.allSatisfy { $0.location?.file == "App/Models.swift" })
  }

  @Test("A struct with a new name and more optional fields keeps its values")
  func grownStruct() throws {
    let disk = disk([
      "schemagen.yaml": "classes: ../App\nconverters: none\n"
    ])
    let start =
      Self.classes.replacing("var days", with: "var home: Home?\n  var days")
      + "\nstruct Home: Codable { var place: String }\n"
    try snapshot(start, on: disk).write(to: disk)
    try release(disk)
    let grown =
      start.replacing("home: Home?", with: "home: Place?")
      + "struct Place: Codable { var place: String; var zip: String? }\n"
    let taken = try snapshot(grown, on: disk)
    #expect(taken.isNext && !taken.findings.hasErrors, "\(taken.findings)")
    // A field that is not optional has no value in old rows.
    let required = grown.replacing("zip: String?", with: "zip: String")
    #expect(
      try snapshot(required, on: disk).findings.contains { $0.rule.id == "value-type-changed" })
  }

  @Test(
    "A conversion that renames a field passes fields in the initialiser's order")
  func renamedField() throws {
    let disk = disk()
    let start =
      Self.classes.replacing("var days", with: "var home: Home?\n  var days")
      + "\nstruct Home: Codable { var place: String; var zip: String? }\n"
    try snapshot(start, on: disk).write(to: disk)
    try release(disk)
    let edited = start.replacing("var place: String;", with: "var town: String;")
    let conversion = "// schemagen:convert $0.map { Home(town: $0.place, zip: $0.zip) }"
    let help = try snapshot(edited, on: disk).findings.flatMap { $0.help }
    #expect(help.contains { $0.contains(conversion) }, "\(help)")
    let answered = edited.replacing(
      "var home: Home?", with: "// schemagen:from home\n  \(conversion)\n  var newHome: Home?")
    let taken = try snapshot(answered, on: disk)
    #expect(taken.isNext && !taken.findings.hasErrors, "\(taken.findings)")
  }

  @Test(
    "Reordering the fields of a struct, even of a nested one, needs no answer"
  )
  func fieldOrder() throws {
    let disk = disk()
    let (home, lid) = ("var zip: String?; var at: Place;", "var north: Int; var east: Int")
    let start =
      Self.classes.replacing("var days", with: "var home: Home?\n  var lid: Lid?\n  var days")
      + "\nstruct Home: Codable { \(home) }\nstruct Place: Codable { \(lid) }\n"
      + "struct Lid: Codable { var width: Int; func encode(to encoder: Encoder) throws {} }\n"
    try snapshot(start, on: disk).write(to: disk)
    try release(disk)
    for (old, new) in [
      (home, "var at: Place; var zip: String?;"), (lid, "var east: Int; var north: Int"),
    ] {
      let taken = try snapshot(start.replacing(old, with: new), on: disk)
      #expect(taken.findings.isEmpty && !taken.isNext, "\(taken.findings)")
    }
  }

  @Test("A type named only by an 'encodes' comment is read from the classes")
  func encodedType() throws {
    let disk = try released()
    let encoded =
      Self.shipped.replacing(
        "var days", with: "// schemagen:encodes [Memo]\n  var memos: Data?\n  var days")
      + "\nstruct Memo: Codable { var text: String }\n"
    let taken = try snapshot(encoded, on: disk)
    #expect(!taken.findings.hasErrors, "\(taken.findings)")
    try taken.write(to: disk)
    let text = try #require(disk["Schemas/V2.yaml"])
    #expect(text.contains("encodes: \"[Memo]\"") && text.contains("Memo: { struct:"), "\(text)")
    #expect(try snapshot(encoded, on: disk).changes.isEmpty)
    let quoted = encoded.replacing("encodes [Memo]", with: "encodes \"[Memo]\"")
    #expect(try snapshot(quoted, on: disk).changes.isEmpty)
    let changed = try snapshot(encoded.replacing("text: String", with: "text: Int"), on: disk)
    #expect(!changed.changes.isEmpty, "\(changed.changes)")
  }

  /// Types with custom coding, each on a line of its own.
  private static let coded =
    classes.replacing(
      "var days", with: "var lid: Lid?\n  var shade: Shade?\n  var log: [Entry] = []\n  var days")
      + """

      struct Lid: Codable { var width: Double }
      enum Shade: Codable { case dark, light(Int); var title: String { "x" } }
      struct Entry: Codable { var text: String; enum CodingKeys: String, CodingKey { case text = "t" } }
      extension Lid { init(from decoder: Decoder) throws { width = Self.one }; static let one = 1.0 }

      """

  @Test(
    "A type with custom coding is asked about only if that code changes",
    arguments: [
      ("= 1.0", "= 2.0", "Lid"),
      ("= \"t\"", "= \"text\"", "Entry"),
      (
        "var text: String; enum CodingKeys: String, CodingKey { case text =",
        "var words: String; enum CodingKeys: String, CodingKey { case words =", "Entry"
      ),
      ("\"x\"", "\"y\"", nil), ("enum Shade: Codable", "// one\nenum  Shade : Codable", nil),
      ("static let one = 1.0", "static let one = 1.0; var more: Int { 1 }", nil),
    ])
  func ownCoding(_ old: String, _ new: String, _ type: String?) throws {
    let disk = disk(["schemagen.yaml": "classes: ../App\nconverters: none\n"])
    try snapshot(Self.coded, on: disk).write(to: disk)
    try release(disk)
    let edited = Self.coded.replacing(old, with: new)
    #expect(edited != Self.coded)
    let asked = try snapshot(edited, on: disk)
    guard let type else {
      #expect(asked.findings.isEmpty && asked.files.isEmpty, "\(asked.findings)")
      return
    }
    #expect(asked.findings.map(\.rule.id) == ["model-differs"] && asked.files.isEmpty)
    let help = try #require(asked.findings.first?.help.first)
    let answer = try #require(help.firstRange(of: "// schemagen:coding "))
    let declaration = edited.contains("struct \(type)") ? "struct \(type)" : "enum \(type)"
    let answered = edited.replacing(
      declaration, with: "\(help[answer.lowerBound...])\n\(declaration)")
    let taken = try snapshot(answered, on: disk)
    #expect(!taken.isNext && taken.findings.isEmpty, "\(taken.findings)")
    try taken.write(to: disk)
    #expect(lint(disk).isEmpty, "\(lint(disk))")
    #expect(try snapshot(answered, on: disk).files.isEmpty)
    // The answer was for that code, so its next edit is asked about again.
    let more = answered.replacing("= 1.0", with: "= 3.0").replacing("= 2.0", with: "= 3.0")
    #expect(try snapshot(more, on: disk).findings.contains { $0.element == "Lid" })
  }

  @Test(
    "Changing the columns of a shipped type is refused if no manifest lists them",
    arguments: [("light(Int)", "light(Double)"), ("case dark", "case dim, dark")])
  func opaqueColumns(_ old: String, _ new: String) throws {
    let disk = disk(["schemagen.yaml": "classes: ../App\nconverters: none\n"])
    try snapshot(Self.coded, on: disk).write(to: disk)
    let edited = Self.coded.replacing(old, with: new)
    let draft = try snapshot(edited, on: disk)
    #expect(draft.findings.isEmpty && !draft.isNext, "\(draft.findings)")
    try release(disk)
    let refused = try snapshot(edited, on: disk)
    #expect(refused.findings.map(\.rule.id) == ["value-type-changed"], "\(refused.findings)")
    #expect(refused.files.isEmpty && refused.findings.first?.element == "Shade")
  }

  @Test(
    "Changing the columns of a type that only an older version stores is reported",
    arguments: [
      ("width: Double }", "width: Double; var height: Int }", "Lid"),
      ("light(Int)", "light(Int), dim", "Shade"), ("case dark", "/* kept */ case dark", nil),
      ("case low, high", "case low", "Level"), ("case low, high", "case low, middle, high", nil),
      ("Size: Int64", "Size: Int", nil), ("Size: Int64", "Size: Int16", "Size"),
    ])
  func formerTypes(_ old: String, _ new: String, _ changed: String?) throws {
    let types = """

      struct Lid: Codable { var width: Double }
      enum Shade: Codable { case dark, light(Int) }
      enum Level: String, Codable { case low, high }
      enum Size: Int64, Codable { case small = 1 }

      """
    let disk = disk(["schemagen.yaml": "classes: ../App\nconverters: none\n"])
    let first = Self.classes.replacing(
      "var days",
      with: "var lid: Lid?\n  var shade: Shade?\n  var level: Level?\n  var size: Size?\n  var days"
    )
    try snapshot(first + types, on: disk).write(to: disk)
    try release(disk)
    let drops = ["lid", "shade", "level", "size"].map { "// schemagen:drop \($0): \"unused\"\n" }
      .joined()
    let second = Self.classes.replacing("@Model", with: drops + "@Model") + types
    try snapshot(second, on: disk).write(to: disk)
    try release(disk)
    #expect(try snapshot(second, on: disk).findings.filter { $0.severity == .error } == [])
    let found = try snapshot(second.replacing(old, with: new), on: disk).findings
      .filter { $0.severity == .error }
    #expect(found.compactMap(\.element) == (changed.map { [$0] } ?? []), "\(found)")
    #expect(found.allSatisfy { $0.message.contains("is stored by V1") })
  }

  @Test("A stored struct with custom coding may get a field in the next version")
  func codedStruct() throws {
    let disk = disk(["schemagen.yaml": "classes: ../App\nconverters: none\n"])
    try snapshot(Self.coded, on: disk).write(to: disk)
    try release(disk)
    let edited = Self.coded.replacing("width: Double", with: "width: Double; var height: Double?")
    let asked = try snapshot(edited, on: disk)
    let help = try #require(asked.findings.first?.help.first)
    let answer = try #require(help.firstRange(of: "// schemagen:coding "))
    let taken = try snapshot(
      edited.replacing("struct Lid", with: "\(help[answer.lowerBound...])\nstruct Lid"), on: disk)
    #expect(taken.findings.isEmpty && taken.isNext, "\(taken.findings)")
    #expect(taken.changes.contains { $0.element == "Lid.height" }, "\(taken.changes)")
  }

  @Test("Generated tests construct no struct that has custom decoding")
  func samples() throws {
    let disk = disk([
      "schemagen.yaml":
        "classes: ../App\nconverters: none\ntests: ../Tests\nmodule: App\nextras: [fixtures]\n"
    ])
    func written(_ classes: String) throws -> String {
      try snapshot(classes, on: disk).write(to: disk)
      return try #require(disk["Tests/SchemaFixtures.swift"])
    }
    let plain = Self.coded.replacing(/extension Lid .*\n/, with: "")
    #expect(try written(plain).contains("Lid(width:"))
    #expect(try !written(Self.coded).contains("Lid("))
  }

  @Test(
    "A struct that gets custom coding keeps its columns if a comment says so")
  func beginsToCode() throws {
    let disk = disk(["schemagen.yaml": "classes: ../App\nconverters: none\n"])
    let start =
      Self.classes.replacing("var days", with: "var lid: Lid?\n  var days")
      + "\nstruct Lid: Codable { var width: Double }\n"
    try snapshot(start, on: disk).write(to: disk)
    try release(disk)
    let edited = start + "extension Lid { init(from decoder: Decoder) throws { width = 1 } }\n"
    let help = try snapshot(edited, on: disk).findings.flatMap { $0.help }
    let answer = try #require(help.first.flatMap { $0.firstRange(of: "// schemagen:coding ") })
    let taken = try snapshot(
      edited.replacing("struct Lid", with: "\(help[0][answer.lowerBound...])\nstruct Lid"), on: disk
    )
    #expect(!taken.isNext && !taken.findings.hasErrors, "\(taken.findings)")
    try taken.write(to: disk)
    #expect(
      disk["Schemas/V1.yaml"]?.contains("Lid: { struct: { width: Double }, own: true, coding: ")
        == true)
  }

  @Test("A draft records a second acceptance of the same rule")
  func acceptances() throws {
    let disk = try released()
    let one = Self.shipped.replacing(
      "var days",
      with: "// schemagen:accept shared-default: each is new\n  var one: UUID = UUID()\n  var days")
    try snapshot(one, on: disk).write(to: disk)
    let two = one.replacing(
      "var days",
      with: "// schemagen:accept shared-default: as well\n  var two: UUID = UUID()\n  var days")
    let taken = try snapshot(two, on: disk)
    #expect(!taken.findings.hasErrors, "\(taken.findings)")
    try taken.write(to: disk)
    #expect(disk["Schemas/V2.yaml"]?.contains("reason: as well") == true)
    #expect(try snapshot(two, on: disk).files.isEmpty)
  }

  @Test("A fill applies to one property only, and a property with a fill may be dropped")
  func sameFill() throws {
    let disk = try released()
    let first = Self.shipped.replacing(
      "var days", with: "// schemagen:fill 0\n  var count: Int\n  var days")
    try snapshot(first, on: disk).write(to: disk)
    try release(disk)
    func dropping(_ text: String, _ comment: String) -> String {
      text.replacing("@Model\nfinal class Trip", with: "\(comment)\n@Model\nfinal class Trip")
    }
    let second = dropping(
      first.replacing("var count", with: "var total"),
      "// schemagen:drop count: { reason: nobody counts, notCarriedTo: total }")
    let taken = try snapshot(second, on: disk)
    #expect(!taken.findings.hasErrors, "\(taken.findings)")
    try taken.write(to: disk)
    #expect(disk["Schemas/V3.yaml"]?.contains("total: { type: Int, fill: 0 }") == true)
    // The comment of a property that is computed now has had its effect. A comment that no version has used is an
    // error.
    let other = try released()
    try snapshot(first, on: other).write(to: other)
    try release(other)
    let computed = dropping(
      first.replacing("var count: Int", with: "var count: Int { 0 }"),
      "// schemagen:drop count: nobody counts")
    let done = try snapshot(computed, on: other).findings
    // It has the structure of V1 again.
    #expect(done.map(\.rule.id) == ["model-differs"], "\(done)")
    let stray = computed.replacing("fill 0", with: "fill 7")
    #expect(
      try snapshot(stray, on: other).findings.contains { $0.rule.id == "malformed-acceptance" })
  }

  @Test(
    "Two classes with the same name are refused only if they differ")
  func twice() throws {
    let disk = try released()
    func findings(_ copy: String) throws -> [Diagnostic] {
      let files = [
        SourceFile(path: "App/Models.swift", text: Self.shipped),
        SourceFile(path: "Widget/Stop.swift", text: copy),
      ]
      let folder = SchemaFolder.read("Schemas", fileSystem: disk)
      return try #require(Snapshot.take(folder, files: files, fileSystem: disk)).findings
    }
    let copy = "@Model final class Stop { /* here */ var trip: Trip?; init() {} }"
    #expect(try findings(copy).isEmpty)
    let other = copy.replacing("init", with: "var x = 1; init")
    #expect(try findings(other).map(\.rule.id) == ["cannot-adopt"])
  }

  @Test("A comment that answers nothing, lacks a reason or is ambiguous is reported")
  func idleComments() throws {
    let disk = try released()
    func findings(_ new: String) throws -> [String] {
      try snapshot(Self.shipped.replacing("var days", with: new + "\n  var days"), on: disk)
        .findings.map { "\($0.rule.id): \($0.message)" }
    }
    #expect(try findings("// schemagen:fill 5").contains { $0.contains("has no effect") })
    #expect(
      try findings("// schemagen:fill 5\n  var one = 1, two = 2").contains {
        $0.contains("has several declarations")
      })
    #expect(
      try findings("// schemagen:drop Trip.nam: gone").contains {
        $0.contains("no version has had")
      })
    // A drop of a property that still exists, and a misspelt key.
    #expect(
      try findings("// schemagen:drop Trip.name: gone").contains { $0.contains("has no effect") })
    #expect(try findings("// schemagn:fill 5").contains { $0.contains("is not read") })
    let two = try snapshot(
      Self.shipped.replacing(
        "var days", with: "// schemagen:entityProperty length\n  // schemagen:fill 5\n  var days"),
      on: disk
    ).findings.first { $0.message.contains("has no effect") }
    #expect(two?.location?.line == 9, "\(two.debugDescription)")
    #expect(
      try findings("// schemagen:drop Trip.name").contains { $0.contains("gives no reason") })
    #expect(
      try findings("// schemagen:from name, convert $0.count\n  var length: Int").contains {
        $0.contains("has 'convert' after the comma")
      })
    let gone = Self.shipped.replacing("  var name: String\n", with: "").replacing(
      "name = \"\"", with: "")
    let reasons = try snapshot("// schemagen:drop Trip.name: \"why\"\n" + gone, on: disk).findings
    #expect(reasons.contains { $0.message.contains("which says nothing") }, "\(reasons)")
  }

  @Test(
    "An answer in a draft is removed, or asked about, once its comment is gone from the class",
    arguments: [
      (
        "// schemagen:from a\n  // schemagen:convert String($0)\n  var b: String",
        "// schemagen:fill \"\"\n  var b: String", "b: { type: String, fill: '\"\"' }"
      ),
      (
        "// schemagen:fill \"\"\n  var b: String",
        "// schemagen:from a\n  // schemagen:convert String($0)\n  var b: String",
        "b: { type: String, from: a, convert: String($0) }"
      ),
      // The source is given up, or exists again.
      (
        "@Attribute(originalName: \"s\") var ss: String",
        "var ss: String = \"\"\n  // schemagen:drop Trip.s: { reason: unused, notCarriedTo: ss }",
        "ss: String = \"\"\n      t: Int?\n\ndrops:"
      ),
      (
        "@Attribute(originalName: \"s\") var ss: String", "var s: String\n  var ss: String?",
        "ss: String?\n      t: Int?\n      s: String\n"
      ),
      // A constant of another type does not answer for this type.
      (
        "// schemagen:fill false\n  var warm: Bool", "var warm: Int = 3",
        "warm: Int = 3\n"
      ),
      // Everything is taken back.
      (
        "// schemagen:fill 7\n  var t: Int", "var t: Int?\n  var n: Int?",
        "t: Int?\n      n: Int?\n"
      ),
      // Everything else is asked about.
      (
        "// schemagen:fill false\n  var warm: Bool", "var warm: Bool = true",
        "V2's manifest has 'fill' for 'Trip.warm', but"
      ),
      (
        "// schemagen:fill false\n  var warm: Bool", "var warm: Bool?",
        "V2's manifest has 'fill' for 'Trip.warm', but"
      ),
      (
        "// schemagen:from s\n  // schemagen:convert $0 + $0\n  var b: String",
        "var b: String = \"\"", "V2's manifest has 'from' and 'convert' for 'Trip.b', but"
      ),
    ])
  func takenBackAnswers(_ first: String, _ second: String, _ expected: String) throws {
    let disk = disk([
      "V1.yaml":
        "version: 1.0.0\nmodels: { Trip: { properties: { a: Int = 0, s: String, t: \"Int?\" } } }\n"
    ])
    try release(disk)
    func classes(_ lines: String) -> String {
      let s =
        lines.contains("originalName: \"s\"") || lines.contains(" ss") ? "" : "  var s: String\n"
      let t = lines.contains("var t:") ? "" : "  var t: Int?\n"
      let body = "  var a: Int = 0\n\(s)\(t)  \(lines)\n  init() { fatalError() }\n}\n"
      return "import SwiftData\n@Model\nfinal class Trip {\n" + body
    }
    let draft = try snapshot(classes(first), on: disk)
    #expect(!draft.findings.hasErrors, "\(draft.findings.map(\.message))")
    try draft.write(to: disk)
    let taken = try snapshot(classes(second), on: disk)
    guard expected.hasPrefix("V2's") else {
      #expect(taken.findings.filter { $0.severity != .note }.isEmpty, "\(taken.findings)")
      try taken.write(to: disk)
      let text = disk["Schemas/V2.yaml"] ?? ""
      #expect(text.contains(expected), "\(text)")
      return
    }
    let errors = taken.findings.filter { $0.severity == .error }
    #expect(errors.count == 1 && errors[0].message.hasPrefix(expected), "\(errors)")
    // Both answers lead to a result without errors.
    let help = errors[0].help[0].split(separator: "class: ").last ?? ""
    let comments = help.replacing(", and below it //", with: "\n  //")
    let kept = try snapshot(classes(comments + "\n  " + second), on: disk)
    #expect(
      kept.findings.allSatisfy { $0.severity != .error || $0.message.contains("hashModifier") },
      "\(kept.findings)")
    let text = disk["Schemas/V2.yaml"] ?? ""
    disk["Schemas/V2.yaml"] = text.replacing(/, (fill|from|convert): [^,}]*/, with: "")
    let other = try snapshot(classes(second), on: disk)
    #expect(!other.findings.hasErrors, "\(other.findings)")
  }

  @Test(
    "A renamed model or case in a draft counts as new once its former name is back in the classes")
  func takenBackRenames() throws {
    let disk = disk([
      "V1.yaml": """
      version: 1.0.0
      models:
        Trip: { properties: { a: Int = 0, k: Kind = Kind.x } }
      types:
        Kind: { enum: String, cases: [x, y] }

      """
    ])
    try release(disk)
    func classes(_ models: [String], _ cases: String) -> String {
      models.map {
        "\($0) {\n  var a: Int = 0\n  var k: Kind = Kind.x\n  init() {}\n}\n"
      }.joined() + "enum Kind: String { \(cases) }\n"
    }
    let renamed = try snapshot(
      "import SwiftData\n"
        + classes(
          ["// schemagen:renamedFrom Trip\n@Model\nfinal class Journey"],
          "case x\n  // schemagen:renamedFrom y\n  case z = \"y2\""), on: disk)
    #expect(!renamed.findings.hasErrors, "\(renamed.findings)")
    try renamed.write(to: disk)
    let back = try snapshot(
      "import SwiftData\n"
        + classes(
          ["@Model\nfinal class Trip", "@Model\nfinal class Journey"],
          "case x, y\n  case z = \"y2\""), on: disk)
    #expect(!back.findings.hasErrors, "\(back.findings)")
    try back.write(to: disk)
    #expect(disk["Schemas/V2.yaml"]?.contains("renamedFrom") == false)
    // A removed case has no new name.
    let journey = "@Model\nfinal class Journey"
    let answered = ["// schemagen:renamedFrom Trip\n" + journey]
    for cases in [
      "case x\n  // schemagen:renamedFrom y\n  case z = \"y2\"",
      "case x, z = \"y2\"",
    ] {
      let drop = "// schemagen:drop y: { reason: it was x, replacedBy: x }\n"
      let text = "import SwiftData\n" + classes(answered, cases)
      let taken = try snapshot(
        cases.contains("//") ? text : text.replacing("enum Kind", with: drop + "enum Kind"),
        on: disk)
      #expect(!taken.findings.hasErrors, "\(taken.findings)")
      try taken.write(to: disk)
    }
    let text = disk["Schemas/V2.yaml"] ?? ""
    #expect(text.contains("replacedBy: x") && !text.contains("renamedFrom: y"), "\(text)")
  }

  @Test("Swapping the names of two shipped properties is refused")
  func places() throws {
    let disk = disk([
      "V1.yaml": """
      version: 1.0.0
      models:
        Trip: { properties: { x: "String?", y: "String?" } }

      """
    ])
    try release(disk)
    let text = """
      import SwiftData
      @Model
      final class Trip {
        @Attribute(originalName: "y") var x: String?
        @Attribute(originalName: "x") var y: String?
        init() {}
      }

      """
    let asked = try snapshot(text, on: disk).findings.filter { $0.severity == .error }
    #expect(Set(asked.map(\.rule.id)) == ["reused-name"], "\(asked.map(\.message))")
  }

  @Test("A hand-written 'revert' in a draft is asked about when its property's type changes")
  func wayBack() throws {
    let disk = disk([
      "V1.yaml": "version: 1.0.0\nmodels: { Trip: { properties: { cents: Int = 0 } } }\n"
    ])
    try release(disk)
    func classes(_ lines: String) -> String {
      let body = "  var cents: Int = 0\n  \(lines)\n  init() { fatalError() }\n}\n"
      return "import SwiftData\n@Model\nfinal class Trip {\n" + body
    }
    let from = "// schemagen:from cents\n  // schemagen:convert "
    try snapshot(classes(from + "Double($0) / 100\n  var price: Double"), on: disk).write(to: disk)
    let draft = try #require(disk["Schemas/V2.yaml"])
    disk["Schemas/V2.yaml"] = draft.replacing(
      "from: cents", with: "from: cents, revert: Int($0 * 100)")
    let other = from + "$0 / 10\n  var price: Int"
    let asked = try snapshot(classes(other), on: disk).findings.filter { $0.severity == .error }
    #expect(
      asked.first?.message.hasPrefix("V2's manifest has 'revert' for") == true, "\(asked)")
    // If name and type change, the comments still apply.
    let renamed = from + "$0 / 10\n  // schemagen:revert $0 * 10\n  var amount: Int"
    let taken = try snapshot(classes(renamed), on: disk)
    #expect(!taken.findings.hasErrors, "\(taken.findings.map(\.message))")
    // Without comments, the help lists the comments to write.
    let lost = try snapshot(classes("var amount: Int"), on: disk).findings.flatMap(\.help)
    let comments = ["from cents", "convert Double($0) / 100", "revert Int($0 * 100)"]
      .map { "// schemagen:" + $0 }.joined(separator: ", and below it ")
    #expect(lost.contains { $0.hasSuffix(comments) }, "\(lost)")
  }

  @Test("A comment on a line with several constraints applies to the new constraint")
  func severalConstraints() throws {
    let disk = disk([
      "V1.yaml": """
      version: 1.0.0
      models:
        Trip:
          unique: [[name]]
          properties: { name: { type: String, default: '""' }, mail: { type: String, default: '""' } }

      """
    ])
    try release(disk)
    let text = """
      import SwiftData
      @Model
      final class Trip {
        // schemagen:dedupe { latest: name }
        #Unique<Trip>([\\.name], [\\.mail])
        var name: String = ""
        var mail: String = ""
        init() {}
      }

      """
    let taken = try snapshot(text, on: disk)
    #expect(taken.findings.filter { $0.severity == .error }.isEmpty, "\(taken.findings)")
    try taken.write(to: disk)
    let draft = disk["Schemas/V2.yaml"] ?? ""
    #expect(draft.contains("latest: name") && draft.contains("[name]"), "\(draft)")
  }

  @Test("An original name added after the version shipped is reported once")
  func lateOriginalName() throws {
    let disk = disk([
      "V1.yaml": "version: 1.0.0\nmodels: { Trip: { properties: { a: Int = 0 } } }\n",
      "V2.yaml":
        "version: 2.0.0\nmodels: { Trip: { properties: { b: Int = 0 } } }\ndrops: { Trip.a: { reason: unused, notCarriedTo: b } }\n",
    ])
    try release(disk)
    let body = "  @Attribute(originalName: \"a\") var b: Int = 0\n  init() {}\n}\n"
    let text = "import SwiftData\n@Model\nfinal class Trip {\n" + body
    let asked = try snapshot(text, on: disk).findings.filter { $0.severity == .error }
    #expect(
      asked.map(\.help) == [["remove 'originalName:' from its @Attribute"]], "\(asked)")
  }

  @Test(
    "A dropped model counts as a model again if a relationship of the newest models leads to it")
  func modelAgain() throws {
    let disk = disk([
      "V1.yaml": """
      version: 1.0.0
      models:
        Vault: { properties: { n: Int = 0 } }
        Coin: { properties: { t: Int = 0 } }

      """,
      "V2.yaml": """
      version: 2.0.0
      models:
        Vault: { properties: { n: Int = 0, m: "Int?" } }
      drops: { Coin: nobody used it }

      """,
    ])
    try release(disk)
    let text = """
      import SwiftData
      enum OldSchema: VersionedSchema {
        static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
        static var models: [any PersistentModel.Type] { [Vault.self, Coin.self] }
      }
      @Model
      final class Coin {
        var t: Int = 0
        var vault: Vault?
        init() {}
      }
      @Model
      final class Vault {
        var n: Int = 0
        var m: Int?
        @Relationship(deleteRule: .cascade, inverse: \\Coin.vault) var coins: [Coin] = []
        init() {}
      }

      """
    let taken = try snapshot(text, on: disk)
    #expect(!taken.findings.hasErrors, "\(taken.findings.map(\.message))")
    #expect(taken.changes.contains { $0.element == "Coin" }, "\(taken.changes)")
  }

  @Test("A 'dedupe' key follows the rename of the property it uses")
  func renamedDecision() throws {
    let disk = try released()
    let unique = Self.shipped.replacing(
      "var name: String", with: "@Attribute(.unique) var name: String")
    let answered = unique.replacing(
      "@Attribute(.unique)", with: "// schemagen:dedupe { latest: days }\n  @Attribute(.unique)")
    try snapshot(answered, on: disk).write(to: disk)
    #expect(disk["Schemas/V2.yaml"]?.contains("dedupe: { latest: days }") == true)
    let renamed = unique.replacing(
      "var days", with: "@Attribute(originalName: \"days\") var length")
    let taken = try snapshot(renamed, on: disk)
    #expect(!taken.findings.hasErrors, "\(taken.findings.map(\.message))")
    try taken.write(to: disk)
    #expect(disk["Schemas/V2.yaml"]?.contains("dedupe: { latest: length }") == true)
  }

  @Test("A 'renamedFrom' comment with the class's current name is unused")
  func formerNameAgain() throws {
    let disk = try released()
    let back = Self.shipped.replacing(
      "@Model\nfinal class Stop", with: "// schemagen:renamedFrom Stop\n@Model\nfinal class Stop")
    let taken = try snapshot(back, on: disk)
    #expect(
      taken.findings.map(\.rule.id) == ["unused-hint"] && taken.changes.isEmpty,
      "\(taken.findings)")
  }

  @Test("The suggested fill for a unique property differs in each row")
  func uniqueExample() throws {
    let disk = try released()
    func asked(_ line: String) throws -> [Diagnostic] {
      try snapshot(
        Self.shipped.replacing(
          "var days", with: "\(line)@Attribute(.unique) var key: String\n  var days"),
        on: disk
      ).findings.filter { $0.severity == .error }
    }
    let example = try asked("").flatMap(\.help).compactMap { help in
      help.hasPrefix("for example") ? help.split(separator: "class: ").last : nil
    }
    #expect(example == ["// schemagen:fill UUID().uuidString"])
    #expect(try asked("\(example.first ?? "")\n  ").isEmpty)
  }

  @Test("Adding the requested hash modifier resolves the error, even on a new property")
  func markOfNew() throws {
    let disk = disk([
      "V1.yaml": """
      version: 1.0.0
      models:
        Day: { properties: { complete: Bool = false } }
        Work: { properties: { a: Int = 0 } }

      """
    ])
    try release(disk)
    func classes(_ mark: String) -> String {
      """
      import SwiftData
      @Model
      final class Day {
        var complete: Bool = false
        \(mark)var seconds: Int = 0
        init() {}
      }
      @Model
      final class Work {
        var a: Int = 0
        // schemagen:fill Rest.a
        var rest: Rest = Rest.a
        init() {}
      }
      enum Rest: Codable { case a, b }

      """
    }
    let asked = try snapshot(classes(""), on: disk).findings.filter { $0.severity == .error }
    #expect(
      !asked.isEmpty
        && asked.map(\.message).allSatisfy { $0.hasPrefix("'Day.seconds' must be marked") },
      "\(asked)")
    let marked = try snapshot(classes("@Attribute(hashModifier: \"V2\") "), on: disk)
    #expect(!marked.findings.hasErrors, "\(marked.findings.map(\.message))")
  }

  @Test("A stored struct that gets custom coding or becomes a class is reported once")
  func ownCodingOfMany() throws {
    let disk = disk([
      "V1.yaml": """
      version: 1.0.0
      models:
        Vault: { properties: { coins: { type: "[Coin]", default: "[]" } } }
      types:
        Chain: { struct: { name: String }, own: true }
        Coin: { struct: { chain: Chain, ticker: String }, own: true }

      """
    ])
    try release(disk)
    let start = """
      import SwiftData
      @Model
      final class Vault {
        var coins: [Coin] = []
        init() {}
      }
      struct Chain: Codable { var name: String }
      struct Coin: Codable { var chain: Chain; var ticker: String }

      """
    #expect(try snapshot(start, on: disk).changes.isEmpty)
    for edited in [
      start.replacing(
        "ticker: String }", with: "ticker: String; init(from d: Decoder) throws {} }"),
      start.replacing("struct Coin", with: "final class Coin"),
      start.replacing(/struct Coin.*/, with: "enum Coin: Codable { case a(Chain) }"),
    ] {
      let asked = try snapshot(edited, on: disk).findings.filter { $0.severity == .error }
      #expect(asked.count == 1 && asked[0].element == "Coin", "\(asked.map(\.message))")
    }
  }

  // MARK: Found by LifeTests

  /// Takes a snapshot that must ask for nothing, writes it, and says that its version has shipped.
  private func ship(_ classes: String, on disk: MemoryDisk) throws {
    let taken = try snapshot(classes, on: disk)
    #expect(!taken.findings.hasErrors, "\(taken.findings.map(\.message))")
    try taken.write(to: disk)
    try release(disk)
  }

  @Test("A case that keeps its raw value can be renamed again in a later version")
  func laterCaseNames() throws {
    let disk = try released()
    let second = Self.shipped.replacing(
      "case walk, ride", with: "case walk\n  // schemagen:renamedFrom ride\n  case cycle")
    let asked = try snapshot(second, on: disk)
    let demand = try #require(asked.findings.first?.help.first?.split(separator: ": ").last)
    #expect(demand.hasPrefix("\"V2\""), "\(asked.findings.map(\.message))")
    let marked = second.replacing("var name", with: "@Attribute(hashModifier: \"V2\") var name")
    try ship(marked, on: disk)
    for names in ["case cycle2 = \"cycle\"", "case cycle3 = \"cycle\""] {
      let taken = try snapshot(
        marked.replacing("case cycle", with: names).replacing(
          "case walk", with: "case stroll = \"walk\""),
        on: disk)
      #expect(!taken.isNext && !taken.findings.hasErrors, "\(taken.findings.map(\.message))")
      try taken.write(to: disk)
    }
    #expect(disk["Schemas/V3.yaml"] == nil)
  }

  @Test("A class that gets its old name back is recognised, in the draft and in a later version")
  func classNames() throws {
    func classes(_ name: String, _ comments: String...) -> String {
      Self.shipped + "\n" + comments.map { "// schemagen:\($0)\n" }.joined()
        + "@Model\nfinal class \(name) {\n  var text: String = \"\"\n  init() {}\n}\n"
    }
    let disk = disk()
    try ship(classes("Note"), on: disk)
    let memo = classes("Memo", "renamedFrom Note")
    try snapshot(memo, on: disk).write(to: disk)
    #expect(disk["Schemas/V2.yaml"]?.contains("renamedFrom: Note") == true)
    let back = try snapshot(classes("Note"), on: disk)
    #expect(back.findings.isEmpty, "\(back.findings.map(\.message))")
    try back.write(to: disk)
    #expect(disk["Schemas/V2.yaml"] == nil)
    // A second comment gives the next name, and the first has no effect any more. Two for one step contradict each
    // other.
    try ship(memo, on: disk)
    let twice = try snapshot(
      classes("Page", "renamedFrom Note", "renamedFrom Memo", "renamedFrom Memo"), on: disk)
    #expect(twice.findings.contains { $0.rule.id == "malformed-acceptance" })
    try ship(classes("Page", "renamedFrom Note", "renamedFrom Memo"), on: disk)
    #expect(disk["Schemas/V3.yaml"]?.contains("renamedFrom: Memo") == true)
    // A name for the second time: the first answer has no effect any more, and another one names its version.
    let again = classes("Memo", "renamedFrom Note", "V4 renamedFrom Page")
    try ship(again.replacing("var name", with: "var extra: Int?\n  var name"), on: disk)
    let asked = try snapshot(classes("Page", "renamedFrom Note", "renamedFrom Memo"), on: disk)
    let lines: [String] = asked.findings.flatMap(\.help)
    #expect(lines.contains { $0.contains("// schemagen:V5 renamedFrom Memo") }, "\(lines)")
  }

  @Test("Attributes to add to a class are requested only after the class's answers are complete")
  func demandsWait() throws {
    let disk = try released()
    let typed = Self.shipped.replacing("var days: Int = 1", with: "var days: String = \"\"")
    let answered = typed.replacing(
      "var days",
      with:
        "// schemagen:from days\n  // schemagen:convert String($0)\n  @Attribute(originalName: \"daysV2\") var days"
    )
    #expect(try snapshot(typed, on: disk).findings.map(\.rule.id) == ["type-changed"])
    try ship(answered, on: disk)
    // The code as git reverts it.
    let asked = try snapshot(Self.shipped, on: disk)
    #expect(asked.findings.map(\.rule.id) == ["type-changed"], "\(asked.findings.map(\.message))")
    // An original name declares a rename too; a copy replaces it.
    let copied = answered.replacing(
      "@Attribute(originalName: \"daysV2\") var days",
      with: "@Attribute(originalName: \"daysV2\") var hours"
    ).replacing("schemagen:from days", with: "schemagen:V3 from days")
      .replacing("schemagen:convert String($0)", with: "schemagen:V3 convert $0")
    let told = try snapshot(copied, on: disk)
    #expect(!told.findings.contains { $0.rule.id == "conflicting-keys" }, "\(told.findings)")
  }

  @Test(
    "A class that is in no container is reported, even if it was in one before")
  func containers() throws {
    func findings(_ containers: String, _ more: String = "", settings: String = "") throws
      -> [String]
    {
      try snapshot(
        Self.classes + "\n" + more + "\n" + containers, on: disk(settings: settings)
      ).findings.filter { $0.rule == .unreachedModel }.map {
        "\($0.severity) \($0.element ?? "") \($0.help.last ?? "")"
      }
    }
    // An unreadable list of models is reported, unless it contains generated code.
    let made = "func make(_ all: Schema) throws { _ = try ModelContainer(for: all) }"
    #expect(try findings(made).map { $0.prefix(9) } == ["warning  "])
    #expect(try findings(made + "\nlet s = try ActiveSchema.container(configurations: [])") == [])
    #expect(
      try findings("let s = try ModelContainer(for: Schema(versionedSchema: V.self))") == [])
    let note = "@Model final class Note { var text: String = \"\"\n init() {} }"
    let one = "let store = try ModelContainer(for: Trip.self)"
    let shared = """
      final class AppSchema {
        static let shared = AppSchema()
        let schema = Schema([Trip.self])
      }
      let store = try ModelContainer(for: AppSchema.shared.schema)
      """
    #expect(try findings(shared) == [])
    #expect(try findings(shared, note).count == 1)
    // The destination of a relationship is in the store as well.
    #expect(try findings(one) == [])
    #expect(
      try findings(one, note) == [
        "error Note if not, write in 'Schemas/schemagen.yaml': notStored: [Note]"
      ])
    #expect(try findings("let store = try ModelContainer(for: Trip.self, Note.self)", note) == [])
    #expect(try findings(one, note, settings: "notStored: [Note]\n") == [])
    #expect(
      try findings(
        "let store = try ModelContainer(for: Note.self)\n" + one, note,
        settings: "notStored: [Other]\n") == [
          "error Note if not, write in 'Schemas/schemagen.yaml': notStored: [Other, Note]",
          "note Other correct the name, or remove it",
        ])
    #expect(
      try findings(
        "let store = try ModelContainer(for: Pair.self)",
        "@Model final class Pair { var stop: Tag? }\n@Model final class Tag { }"
      ).map { $0.split(separator: " ")[1] } == ["Trip", "Stop"])
    // Several classes are one question, with the list to paste.
    #expect(
      try findings(one, note + "\n" + note.replacing("Note", with: "Memo")) == [
        "error Note if not, write in 'Schemas/schemagen.yaml': notStored: [Note, Memo]"
      ])
    #expect(
      try findings(
        "let store = try ModelContainer(for: Trip.self, Note.self)", note,
        settings: "notStored: [Note, Nothing]\n") == [
          "error Note if not, remove 'Note.self' from the container's list",
          "note Nothing correct the name, or remove it",
        ])
    // A list that cannot be read, or contains generated code, proves nothing about a class.
    for other in [
      "let store = try ModelContainer(for: Schema(models()))",
      "let store = try ActiveSchema.container(configurations: [])",
    ] { #expect(try findings(one + "\n" + other, note) == []) }
  }

  @Test(
    "Version 2 is written, with a warning, if a container takes no plan yet")
  func firstStep() throws {
    func help(_ container: String) throws -> String? {
      let disk = disk()
      try release(disk)
      let taken = try snapshot(
        Self.classes.replacing("var name", with: "var note: String?\n  var name") + container,
        on: disk)
      try taken.write(to: disk)
      #expect(disk["Schemas/V2.yaml"] != nil)
      return taken.findings.first { $0.rule.id == "container-without-plan" }?.help.first
    }
    #expect(
      try help("\nlet view = list.modelContainer(for: Trip.self)")
        == "write 'modelContainer(container)', where 'container' is made by 'try ActiveSchema.container(configurations: […])'"
    )
    #expect(
      try help("\nlet store = try ModelContainer(for: Trip.self)")?.contains("migrationPlan:")
        == true)
  }

  @Test("Lines added to a manifest use its line endings")
  func lineEnds() throws {
    let disk = disk(["V1.yaml": Self.manifest.replacing("\n", with: "\r\n")])
    try snapshot(
      Self.classes.replacing("var days", with: "var note: String?\n  var days"), on: disk
    ).write(to: disk)
    let text = try #require(disk["Schemas/V1.yaml"])
    #expect(text.contains("note: String?\r\n") && !text.contains("\n"), "\(text)")
  }

  @Test("An unknown original name is reported with a similar name")
  func unknownOriginalName() throws {
    let disk = try released()
    let found = try snapshot(
      Self.shipped.replacing(
        "var days", with: "@Attribute(originalName: \"dayz\") var nights: Int?\n  var days"),
      on: disk
    ).findings.first { $0.element == "Trip.nights" }
    #expect(found?.help.first == "did you mean 'days'?", "\(found.debugDescription)")
  }

  @Test("A parameter's default is not taken for the property's if their types differ")
  func initialiser() throws {
    let manifest = Self.manifest.replacing(
      "name: String", with: "name: { type: String, init: '\"a\"' }")
    let classes = Self.classes.replacing(
      "init() { name = \"\" }",
      with:
        "init(name: String = \"a\", days: String = \"1\") { self.name = name; self.days = Int(days)! }"
    )
    let found = try snapshot(classes, on: disk(["V1.yaml": manifest]))
    #expect(found.changes.isEmpty, "\(found.changes)")
  }

  @Test("Warnings about a shipped version are not repeated")
  func shippedWarnings() throws {
    let disk = try released()
    let classes = Self.shipped.replacing(
      "var days: Int = 1", with: "var code: UUID = UUID()\n  var days: Int = 1")
    let first = try snapshot(classes, on: disk)
    let warnings = first.findings.filter { $0.severity == .warning }.map(\.element)
    #expect(warnings == ["Trip.code"], "\(first.findings)")
    try first.write(to: disk)
    try release(disk)
    #expect(try snapshot(classes, on: disk).findings == [])
    let next = classes.replacing("var name: String", with: "var note: String?\n  var name: String")
    #expect(try snapshot(next, on: disk).findings.filter { $0.severity == .warning } == [])
  }

  @Test("An edit that is taken back leaves no draft, even if its comment stays")
  func takenBackWithAnswer() throws {
    let disk = try released()
    let asked = "// schemagen:fill { function: trip }\n  var trip: Trip"
    let edited = try snapshot(Self.shipped.replacing("var trip: Trip?", with: asked), on: disk)
    #expect(!edited.findings.hasErrors, "\(edited.findings)")
    try edited.write(to: disk)
    let back = try snapshot(Self.shipped.replacing("var trip: Trip?", with: asked + "?"), on: disk)
    #expect(
      back.findings.map(\.rule.id).sorted() == ["uncalled-user-file", "unused-hint"],
      "\(back.findings)")
    try back.write(to: disk)
    #expect(disk.read("Schemas/V2.yaml", limit: 1) == nil)
  }

  @Test("A class that is not stored may have a name that generated code uses")
  func notStoredNames() throws {
    let set = "@Model final class Set { init() {} }"
    let classes = Self.classes + "\n\(set)\nenum Screen { \(set) }"
    let taken = try snapshot(classes, on: disk(settings: "notStored: [Set, Screen.Set]\n"))
    #expect(taken.findings == [])
    #expect(try snapshot(classes, on: disk()).isRefused)
  }

  @Test("A relationship can become an attribute when its model becomes a struct")
  func modelBecomesStruct() throws {
    let disk = try released()
    let classes = Self.shipped.replacing(
      "@Relationship(deleteRule: .cascade, inverse: \\Stop.trip) var stops: [Stop] = []",
      with: "var stops: [Stop] = []"
    ).replacing(
      "@Model\nfinal class Stop {\n  var trip: Trip?\n  init() {}\n}",
      with: "struct Stop: Codable {\n  var place: String = \"\"\n}")
    let asked = try snapshot(classes, on: disk)
    #expect(asked.findings.map(\.element) == ["Trip.stops", "Stop"], "\(asked.findings)")
    let answered = classes.replacing(
      "@Model\nfinal class Trip",
      with:
        "// schemagen:drop Stop: nobody uses it\n// schemagen:drop stops: nobody uses it\n@Model\nfinal class Trip"
    )
    let taken = try snapshot(answered, on: disk)
    #expect(!taken.findings.hasErrors, "\(taken.findings)")
  }

  @Test("An answer without effect does not disable other answers, and following the help succeeds")
  func answersApart() throws {
    let disk = try released()
    let classes =
      Self.shipped.replacing(
        "@Model\nfinal class Trip",
        with: "// schemagen:drop days: nobody counts\n@Model\nfinal class Trip"
      ).replacing(
        "var days: Int = 1", with: "// schemagen:fill { function: days }\n  var days: Day = Day()")
      + "\n@Model final class Day { var name: String = \"\"\n init() {} }\n"
    let asked = try snapshot(classes, on: disk).findings.filter { $0.severity == .error }
    #expect(asked.map(\.rule.id) == ["mandatory-relationship"], "\(asked)")
    #expect(asked.first?.help.last?.contains("// schemagen:from days") == true, "\(asked)")
    let answered = classes.replacing(
      "// schemagen:fill { function: days }",
      with:
        "// schemagen:from days\n  // schemagen:convert { function: days }\n  @Relationship(originalName: \"daysV2\")"
    ).replacing("// schemagen:drop days: nobody counts\n", with: "")
    let taken = try snapshot(answered, on: disk)
    #expect(!taken.findings.hasErrors, "\(taken.findings)")
  }

  @Test("A drop's 'notCarriedTo' follows the rename of the property it names")
  func notCarriedFollows() throws {
    let disk = try released()
    let classes = Self.shipped.replacing(
      "@Model\nfinal class Trip",
      with:
        "// schemagen:drop days: { reason: nobody counts, notCarriedTo: nights }\n@Model\nfinal class Trip"
    )
    func snapshot(_ property: String) throws -> Snapshot {
      try self.snapshot(classes.replacing("days: Int = 1", with: "\(property): Int = 1"), on: disk)
    }
    let first = try snapshot("nights")
    #expect(!first.findings.hasErrors, "\(first.findings)")
    try first.write(to: disk)
    for _ in 1...2 {
      let renamed = try snapshot("evenings")
      #expect(!renamed.findings.hasErrors, "\(renamed.findings)")
      try renamed.write(to: disk)
      let text = disk.read("Schemas/V2.yaml", limit: 1 << 16).map {
        String(decoding: $0, as: UTF8.self)
      }
      #expect(text?.contains("notCarriedTo: evenings") == true, "\(text ?? "")")
    }
  }

  @Test("An answer about a removed draft property raises no error")
  func lostAnswers() throws {
    let disk = try released()
    let added = Self.shipped.replacing(
      "var days", with: "var code: String  // schemagen:fill \"x\"\n  var note: Int?\n  var days")
    try snapshot(added, on: disk).write(to: disk)
    let gone = Self.shipped.replacing("var days", with: "var other: Int?\n  var days")
    let taken = try snapshot(gone, on: disk)
    #expect(!taken.findings.hasErrors, "\(taken.findings.map(\.message))")
    // The same if the property that the answer names comes back.
    let copy = Self.shipped.replacing(
      "var days: Int = 1",
      with: "// schemagen:from days\n  // schemagen:convert $0\n  var hours: Int = 1")
    let back = try self.released()
    try snapshot(copy, on: back).write(to: back)
    #expect(back["Schemas/V2.yaml"]?.contains("from: days") == true)
    let restored = try snapshot(Self.shipped, on: back)
    #expect(restored.findings.isEmpty, "\(restored.findings.map(\.message))")
  }

  @Test("An original name in the class replaces 'from:' in the draft")
  func renameInPlaceOfCopy() throws {
    let disk = try released()
    let copy = Self.shipped.replacing(
      "var days: Int = 1",
      with: "// schemagen:from days\n  // schemagen:convert $0 * 24\n  var hours: Int = 1")
    try snapshot(copy, on: disk).write(to: disk)
    #expect(disk["Schemas/V2.yaml"]?.contains("from: days, convert: $0 * 24") == true)
    let renamed = Self.shipped.replacing(
      "var days: Int = 1", with: "@Attribute(originalName: \"days\") var hours: Int = 1")
    let taken = try snapshot(renamed, on: disk)
    #expect(!taken.findings.hasErrors, "\(taken.findings.map(\.message))")
    try taken.write(to: disk)
    let text = try #require(disk["Schemas/V2.yaml"])
    #expect(text.contains("renamedFrom: days") && !text.contains("convert"), "\(text)")
  }

  @Test("A drop's 'notCarriedTo' may name a new model and follows its rename")
  func dropBesideModel() throws {
    let disk = try released()
    func classes(_ drop: String, _ part: String) -> String {
      Self.shipped.replacing("  var days: Int = 1\n", with: "")
        .replacing("final class Trip", with: "// schemagen:drop days: \(drop)\nfinal class Trip")
        + "\n@Model\nfinal class \(part) {\n  var days: Int = 1\n  init() {}\n}\n"
    }
    let asked = try snapshot(classes("no use", "Stay"), on: disk)
    #expect(asked.findings.filter { $0.severity == .error }.map(\.rule.id) == ["ambiguous-rename"])
    let told = try snapshot(classes("{ reason: no use, notCarriedTo: Stay }", "Stay"), on: disk)
    #expect(!told.findings.hasErrors, "\(told.findings.map(\.message))")
    try told.write(to: disk)
    #expect(disk["Schemas/V2.yaml"]?.contains("notCarriedTo: Stay") == true)
  }

  @Test("A 'dedupe' answer is removed once the property is no longer unique")
  func idleDedupe() throws {
    let disk = try released()
    let unique = Self.shipped.replacing(
      "var name", with: "// schemagen:dedupe { latest: days }\n  @Attribute(.unique) var name")
    try snapshot(unique, on: disk).write(to: disk)
    #expect(disk["Schemas/V2.yaml"]?.contains("dedupe") == true)
    let back = try snapshot(unique.replacing("@Attribute(.unique) ", with: ""), on: disk)
    #expect(!back.findings.hasErrors, "\(back.findings.map(\.message))")
    try back.write(to: disk)
    #expect(disk["Schemas/V2.yaml"] == nil)
    // The same choice in a later version must name that version.
    try ship(unique, on: disk)
    try ship(
      unique.replacing("@Attribute(.unique)", with: "@Attribute(hashModifier: \"V3\")"), on: disk)
    let again = try snapshot(unique, on: disk)
    let help: [String] = again.findings.flatMap(\.help)
    #expect(help.contains { $0.contains("// schemagen:V4 dedupe") }, "\(help)")
  }

  @Test("A rename comment on an enum that is no longer stored is ignored")
  func unstoredEnum() throws {
    let disk = try released()
    let second = Self.shipped.replacing(
      "case walk, ride", with: "case walk\n  // schemagen:renamedFrom ride\n  case cycle"
    ).replacing("var name", with: "@Attribute(hashModifier: \"V2\") var name")
    try ship(second, on: disk)
    let gone = second.replacing("  /// Kind.\n  var kind: Kind = Kind.walk\n", with: "")
    try ship("// schemagen:drop Trip.kind: nobody used it\n" + gone, on: disk)
    #expect(disk["Schemas/V3.yaml"] != nil)
  }

  /// The base's classes with `Stop` renamed.
  private func renamed(_ name: String, _ original: String, _ comments: String...) -> String {
    Self.classes.replacing("Stop", with: name)
      .replacing("deleteRule", with: "originalName: \"\(original)\", deleteRule")
      .replacing(
        "@Model\nfinal class \(name)",
        with: comments.map { "// schemagen:\($0)\n" }.joined() + "@Model\nfinal class \(name)")
  }

  @Test(
    "An original name that schemagen derives is not written to the manifest, so it can change later"
  )
  func followedNames() throws {
    let disk = disk()
    try ship(Self.classes, on: disk)
    try ship(renamed("Halt", "stopsV2", "renamedFrom Stop"), on: disk)
    #expect(disk["Schemas/V2.yaml"]?.contains("originalName") == false)
    try ship(renamed("Point", "stopsV3", "renamedFrom Stop", "renamedFrom Halt"), on: disk)
  }

  @Test("A hash modifier that shipped and was removed from the class is requested")
  func lostMark() throws {
    let disk = try released()
    let fewer = Self.shipped.replacing("case walk, ride", with: "case walk")
      .replacing(
        "enum Kind", with: "// schemagen:drop ride: { reason: nobody, replacedBy: walk }\nenum Kind"
      )
    let marked = fewer.replacing("var name", with: "@Attribute(hashModifier: \"V2\") var name")
    try ship(marked, on: disk)
    // As git reverts it, with and without other changes.
    for added in ["", "var note: String?\n  "] {
      let taken = try snapshot(fewer.replacing("var name", with: added + "var name"), on: disk)
      #expect(
        taken.findings.flatMap(\.help).contains(
          "write in the class: @Attribute(hashModifier: \"V2\")"), "\(taken.findings)")
      #expect(taken.isNext == !added.isEmpty)
    }
  }

  @Test("A shipped version's answer is still ignored when a newer answer follows it")
  func answersInTurn() throws {
    let disk = try released()
    let added = Self.shipped.replacing(
      "var days", with: "// schemagen:fill Kind.walk\n  var other: Kind\n  var days"
    ).replacing("var name", with: "@Attribute(hashModifier: \"V2\") var name")
    try ship(added, on: disk)
    let renamed = added.replacing(
      "var other", with: "// schemagen:from other\n  // schemagen:convert $0\n  var another")
    try ship(renamed, on: disk)
    #expect(disk["Schemas/V3.yaml"]?.contains("from: other, convert: $0 }") == true)
    let free = try snapshot(renamed.replacing("/// Kind.", with: "/// What kind."), on: disk)
    #expect(!free.isNext && free.findings.isEmpty, "\(free.findings.map(\.message))")
  }

  @Test("A class and a property that get their old names back need no original name")
  func revertedRename() throws {
    let disk = try released()
    let renamed = Self.shipped.replacing("Stop", with: "Halt")
      .replacing("var trip", with: "var tour").replacing("Halt.trip", with: "Halt.tour")
      .replacing(
        "@Model\nfinal class Halt", with: "// schemagen:renamedFrom Stop\n@Model\nfinal class Halt"
      )
      .replacing("var tour", with: "@Relationship(originalName: \"trip\") var tour")
      .replacing("deleteRule", with: "originalName: \"stopsV2\", deleteRule")
    try ship(renamed, on: disk)
    let back = Self.shipped.replacing(
      "@Model\nfinal class Stop", with: "// schemagen:V3 renamedFrom Halt\n@Model\nfinal class Stop"
    ).replacing("var trip", with: "// schemagen:renamedFrom tour\n  var trip")
      .replacing("deleteRule", with: "originalName: \"stopsV3\", deleteRule")
    let taken = try snapshot(back, on: disk)
    #expect(
      !taken.findings.contains { $0.rule.id == "original-name-changed" }, "\(taken.findings)")
  }

  @Test(
    "A constraint on a renamed property needs no 'dedupe', and a 'dedupe' for it is reported as unused"
  )
  func idleChoice() throws {
    let disk = disk()
    let unique = Self.classes.replacing("var name", with: "#Unique<Trip>([\\.name])\n  var name")
    try ship(unique, on: disk)
    let renamed = unique.replacing("\\.name", with: "\\.title")
      .replacing("var name", with: "@Attribute(originalName: \"name\") var title")
      .replacing("#Unique", with: "// schemagen:dedupe { latest: days }\n  #Unique")
      .replacing("name = \"\"", with: "title = \"\"")
    let taken = try snapshot(renamed, on: disk)
    #expect(
      taken.findings.map { "\($0.severity)" } == ["warning"], "\(taken.findings.map(\.message))")
    #expect(taken.findings.first?.location?.file == "App/Models.swift")
  }

  @Test("A property that is a rename of another cannot receive a drop's values")
  func notCarriedToRename() throws {
    let disk = disk()
    try ship(
      Self.classes.replacing("var days", with: "var hours: Int = 1\n  var days"), on: disk)
    let classes = Self.classes.replacing(
      "var days", with: "@Attribute(originalName: \"hours\") var nights"
    ).replacing(
      "@Model\nfinal class Trip",
      with:
        "// schemagen:drop days: { reason: nobody, notCarriedTo: nights }\n@Model\nfinal class Trip"
    )
    try ship(classes, on: disk)
  }

  @Test("A shipped rename stays done when a new class reuses the old name")
  func doneClassName() throws {
    let disk = disk()
    try ship(Self.classes, on: disk)
    try ship(renamed("Halt", "stopsV2", "renamedFrom Stop"), on: disk)
    let stop = "\n@Model\nfinal class Stop {\n  var note: String?\n  init() {}\n}\n"
    try ship(renamed("Halt", "stopsV2", "renamedFrom Stop") + stop, on: disk)
    try ship(renamed("Point", "stopsV4", "renamedFrom Stop", "renamedFrom Halt") + stop, on: disk)
  }

  @Test("If a relationship and its destination are renamed, the help names the relationship")
  func renamedWithDestination() throws {
    let disk = disk()
    try ship(Self.classes, on: disk)
    let renamed = Self.classes.replacing("Stop", with: "Halt").replacing(
      "var stops", with: "var halts"
    )
    .replacing(
      "@Model\nfinal class Halt", with: "// schemagen:renamedFrom Stop\n@Model\nfinal class Halt")
    let help = try snapshot(renamed, on: disk).findings.flatMap(\.help)
    let answer = "// schemagen:renamedFrom stops"
    #expect(
      help.contains("if 'halts' is its new name, write above 'halts' in the class: \(answer)"),
      "\(help)")
    try ship(renamed.replacing("@Relationship", with: "\(answer)\n  @Relationship"), on: disk)
  }

  @Test("A hash modifier is requested if rows change but the store looks the same")
  func markInNewVersion() throws {
    let disk = disk()
    let classes =
      "@Model\nfinal class Trip {\n  @Attribute(hashModifier: \"x\") var name: String\n"
      + "  var kind: Kind = Kind.walk\n  init() { name = \"\" }\n}\n"
    try ship(classes + "enum Kind: String, Codable { case walk, ride }\n", on: disk)
    let fewer =
      classes
      + "// schemagen:drop ride: { reason: nobody, replacedBy: walk }\nenum Kind: String, Codable { case walk }\n"
    let taken = try snapshot(fewer, on: disk)
    #expect(taken.findings.map(\.rule.id) == ["empty-version"], "\(taken.findings)")
    #expect(
      taken.findings.flatMap(\.help) == [
        "mark a property of a class, or change its mark: @Attribute(hashModifier: \"V2\")"
      ])
    let marked = fewer.replacing("\"x\"", with: "\"V2\"")
    try ship(marked, on: disk)
    // A draft that would store what an earlier version stored needs a mark too, before it is written.
    try ship(marked.replacing("var kind", with: "var note: String?\n  var kind"), on: disk)
    let back = try snapshot(
      marked.replacing("var kind", with: "// schemagen:drop note: no use\n  var kind"),
      on: disk)
    #expect(
      back.findings.flatMap(\.help) == [
        "mark a property of a class, or change its mark: @Attribute(hashModifier: \"V4\")"
      ], "\(back.findings)")
  }

  @Test("If 'originalName:' reverts a rename, one help says everything to write")
  func rememberedName() throws {
    let disk = disk()
    try ship(Self.classes, on: disk)
    try ship(
      Self.classes.replacing("var days", with: "@Attribute(originalName: \"days\") var nights"),
      on: disk)
    let back = Self.classes.replacing(
      "var days", with: "@Attribute(originalName: \"nights\", hashModifier: \"V3\") var days")
    let help = try snapshot(back, on: disk).findings.flatMap(\.help)
    let answer = "// schemagen:renamedFrom nights"
    #expect(
      help == ["remove 'originalName:' from its @Attribute, and write above it: \(answer)"])
    try ship(
      back.replacing("@Attribute(originalName: \"nights\", ", with: "\(answer)\n  @Attribute("),
      on: disk)
    #expect(disk["Schemas/V3.yaml"]?.contains("renamedFrom: nights") == true)
  }
}
