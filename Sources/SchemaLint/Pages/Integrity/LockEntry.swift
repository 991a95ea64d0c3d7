package import SchemaModel

extension Rule {
  package static let lockEntry = Rule(
    "lock-entry", "Each entry of schema.lock is whole", basis: .page("lock"))
}

struct LockEntry: RulePage {
  let rule = Rule.lockEntry
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["SchemaWorkspace/Lock/SchemaLock+Reading.swift"]

  let purpose = """
    An entry lacks a key, so that nothing can be said of its version. Lines get lost when conflicts are resolved by hand.
    Restore the file from git; it is never edited.
    """

  let bad = [
    Example(
      lock: """
        # Written by schemagen. Commit it and leave it as it is: it knows which versions have shipped.
        format: 3
        versions:
          - version: 1.0.0
            state: released
            identity: e8560a85db76725656375fa8f53c992d4f8627f1435489ddb9b91b8e54443c46
            digest: e71327c6caa6982958c32ae19989be984662871476187796d3007ac3e0b64ee5
            sum: 8f1f0d739ff84ed365915d7bdef80cb62db4294296ccc6c06c9f95fafcc5eb21
          - ‹v›ersion: 2.0.0
            state: draft
            identity: c3a5c9eee01c1f68f5971feebc30dfce11b28a1f67ec5a6c0da641344fcde686
            sum: d00aacd355f77b38cbabbfabef0de704ea2a581065238fd724505c62294b2179
        """)
  ]

  let good = [Example.wholeLock]
}
