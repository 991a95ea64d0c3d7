internal import Foundation
public import ManagedModels
internal import StoreFormat

/// What a rehearsal does: the versions, the rows for a store of each, and the expected result on every path from an
/// older version to a newer one.
///
/// The plan is made from the manifests alone and passed to the rehearsal's program as JSON with sorted keys. The same
/// manifests and the same seed give the same bytes.
public struct RehearsalPlan: Codable, Hashable, Sendable {
  /// Raised when the JSON changes in a way that an older program would misread.
  public var format: Int
  /// The seed of the rows.
  public var seed: UInt64
  /// The shipped versions in ascending order, without bridges.
  public var versions: [PlannedVersion]
  /// One path for each rehearsed pair of versions, sorted by `from`, then by `to`. The paths from one version lead to
  /// the versions directly after it, without gaps. A version may have no paths.
  public var paths: [PlannedPath]
  /// What the rehearsal cannot show for this history, each as a sentence.
  public var limits: [String]

  public static let currentFormat = 1

  /// Two versions, by their indexes in `versions`.
  public struct Pair: Codable, Hashable, Sendable {
    public var from: Int
    public var to: Int
  }

  public init(
    seed: UInt64, versions: [PlannedVersion], paths: [PlannedPath], limits: [String] = []
  ) {
    format = Self.currentFormat
    self.seed = seed
    self.versions = versions
    self.paths = paths
    self.limits = limits
  }

  /// The indexes of the versions at which paths begin.
  public var starts: [Int] { versions.indices.filter { !ends(from: $0).isEmpty } }

  /// The versions between which migrations are killed: each step, then the longest path.
  public var kills: [Pair] {
    let whole = paths.max { $0.to - $0.from < $1.to - $1.from }.map {
      Pair(from: $0.from, to: $0.to)
    }
    return starts.map { Pair(from: $0, to: $0 + 1) }
      + [whole].compactMap { $0 }.filter { $0.to > $0.from + 1 }
  }

  /// The versions to which paths lead from the given version, in ascending order.
  public func ends(from version: Int) -> [Int] {
    paths.filter { $0.from == version }.map(\.to)
  }

  /// The path between two versions, given by their indexes in `versions`.
  public func path(from: Int, to: Int) -> PlannedPath? {
    paths.first { $0.from == from && $0.to == to }
  }
}

/// One shipped version and the rows for a store of it.
public struct PlannedVersion: Codable, Hashable, Sendable {
  /// The version's name for people: `V9`.
  public var name: String
  /// The rows in the order in which they are inserted. Links may lead to later rows.
  public var rows: [PlannedRow]
  /// Rows for kill tests only, for a table that is saved in several batches.
  public var series: [PlannedSeries]

  public init(name: String, rows: [PlannedRow], series: [PlannedSeries] = []) {
    self.name = name
    self.rows = rows
    self.series = series
  }
}

/// One row to insert.
public struct PlannedRow: Codable, Hashable, Sendable {
  public var entity: String
  /// The row's name in links and messages; unique in its version.
  public var label: String
  /// The row's adversarial category, as written for `--without`: `huge-text`. Nil for an ordinary row.
  public var category: String?
  /// Values by slot path (`EntityLayout.Slot.path`), without to-one relationships. A missing slot is null.
  public var values: [String: PlannedValue]
  /// The labels of the rows at the other end, by relationship. Each link is given at one end, or at both if both are
  /// to-one.
  public var links: [String: [String]]
  /// Whether the app's types can read the row. A raw value without a case traps in `toEntity()`.
  public var isReadable: Bool
  /// By property, the case that the row holds, if the newest version's enum lacks the case.
  public var cases: [String: String]

  public init(
    entity: String, label: String, category: String? = nil, values: [String: PlannedValue] = [:],
    links: [String: [String]] = [:], isReadable: Bool = true, cases: [String: String] = [:]
  ) {
    self.entity = entity
    self.label = label
    self.category = category
    self.values = values
    self.links = links
    self.isReadable = isReadable
    self.cases = cases
  }
}

/// Many rows that differ only in what must be distinct.
public struct PlannedSeries: Codable, Hashable, Sendable {
  /// The row to copy. A copy's label ends with its number.
  public var row: PlannedRow
  public var copies: Int
  /// The slot paths of values in which copies differ by `StoredValue.distinguished(by:)`.
  public var distinct: [String]
  /// The steps on which the rows are needed, each by the index of its older version.
  public var steps: [Int]

  public init(row: PlannedRow, copies: Int, distinct: [String], steps: [Int]) {
    self.row = row
    self.copies = copies
    self.distinct = distinct
    self.steps = steps
  }
}

/// A value to insert.
public enum PlannedValue: Codable, Hashable, Sendable {
  /// The value that SQLite holds.
  case stored(StoredValue)
  /// A string or bytes, repeated this many times, so that a plan with huge values is not huge itself.
  case repeated(StoredValue, count: Int)
  /// An array of primitives, which the store keeps as an archive whose format only the runtime knows.
  case archived([StoredValue], of: AttributeType)
  /// The model's default, for types whose bytes only the app knows; null if there is none.
  case modelDefault
}

extension StoredValue {
  /// The value that the copy with the given number gets in place of this one. Number 0 and null change nothing.
  public func distinguished(by number: Int) -> StoredValue {
    if number == 0 { return self }
    switch self {
    case .null: return self
    case .integer(let value): return .integer(value &+ Int64(number))
    case .real(let value): return .real(value + Double(number))
    case .text(let text): return .text("\(text)-\(number)")
    case .blob(let data):
      // The last bytes change, so that a UUID stays a UUID.
      guard data.count >= 8 else { return .blob(data + Data("-\(number)".utf8)) }
      let bytes = withUnsafeBytes(of: UInt64(number).bigEndian) { Data($0) }
      let tail = zip(data.suffix(8), bytes).map { $0 ^ $1 }
      return .blob(data.prefix(data.count - 8) + Data(tail))
    }
  }
}
