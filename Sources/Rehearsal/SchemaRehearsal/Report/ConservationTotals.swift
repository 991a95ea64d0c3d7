internal import RehearsalHarness

/// What happened to rows and values on one path, or on several together.
struct ConservationTotals: Encodable {
  var rows = 0
  var rowsPreserved = 0
  var rowsMerged = 0
  var rowsDropped = 0
  var rowsLost = 0
  var preserved = 0
  var converted = 0
  var defaulted = 0
  var filled = 0
  var new = 0
  var failed = 0
  var dropped = 0
  var unconfirmed = 0

  init() {}

  init(_ path: PathResult) { for entity in path.entities { add(entity) } }

  init(_ entity: EntityTally) { add(entity) }

  mutating func add(_ entity: EntityTally) {
    rows += entity.rows.source
    rowsPreserved += entity.rows.preserved
    rowsMerged += entity.rows.merged
    rowsDropped += entity.rows.dropped
    rowsLost += entity.rows.lost
    for field in entity.fields {
      preserved += field.values.preserved
      converted += field.values.converted
      defaulted += field.values.defaulted
      filled += field.values.filled
      new += field.values.added
      failed += field.values.failed
    }
    // The rows of a dropped model are counted as rows, not as values.
    for drop in entity.drops where drop.property != nil {
      dropped += drop.values
      if drop.isUnconfirmed { unconfirmed += drop.values }
    }
  }
}
