/// What a report can be written as. The raw value is what `--format` takes.
package enum ReportFormat: String, CaseIterable, Sendable {
  /// For people: place, message, the line with a caret, ways out.
  case text
  /// Lines that Xcode turns into marks beside the source.
  case xcode
  /// Commands of GitHub's workflows, which become annotations.
  case github
  /// GitLab's code quality artefact, JSON.
  case gitlab
  /// SARIF 2.1.0, JSON: code scanning and most editors read it.
  case sarif
  /// JUnit's XML, as test reports show it.
  case junit
  /// All there is to know, in a form of our own with a version number.
  case json
  /// A table and the ways out, for `$GITHUB_STEP_SUMMARY`.
  case markdown
}
