package import SchemaModel

/// What becomes of values while devices with an older version and with a newer one share their records: a second verdict,
/// beside the one about the store.
package struct MixedDevices: Equatable, Sendable {
  package enum Verdict: String, Hashable, Sendable, CaseIterable {
    /// Production refuses what the newer one writes.
    case refused
    /// One of the two may not be able to read what the other writes.
    case undecodable
    /// What one writes, the other never sees, and both have the property or the model.
    case apart
    /// Only the newer one knows it.
    case unseen
  }

  package var element: ElementPath
  package var verdict: Verdict
  /// What the older version reads of what the newer one writes.
  package var older: String
  /// What the newer version reads of what the older one writes.
  package var newer: String
}

extension MixedDevices {
  /// What two neighbouring versions make of each other's records, the gravest first.
  ///
  /// - Parameter local: Models that do not sync.
  package static func of(
    _ old: SchemaVersion, _ new: SchemaVersion, local: Set<String> = []
  ) -> [MixedDevices] {
    let (before, after) = (CloudRecords(old, local: local), CloudRecords(new, local: local))
    let all = shared(before, after) + types(before, after) + fields(before, after, old, new)
    return Verdict.allCases.flatMap { verdict in all.filter { $0.verdict == verdict } }
  }

  /// Fields that both write.
  private static func shared(_ old: CloudRecords, _ new: CloudRecords) -> [MixedDevices] {
    new.fields(sharedWith: old).compactMap { _, was, now in
      guard let element = now.properties.first else { return nil }
      if was.type != now.type {
        return MixedDevices(
          element: element, verdict: .refused,
          older: "gets nothing: the field is \(was.type) for good",
          newer: "cannot save rows that have a value there")
      }
      guard let before = was.contents, let after = now.contents, before != after else { return nil }
      return MixedDevices(
        element: element, verdict: .undecodable, older: "may not decode \(after)",
        newer: "may not decode \(before)")
    }
  }

  /// Record types that only one of the two has.
  private static func types(_ old: CloudRecords, _ new: CloudRecords) -> [MixedDevices] {
    let (before, after) = (Set(old.recordTypes.map(\.name)), Set(new.recordTypes.map(\.name)))
    let added = new.recordTypes.filter { !before.contains($0.name) }.flatMap(\.models).map {
      MixedDevices(
        element: ElementPath($0), verdict: .unseen, older: "does not see such rows",
        newer: "has them to itself")
    }
    let gone = old.recordTypes.filter { !after.contains($0.name) }.flatMap(\.models).map {
      MixedDevices(
        element: ElementPath($0), verdict: .apart, older: "gets no rows any more",
        newer: "does not see rows that it makes or edits")
    }
    return gone + added
  }

  /// Fields that only one of the two has, of record types that both have.
  private static func fields(
    _ old: CloudRecords, _ new: CloudRecords, _ oldVersion: SchemaVersion,
    _ newVersion: SchemaVersion
  ) -> [MixedDevices] {
    let known = Dictionary(old.recordTypes, keyedBy: \.name)
    return new.recordTypes.flatMap { type -> [MixedDevices] in
      guard let was = known[type.name] else { return [] }
      func own(_ type: CloudRecords.RecordType) -> [String: ElementPath] {
        Dictionary(
          type.fields.compactMap { field in
            guard case .values = field.role else { return nil }
            return field.properties.first.map { (field.name, $0) }
          }, uniquingKeysWith: { first, _ in first })
      }
      let (before, after) = (own(was), own(type))
      let gone = before.filter { after[$0.key] == nil }.values.sorted().map { element in
        MixedDevices(
          element: element, verdict: .apart,
          older: "gets \(substitute(element, oldVersion)) in rows that it has not made",
          newer: "does not see what it writes there")
      }
      let added = after.filter { before[$0.key] == nil }.values.sorted().map { element in
        MixedDevices(
          element: element, verdict: .unseen, older: "does not see it",
          newer: "gets \(substitute(element, newVersion)) in rows that it makes")
      }
      return gone + added
    }
  }

  /// What a row has in a property of which its record has no field.
  private static func substitute(_ element: ElementPath, _ version: SchemaVersion) -> String {
    guard let property = version.property(at: element), !property.type.isOptional,
      let value = property.attribute?.defaultValue
    else { return "nil" }
    return value.text
  }
}

extension Evolution {
  /// What devices with the two versions of a step make of each other's records; nothing where the store does not sync,
  /// or no device has an older version any more.
  package func mixedDevices(of step: VersionStep) -> [MixedDevices] {
    guard isMixed(step) else { return [] }
    return MixedDevices.of(
      history[step.from], history[step.to], local: Set(configuration.cloud.local.map(\.value)))
  }

  /// Whether devices with the older version of a step may share their records with such as have the newer one.
  package func isMixed(_ step: VersionStep) -> Bool {
    configuration.cloudKit == .private
      && configuration.cloud.oldest.map { $0 < history[step.to].number } ?? true
  }
}
