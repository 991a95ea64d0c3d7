internal import SchemaLint
internal import SchemaModel

/// Finds rows of the older version that a stage keeps for use in the newer one.
struct CapturedModels: SourceCheck {
  let rule = Rule.capturedModels

  func findings(in context: CheckContext) -> [SourceFinding] {
    StashedVariable.find(in: context).filter(\.holdsModels).map { variable in
      SourceFinding(
        diagnostic: Diagnostic(
          rule,
          "'\(variable.name)' takes rows of the older version to 'didMigrate', where they no longer exist",
          element: variable.name, at: variable.written,
          related: [.init("read here", at: variable.read)],
          help: [
            "keep old and new side by side in a bridge version, and copy the values in 'willMigrate'"
          ]))
    }
  }
}
