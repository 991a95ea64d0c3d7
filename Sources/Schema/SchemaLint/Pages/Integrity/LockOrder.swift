package import SchemaModel

extension Rule {
  package static let lockOrder = Rule(
    "lock-order", "schema.lock lists versions in ascending order", basis: .page("lock"))
}

struct LockOrder: RulePage {
  let rule = Rule.lockOrder
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["Schema/SchemaWorkspace/Lock/SchemaLock+Reading.swift"]

  let purpose = """
    The versions in the lock are not in ascending order. A migration plan made from it would
    migrate in the wrong order. Restore the file from git.
    """

  let bad = [
    Example(
      lock: """
        # Written by schemagen. Commit it and leave it as it is: it knows which versions have shipped.
        format: 1
        versions:
          - version: 2.0.0
            state: draft
            identity: c3a5c9eee01c1f68f5971feebc30dfce11b28a1f67ec5a6c0da641344fcde686
            structure: 7924fdba5a218c4c458a115b7dcd04bbcf706f54962ecb81a55bb9afa6d936e2
            step: c6956b35f8d448f2ab06c0e22d4feca837c4b7c180063afb5505e1955151358b
            sum: 5af8dd621848d2263e7c5f85c618ee2d420fdb0b2a61133b803759f5e792acb7
          - version: ‹1.0.0›
            state: released
            identity: e8560a85db76725656375fa8f53c992d4f8627f1435489ddb9b91b8e54443c46
            structure: e71327c6caa6982958c32ae19989be984662871476187796d3007ac3e0b64ee5
            step: 7b8d0b9cfc51cbff201b289d3c88e92435b5a1202055404c1269fe8f38125d3c
            sum: 00070354f458019318915ae1ded07b3f1d8402630e404e4ac57594ec82bb1736
        """, with: ["lock-state-order"])
  ]

  let good = [Example.wholeLock]
}
