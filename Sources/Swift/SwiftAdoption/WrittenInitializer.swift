internal import SwiftSources
package import SwiftSyntax

/// What schemagen reads in the initialiser of a model class.
package struct WrittenInitializer {
  struct Parameter {
    var label: String
    var name: String
    var type: TypeSyntax
    var defaultValue: ExprSyntax?
  }

  fileprivate enum Statement {
    /// `self.name = value`, where `value` may be a sequence of operands and operators.
    case assignment(to: String, value: [ExprSyntax])
    case plainSuperclass
    case other
  }

  let parameters: [Parameter]
  let isConvenience: Bool
  private let statements: [Statement]
  private let hasEffects: Bool

  package init(_ syntax: InitializerDeclSyntax) {
    let parameters = syntax.signature.parameterClause.parameters.map {
      Parameter(
        label: $0.firstName.plain, name: ($0.secondName ?? $0.firstName).plain, type: $0.type,
        defaultValue: $0.defaultValue?.value)
    }
    self.parameters = parameters
    isConvenience = syntax.modifiers.has(.convenience)
    hasEffects = syntax.optionalMark != nil || syntax.signature.effectSpecifiers != nil
    let names = Set(parameters.map(\.name))
    statements = syntax.body?.statements.map { Statement($0, parameters: names) } ?? []
  }

  var labels: [String] { parameters.map(\.label) }

  var plainAssignments: Set<String> {
    var found: Set<String> = []
    for case .assignment(let property, let value) in statements {
      guard value.count == 1, let name = value[0].as(DeclReferenceExprSyntax.self)?.baseName.plain,
        parameters.contains(where: { $0.label == property && $0.name == name })
      else { continue }
      found.insert(property)
    }
    return found
  }

  /// Whether the initialiser only assigns parameters to properties of the same names. What it assigns to `others` does
  /// not matter.
  func isPlain(besides others: Set<String> = []) -> Bool {
    guard !hasEffects else { return false }
    let plain = plainAssignments
    let left = statements.filter { statement in
      switch statement {
      case .assignment(let property, _): !others.contains(property)
      case .plainSuperclass: false
      case .other: true
      }
    }
    return plain.subtracting(others).count == left.count && plain.isSubset(of: labels)
  }

  package func takes(_ labels: [String]) -> Bool {
    var labels = labels[...]
    for parameter in parameters {
      if parameter.label == labels.first {
        labels.removeFirst()
      } else if parameter.defaultValue == nil {
        return false
      }
    }
    return labels.isEmpty
  }
}

extension WrittenInitializer.Statement {
  fileprivate init(_ item: CodeBlockItemSyntax, parameters: Set<String>) {
    self = .other
    guard case .expr(let expression) = item.item else { return }
    if let call = expression.as(FunctionCallExprSyntax.self),
      let member = call.calledExpression.as(MemberAccessExprSyntax.self),
      member.base?.is(SuperExprSyntax.self) ?? false,
      call.arguments.allSatisfy({
        $0.label?.plain == $0.expression.as(DeclReferenceExprSyntax.self)?.baseName.plain
      })
    {
      self = .plainSuperclass
    }
    guard let elements = expression.as(SequenceExprSyntax.self)?.elements.map({ $0 }),
      elements.count >= 3, elements[1].is(AssignmentExprSyntax.self)
    else { return }
    if let member = elements[0].as(MemberAccessExprSyntax.self),
      member.base?.as(DeclReferenceExprSyntax.self)?.baseName.tokenKind == .keyword(.self)
    {
      self = .assignment(to: member.declName.baseName.plain, value: Array(elements[2...]))
    } else if let name = elements[0].as(DeclReferenceExprSyntax.self)?.baseName.plain,
      !parameters.contains(name)
    {
      self = .assignment(to: name, value: Array(elements[2...]))
    }
  }
}
