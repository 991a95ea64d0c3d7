import Foundation
import RehearsalHarness
import SchemaEvolution
import SchemaManifest
import SchemaModel
import SchemaRehearsal
import TestSupport

/// Evolutions of the checkout's manifests, and of texts.
enum Histories {
  struct Unreadable: Error, CustomStringConvertible {
    var description: String
  }

  /// The evolution of a folder of the checkout: `Schemas/Ritualist`.
  static func evolution(_ folder: String) throws -> Evolution {
    let path = Checkout.root + "/" + folder
    let files = try FileManager.default.contentsOfDirectory(atPath: path)
      .filter { $0.hasSuffix(".yaml") }.sorted()
      .map { name in
        SourceFile(
          path: "\(folder)/\(name)",
          bytes: Array(try Data(contentsOf: URL(filePath: "\(path)/\(name)"))))
      }
    return try evolution(files)
  }

  /// The evolution of manifests, the first being V1.
  ///
  /// - Parameter isShipped: Whether all of them have shipped.
  static func evolution(_ bodies: [String], isShipped: Bool = false) throws -> Evolution {
    try evolution(
      bodies.enumerated().map { index, body in
        SourceFile(path: "V\(index + 1).yaml", text: "version: \(index + 1).0.0\n" + body)
      }, isShipped: isShipped)
  }

  private static func evolution(
    _ files: [SourceFile], isShipped: Bool = false
  ) throws -> Evolution {
    let history = HistoryReader().read(files)
    let evolution = AnalysisPipeline(
      history: history.versions, configuration: history.configuration,
      shipped: ShippedVersions(released: Set(isShipped ? history.versions.map(\.number) : []))
    ).run()
    let errors = (history.diagnostics + evolution.diagnostics).filter { $0.severity == .error }
    guard errors.isEmpty else {
      throw Unreadable(description: errors.map(\.message).joined(separator: "\n"))
    }
    return evolution
  }

  static func plan(_ bodies: [String], isShipped: Bool = false) throws -> RehearsalPlan {
    RehearsalPlanner(try evolution(bodies, isShipped: isShipped)).plan()
  }
}

extension RehearsalPlan {
  /// All paths between that number of versions.
  static func ofAll(_ count: Int) -> RehearsalPlan {
    let versions = (1...count).map { PlannedVersion(name: "V\($0)", rows: []) }
    let paths = (0..<count).flatMap { from in
      ((from + 1)..<max(from + 1, count)).map { PlannedPath(from: from, to: $0, flows: []) }
    }
    return RehearsalPlan(seed: 1, versions: versions, paths: paths)
  }
}
