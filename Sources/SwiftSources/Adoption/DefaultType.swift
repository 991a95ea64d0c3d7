internal import SchemaModel
internal import SwiftSyntax

/// The type of a property that is declared by its default alone: `var id = UUID()`.
///
/// What the compiler would have to be asked for is not guessed.
struct DefaultType {
  let index: SourceIndex
  let scope: [String]

  /// The type as syntax or as a name; nil where it cannot be told from the source.
  indirect enum Found {
    case name([String])
    case syntax(TypeSyntax, scope: [String])
    case array(Found)
    case dictionary(Found, Found)
    case optional(Found)
  }

  func type(of expression: ExprSyntax, depth: Int = 0) -> Found? {
    guard depth < 8 else { return nil }
    if expression.is(StringLiteralExprSyntax.self) { return .name(["String"]) }
    if expression.is(IntegerLiteralExprSyntax.self) { return .name(["Int"]) }
    if expression.is(FloatLiteralExprSyntax.self) { return .name(["Double"]) }
    if expression.is(BooleanLiteralExprSyntax.self) { return .name(["Bool"]) }
    if let sign = expression.as(PrefixOperatorExprSyntax.self) {
      return ["-", "+", "!"].contains(sign.operator.text)
        ? type(of: sign.expression, depth: depth + 1) : nil
    }
    if let forced = expression.as(ForceUnwrapExprSyntax.self) {
      return type(of: forced.expression, depth: depth + 1)
    }
    if let tuple = expression.as(TupleExprSyntax.self), tuple.elements.count == 1 {
      return type(of: tuple.elements.first!.expression, depth: depth + 1)
    }
    if let array = expression.as(ArrayExprSyntax.self) { return self.type(of: array, depth) }
    if let dictionary = expression.as(DictionaryExprSyntax.self),
      case .elements(let elements) = dictionary.content, let first = elements.first,
      let key = type(of: first.key, depth: depth + 1),
      let value = type(of: first.value, depth: depth + 1)
    {
      return .dictionary(key, value)
    }
    if let sequence = expression.as(SequenceExprSyntax.self) { return cast(sequence) }
    if let call = expression.as(FunctionCallExprSyntax.self) { return self.type(of: call, depth) }
    if let path = expression.memberPath { return self.type(ofMember: path, depth) }
    return nil
  }

  /// All elements have to be of one kind.
  private func type(of array: ArrayExprSyntax, _ depth: Int) -> Found? {
    let kinds = array.elements.map { type(of: $0.expression, depth: depth + 1) }
    guard let first = kinds.first, let first else { return nil }
    let isUniform = kinds.allSatisfy { $0.map { "\($0)" == "\(first)" } ?? false }
    return isUniform ? .array(first) : nil
  }

  /// `0 as Int32`
  private func cast(_ sequence: SequenceExprSyntax) -> Found? {
    let elements = Array(sequence.elements)
    guard elements.count == 3, elements[1].is(UnresolvedAsExprSyntax.self),
      let type = elements[2].as(TypeExprSyntax.self)
    else { return nil }
    return .syntax(type.type, scope: scope)
  }

  private func type(of call: FunctionCallExprSyntax, _ depth: Int) -> Found? {
    let called = call.calledExpression
    // `[Habit]()`, `[String: Int]()`
    if let array = called.as(ArrayExprSyntax.self), array.elements.count == 1,
      let element = array.elements.first?.expression.memberPath
    {
      return .array(.name(element))
    }
    if let dictionary = called.as(DictionaryExprSyntax.self),
      case .elements(let elements) = dictionary.content, elements.count == 1,
      let key = elements.first?.key.memberPath, let value = elements.first?.value.memberPath
    {
      return .dictionary(.name(key), .name(value))
    }
    // `Array<Habit>()`
    if let generic = called.as(GenericSpecializationExprSyntax.self),
      let name = generic.expression.memberPath?.last
    {
      let arguments = generic.genericArgumentClause.arguments.compactMap {
        $0.argument.as(TypeSyntax.self)
      }
      switch (name, arguments.count) {
      case ("Array", 1): return .array(.syntax(arguments[0], scope: scope))
      case ("Optional", 1): return .optional(.syntax(arguments[0], scope: scope))
      case ("Dictionary", 2):
        return .dictionary(
          .syntax(arguments[0], scope: scope), .syntax(arguments[1], scope: scope))
      default: return nil
      }
    }
    guard var path = called.memberPath else { return nil }
    if path.last == "init" { path.removeLast() }
    guard let last = path.last, !path.isEmpty else { return nil }
    if TypeResolver.isKnown(last), path.count <= 2 { return .name(path) }
    if index.type(named: path, in: scope) != nil { return .name(path) }
    return function(path, depth)
  }

  /// What a static function of a type of the tree returns.
  private func function(_ path: [String], _ depth: Int) -> Found? {
    guard path.count > 1, let type = index.type(named: Array(path.dropLast()), in: scope) else {
      return nil
    }
    for member in index.members(of: type.path) {
      if let function = member.as(FunctionDeclSyntax.self), function.modifiers.isStatic,
        function.name.plain == path.last, let result = function.signature.returnClause?.type
      {
        return .syntax(result, scope: type.path)
      }
      // An enum's case with values.
      if hasCase(member, path[path.count - 1]) { return .name(type.path) }
    }
    return nil
  }

  /// Members of types that every app uses.
  private static let members: [String: String] = [
    "Date.now": "Date", "Date.distantPast": "Date", "Date.distantFuture": "Date",
    "Int.max": "Int", "Int.min": "Int", "Int.zero": "Int", "Double.pi": "Double",
    "Double.zero": "Double", "Double.infinity": "Double",
    "Double.greatestFiniteMagnitude": "Double",
    "Decimal.zero": "Decimal", "TimeZone.current.identifier": "String",
    "TimeZone.autoupdatingCurrent.identifier": "String", "Locale.current.identifier": "String",
    "Locale.autoupdatingCurrent.identifier": "String", "String.empty": "String",
  ]

  private func type(ofMember path: [String], _ depth: Int) -> Found? {
    if let known = Self.members[path.joined(separator: ".")] { return .name([known]) }
    guard path.count > 1 else { return nil }
    let owner = Array(path.dropLast())
    if path.last == "rawValue", let raw = rawType(ofCase: owner) { return raw }
    guard let type = index.type(named: owner, in: scope) else { return nil }
    for member in index.members(of: type.path) {
      if hasCase(member, path[path.count - 1]) { return .name(type.path) }
      guard let variable = member.as(VariableDeclSyntax.self), variable.modifiers.isStatic else {
        continue
      }
      for binding in variable.bindings
      where binding.pattern.trimmedDescription == path[path.count - 1] {
        if let annotation = binding.typeAnnotation {
          return .syntax(annotation.type, scope: type.path)
        }
        if let value = binding.initializer?.value {
          return DefaultType(index: index, scope: type.path).type(of: value, depth: depth + 1)
        }
      }
    }
    return nil
  }

  private func hasCase(_ member: DeclSyntax, _ name: String) -> Bool {
    member.as(EnumCaseDeclSyntax.self)?.elements.contains { $0.name.plain == name } ?? false
  }

  /// The raw type of the enum that a case belongs to.
  private func rawType(ofCase path: [String]) -> Found? {
    guard path.count > 1, let type = index.type(named: Array(path.dropLast()), in: scope),
      type.kind == .enumeration, let raw = type.inherited.first,
      StorageType.Primitive.bySwiftName[raw] != nil
    else { return nil }
    return .name([raw])
  }
}

extension TypeResolver {
  /// A type that was found from a default.
  mutating func type(
    _ found: DefaultType.Found, in scope: [String]
  ) throws(Failure) -> TypeReference {
    switch found {
    case .name(let parts):
      return try named(parts, arguments: [], in: scope, depth: 0)
    case .syntax(let syntax, let scope): return try type(syntax, in: scope)
    case .array(let element): return .array(try type(element, in: scope))
    case .optional(let wrapped): return try type(wrapped, in: scope).optionalized
    case .dictionary(let key, let value):
      return .dictionary(try type(key, in: scope), try type(value, in: scope))
    }
  }
}
