import Foundation

/// What an experiment came to.
struct Finding: Codable {
  enum Verdict: String, Codable {
    case confirmed
    case contradicted
    case notDecidable = "not decidable"
  }

  /// One step, where it is worth telling of.
  struct Step: Codable {
    var name: String
    var expected: String
    var observed: String
  }

  let id: String
  let claim: String
  let rows: [String]
  let facts: [String]
  let partly: [String]
  var verdict = Verdict.confirmed
  /// Why it is not decidable.
  var reason: String?
  var steps: [Step] = []

  init(_ experiment: Experiment) {
    id = experiment.id
    claim = experiment.claim
    rows = experiment.rows
    facts = experiment.facts
    partly = experiment.partly
  }

  mutating func add(_ step: Experiment.Step, _ observation: Outcome) {
    steps.append(
      Step(name: step.name, expected: step.expectation.text, observed: observation.text))
    switch step.expectation.holds(for: observation) {
    case true?: break
    case false?: verdict = .contradicted
    case nil:
      verdict = .notDecidable
      reason =
        if case .undecidable(let reason) = observation { reason } else { "the log shows no code" }
    }
  }
}

/// All findings of one run.
struct Report: Codable {
  var format = 1
  var system: System
  var seconds: Double
  var experiments: [Finding]
}

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
