internal import SchemaEvolution
internal import SchemaModel

/// What files are made from.
struct RenderingInput: Sendable {
  /// Its history is not empty, and has no version that is retired.
  let evolution: Evolution
  /// With the versions that are retired: for documents, and for records in CloudKit, which outlive stores.
  let whole: Evolution
  /// Core Data's hash of each entity in base64, for versions of which a store has proven them.
  let hashes: [VersionNumber: [String: String]]
  /// What stores of older versions of a Core Data model need, with `SchemaMigrationKit`; nil where there are none.
  let coreDataStep: CoreDataStep?
  /// The CloudKit records; nil where none are asked for.
  let records: CloudRecords?

  /// Whether a rehearsal compiles the files.
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

  /// What declares every type that generated code names.
  var typed: Evolution { records == nil ? evolution : whole }

  var newest: SchemaVersion { evolution.history[evolution.history.count - 1] }

  /// Whether something is asked for that is generated on request.
  func has(_ extra: Configuration.Extra) -> Bool {
    evolution.configuration.extras.contains(extra)
  }
}
