internal import Foundation
package import SchemaEvolution
package import SchemaModel
internal import SchemaReporting

/// The number of stores of each version that users have, from `inspect --format jsonl`.
package struct FleetSurvey: Sendable {
  private var stores: [String: Int] = [:]
  /// All readable stores, including unrecognised ones.
  package private(set) var total = 0

  private struct Line: Decodable {
    var status: String
    var version: String?
  }

  /// - Parameter file: Lines of JSON.
  /// - Throws: `FileSystemError` with the line that `inspect` did not write.
  package init(_ file: SourceFile) throws(FileSystemError) {
    let decoder = JSONDecoder()
    for (index, line) in file.bytes.split(separator: 10, omittingEmptySubsequences: false)
      .enumerated() where !line.isEmpty
    {
      guard let found = try? decoder.decode(Line.self, from: Data(line)) else {
        throw FileSystemError(
          path: file.path,
          reason: "line \(index + 1) is not what 'schemagen inspect --format jsonl' writes")
      }
      guard found.status != "no-store" else { continue }
      total += 1
      if let version = found.version { stores[version, default: 0] += 1 }
    }
  }

  package func count(of version: String) -> Int { stores[version] ?? 0 }
}

extension Evolution {
  /// The users left behind, in one sentence; nil if every version is in the plan.
  package func leftBehind(_ survey: FleetSurvey?) -> String? {
    guard let first = retired.first, let last = retired.last else { return nil }
    let names = retired.count == 1 ? first : "\(first) to \(last)"
    let text = "retired: \(names): their stores are no longer migrated"
    guard let survey else { return text }
    let counts = retired.map { ($0, survey.count(of: $0)) }.filter { $0.1 > 0 }
    let sum = counts.reduce(0) { $0 + $1.1 }
    let details = counts.map { "\($0.0): \($0.1)" }.joined(separator: ", ")
    return text + "; \(sum) of \(counted(survey.total, "surveyed store"))"
      + (counts.isEmpty ? "" : " (\(details))")
  }

  func leftBehindEntry(_ survey: FleetSurvey?) -> JSONObject {
    JSONObject([
      "versions": retired, "through": configuration.retirement?.through,
      "stores": survey.map { survey in
        Dictionary(uniqueKeysWithValues: retired.map { ($0, survey.count(of: $0)) })
      },
      "surveyed": survey?.total,
    ])
  }
}
