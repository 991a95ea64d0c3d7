public import Foundation

extension MigrationPlanDescription {
  /// The migration of stores that an app wrote with Core Data and that SwiftData cannot open. Core Data migrates them
  /// to the current version of its model, which is also a version of the plan.
  public struct CoreDataStep: Sendable, Hashable {
    /// The model's name: "Trips" for `Trips.momd`.
    public let model: String
    /// The plan's version that has the hashes of the model's current version.
    public let to: StoreVersion
    /// Base64 of Core Data's hash of each entity of the model's current version.
    public let hashes: [String: String]
    /// The model's older versions, the oldest first, without those that equal a version of the plan.
    public let versions: [CoreDataVersion]

    /// Describes a step from a Core Data model, as generated code does.
    ///
    /// - Parameters:
    ///   - model: The model's name: "Trips" for `Trips.momd`.
    ///   - to: The plan's version that has the hashes of the model's current version.
    ///   - hashes: Base64 of Core Data's hash of each entity of the model's current version.
    ///   - versions: The model's older versions, the oldest first.
    public init(
      model: String, to: StoreVersion, hashes: [String: String], versions: [CoreDataVersion]
    ) {
      self.model = model
      self.to = to
      self.hashes = hashes
      self.versions = versions
    }
  }

  /// An older version of a Core Data model.
  ///
  /// A store has this version if it has exactly these hashes. Tables do not decide: two versions may have equal tables
  /// although Core Data would not open stores of one version as stores of the other.
  public struct CoreDataVersion: Sendable, Hashable {
    /// The name that Xcode shows: "Trips 2".
    public let name: String
    let entities: [Entity]
    /// Base64 of Core Data's hash of each entity.
    public let hashes: [String: String]
    /// What happens to rows in the migration to the model's current version, as in `Stage.rowEffects`.
    public let rowEffects: [String: RowEffect]

    /// Describes a version of the Core Data model.
    ///
    /// - Parameters:
    ///   - name: The name that Xcode shows: "Trips 2".
    ///   - entities: The entities, to count rows and links. Attributes may be left out.
    ///   - hashes: Base64 of Core Data's hash of each entity.
    ///   - rowEffects: What happens to rows in the migration to the model's current version, as in `Stage.rowEffects`.
    public init(
      _ name: String, entities: [Entity], hashes: [String: String],
      rowEffects: [String: RowEffect] = [:]
    ) {
      self.name = name
      self.entities = entities
      self.hashes = hashes
      self.rowEffects = rowEffects
    }
  }

  /// The Core Data step that a store with these hashes needs; `nil` if it needs none.
  ///
  /// - Parameter hashes: The hashes of the store's entities, as under `NSStoreModelVersionHashesKey` in its metadata.
  public func coreDataStage(ofStoreWith hashes: [String: Data]) -> Stage? {
    coreDataOrigin(ofStoreWith: hashes).flatMap { stage(of: $0) }
  }

  /// The older Core Data version that a store has; `nil` if the store has none, or if the plan also has that version.
  func coreDataOrigin(ofStoreWith hashes: [String: Data]) -> CoreDataVersion? {
    guard let coreData, !hashes.isEmpty else { return nil }
    let stored = hashes.mapValues { $0.base64EncodedString() }
    guard stored != coreData.hashes,
      !known.contains(where: { $0.knownHashes == stored || $0.computedHashes == stored })
    else { return nil }
    return coreData.versions.last { $0.hashes == stored }
  }

  func coreDataVersion(_ name: String) -> CoreDataVersion? {
    coreData?.versions.first { $0.name == name }
  }

  /// The step from an older Core Data version, as a stage. It is not documented what remains of a store when Core Data
  /// is killed, so the backup is restored before the step is tried again.
  func stage(of origin: CoreDataVersion) -> Stage? {
    guard let coreData, let target = known.first(where: { $0.number == coreData.to }) else {
      return nil
    }
    return Stage(
      from: coreData.to, to: coreData.to, kind: .coreData,
      title: "\(origin.name) → \(target.name): Core Data", rowEffects: origin.rowEffects,
      isRepeatable: false)
  }

  /// An older Core Data version as a version that a store may have. Core Data's version has no number, so it gets the
  /// number of the version to which the step leads.
  func version(of origin: CoreDataVersion) -> Version? {
    coreData.map {
      Version(
        number: $0.to, name: origin.name, entities: origin.entities, knownHashes: origin.hashes)
    }
  }
}
