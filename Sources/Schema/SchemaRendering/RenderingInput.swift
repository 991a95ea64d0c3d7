internal import SchemaEvolution
internal import SchemaModel

/// The data that files are made from.
struct RenderingInput: Sendable {
  /// The evolution without retired versions. Its history is not empty.
  let evolution: Evolution
  /// The evolution including retired versions, for documents and for CloudKit records, which outlive stores.
  let whole: Evolution
  let hashes: [VersionNumber: [String: String]]
  /// The step for stores of older Core Data versions, with `SchemaMigrationKit`; nil if there are none.
  let coreDataStep: CoreDataStep?
  let records: CloudRecords?

  let isRehearsed: Bool

  init(
    _ evolution: Evolution, of whole: Evolution,
    hashes: [VersionNumber: [String: String]] = [:], coreDataStep: CoreDataStep? = nil,
    isRehearsed: Bool = false
  ) {
    self.coreDataStep =
      evolution.configuration.extras.contains(.migrationKit) ? coreDataStep : nil
    self.evolution = evolution
    self.whole = whole
    self.hashes = hashes
    self.isRehearsed = isRehearsed
    records =
      evolution.configuration.extras.contains(.cloudMappers) ? CloudRecords(whole) : nil
  }

  /// The evolution with all types that the generated code declares. CloudKit records also need the types of retired versions.
  var typed: Evolution { records == nil ? evolution : whole }

  var newest: SchemaVersion { evolution.history[evolution.history.count - 1] }

  func has(_ extra: Configuration.Extra) -> Bool {
    evolution.configuration.extras.contains(extra)
  }
}
