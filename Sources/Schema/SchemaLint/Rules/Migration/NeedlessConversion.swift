internal import SchemaEvolution
internal import SchemaManifest
internal import SchemaModel

struct NeedlessConversion: LintRule, RuleFix {
  let rule = Rule.needlessConversion

  func findings(in context: LintContext) -> [Diagnostic] {
    // With the strict policy a rename is a custom stage as well.
    guard context.configuration.policy != .strict else { return [] }
    return context.openSteps.flatMap { step in
      let old = step.old
      return step.new.migratedProperties.compactMap {
        model, property -> Diagnostic? in
        guard let attribute = property.attribute, let convert = property.migration.convert,
          convert.value.isIdentity,
          property.migration.from.count == 1, let source = property.migration.from.first?.value,
          property.migration.fill == nil,
          property.migration.revert.allSatisfy({ $0.value.isIdentity }),
          source != property.name,
          context.configuration.obstacle(
            toRenaming: property, in: step.new) == nil,
          model.property(named: source) == nil,
          let before = old.model(named: model.name)?.property(named: source)?.attribute,
          before.type == attribute.type, before.encodes == attribute.encodes,
          before.options == attribute.options, before.transformer == attribute.transformer
        else { return nil }
        let element = ElementPath(model.name, property.name)
        return Diagnostic(
          rule,
          "'\(element)' is \(old.number.name)'s '\(source)' unchanged: no row needs to be copied",
          element: element, at: convert.location, help: ["write 'renamedFrom: \(source)'"])
      }
    }
  }

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    guard let file = finding.location?.file, let property = context.path(of: finding)?.parent,
      let keys = context.document?.node(at: property)?.entries.map(\.key)
    else { return nil }
    var edits = [
      YAMLEdit.renameKey(property.appending("from"), to: "renamedFrom"),
      .remove(property.appending("convert")),
    ]
    if keys.contains("revert") { edits.append(.remove(property.appending("revert"))) }
    return Fix("rename instead of copying", in: file, edits.map(Fix.Change.edit))
  }
}

extension Conversion {
  fileprivate var isIdentity: Bool {
    if case .expression(let expression) = self { return expression.text == "$0" }
    return false
  }
}
