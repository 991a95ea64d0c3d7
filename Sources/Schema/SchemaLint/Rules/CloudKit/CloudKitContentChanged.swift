package import SchemaEvolution
package import SchemaModel

struct CloudKitContentChanged: LintRule {
  let rule = Rule.cloudKitContentChanged

  func findings(in context: LintContext) -> [Diagnostic] {
    context.mixedSteps.flatMap { step in
      let (old, new) = context.cloudRecords(of: step)
      let version = step.new
      let number = version.number.name
      return new.contentChanges(since: old, of: version, called: number) { element in
        [
          "add a property with another name for the new values",
          "if no older app syncs any more, write 'cloud: { oldest: \(number) }' in schemagen.yaml",
          context.acceptance(id, element),
        ]
      }
    }
  }
}

extension CloudRecords {
  /// The fields that a newer app and an older one may not be able to read from each other.
  ///
  /// - Parameters:
  ///   - name: What messages call the newer app.
  ///   - help: What to do about an element.
  package func contentChanges(
    since old: CloudRecords, of version: SchemaVersion, called name: String,
    help: (ElementPath) -> [String]
  ) -> [Diagnostic] {
    fields(sharedWith: old).compactMap { _, was, now -> Diagnostic? in
      guard was.type.withoutEncryption == now.type.withoutEncryption,
        let before = was.contents, let after = now.contents, case .values = now.role,
        let element = now.properties.first
      else { return nil }
      // Values other than bytes can be read, at worst as another number, which 'diff' reports.
      if case .primitive = after.form { return nil }
      guard let gap = before.gap(to: after) else { return nil }
      let sides = [
        gap.older.map { "an older app \($0), which \(name) sends" },
        gap.newer.map { "\(name) \($0), which the older app sends" },
      ].compactMap { $0 }
      return Diagnostic(
        CloudKitContentChanged().rule,
        "'\(element)' changes from \(before.text) to \(after.text) in one field: \(sides.joined(separator: "; "))",
        element: element, at: version.location(of: element), help: help(element))
    }
  }
}
