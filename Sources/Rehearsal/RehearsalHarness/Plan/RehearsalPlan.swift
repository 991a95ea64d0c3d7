internal import Foundation
public import ManagedModels
internal import StoreFormat

/// What a rehearsal does: the versions, the rows that are put into a store of each, and what must become of them
/// on every way from an older version to a newer one.
///
/// Made from the manifests alone and handed to the rehearsal's program as JSON with sorted keys: the same
/// manifests and the same seed give the same bytes.
public struct RehearsalPlan: Codable, Hashable, Sendable {
  /// Raised when the JSON changes so that an older program would misread it.
  public var format: Int
  /// What the rows were made from.
  public var seed: UInt64
  /// The shipped versions in ascending order, bridges left out.
  public var versions: [PlannedVersion]
  /// One for each pair of versions i < j that is rehearsed, by `from`, then by `to`. From a version there are none, or
  /// those to all versions up to some other.
  public var paths: [PlannedPath]
  /// What the rehearsal cannot show of this history, each a sentence.
  public var limits: [String]

  public static let currentFormat = 1

  /// Two versions, by their places in `versions`.
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

  /// The places of the versions at which paths begin.
  public var starts: [Int] { versions.indices.filter { !ends(from: $0).isEmpty } }

  /// The versions between which migrations are killed: each step, then the longest way.
  public var kills: [Pair] {
    let whole = paths.max { $0.to - $0.from < $1.to - $1.from }.map {
      Pair(from: $0.from, to: $0.to)
    }
    return starts.map { Pair(from: $0, to: $0 + 1) }
      + [whole].compactMap { $0 }.filter { $0.to > $0.from + 1 }
  }

  /// The versions to which there are paths from one, in ascending order.
  public func ends(from version: Int) -> [Int] {
    paths.filter { $0.from == version }.map(\.to)
  }

  /// The path between two versions, given by their places in `versions`.
  public func path(from: Int, to: Int) -> PlannedPath? {
    paths.first { $0.from == from && $0.to == to }
  }
}

/// One shipped version and the rows that a store of it is filled with.
public struct PlannedVersion: Codable, Hashable, Sendable {
  /// As people say it: `V9`.
  public var name: String
  /// In an order in which they can be inserted one after the other; links may lead forward.
  public var rows: [PlannedRow]
  /// Rows that stand in kill tests only, for a table that is saved in several batches.
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
  /// Names the row in links and messages; unique in its version.
  public var label: String
  /// Its adversarial category, as `--without` names it: `huge-text`. Nil for an ordinary row.
  public var category: String?
  /// By slot path (`EntityLayout.Slot.path`), to-one relationships left out. A slot that is missing is null.
  public var values: [String: PlannedValue]
  /// By relationship, the labels of the rows at the other end. Each link stands at one end, or at both where
  /// both are to-one.
  public var links: [String: [String]]
  /// Whether the app's types can read the row: one with a raw value that no case has traps in `toEntity()`.
  public var isReadable: Bool
  /// By property, the case that it holds, where the newest version's enum has no such case.
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

/// Many rows that differ from one another in what must be distinct, and in nothing else.
public struct PlannedSeries: Codable, Hashable, Sendable {
  /// What each is a copy of; its label gets the copy's number.
  public var row: PlannedRow
  public var copies: Int
  /// Slots in which copies differ: `StoredValue.distinguished(by:)`.
  public var distinct: [String]
  /// The steps that carry these rows, by the place of the version from which each leads on.
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
  /// As SQLite holds it.
  case stored(StoredValue)
  /// A text or bytes so many times over, so that a plan with huge values is not huge itself.
  case repeated(StoredValue, count: Int)
  /// An array of primitives, which the store keeps as an archive; only the runtime knows how.
  case archived([StoredValue], of: AttributeType)
  /// Whatever the model's default is, for types whose bytes only the app knows; null where there is none.
  case modelDefault
}

extension StoredValue {
  /// Another value of the same kind for the copy of that number; itself for number 0 and for null.
  public func distinguished(by number: Int) -> StoredValue {
    if number == 0 { return self }
    switch self {
    case .null: return self
    case .integer(let value): return .integer(value &+ Int64(number))
    case .real(let value): return .real(value + Double(number))
    case .text(let text): return .text("\(text)-\(number)")
    case .blob(let data):
      // A UUID stays one: its last bytes count.
      guard data.count >= 8 else { return .blob(data + Data("-\(number)".utf8)) }
      let bytes = withUnsafeBytes(of: UInt64(number).bigEndian) { Data($0) }
      let tail = zip(data.suffix(8), bytes).map { $0 ^ $1 }
      return .blob(data.prefix(data.count - 8) + Data(tail))
    }
  }
}
