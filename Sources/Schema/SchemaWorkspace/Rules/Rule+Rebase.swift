package import SchemaModel

/// What a rebase says. `SchemaGit` finds it; declared here, `explain` knows it without git.
extension Rule {
  package static let notRebased = Rule(
    "not-rebased", "Versions of two branches are joined only if that is safe",
    basis: .page("lock", "two-branches"))
  package static let rebaseConflict = Rule(
    "rebase-conflict", "Two branches changed one thing in two ways",
    basis: .page("lock", "two-branches"))
}
