internal import SchemaEvolution
internal import SchemaLint
internal import SchemaModel
package import SchemaReporting

/// What `explain` prints about rules.
package enum RuleIndex {
  /// The short page of a rule without an example manifest.
  package static func shortPage(_ id: String) -> String? {
    RuleCatalog.all.first { $0.id == id }.map { rule in
      "# \(rule.id)\n\n\(rule.title).\n\n"
        + ((causes[id] ?? change(id)).map { "\($0)\n\n" } ?? "")
        + "Severity \(rule.severity.rawValue); rests on "
        + "\(rule.basis.address) (\(rule.basis.mark.rawValue)).\n"
    }
  }

  /// The classification table's row for a kind of change, in words.
  private static func change(_ id: String) -> String? {
    ClassificationTable.rows.first { $0.kind.rawValue == id }.map { row in
      "\(row.mechanism.rawValue), values \(row.effect.rawValue): \(row.reason)."
        + (row.wayOut.map { " What to write: \($0)." } ?? "")
    }
  }

  /// The list of rules.
  package static var document: Document {
    RuleCategory.allCases.flatMap { category -> Document in
      let rules = RuleCatalog.descriptions.filter { $0.category == category.rawValue }
      guard !rules.isEmpty else { return [] }
      let cells = rules.map { [$0.id, $0.severity.rawValue, $0.isFixable ? "fix" : "", $0.title] }
      return [.heading("\(category.title)"), .table(Table(cells: cells))]
    } + [
      .heading("Kinds of change"),
      .table(
        Table(
          cells: ClassificationTable.rows.map {
            [$0.kind.rawValue, $0.mechanism.rawValue, $0.effect.rawValue, $0.title]
          })),
    ]
  }

  /// The page of a rule, or the short page of one without a page; nil if the id is unknown.
  package static func page(_ id: String) -> String? {
    RuleCatalog.rulesByID[id]?.text ?? shortPage(id)
  }

  /// Cause and remedy, for rules about a container's schema.
  private static let causes = [
    "broken-cloud-schema": """
    'cloud diff' compares with an export of production, and with nothing else. A file that is cut off, or that somebody
    wrote, says nothing of what the server has. Export production again: xcrun cktool export-schema --environment
    production --output-file FILE …
    """,
    "cloud-type-missing": """
    Production makes no record type by itself. Until somebody deploys it, the server refuses each record of the type,
    and the app is told nothing that users would see. 'schemagen cloud plan' has the steps. If every type is missing,
    nobody has ever deployed, or the export is of another container.
    """,
    "cloud-field-missing": """
    Production makes no field by itself. A record with a value in a field that production does not have is refused,
    with all records that are sent with it; a record without a value there goes on to sync. So a required property stops
    all rows of its model, and an optional one some. 'schemagen cloud plan' has the steps of a deployment. Devices send
    what waits by themselves, once the field is there.
    """,
    "cloud-asset-missing": """
    A text, Data, a struct or a collection has two fields: the value, and '…_ckAsset' for a value that is too large for
    its record, about 700,000 bytes. Records make a field only once they need it, so a schema that records made often
    has one of the two. For Data and collections that is an error, since they get as large. For texts and structs of
    numbers it is a warning, and for enums a note. 'schemagen cloud plan' has the steps of a deployment.
    """,
    "cloud-conflict": """
    A field in production never changes its type or its encryption, and none is deleted. No row that has a value there
    syncs. Give the property another name, which no version had, and let the app fill it; the old field stays, and
    nothing writes it. As long as only development has the field, delete it there, or run 'xcrun cktool reset-schema',
    which deletes all data in development.
    """,
    "cloud-left-over": """
    Production keeps what older apps wrote. It does no harm, and it has to be in every schema that somebody imports:
    'schemagen cloud schema --into FILE' keeps it. A field that no version wrote may be a slip of whoever made the schema
    by hand.
    """,
    "cloud-index": """
    Apps that sync need no index. The CloudKit Console lists the records of a type only if '___recordID' is QUERYABLE:
    add that index in the Console if you want to look at records.
    """,
    "cloud-not-deployed": """
    The committed export of production lacks what a version writes, or there is none. A build that is out before the
    deployment saves rows that do not sync. Deploy first ('schemagen cloud plan'), export production again, commit the
    export, and release then.
    """,
  ]
}
