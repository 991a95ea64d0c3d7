internal import Foundation
internal import ManagedModels
internal import SchemaModel
internal import SchemaReporting
internal import StoreFormat

/// What an inspection of many stores says of one, in one line of JSON. It has counts, versions and the names of models;
/// nothing from a row, and not the store's identifier, which would tell a device.
package struct StoreLine: Sendable {
  package enum Status: String, Sendable {
    /// It is of a version; or whole, if there are no manifests.
    case recognized
    /// It is of no version, or has the hashes of none.
    case unrecognized
    /// Part of it could not be read.
    case damaged
    /// Nothing of it could be read.
    case unreadable
    /// It is not a store, and is not counted.
    case noStore = "no-store"
  }

  package let status: Status
  private let store: String
  private let trouble: String?
  private let report: InspectionReport?

  package init(_ report: InspectionReport) {
    store = report.path
    self.report = report
    trouble = report.facts.damage.isEmpty ? nil : report.facts.damage.joined(separator: "; ")
    status =
      switch report.exitStatus {
      case 0: .recognized
      case 1: .unrecognized
      default: .damaged
      }
  }

  /// A file that could not be opened, or is no store.
  package init(store: String, trouble: String, isStore: Bool = true) {
    self.store = store
    self.trouble = trouble
    report = nil
    status = isStore ? .unreadable : .noStore
  }

  /// As `InspectionReport.exitStatus`.
  package var exitStatus: Int32 {
    switch status {
    case .recognized, .noStore: 0
    case .unrecognized: 1
    case .damaged, .unreadable: 2
    }
  }

  /// A value that may be missing; its key is written all the same, with null.
  @propertyWrapper
  private struct OrNull<Value: Encodable>: Encodable {
    var wrappedValue: Value?

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(wrappedValue)
    }
  }

  /// What there is to say, each key in each line: a reader need not guess.
  private struct Document: Encodable {
    var store: String
    var status: String
    @OrNull var trouble: String? = nil
    @OrNull var folder: String? = nil
    @OrNull var version: String? = nil
    var versions: [String] = []
    @OrNull var likely: String? = nil
    @OrNull var differences: Int? = nil
    var claimed: [String] = []
    @OrNull var writer: String? = nil
    @OrNull var framework: Int? = nil
    @OrNull var checksum: String? = nil
    @OrNull var bytes: Int64? = nil
    @OrNull var logBytes: Int64? = nil
    @OrNull var freeBytes: Int64? = nil
    @OrNull var rows: Int64? = nil
    var models: [Model] = []
  }

  private struct Model: Encodable {
    var model: String
    @OrNull var rows: Int64? = nil
  }

  /// The line, without its line break.
  package var json: String {
    var document = Document(store: store, status: status.rawValue, trouble: trouble)
    if let report {
      let facts = report.facts
      let matches = report.match?.matches ?? []
      document.versions = matches.map(\.candidate.name)
      document.version = matches.count == 1 ? matches[0].candidate.name : nil
      let nearest = report.match?.nearest
      document.folder = (matches.first ?? nearest)?.candidate.folder
      document.likely = nearest?.candidate.name
      document.differences = nearest.map {
        $0.differences.count(where: \.isHashed) + $0.tables.count
      }
      document.claimed = facts.versionIdentifiers
      document.writer = facts.writer.rawValue
      document.framework = facts.frameworkVersion
      document.checksum = facts.checksum
      document.bytes = facts.size.main
      document.logBytes = facts.size.log
      document.freeBytes = facts.size.page * facts.size.freePageCount
      // Where one model's rows cannot be counted, a sum would be too small.
      let counts = facts.entities.map(\.rowCount)
      document.rows = counts.contains(nil) ? nil : counts.compactMap(\.self).reduce(0, +)
      document.models = facts.entities.sorted { $0.name < $1.name }.map {
        Model(model: $0.name, rows: $0.rowCount)
      }
    }
    return JSONText.line(document)
  }

  /// All of them in one sentence: `3 stores: 1 of a version, 1 of none, 1 damaged or unreadable; 2 other files`.
  package static func headline(_ lines: [StoreLine], hasManifests: Bool) -> String {
    func count(_ statuses: Status...) -> Int { lines.count { statuses.contains($0.status) } }
    let stores = lines.count - count(.noStore)
    let parts = [
      (count(.recognized), hasManifests ? "of a version" : "whole"),
      (count(.unrecognized), "of none"),
      (count(.damaged, .unreadable), "damaged or unreadable"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    let others = count(.noStore)
    return counted(stores, "store")
      + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
      + (others == 0 ? "" : "; \(counted(others, "other file"))")
  }
}
