import SchemaModel
import SchemaWorkspace
import TestSupport
import Testing

/// The text that the help suggests: for the class if the app keeps its classes, otherwise for the manifest.
@Suite struct ClassAnswerTests {
  private static let v1 = """
    version: 1.0.0
    models:
      Trip: { properties: { name: String, code: String } }

    """

  /// The help of a rule's only finding after V1 has shipped.
  private func help(
    _ rule: String, isOfClasses: Bool, then files: [String: String]
  ) throws -> [String] {
    let disk = MemoryDisk([
      "S/V1.yaml": Self.v1, "S/schemagen.yaml": isOfClasses ? "classes: ../App\n" : "output: G\n",
    ])
    try GenerationPipeline(fileSystem: disk).run("S").write(to: disk)
    try ReleaseMarking.prepare("S", upTo: nil, fileSystem: disk).write(to: disk)
    for (path, text) in files { disk[path] = text }
    let lint = Linter(Linter.Options(today: CalendarDay("2026-01-01")!), fileSystem: disk).run("S")
    let found = lint.findings.filter { $0.rule.id == rule }
    #expect(found.count == 1, "\(lint.findings)")
    return found.first?.help ?? []
  }

  @Test("A lint finding can be accepted in the class", arguments: [true, false])
  func acceptances(isOfClasses: Bool) throws {
    let help = try help(
      "trapping-conversion", isOfClasses: isOfClasses,
      then: [
        "S/V2.yaml": """
        version: 2.0.0
        models:
          Trip:
            properties:
              name: String
              number: { type: Int, from: code, convert: Int($0)! }

        """
      ])
    #expect(
      help.last
        == (isOfClasses
          ? "to accept it, write above 'number' in the class: // schemagen:accept trapping-conversion: why"
          : "to accept it: accept: [{ rule: trapping-conversion, element: Trip.number, reason: \"why\" }]")
    )
  }

  @Test(
    "The help keeps the name of a synced model, or in code first, of its class",
    arguments: [true, false])
  func cloudRename(isOfClasses: Bool) throws {
    let help = try help(
      "cloudkit-rename", isOfClasses: isOfClasses,
      then: [
        "S/V2.yaml": """
        version: 2.0.0
        models:
          Ride: { renamedFrom: Trip, properties: { name: String, code: String } }

        """,
        "S/schemagen.yaml": (isOfClasses ? "classes: ../App\n" : "output: G\n")
          + "cloudKit: private\n",
      ])
    #expect(
      help.first
        == (isOfClasses
          ? "rename the class back to 'Trip': its rows in the cloud have that name. Code can keep using 'Ride': typealias Ride = Trip"
          : "keep the old name in the store, and give the domain entity the new one: Trip: { entity: Ride, … }")
    )
  }

  @Test(
    "In code first, the help for an edited shipped version names the class",
    arguments: [true, false])
  func shippedVersions(isOfClasses: Bool) throws {
    let help = try help(
      "shipped-version-edited", isOfClasses: isOfClasses,
      then: ["S/V1.yaml": Self.v1.replacing("code: String", with: "code: Int")])
    #expect(
      help.last
        == (isOfClasses
          ? "make the change in the class, and run: schemagen snapshot"
          : "make the change in a new version: 'schemagen new-version'"))
  }

  @Test(
    "The help for a second rename of a property suggests a conversion", arguments: [true, false])
  func secondRename(isOfClasses: Bool) throws {
    let help = try help(
      "reused-name", isOfClasses: isOfClasses,
      then: [
        "S/V2.yaml": """
        version: 2.0.0
        models:
          Trip:
            properties:
              name: String
              key: { type: String, renamedFrom: code }
              sign: { type: String, renamedFrom: code }

        """
      ])
    #expect(
      help == [
        isOfClasses
          ? "to copy the values as well, write above 'sign' in the class: // schemagen:from code, and below it // schemagen:convert $0, in place of 'originalName:'"
          : "to copy the values as well: sign: { type: String, from: code, convert: $0 }"
      ])
  }
}
