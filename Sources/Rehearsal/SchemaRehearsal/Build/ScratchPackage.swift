internal import Foundation
internal import ManagedModels
package import SchemaModel
internal import SchemaProcesses

/// The program that a rehearsal compiles and runs: generated code, the app's own code for it, and a `main`.
package struct ScratchPackage: Sendable {
  /// A Swift file of the package.
  package struct File: Sendable {
    /// The path relative to `Sources/Rehearsal`.
    package var path: String
    package var contents: [UInt8]
    /// The name in messages of the user's file that was copied; nil for a generated file.
    package var original: String?

    package init(path: String, contents: [UInt8], original: String? = nil) {
      self.path = path
      self.contents = contents
      self.original = original
    }
  }

  package let folder: String
  private let files: [File]
  private let package: String
  private let manifests: [SchemaVersion]

  /// - Parameters:
  ///   - files: All sources. `write()` removes other files from the folder's sources.
  ///   - package: The path of schemagen's package.
  ///   - manifests: The manifests from which generated files are made.
  package init(
    folder: String, files: [File], package: String, manifests: [SchemaVersion] = []
  ) {
    self.folder = folder
    self.package = package
    self.manifests = manifests
    self.files = files.sorted { $0.path < $1.path }
  }

  private var sources: String { "\(folder)/Sources/Rehearsal" }
  private var program: String { "\(folder)/rehearsal" }
  private var objects: String { "\(folder)/objects" }
  /// The path of the record of the sources from which the program was compiled.
  private var stamp: String { "\(folder)/rehearsal.stamp" }

  /// Hides the folder of all scratch packages from git, because the folder is among the app's files.
  ///
  /// - Parameter folder: A folder that contains nothing else. Its contents are kept.
  package static func hideFromGit(_ folder: String) throws(BuildFailure) {
    try write(Array("*\n".utf8), to: "\(folder)/.gitignore")
  }

  /// Writes only files that differ, so that unchanged files keep their times.
  package func write() throws(BuildFailure) {
    var wanted: Set<String> = []
    for file in files {
      let path = "\(sources)/\(file.path)"
      wanted.insert(path)
      try write(file.contents, to: path)
    }
    let present = FileManager.default.enumerator(atPath: sources)?.allObjects as? [String] ?? []
    for name in present where name.hasSuffix(".swift") && !wanted.contains("\(sources)/\(name)") {
      try? FileManager.default.removeItem(atPath: "\(sources)/\(name)")
    }
  }

  func write(_ bytes: [UInt8], to path: String) throws(BuildFailure) {
    try Self.write(bytes, to: path)
  }

  private static func write(_ bytes: [UInt8], to path: String) throws(BuildFailure) {
    let data = Data(bytes)
    if FileManager.default.contents(atPath: path) == data { return }
    do {
      let url = URL(filePath: path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: url, options: .atomic)
    } catch {
      throw BuildFailure(
        "'\(path)' cannot be written: \(error.localizedDescription)",
        help: ["choose another folder: --work"])
    }
  }

  // MARK: Building

  /// Compiles the program, unless it was already compiled from the same sources, and returns its path.
  ///
  /// - Parameter cache: The folder where the runtime is kept.
  package func build(
    cache: String, progress: (String) -> Void
  ) throws(BuildFailure) -> String {
    let toolchain = try Toolchain()
    guard let host = toolchain.hostLibraries else {
      throw BuildFailure(
        "this toolchain lacks the SwiftSyntax libraries that macros are built with",
        help: ["rehearse with a toolchain of swift.org"])
    }
    let runtime = try RuntimeBuild(
      package: package, toolchain: toolchain, host: host, cache: cache, progress: progress)
    return try compile(with: runtime, progress: progress)
  }

  /// The settings are for Swift 5 mode, because apps need not be in Swift 6 mode and generated code works in both.
  private static let settings = [
    "-swift-version", "5", "-parse-as-library", "-Onone", "-module-name", "Rehearsal",
    "-package-name", "rehearsal", "-c",
  ]

  private func compile(
    with runtime: RuntimeBuild, progress: (String) -> Void
  ) throws(BuildFailure) -> String {
    let state = Data(
      ([runtime.key] + Self.settings
        + files.map { "\($0.path) \(SHA256.hash($0.contents).hexadecimal)" })
        .joined(separator: "\n").utf8)
    if !runtime.isIncomplete, FileManager.default.contents(atPath: stamp) == state,
      FileManager.default.fileExists(atPath: program)
    {
      return program
    }
    progress("compiling \(files.count) files")
    try? FileManager.default.removeItem(atPath: stamp)
    try? FileManager.default.removeItem(atPath: objects)
    do {
      try FileManager.default.createDirectory(
        atPath: objects, withIntermediateDirectories: true)
    } catch {
      throw BuildFailure("'\(objects)' cannot be written: \(error.localizedDescription)")
    }
    // In batches, each core type-checks its share. If the runtime keeps the other cores busy, the files are compiled as
    // a whole, which is less work. Linking is separate, because the driver of Swift 6.3, if it compiles and links in
    // one call, removes a batch's object files before linking.
    let cores = max(1, ProcessInfo.processInfo.activeProcessorCount)
    let mode =
      runtime.isIncomplete
      ? ["-whole-module-optimization"] : ["-enable-batch-mode", "-j", "\(cores)"]
    let compiler = ChildProcess(
      "swiftc",
      mode + Self.settings + runtime.clientFlags + files.map { "\(sources)/\($0.path)" },
      in: objects)
    try runtime.complete {
      do throws(BuildFailure) {
        let compiled = try compiler.built()
        return compiled.status == 0 ? nil : notCompiled(compiled.errors)
      } catch { return error }
    }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: objects)) ?? []
    let linked = try ChildProcess(
      "swiftc",
      ["-o", program] + names.sorted().filter { $0.hasSuffix(".o") }.map { "\(objects)/\($0)" }
        + runtime.objects
    ).built()
    guard linked.status == 0 else { throw notCompiled(linked.errors) }
    try write(Array(state), to: stamp)
    return program
  }

  private func notCompiled(_ output: String) -> BuildFailure {
    let lines = output.split(separator: "\n").filter {
      $0.contains(": error: ") || $0.hasPrefix("error: ")
    }
    let isMissing = lines.contains { $0.contains("cannot find") }
    let places = CompilerPlaces(files, in: sources, manifests: manifests)
    var failure = BuildFailure(
      "the generated code does not compile",
      help: isMissing
        ? [
          "if the generated code needs code of the app, name the file or folder with --source",
          "if the generated code needs an Apple module, name a file with empty declarations of what the code uses",
        ] : [],
      output: lines.isEmpty ? output : places.told(lines).joined(separator: "\n"))
    failure.isOfRehearsedCode = true
    failure.places = places.own(lines)
    return failure
  }
}
