internal import Foundation
internal import ManagedModels
internal import SchemaModel
internal import SchemaReporting
internal import StoreFormat

/// The inspection of one store among many, as one line of JSON. The line has counts, versions and the names of models.
/// It has nothing from rows, and not the store's identifier, which would identify a device.
package struct StoreLine: Sendable, Encodable {
  package enum Status: String, Sendable, Encodable {
    /// A version matches or, if there are no manifests, the store is undamaged.
    case recognized
    /// No version matches.
    case unrecognized
    /// Part of the store could not be read.
    case damaged
    /// Nothing of the store could be read.
    case unreadable
    /// The file is not a store, and is not counted.
    case noStore = "no-store"
  }

  /// A value that may be missing. Its key is always written, if need be with null, so that readers need not guess.
  @propertyWrapper
  private struct OrNull<Value: Encodable & Sendable>: Encodable, Sendable {
    var wrappedValue: Value?

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(wrappedValue)
    }
  }

  private struct Model: Encodable {
    var model: String
    @OrNull var rows: Int64? = nil
  }

  package let status: Status
  private let store: String
  @OrNull private var trouble: String? = nil
  @OrNull private var folder: String? = nil
  @OrNull private var version: String? = nil
  private var versions: [String] = []
  @OrNull private var likely: String? = nil
  @OrNull private var differences: Int? = nil
  private var claimed: [String] = []
  @OrNull private var writer: String? = nil
  @OrNull private var framework: Int? = nil
  @OrNull private var checksum: String? = nil
  @OrNull private var bytes: Int64? = nil
  @OrNull private var logBytes: Int64? = nil
  @OrNull private var freeBytes: Int64? = nil
  @OrNull private var rows: Int64? = nil
  private var models: [Model] = []

  package init(_ report: InspectionReport) {
    let facts = report.facts
    store = report.path
    status =
      switch report.exitStatus {
      case 0: .recognized
      case 1: .unrecognized
      default: .damaged
      }
    trouble = facts.damage.isEmpty ? nil : facts.damage.joined(separator: "; ")
    let matches = report.match?.matches ?? []
    let nearest = report.match?.nearest
    versions = matches.map(\.candidate.name)
    version = versions.count == 1 ? versions[0] : nil
    folder = (matches.first ?? nearest)?.candidate.folder
    likely = nearest?.candidate.name
    differences = nearest.map { $0.differences.count(where: \.isHashed) + $0.tables.count }
    claimed = facts.versionIdentifiers
    writer = facts.writer.rawValue
    framework = facts.frameworkVersion
    checksum = facts.checksum
    bytes = facts.size.main
    logBytes = facts.size.log
    freeBytes = facts.size.page * facts.size.freePageCount
    // If the rows of one model cannot be counted, the sum would be too small.
    let counts = facts.entities.map(\.rowCount)
    rows = counts.contains(nil) ? nil : counts.compactMap(\.self).reduce(0, +)
    models = facts.entities.sorted { $0.name < $1.name }.map {
      Model(model: $0.name, rows: $0.rowCount)
    }
  }

  package init(store: String, trouble: String, isStore: Bool = true) {
    self.store = store
    status = isStore ? .unreadable : .noStore
    self.trouble = trouble
  }

  /// The same as `InspectionReport.exitStatus`.
  package var exitStatus: Int32 {
    switch status {
    case .recognized, .noStore: 0
    case .unrecognized: 1
    case .damaged, .unreadable: 2
    }
  }

  package var json: String { JSONText.line(self) }

  /// All lines in one sentence: `3 stores: 1 recognised, 1 unrecognised, 1 damaged or unreadable; 2 other files`.
  package static func headline(_ lines: [StoreLine], hasManifests: Bool) -> String {
    func count(_ statuses: Status...) -> Int { lines.count { statuses.contains($0.status) } }
    let stores = lines.count - count(.noStore)
    let parts = [
      (count(.recognized), hasManifests ? "recognised" : "whole"),
      (count(.unrecognized), "unrecognised"),
      (count(.damaged, .unreadable), "damaged or unreadable"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    let others = count(.noStore)
    return counted(stores, "store")
      + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
      + (others == 0 ? "" : "; \(counted(others, "other file"))")
  }
}
