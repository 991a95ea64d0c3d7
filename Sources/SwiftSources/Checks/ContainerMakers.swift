internal import SwiftSyntax

/// Where a file makes containers.
struct ContainerMakers {
  /// `ModelContainer(…)` and `ActiveSchema.container(…)`, outside of previews.
  let calls: [FunctionCallExprSyntax]
  let values: FileValues
  private let functions: Set<String>
  /// Functions that make containers on disk.
  private let diskFunctions: Set<String>

  init(_ context: CheckContext) {
    let active = Set(context.names.folders.map(\.activeSchema))
    calls = Calls.find(in: context.source.syntax).filter { call in
      (call.makesContainer || call.isContainer(of: active)) && !Syntax(call).isPreview
    }
    let values = FileValues(context.source)
    self.values = values
    functions = Set(calls.compactMap { Syntax($0).scope?.functionName })
    diskFunctions = Set(
      calls.filter { !$0.isInMemory(values) }.compactMap { Syntax($0).scope?.functionName })
  }

  /// Whether a container on disk is made in a piece of code, by itself or by a function of the same file.
  func isMadeOnDisk(in node: some SyntaxProtocol) -> Bool {
    Calls.find(in: node).contains { call in
      calls.contains { $0.id == call.id } && !call.isInMemory(values)
        || call.calledName.map(diskFunctions.contains) ?? false
    }
  }

  /// The code that runs when a container cannot be made: of `catch`, and behind `else` of a condition that makes one.
  ///
  /// - Parameter isMade: Whether a piece of code makes one.
  static func recoveries(
    in source: SwiftSource, where isMade: (Syntax) -> Bool
  ) -> [Syntax] {
    let finder = Recoveries(viewMode: .sourceAccurate)
    finder.walk(source.syntax)
    return finder.found.filter { $0.attempts.contains(where: isMade) }.flatMap(\.code)
  }

  /// Whether a container is made in a piece of code, by itself or by a function of the same file.
  func isMade(in node: some SyntaxProtocol) -> Bool {
    let offsets = node.offsets
    if calls.contains(where: { offsets.contains($0.offsets.lowerBound) }) { return true }
    return Calls.find(in: node).contains { call in
      call.calledName.map(functions.contains) ?? false
    }
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
    return !configurations.isEmpty
      && configurations.allSatisfy { Self.isInMemory($0, values, depth: 0) }
  }

  private static func isInMemory(_ value: ExprSyntax, _ values: FileValues, depth: Int) -> Bool {
    if let call = value.as(FunctionCallExprSyntax.self), call.makesConfiguration {
      return call.arguments.contains { argument in
        argument.label?.text == "isStoredInMemoryOnly" && argument.expression.isTrue
          || argument.label?.text == "url"
            && values.expanded(argument.expression).contains {
              $0.trimmedDescription.contains("\"/dev/null\"")
            }
      }
    }
    guard depth < 4, let name = value.memberPath?.last ?? value.memberName else {
      let calls = Calls.find(in: value).filter(\.makesConfiguration)
      return !calls.isEmpty
        && calls.allSatisfy { isInMemory(ExprSyntax($0), values, depth: depth + 1) }
    }
    let all = values.values(of: name, from: value)
    if all.isEmpty { return name.words.isSuperset(of: ["memory"]) && value.memberName != nil }
    return all.allSatisfy { value in
      let elements = value.as(ArrayExprSyntax.self)?.elements.map(\.expression) ?? [value]
      return !elements.isEmpty
        && elements.allSatisfy { isInMemory($0, values, depth: depth + 1) }
    }
  }

  private var makesConfiguration: Bool {
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
  fileprivate var isTrue: Bool { self.as(BooleanLiteralExprSyntax.self)?.literal.text == "true" }
}

extension Syntax {
  /// The function, initialiser, accessor or variable with a closure that a piece of code runs in; nil at the top.
  var scope: Syntax? {
    var node = parent
    while let current = node {
      switch current.kind {
      case .functionDecl, .initializerDecl, .accessorDecl, .accessorBlock: return current
      case .patternBinding:
        // A variable of a type, not one in a function.
        if current.parent?.parent?.parent?.is(MemberBlockItemSyntax.self) ?? false {
          return current
        }
      default: break
      }
      node = current.parent
    }
    return nil
  }

  fileprivate var functionName: String? { self.as(FunctionDeclSyntax.self)?.name.plain }

  /// Whether it stands in `#Preview`, in a `PreviewProvider`, or in something that is called after previews.
  var isPreview: Bool {
    var node: Syntax? = self
    while let current = node {
      if current.previewNames.contains(where: {
        !$0.words.isDisjoint(with: ["preview", "previews"])
      }) {
        return true
      }
      if current.as(MacroExpansionExprSyntax.self)?.macroName.text == "Preview"
        || current.as(MacroExpansionDeclSyntax.self)?.macroName.text == "Preview"
      {
        return true
      }
      node = current.parent
    }
    return false
  }
}

extension Syntax {
  /// What a declaration is called, and what it conforms to.
  fileprivate var previewNames: [String] {
    if let binding = self.as(PatternBindingSyntax.self) {
      return [binding.pattern.trimmedDescription]
    }
    if let function = self.as(FunctionDeclSyntax.self) { return [function.name.plain] }
    guard let group = asProtocol((any DeclGroupSyntax).self) else { return [] }
    let name =
      asProtocol((any NamedDeclSyntax).self)?.name.plain
      ?? self.as(ExtensionDeclSyntax.self)?.extendedType.lastName
    let parents = group.inheritanceClause?.inheritedTypes.map(\.type.lastName) ?? []
    return [name].compactMap { $0 } + parents
  }
}
