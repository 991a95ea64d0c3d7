import SchemaModel
import Testing

@testable import SchemaEvolution

/// A finding that the author's code before a step may have settled is left to a rehearsal, which runs the code.
@Suite struct HookCodeTests {
  private static func hook(_ body: String, _ more: String = "") throws -> HookCode? {
    HookCode(
      "before",
      in: SourceFile(
        path: "Migrations/V1ToV2.swift",
        text: """
          import SwiftData

          enum V1ToV2 {
            static func before(_ context: ModelContext) throws {
              \(body)
            }
            \(more)
          }

          """))
  }

  private static func findings(
    _ old: String, _ new: String, _ hook: HookCode?, shipped: Bool = false
  ) throws -> [Diagnostic] {
    let number = VersionNumber(2)
    return try Manifests.evolution(
      [
        Manifests.one(old),
        Manifests.one(new, "", "hooks: [before]" + (shipped ? "\nidentity: shipped" : "")),
      ], shipped: ShippedVersions(released: shipped ? [number] : []),
      hooks: hook.map { [number: $0] } ?? [:]
    ).diagnostics
  }

  @Test func aShippedStepIsNotSaidToFailEither() throws {
    let hook = try #require(try Self.hook(Self.rows))
    let found = try Self.findings("x: String?", "x: String", hook, shipped: true)
      .filter { $0.rule.id == "required-without-fill" }
    #expect(found.map(\.severity) == [.warning])
    #expect(found.allSatisfy { $0.message.hasPrefix("V2 has shipped with this change: ") })
    #expect(found.allSatisfy { $0.message.hasSuffix(" prevents the failure") })
  }

  private static let rows = "for a in try context.fetch(FetchDescriptor<SchemaV1.A>()) { fix(a) }"

  @Test(arguments: [
    ("x: String", "x: { type: String, unique: true }", "unique-added"),
    ("x: String?", "x: String", "required-without-fill"),
    ("", "x: String", "missing-default"),
    (
      "", "x: { relationship: A }, y: { relationship: '[A]', inverse: x }", "mandatory-relationship"
    ),
  ])
  func rowsAreLeftToIt(_ old: String, _ new: String, _ rule: String) throws {
    let hook = try #require(try Self.hook(Self.rows))
    let found = try Self.findings(old, new, hook).filter { $0.rule.id == rule }
    #expect(found.map(\.severity) == [.warning])
    #expect(
      found.allSatisfy {
        $0.message.hasSuffix(
          "; schemagen cannot tell whether your code at Migrations/V1ToV2.swift:4 prevents the failure"
        )
      })
    #expect(found[0].help.last?.hasPrefix("to accept it: accept: [{ rule: \(rule), ") == true)
    #expect(found[0].related.map(\.location.line) == [4])
    // Without the code, the severity does not change.
    let plain = try Self.findings(old, new, nil).filter { $0.rule.id == rule }
    #expect(plain.map(\.severity) == [.error])
  }

  /// A change that cannot be inferred fails whatever values rows have.
  @Test func whatRowsDoNotDecideStaysAnError() throws {
    let hook = try Self.hook(Self.rows)
    #expect(try Self.findings("x: Int", "x: String", hook).map(\.severity) == [.error])
  }

  @Test(arguments: [
    (rows, "", true),
    ("let all: [A] = []", "", true),
    ("for model in SchemaV1.models { try context.delete(model: model) }", "", true),
    (
      "try clean(context)",
      "static func clean(_ c: ModelContext) throws { try c.delete(model: AV1.self) }", true
    ),
    // Code that does not use the model: a scaffold, another model, a word in a text or comment, a function without
    // calls.
    ("", "", false),
    ("try context.delete(model: SchemaV1.B.self)", "", false),
    ("// A\n    print(\"A\") /* A */", "", false),
    ("print(\"\"\"\n    A\n    \"\"\")", "", false),
    (
      "try context.save()",
      "static func after(_ c: ModelContext) throws { try c.delete(model: A.self) }", false
    ),
  ])
  func whatItConcerns(_ body: String, _ more: String, _ concerns: Bool) throws {
    let hook = try #require(try Self.hook(body, more))
    #expect(hook.concerns(["A", "AV1"]) == concerns)
  }

  @Test func aFileWithoutTheFunctionHasNone() {
    #expect(
      HookCode("before", in: SourceFile(path: "a", text: "enum V1ToV2 { func after() {} }")) == nil)
  }

  /// No time is measured: a scanner that reads a function once for each one around it would run for hours.
  @Test func thousandsOfFunctionsInOneAnother() throws {
    let text =
      "enum V1ToV2 {\n"
      + String(repeating: "func before() { func inner(_ a: Trip) { b()\n", count: 20_000)
    let code = try #require(HookCode("before", in: SourceFile(path: "a", text: text)))
    #expect(code.location.line == 2)
    #expect(code.concerns(["Trip"]) && !code.concerns(["Walk"]))
  }
}
