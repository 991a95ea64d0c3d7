internal import SchemaLint
internal import SchemaModel
internal import SchemaWorkspace
internal import SwiftSyntax

/// Reads from `toEntity()` which entity a model becomes, and how its properties appear in that.
struct ConverterReader {
  let index: SourceIndex
  let type: DeclaredType

  /// Says in the model what our own converter says. A hand-written one may do anything, in both directions, so it stays
  /// the app's; that is returned.
  ///
  /// - Parameter isNewest: Whether names in the entity are those that this version has, rather than later ones.
  func apply(to model: inout Model, isNewest: Bool) -> Diagnostic? {
    guard let function = converter,
      let result = function.signature.returnClause?.type.nameParts.last
    else { return nil }
    guard type.isGenerated else {
      return Diagnostic(
        .notCarried, "hand-written converters stay yours", element: model.name,
        at: index.place(of: function.name),
        help: [
          "put 'toEntity()' and 'fromEntity(_:)' into extensions of the generated models",
          "or write 'entity: \(result)' in all manifests to generate those of every version",
        ])
    }
    let calls = function.body.map { $0.all(FunctionCallExprSyntax.self) } ?? []
    model.entity = result
    readEncodings(calls, &model)
    if isNewest, let call = calls.first(where: { $0.calledExpression.memberPath == [result] }) {
      readNames(call, &model)
    }
    return nil
  }

  /// Reads which property each of the entity's values is.
  private func readNames(_ call: FunctionCallExprSyntax, _ model: inout Model) {
    var mapped: Set<Int> = []
    for argument in call.arguments {
      // Some values are not a property's, such as nil for what came later.
      guard let label = argument.label?.plain,
        let (name, form, keys) = Self.property(argument.expression),
        let place = model.properties.firstIndex(where: { $0.name == name })
      else { continue }
      mapped.insert(place)
      model.properties[place].mapping = EntityMapping(
        name: label == name ? nil : label, form: form, sortedBy: keys.map { Located($0) })
    }
    for place in model.properties.indices where !mapped.contains(place) {
      // Transient properties are in no entity, and nothing has to be said about that.
      model.properties[place].mapping =
        model.properties[place].isTransient ? EntityMapping() : EntityMapping(form: .omit)
    }
  }

  private var converter: FunctionDeclSyntax? {
    index.members(of: type.path).lazy.compactMap { $0.as(FunctionDeclSyntax.self) }.first {
      $0.name.text == "toEntity" && $0.signature.parameterClause.parameters.isEmpty
    }
  }

  /// `StoredJSON.decode(Settings.self, from: settingsData, or: Settings())`
  private func readEncodings(_ calls: [FunctionCallExprSyntax], _ model: inout Model) {
    for call in calls where call.calledExpression.memberName == "decode" {
      guard let source = call.arguments.dropFirst().first?.expression.stored,
        let place = model.properties.firstIndex(where: { $0.name == source }),
        case .attribute(var attribute) = model.properties[place].kind,
        let fallback = call.arguments.first(where: { $0.label?.text == "or" })?.expression,
        !fallback.isNil
      else { continue }
      attribute.fallback = try? SwiftExpression(fallback.oneLine)
      model.properties[place].kind = .attribute(attribute)
    }
  }

  /// The property that an argument of a generated converter reads, how it appears in the entity, and by what a list is
  /// sorted.
  private static func property(
    _ expression: ExprSyntax
  ) -> (name: String, form: EntityMapping.Form, keys: [String])? {
    if let name = expression.stored { return (name, .value, []) }
    if let call = expression.as(FunctionCallExprSyntax.self) {
      if call.calledExpression.memberName == "decode",
        let name = call.arguments.dropFirst().first?.expression.stored
      {
        return (name, .value, [])
      }
      guard let member = call.calledExpression.as(MemberAccessExprSyntax.self),
        let (name, keys) = member.base.flatMap(list)
      else { return nil }
      switch member.declName.baseName.text {
      case "map":
        // `books.map(\.id)` or `books.map { $0.toEntity() }`
        return (name, call.trailingClosure == nil ? .identifiers : .value, keys)
      case "toEntity": return (name, .value, [])
      default: return nil
      }
    }
    if let member = expression.as(MemberAccessExprSyntax.self),
      member.declName.baseName.text == "id", let name = member.base?.stored
    {
      return (name, .identifiers, [])
    }
    if let sequence = expression.as(SequenceExprSyntax.self), let first = sequence.elements.first {
      return property(first)
    }
    return nil
  }

  /// `books`, or `books.sorted { ($0.title, $0.id) < ($1.title, $1.id) }` with its keys.
  private static func list(_ expression: ExprSyntax) -> (name: String, keys: [String])? {
    if let name = expression.stored { return (name, []) }
    guard let call = expression.as(FunctionCallExprSyntax.self),
      let member = call.calledExpression.as(MemberAccessExprSyntax.self),
      member.declName.baseName.text == "sorted", let name = member.base?.stored,
      let order = call.trailingClosure?.statements.first?.item.as(SequenceExprSyntax.self),
      let first = order.elements.first
    else { return nil }
    let keys = first.as(TupleExprSyntax.self)?.elements.map(\.expression) ?? [first]
    let names = keys.compactMap { $0.as(MemberAccessExprSyntax.self)?.declName.baseName.plain }
    return names.isEmpty ? nil : (name, names)
  }
}

extension ExprSyntax {
  /// The property that an expression reads: `name`, `self.name`, `name?`, `name!`.
  fileprivate var stored: String? {
    if let chain = self.as(OptionalChainingExprSyntax.self) { return chain.expression.stored }
    if let forced = self.as(ForceUnwrapExprSyntax.self) { return forced.expression.stored }
    guard let path = memberPath else { return nil }
    if path.count == 2, path[0] == "self" { return path[1] }
    return path.count == 1 ? path[0] : nil
  }
}
