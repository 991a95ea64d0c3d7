import Foundation
import ManagedModels
import StoreEngine
import StoreFormat
import SwiftData

/// A store of version 1 with many rows, written below the models: only the migration is measured.
enum Readings {
  private static let batch = 10_000

  static func make(_ count: Int, at url: URL) throws {
    // The container leaves the model in the file.
    _ = try ModelContainer(
      for: Schema(versionedSchema: SchemaV1.self), configurations: ModelConfiguration(url: url))
    let store = try StoreFile(at: .file(url))
    guard case .portable(let model) = store.contents else { return }
    try store.adopt(model)
    let slots = store.layout(of: "Reading").slots.map(\.path)
    var number = 0
    while number < count {
      let size = min(batch, count - number)
      var changes = StoreChanges()
      for key in try store.allocateKeys(of: "Reading", count: size) {
        let row = number
        changes.inserted.append(
          StoreRow(
            id: ObjectID(entity: "Reading", key: key),
            values: slots.map { value(of: $0, inRow: row) }))
        number += 1
      }
      try store.apply(changes)
    }
  }

  private static func value(of property: String, inRow row: Int) -> StoredValue {
    switch property {
    case "id":
      // Scattered, as those of an app are: an index of them is not filled from one end.
      let scattered = UInt64(row + 1) &* 0x9E37_79B9_7F4A_7C15
      return .blob(withUnsafeBytes(of: (scattered, scattered ^ 0x5555)) { Data($0) })
    case "station": return .text("Station \(row % 97)")
    case "measuredAt": return .real(700_000_000 + Double(row) * 60)
    case "celsius": return .real(Double(row % 700) / 10 - 20)
    case "number": return .integer(Int64(row))
    case "isValid": return .integer(row.isMultiple(of: 11) ? 0 : 1)
    case "sensor": return row.isMultiple(of: 3) ? .null : .text("sensor-\(row % 13)")
    default:
      return row.isMultiple(of: 2)
        ? .null : .text("Calibrated on the morning of day \(row / 1440), by hand")
    }
  }

  /// Whether a migrated store has all rows, and in the last of them what the plan says.
  static func areMigrated(_ count: Int, in container: ModelContainer) throws -> Bool {
    let context = ModelContext(container)
    guard try context.fetchCount(FetchDescriptor<SchemaV2.Reading>()) == count else { return false }
    var descriptor = FetchDescriptor<SchemaV2.Reading>()
    descriptor.fetchOffset = max(0, min(count, 1000) - 1)
    descriptor.fetchLimit = 1
    let row = max(0, min(count, 1000) - 1)
    guard let reading = try context.fetch(descriptor).first else { return false }
    return reading.code == "R\(row)"
      && reading.fahrenheit == (Double(row % 700) / 10 - 20) * 1.8 + 32
  }
}
