internal import SchemaLint
internal import SchemaModel

/// Finds values that are only in memory while the store changes.
struct StashedValues: SourceCheck {
  let rule = Rule.stashedValues

  func findings(in context: CheckContext) -> [SourceFinding] {
    StashedVariable.find(in: context).filter { !$0.holdsModels }.map { variable in
      SourceFinding(
        diagnostic: Diagnostic(
          rule,
          "'\(variable.name)' is in memory only between 'willMigrate' and 'didMigrate': after a kill its values are lost",
          element: variable.name, at: variable.written,
          related: [.init("read here", at: variable.read)],
          help: [
            "keep old and new side by side in a bridge version, and copy the values in 'willMigrate'"
          ]))
    }
  }
}
