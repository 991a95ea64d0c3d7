internal import SwiftSyntax

extension FunctionCallExprSyntax {
  /// The last part of the called name: `fetch` for `context.fetch(…)`.
  package var calledName: String? {
    if let name = calledExpression.as(DeclReferenceExprSyntax.self) { return name.baseName.plain }
    return calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.plain
  }

  /// Whether the call is of SwiftUI's modifier `modelContainer`. In an extension of `View` no dot comes before it.
  package var setsContainer: Bool { calledName == "modelContainer" }

  package func hasArgument(_ label: String) -> Bool {
    arguments.contains { $0.label?.text == label }
  }

  /// Whether the call passes a migration plan, or an expression that may be one.
  package var hasPlan: Bool {
    arguments.contains { $0.label?.text == "migrationPlan" && !$0.expression.isNil }
  }

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
    // An expression that was already checked, such as a name that means itself, changes nothing.
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

  /// Whether the call is, or may be, `ModelConfiguration(…)`.
  package var makesConfiguration: Bool {
    calledName == "ModelConfiguration"
      || calledExpression.memberName == "init"
        && (calledExpression.memberPath.map { $0.contains("ModelConfiguration") } ?? true)
  }

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
  /// Whether code runs in the node: it is a function, an initialiser, an accessor, or a member variable.
  var isScope: Bool {
    switch kind {
    case .functionDecl, .initializerDecl, .accessorDecl, .accessorBlock: true
    case .patternBinding:
      parent?.parent?.parent?.is(MemberBlockItemSyntax.self) ?? false
    default: false
    }
  }

  package var isPreview: Bool {
    previewNames.contains { !$0.words.isDisjoint(with: ["preview", "previews"]) }
      || self.as(MacroExpansionExprSyntax.self)?.macroName.text == "Preview"
      || self.as(MacroExpansionDeclSyntax.self)?.macroName.text == "Preview"
  }
}

extension Syntax {
  fileprivate var previewNames: [String] {
    if let binding = self.as(PatternBindingSyntax.self) {
      return [binding.pattern.trimmedDescription]
    }
    let parents = asProtocol((any DeclGroupSyntax).self)?.inheritanceClause?.inheritedTypes
    return [declaredName].compactMap(\.self) + (parents?.map(\.type.lastName) ?? [])
  }

  /// The name of a variable, a function or a type, or of an extended type; nil for other nodes.
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
