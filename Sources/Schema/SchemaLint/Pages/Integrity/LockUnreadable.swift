package import SchemaModel

extension Rule {
  package static let lockUnreadable = Rule(
    "lock-unreadable", "schema.lock is not a list of versions", basis: .page("lock"))
}

struct LockUnreadable: RulePage {
  let rule = Rule.lockUnreadable
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["Schema/SchemaWorkspace/Lock/SchemaLock+Reading.swift"]

  let purpose = """
    The lock is not YAML, or not a list of versions. It records which versions have shipped, so
    schemagen generates nothing and every check fails until it can read the lock again. Restore
    the file from git.
    """

  let bad = [
    Example(
      lock: """
        ‹f›ormat: 1
        entries: []
        """)
  ]

  let good = [Example.wholeLock]
}
