// Measures a generated migration through a bridge against plain SQL: `make benchmark`, or the executable with numbers
// of rows.
//
// Expand, carry and contract are the plan's own steps (Schemas/Generated). Each figure is the median of several runs,
// in each of which both ways follow one another on copies of one store; memory is the peak of VmHWM during the step.

import Foundation
import SwiftData

let runs = 3
let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }

func inFolder<Result>(_ work: (URL) throws -> Result) throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appending(
    path: "schemagen-rehearsal-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try work(folder)
}

/// Runs the generated plan on a copy of a store.
func migrate(_ original: URL, rows: Int, into steps: inout [Step]) throws {
  try inFolder { folder in
    let url = folder.appending(path: "copy.store")
    try FileManager.default.copyItem(at: original, to: url)
    _ = Marks.take()
    let start = Mark()
    let container = try ModelContainer(
      for: Schema(versionedSchema: SchemaV2.self), migrationPlan: MigrationPlan.self,
      configurations: ModelConfiguration(url: url))
    let end = Mark()
    // Written when the carrying begins, at the model's end, and when all is carried.
    let marks = Marks.take()
    guard marks.count == 3, try Readings.areMigrated(rows, in: container) else {
      fatalError("the rows were not migrated as the plan says")
    }
    steps[0].add(from: start, to: marks[0], peak: marks[0].peak)
    steps[1].add(from: marks[0], to: marks[2], peak: max(marks[1].peak, marks[2].peak))
    steps[2].add(from: marks[2], to: end, peak: end.peak)
    steps[3].add(from: start, to: end, peak: (marks + [end]).map(\.peak).max() ?? 0)
  }
}

func insertAndSelect(_ original: URL, into steps: inout [Step]) throws {
  try inFolder { folder in
    let url = folder.appending(path: "copy.store")
    try FileManager.default.copyItem(at: original, to: url)
    let database = try PlainSQL(url)
    defer { database.close() }
    let (start, inserted, indexed) = try database.migrate()
    steps[4].add(from: start, to: inserted, peak: inserted.peak)
    steps[5].add(from: start, to: indexed, peak: max(inserted.peak, indexed.peak))
  }
}

MigrationLog.listener = { _ in Marks.add() }
print(
  """
  | rows | step | seconds | rows/s | × plain SQL with the index | peak MiB |
  |---:|---|---:|---:|---:|---:|
  """)
for rows in arguments.isEmpty ? [100_000, 1_000_000] : arguments {
  try inFolder { folder in
    let original = folder.appending(path: "v1.store")
    try Readings.make(rows, at: original)
    let resident = Memory.value(of: "VmRSS")
    var steps = [
      Step("expand: V1 → bridge, inferred"), Step("row updates: every row through `willMigrate`"),
      Step("contract: bridge → V2, inferred"), Step("**the whole migration**"),
      Step("plain SQL: `INSERT … SELECT`"), Step("plain SQL with the unique index"),
    ]
    for _ in 1...runs {
      try migrate(original, rows: rows, into: &steps)
      try insertAndSelect(original, into: &steps)
    }
    for step in steps {
      let isWhole = step.name == steps[3].name
      let cells = [
        "\(rows)", step.name, String(format: "%.2f", step.seconds),
        String(format: "%.0f", Double(rows) / step.seconds),
        String(format: "%.1f", step.seconds / steps[5].seconds) + (isWhole ? " (target: 4)" : ""),
        String(format: "%.1f", step.peak),
      ]
      print("| " + cells.joined(separator: " | ") + " |")
    }
    print("| \(rows) | before: resident | | | | \(String(format: "%.1f", resident)) |")
  }
}
