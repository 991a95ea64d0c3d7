internal import ArgumentParser
package import SchemaModel
package import SchemaReporting

extension ReportFormat: ExpressibleByArgument {}
extension Diagnostic.Severity: ExpressibleByArgument {}

/// A further report, given by its format and its path: `sarif=report.sarif`.
package struct ReportFile: ExpressibleByArgument {
  package let format: ReportFormat
  package let path: String

  package init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, let format = ReportFormat(rawValue: String(parts[0])) else {
      return nil
    }
    self.format = format
    path = String(parts[1])
  }
}
