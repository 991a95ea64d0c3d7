package import SchemaModel

/// A rule about Swift code: what it is for, and examples.
///
/// It finds nothing itself: that takes swift-syntax, which nothing here may depend on. Its namesake in `SwiftSources`
/// does, and the examples hold the two together.
package protocol SourceRule: Sendable {
  /// Id, severity, what it finds in one sentence, and what it rests on.
  var rule: Rule { get }
  /// Why it matters and what to do, as paragraphs of Markdown.
  var purpose: String { get }
  /// Sources in which it finds exactly what is marked.
  var bad: [SourceExample] { get }
  /// Sources in which nothing is found.
  var good: [SourceExample] { get }
}

extension SourceRule {
  package var id: String { rule.id }

  /// Whether some of its findings have a safe fix: an example shows it.
  package var isFixable: Bool { bad.contains { !$0.fixed.isEmpty } }
}

/// Swift files, and what is found in them. They belong to `SourceExample.manifests`.
package struct SourceExample: Sendable {
  /// What a finding says.
  package struct Finding: Sendable {
    package var message: String
    package var help: [String]
    package var severity: Diagnostic.Severity?

    package init(_ message: String, help: [String], _ severity: Diagnostic.Severity? = nil) {
      self.message = message
      self.help = help
      self.severity = severity
    }
  }

  /// The folder of manifests of all examples.
  package static let folder = "Schemas"

  /// Two versions of a small app.
  package static let manifests: [SourceFile] = Example(
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

  /// The files, without marks.
  package let files: [SourceFile]
  /// Where something is found, in order.
  package let places: [SourceLocation]
  /// What is found there, in the same order.
  package let findings: [Finding]
  /// What `--fix` writes, of files that it changes.
  package let fixed: [SourceFile]

  /// - Parameters:
  ///   - text: Files as an `Example` has them.
  ///   - findings: What is found at the marks, in the order of their places.
  ///   - fixed: Files after `--fix`; empty if nothing has a fix.
  package init(_ text: String, finds findings: [Finding] = [], fixed: String = "") {
    let example = Example(text)
    files = example.files
    places = example.places
    self.findings = findings
    self.fixed = Example(fixed).files
  }

  /// The findings as a report shows them.
  package func diagnostics(of rule: Rule) -> [Diagnostic] {
    zip(places, findings).map { place, finding in
      Diagnostic(
        rule, finding.message, at: place, help: finding.help, severity: finding.severity)
    }
  }
}

/// The rules about Swift code.
package enum SourceRules {
  package static let all: [any SourceRule] = [
    ActiveInMigration(),
    CapturedModels(),
    ContainerWithoutPlan(),
    HardcodedVersion(),
    OldTypesInDidMigrate(),
    StashedValues(),
    StoreDeletion(),
    SwallowedErrorInStage(),
  ]
}
