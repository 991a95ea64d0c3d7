internal import Foundation
internal import ManagedModels
internal import SchemaModel
internal import SchemaReporting
internal import StoreFormat

/// What an inspection of many stores says of one, in one line of JSON. It has counts, versions and the names of models;
/// nothing that stands in a row, and not the store's identifier, which would tell a device.
package struct StoreLine: Sendable {
  package enum Status: String, Sendable {
    /// Of a version; or whole, where there are no manifests.
    case recognized
    /// Of no version, or of hashes that are none's.
    case unrecognized
    /// Part of it could not be read.
    case damaged
    /// Nothing of it could be read.
    case unreadable
    /// Nobody would take it for one; it counts for nothing.
    case noStore = "no-store"
  }

  package let status: Status
  private let store: String
  private let trouble: String?
  private let report: InspectionReport?

  /// A store that could be opened.
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

  /// What there is to say, each key in each line: a reader need not guess.
  private struct Document: Encodable {
    var store: String
    var status: String
    var trouble: String?
    var folder: String?
    var version: String?
    var versions: [String] = []
    var likely: String?
    var differences: Int?
    var claimed: [String] = []
    var writer: String?
    var framework: Int?
    var checksum: String?
    var bytes: Int64?
    var logBytes: Int64?
    var freeBytes: Int64?
    var rows: Int64?
    var models: [Model] = []

    enum CodingKeys: String, CodingKey, CaseIterable {
      case store, status, trouble, folder, version, versions, likely, differences, claimed, writer
      case framework, checksum, bytes, logBytes, freeBytes, rows, models
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(store, forKey: .store)
      try container.encode(status, forKey: .status)
      // Nil is written: `encodeIfPresent` would leave the key out.
      try container.encode(trouble, forKey: .trouble)
      try container.encode(folder, forKey: .folder)
      try container.encode(version, forKey: .version)
      try container.encode(versions, forKey: .versions)
      try container.encode(likely, forKey: .likely)
      try container.encode(differences, forKey: .differences)
      try container.encode(claimed, forKey: .claimed)
      try container.encode(writer, forKey: .writer)
      try container.encode(framework, forKey: .framework)
      try container.encode(checksum, forKey: .checksum)
      try container.encode(bytes, forKey: .bytes)
      try container.encode(logBytes, forKey: .logBytes)
      try container.encode(freeBytes, forKey: .freeBytes)
      try container.encode(rows, forKey: .rows)
      try container.encode(models, forKey: .models)
    }
  }

  private struct Model: Encodable {
    var model: String
    var rows: Int64?

    enum CodingKeys: String, CodingKey { case model, rows }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(model, forKey: .model)
      try container.encode(rows, forKey: .rows)
    }
  }

  /// The line, without its end.
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
