internal import ManagedModels
package import SchemaModel

/// The effects on an element's values while devices with an older and a newer version share records.
package struct MixedDevices: Equatable, Sendable {
  package enum Verdict: String, Hashable, Sendable, CaseIterable {
    /// Production refuses values written by the newer version.
    case refused
    /// One of the two versions may not be able to read the other version's values.
    case undecodable
    /// Both versions have the property or the model, but neither version sees the other's values.
    case apart
    /// Only the newer version has the property or the model.
    case unseen
  }

  package var element: ElementPath
  package var verdict: Verdict
  /// What the older version does with records of the newer version, as a clause.
  package var older: String
  /// What the newer version does with records of the older version, as a clause.
  package var newer: String
}

extension CloudRecords.Contents {
  package struct Gap: Equatable, Sendable {
    /// A clause about the older version, such as `may not decode "angry"`; `nil` if it can read everything.
    package var older: String?
    package var newer: String?
  }

  /// What devices with these contents and devices with `newer` contents cannot read of each other's values; `nil` if
  /// they can read everything.
  package func gap(to newer: Self) -> Gap? {
    var gap = values(to: newer)
    if gap?.newer == nil, isOptional, !newer.isOptional {
      gap = Gap(older: gap?.older, newer: "cannot store nil: what happens to a nil is unverified")
    }
    return gap
  }

  private func values(to newer: Self) -> Gap? {
    switch (form, newer.form) {
    case (.primitive(let old), .primitive(let new)):
      let gap = Gap(older: Self.loss(from: new, to: old), newer: Self.loss(from: old, to: new))
      return gap == Gap() ? nil : gap
    case (.cases(let old, let before), .cases(let new, let after)) where old == new:
      guard before != after else { return nil }
      func clause(_ values: Set<String>) -> String? {
        values.isEmpty ? nil : "may not decode \(values.sorted().joined(separator: ", "))"
      }
      return Gap(older: clause(after.subtracting(before)), newer: clause(before.subtracting(after)))
    case (.fields(let before), .fields(let after)) where before == after: return nil
    default:
      guard text != newer.text || form != newer.form else { return nil }
      return Gap(older: "may not decode \(newer.text)", newer: "may not decode \(text)")
    }
  }

  /// The loss if a device stores values of another type that CloudKit treats as the same; `nil` if there is no loss.
  private static func loss(
    from sent: StorageType.Primitive, to kept: StorageType.Primitive
  ) -> String? {
    let integers: [StorageType.Primitive] = [.bool, .int16, .int32, .int64]
    if let one = integers.firstIndex(of: sent), let other = integers.firstIndex(of: kept) {
      guard one > other else { return nil }
      return kept == .bool
        ? "cannot store numbers other than 0 and 1"
        : "cannot store numbers that are too large for \(kept.row.attribute.row.swift)"
    }
    switch (sent, kept) {
    case (.double, .float), (.decimal, .float): return "rounds to a Float"
    case (.string, .uuid), (.url, .uuid): return "may not read a string that is not a UUID"
    case (.string, .url): return "may not read a string that is not a URL"
    default: return nil
    }
  }
}

extension MixedDevices {
  /// The effects on records that devices with the two versions share, the gravest first.
  ///
  /// - Parameter local: The models that do not sync.
  package static func of(
    _ old: SchemaVersion, _ new: SchemaVersion, local: Set<String> = []
  ) -> [MixedDevices] {
    let (before, after) = (CloudRecords(old, local: local), CloudRecords(new, local: local))
    let all =
      shared(before, after) + types(before, after) + fields(before, after, old, new)
      + links(before, after)
    return Verdict.allCases.flatMap { verdict in all.filter { $0.verdict == verdict } }
  }

  private static func shared(_ old: CloudRecords, _ new: CloudRecords) -> [MixedDevices] {
    new.fields(sharedWith: old).compactMap { _, was, now in
      guard let element = now.properties.first, case .values = now.role else { return nil }
      if was.type != now.type {
        return MixedDevices(
          element: element, verdict: .refused,
          older: "gets nothing: the field is \(was.type) for good",
          newer: "cannot save rows that have a value in the field")
      }
      guard let gap = now.contents.flatMap({ was.contents?.gap(to: $0) }) else { return nil }
      return MixedDevices(
        element: element, verdict: .undecodable,
        older: gap.older ?? "reads all that the newer one writes",
        newer: gap.newer ?? "reads all that the older one writes")
    }
  }

  private static func types(_ old: CloudRecords, _ new: CloudRecords) -> [MixedDevices] {
    let (before, after) = (Set(old.recordTypes.map(\.name)), Set(new.recordTypes.map(\.name)))
    let added = new.recordTypes.filter { !before.contains($0.name) }.flatMap(\.models).map {
      MixedDevices(
        element: ElementPath($0), verdict: .unseen, older: "does not see the rows",
        newer: "shares the rows with no older device")
    }
    let gone = old.recordTypes.filter { !after.contains($0.name) }.flatMap(\.models).map {
      MixedDevices(
        element: ElementPath($0), verdict: .apart, older: "gets no more rows",
        newer: "does not see rows that the older one makes or edits")
    }
    return gone + added
  }

  private static func links(_ old: CloudRecords, _ new: CloudRecords) -> [MixedDevices] {
    let (before, after) = (Set(old.recordTypes.map(\.name)), Set(new.recordTypes.map(\.name)))
    // A link to a model that only one version has is covered by the effect on the model.
    func isTold(_ end: ElementPath, _ others: Set<String>) -> Bool {
      !others.contains(CloudRecords.cloudName(end.owner))
    }
    let gone = old.links.subtracting(new.links).filter { !isTold($0, after) }.sorted().map {
      MixedDevices(
        element: $0, verdict: .apart, older: "gets no more links",
        newer: "does not see links that the older one makes")
    }
    let added = new.links.subtracting(old.links).filter { !isTold($0, before) }.sorted().map {
      MixedDevices(
        element: $0, verdict: .unseen, older: "does not see the links",
        newer: "shares the links with no older device")
    }
    return gone + added
  }

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
          older: "gets \(substitute(element, oldVersion)) in rows that it has not created",
          newer: "does not see the values that the older one writes")
      }
      let added = after.filter { before[$0.key] == nil }.values.sorted().map { element in
        MixedDevices(
          element: element, verdict: .unseen, older: "does not see the value",
          newer: "gets \(substitute(element, newVersion)) in rows that the older one creates")
      }
      return gone + added
    }
  }

  /// The value of a property if the row's record does not have the field.
  private static func substitute(_ element: ElementPath, _ version: SchemaVersion) -> String {
    guard let property = version.property(at: element), !property.type.isOptional,
      let value = property.attribute?.defaultValue
    else { return "nil" }
    return value.text
  }
}

extension Evolution {
  /// The effects on records that devices with the two versions of a step share. Empty if the store does not sync, or if
  /// no device has an older version.
  package func mixedDevices(of step: VersionStep) -> [MixedDevices] {
    guard isMixed(step) else { return [] }
    return verdicts(step.old, step.new)
  }

  /// The effects on records that devices with a step's newer version share with devices whose version is before the
  /// step's older version. An effect is left out if a step in between has the same effect on the element. Examples are
  /// an element that was removed and added again, or an element that changed in two steps.
  ///
  /// - Returns: The effects by older version, the newest version first.
  package func distantDevices(
    of step: VersionStep
  ) -> [(from: VersionNumber, verdicts: [MixedDevices])] {
    guard isMixed(step) else { return [] }
    var known = Set(verdicts(step.old, step.new).map { "\($0.element) \($0.verdict)" })
    var found: [(from: VersionNumber, verdicts: [MixedDevices])] = []
    for earlier in steps.reversed() where earlier.new.number <= step.old.number {
      let from = earlier.old
      if let oldest = configuration.cloud.oldest, from.number < oldest { break }
      // The step `earlier` reports its own effects.
      known.formUnion(verdicts(from, earlier.new).map { "\($0.element) \($0.verdict)" })
      let open = verdicts(from, step.new).filter {
        [.refused, .undecodable].contains($0.verdict)
          && !known.contains("\($0.element) \($0.verdict)")
      }
      known.formUnion(open.map { "\($0.element) \($0.verdict)" })
      if !open.isEmpty { found.append((from.number, open)) }
    }
    return found
  }

  private func verdicts(_ old: SchemaVersion, _ new: SchemaVersion) -> [MixedDevices] {
    MixedDevices.of(old, new, local: Set(configuration.cloud.local.map(\.value)))
  }

  package func isMixed(_ step: VersionStep) -> Bool {
    configuration.cloudKit == .private
      && configuration.cloud.oldest.map { $0 < step.new.number } ?? true
  }
}
