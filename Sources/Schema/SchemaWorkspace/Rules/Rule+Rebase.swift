package import SchemaModel

/// The rules of a rebase, which `SchemaGit` applies. They are declared here so that `explain` knows them without git.
extension Rule {
  package static let notRebased = Rule(
    "not-rebased", "Versions of two branches are joined only if that is safe",
    basis: .page("lock", "two-branches"))
  package static let rebaseConflict = Rule(
    "rebase-conflict", "Two branches changed the same thing differently",
    basis: .page("lock", "two-branches"))
}
