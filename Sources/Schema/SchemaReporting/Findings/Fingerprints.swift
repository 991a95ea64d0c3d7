internal import ManagedModels
internal import SchemaModel

/// Identifiers of findings that stay the same if lines move or messages are reworded.
///
/// An identifier is a hash of the finding's file, the finding's key, and its number among findings with equal file and
/// key.
struct Fingerprints {
  private let report: Report
  private var seen: [String: Int] = [:]

  init(_ report: Report) { self.report = report }

  /// The next finding's fingerprint, 64 hexadecimal digits. Pass findings in the report's order, each once.
  mutating func next(_ finding: Diagnostic) -> String {
    let path = finding.location.map { report.relativePath($0.file) } ?? ""
    let name = path + "\u{0}" + finding.key
    let ordinal = seen[name, default: 0] + 1
    seen[name] = ordinal
    return SHA256.hash("\(name)\u{0}\(ordinal)").hexadecimal
  }
}
