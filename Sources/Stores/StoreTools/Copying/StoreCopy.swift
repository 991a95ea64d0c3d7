package import Foundation
internal import ManagedModels
internal import SchemaEvolution
internal import SchemaModel
package import StoreFormat

/// Writes a store without its values into a new database, row by row. No page of the old file is copied, whether free,
/// indexed or logged. Tables, indexes, triggers, metadata and the model cache are the same, so the copy is recognised
/// as the same version by the same hashes.
///
/// The source is read together with its log and is not changed, as in `StoreFacts`. The copy appears complete or not at
/// all.
package struct StoreCopy {
  /// Called with progress: a phase, the number of finished tables, and the number of all tables.
  package typealias Progress = (_ phase: String, _ done: Int, _ total: Int) -> Void

  /// What was copied.
  package struct Summary: Sendable {
    /// A model with the number of its rows, without its subentities' rows.
    package struct Model: Sendable, Equatable {
      package var name: String
      package var rows: Int64
    }

    package var models: [Model] = []
    /// The number of files with large values that Core Data keeps outside the store.
    package var externalFiles = 0
    package var changedValues = 0
    /// The number of values that were searched for in the copy. The copy contains none of them.
    package var searchedValues = 0
    package var bytes: Int64 = 0
    package var notes: [String] = []

    package var rows: Int64 { models.reduce(0) { $0 + $1.rows } }

    package var lines: [String] {
      models.map { "\($0.name): \(CountWords.rows($0.rows))" } + notes.map { "note: \($0)" }
    }

    /// The summary in a few words: `12 rows in 3 models, 40 values changed, none of 31 left in 98304 bytes`.
    package var headline: String {
      let files = externalFiles == 0 ? "" : ", \(counted(externalFiles, "file")) next to it"
      return
        "\(CountWords.rows(rows)) in \(counted(models.count, "model"))\(files), \(counted(changedValues, "value")) changed, none of \(searchedValues) left in \(bytes) bytes"
    }
  }

  package var source: URL
  /// The place of the copy, where nothing may exist yet.
  package var destination: URL
  private let options: Anonymisation
  /// Versions whose models are used for a store without a model.
  package var candidates: [VersionCandidate]
  /// The maximum number of pages in the copy, for tests of a full disk.
  var pageLimit: Int?
  /// Replaces the store's digest, for tests in which each run must fail in the same way.
  var digest: [UInt8]?

  package init(
    of source: URL, to destination: URL, rows: Int? = nil,
    _ options: Anonymisation = Anonymisation(),
    candidates: [VersionCandidate] = []
  ) {
    self.source = source
    self.destination = destination
    self.options = options
    self.candidates = candidates
  }

  /// Writes the copy. Throws `StoreError` if the source is not a store or cannot be read completely, and
  /// `FileSystemError` if the copy cannot be written.
  package func write(
    progress: @escaping Progress = { _, _, _ in }
  ) throws -> Summary {
    try StoreFacts.checkFiles(ofStoreAt: source)
    let files = try CopiedFiles(destination)
    defer { files.removeUnfinished() }
    var summary = try written(files, progress)
    summary.bytes = files.size
    try files.publish()
    return summary
  }

  private func written(
    _ files: CopiedFiles, _ progress: @escaping Progress
  ) throws -> Summary {
    let digest = try digest ?? Self.digest(ofStoreAt: source)
    var left = 0
    for attempt in 0..<Self.attempts {
      let hash = SHA256.hash(digest + Array("schemagen anonymise \(attempt)".utf8))
      let mask = ValueMask(seed: hash.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }, options)
      var summary = try self.attempt(files, mask, progress)
      progress("looking for original values", 0, 0)
      summary.searchedValues = mask.originals.count
      left = 0
      for file in files.written { left = max(left, try mask.originals.longest(inFileAt: file)) }
      if left == 0 { return summary }
      // A short value may arise by chance between two adjacent values.
      guard attempt == Self.attempts - 1, left < Self.chance else { continue }
      summary.searchedValues = mask.originals.count(longerThan: left)
      summary.notes.append(
        "the copy may contain values of \(left) bytes or fewer by chance: no value was copied, but the bytes of two other values may form one"
      )
      return summary
    }
    throw StoreError(
      .cannotOpen,
      "no copy was written, because each attempt left some of the store's values in it")
  }

  private static let attempts = 4
  /// Values with at least this many bytes do not arise by chance.
  private static let chance = 8

  /// SHA-256 of a store's file and its log. It is read before SQLite opens the files, since closing a file would drop
  /// SQLite's locks. The masked values depend on the digest, so the same store gives the same copy, which cannot be
  /// reproduced without the store.
  private static func digest(ofStoreAt url: URL) throws -> [UInt8] {
    var hash = SHA256()
    for suffix in ["", "-wal"] {
      guard let file = try? FileHandle(forReadingFrom: URL(filePath: url.path + suffix)) else {
        continue
      }
      defer { try? file.close() }
      while let part = try file.read(upToCount: 1 << 20), !part.isEmpty {
        part.withUnsafeBytes { hash.update($0) }
      }
    }
    return hash.finalize()
  }

  private func attempt(
    _ files: CopiedFiles, _ mask: ValueMask, _ progress: @escaping Progress
  ) throws -> Summary {
    let isLogging = StoreHeader.isLogging(source)
    let examined = try StoreFacts.examine(
      source, counting: { progress("counting rows", $0, $1) },
      asking: { facts, survey in
        guard facts.damage.isEmpty else {
          throw StoreError(
            .notAStore,
            "it is damaged, and a copy would not be whole: \(facts.damage.joined(separator: "; "))")
        }
        try files.begin()
        return try StoreCopyWriter(self, facts, survey, files, mask)
          .write(isLogging: isLogging, progress)
      })
    return examined.answers
  }

  /// The model that distinguishes links from numbers: the store's own model, or else the model of its version.
  func model(of facts: StoreFacts) throws -> ManagedModel {
    if let model = facts.model { return model }
    let matches = StoreMatch(facts, candidates: candidates).matches
    guard let match = matches.first else {
      throw StoreError(
        .incompatibleModel,
        "it has no model, so schemagen cannot tell links from numbers: name the manifests of its version with --schemas"
      )
    }
    return match.candidate.model
  }
}

/// The first bytes of a store. They are read before SQLite opens the file, since closing the file would drop SQLite's
/// locks.
private enum StoreHeader {
  static func isLogging(_ url: URL) -> Bool {
    guard let file = try? FileHandle(forReadingFrom: url) else { return false }
    defer { try? file.close() }
    guard let header = try? file.read(upToCount: 20), header.count == 20 else { return false }
    return header[18] == 2
  }
}
