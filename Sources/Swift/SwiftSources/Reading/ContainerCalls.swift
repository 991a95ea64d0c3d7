internal import SwiftSyntax

extension FunctionCallExprSyntax {
  /// The last part of the called name: `fetch` in `context.fetch(…)`.
  package var calledName: String? {
    if let name = calledExpression.as(DeclReferenceExprSyntax.self) { return name.baseName.plain }
    return calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.plain
  }

  /// Whether it is SwiftUI's modifier: `.modelContainer(for:)`, without the dot in an extension of `View`.
  package var setsContainer: Bool { calledName == "modelContainer" }

  package func hasArgument(_ label: String) -> Bool {
    arguments.contains { $0.label?.text == label }
  }

  /// Whether a container is created with a migration plan, or with what may be one.
  package var hasPlan: Bool {
    arguments.contains { $0.label?.text == "migrationPlan" && !$0.expression.isNil }
  }

  /// Whether all configurations of a container are in memory.
  package func isInMemory(_ values: FileValues) -> Bool {
    if arguments.contains(where: { $0.label?.text == "inMemory" && $0.expression.isTrue }) {
      return true
    }
    let given = arguments.drop { $0.label?.text != "configurations" }
      .prefix { $0.label == nil || $0.label?.text == "configurations" }
    let configurations = given.flatMap { argument in
      argument.expression.as(ArrayExprSyntax.self)?.elements.map(\.expression)
        ?? [argument.expression]
    }
    var seen: Set<SyntaxIdentifier> = []
    return !configurations.isEmpty
      && configurations.allSatisfy { Self.isInMemory($0, values, &seen) }
  }

  package func isConfigurationInMemory(_ values: FileValues) -> Bool {
    arguments.contains { argument in
      argument.label?.text == "isStoredInMemoryOnly" && argument.expression.isTrue
        || argument.label?.text == "url"
          && values.expanded(argument.expression).contains {
            $0.trimmedDescription.contains("\"/dev/null\"")
          }
    }
  }

  private static func isInMemory(
    _ value: ExprSyntax, _ values: FileValues, _ seen: inout Set<SyntaxIdentifier>
  ) -> Bool {
    // An expression that was already checked, or means itself, decides nothing more.
    guard seen.insert(value.id).inserted else { return true }
    guard seen.count < FileValues.mostValues else { return false }
    if let call = value.as(FunctionCallExprSyntax.self), call.makesConfiguration {
      return call.isConfigurationInMemory(values)
    }
    guard let name = value.memberPath?.last ?? value.memberName else {
      let calls = value.all(FunctionCallExprSyntax.self).filter(\.makesConfiguration)
      return !calls.isEmpty && calls.allSatisfy { isInMemory(ExprSyntax($0), values, &seen) }
    }
    let all = values.values(of: name, from: value)
    if all.isEmpty { return name.words.isSuperset(of: ["memory"]) && value.memberName != nil }
    return all.allSatisfy { value in
      let elements = value.as(ArrayExprSyntax.self)?.elements.map(\.expression) ?? [value]
      return !elements.isEmpty && elements.allSatisfy { isInMemory($0, values, &seen) }
    }
  }

  /// Whether it is `ModelConfiguration(…)`, or may be.
  package var makesConfiguration: Bool {
    calledName == "ModelConfiguration"
      || calledExpression.memberName == "init"
        && (calledExpression.memberPath.map { $0.contains("ModelConfiguration") } ?? true)
  }

  /// Whether it is `ModelContainer(…)` or `ModelContainer.init(…)`.
  package var makesContainer: Bool {
    if let access = calledExpression.as(MemberAccessExprSyntax.self) {
      if access.declName.baseName.text == "init" {
        return access.base?.as(DeclReferenceExprSyntax.self)?.baseName.plain == "ModelContainer"
      }
      return access.declName.baseName.plain == "ModelContainer"
    }
    return calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.plain == "ModelContainer"
  }
}

extension ExprSyntax {
  package var isTrue: Bool { self.as(BooleanLiteralExprSyntax.self)?.literal.text == "true" }
}

extension Syntax {
  /// Whether it contains code that runs: a function, initialiser, accessor or variable with a closure.
  var isScope: Bool {
    switch kind {
    case .functionDecl, .initializerDecl, .accessorDecl, .accessorBlock: true
    case .patternBinding:
      // A member variable, not a local one.
      parent?.parent?.parent?.is(MemberBlockItemSyntax.self) ?? false
    default: false
    }
  }

  /// Whether it is `#Preview`, a `PreviewProvider`, or named after previews.
  package var isPreview: Bool {
    previewNames.contains { !$0.words.isDisjoint(with: ["preview", "previews"]) }
      || self.as(MacroExpansionExprSyntax.self)?.macroName.text == "Preview"
      || self.as(MacroExpansionDeclSyntax.self)?.macroName.text == "Preview"
  }
}

extension Syntax {
  /// The name of a declaration, and the types that it conforms to.
  fileprivate var previewNames: [String] {
    if let binding = self.as(PatternBindingSyntax.self) {
      return [binding.pattern.trimmedDescription]
    }
    let parents = asProtocol((any DeclGroupSyntax).self)?.inheritanceClause?.inheritedTypes
    return [declaredName].compactMap(\.self) + (parents?.map(\.type.lastName) ?? [])
  }

  /// The name that other code uses for a variable, a function or a type, or for an extended type.
  package var declaredName: String? {
    if let binding = self.as(PatternBindingSyntax.self) {
      return binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.plain
    }
    if let function = self.as(FunctionDeclSyntax.self) { return function.name.plain }
    guard asProtocol((any DeclGroupSyntax).self) != nil else { return nil }
    return asProtocol((any NamedDeclSyntax).self)?.name.plain
      ?? self.as(ExtensionDeclSyntax.self)?.extendedType.lastName
  }
}
