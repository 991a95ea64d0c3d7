internal import SchemaModel
internal import SwiftSyntax

/// What becomes of a model's class.
extension SourceRemoval {
  /// A model's class.
  mutating func taken(_ node: ClassDeclSyntax, _ place: Int) -> Outcome {
    let name = node.name.plain
    guard let model = history[place].model(named: name) else { return .kept([]) }
    let path = pathOf(node)
    guard !kept.contains(path.joined(separator: ".")) else { return .kept([]) }
    let isNewest = place == newest && !earlier.contains(path.joined(separator: "."))
    let known = extended[name] ?? []
    var left: [DeclSyntax] = []
    for member in decided(node.memberBlock.members) {
      if member.is(MacroExpansionDeclSyntax.self) { continue }
      if let named = member.asProtocol((any NamedDeclSyntax).self),
        !member.is(FunctionDeclSyntax.self),
        isGeneratedValue(
          path + [named.name.plain], keepsName: isNewest && known.contains(named.name.plain))
      {
        continue
      }
      if let variable = member.as(VariableDeclSyntax.self), !variable.modifiers.isStatic,
        !variable.bindings.contains(where: \.isComputed)
      {
        noteObservers(variable, model)
        continue
      }
      if let initializer = member.as(InitializerDeclSyntax.self) {
        guard !isGenerated(initializer, model, known), isNewest else { continue }
      }
      if !member.memberKeys.isEmpty, known.isSuperset(of: member.memberKeys) { continue }
      left.append(member)
    }
    guard isNewest else {
      if !left.isEmpty {
        note(
          "'\(history[place].number.name)' keeps the stored properties of '\(name)': \(Self.list(left)) went with the class",
          node)
      }
      return .gone([])
    }
    let implied: Set<String> = [
      "PersistentModel", "Identifiable", "Hashable", "Equatable", "Observable", "AnyObject",
    ]
    let conformances = (node.inheritanceClause?.inheritedTypes.map(\.type) ?? []).filter { type in
      !implied.contains(type.lastName) && type.lastName != model.superclass?.value
        && !known.contains(": " + type.lastName)
    }.map(\.trimmedDescription)
    guard
      let lines = extensionLines(of: names.active(model: name), left, conformances)
    else { return .gone([]) }
    let more =
      conformances.isEmpty ? [] : ["conformance to \(conformances.joined(separator: ", "))"]
    let what = (left.isEmpty ? [] : [Self.list(left)]) + more
    note(
      "'\(name)' has more than is generated: \(what.joined(separator: "; ")) stays here, in an extension",
      node,
      help: left.contains {
        $0.is(InitializerDeclSyntax.self) || $0.is(DeinitializerDeclSyntax.self)
      }
        ? ["an initialiser in an extension is a 'convenience init', and calls the generated one"]
        : [])
    return .gone([lines])
  }

  private func pathOf(_ node: ClassDeclSyntax) -> [String] {
    paths[source.location(of: node.name)] ?? [node.name.plain]
  }

  /// Whether the generated initialiser, or one in an extension, takes the calls of this one.
  mutating func isGenerated(
    _ initializer: InitializerDeclSyntax, _ model: Model, _ known: Set<String>
  ) -> Bool {
    let parameters = initializer.signature.parameterClause.parameters
    if known.isSuperset(of: DeclSyntax(initializer).memberKeys) { return true }
    guard model.generatedInitializerTakes(parameters.map(\.firstName.plain)),
      !initializer.modifiers.has(.convenience)
    else { return false }
    // What is filtered by itself is a new tree.
    let lost = Array(parameters).filter { parameter in
      guard parameter.defaultValue != nil else { return false }
      let property = model.property(named: parameter.firstName.plain)
      return property?.initializerValue == nil && !(property?.type.isOptional ?? true)
        && property?.relationship == nil
    }
    let isCovered = known.contains { $0.hasPrefix("init(") }
    if !lost.isEmpty, !isCovered {
      note(
        "the generated initialiser of '\(model.name)' has no default for \(lost.map { "'\($0.firstName.plain)'" }.joined(separator: ", "))",
        initializer,
        help: ["give the call the value, or write a 'convenience init' in an extension"],
        severity: .warning)
    }
    return true
  }

  private mutating func noteObservers(_ variable: VariableDeclSyntax, _ model: Model) {
    guard variable.bindings.contains(where: { $0.accessorBlock != nil }) else { return }
    let names = DeclSyntax(variable).declaredNames.joined(separator: ", ")
    note(
      "observers of '\(model.name).\(names)' went with the class: a generated property has none",
      variable, severity: .warning)
  }
}
