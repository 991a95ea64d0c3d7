internal import SchemaDiagnostics
internal import SchemaLint
internal import SchemaModel
internal import SwiftSyntax

/// Reads from `toEntity()` which entity a model becomes, and how its properties appear in that.
struct ConverterReader {
  let index: SourceIndex
  let type: DeclaredType

  /// Says in the model what the converter says; what cannot be said is returned, and the model stays without an entity.
  ///
  /// - Parameter isNewest: Whether names in the entity are those that this version has, rather than later ones.
  func apply(to model: inout Model, isNewest: Bool) -> Diagnostic? {
    guard let function = converter,
      let result = function.signature.returnClause?.type.nameParts.last
    else { return nil }
    let calls = CallFinder(viewMode: .sourceAccurate)
    if let body = function.body { calls.walk(body) }
    var read = model
    read.entity = result
    readEncodings(calls, &read)
    if isNewest {
      let call = calls.calls.first { $0.calledExpression.memberPath == [result] }
      guard let call, readNames(call, &read) else {
        return Diagnostic(
          .notCarried, "this converter does more than a manifest can say, so it stays yours",
          element: model.name, at: index.place(of: function.name),
          help: [
            "put it into an extension of the model's active alias, with those of older versions",
            "or say 'entity: \(result)' in the manifests, and have all of them generated",
          ])
      }
    }
    model = read
    return nil
  }

  /// Reads which property each of the entity's values is; false where one is none, or where the order is another.
  private func readNames(_ call: FunctionCallExprSyntax, _ model: inout Model) -> Bool {
    var last = -1
    var mapped: Set<Int> = []
    for argument in call.arguments {
      guard let label = argument.label?.plain,
        let (name, form) = Self.property(argument.expression),
        let place = model.properties.firstIndex(where: { $0.name == name })
      else {
        // Ours may hold values that no property has, such as nil for what came later.
        if type.isGenerated { continue }
        return false
      }
      guard place > last || type.isGenerated else { return false }
      last = place
      mapped.insert(place)
      let isEncodedWithout =
        argument.expression.is(FunctionCallExprSyntax.self) && form == .value
        && model.properties[place].attribute?.encodes == nil
        && model.properties[place].relationship == nil
      if isEncodedWithout { return false }
      model.properties[place].mapping = EntityMapping(name: label == name ? nil : label, form: form)
    }
    for place in model.properties.indices where !mapped.contains(place) {
      // Transient properties are in no entity, and nothing has to be said about that.
      model.properties[place].mapping =
        model.properties[place].isTransient ? EntityMapping() : EntityMapping(form: .omit)
    }
    return true
  }

  private var converter: FunctionDeclSyntax? {
    index.members(of: type.path).lazy.compactMap { $0.as(FunctionDeclSyntax.self) }.first {
      $0.name.text == "toEntity" && $0.signature.parameterClause.parameters.isEmpty
    }
  }

  /// `decode(Settings.self, from: settingsData)`, whoever decodes, with what stands in where that fails.
  private func readEncodings(_ finder: CallFinder, _ model: inout Model) {
    for call in finder.calls {
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
      let written = call.arguments.first { $0.label?.text == "or" }?.expression
      if let fallback = written ?? finder.fallback(of: call),
        !fallback.isNil
      {
        let isImplicit = fallback.as(MemberAccessExprSyntax.self).map { $0.base == nil } ?? false
        attribute.fallback = try? SwiftExpression(
          (isImplicit ? encoded.description : "") + fallback.oneLine)
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

/// All calls below a piece of syntax, outermost first, and what surrounds them.
private final class CallFinder: SyntaxVisitor {
  private(set) var calls: [FunctionCallExprSyntax] = []

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    calls.append(node)
    return .visitChildren
  }

  /// What stands behind `??` after a call: `(try? decoder.decode(…)) ?? .current`.
  func fallback(of call: FunctionCallExprSyntax) -> ExprSyntax? {
    var node = Syntax(call)
    while let parent = node.parent, !parent.is(CodeBlockItemSyntax.self) {
      if let sequence = parent.as(ExprListSyntax.self)?.parent?.as(SequenceExprSyntax.self) {
        let elements = Array(sequence.elements)
        if elements.count == 3,
          elements[1].as(BinaryOperatorExprSyntax.self)?.operator.text == "??",
          elements[0].id == node.id
        {
          return elements[2]
        }
      }
      node = parent
    }
    return nil
  }
}
