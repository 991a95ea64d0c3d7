import Foundation

/// What the experiments ran on.
struct System: Codable {
  /// `macOS` or `Linux`.
  var name: String
  var version: String
  /// `apple`, or `portable` where the portable runtime stands in for SwiftData.
  var runtime: String
  /// NSPersistenceFrameworkVersion, as stores have it.
  var framework: Int?
  var compiler: String

  /// Writes a store to look at.
  static func find(in scratch: URL) throws -> System {
    let folder = Folder(url: scratch.appendingPathComponent("system"))
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    try folder.write(Plain.V1.self, Plain.fill)
    let store = try StoreFile(folder.store)
    let version = ProcessInfo.processInfo.operatingSystemVersion
    #if os(macOS)
      let name = "macOS"
    #else
      let name = "Linux"
    #endif
    return System(
      name: name,
      version: "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)",
      runtime: try store.isPortable() ? "portable" : "apple", framework: try store.framework(),
      compiler: compiler)
  }

  private static var compiler: String {
    #if compiler(>=6.4)
      "6.4 or later"
    #elseif compiler(>=6.3)
      "6.3"
    #elseif compiler(>=6.2)
      "6.2"
    #elseif compiler(>=6.1)
      "6.1"
    #else
      "6.0"
    #endif
  }

  private var major: Int { Int(version.prefix { $0 != "." }) ?? 0 }

  /// Why an experiment cannot be decided here.
  func limit(of experiment: Experiment) -> String? {
    for limit in experiment.limits {
      switch limit {
      case .everywhere(let reason): return reason
      case .portable(let reason): if runtime == "portable" { return reason }
      case .before(let major, let reason):
        if runtime == "apple", self.major < major { return reason }
      case .from(let major, let reason):
        if runtime == "apple", self.major >= major { return reason }
      }
    }
    return nil
  }
}
