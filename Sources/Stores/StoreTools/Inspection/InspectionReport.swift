internal import Foundation
internal import ManagedModels
internal import SchemaModel
package import SchemaReporting
package import StoreFormat

/// What an inspection found, for people and for machines.
package struct InspectionReport: Sendable {
  package enum Format: String, Sendable, CaseIterable {
    case text, json
  }

  /// As the user named the store.
  package let path: String
  package let facts: StoreFacts
  package let hashes: StoreHashes
  /// Nil where there are no manifests.
  package let match: StoreMatch?

  /// - Parameter candidates: The versions of all folders of manifests; nil where there are none.
  package init(path: String, facts: StoreFacts, candidates: [StoreMatch.Candidate]?) {
    self.path = path
    self.facts = facts
    hashes = StoreHashes(facts)
    match = candidates.map { StoreMatch(facts, candidates: $0) }
  }

  /// 0 where the store is whole and, if there are manifests, of one of their versions; 1 where it is of none; 2
  /// where it is damaged.
  package var exitStatus: Int32 {
    if !facts.damage.isEmpty { return 2 }
    return match.map { $0.matches.isEmpty ? 1 : 0 } ?? 0
  }

  package func render(_ format: Format, on terminal: TerminalText = .plain) -> String {
    switch format {
    case .text: text(terminal)
    case .json: json()
    }
  }

  // MARK: Words

  /// Titles and what they say, in the order in which they are shown.
  private var summary: [(title: String, value: String)] {
    var rows = [("written by", facts.writerWords)]
    if let version = facts.frameworkVersion { rows.append(("framework", "\(version)")) }
    rows.append(("version", facts.versionWords))
    rows.append(("identifier", facts.identifier))
    switch facts.access {
    case .alone: break
    case .shared: rows.append(("read", "in place; other processes may have it open"))
    case .copied:
      rows.append(("read", "from a copy: it has a write-ahead log that no process has open"))
    }
    let size = facts.size
    rows.append(
      (
        "size",
        "\(size.main) bytes" + (size.log.map { ", log \($0) bytes" } ?? "")
          + "; \(size.pageCount) pages of \(size.page) bytes, \(size.freePageCount) free"
      ))
    rows.append(("model", facts.modelWords))
    if facts.writer == .coreData { rows += hashRows }
    return rows
  }

  private var hashRows: [(title: String, value: String)] {
    func words(_ verdict: StoreHashes.Verdict) -> String {
      switch verdict {
      case .agrees: "agrees with the entities' hashes"
      case .differs: "does not agree with the entities' hashes"
      case .absent: "not in the metadata"
      }
    }
    var rows = [("checksum", words(hashes.checksum)), ("digest", words(hashes.digest))]
    if !hashes.unlisted.isEmpty {
      rows.append(("hashes", "not one for each entity: \(hashes.unlisted.joined(separator: ", "))"))
    }
    guard facts.model != nil else {
      return rows + [
        ("not verified", "the entities' hashes: the store has no model to make them of")
      ]
    }
    let count = hashes.confirmed.count + hashes.unconfirmed.count
    if count > 0 {
      rows.append(
        ("hashes", "\(hashes.confirmed.count) of \(count) are what Core Data makes of the model"))
    }
    if !hashes.wrong.isEmpty {
      rows.append(("wrong", "the hashes of \(hashes.wrong.joined(separator: ", "))"))
    }
    for (name, doubts) in hashes.unconfirmed.sorted(by: { $0.key < $1.key }) where !doubts.isEmpty {
      rows.append(
        ("not verified", "the hash of \(name): \(doubts.map(\.text).joined(separator: "; "))"))
    }
    return rows
  }

  private func rows(_ entity: StoreFacts.Entity) -> String {
    entity.rowCount.map(CountWords.rows) ?? "rows not counted"
  }

  /// One property: its name, its type and what else is to be said of it.
  private struct PropertyLine {
    var name: String
    var type: String
    var remarks: [String]

    var cells: [String] { [name, type, remarks.joined(separator: "; ")] }
  }

  private func properties(_ entity: ManagedEntity) -> [PropertyLine] {
    let unique = Set(entity.uniqueness.filter { $0.count == 1 }.map { $0[0] })
    let attributes = entity.attributes.sorted { $0.name < $1.name }.map { attribute in
      var remarks: [String] = []
      if unique.contains(attribute.name) { remarks.append("unique") }
      if !attribute.elements.isEmpty {
        remarks.append(
          "of "
            + attribute.elements.map {
              "\($0.name): \(ModelComparison.words($0))"
            }.sorted().joined(separator: ", "))
      }
      if attribute.isExternal { remarks.append("externalStorage") }
      if attribute.isPreservedOnDeletion { remarks.append("preserveValueOnDeletion") }
      if let original = attribute.originalName { remarks.append("was '\(original)'") }
      if let modifier = attribute.hashModifier { remarks.append("hash modifier '\(modifier)'") }
      if attribute.defaultValue != nil { remarks.append("has a default") }
      return PropertyLine(
        name: attribute.name, type: ModelComparison.words(attribute), remarks: remarks)
    }
    let relationships = entity.relationships.sorted { $0.name < $1.name }.map { relationship in
      var remarks = [relationship.inverse.map { "inverse '\($0)'" } ?? "no inverse"]
      remarks.append("delete rule \(relationship.deleteRule.rawValue)")
      if unique.contains(relationship.name) { remarks.append("unique") }
      if let original = relationship.originalName { remarks.append("was '\(original)'") }
      if let modifier = relationship.hashModifier { remarks.append("hash modifier '\(modifier)'") }
      return PropertyLine(
        name: relationship.name, type: ModelComparison.words(relationship), remarks: remarks)
    }
    return attributes + relationships
  }

  /// What there is to say of entities, each with its part of the model where there is one.
  private var entities: [(facts: StoreFacts.Entity, model: ManagedEntity?)] {
    let models = facts.model?.entitiesByName ?? [:]
    return facts.entities.map { ($0, models[$0.name]) }
  }

  private func compoundUniques(_ entity: ManagedEntity) -> [String] {
    entity.uniqueness.filter { $0.count > 1 }.map { $0.joined(separator: ", ") }
  }

  /// Indexes by table; Core Data's own for links and those of the model alike.
  private func indexes(of entity: StoreFacts.Entity) -> [StoreFacts.Index] {
    // Of a tree of entities, the root shows the table's.
    guard let first = facts.entities.first(where: { $0.table == entity.table }),
      first.name == entity.name
    else { return [] }
    return facts.indexes.filter { $0.table == entity.table }
  }

  /// The lines that say which version it is, the last first word of the report.
  private func verdict() -> [String] {
    guard let match else { return ["no manifests to compare it with"] }
    if !match.matches.isEmpty { return StoreMatch.recognition(match.matches, facts) }
    guard let nearest = match.nearest else {
      return ["the manifests have no version to compare it with"]
    }
    let versions =
      match.candidateCount == 1 ? "the one version" : "any of the \(match.candidateCount) versions"
    var lines = [
      "the store does not match \(versions) of the manifests; nearest is "
        + "\(nearest.candidate.name) of \(nearest.candidate.folder):"
    ]
    lines += nearest.differences.filter(\.isHashed).map { "  \($0.element): \($0.detail)" }
    lines += nearest.tables.map { "  \($0)" }
    let isTold = !nearest.differences.isEmpty || !nearest.tables.isEmpty
    if let foreign = nearest.foreignHashes, !foreign.isEmpty, !(nearest.isComputed && isTold) {
      lines.append(
        "  hashes: not those of \(nearest.candidate.name): \(foreign.joined(separator: ", "))")
    }
    return lines
  }

  // MARK: Text

  /// The store in one sentence: the last line of the text.
  package var headline: String {
    let rows = facts.entities.compactMap(\.rowCount).reduce(0, +)
    let count = facts.entities.count
    let version =
      match.map { match in
        match.matches.isEmpty
          ? ", no version of the manifests"
          : ", version " + match.matches.map(\.candidate.name).joined(separator: " and ")
            + (match.matches[0].caveats.isEmpty ? "" : ", not verified by every hash")
      } ?? ""
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return
      "\(name): \(counted(rows, "row")) in \(count) \(count == 1 ? "entity" : "entities")"
      .visibleInOneLine
      + version + (facts.damage.isEmpty ? "" : ", damaged")
  }

  private func text(_ terminal: TerminalText) -> String {
    var lines = [path]
    let cells = summary.map { [$0.title, $0.value] }
    let columns = TextColumns(cells, on: terminal, indent: 2)
    lines += cells.flatMap { columns.lines($0).map { "  " + $0 } }
    for (entity, model) in entities {
      lines.append("")
      let below = model?.superentity.map { ", below \($0)" } ?? ""
      lines.append("\(entity.name)\(below): \(rows(entity))")
      if let hash = entity.hash { lines.append("  hash \(hash.base64EncodedString())") }
      if let model {
        let cells = properties(model).map(\.cells)
        let columns = TextColumns(cells, on: terminal, indent: 2)
        lines += cells.flatMap { columns.lines($0).map { trimmed("  " + $0) } }
        for names in compoundUniques(model) { lines.append("  unique by \(names)") }
      } else if let table = entity.table {
        for (column, type) in (facts.tables[table] ?? [:]).sorted(by: { $0.key < $1.key }) {
          lines.append("  \(column) \(type)")
        }
      }
      for index in indexes(of: entity) {
        lines.append(
          "  \(index.isUnique ? "unique index" : "index") \(index.name)"
            + " (\(index.columns.joined(separator: ", ")))")
      }
    }
    if !facts.notes.isEmpty || !facts.damage.isEmpty { lines.append("") }
    lines += facts.damage.map { "damaged: \($0)" }
    lines += facts.notes.map { "note: \($0)" }
    lines.append("")
    lines += verdict()
    return lines.map { terminal.fitted($0.visibleInOneLine) }.joined(separator: "\n") + "\n"
  }

  private func trimmed(_ text: String) -> String {
    String(text.reversed().drop { $0 == " " }.reversed())
  }

  // MARK: JSON

  private struct Document: Encodable {
    var format = 1
    var store: String
    var writer: String
    var access: String
    var identifier: String
    var versionIdentifiers: [String]
    var frameworkVersion: Int?
    var hashesVersion: Int?
    var checksum: String?
    var checksumVerdict: String
    var digest: String?
    var digestVerdict: String
    var strayHashes: [String]
    var size: Size
    var modelSource: String?
    var entities: [Entity]
    var otherTables: [String]
    var notes: [String]
    var damage: [String]
    var matches: [Version]?
    var nearest: Version?
  }

  private struct Size: Encodable {
    var main: Int64
    var log: Int64?
    var page: Int64
    var pages: Int64
    var freePages: Int64
  }

  private struct Entity: Encodable {
    var name: String
    var number: Int64
    var table: String?
    var rows: Int64?
    var hash: String?
    var hashHexadecimal: String?
    /// Whether it is what Core Data makes of the store's model; not there where that is not known.
    var hashConfirmed: Bool?
    /// Why it is not known.
    var hashDoubts: [String]?
    var superentity: String?
    var attributes: [ManagedAttributeEntry]?
    var relationships: [ManagedRelationship]?
    var uniques: [[String]]?
    var indexes: [Index]
  }

  /// `ManagedAttribute` with its type in words.
  private struct ManagedAttributeEntry: Encodable {
    var name: String
    var type: String
    var isOptional: Bool
    var isExternal: Bool
    var isPreservedOnDeletion: Bool
    var originalName: String?
    var hashModifier: String?
    var elements: [ManagedAttributeEntry]

    init(_ attribute: ManagedAttribute) {
      name = attribute.name
      type = ModelComparison.words(attribute.type)
      isOptional = attribute.isOptional
      isExternal = attribute.isExternal
      isPreservedOnDeletion = attribute.isPreservedOnDeletion
      originalName = attribute.originalName
      hashModifier = attribute.hashModifier
      elements = attribute.elements.map(ManagedAttributeEntry.init)
    }
  }

  private struct Index: Encodable {
    var name: String
    var columns: [String]
    var unique: Bool
  }

  private struct Version: Encodable {
    var folder: String
    var name: String
    var bridge: Bool
    var differences: [Difference]
    /// Whether the store's hashes are the version's; not there where that cannot be told.
    var hashesProven: Bool?
    /// Entities with another hash than the version's.
    var foreignHashes: [String]?
    /// Why of others it cannot be told.
    var hashDoubts: [String]
  }

  private struct Difference: Encodable {
    var element: String?
    var detail: String
    /// Whether it makes the store one of another version.
    var identity: Bool
  }

  private func version(_ comparison: StoreMatch.Comparison) -> Version {
    Version(
      folder: comparison.candidate.folder, name: comparison.candidate.name,
      bridge: comparison.candidate.isBridge,
      differences: comparison.differences.map {
        Difference(element: $0.element, detail: $0.detail, identity: $0.isHashed)
      } + comparison.tables.map { Difference(element: nil, detail: $0, identity: true) },
      hashesProven: comparison.foreignHashes.map(\.isEmpty),
      foreignHashes: comparison.foreignHashes, hashDoubts: comparison.caveats)
  }

  private func isConfirmed(_ entity: String) -> Bool? {
    hashes.confirmed.contains(entity) ? true : hashes.wrong.contains(entity) ? false : nil
  }

  private func json() -> String {
    let size = facts.size
    let document = Document(
      store: path, writer: facts.writer.rawValue, access: facts.access.rawValue,
      identifier: facts.identifier, versionIdentifiers: facts.versionIdentifiers,
      frameworkVersion: facts.frameworkVersion, hashesVersion: facts.hashesVersion,
      checksum: facts.checksum, checksumVerdict: hashes.checksum.rawValue, digest: facts.digest,
      digestVerdict: hashes.digest.rawValue, strayHashes: hashes.unlisted,
      size: Size(
        main: size.main, log: size.log, page: size.page, pages: size.pageCount,
        freePages: size.freePageCount),
      modelSource: facts.modelSource?.rawValue,
      entities: entities.map { entity, model in
        Entity(
          name: entity.name, number: entity.number, table: entity.table, rows: entity.rowCount,
          hash: entity.hash?.base64EncodedString(),
          hashHexadecimal: entity.hash?.hexadecimal, hashConfirmed: isConfirmed(entity.name),
          hashDoubts: hashes.unconfirmed[entity.name].flatMap { $0.isEmpty ? nil : $0.map(\.text) },
          superentity: model?.superentity,
          attributes: model?.attributes.map(ManagedAttributeEntry.init),
          relationships: model?.relationships, uniques: model?.uniqueness,
          indexes: indexes(of: entity).map {
            Index(name: $0.name, columns: $0.columns, unique: $0.isUnique)
          })
      },
      otherTables: facts.otherTables, notes: facts.notes, damage: facts.damage,
      matches: match?.matches.map(version), nearest: match?.nearest.map(version))
    return JSONText.encode(document)
  }
}
