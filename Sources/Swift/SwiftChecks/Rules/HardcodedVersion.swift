internal import SchemaLint
internal import SchemaModel
internal import SwiftSources
internal import SwiftSyntax

/// Finds app code that names a version.
struct HardcodedVersion: SourceCheck {
  let rule = Rule.hardcodedVersion

  func findings(in context: CheckContext) -> [SourceFinding] {
    guard context.role == .app else { return [] }
    let stashed = Set(StashedVariable.find(in: context).map(\.name))
    let bound = BoundNames.find(in: context.source.syntax)
    return context.references(context.names.versioned).compactMap { reference in
      // A name declared in the tree is the app's own, unless it is a version.
      guard !context.facts.declaresOwn(reference.name), !bound.contains(reference.name),
        !context.migrations.contains(reference.range.lowerBound),
        !isDeclaration(of: stashed, around: reference)
      else { return nil }
      return finding(reference, context)
    }
  }

  private func finding(_ reference: NameReference, _ context: CheckContext) -> SourceFinding? {
    let names = context.names
    if let alias = names.aliases[reference.name]?.first {
      guard let schema = names.schema(alias.schema, having: alias.model) else { return nil }
      return finding(reference, members: 0, model: alias.model, schema, context)
    }
    let member = reference.members.first?.name
    guard let schema = names.schema(reference.name, having: member) else { return nil }
    if let member, schema.models.contains(member) {
      return finding(reference, members: 1, model: member, schema, context)
    }
    return finding(reference, member: member, schema, context)
  }

  private func finding(
    _ reference: NameReference, members: Int, model: String, _ schema: VersionNames.Schema,
    _ context: CheckContext
  ) -> SourceFinding {
    let range = reference.range(members: members)
    let folder = context.names.folders[schema.folder]
    let message =
      schema.isNewest
      ? "'\(context.text(range))' is a type of \(schema.title), and will be out of date with the next version"
      : "'\(context.text(range))' is a type of \(schema.title): stores of \(folder.newest) do not have it"
    guard let active = folder.active[model] else {
      return found(
        message, range, schema, context,
        help: "\(folder.newest) has no '\(model)': move code that needs its rows into a migration")
    }
    // If the reference is the target of an alias with the active name, a replacement would make the alias refer to
    // itself.
    let isDeclared = isDeclared(active, around: reference)
    return found(
      message, range, schema, context,
      help: isDeclared
        ? "remove this alias: generated code declares '\(active)'" : "write '\(active)'",
      edit: isDeclared ? nil : active)
  }

  private func finding(
    _ reference: NameReference, member: String?, _ schema: VersionNames.Schema,
    _ context: CheckContext
  ) -> SourceFinding {
    let folder = context.names.folders[schema.folder]
    let message =
      schema.isNewest
      ? "'\(reference.name)' names one version, and will be out of date with the next one"
      : "'\(reference.name)' is not the newest version: that is \(folder.newest)"
    let active = folder.activeSchema + ".Version"
    // A fix is safe only for the newest version, since an older one differs from it. A type nested in the version may
    // be missing in later versions. If two folders use the name, only the author knows which is meant.
    let isClear =
      schema.isNewest && Set(context.names.schemas[reference.name]?.map(\.folder) ?? []).count == 1
      && (member == "Type" || !(member?.first?.isUppercase ?? false))
    return found(
      message, reference.range, schema, context, help: "write '\(active)'",
      edit: isClear ? active : nil)
  }

  private func found(
    _ message: String, _ range: Range<Int>, _ schema: VersionNames.Schema,
    _ context: CheckContext, help: String, edit: String? = nil
  ) -> SourceFinding {
    SourceFinding(
      diagnostic: Diagnostic(
        rule, message, element: context.text(range), at: context.source.location(range),
        help: [help], severity: schema.isNewest ? .warning : .error),
      edit: edit.map { SourceEdit(range: range, text: $0) })
  }

  /// Whether the reference is in the declaration of a variable that stages use. The variable may be outside the stages.
  private func isDeclaration(of names: Set<String>, around reference: NameReference) -> Bool {
    guard !names.isEmpty else { return false }
    var node: Syntax? = reference.node
    while let current = node {
      if let binding = current.as(PatternBindingSyntax.self),
        let pattern = binding.pattern.as(IdentifierPatternSyntax.self),
        names.contains(pattern.identifier.plain)
      {
        return true
      }
      node = current.parent
    }
    return false
  }

  /// Whether the reference is the target of an alias with the active name.
  private func isDeclared(_ name: String, around reference: NameReference) -> Bool {
    var node: Syntax? = reference.node
    while let current = node {
      if let alias = current.as(TypeAliasDeclSyntax.self) { return alias.name.plain == name }
      node = current.parent
    }
    return false
  }
}
