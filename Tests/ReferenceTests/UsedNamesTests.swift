import Foundation
import SchemaModel
import SchemaWorkspace
import TestSupport
import Testing

/// Apps may give models the names of types that generated code uses. Whatever is not refused must compile.
@Suite struct UsedNamesTests {
  /// Every type that a template, or the Swift that fills it, seems to name, and some more words.
  private static let names: [String] = {
    var names: Set<String> = []
    for folder in ["Templates", "Sources/Schema/SchemaRendering"] {
      for file in filesBelow(Checkout.root + "/" + folder) {
        let path = "\(Checkout.root)/\(folder)/\(file)"
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        for line in text.split(separator: "\n")
        where !line.drop(while: { $0 == " " }).hasPrefix("//") {
          let code =
            file.hasSuffix(".mustache")
            ? String(line).replacing(/\{\{[^}]*\}\}/, with: " ").replacing(/"[^"\\]*"/, with: "")
            : line.matches(of: /"[^"]*"/).map { String($0.output) }.joined(separator: " ")
          let words = code.split { !$0.isASCII || !($0.isLetter || $0.isNumber || $0 == "_") }
          // The first word of a string is taken for a sentence's if another word follows.
          let types = words.filter { word in
            file.hasSuffix(".mustache")
              || [".", "(", "<", ">", ":"].contains { code.contains(word + $0) }
          }
          names.formUnion(types.filter { $0.first?.isUppercase ?? false }.map(String.init))
        }
      }
    }
    return names.filter { !$0.contains("_") && StorageType.Primitive.bySwiftName[$0] == nil }
      .sorted()
  }()

  /// What an app uses one of the names for.
  enum Use: String, CaseIterable, Sendable {
    /// A model with an entity.
    case entity
    /// A model, with an alias of that name at the top level.
    case alias
    /// An enum that a model stores.
    case type
  }

  @Test(
    "Generated code compiles with models, entities or enums named like anything that it uses",
    .enabled(if: Checkout.runsEverything), arguments: Use.allCases)
  func compiles(_ use: Use) throws {
    #expect(Self.names.count > 100 && Self.names.contains("Task") && Self.names.contains("Version"))
    var names = Self.names
    // Names that are refused, and those that would be declared twice.
    for _ in 0..<4 {
      let findings = GenerationPipeline(fileSystem: MemoryFiles(Self.files(names, use)))
        .run("Schemas").diagnostics.filter { $0.severity == .error }
      guard !findings.isEmpty else { break }
      let refused = findings.flatMap { finding in
        finding.message.matches(of: /'([A-Za-z0-9.]+)'/).map { String($0.output.1) }
      }
      let before = names.count
      // Of a refused derived name, the name it comes from.
      let derived = Set(refused.flatMap { [$0, $0.replacing(/^Active|JSON$|V[0-9]$/, with: "")] })
      names.removeAll(where: derived.contains)
      try #require(names.count < before, "\(findings)")
    }
    for name in ["Bundle", "Locale", "Logger", "Report", "Result", "State", "Task", "Text", "View"]
    {
      #expect(names.contains(name), "\(name) is refused")
    }
    try withTemporaryFolder { folder in
      for file in Self.files(names, use) {
        try Disk().write(Array(file.text.utf8), to: "\(folder)/\(file.path)")
      }
      let generation = GenerationPipeline(fileSystem: Disk()).run(folder + "/Schemas")
      #expect(generation.diagnostics.filter { $0.severity == .error } == [])
      try generation.write(to: Disk())
      let files = filesBelow(folder).filter { $0.hasSuffix(".swift") }.map { folder + "/" + $0 }
      let modules = try ExtrasReferenceTests.modules.get()
      // Tests are a module of their own, which prefers its own names to the app's.
      for (name, isTest) in [("App", false), ("AppTests", true)] {
        let result = try compile(
          files.filter { $0.contains("/Tests/") == isTest }, .strictest,
          flags: [
            "-module-name", name, "-package-name", "reference", "-I", modules, "-I", folder,
            "-enable-testing", "-emit-module-path", "\(folder)/\(name).swiftmodule",
          ])
        let errors = (result.output + result.errors).split(separator: "\n").filter {
          $0.contains("error: ") && $0.hasPrefix("/")
        }
        #expect(result.status == 0, "\(errors.prefix(60).joined(separator: "\n"))")
      }
    }
  }

  /// Two versions, so that there are converters, rows written by a migration, and tests.
  private static func files(_ names: [String], _ use: Use) -> [SourceFile] {
    func manifest(_ number: Int, _ properties: [String]) -> SourceFile {
      var lines = ["version: \(number).0.0", "models:"]
      func add(_ model: String, _ own: [String]) {
        lines.append("  \(model):")
        if use != .alias { lines.append("    entity: \(model)\(use == .type ? "Entity" : "")") }
        lines.append("    properties:")
        lines += (["id: UUID", "name: String"] + own).map { "      " + $0 }
      }
      switch use {
      case .entity, .alias:
        for name in names { add(name, properties) }
      case .type:
        add("Holder", properties + names.map { "of\($0): { type: \($0), default: \($0).one }" })
        lines.append("types:")
        lines += names.map { "  \($0): { enum: String, cases: [one, two] }" }
      }
      return SourceFile(
        path: "Schemas/V\(number).yaml", text: lines.joined(separator: "\n") + "\n")
    }
    let extras = use == .alias ? "" : "cloudMappers, jsonImport, "
    let settings =
      (use == .alias ? "names: { active: \"{model}\" }\nconverters: none\n" : "")
      + "tests: Tests\nmodule: App\nextras: [\(extras)fixtures, debugReport, migrationKit]\n"
    return [
      manifest(1, []),
      manifest(
        2, [use == .alias ? "title: String?" : "title: { type: String, from: name, convert: $0 }"]),
      SourceFile(path: "Schemas/schemagen.yaml", text: settings),
    ]
  }
}
