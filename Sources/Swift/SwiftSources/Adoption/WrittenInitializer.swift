internal import SwiftSyntax

/// An initialiser of a model's class, taken apart.
struct WrittenInitializer {
  struct Parameter {
    var label: String
    /// What the body calls it.
    var name: String
    var type: TypeSyntax
    var defaultValue: ExprSyntax?
  }

  struct Statement {
    enum Kind {
      /// `self.name = value`, where `value` may be a row of operands and operators.
      case assignment(to: String, value: [ExprSyntax])
      case superclass([LabeledExprSyntax])
      case other
    }

    var kind: Kind
    var item: CodeBlockItemSyntax
  }

  let syntax: InitializerDeclSyntax
  let parameters: [Parameter]
  let statements: [Statement]

  init(_ syntax: InitializerDeclSyntax) {
    self.syntax = syntax
    let parameters = syntax.signature.parameterClause.parameters.map {
      Parameter(
        label: $0.firstName.plain, name: ($0.secondName ?? $0.firstName).plain, type: $0.type,
        defaultValue: $0.defaultValue?.value)
    }
    self.parameters = parameters
    let names = Set(parameters.map(\.name))
    statements = syntax.body?.statements.map { Statement($0, parameters: names) } ?? []
  }

  var isConvenience: Bool { syntax.modifiers.has(.convenience) }
  var labels: [String] { parameters.map(\.label) }

  /// `init(id:name:)`
  var name: String { "init(\(labels.map { $0 + ":" }.joined()))" }

  /// Properties that take the parameter of their name as it is.
  var plainAssignments: Set<String> {
    var found: Set<String> = []
    for statement in statements {
      guard case .assignment(let property, let value) = statement.kind, value.count == 1,
        let name = value[0].as(DeclReferenceExprSyntax.self)?.baseName.plain,
        parameters.contains(where: { $0.label == property && $0.name == name })
      else { continue }
      found.insert(property)
    }
    return found
  }

  /// Whether nothing happens in it but that properties take the parameters of their names.
  var isPlain: Bool { isPlain(besides: []) }

  /// Whether nothing happens in it but that properties take the parameters of their names, whatever these get.
  func isPlain(besides others: Set<String>) -> Bool {
    guard syntax.optionalMark == nil, syntax.signature.effectSpecifiers == nil else { return false }
    let plain = plainAssignments
    let left = statements.filter { statement in
      if case .assignment(let property, _) = statement.kind { return !others.contains(property) }
      return !statement.isPlainSuperclass
    }
    return plain.subtracting(others).count == left.count && plain.isSubset(of: labels)
  }
}

extension WrittenInitializer.Statement {
  fileprivate init(_ item: CodeBlockItemSyntax, parameters: Set<String>) {
    self.item = item
    kind = .other
    guard case .expr(let expression) = item.item else { return }
    if let call = expression.as(FunctionCallExprSyntax.self),
      let member = call.calledExpression.as(MemberAccessExprSyntax.self),
      member.base?.is(SuperExprSyntax.self) ?? false
    {
      kind = .superclass(Array(call.arguments))
      return
    }
    guard let elements = expression.as(SequenceExprSyntax.self)?.elements.map({ $0 }),
      elements.count >= 3, elements[1].is(AssignmentExprSyntax.self)
    else { return }
    let target: String
    if let member = elements[0].as(MemberAccessExprSyntax.self),
      member.base?.as(DeclReferenceExprSyntax.self)?.baseName.tokenKind == .keyword(.self)
    {
      target = member.declName.baseName.plain
    } else if let name = elements[0].as(DeclReferenceExprSyntax.self)?.baseName.plain,
      !parameters.contains(name)
    {
      target = name
    } else {
      return
    }
    kind = .assignment(to: target, value: Array(elements[2...]))
  }

  /// `super.init(name: name)`
  fileprivate var isPlainSuperclass: Bool {
    guard case .superclass(let arguments) = kind else { return false }
    return arguments.allSatisfy {
      $0.label?.plain == $0.expression.as(DeclReferenceExprSyntax.self)?.baseName.plain
    }
  }
}
