internal import Dispatch
internal import Foundation
internal import ManagedModels
internal import SchemaModel
internal import SchemaProcesses

/// The portable SwiftData and the rehearsal's harness, compiled once for all rehearsals.
///
/// With the compiler's own SwiftSyntax this takes some seconds, while building swift-syntax takes several times as
/// long. That interface is not stable, and a rehearsal fails with a toolchain that lacks it (`ScratchPackage.build`).
struct RuntimeBuild {
  /// The modules, each after the modules that it needs. The modules that need the macros come last. Each is compiled as
  /// a whole into one object file. Most modules are not optimised, because optimising takes longer than a rehearsal
  /// runs.
  private static let modules = [
    "SchemaProcesses", "ManagedModels", "StoreFormat", "StoreEngine", "RehearsalHarness",
    "SwiftData", "SwiftDataRehearsal",
  ]
  private static let modulesWithMacros: Set = ["SwiftData", "SwiftDataRehearsal"]
  private static let macros = "PortableSwiftDataMacros"
  private static let libraries = ["CGNU", "CSHA", "CStoreLibraries"]
  /// The folder in `Sources` of each module that is not in `Rehearsal`.
  private static let wings = [
    "CGNU": "System", "CSHA": "System", "CStoreLibraries": "System", "SchemaProcesses": "System",
    "ManagedModels": "Stores", "StoreFormat": "Stores", "StoreEngine": "Stores",
  ]

  let folder: String
  /// The temporary folder of modules while object files are missing; nil once the build is complete.
  private let aside: String?
  private let sources: [String: [String]]
  private let package: String
  let key: String

  /// Builds what is missing, except object files, which `complete` makes. The folder `cache` is kept for other
  /// rehearsals.
  init(
    package: String, toolchain: Toolchain, host: String, cache: String,
    progress: (String) -> Void
  ) throws(BuildFailure) {
    self.package = package
    var sources: [String: [String]] = [:]
    var hash = SHA256()
    hash.update("\(toolchain.version) \(host) \(Self.settings) \(Self.optimized.sorted())")
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
    self.sources = sources
    guard !FileManager.default.fileExists(atPath: folder) else {
      aside = nil
      return
    }

    // The build is made in a temporary folder and moved as a whole. Of two builds at once, the first is kept.
    let aside = "\(cache)/building-\(UUID().uuidString)"
    self.aside = aside
    do {
      try FileManager.default.createDirectory(atPath: aside, withIntermediateDirectories: true)
    } catch {
      throw BuildFailure(
        "'\(cache)' cannot be written: \(error.localizedDescription)",
        help: ["choose another folder: --work"])
    }
    progress("building the portable SwiftData (once)")
    do {
      let (build, late) = (self, Self.modulesWithMacros)
      try Self.inParallel([
        {
          do throws(BuildFailure) {
            try Self.buildMacros(build.sources[Self.macros] ?? [], host: host, into: aside)
          } catch { return error }
          return nil
        },
        {
          do throws(BuildFailure) {
            for module in Self.modules where !late.contains(module) { try build.emit(module) }
          } catch { return error }
          return nil
        },
      ])
      for module in Self.modules where late.contains(module) { try emit(module) }
    } catch {
      try? FileManager.default.removeItem(atPath: aside)
      throw error
    }
  }

  var isIncomplete: Bool { aside != nil }

  /// Makes the object files while `work` runs, which does not need them.
  ///
  /// - Throws: A failure to make the object files, or else the failure of `work`.
  func complete(beside work: @escaping Work) throws(BuildFailure) {
    guard let aside else {
      if let failure = work() { throw failure }
      return
    }
    defer { try? FileManager.default.removeItem(atPath: aside) }
    // The longest work starts first, so that nothing waits for it at the end: the rehearsed code, then modules by size.
    let longestFirst = Self.modules.sorted { (size($0), $0) > (size($1), $1) }
    let build = self
    var failure: BuildFailure?
    do throws(BuildFailure) {
      try Self.inParallel(
        [work]
          + longestFirst.map { module in
            {
              do throws(BuildFailure) { try build.compile(module) } catch { return error }
              return nil
            }
          })
    } catch {
      // The rehearsed code may lack something, but the runtime is complete.
      guard error.isOfRehearsedCode else { throw error }
      failure = error
    }
    try? FileManager.default.moveItem(atPath: aside, toPath: folder)
    guard FileManager.default.fileExists(atPath: folder) else {
      throw BuildFailure("'\(folder)' cannot be written", help: ["choose another folder: --work"])
    }
    if let failure { throw failure }
  }

  /// Returns a failure or nil, because the compiler of Swift 6.3 crashes on closures that throw a `BuildFailure`.
  typealias Work = @Sendable () -> BuildFailure?

  /// Runs as many works at a time as there are cores.
  ///
  /// - Throws: If several fail, the failure of the last one in `works`.
  private static func inParallel(_ works: [Work]) throws(BuildFailure) {
    let failures = Locked<[Int: BuildFailure]>([:])
    DispatchQueue.concurrentPerform(iterations: works.count) { place in
      if let failure = works[place]() { failures.withLock { $0[place] = failure } }
    }
    // The first work is the rehearsed code; other failures are the runtime's.
    if let last = failures.withLock({ $0.max { $0.key < $1.key }?.value }) { throw last }
  }

  private func size(_ module: String) -> Int {
    (sources[module] ?? []).reduce(0) { size, file in
      size + ((try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int) ?? 0)
    }
  }

  var clientFlags: [String] {
    [
      "-I", aside ?? folder,
      "-load-plugin-library", "\(aside ?? folder)/lib\(Self.macros).so",
    ] + Self.libraryFlags(package)
  }

  private static func libraryFlags(_ package: String) -> [String] {
    libraries.flatMap { ["-I", folder(of: $0, package)] }
  }

  var objects: [String] { Self.modules.map { "\(folder)/\($0).o" } }

  /// The modules that process every byte, to hash versions and long texts. For many versions or rows, optimising saves
  /// more time than it takes.
  private static let optimized: Set<String> = ["ManagedModels", "SwiftDataRehearsal"]

  private static let settings = [
    "-swift-version", "6", "-parse-as-library", "-whole-module-optimization",
    "-package-name", "schemagen", "-enable-upcoming-feature", "ExistentialAny",
    "-enable-upcoming-feature", "InternalImportsByDefault",
    "-enable-upcoming-feature", "MemberImportVisibility",
  ]

  private static func folder(of module: String, _ package: String) -> String {
    "\(package)/Sources/\(wings[module] ?? "Rehearsal")/\(module)"
  }

  private static func files(of module: String, _ package: String) throws(BuildFailure) -> [String] {
    let folder = folder(of: module, package)
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
    // A plugin that is loaded as a library needs no main.
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

  /// Makes the interface against which other modules compile. Without function bodies, it takes a tenth of the time.
  private func emit(_ module: String) throws(BuildFailure) {
    try Self.compile(
      module,
      flags(of: module) + [
        "-emit-module", "-emit-module-path", "\(aside ?? folder)/\(module).swiftmodule",
        "-Xfrontend", "-experimental-skip-non-inlinable-function-bodies",
      ])
  }

  private func compile(_ module: String) throws(BuildFailure) {
    try Self.compile(
      module, flags(of: module) + ["-c", "-o", "\(aside ?? folder)/\(module).o"])
  }

  private func flags(of module: String) -> [String] {
    Self.settings + [Self.optimized.contains(module) ? "-O" : "-Onone"]
      + ["-module-name", module, "-I", aside ?? folder]
      + (Self.modulesWithMacros.contains(module)
        ? ["-load-plugin-library", "\(aside ?? folder)/lib\(Self.macros).so"] : [])
      + Self.libraryFlags(package) + (sources[module] ?? [])
  }

  private static func compile(_ module: String, _ arguments: [String]) throws(BuildFailure) {
    let outcome = try ChildProcess("swiftc", arguments).built()
    guard outcome.status == 0 else {
      let lacksLibrary = ["sqlite3.h", "zlib.h"].contains(where: outcome.errors.contains)
      throw BuildFailure(
        "the module \(module) of the portable SwiftData does not compile",
        help: lacksLibrary
          ? ["install the headers of SQLite and zlib: apt-get install libsqlite3-dev zlib1g-dev"]
          : ["this is a bug in schemagen, or a compiler that schemagen was not tested with"],
        output: outcome.errors)
    }
  }
}
