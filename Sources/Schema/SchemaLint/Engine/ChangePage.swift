package import SchemaEvolution
package import SchemaModel

/// The page of a rule that is a row of the classification table: what it finds, how grave and why stands there.
package protocol ChangePage: RulePage {
  var kind: ChangeKind { get }
}

extension ChangePage {
  package var rule: Rule { ClassificationTable[kind].rule }
  package var scope: RuleScope { .step }
  package var foundIn: [String] { ["Schema/SchemaEvolution/Classification"] }
}
