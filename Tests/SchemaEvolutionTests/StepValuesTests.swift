import SchemaModel
import Testing

@testable import SchemaEvolution

/// The values that manifests predict for a step, to which tests compare a migrated store.
@Suite struct StepValuesTests {
  private typealias Told = (changes: [String], left: [String])

  /// The step's changes, as `Trip > Tour: name=title -price +cents`, and the models that cannot be followed.
  private func told(_ bodies: String...) throws -> Told {
    let evolution = try Manifests.evolution(bodies)
    #expect(evolution.errors.allSatisfy { $0.hasPrefix("empty-version") }, "\(evolution.errors)")
    let values = try #require(evolution.steps.last.flatMap { evolution.values(of: $0) })
    let changes = values.changes.map { change in
      let renamed = change.renamed.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
      let left = change.left.map { " -\($0)" }
      let made = change.made.map { made in
        let sources = made.sources.map(\.name).joined(separator: ",")
        return " +\(made.property.name)" + (sources.isEmpty ? "" : "(\(sources))")
      }
      return "\(change.old) > \(change.new):" + (renamed + left + made).joined()
    }
    return (changes, values.left)
  }

  private func told(one old: String, _ new: String, _ top: String = "") throws -> String {
    let told = try told(Manifests.one(old), Manifests.one(new, "", top))
    #expect(told.left == [])
    #expect(told.changes.count < 2)
    return told.changes.first.map { String($0.dropFirst(6)) } ?? "nothing"
  }

  @Test(
    "A step predicts which values are kept, converted or new",
    arguments: [
      ("x: Int", "x: Int", "nothing"),
      ("x: Int", "y: { type: Int, renamedFrom: x }", " x=y"),
      ("x: Int", "x: Int?", "nothing"),
      ("x: Int", "y: { type: String, from: x, convert: 'String($0)', revert: '0' }", " -x +y(x)"),
      (
        "x: Int, z: Int",
        "y: { type: Int, from: [x, z], convert: $0 + $1 }", " -x -z +y(x,z)"
      ),
      ("x: Int?", "x: { type: Int, fill: '7' }", " -x +x(x)"),
      ("", "x: { type: Int, default: '3' }", " +x"), ("", "x: Int?", " +x"),
      ("", "x: { type: Int, fill: '3' }", " +x"),
    ])
  func values(old: String, new: String, expected: String) throws {
    #expect(try told(one: old, new) == expected)
  }

  @Test(
    "Predictions leave out values that vary or that the app or engine decides",
    arguments: [
      ("", "x: { type: UUID, fill: UUID() }", "nothing"),
      ("", "x: { type: Date, default: 'Date()' }", "nothing"),
      ("x: Int", "y: { type: String, from: x, convert: { function: f }, revert: '0' }", " -x"),
      ("x: Int16", "x: Int", " -x"),
      ("", "x: { type: '[String]', default: '[]' }", "nothing"),
      ("x: '[String]'", "y: { type: Int, from: x, convert: $0.count, revert: '[]' }", "nothing"),
    ])
  func leftOut(old: String, new: String, expected: String) throws {
    #expect(try told(one: old, new) == expected)
  }

  @Test("A step with hooks has no predicted values")
  func hooks() throws {
    for hook in ["before", "after"] {
      let evolution = try Manifests.evolution(
        Manifests.one("x: Int"),
        Manifests.one("y: { type: Int, renamedFrom: x }", "", "hooks: [\(hook)]"))
      #expect(evolution.values(of: evolution.steps[0]) == nil)
      #expect(evolution.changedModels == [[], []])
    }
  }

  @Test("Predictions follow rows into a renamed or split model, but not into a merged one")
  func models() throws {
    let two = "models: { A: { properties: { x: Int } }, B: { properties: { x: Int } } }"
    let renamed = try told(
      two,
      "models: { C: { renamedFrom: A, properties: { x: Int } }, B: { properties: { x: Int } } }")
    #expect(renamed == (["A > C:"], ["A"]))
    let merged = try told(two, "models: { C: { from: [A, B], properties: { x: Int } } }")
    #expect(merged == ([], ["A", "B"]))
    let split = try told(
      "models: { A: { properties: { x: Int, y: Int } } }",
      """
      models: { A: { properties: { x: Int } }, C: { from: [A], properties: { y: Int } } }
      drops: { A.y: It is in C. }
      accept: [{ rule: unlinked-rows, element: C, reason: It is not asked for. }]
      """)
    #expect(split == (["A > A: -y", "A > C: -x"], []))
  }

  @Test("Predictions leave out enum cases with changed raw values")
  func cases() throws {
    func version(_ cases: String) -> String {
      "models: { A: { properties: { mood: Mood } } }\ntypes: { Mood: { enum: String, cases: [\(cases)] } }"
    }
    #expect(
      try told(version("calm, wild"), version("calm, feral: { renamedFrom: wild }")).changes == [
        "A > A: -mood"
      ])
    #expect(try told(version("calm, wild"), version("calm, wild, dark")).changes == [])
  }
}
