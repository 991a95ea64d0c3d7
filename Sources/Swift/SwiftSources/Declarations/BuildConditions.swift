package import SwiftSyntax

/// Which clauses of `#if` count: those of the app as it ships on one platform.
package struct BuildConditions: Sendable {
  /// The platform as `os(…)` names it.
  package var platform: String
  /// Compilation conditions that are set; `DEBUG` is not, since what ships is a release.
  package var defines: Set<String>

  package init(platform: String = "iOS", defines: Set<String> = []) {
    self.platform = platform
    self.defines = defines
  }

  /// The clause that counts; nil where none does.
  package func active(_ config: IfConfigDeclSyntax) -> IfConfigClauseSyntax? {
    config.clauses.first { clause in
      guard let condition = clause.condition else { return true }
      return holds(condition)
    }
  }

  /// Declarations with those of the `#if` clauses that count, and whether each depends on one.
  func decided(
    _ declarations: [DeclSyntax]
  ) -> [(declaration: DeclSyntax, isConditional: Bool)] {
    declarations.flatMap { declaration -> [(declaration: DeclSyntax, isConditional: Bool)] in
      guard let config = declaration.as(IfConfigDeclSyntax.self) else {
        return [(declaration, false)]
      }
      let inner: [DeclSyntax] =
        switch active(config)?.elements {
        case .statements(let statements)?:
          statements.compactMap { $0.item.as(DeclSyntax.self) }
        case .decls(let members)?: members.map(\.decl)
        default: []
        }
      return decided(inner).map { ($0.declaration, true) }
    }
  }

  func holds(_ condition: ExprSyntax) -> Bool {
    if let sequence = condition.as(SequenceExprSyntax.self) { return holds(sequence) }
    if let prefix = condition.as(PrefixOperatorExprSyntax.self) {
      return prefix.operator.text == "!" && !holds(prefix.expression)
    }
    if let tuple = condition.as(TupleExprSyntax.self), let only = tuple.elements.first {
      return holds(only.expression)
    }
    if let literal = condition.as(BooleanLiteralExprSyntax.self) {
      return literal.literal.text == "true"
    }
    if let name = condition.as(DeclReferenceExprSyntax.self) {
      return defines.contains(name.baseName.text)
    }
    if let call = condition.as(FunctionCallExprSyntax.self) { return holds(call) }
    return false
  }

  /// Operators stand in a row as they were written: `||` binds weaker than `&&`.
  private func holds(_ sequence: SequenceExprSyntax) -> Bool {
    var alternatives: [[ExprSyntax]] = [[]]
    for element in sequence.elements {
      if let sign = element.as(BinaryOperatorExprSyntax.self) {
        if sign.operator.text == "||" { alternatives.append([]) }
      } else {
        alternatives[alternatives.count - 1].append(element)
      }
    }
    return alternatives.contains { $0.allSatisfy(holds) }
  }

  private static let appKitPlatforms: Set<String> = ["macOS"]

  private func holds(_ call: FunctionCallExprSyntax) -> Bool {
    let argument = call.arguments.first?.expression.trimmedDescription ?? ""
    switch call.calledExpression.trimmedDescription {
    case "os", "platform": return argument == platform
    case "canImport":
      switch argument {
      case "AppKit", "Cocoa": return Self.appKitPlatforms.contains(platform)
      case "UIKit": return !Self.appKitPlatforms.contains(platform)
      case "WatchKit": return platform == "watchOS"
      default: return true
      }
    case "swift", "compiler", "hasFeature", "hasAttribute": return true
    case "arch": return argument == "arm64"
    default: return false
    }
  }
}
