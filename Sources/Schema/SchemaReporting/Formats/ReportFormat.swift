/// A format of reports. The raw value is the argument of `--format`.
package enum ReportFormat: String, CaseIterable, Sendable {
  /// For people: place, message, the line with a caret, help.
  case text
  /// Lines that Xcode shows next to the source.
  case xcode
  /// GitHub workflow commands, which become annotations.
  case github
  /// GitLab's code quality artefact, JSON.
  case gitlab
  /// SARIF 2.1.0, JSON: code scanning and most editors read it.
  case sarif
  /// JUnit's XML, as test reports show it.
  case junit
  /// All data of a run, in schemagen's format with a version number.
  case json
  /// A table and the help, for `$GITHUB_STEP_SUMMARY`.
  case markdown
}
