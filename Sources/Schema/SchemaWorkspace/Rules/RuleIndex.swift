internal import SchemaEvolution
internal import SchemaLint
internal import SchemaModel
package import SchemaReporting

/// What `explain` prints about rules.
package enum RuleIndex {
  package static func shortPage(_ id: String) -> String? {
    RuleCatalog.all.first { $0.id == id }.map { rule in
      "# \(rule.id)\n\n\(rule.title).\n\n"
        + ((causes[id] ?? change(id)).map { "\($0)\n\n" } ?? "")
        + "Severity \(rule.severity.rawValue); rests on "
        + "\(rule.basis.address) (\(rule.basis.mark.rawValue)).\n"
    }
  }

  private static func change(_ id: String) -> String? {
    ClassificationTable.rows.first { $0.kind.rawValue == id }.map { row in
      "\(row.mechanism.rawValue), values \(row.effect.rawValue): \(row.reason)."
        + (row.wayOut.map { " What to write: \($0)." } ?? "")
    }
  }

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

  package static func page(_ id: String) -> String? {
    RuleCatalog.rulesByID[id]?.text ?? shortPage(id)
  }

  private static let causes = [
    "broken-cloud-schema": """
    'cloud diff' compares only with an export of production. A file that is cut off or written by hand does not show
    what the server has. Export production again: xcrun cktool export-schema --environment production
    --output-file FILE …
    """,
    "cloud-type-missing": """
    Production does not create record types by itself. Until you deploy the type, the server refuses its records, and
    users see no error. 'schemagen cloud plan' has the steps. If every type is missing, the schema was never deployed,
    or the export is from another container.
    """,
    "cloud-field-missing": """
    Production does not create fields by itself. The server refuses a record with a value in a missing field, and all
    records that are sent with it; records without a value there still sync. So a missing field of a required property
    stops all rows of its model, and one of an optional property stops some. 'schemagen cloud plan' has the steps of a
    deployment. Afterwards devices send the waiting rows automatically.
    """,
    "cloud-asset-missing": """
    A string, Data, a struct or a collection has two fields: the value, and '…_ckAsset' for a value that is too large
    for its record (about 700,000 bytes). Saving a record creates only the fields that it needs, so a schema created
    that way often has one of the two. For Data and collections that is an error, since they get that large. For strings
    and structs of numbers it is a warning, and for enums a note. 'schemagen cloud plan' has the steps of a deployment.
    """,
    "cloud-conflict": """
    A field in production never changes its type or its encryption, and cannot be deleted. Rows with a value there do
    not sync. Give the property a name that no version had, and let the app fill it; the old field stays, unused. If
    only development has the field, delete it there, or run 'xcrun cktool reset-schema', which deletes all data in
    development.
    """,
    "cloud-left-over": """
    Production keeps what older apps wrote. It does no harm, but every schema that you import must contain it:
    'schemagen cloud schema --into FILE' keeps it. A field that no version wrote may be a mistake in a schema written by
    hand.
    """,
    "cloud-index": """
    Apps that sync need no index. The CloudKit Console lists the records of a type only if '___recordID' is QUERYABLE:
    add that index in the Console if you want to look at records.
    """,
    "cloud-not-deployed": """
    The committed export of production lacks what a version writes, or there is none. A build that ships before the
    deployment saves rows that do not sync. Deploy first ('schemagen cloud plan'), export production again, commit the
    export, and then release.
    """,
  ]
}
