package import SchemaModel

extension Rule {
  package static let lockHashes = Rule(
    "lock-hashes", "The hashes in schema.lock are those that Core Data makes of the manifests",
    basis: .fact(.identity, "entity-hash", .certain))
}

struct LockHashes: RulePage {
  let rule = Rule.lockHashes
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["Schema/SchemaWorkspace/Lock/SchemaLock+Reading.swift"]

  let purpose = """
    The lock has another hash of a model than Core Data makes of its manifest, though the
    version is as it was generated: somebody edited the lock, and its sum too. By these hashes
    the app and `inspect` recognise stores. `schemagen generate` writes the right ones. Where
    the lock says that a store has proven them, this is a warning: if a store really has, please
    report it, with the manifest.
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
            checksum: M0NnR5PYZsrKJ5s6U7uvlwb8xLmzbhl6edYHCLNgPhA=
            hashes:
              Trip: OX2qWg8BtUNDb4iPxbYt2j6/YcGx0ZJzr+OK1uuR6Ig=
            sum: 3d80c19c8619256fb84cb755608c8fdc7feab0b203f89d202089831809223dfb
          - version: 2.0.0
            state: draft
            identity: c3a5c9eee01c1f68f5971feebc30dfce11b28a1f67ec5a6c0da641344fcde686
            structure: 7924fdba5a218c4c458a115b7dcd04bbcf706f54962ecb81a55bb9afa6d936e2
            step: c6956b35f8d448f2ab06c0e22d4feca837c4b7c180063afb5505e1955151358b
            checksum: 0zU8q0l5NVNqT+WGY/kBurUVZHS0NbASGydN/fnMMsg=
            hashes:
              Trip: +31NGyUXBPjoXhvO5r3LkkPg8hhAcK2V6Tyd/HWyqkY=
            sum: abece6f85d1f9994aeb15d689eb9d4c43a1a7f2faf06ba20c7f3f393fd06684b
        === found schema.lock 1:1
        """)
  ]

  let good = [Example.wholeLock]
}
