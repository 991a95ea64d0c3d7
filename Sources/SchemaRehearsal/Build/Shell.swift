internal import Foundation

/// Runs other programs.
enum Shell {
  struct Outcome {
    /// The exit status; for a program that a signal ended, the signal below zero.
    var status: Int32
    var output: String
    var errors: String
  }

  /// Runs a program to its end. Both outputs go through files: a full pipe would stop it.
  ///
  /// `name`: looked up on the PATH unless it has a slash.
  static func run(
    _ name: String, _ arguments: [String], in folder: String? = nil
  ) throws(BuildFailure) -> Outcome {
    let process = Process()
    process.executableURL = URL(filePath: name.contains("/") ? name : "/usr/bin/env")
    process.arguments = name.contains("/") ? arguments : [name] + arguments
    if let folder { process.currentDirectoryURL = URL(filePath: folder) }
    let place = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: place) }
    let output = place.appending(path: "output")
    let errors = place.appending(path: "errors")
    do {
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      try Data().write(to: output)
      try Data().write(to: errors)
      process.standardOutput = try FileHandle(forWritingTo: output)
      process.standardError = try FileHandle(forWritingTo: errors)
      process.standardInput = FileHandle.nullDevice
      try process.run()
    } catch {
      throw BuildFailure("'\(name)' cannot be started: \(error.localizedDescription)")
    }
    process.waitUntilExit()
    func text(_ url: URL) -> String {
      String(decoding: (try? Data(contentsOf: url)) ?? Data(), as: UTF8.self)
    }
    return Outcome(
      status: process.terminationReason == .exit
        ? process.terminationStatus : -process.terminationStatus,
      output: text(output), errors: text(errors))
  }
}
