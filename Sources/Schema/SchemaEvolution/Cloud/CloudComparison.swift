package import SchemaModel

/// Compares a container's production schema with the records of versions. It finds what production lacks, and what no
/// version uses.
///
/// `SchemaDiffer` and the comparison with a store do not apply here. Production serves several versions at the same
/// time and keeps everything, and names and types of fields are permanent.
package struct CloudComparison: Sendable {
  package struct Version: Sendable {
    package var version: SchemaVersion
    package var records: CloudRecords

    package init(_ version: SchemaVersion, local: Set<String>) {
      self.version = version
      records = CloudRecords(version, local: local)
    }

    fileprivate var name: String { version.number.name }
  }

  /// The versions that devices sync with, in ascending order.
  private let versions: [Version]
  /// All versions, also those that no device syncs with. They show which version last wrote an element.
  private let history: [Version]
  private let production: CloudSchema
  private let types: [String: CloudSchema.RecordType]
  private let file: SourceLocation
  private let isShared: Bool
  private let standing: Standing

  package enum Standing: Sendable {
    case production
    /// The schema belongs to a development environment, or is a handwritten file. `production` is the production
    /// schema, if it is known.
    case draft(production: CloudSchema?)
  }

  /// - Parameters:
  ///   - production: The schema of an export that was read without findings.
  ///   - file: The path of the export.
  package init(
    of versions: [Version], among history: [Version], with production: CloudSchema, in file: String,
    isShared: Bool, standing: Standing = .production
  ) {
    self.versions = versions
    self.history = history
    self.production = production
    self.file = SourceLocation(file: file)
    self.isShared = isShared
    self.standing = standing
    types = Dictionary(production.recordTypes, keyedBy: \.name)
  }

  package func findings() -> [Diagnostic] {
    let found = demands().flatMap(missing) + shares() + leftOvers() + consoleIndexes()
    guard !production.recordTypes.contains(where: { $0.name.hasPrefix("CD_") }),
      let first = found.firstIndex(where: { $0.rule == .cloudTypeMissing })
    else { return found }
    var whole = found
    whole[first].help.insert(
      "no app has ever synced a store with this container: check that it is the one that the app uses",
      at: 0
    )
    return whole
  }

  // MARK: What is missing

  /// A record type with everything that the versions need in it.
  private struct Demand {
    var type: CloudRecords.RecordType
    var versions: [Version]
    /// The fields sorted by name, with the versions that write each. A field with several types has several entries.
    var fields: [(field: CloudRecords.Field, versions: [Version])]
  }

  private func demands() -> [Demand] {
    var found: [String: Demand] = [:]
    var places: [String: Int] = [:]
    for version in versions {
      for type in version.records.recordTypes {
        var demand = found[type.name] ?? Demand(type: type, versions: [], fields: [])
        demand.versions.append(version)
        // People know the type of the newest version best.
        demand.type = type
        for field in type.fields {
          let key = "\(type.name) \(field.name) \(field.type)"
          if let place = places[key] {
            demand.fields[place].field = field
            demand.fields[place].versions.append(version)
          } else {
            places[key] = demand.fields.count
            demand.fields.append((field, [version]))
          }
        }
        found[type.name] = demand
      }
    }
    return found.values.sorted { CloudName.precedes($0.type.name, $1.type.name) }
  }

  private func missing(_ demand: Demand) -> [Diagnostic] {
    let name = demand.type.name
    guard let type = types[name] else {
      let newest = demand.versions[demand.versions.count - 1]
      let model = demand.type.models.first
      return [
        Diagnostic(
          .cloudTypeMissing,
          "production has no record type '\(name)', which \(demand.versions.names) \(verb(demand.versions)): "
            + (model.map { "no row of '\($0)' syncs" }
              ?? "no link of a many-to-many relationship syncs"),
          element: model ?? name,
          at: model.flatMap { newest.version.model(named: $0)?.location }
            ?? newest.version.location,
          help: [Self.deploy])
      ]
    }
    let fields = Dictionary(type.fields, keyedBy: \.name)
    var assets: [CloudRecords.Content: [CloudRecords.Field]] = [:]
    let found = demand.fields.flatMap { field, versions -> [Diagnostic] in
      if field.role == .moveReceipt, !isShared { return [] }
      if let there = fields[field.name] {
        return there.type.holds(field.type) ? [] : [conflict(field, there, of: type, versions)]
      }
      switch field.role {
      case .asset where fields[field.valueName] == nil:
        // The missing asset is reported with the field of the value.
        return []
      case .asset(_, let content) where content != .bytes:
        // A schema that grew from saved records often lacks these asset fields, because few values are too large for a
        // record.
        assets[content, default: []].append(field)
        return []
      case .values:
        let asset = demand.fields.first { $0.field.name == field.assetName }?.field
        let lacksAsset = asset.map { fields[$0.name] == nil } ?? false
        let what =
          lacksAsset
          ? "no fields '\(field.name)' and '\(field.assetName)'" : "no field '\(field.name)'"
        return [missing(field, what, hasAsset: asset != nil && !lacksAsset, of: type, versions)]
      case .asset, .bookkeeping, .moveReceipt:
        return [missing(field, "no field '\(field.name)'", hasAsset: false, of: type, versions)]
      }
    }
    return found
      + assets.sorted { $0.key < $1.key }.flatMap { content, fields in
        missingAssets(fields, content, of: type, demand.versions)
      }
  }

  /// One finding covers all missing assets of a record type, because values are rarely too large for their record.
  private func missingAssets(
    _ fields: [CloudRecords.Field], _ content: CloudRecords.Content,
    of type: CloudSchema.RecordType, _ versions: [Version]
  ) -> [Diagnostic] {
    guard let first = fields.first?.properties.first else { return [] }
    let version = versions[versions.count - 1].version
    let names = fields.map { "'\($0.name)'" }.joined(separator: ", ")
    let (consequence, comfort) =
      switch content {
      case .enumeration: ("no enum is ever too large for its record", nil as String?)
      case .numbers:
        (
          "a struct that is too large for its record, about 700,000 bytes, cannot sync",
          "deploy the fields with the next version; no struct of numbers and dates is that large"
        )
      case .text, .bytes:
        (
          "a string that is too large for its record, about 700,000 bytes, cannot sync",
          "deploy the fields with the next version; no string that people type is that long"
        )
      }
    return [
      Diagnostic(
        .cloudAssetMissing, "production's '\(type.name)' lacks \(names): \(consequence)",
        element: first.owner, at: version.location(of: first) ?? version.location,
        related: related("the record type", type.location),
        help: comfort.map { [$0, Self.deploy] } ?? ["deploy the fields with the next version"],
        severity: content == .enumeration ? .note : .warning)
    ]
  }

  private func missing(
    _ field: CloudRecords.Field, _ what: String, hasAsset: Bool, of type: CloudSchema.RecordType,
    _ versions: [Version]
  ) -> Diagnostic {
    let newest = versions[versions.count - 1]
    let property = field.properties.first
    let (rule, consequence) = verdict(
      on: field, hasAsset: hasAsset, property.flatMap { newest.version.property(at: $0) })
    return Diagnostic(
      rule,
      "production's '\(type.name)' has \(what), which \(versions.names) \(verb(versions)) for "
        + "\(property.map { "'\($0)'" } ?? "mirroring"): \(consequence)",
      element: property?.description ?? "\(type.name).\(field.name)",
      at: property.flatMap { newest.version.location(of: $0) } ?? newest.version.location,
      related: related("the record type", type.location), help: [Self.deploy])
  }

  private func verdict(
    on field: CloudRecords.Field, hasAsset: Bool, _ property: Property?
  ) -> (Rule, String) {
    switch field.role {
    case .asset:
      return (.cloudAssetMissing, "a value that is too large for its record cannot sync")
    case .moveReceipt: return (.cloudFieldMissing, "rows cannot be shared")
    case .bookkeeping: return (.cloudFieldMissing, "no record of the type syncs")
    case .values:
      let isAlways = property.map { !$0.type.isOptional && $0.relationship == nil } ?? false
      let consequence =
        hasAsset
        ? "only values that are too large for their record sync"
        : isAlways
          ? "every row has a value in the field, so no row syncs"
          : "a row with a value in the field does not sync, nor do other rows sent with that row"
      return (hasAsset ? .cloudAssetMissing : .cloudFieldMissing, consequence)
    }
  }

  private func conflict(
    _ field: CloudRecords.Field, _ there: CloudSchema.Field, of type: CloudSchema.RecordType,
    _ versions: [Version]
  ) -> Diagnostic {
    let newest = versions[versions.count - 1]
    let property = field.properties.first
    let isSame = there.type.withoutEncryption == field.type.withoutEncryption
    let isFinal = isFinal(there, of: type)
    let place = isFinal == true ? "production" : "'\(file.file)'"
    let what =
      isSame
      ? "is \(there.type.isEncrypted ? "" : "not ")encrypted in \(place), but \(versions.names) \(versions.count == 1 ? "says" : "say") otherwise"
      : "is \(there.type) in \(place), but \(versions.names) \(verb(versions)) \(field.type)"
    let shown = property.map { " ('\($0)')" } ?? ""
    let consequence =
      switch isFinal {
      case true?: ": the field can never be changed"
      case false?: ": production does not have the field yet, so it can still be corrected"
      case nil: ": once production has it, the field can never be changed"
      }
    let renaming =
      property.map {
        "give the property a name that no version had: the field stays, and nothing writes it"
          + (isSame ? "; or declare '\($0)' as production has it" : "")
      }
      ?? "the record type was made by hand: use another container or another model name"
    let undoing =
      "delete the field in the CloudKit Console, in development, and export again; "
      + "'xcrun cktool reset-schema' deletes all fields that production does not have, and all data in development"
    return Diagnostic(
      .cloudConflict, "'\(type.name).\(field.name)'\(shown) \(what)\(consequence)",
      element: property?.description ?? "\(type.name).\(field.name)",
      at: property.flatMap { newest.version.location(of: $0) } ?? newest.version.location,
      related: isFinal == true
        ? related("the field", there.location)
        : there.location.map { [Diagnostic.Related("the field", at: $0)] } ?? [],
      help: isFinal.map { [$0 ? renaming : undoing] }
        ?? [
          "if production does not have the field: \(undoing)",
          "if production has the field: \(renaming)",
        ])
  }

  /// Whether production has a field with the same type as in the schema; `nil` if production is unknown.
  private func isFinal(_ field: CloudSchema.Field, of type: CloudSchema.RecordType) -> Bool? {
    switch standing {
    case .production: true
    case .draft(let production):
      production.map {
        $0.recordType(named: type.name)?.field(named: field.name)?.type == field.type
      }
    }
  }

  private func shares() -> [Diagnostic] {
    guard isShared, types[CloudRecords.shareType] == nil else { return [] }
    return [
      Diagnostic(
        .cloudTypeMissing,
        "production has no record type '\(CloudRecords.shareType)': sharing fails",
        element: CloudRecords.shareType, at: file,
        help: [
          "share something once in the development environment, which creates the type; then deploy the type"
        ])
    ]
  }

  // MARK: What is left over

  private func leftOvers() -> [Diagnostic] {
    let written = Set(
      versions.flatMap { version in
        version.records.recordTypes.flatMap { type in
          [type.name] + type.fields.map { "\(type.name).\($0.name)" }
        }
      })
    var lastly: [String: Version] = [:]
    for version in history {
      for type in version.records.recordTypes {
        lastly[type.name] = version
        for field in type.fields { lastly["\(type.name).\(field.name)"] = version }
      }
    }
    func note(
      _ names: [String], _ what: String, _ version: Version?, _ place: SourceLocation?
    ) -> Diagnostic {
      let isOne = names.count == 1
      let shown = names.map { "'\($0)'" }.joined(separator: ", ")
      let origin =
        version.map { "last written by \($0.name)" }
        ?? "none of the compared versions writes \(isOne ? "it" : "them")"
      return Diagnostic(
        .cloudLeftOver,
        "the \(what)\(isOne ? "" : "s") \(shown) \(isOne ? "is" : "are") in production: \(origin)",
        element: names[0], at: place,
        help: [
          (isOne
            ? "the \(what) stays in production for good: keep it"
            : "the \(what)s stay in production for good: keep them")
            + " in every schema that you import"
        ])
    }
    return production.recordTypes.flatMap { type -> [Diagnostic] in
      guard type.name.hasPrefix("CD_") || type.name == CloudRecords.linkType else { return [] }
      guard written.contains(type.name) else {
        return [note([type.name], "record type", lastly[type.name], type.location)]
      }
      // Apple's full initialization creates move receipts in any case.
      let fields = type.fields.filter { field in
        field.name.hasPrefix("CD_") && !field.name.hasPrefix("CD_moveReceipt")
          && !written.contains("\(type.name).\(field.name)")
      }
      let byOrigin = Dictionary(grouping: fields) { lastly["\(type.name).\($0.name)"]?.name ?? "" }
      return byOrigin.values.map { fields in
        let names = fields.map { "\(type.name).\($0.name)" }
        return note(names, "field", lastly[names[0]], fields[0].location)
      }.sorted()
    }
  }

  /// Reports record types that the Console cannot list because an index is missing.
  private func consoleIndexes() -> [Diagnostic] {
    let hidden = versions.flatMap { $0.records.recordTypes.map(\.name) }.filter { name in
      types[name].map { $0.field(named: "___recordID")?.indexes.contains(.queryable) != true }
        ?? false
    }
    guard !hidden.isEmpty else { return [] }
    let names = Set(hidden).sorted(by: CloudName.precedes)
    return [
      Diagnostic(
        .cloudIndex,
        "the Console cannot list records of \(names.joined(separator: ", ")): '___recordID' is not QUERYABLE",
        element: names[0], at: file,
        help: [
          "apps sync without this index; add it in the Console if you want to see the records there"
        ])
    ]
  }

  // MARK: Words

  private static let deploy =
    "'schemagen cloud plan' shows how to deploy what is missing: production needs it before the app ships"

  private func verb(_ versions: [Version]) -> String { versions.count == 1 ? "writes" : "write" }

  private func related(_ what: String, _ place: SourceLocation?) -> [Diagnostic.Related] {
    place.map { [Diagnostic.Related("\(what) in production", at: $0)] } ?? []
  }
}

extension [CloudComparison.Version] {
  /// The names of one or more consecutive versions: `V9`, `V7 to V9`.
  package var names: String {
    count == 1 ? self[0].name : "\(self[0].name) to \(self[count - 1].name)"
  }
}

extension CloudSchema.FieldType {
  package var withoutEncryption: Self {
    switch self {
    case .single(let primitive, _): .single(primitive, isEncrypted: false)
    case .list(let primitive, _): .list(primitive, isEncrypted: false)
    case .number: self
    }
  }

  /// Whether a field of this type accepts values of another type: if the types are equal, or if this type is a number
  /// whose final type is undecided.
  func holds(_ written: Self) -> Bool {
    guard case .number(let preferred) = self else { return self == written }
    switch written {
    case .single(.int64, isEncrypted: false): return preferred != .double
    case .single(.double, isEncrypted: false): return preferred != .int64
    default: return false
    }
  }
}
