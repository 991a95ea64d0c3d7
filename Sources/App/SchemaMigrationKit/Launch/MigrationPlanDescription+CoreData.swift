public import Foundation

extension MigrationPlanDescription {
  /// The way of stores that an app wrote with Core Data, and that SwiftData cannot open: Core Data's own migration
  /// brings them to the current version of its model, which is also a version of the plan.
  public struct CoreDataStep: Sendable, Hashable {
    /// The model's name: "Trips" of `Trips.momd`.
    public let model: String
    /// The plan's version that has the hashes of the model's current version.
    public let to: StoreVersion
    /// Base64 of Core Data's hash of each entity of the model's current version.
    public let hashes: [String: String]
    /// The model's older versions, the oldest first, without those that are equal to a version of the plan.
    public let versions: [CoreDataVersion]

    /// Describes a step from a Core Data model, as generated code does.
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
  /// A store is of this version if it has all of its hashes, and no others. Tables never decide: those of two versions
  /// may be equal where Core Data would not open the one's stores as the other's.
  public struct CoreDataVersion: Sendable, Hashable {
    /// As Xcode shows it: "Trips 2".
    public let name: String
    let entities: [Entity]
    /// Base64 of Core Data's hash of each of them.
    public let hashes: [String: String]
    /// What becomes of rows on the way to the model's current version, as in `Stage.rowEffects`.
    public let rowEffects: [String: RowEffect]

    /// Describes a version of the Core Data model.
    ///
    /// - Parameters:
    ///   - name: As Xcode shows it: "Trips 2".
    ///   - entities: To count rows and links: attributes may be left out.
    ///   - hashes: Base64 of Core Data's hash of each of them.
    ///   - rowEffects: What becomes of rows on the way to the model's current version, as in `Stage.rowEffects`.
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

  /// The Core Data step that a store with these hashes has before it; nil where it has none.
  ///
  /// - Parameter hashes: Of the store's entities, as `NSStoreModelVersionHashesKey` has them in its metadata.
  public func coreDataStage(ofStoreWith hashes: [String: Data]) -> Stage? {
    coreDataOrigin(ofStoreWith: hashes).flatMap { stage(of: $0) }
  }

  /// The older Core Data version that a store is of; nil where it is of none, or of a version of the plan as well.
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

  /// The step from an older Core Data version, as a stage. What Core Data leaves of a store when it is killed is not
  /// documented, so the backup is put back before the step is tried again.
  func stage(of origin: CoreDataVersion) -> Stage? {
    guard let coreData, let target = known.first(where: { $0.number == coreData.to }) else {
      return nil
    }
    return Stage(
      from: coreData.to, to: coreData.to, kind: .coreData,
      title: "\(origin.name) → \(target.name): Core Data", rowEffects: origin.rowEffects,
      isRepeatable: false)
  }

  /// An older Core Data version as one that a store can be of. It has no number of its own, and takes that of the version
  /// that the step leads to.
  func version(of origin: CoreDataVersion) -> Version? {
    coreData.map {
      Version(
        number: $0.to, name: origin.name, entities: origin.entities, knownHashes: origin.hashes)
    }
  }
}
