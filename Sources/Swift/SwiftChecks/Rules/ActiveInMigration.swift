internal import SchemaLint
internal import SchemaModel
internal import SwiftSources

/// Finds names of the newest version in code that migrates an older one.
struct ActiveInMigration: SourceCheck {
  let rule = Rule.activeInMigration

  func findings(in context: CheckContext) -> [SourceFinding] {
    context.references(context.names.active).compactMap { reference in
      // Inside a version, the name means the version's own model if there is one.
      guard !context.facts.declaresOwn(reference.name),
        !context.facts.isNested(reference.name, around: reference.node),
        context.role == .userFile || context.migrations.contains(reference.range.lowerBound)
      else { return nil }
      return finding(reference, context)
    }
  }

  private func finding(_ reference: NameReference, _ context: CheckContext) -> SourceFinding {
    let bodies = context.migrations.bodies.filter { body in
      body.nodes.contains { $0.offsets.contains(reference.range.lowerBound) }
    }
    let schemas = Set(bodies.map(\.schema))
    let schema = schemas.count == 1 ? schemas.first ?? nil : nil
    let (range, fix) = self.fix(reference, schema, context)
    let text = context.text(range)
    let side = bodies.first.map { "'\($0.side.label)'" } ?? "a migration"
    let example = bodies.first?.own.sorted().first ?? "SchemaV1"
    let message =
      "'\(text)' means a different type in each version, but \(side) always needs the type of its own version"
    return SourceFinding(
      diagnostic: Diagnostic(
        rule, message, element: text, at: context.source.location(range),
        help: [
          fix.map { "write '\($0)'" }
            ?? "write the type of the version that the code is for, as in '\(example).…'"
        ]),
      edit: fix.map { SourceEdit(range: range, text: $0) })
  }

  /// The range to replace, and its replacement; nil if several versions are possible, or if the version lacks the
  /// model.
  private func fix(
    _ reference: NameReference, _ schema: String?, _ context: CheckContext
  ) -> (range: Range<Int>, text: String?) {
    if let model = context.names.actives[reference.name] {
      let isThere = schema.map { self.schema($0, has: model, context) } ?? false
      return (reference.range, isThere ? schema.map { "\($0).\(model)" } : nil)
    }
    guard reference.members.first?.name == "Version" else { return (reference.range, nil) }
    let range = reference.range(members: 1)
    guard let schema, reference.members.count > 1 else { return (range, nil) }
    let member = reference.members[1].name
    guard member != "self", member.first?.isUppercase ?? false else { return (range, schema) }
    return self.schema(schema, has: member, context)
      ? (reference.range(members: 2), "\(schema).\(member)") : (reference.range(members: 2), nil)
  }

  private func schema(_ name: String, has model: String, _ context: CheckContext) -> Bool {
    context.names.schema(name, having: model)?.models.contains(model) ?? false
  }
}
