internal import SchemaLint
internal import SchemaModel
internal import SwiftSources
internal import SwiftSyntax

/// Finds types of a version that are unavailable in one of a stage's closures.
struct OldTypesInDidMigrate: SourceCheck {
  let rule = Rule.oldTypesInDidMigrate

  func findings(in context: CheckContext) -> [SourceFinding] {
    let wanted = context.versions.union(context.names.aliases.keys)
    return context.migrations.bodies.filter { !$0.own.isEmpty }.flatMap { body in
      body.nodes.flatMap { context.references(wanted, in: $0) }.compactMap {
        finding($0, body, context)
      }
    }
  }

  private func finding(
    _ reference: NameReference, _ body: StageBody, _ context: CheckContext
  ) -> SourceFinding? {
    let schema: String
    let model: String
    var range = reference.range
    if let alias = context.names.aliases[reference.name]?.first {
      (schema, model) = (alias.schema, alias.model)
    } else if let member = reference.members.first,
      isModel(member.name, of: reference, context)
    {
      (schema, model) = (reference.name, member.name)
      range = reference.range(members: 1)
    } else {
      return nil
    }
    guard !body.own.contains(schema) else { return nil }
    let own = body.own.sorted()[0]
    let text = context.text(range)
    let message: String
    var help: [String]
    if body.side == .did {
      message = "'\(text)' is gone when 'didMigrate' runs: it sees the types of '\(own)' only"
      help = ["read old values in 'willMigrate', and write them to columns that both versions have"]
      if context.names.schema(own, having: model)?.models.contains(model) ?? false {
        help.insert("to work on the new rows, write '\(own).\(model)'", at: 0)
      }
    } else {
      message =
        "'\(text)' does not exist yet when 'willMigrate' runs: it sees the types of '\(own)' only"
      help = [
        "make and fill new rows in 'didMigrate', or on a bridge that has both versions' models"
      ]
    }
    return SourceFinding(
      diagnostic: Diagnostic(
        rule, message, element: text, at: context.source.location(range), help: help))
  }

  /// Whether a member of a version is one of its models. Code may use the version's value types in any closure.
  private func isModel(
    _ name: String, of reference: NameReference, _ context: CheckContext
  ) -> Bool {
    if let schemas = context.names.schemas[reference.name] {
      return schemas.contains { $0.models.contains(name) }
    }
    if context.facts.versions[reference.name]?.contains(name) ?? false { return true }
    // The version may be declared in a file that was not read. A type that is fetched or deleted is always a model.
    return isFetched(reference)
  }

  /// Whether the reference is the type in `FetchDescriptor<…>`, `#Predicate<…>` or `delete(model: …)`.
  private func isFetched(_ reference: NameReference) -> Bool {
    var node: Syntax? = reference.node
    while let current = node {
      if let argument = current.as(LabeledExprSyntax.self) {
        return argument.label?.text == "model"
      }
      if let arguments = current.as(GenericArgumentClauseSyntax.self) {
        let generic = arguments.parent
        let name =
          generic?.as(GenericSpecializationExprSyntax.self)?.expression
          .as(DeclReferenceExprSyntax.self)?.baseName.plain
          ?? generic?.as(IdentifierTypeSyntax.self)?.name.plain
          ?? generic?.as(MacroExpansionExprSyntax.self)?.macroName.plain
        return ["FetchDescriptor", "Predicate"].contains(name)
      }
      if current.is(CodeBlockItemSyntax.self) { return false }
      node = current.parent
    }
    return false
  }
}
