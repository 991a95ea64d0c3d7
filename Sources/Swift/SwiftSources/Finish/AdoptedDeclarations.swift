internal import SchemaModel
internal import SwiftSyntax

/// Where the sources declare what manifests say: versions, their models, the plan.
struct AdoptedDeclarations: Sendable {
  /// A version, as its author wrote it.
  struct Version: Sendable {
    /// The parts of its name; empty where the app has no versions.
    var path: [String]
    var number: VersionNumber
    var classes: [DeclaredType]
  }

  let index: SourceIndex
  /// In ascending order.
  let versions: [Version]
  /// Versions that another one stands for: its number, by name.
  let merged: [String: VersionNumber]
  /// Full names of nested classes that are copies of the newest version's, which the app keeps.
  let liveCopies: Set<String>
  /// What the newest version's classes have besides stored properties, by full name.
  let members: [String: AdoptedMembers]
  /// The parts of the plan's name.
  let plan: [String]?
  /// Declarations that went along with stages.
  let carried: Set<SyntaxIdentifier>
  let valueTypes: ValueTypeNames

  init?(_ run: AdoptionRun) {
    guard !run.versions.isEmpty, run.versions.count == run.classes.count else { return nil }
    index = run.index
    versions = run.versions.indices.map { place in
      Version(
        path: run.versions[place].type.path, number: run.numbers[place],
        classes: run.classes[place])
    }
    let numbers = Dictionary(
      zip(run.versions.map(\.name), run.numbers).map { ($0, $1) }
    ) { first, _ in first }
    merged = run.merged.compactMapValues { numbers[$0] }
    liveCopies = run.liveCopies
    members = run.members
    plan = run.plan?.type.path
    carried = run.carried
    valueTypes = run.valueTypes
  }
}
