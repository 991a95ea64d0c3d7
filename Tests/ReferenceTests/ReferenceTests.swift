import Foundation
import ManagedModels
import SchemaModel
import SchemaWorkspace
import TestSupport
import Testing

/// The generated files in the repository: they are current, compile and are well formed. `make references` records them
/// again.
@Suite struct ReferenceTests {
  @Test("Generation reproduces the files in the repository", arguments: Checkout.references)
  func filesAreCurrent(_ folder: String) throws {
    let generation = GenerationPipeline(fileSystem: Disk()).run(
      Checkout.root + "/" + folder)
    #expect(generation.diagnostics.filter { $0.severity == .error } == [])
    for change in generation.changes {
      let old = change.previous.map { String(decoding: $0, as: UTF8.self) } ?? ""
      let new = String(decoding: change.contents, as: UTF8.self)
      Issue.record(
        """
        would \(change.action.rawValue) \(change.path); 'make references' records it anew
        \(difference(from: old, to: new))
        """)
    }
  }

  /// In one mode, without extras, and with only the scaffolds beside it. `ExtrasReferenceTests` compiles the same
  /// histories in every mode, with extras.
  @Test(
    "Generated Swift compiles", .enabled(if: Checkout.runsEverything),
    arguments: Checkout.references + ["Examples/Consumer/Sources/TripModels"])
  func compiles(_ folder: String) throws {
    try compiles(folder, .swift6)
  }

  /// The app's own files with generated code, which no history of generated models covers.
  @Test(
    "Code generated for live classes compiles in every mode",
    .enabled(if: Checkout.runsEverything), arguments: CompilerMode.matrix)
  func keptClassesCompile(_ mode: CompilerMode) throws {
    try compiles("Tests/Support/LiveModels", mode)
  }

  /// A cast on another thread does not find a conformance that is isolated to the main actor, and in Swift 5 mode no
  /// compiler reports it.
  @Test(
    "Values encode and decode off the main thread under main-actor default isolation",
    .enabled(if: Checkout.runsEverything))
  func castsOffTheMainThread() throws {
    try withTemporaryFolder { folder in
      let generated = Checkout.root + "/Schemas/Ritualist/Generated/"
      let program = """
        import Foundation

        @main
        enum Program {
          static func main() async {
            let value = HabitSchedule(weekdays: [1])
            let isDone = await Task.detached {
              guard let encodable = value as Any as? any Encodable,
                let data = try? JSONEncoder().encode(encodable),
                let type = HabitSchedule.self as Any as? any Decodable.Type
              else { return false }
              return (try? JSONDecoder().decode(type, from: data)) is HabitSchedule
            }.value
            exit(isDone ? 0 : 1)
          }
        }

        """
      try program.write(toFile: folder + "/Program.swift", atomically: true, encoding: .utf8)
      let mode = CompilerMode.mainActorInSwift5
      let built = try run(
        "swiftc",
        [
          "-parse-as-library", "-o", folder + "/program", folder + "/Program.swift",
          generated + "ValueTypes.swift",
        ] + mode.flags)
      try #require(built.status == 0, "\(built.output)\(built.errors)")
      #expect(try run(folder + "/program").status == 0)
    }
  }

  @Test(
    "A new user file does not compile until its functions are filled in",
    .enabled(if: Checkout.runsEverything))
  func unfilledDoesNotCompile() throws {
    try withTemporaryFolder { temporary in
      let source = Checkout.root + "/Tests/Support/Fixtures/Everything"
      for name in filesBelow(source) where name.hasSuffix(".yaml") {
        try FileManager.default.copyItem(
          atPath: "\(source)/\(name)", toPath: "\(temporary)/\(name)")
      }
      try FileManager.default.createDirectory(
        atPath: temporary + "/Migrations", withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        atPath: source + "/Migrations/Color.swift", toPath: temporary + "/Migrations/Color.swift")
      let generation = GenerationPipeline(fileSystem: Disk()).run(temporary)
      try generation.write(to: Disk())
      let files = filesBelow(temporary).filter { $0.hasSuffix(".swift") && !$0.contains("Tests/") }
      let result = try check(files.map { temporary + "/" + $0 })
      #expect(result.status != 0)
      let errors = (result.output + result.errors).split(separator: "\n")
        .filter { $0.contains("error: schemagen: ") && $0.hasPrefix("/") }
      #expect(Set(errors).count == 7, "one for each function: \(errors)")
    }
  }

  @Test(
    "swift-format accepts generated Swift", .enabled(if: Checkout.runsEverything),
    arguments: Checkout.references)
  func isFormatted(_ folder: String) throws {
    let result = try run("swift", ["format", "lint", "-s"] + swiftFiles(folder))
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.errors.isEmpty, "\(result.errors)")
  }

  @Test(
    "Generated files have LF line ends, a final line break and no local path",
    arguments: Checkout.references)
  func isClean(_ folder: String) throws {
    for path in swiftFiles(folder) + [Checkout.root + "/\(folder)/MIGRATIONS.md"] {
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(!text.contains("\r") && text.hasSuffix("\n") && !text.hasSuffix("\n\n"), "\(path)")
      #expect(!text.contains(Checkout.root) && !text.contains("/tmp/"), "\(path)")
      #expect(!text.contains(" \n"), "\(path)")
    }
  }

  /// All statics are computed: stored ones do not compile with SDKs up to Xcode 16.4
  /// (docs/facts/swiftdata.md#computed-statics-only).
  @Test("Generated code has no stored static property", arguments: Checkout.references)
  func staticsAreComputed(_ folder: String) throws {
    for path in swiftFiles(folder) {
      let text = try String(contentsOfFile: path, encoding: .utf8)
      for line in text.split(separator: "\n") {
        guard line.contains("static let") || line.contains("static var") else { continue }
        // An Int, and coders, which are Sendable in every SDK that has SwiftData.
        let isConstant = ["static let size = ", "static let decoder = JSONDecoder()"].contains {
          line.contains($0)
        }
        #expect(isConstant || line.contains("{"), "\(path): \(line)")
      }
    }
  }

  // MARK: Means

  /// The Swift files of an example, with or without test scaffolds, or both kinds if not specified.
  private func swiftFiles(_ folder: String, scaffolds: Bool? = nil) -> [String] {
    let names = filesBelow(Checkout.root + "/" + folder).filter { name in
      name.hasSuffix(".swift") && (scaffolds.map { $0 == name.hasPrefix("Tests/") } ?? true)
    }
    return names.map { "\(Checkout.root)/\(folder)/\($0)" }
  }

  private func compiles(_ folder: String, _ mode: CompilerMode) throws {
    try withTemporaryFolder { temporary in
      var files = swiftFiles(folder, scaffolds: false)
      for path in swiftFiles(folder, scaffolds: true) {
        let copy = temporary + "/" + URL(filePath: path).lastPathComponent
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        try keepInModule(copy)
        files.append(copy)
      }
      let result = try check(files, mode)
      #expect(result.status == 0, "\(result.output)\(result.errors)")
    }
  }

  private func check(_ files: [String], _ mode: CompilerMode = .swift6) throws -> Finished {
    try compile(files, mode, flags: ["-package-name", "reference"])
  }
}

/// Removes the import of the tested module from a test scaffold: here everything is compiled as one module.
func keepInModule(_ scaffold: String) throws {
  let text = try String(contentsOfFile: scaffold, encoding: .utf8)
  try text.replacing(/@testable import \w+\n/, with: "").write(
    toFile: scaffold, atomically: true, encoding: .utf8)
}
