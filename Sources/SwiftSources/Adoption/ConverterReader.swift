internal import SchemaModel
internal import SwiftSyntax

/// Reads from `toEntity()` which entity a model becomes, and how its properties appear in that.
struct ConverterReader {
  let index: SourceIndex
  let type: DeclaredType

  /// Says in the model what the converter says.
  ///
  /// - Parameter isNewest: Whether names in the entity are those that this version has, rather than later ones.
  func apply(to model: inout Model, isNewest: Bool) {
    guard let function = converter, let result = function.signature.returnClause?.type.nameParts.last
    else { return }
    model.entity = result
    let calls = CallFinder(viewMode: .sourceAccurate)
    if let body = function.body { calls.walk(body) }
    readEncodings(calls.calls, &model)
    // Hand-written converters may do anything; names are taken from our own only.
    guard type.isGenerated, isNewest,
      let call = calls.calls.first(where: { $0.calledExpression.memberPath == [result] })
    else { return }
    var mapped: Set<String> = []
    for argument in call.arguments {
      guard let label = argument.label?.plainText,
        let (name, form) = Self.property(argument.expression),
        let place = model.properties.firstIndex(where: { $0.name == name })
      else { continue }
      mapped.insert(name)
      model.properties[place].mapping = EntityMapping(name: label == name ? nil : label, form: form)
    }
    for index in model.properties.indices
    where !mapped.contains(model.properties[index].name) {
      model.properties[index].mapping = EntityMapping(form: .omit)
    }
    // Transient properties are in no entity, and nothing has to be said about that.
    for index in model.properties.indices where model.properties[index].isTransient {
      model.properties[index].mapping = EntityMapping()
    }
  }

  private var converter: FunctionDeclSyntax? {
    index.members(of: type.path).lazy.compactMap { $0.as(FunctionDeclSyntax.self) }.first {
      $0.name.text == "toEntity" && $0.signature.parameterClause.parameters.isEmpty
    }
  }

  /// `decode(Settings.self, from: settingsData)`, whoever decodes.
  private func readEncodings(_ calls: [FunctionCallExprSyntax], _ model: inout Model) {
    for call in calls {
      let labels = call.arguments.map { $0.label?.text }
      guard let name = call.calledExpression.memberName,
        ["decode", "decodeIfPresent"].contains(name), labels.starts(with: [nil, "from"]),
        let decoded = call.arguments.first?.expression.as(MemberAccessExprSyntax.self),
        decoded.declName.baseName.text == "self", let base = decoded.base,
        let source = call.arguments.dropFirst().first?.expression.stored,
        let place = model.properties.firstIndex(where: { $0.name == source }),
        case .attribute(var attribute) = model.properties[place].kind,
        ["Data", "String"].contains(attribute.type.unwrapped.description),
        let encoded = try? TypeReference(parsing: base.oneLine)
      else { continue }
      attribute.encodes = encoded
      if let fallback = call.arguments.first(where: { $0.label?.text == "or" })?.expression,
        !fallback.is(NilLiteralExprSyntax.self)
      {
        attribute.fallback = try? SwiftExpression(fallback.oneLine)
      }
      model.properties[place].kind = .attribute(attribute)
    }
  }

  /// The property that an argument of a generated converter reads, and how it appears in the entity.
  private static func property(
    _ expression: ExprSyntax
  ) -> (name: String, form: EntityMapping.Form)? {
    if let name = expression.stored { return (name, .value) }
    if let call = expression.as(FunctionCallExprSyntax.self) {
      if call.calledExpression.memberName == "decode",
        let name = call.arguments.dropFirst().first?.expression.stored
      {
        return (name, .value)
      }
      guard let member = call.calledExpression.as(MemberAccessExprSyntax.self),
        let name = member.base?.stored
      else { return nil }
      switch member.declName.baseName.text {
      case "map":
        // `books.map(\.id)` or `books.map { $0.toEntity() }`
        return (name, call.trailingClosure == nil ? .identifiers : .value)
      case "toEntity": return (name, .value)
      default: return nil
      }
    }
    if let member = expression.as(MemberAccessExprSyntax.self),
      member.declName.baseName.text == "id", let name = member.base?.stored
    {
      return (name, .identifiers)
    }
    if let sequence = expression.as(SequenceExprSyntax.self), let first = sequence.elements.first {
      return property(first)
    }
    return nil
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

/// All calls below a piece of syntax, outermost first.
private final class CallFinder: SyntaxVisitor {
  private(set) var calls: [FunctionCallExprSyntax] = []

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    calls.append(node)
    return .visitChildren
  }
}
