internal import SwiftSources
internal import SwiftSyntax

/// The functions of a source tree that create containers on disk. Their calls may be in other files.
struct ContainerFunctions: Sendable {
  /// By function, the labels of parameters that keep a container in memory. The key of a static function includes its
  /// type: `Store.make`.
  private var labels: [String: Set<String>] = [:]

  mutating func add(_ source: SwiftSource) {
    let calls = source.syntax.all(FunctionCallExprSyntax.self).filter {
      $0.makesContainer || $0.calledExpression.memberPath?.last == "container"
    }
    guard !calls.isEmpty else { return }
    let values = FileValues(source)
    for call in calls where !call.isInMemory(values) {
      guard let function = values.scope(of: call)?.as(FunctionDeclSyntax.self),
        !Syntax(function).isPreview
      else { continue }
      labels[Self.path(of: function), default: []].formUnion(Self.memoryLabels(of: function))
    }
  }

  func isMade(by call: FunctionCallExprSyntax) -> Bool {
    guard let path = call.calledExpression.memberPath else { return false }
    let around = Syntax(call).enclosingTypes.last
    // `make()` without a type calls a function of the enclosing type, or a global one.
    let names =
      path.count > 1
      ? [path.suffix(2).joined(separator: ".")]
      : [around.map { "\($0).\(path[0])" }, path[0]].compactMap { $0 }
    guard let labels = names.lazy.compactMap({ self.labels[$0] }).first else { return false }
    return !call.isInMemory(byOneOf: labels)
  }

  private static func path(of function: FunctionDeclSyntax) -> String {
    let type = Syntax(function).enclosingTypes.last
    return (type.map { $0 + "." } ?? "") + function.name.plain
  }

  /// The labels of parameters that decide `isStoredInMemoryOnly`, or whose names mention memory.
  static func memoryLabels(of function: FunctionDeclSyntax) -> Set<String> {
    let deciding = Set(
      (function.body.map { $0.all(FunctionCallExprSyntax.self) } ?? []).flatMap(\.arguments)
        .filter { $0.label?.text == "isStoredInMemoryOnly" }
        .compactMap { $0.expression.as(DeclReferenceExprSyntax.self)?.baseName.plain })
    return Set(
      function.signature.parameterClause.parameters.compactMap { parameter in
        let name = (parameter.secondName ?? parameter.firstName).plain
        return deciding.contains(name) || name.words.contains("memory")
          ? parameter.firstName.plain : nil
      })
  }
}

extension FunctionCallExprSyntax {
  func isInMemory(byOneOf labels: Set<String>) -> Bool {
    arguments.contains { argument in
      argument.label.map { labels.contains($0.plain) } ?? false && argument.expression.isTrue
    }
  }
}
