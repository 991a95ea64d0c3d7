import SchemaModel
import SchemaReporting

enum Examples {
  /// The report of the example with a name.
  static func report(_ name: String) -> Report {
    switch name {
    case "example": full
    case "hostile": hostile
    default: clean
    }
  }

  /// Everything once: severities, related places, no place, no text, help of several lines, a duplicate, equal
  /// findings, columns after tabs and emoji, CR LF, a rule without a description, an accepted finding.
  static let full = Report(
    findings: findings + [findings[0]], rules: rules, sources: sources, toolVersion: "0.1.0",
    workingDirectory: "/home/me/app",
    accepted: [
      SilencedFinding(
        Diagnostic(
          unacknowledgedDrop, "'TripModel.notes' is dropped with its values",
          element: "TripModel.notes", at: SourceLocation(file: "Schemas/V3.yaml", line: 2)),
        reason: "nobody ever filled it")
    ])

  static let clean = Report(
    findings: [], rules: rules, sources: sources, toolVersion: "0.1.0",
    workingDirectory: "/home/me/app")

  /// Texts that break formats, short enough to be recorded.
  static let hostile = report(
    saying:
      "a\nb\r\n::error::100% ]]> <b a=\"'\">&amp; | `` \\ 👩‍👩‍👧 \u{202E}x\u{2066} \u{0}\u{1B}[31m\u{7F}\u{85}\u{2028}\u{FFFE}"
  )

  /// A report with the text in every possible place.
  static func report(saying text: String) -> Report {
    let path = "Schemas/\(text).yaml"
    let place = SourceLocation(file: path, line: 2, column: 3, length: 4)
    let rule = Rule("missing-default", .error, text, basis: .publication(text))
    let finding = Diagnostic(
      rule, text, element: text, at: place,
      related: [Diagnostic.Related(text, at: place)], help: [text])
    return Report(
      findings: [finding, Diagnostic(rule, text, at: nil, severity: .warning)],
      rules: [
        RuleDescription(
          id: rule.id, title: text, purpose: text, category: text, severity: .error,
          basis: rule.basis, help: text, documentation: "docs/\(text).md")
      ],
      sources: [path: "first\n\(text)\n"], toolVersion: text, workingDirectory: "/home/me/app",
      accepted: [SilencedFinding(finding, reason: text)])
  }

  static let missingDefault = Rule(
    "missing-default", "A new mandatory field has a default",
    basis: .guide(.schemaMigration, "pitfall 6"))
  static let unacknowledgedDrop = Rule(
    "unacknowledged-drop", .error, "What is dropped is acknowledged",
    basis: .fact(.migration, "number-types", .likely))
  static let fieldOrder = Rule(
    "field-order", .note, "Fields stand in the order of the version before", basis: .manifest)
  static let sharedDefault = Rule(
    "shared-default", .warning, "A default is not the same for all rows",
    basis: .fact(.migration, "open-questions", .unverified))

  static let rules = [
    RuleDescription(
      id: unacknowledgedDrop.id, title: unacknowledgedDrop.title,
      purpose: "Values that are dropped are gone.", category: "data-loss", severity: .error,
      basis: unacknowledgedDrop.basis, documentation: "docs/rules/unacknowledged-drop.md"),
    RuleDescription(
      id: missingDefault.id, title: missingDefault.title,
      purpose: "Rows that are there already need a value, or **the store does not open**.",
      category: "migration", severity: .error, basis: missingDefault.basis, isFixable: true,
      help: "Write a default:\n\n```yaml\nhomeTimezone: String = \"UTC\"\n```",
      documentation: "https://example.org/rules/missing-default"),
    RuleDescription(
      id: sharedDefault.id, title: sharedDefault.title, category: "data-loss",
      severity: .warning, basis: sharedDefault.basis),
  ]

  static let sources = [
    "Schemas/V2.yaml": "version: 2\r\nmodels:\r\n  UserProfileModel:\r\n    name: String\r\n",
    "Schemas/V3.yaml": """
    version: 3
    models:
      UserProfileModel:
        homeTimezone: String
        # a tab and emoji stand before the mark
    \t  🎉🇩🇪 created: Date = Date()
        homeTimezone: String
    """,
  ]

  static let findings = [
    Diagnostic(
      missingDefault, "'homeTimezone' is new and mandatory, and has no default",
      element: "UserProfileModel.homeTimezone",
      at: SourceLocation(file: "Schemas/V3.yaml", line: 4, column: 5, length: 12),
      related: [
        Diagnostic.Related(
          "rows of this model have no value for it",
          at: SourceLocation(file: "Schemas/V2.yaml", line: 3, column: 3, length: 16))
      ],
      help: [
        "write a default:\n  homeTimezone: String = \"UTC\"\nor make it optional:\n  homeTimezone: String?"
      ]),
    Diagnostic(
      missingDefault, "'homeTimezone' is still new and mandatory, and has no default",
      element: "UserProfileModel.homeTimezone",
      at: SourceLocation(file: "Schemas/V3.yaml", line: 7, column: 5, length: 12)),
    Diagnostic(
      sharedDefault, "all rows | get the same 'Date()' <now>", element: "UserProfileModel.created",
      at: SourceLocation(file: "Schemas/V3.yaml", line: 6, column: 8, length: 7),
      help: ["fill it in a custom stage", "or accept it with a reason"]),
    Diagnostic(
      fieldOrder, "'name' stood first before",
      at: SourceLocation(file: "Schemas/V2.yaml", line: 4, column: 5, length: 99)),
    Diagnostic(
      fieldOrder, "the migration stands in an odd place", severity: .warning,
      in: "Migrations/My File, 100%.swift"),
    Diagnostic(
      missingDefault, "no version was found", at: nil, help: ["run 'schemagen new-version'"]),
  ]
}

extension Diagnostic {
  fileprivate init(_ rule: Rule, _ message: String, severity: Severity, in file: String) {
    self.init(
      rule, message, at: SourceLocation(file: file, line: 9, column: 2, length: 3),
      severity: severity)
  }
}
