package import Foundation

package enum RunningProgram {
  /// The program's file.
  ///
  /// The system knows it. The first argument is what the caller has written: a name alone where PATH led to the
  /// program, or a path relative to a folder that is no longer the working one.
  package static let file: URL = {
    let system = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(filePath: system ?? Bundle.main.executablePath ?? CommandLine.arguments[0])
  }()
}
