internal import Foundation
internal import ManagedModels
internal import SchemaModel
package import SchemaReporting
package import StoreFormat

/// What an inspection found, for people and for machines.
package struct InspectionReport: Encodable, Sendable {
  private let format = 1
  package let path: String
  package let facts: StoreFacts
  package let hashes: StoreHashes
  /// Nil if there are no manifests.
  package let match: StoreMatch?

  package init(path: String, facts: StoreFacts, candidates: [VersionCandidate]?) {
    self.path = path
    self.facts = facts
    hashes = StoreHashes(facts)
    match = candidates.map { StoreMatch(facts, candidates: $0) }
  }

  /// 2 if the store is damaged, 1 if there are manifests and no version matches, and 0 for any other store.
  package var exitStatus: Int32 {
    if !facts.damage.isEmpty { return 2 }
    return match.map { $0.matches.isEmpty ? 1 : 0 } ?? 0
  }

  private enum CodingKeys: String, CodingKey {
    case format
    case path = "store"
    case facts, hashes, match
  }

  // MARK: Document

  private var summary: [[String]] {
    let size = facts.size
    var rows: [[String?]] = [
      ["written by", facts.writerWords],
      ["framework", facts.frameworkVersion.map { "\($0)" }],
      ["version", facts.versionWords],
      ["identifier", facts.identifier],
    ]
    switch facts.access {
    case .alone: break
    case .shared: rows.append(["read", "in place; other processes may have the store open"])
    case .copied:
      rows.append(["read", "from a copy: the store has a write-ahead log that no process has open"])
    }
    rows += [
      [
        "size",
        "\(size.main) bytes" + (size.log.map { ", log \($0) bytes" } ?? "")
          + "; \(size.pageCount) pages of \(size.page) bytes, \(size.freePageCount) free",
      ], ["model", facts.modelWords],
    ]
    if facts.writer == .coreData { rows += hashRows }
    return rows.filter { !$0.contains(nil) }.map { $0.compactMap(\.self) }
  }

  private var hashRows: [[String]] {
    func words(_ verdict: StoreHashes.Verdict) -> String {
      switch verdict {
      case .agrees: "agrees with the entities' hashes"
      case .differs: "does not agree with the entities' hashes"
      case .absent: "not in the metadata"
      }
    }
    var rows = [["checksum", words(hashes.checksum)], ["digest", words(hashes.digest)]]
    if !hashes.unlisted.isEmpty {
      rows.append([
        "hashes", "do not match the entities: \(hashes.unlisted.joined(separator: ", "))",
      ])
    }
    guard facts.model != nil else {
      return rows + [
        ["not verified", "the entities' hashes: the store has no model to compute them from"]
      ]
    }
    let count = hashes.confirmed.count + hashes.unconfirmed.count
    if count > 0 {
      rows.append(
        ["hashes", "\(hashes.confirmed.count) of \(count) are what Core Data computes"])
    }
    if !hashes.wrong.isEmpty {
      rows.append(["wrong", "the hashes of \(hashes.wrong.joined(separator: ", "))"])
    }
    return rows
      + hashes.unconfirmed.sorted { $0.key < $1.key }.filter { !$0.value.isEmpty }.map {
        ["not verified", "the hash of \($0): \($1.map(\.text).joined(separator: "; "))"]
      }
  }

  private func properties(_ entity: ManagedEntity) -> [[String]] {
    let unique = Set(entity.uniqueness.filter { $0.count == 1 }.map { $0[0] })
    func former(_ original: String?, _ modifier: String?) -> [String?] {
      [original.map { "was '\($0)'" }, modifier.map { "hash modifier '\($0)'" }]
    }
    func row(_ name: String, _ type: String, _ remarks: [String?]) -> [String] {
      [name, type, remarks.compactMap(\.self).joined(separator: "; ")]
    }
    let attributes = entity.attributes.sorted { $0.name < $1.name }.map { attribute in
      let elements = attribute.elements.map { "\($0.name): \(ModelComparison.words($0))" }
      return row(
        attribute.name, ModelComparison.words(attribute),
        [
          unique.contains(attribute.name) ? "unique" : nil,
          elements.isEmpty ? nil : "of \(elements.sorted().joined(separator: ", "))",
          attribute.isExternal ? "externalStorage" : nil,
          attribute.isPreservedOnDeletion ? "preserveValueOnDeletion" : nil,
        ] + former(attribute.originalName, attribute.hashModifier)
          + [attribute.defaultValue == nil ? nil : "has a default"])
    }
    let relationships = entity.relationships.sorted { $0.name < $1.name }.map { link in
      row(
        link.name, ModelComparison.words(link),
        [
          link.inverse.map { "inverse '\($0)'" } ?? "no inverse",
          "delete rule \(link.deleteRule.rawValue)", unique.contains(link.name) ? "unique" : nil,
        ] + former(link.originalName, link.hashModifier))
    }
    return attributes + relationships
  }

  private func indexes(of entity: StoreFacts.Entity) -> [StoreFacts.Index] {
    // In a tree of entities, only the root lists the table's indexes.
    guard facts.entities.first(where: { $0.table == entity.table })?.name == entity.name else {
      return []
    }
    return facts.indexes.filter { $0.table == entity.table }
  }

  private var verdict: Document {
    guard let match else { return [.paragraph("no manifests to compare the store with")] }
    if !match.matches.isEmpty { return StoreMatch.recognition(match.matches, facts) }
    guard let nearest = match.nearest else {
      return [.paragraph("the manifests have no version to compare the store with")]
    }
    return [.paragraph("\(StoreMatch.mismatch(match.candidateCount))")]
      + nearest.document("nearest is", facts)
  }

  package var headline: String {
    let rows = facts.entities.compactMap(\.rowCount).reduce(0, +)
    let count = facts.entities.count
    let version =
      match.map { match in
        match.matches.isEmpty
          ? ", matches no version of the manifests"
          : ", version " + match.matches.map(\.candidate.name).joined(separator: " and ")
            + (match.matches[0].caveats.isEmpty ? "" : ", not verified by every hash")
      } ?? ""
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return
      "\(name): \(counted(rows, "row")) in \(count) \(count == 1 ? "entity" : "entities")"
      .visibleInOneLine
      + version + (facts.damage.isEmpty ? "" : ", damaged")
  }

  package var document: Document {
    var document: Document = [.paragraph("\(path)"), .table(Table(cells: summary))]
    let models = facts.model?.entitiesByName ?? [:]
    for entity in facts.entities {
      let model = models[entity.name]
      let below = model?.superentity.map { ", below \($0)" } ?? ""
      let rows = entity.rowCount.map(CountWords.rows) ?? "rows not counted"
      var parts: [Document] =
        entity.hash.map { [[.paragraph("hash \($0.base64EncodedString())")]] } ?? []
      var lines: [String] = []
      if let model {
        parts.append([.table(Table(cells: properties(model)))])
        lines = model.uniqueness.filter { $0.count > 1 }.map {
          "unique by \($0.joined(separator: ", "))"
        }
      } else if let table = entity.table {
        lines = (facts.tables[table] ?? [:]).sorted { $0.key < $1.key }.map { "\($0) \($1)" }
      }
      lines += indexes(of: entity).map { index in
        "\(index.isUnique ? "unique index" : "index") \(index.name)"
          + " (\(index.columns.joined(separator: ", ")))"
      }
      parts += lines.map { [.paragraph("\($0)")] }
      document += [.paragraph("\(entity.name)\(below): \(rows)"), .list(parts)]
    }
    let remarks = facts.damage.map { "damaged: \($0)" } + facts.notes.map { "note: \($0)" }
    if !remarks.isEmpty { document.append(.lines(remarks.map { Inline($0) })) }
    return document + verdict
  }
}
