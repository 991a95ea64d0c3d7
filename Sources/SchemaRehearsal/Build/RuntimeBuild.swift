internal import Foundation
internal import SchemaDigests
internal import SchemaProcesses

/// The portable SwiftData and the rehearsal's harness, compiled once for all rehearsals.
///
/// With the compiler's own SwiftSyntax this takes ten seconds, where building swift-syntax takes several. That
/// interface is not promised to anyone, so where a toolchain lacks it `swift build` does the work (`ScratchPackage`).
struct RuntimeBuild {
  /// Each compiled whole into one object file, in the order in which they need each other. Not optimised: that would
  /// take longer than all that a rehearsal does with them, and the rehearsal takes no less time for it.
  private static let modules = [
    "SchemaDigests", "SchemaProcesses", "ManagedModels", "StoreFormat", "StoreEngine",
    "PortableSwiftData", "SwiftData", "RehearsalHarness", "SwiftDataRehearsal",
  ]
  private static let macros = "PortableSwiftDataMacros"
  /// The system's libraries that they need.
  private static let libraries = ["CSQLite", "CZlib"]

  /// The folder of modules and object files.
  let folder: String
  /// Where schemagen's package is.
  private let package: String
  /// What tells this build from any other: sources, compiler, flags.
  let key: String

  /// Builds what is not there yet. `cache`: a folder that stays.
  init(
    package: String, toolchain: Toolchain, host: String, cache: String,
    progress: (String) -> Void
  ) throws(BuildFailure) {
    self.package = package
    var sources: [String: [String]] = [:]
    var hash = SHA256()
    hash.update("\(toolchain.version) \(host) \(Self.settings)")
    for name in [Self.macros] + Self.libraries + Self.modules {
      let files = try Self.files(of: name, package)
      sources[name] = files
      for file in files {
        guard let bytes = FileManager.default.contents(atPath: file) else {
          throw BuildFailure("'\(file)' cannot be read")
        }
        hash.update("\(file) \(bytes.count)")
        hash.update(Array(bytes))
      }
    }
    key = String(hash.finalize().hexadecimal.prefix(16))
    folder = "\(cache)/runtime-\(key)"
    guard !FileManager.default.fileExists(atPath: folder) else { return }

    // Aside, and moved into place whole: of two rehearsals at once the first one's stays.
    let aside = "\(cache)/building-\(UUID().uuidString)"
    do {
      try FileManager.default.createDirectory(atPath: aside, withIntermediateDirectories: true)
    } catch {
      throw BuildFailure(
        "'\(cache)' cannot be written: \(error.localizedDescription)",
        help: ["choose another folder: --work"])
    }
    defer { try? FileManager.default.removeItem(atPath: aside) }
    progress("building the portable SwiftData (once)")
    try Self.buildMacros(sources[Self.macros] ?? [], host: host, into: aside)
    for module in Self.modules {
      try build(module, sources[module] ?? [], into: aside)
    }
    try? FileManager.default.moveItem(atPath: aside, toPath: folder)
    guard FileManager.default.fileExists(atPath: folder) else {
      throw BuildFailure("'\(folder)' cannot be written", help: ["choose another folder: --work"])
    }
  }

  /// What compiles against the runtime needs.
  var clientFlags: [String] {
    [
      "-I", folder, "-load-plugin-library", "\(folder)/lib\(Self.macros).so",
    ] + Self.libraryFlags(package)
  }

  private static func libraryFlags(_ package: String) -> [String] {
    libraries.flatMap { ["-I", "\(package)/Sources/\($0)"] }
  }

  var objects: [String] { Self.modules.map { "\(folder)/\($0).o" } }

  private static let settings = [
    "-swift-version", "6", "-parse-as-library", "-whole-module-optimization",
    "-package-name", "schemagen", "-enable-upcoming-feature", "ExistentialAny",
    "-enable-upcoming-feature", "InternalImportsByDefault",
    "-enable-upcoming-feature", "MemberImportVisibility",
  ]

  private static func files(of module: String, _ package: String) throws(BuildFailure) -> [String] {
    let folder = "\(package)/Sources/\(module)"
    guard let names = try? FileManager.default.subpathsOfDirectory(atPath: folder) else {
      throw BuildFailure("'\(folder)' is missing", help: ["schemagen's package is not complete"])
    }
    let endings = [".swift", ".h", ".modulemap"]
    let sources = names.sorted().filter { name in endings.contains(where: name.hasSuffix) }
    return sources.map { "\(folder)/\($0)" }
  }

  private static func buildMacros(
    _ files: [String], host: String, into folder: String
  ) throws(BuildFailure) {
    // Loaded as a library, it needs no main.
    let files = files.filter { !$0.hasSuffix("/MacroPlugin.swift") }
    try compile(
      macros,
      [
        "-emit-library", "-O", "-whole-module-optimization", "-parse-as-library",
        "-swift-version", "6", "-module-name", macros,
        "-o", "\(folder)/lib\(macros).so", "-I", host, "-L", host,
        "-lSwiftSyntax", "-lSwiftSyntaxBuilder", "-lSwiftSyntaxMacros",
        "-Xlinker", "-rpath", "-Xlinker", host,
      ] + files)
  }

  private func build(
    _ module: String, _ files: [String], into folder: String
  ) throws(BuildFailure) {
    try Self.compile(
      module,
      Self.settings + [
        "-Onone", "-module-name", module,
        "-emit-module", "-emit-module-path", "\(folder)/\(module).swiftmodule",
        "-c", "-o", "\(folder)/\(module).o",
        "-I", folder, "-load-plugin-library", "\(folder)/lib\(Self.macros).so",
      ] + Self.libraryFlags(package) + files)
  }

  private static func compile(_ module: String, _ arguments: [String]) throws(BuildFailure) {
    let outcome = try ChildProcess("swiftc", arguments).built()
    guard outcome.status == 0 else {
      let lacksLibrary = ["sqlite3.h", "zlib.h"].contains(where: outcome.errors.contains)
      throw BuildFailure(
        "the module \(module) of the portable SwiftData does not compile",
        help: lacksLibrary
          ? ["install the headers of SQLite and zlib: apt-get install libsqlite3-dev zlib1g-dev"]
          : ["this is a fault in schemagen, or a compiler that it was not tried with"],
        output: outcome.errors)
    }
  }
}
