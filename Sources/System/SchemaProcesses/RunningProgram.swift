package import Foundation

package enum RunningProgram {
  /// The program's file according to the system.
  ///
  /// The first argument is not reliable: it may be a name that was found on the PATH, or a path relative to a former
  /// working directory.
  package static let file: URL = {
    let system = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(filePath: system ?? Bundle.main.executablePath ?? CommandLine.arguments[0])
  }()
}
