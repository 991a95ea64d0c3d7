internal import Foundation
internal import SchemaProcesses

/// The Swift compiler on the PATH, with what a rehearsal needs to know about it.
struct Toolchain {
  /// The output of `swiftc --version`, which is part of the build's key.
  let version: String
  /// The folder of the compiler's SwiftSyntax, with which macros build in seconds; `nil` if the toolchain has none.
  let hostLibraries: String?

  init() throws(BuildFailure) {
    let told = try ChildProcess("swiftc", ["-print-target-info"]).built()
    guard told.status == 0,
      let object = try? JSONSerialization.jsonObject(with: Data(told.output))
        as? [String: Any]
    else {
      throw BuildFailure(
        "there is no Swift compiler on the PATH",
        help: ["install a Swift toolchain: https://swift.org/install"],
        output: told.errors)
    }
    version = object["compilerVersion"] as? String ?? ""
    let paths = object["paths"] as? [String: Any]
    let resources = paths?["runtimeResourcePath"] as? String ?? ""
    let host = resources + "/host"
    let needed = ["SwiftSyntax", "SwiftSyntaxBuilder", "SwiftSyntaxMacros"]
    let hasAll = needed.allSatisfy {
      FileManager.default.fileExists(atPath: "\(host)/lib\($0).so")
        && FileManager.default.fileExists(atPath: "\(host)/\($0).swiftmodule")
    }
    hostLibraries = hasAll ? host : nil
  }
}
