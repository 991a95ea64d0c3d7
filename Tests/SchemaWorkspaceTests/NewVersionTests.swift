import Foundation
import SchemaModel
import SchemaWorkspace
import TestSupport
import Testing

/// `new-version`: the latest manifest under the next number, without the keys of its step.
@Suite struct NewVersionTests {
  @Test("A new version drops acceptances of the step and keeps those of the version")
  func acceptances() {
    let old = """
      version: 2.0.0
      models:
        Trip:
          properties:
            # schemagen:accept shared-default: all were added now
            added: Date = Date()
            tags: "[String]?" # schemagen:accept optional-array: it never crashed here
      accept:
        # of the step
        - { rule: shared-default, element: Trip.other, reason: the same }
        - { rule: missing-inverse, element: Trip.days, reason: days stand alone }

      """
    let new = """
      version: 3.0.0
      models:
        Trip:
          properties:
            added: Date = Date()
            tags: "[String]?"

      accept:
        - rule: missing-inverse
          element: Trip.days
          reason: days stand alone
        - rule: optional-array
          element: Trip.tags
          reason: it never crashed here

      """
    let (text, diagnostics) = NewVersion.manifest(
      from: SourceFile(path: "V2.yaml", text: old), number: VersionNumber(3))
    #expect(diagnostics.isEmpty)
    #expect(text == new, "\(difference(from: new, to: text ?? ""))")
  }

  @Test("A reserved name of a shipped version is copied and reported")
  func namesOfShippedVersions() throws {
    let old = """
      version: 1.0.0
      models:
        Trip:
          properties:
            isDeleted: Bool = false
      identity: shipped

      """
    let (text, diagnostics) = NewVersion.manifest(
      from: SourceFile(path: "V1.yaml", text: old), number: VersionNumber(2))
    #expect(text?.contains("version: 2.0.0") == true && text?.contains("identity") == false)
    #expect(diagnostics.map(\.rule.id) == ["reserved-name"])
    #expect(diagnostics.first?.location?.line == 5)
  }

  @Test("A new version drops the step, keeps comments and is printed canonically")
  func copies() throws {
    let old = """
      # About this app
      version: 2.0.0   # the second
      summary: What changed
      hooks: [before]
      models:
        Trip:   # a model
          renamedFrom: Journey
          # about properties
          properties:
            id: { type: UUID, unique: true, dedupe: { latest: made } }
            name: { renamedFrom: title, type: String }
            made: { type: Date, fill: 'Date.now' , doc: "When, and why" }
            length:
              type: Int
              # how it comes about
              from:
                - a
                - b
              convert: $0 + $1
              revert: { a: $0, b: "0" }
              doc: In days.
            title: 'String = "fill: it, {from: here}"'
          unique:
            - { keys: [name, made], dedupe: { function: pick } }
            - keys: [length]
              dedupe:
                earliest: made
          index: [[made]]
      # the end
      drops:
        Journey.old:
          reason: gone
      expect:
        # of the step
        - no Trip without name
        - Trip: new.name == old.title
      types:
        Kind: { enum: String, cases: [from, fill, new: { renamedFrom: old }] } # kinds
        Mood: { enum: String, cases: [calm, { cross: { renamedFrom: angry } }] }
        Level: { enum: Int, cases: { low: { rawValue: 1, renamedFrom: least }, high: 2 } }
        Size: { enum: String, cases: { small: { renamedFrom: tiny }, large: l } }
        Weekday:
          enum: String
          cases:
            - monday
            - tuesday:
                renamedFrom: tiw
            - wednesday: { renamedFrom: woden }
        Month:
          enum: String
          cases:
            may:
              renamedFrom: mai
            june: j
      accept:
      - { rule: x, element: y, reason: z }
      """
    let new = """
      # About this app
      # the second
      version: 3.0.0
      models:
        # a model
        Trip:
          # about properties
          properties:
            id: { type: UUID, unique: true }
            name: String
            made: { type: Date, doc: "When, and why" }
            # how it comes about
            length: { type: Int, doc: In days. }
            title: 'String = "fill: it, {from: here}"'
          unique: [[name, made], [length]]
          index: [[made]]

      types:
        # kinds
        Kind: { enum: String, cases: [from, fill, new] }
        Mood: { enum: String, cases: [calm, cross] }
        Level: { enum: Int, cases: { low: 1, high: 2 } }
        Size: { enum: String, cases: { small: small, large: l } }
        Weekday: { enum: String, cases: [monday, tuesday, wednesday] }
        Month: { enum: String, cases: { may: may, june: j } }

      """
    let (text, diagnostics) = NewVersion.manifest(
      from: SourceFile(path: "V2.yaml", text: old), number: VersionNumber(3))
    #expect(diagnostics.isEmpty)
    #expect(text == new, "\(difference(from: new, to: text ?? ""))")
  }

  @Test(
    "The newest manifest of each example can be copied without changes",
    arguments: Checkout.references)
  func examples(_ folder: String) throws {
    let path = Checkout.root + "/" + folder
    let latest = try #require(
      SchemaFolder.read(path, fileSystem: Disk()).versions.last?.location?.file)
    let file = SourceFile(path: latest, text: try String(contentsOfFile: latest, encoding: .utf8))
    let (text, diagnostics) = NewVersion.manifest(from: file, number: VersionNumber(99))
    #expect(diagnostics.isEmpty)
    #expect(text?.contains("version: 99.0.0") == true)
  }

  @Test("A broken manifest is not copied")
  func refuses() {
    let broken = SourceFile(path: "V1.yaml", text: "version: [")
    #expect(NewVersion.manifest(from: broken, number: VersionNumber(2)).text == nil)
  }

  /// The files of `init` name the JSON Schema of this schemagen, for editors without the language server.
  @Test(
    "The line that names the JSON Schema for editors appears once and names this release's schema")
  func editorLine() throws {
    let line = EditorLine.manifest.text
    #expect(
      line == "# yaml-language-server: $schema=https://raw.githubusercontent.com/OWNER/schemagen/"
        + "v\(Project.version)/Schemas/manifest.schema.json")
    for (file, line) in zip(InitialFiles.files, [line, EditorLine.configuration.text]) {
      // An address that does not exist yet is not written.
      #expect(file.text.hasPrefix(line + "\n") == Project.isPublished, "\(file.name)")
    }
    func copy(_ first: String) throws -> String {
      let rest = "version: 1.0.0\nmodels: { Trip: { properties: { name: String } } }\n"
      let file = SourceFile(path: "V1.yaml", text: first + rest)
      return try #require(NewVersion.manifest(from: file, number: VersionNumber(2)).text)
    }
    let rest = try copy("")
    #expect(rest.hasPrefix("version: 2.0.0"), "none is added where a person has taken it out")
    let old = line.replacing("/v\(Project.version)/", with: "/v0.0.9-beta.1/")
    for first in [line, old] { #expect(try copy(first + "\n") == line + "\n" + rest) }
    // Other first lines are kept: another file, another place, another branch of this repository.
    for first in [
      "# yaml-language-server: $schema=../manifest.schema.json",
      line.replacing("OWNER", with: "Ada"), line.replacing("/Schemas/", with: "/more/Schemas/"),
      "#" + line,
    ] { #expect(try copy(first + "\n") == first + "\n" + rest) }
  }

  @Test("The initial manifest has no findings")
  func starter() throws {
    let disk = MemoryDisk()
    for file in InitialFiles.files { disk["S/" + file.name] = file.text }
    let generation = GenerationPipeline(fileSystem: disk).run("S")
    #expect(generation.diagnostics.isEmpty)
    #expect(generation.changes.count > 5)
    #expect(try InitialFiles.obstacle(in: "S", disk) == "S/V1.yaml")
  }
}
