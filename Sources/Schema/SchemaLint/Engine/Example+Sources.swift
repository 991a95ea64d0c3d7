package import SchemaModel

/// What the examples of rules about Swift code share: an app with two versions.
extension Example {
  /// The folder of the app's manifests.
  package static let appFolder = "Schemas"

  /// Two versions of a small app, to which the Swift files of examples belong.
  package static let appManifests: [SourceFile] = Example(
    """
    === Schemas/V1.yaml
    version: 1.0.0
    models:
      Trip:
        properties:
          name: String
      Ticket:
        properties:
          code: String
    === Schemas/V2.yaml
    version: 2.0.0
    models:
      Trip:
        properties:
          name: String
          days: Int = 1
    drops:
      Ticket: tickets are in the wallet
    """
  ).files

  /// The findings as a report shows them.
  package func diagnostics(of rule: Rule) -> [Diagnostic] {
    zip(places, findings).map { place, finding in
      Diagnostic(
        rule, finding.message, at: place, help: finding.help, severity: finding.severity)
    }
  }
}
