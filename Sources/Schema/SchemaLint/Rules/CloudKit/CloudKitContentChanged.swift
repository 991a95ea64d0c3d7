internal import SchemaEvolution
internal import SchemaModel

struct CloudKitContentChanged: LintRule {
  let rule = Rule(
    "cloudkit-content-changed", .warning,
    "Devices with an older app can read what a newer one sends",
    basis: .fact(.cloudKit, "bytes-that-differ", .likely), isAcceptable: true)
  let category = RuleCategory.cloudKit
  let scope = RuleScope.step

  let purpose = """
    Devices with an older app and devices with this one share their records. An enum, a struct,
    a collection or JSON is bytes to CloudKit: the schema does not change when they do, and
    neither does the field. But an older app cannot decode a case, a field or a type that it
    does not know, and reading such a row may trap; the newer one may not be able to read what
    the older one goes on to write. No migration helps: the values arrive afterwards.

    Keep the old property for the old values and add one for the new. Or release an app first
    that can read both. When no older app syncs any more, say so: `cloud: { oldest: V2 }`.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          mood: Mood?
    types:
      Mood: { enum: String, cases: [glad, sad] }
    === V2.yaml
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            ‹mood›: Mood?
            note: String?
      types:
        Mood: { enum: String, cases: [glad, sad, calm] }
      === schemagen.yaml
      cloudKit: private
      """)
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            mood: Mood?
            newMood: NewMood?
      types:
        Mood: { enum: String, cases: [glad, sad] }
        NewMood: { enum: String, cases: [glad, sad, calm] }
      === schemagen.yaml
      cloudKit: private
      """),
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            mood: Mood?
            note: String?
      types:
        Mood: { enum: String, cases: [glad, sad, calm] }
      === schemagen.yaml
      cloudKit: private
      cloud: { oldest: V2 }
      """),
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    context.mixedSteps.flatMap { step in
      let (old, new) = context.cloudRecords(of: step)
      return new.fields(sharedWith: old).compactMap { _, was, now -> Diagnostic? in
        guard was.type.withoutEncryption == now.type.withoutEncryption,
          let before = was.contents, let after = now.contents, before != after,
          let element = now.properties.first
        else { return nil }
        let number = context.history[step.to].number.name
        return Diagnostic(
          rule,
          "'\(element)' changes from \(before) to \(after) in one field: an older app may not be able to decode what \(number) sends, nor \(number) what that sends",
          element: element, at: context.history[step.to].location(of: element),
          help: [
            "add a property of another name for the new values",
            "if no older app syncs any more, write 'cloud: { oldest: \(number) }' in schemagen.yaml",
            context.acceptance(id, element),
          ])
      }
    }
  }
}
