/// A format of reports. The raw value is the argument of `--format`.
package enum ReportFormat: String, CaseIterable, Sendable {
  case text
  case xcode
  case github
  case gitlab
  case sarif
  case junit
  case json
  case markdown
}
