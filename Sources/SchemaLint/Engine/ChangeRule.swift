package import SchemaEvolution
package import SchemaModel

/// A rule that is a row of the classification table: what it finds, how grave and why stands there.
package protocol ChangeRule: LintRule {
  var kind: ChangeKind { get }
}

extension ChangeRule {
  package var rule: Rule { ClassificationTable[kind].rule }
  package var scope: RuleScope { .step }
}
