package import SchemaModel

extension Rule {
  package static let lockEntry = Rule(
    "lock-entry", "Each entry of schema.lock is complete", basis: .page("lock"))
}

struct LockEntry: RulePage {
  let rule = Rule.lockEntry
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["Schema/SchemaWorkspace/Lock/SchemaLock+Reading.swift"]

  let purpose = """
    The entry lacks a key, so schemagen cannot tell what its version was. Lines get lost when
    somebody resolves conflicts by hand. Restore the file from git; never edit it.
    """

  let bad = [
    Example(
      lock: """
        # Written by schemagen. Commit it and leave it as it is: it knows which versions have shipped.
        format: 1
        versions:
          - version: 1.0.0
            state: released
            identity: e8560a85db76725656375fa8f53c992d4f8627f1435489ddb9b91b8e54443c46
            structure: e71327c6caa6982958c32ae19989be984662871476187796d3007ac3e0b64ee5
            step: 7b8d0b9cfc51cbff201b289d3c88e92435b5a1202055404c1269fe8f38125d3c
            sum: 00070354f458019318915ae1ded07b3f1d8402630e404e4ac57594ec82bb1736
          - ‹v›ersion: 2.0.0
            state: draft
            identity: c3a5c9eee01c1f68f5971feebc30dfce11b28a1f67ec5a6c0da641344fcde686
            sum: 5af8dd621848d2263e7c5f85c618ee2d420fdb0b2a61133b803759f5e792acb7
        """)
  ]

  let good = [Example.wholeLock]
}
