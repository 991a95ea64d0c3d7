package import SchemaModel

extension Rule {
  package static let lockFormat = Rule(
    "lock-format", "This schemagen knows the format of schema.lock", basis: .page("lock"))
}

struct LockFormat: RulePage {
  let rule = Rule.lockFormat
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["Schema/SchemaWorkspace/Lock/SchemaLock+Reading.swift"]

  let purpose = """
    Another schemagen, probably a newer one, wrote the lock in a format that this one does not
    know. If it read only half of the lock, it would forget what has shipped. Use the same
    schemagen everywhere: in CI, in the hook, and on your machine.
    """

  let bad = [
    Example(
      lock: """
        # Written by schemagen. Commit it and leave it as it is: it knows which versions have shipped.
        format: ‹9›
        versions:
          - version: 1.0.0
            state: released
            identity: e8560a85db76725656375fa8f53c992d4f8627f1435489ddb9b91b8e54443c46
            structure: e71327c6caa6982958c32ae19989be984662871476187796d3007ac3e0b64ee5
            step: 7b8d0b9cfc51cbff201b289d3c88e92435b5a1202055404c1269fe8f38125d3c
            sum: 5d8c42c37154829a3ae81a29bf8346f1d2642460c7611d1be486119a0945d4cb
          - version: 2.0.0
            state: draft
            identity: c3a5c9eee01c1f68f5971feebc30dfce11b28a1f67ec5a6c0da641344fcde686
            structure: 7924fdba5a218c4c458a115b7dcd04bbcf706f54962ecb81a55bb9afa6d936e2
            step: c6956b35f8d448f2ab06c0e22d4feca837c4b7c180063afb5505e1955151358b
            sum: 288e9a5086a3dfd4ae795854c3a517e52c05ec5a1ceeae7013c314a08ba61e5a
        """)
  ]

  let good = [Example.wholeLock]
}
