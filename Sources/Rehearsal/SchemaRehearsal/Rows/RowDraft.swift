internal import RehearsalHarness

/// A row that is being made.
struct RowDraft {
  var row: PlannedRow
  var category: AdversarialCategory?
  var ordinary: [String: PlannedValue] = [:]

  /// Whether links may lead to the row.
  var isPartner: Bool {
    guard row.isReadable else { return false }
    switch category {
    case .orphans, .cycles, .nilOptionals, .unknownRawValue, .removedCases: return false
    default: return true
    }
  }

  var isLinked: Bool {
    switch category {
    case .orphans, .nilOptionals, .unknownRawValue, .removedCases: false
    default: true
    }
  }
}

/// Rows of one version that are being made, in order of creation.
struct RowDrafts {
  var drafts: [RowDraft] = []

  func places(of entities: some Sequence<String>) -> [Int] {
    let wanted = Set(entities)
    return drafts.indices.filter { wanted.contains(drafts[$0].row.entity) }
  }

  mutating func link(_ source: Int, _ relationship: String, to destination: Int) {
    drafts[source].row.links[relationship, default: []].append(drafts[destination].row.label)
  }
}
