package import SchemaModel

extension Rule {
  package static let lockChain = Rule(
    "lock-chain", "Each entry of schema.lock follows the one that it was written after",
    basis: .page("lock"))
}

struct LockChain: RulePage {
  let rule = Rule.lockChain
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["SchemaWorkspace/Lock/SchemaLock+Reading.swift"]

  let purpose = """
    The entry's sum was made after another entry than the one that stands before it now. That is what a merge line by line
    leaves: two histories in one file, of which only one can be true. Take the other branch's lock whole, and run
    `schemagen rebase`.
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
          - version: 2.0.0
            state: draft
            identity: c3a5c9eee01c1f68f5971feebc30dfce11b28a1f67ec5a6c0da641344fcde686
            digest: bb76172304aeb826a22f8fe95866a9f78b5ac7b3e0f9029994cd1f28d65dbe50
            sum: d00aacd355f77b38cbabbfabef0de704ea2a581065238fd724505c62294b2179
          - version: 2.0.0
            state: draft
            identity: c3a5c9eee01c1f68f5971feebc30dfce11b28a1f67ec5a6c0da641344fcde686
            digest: bb76172304aeb826a22f8fe95866a9f78b5ac7b3e0f9029994cd1f28d65dbe50
            sum: ‹d00aacd355f77b38cbabbfabef0de704ea2a581065238fd724505c62294b2179›
        """, with: ["lock-duplicate"])
  ]

  let good = [Example.wholeLock]
}
