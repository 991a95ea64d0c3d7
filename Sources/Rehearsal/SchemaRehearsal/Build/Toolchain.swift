internal import Foundation
internal import SchemaProcesses

/// The Swift compiler on the PATH, as far as a rehearsal needs it.
struct Toolchain {
  /// What `swiftc --version` says: it is part of the key of what was built.
  let version: String
  /// The compiler's own SwiftSyntax, which macros can be built with in seconds; `nil` where a toolchain has none.
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
