internal import SwiftSyntax

struct ContainerMakers {
  /// `ModelContainer(…)` and `ActiveSchema.container(…)`, outside of previews.
  let calls: [FunctionCallExprSyntax]
  let values: FileValues
  /// Code in which a container is made, by itself or by a function of the same file.
  private let making: Set<SyntaxIdentifier>
  /// Code in which a container on disk is made.
  private let makingOnDisk: Set<SyntaxIdentifier>
  /// Functions that hold a container on disk.
  let scopesOnDisk: Set<SyntaxIdentifier>

  init(_ context: CheckContext) {
    let active = Set(context.names.folders.map(\.activeSchema))
    let all = context.source.syntax.all(FunctionCallExprSyntax.self)
    let calls = all.filter { call in
      (call.makesContainer || call.isContainer(of: active)) && !context.isPreview(call)
    }
    let values = context.values
    let onDisk = calls.filter { !$0.isInMemory(values) }
    func making(
      _ calls: [FunctionCallExprSyntax], orBy others: ContainerFunctions? = nil
    ) -> Set<SyntaxIdentifier> {
      var functions: [String: Set<String>] = [:]
      for call in calls {
        guard let function = values.scope(of: call)?.as(FunctionDeclSyntax.self) else { continue }
        functions[function.name.plain, default: []]
          .formUnion(ContainerFunctions.memoryLabels(of: function))
      }
      return Set(
        around: calls
          + all.filter { call in
            if let labels = call.calledName.flatMap({ functions[$0] }) {
              return others == nil || !call.isInMemory(byOneOf: labels)
            }
            return others?.isMade(by: call) ?? false
          })
    }
    self.calls = calls
    self.values = values
    self.making = making(calls)
    makingOnDisk = making(onDisk, orBy: context.facts.containers)
    scopesOnDisk = Set(around: onDisk)
  }

  /// Whether a container is made in a piece of code, by itself or by a function of the same file.
  func isMade(in node: some SyntaxProtocol) -> Bool { making.contains(node.id) }

  /// Whether a container on disk is made in a piece of code, by itself or by a function of the app's.
  func isMadeOnDisk(in node: some SyntaxProtocol) -> Bool { makingOnDisk.contains(node.id) }

  /// The code that runs when a container cannot be made: in `catch`, after `else` of a condition that makes one, and
  /// behind an `if` that returns the one it has tried to make.
  ///
  /// - Parameter isMade: Whether a piece of code makes one.
  static func recoveries(
    in source: SwiftSource, where isMade: (Syntax) -> Bool
  ) -> [Syntax] {
    let finder = Recoveries(viewMode: .sourceAccurate)
    finder.walk(source.syntax)
    return finder.found.filter { $0.attempts.contains(where: isMade) }.flatMap(\.code)
  }
}

/// Finds what is tried, and what runs if it fails.
private final class Recoveries: SyntaxVisitor {
  private(set) var found: [(attempts: [Syntax], code: [Syntax])] = []

  override func visit(_ node: DoStmtSyntax) -> SyntaxVisitorContinueKind {
    found.append(([Syntax(node.body)], node.catchClauses.map { Syntax($0.body) }))
    return .visitChildren
  }

  override func visit(_ node: GuardStmtSyntax) -> SyntaxVisitorContinueKind {
    found.append(([Syntax(node.conditions)], [Syntax(node.body)]))
    return .visitChildren
  }

  override func visit(_ node: IfExprSyntax) -> SyntaxVisitorContinueKind {
    if case .codeBlock(let block)? = node.elseBody {
      found.append(([Syntax(node.conditions)], [Syntax(block)]))
    } else if node.elseBody == nil,
      node.body.statements.last?.item.is(ReturnStmtSyntax.self) == true,
      !node.conditions.all(TryExprSyntax.self).isEmpty,
      let item = node.parent?.parent?.as(CodeBlockItemSyntax.self),
      let items = item.parent?.as(CodeBlockItemListSyntax.self)
    {
      let next = items.drop { $0.id != item.id }.dropFirst()
      found.append(([Syntax(node.conditions)], next.map { Syntax($0) }))
    }
    return .visitChildren
  }
}

extension FunctionCallExprSyntax {
  /// Whether all configurations of a container say that nothing goes to disk.
  func isInMemory(_ values: FileValues) -> Bool {
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

  func isConfigurationInMemory(_ values: FileValues) -> Bool {
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
    // What is looked at already, or stands for itself, decides nothing more.
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
  var makesConfiguration: Bool {
    calledName == "ModelConfiguration"
      || calledExpression.memberName == "init"
        && (calledExpression.memberPath.map { $0.contains("ModelConfiguration") } ?? true)
  }

  /// Whether it is `ModelContainer(…)` or `ModelContainer.init(…)`.
  var makesContainer: Bool {
    if let access = calledExpression.as(MemberAccessExprSyntax.self) {
      if access.declName.baseName.text == "init" {
        return access.base?.as(DeclReferenceExprSyntax.self)?.baseName.plain == "ModelContainer"
      }
      return access.declName.baseName.plain == "ModelContainer"
    }
    return calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.plain == "ModelContainer"
  }

  /// Whether it is `ActiveSchema.container(…)`.
  fileprivate func isContainer(of active: Set<String>) -> Bool {
    guard let access = calledExpression.as(MemberAccessExprSyntax.self),
      access.declName.baseName.text == "container",
      let base = access.base?.as(DeclReferenceExprSyntax.self)
    else { return false }
    return active.contains(base.baseName.plain)
  }
}

extension ExprSyntax {
  var isTrue: Bool { self.as(BooleanLiteralExprSyntax.self)?.literal.text == "true" }
}

extension Syntax {
  /// Whether code runs in it: a function, initialiser, accessor or variable with a closure.
  var isScope: Bool {
    switch kind {
    case .functionDecl, .initializerDecl, .accessorDecl, .accessorBlock: true
    case .patternBinding:
      // A variable of a type, not one in a function.
      parent?.parent?.parent?.is(MemberBlockItemSyntax.self) ?? false
    default: false
    }
  }

  /// Whether it is `#Preview`, a `PreviewProvider`, or something that is named after previews.
  var isPreview: Bool {
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

  /// The name by which other code uses a variable, a function or a type, also in an extension of it.
  var declaredName: String? {
    if let binding = self.as(PatternBindingSyntax.self) {
      return binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.plain
    }
    if let function = self.as(FunctionDeclSyntax.self) { return function.name.plain }
    guard asProtocol((any DeclGroupSyntax).self) != nil else { return nil }
    return asProtocol((any NamedDeclSyntax).self)?.name.plain
      ?? self.as(ExtensionDeclSyntax.self)?.extendedType.lastName
  }
}
