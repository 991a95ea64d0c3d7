internal import SchemaModel

/// Reviews changes that the author's code may have made safe.
extension StepReview {
  /// Changes that the engine refuses depending on the rows in the store.
  private static let kindsAboutRows: Set<ChangeKind> = [
    .missingDefault, .nullTrap, .requiredStructAdded, .requiredWithoutFill, .enumMadeRequired,
    .uniqueAdded, .compoundUniqueAdded, .mandatoryRelationship, .relationshipMadeRequired,
  ]

  /// A warning if code that runs before the change uses the rows in question; `nil` if no such code does.
  ///
  /// Code that does not name the model, such as a scaffold, does not count.
  func leftToCode(_ change: SchemaChange, _ message: String) -> Diagnostic? {
    guard let hook, Self.kindsAboutRows.contains(change.kind) else { return nil }
    let name = change.element.owner
    let before = pairing.newModels[name].flatMap(pairing.predecessor)?.name ?? name
    let alias = configuration.names.alias(model: before, version: old.number)
    guard hook.concerns([name, before, alias]) else { return nil }
    return settleable(
      change,
      "\(message); schemagen cannot tell whether your code at \(hook.location.file):\(hook.location.line) "
        + "prevents the failure",
      related: [Diagnostic.Related("the code that must prevent the failure", at: hook.location)],
      help: ["'schemagen rehearse' runs your code, and fails if such rows remain"])
  }
}
