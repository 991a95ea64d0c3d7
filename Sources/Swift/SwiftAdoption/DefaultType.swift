internal import SchemaModel
internal import SwiftSources
internal import SwiftSyntax

/// Infers the type of a property that has only a default: `var id = UUID()`.
///
/// A type that only the compiler knows is not guessed.
struct DefaultType {
  let index: SourceIndex
  let scope: [String]

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
      let type = type(of: forced.expression, depth: depth + 1)
      if case .optional(let wrapped)? = type { return wrapped }
      return type
    }
    if let tuple = expression.as(TupleExprSyntax.self), tuple.elements.count == 1 {
      return type(of: tuple.elements.first!.expression, depth: depth + 1)
    }
    if let array = expression.as(ArrayExprSyntax.self) { return self.type(of: array, depth) }
    if let dictionary = expression.as(DictionaryExprSyntax.self),
      case .elements(let elements) = dictionary.content
    {
      guard let key = common(elements.map(\.key), depth),
        let value = common(elements.map(\.value), depth)
      else { return nil }
      return .dictionary(key, value)
    }
    if let sequence = expression.as(SequenceExprSyntax.self) { return cast(sequence) }
    // `Habit?.none`, `[Habit]?.some([])`
    let called = expression.as(FunctionCallExprSyntax.self)?.calledExpression ?? expression
    if let member = called.as(MemberAccessExprSyntax.self),
      ["none", "some"].contains(member.declName.baseName.plain),
      let base = member.base?.as(OptionalChainingExprSyntax.self)
    {
      return written(ExprSyntax(base))
    }
    if let call = expression.as(FunctionCallExprSyntax.self) { return self.type(of: call, depth) }
    if let path = expression.memberPath { return self.type(ofMember: path, depth) }
    if let member = expression.as(MemberAccessExprSyntax.self), let base = member.base {
      return property(member.declName.baseName.plain, of: type(of: base, depth: depth + 1))
    }
    return nil
  }

  private func type(of array: ArrayExprSyntax, _ depth: Int) -> Found? {
    common(array.elements.map(\.expression), depth).map(Found.array)
  }

  /// The type of some values if they all have the same one. Only the compiler knows the type of `[1, 2.5]`.
  private func common(_ values: [ExprSyntax], _ depth: Int) -> Found? {
    let kinds = values.map { type(of: $0, depth: depth + 1) }
    guard let first = kinds.first, let first else { return nil }
    let isUniform = kinds.allSatisfy { $0.map { "\($0)" == "\(first)" } ?? false }
    return isUniform ? first : nil
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
    var called = call.calledExpression
    if let member = called.as(MemberAccessExprSyntax.self), let base = member.base,
      member.declName.baseName.text == "init"
    {
      called = base
    }
    // `[Habit]()`, `[String: [Int]]()`, `Set<String>()`
    if called.memberPath == nil { return made(written: called, call) ?? method(call, depth) }
    guard let path = called.memberPath, let last = path.last else { return nil }
    if TypeResolver.isKnown(last), path.count <= 2 { return made(last, call, path) }
    if let type = index.type(named: path, in: scope) {
      guard let isFailable = isFailable(call, type) else { return nil }
      return isFailable ? .optional(.name(path)) : .name(path)
    }
    return function(path, depth) ?? method(call, depth)
  }

  /// The type of a call that writes out its type: `[Int](repeating: 0, count: 7)`, `Box<Date?>(nil)`.
  private func made(written called: ExprSyntax, _ call: FunctionCallExprSyntax) -> Found? {
    guard let found = written(called) else { return nil }
    if call.arguments.isEmpty, call.trailingClosure == nil { return found }
    guard let generic = called.as(GenericSpecializationExprSyntax.self) else {
      // No initialiser of a collection can fail.
      return called.is(ArrayExprSyntax.self) || called.is(DictionaryExprSyntax.self) ? found : nil
    }
    guard let path = generic.expression.memberPath else { return nil }
    if ["Set", "Array", "Dictionary"].contains(path.joined()) { return found }
    guard let type = index.type(named: path, in: scope), let isFailable = isFailable(call, type)
    else { return nil }
    return isFailable ? .optional(found) : found
  }

  private static let methods: [String: String] = [
    "String.lowercased": "String", "String.uppercased": "String", "Date.addingTimeInterval": "Date",
    "Calendar.startOfDay": "Date",
  ]

  private func method(_ call: FunctionCallExprSyntax, _ depth: Int) -> Found? {
    guard let member = call.calledExpression.as(MemberAccessExprSyntax.self),
      let base = member.base
    else { return nil }
    var owner = type(of: base, depth: depth + 1)
    if base.memberPath == ["Calendar", "current"] { owner = .name(["Calendar"]) }
    guard case .name(let parts)? = owner, parts.count == 1 else { return nil }
    return Self.methods["\(parts[0]).\(member.declName.baseName.plain)"].map { .name([$0]) }
  }

  private static let properties: [String: String] = [
    "UUID.uuidString": "String", "Date.timeIntervalSince1970": "Double",
    "Date.timeIntervalSinceReferenceDate": "Double", "Date.timeIntervalSinceNow": "Double",
    "URL.absoluteString": "String", "URL.path": "String", "String.count": "Int",
  ]

  private func property(_ name: String, of owner: Found?, depth: Int = 0) -> Found? {
    guard depth < 8 else { return nil }
    switch owner {
    case .name(let parts)?:
      if parts.count == 1, let known = Self.properties["\(parts[0]).\(name)"] {
        return .name([known])
      }
      guard let type = index.type(named: parts, in: scope) else { return nil }
      for member in index.members(of: type.path) {
        guard let variable = member.as(VariableDeclSyntax.self), !variable.modifiers.isStatic
        else { continue }
        for (binding, annotation) in variable.typedBindings
        where binding.pattern.trimmedDescription == name {
          if let annotation { return .syntax(annotation, scope: type.path) }
          return binding.initializer.flatMap {
            DefaultType(index: index, scope: type.path).type(of: $0.value, depth: depth + 1)
          }
        }
      }
      return nil
    case .syntax(let syntax, let outer)?:
      guard syntax.is(IdentifierTypeSyntax.self) || syntax.is(MemberTypeSyntax.self) else {
        return nil
      }
      return DefaultType(index: index, scope: outer)
        .property(name, of: .name(syntax.nameParts), depth: depth + 1)
    default: return nil
    }
  }

  private func written(_ expression: ExprSyntax) -> Found? {
    if let path = expression.memberPath { return .name(path) }
    if let optional = expression.as(OptionalChainingExprSyntax.self) {
      return written(optional.expression).map(Found.optional)
    }
    if let array = expression.as(ArrayExprSyntax.self), array.elements.count == 1 {
      return written(array.elements.first!.expression).map(Found.array)
    }
    if let dictionary = expression.as(DictionaryExprSyntax.self),
      case .elements(let elements) = dictionary.content, elements.count == 1,
      let key = written(elements.first!.key), let value = written(elements.first!.value)
    {
      return .dictionary(key, value)
    }
    if let generic = expression.as(GenericSpecializationExprSyntax.self) {
      return .syntax(
        TypeSyntax(
          IdentifierTypeSyntax(
            name: .identifier(generic.expression.trimmedDescription),
            genericArgumentClause: generic.genericArgumentClause)), scope: scope)
    }
    // `Box<Date>.Cache`
    if let member = expression.as(MemberAccessExprSyntax.self), let base = member.base,
      member.declName.baseName.plain.first?.isUppercase ?? false,
      case .syntax(let outer, let scope)? = written(base)
    {
      return .syntax(
        TypeSyntax(
          MemberTypeSyntax(baseType: outer, name: .identifier(member.declName.baseName.plain))),
        scope: scope)
    }
    return nil
  }

  /// The type that an initialiser of a common type makes. Many of these initialisers can fail and so make an optional.
  /// Only the compiler knows the initialisers that are not listed here.
  private func made(_ name: String, _ call: FunctionCallExprSyntax, _ path: [String]) -> Found? {
    let labels = call.arguments.map { $0.label?.text ?? "_" }
    if labels.isEmpty { return .name(path) }
    if Self.certain[name]?.contains(labels.joined(separator: ":")) ?? false { return .name(path) }
    if Self.failable[name]?.contains(labels.joined(separator: ":")) ?? false {
      return .optional(.name(path))
    }
    guard labels == ["_"], let argument = call.arguments.first?.expression else { return nil }
    if argument.is(StringLiteralExprSyntax.self) {
      return name == "String" ? .name(path) : .optional(.name(path))
    }
    let isNumber =
      argument.is(IntegerLiteralExprSyntax.self) || argument.is(FloatLiteralExprSyntax.self)
      || argument.as(PrefixOperatorExprSyntax.self)?.expression.integerValue != nil
    return isNumber ? .name(path) : nil
  }

  private static let certain: [String: Set<String>] = [
    "Date": [
      "timeIntervalSinceNow", "timeIntervalSince1970", "timeIntervalSinceReferenceDate",
      "timeInterval:since",
    ],
    "Data": ["count", "repeating:count"],
    "String": ["repeating:count", "describing", "decoding:as"],
    "UUID": ["uuid"],
    "URL": ["filePath", "fileURLWithPath"],
  ]

  private static let failable: [String: Set<String>] = [
    "UUID": ["uuidString"], "URL": ["string", "string:relativeTo"], "Data": ["base64Encoded"],
    "Decimal": ["string"], "String": ["data:encoding", "bytes:encoding"], "Int": ["exactly"],
    "Int16": ["exactly"], "Int32": ["exactly"], "Int64": ["exactly"], "Double": ["exactly"],
  ]

  /// Whether the called initialiser of a type in the tree can fail; nil if several could be meant.
  private func isFailable(_ call: FunctionCallExprSyntax, _ type: DeclaredType) -> Bool? {
    let labels = call.arguments.map { $0.label?.text ?? "_" }
    if labels == ["rawValue"] { return true }
    let initializers = index.members(of: type.path).compactMap {
      $0.as(InitializerDeclSyntax.self)
    }
    let fitting = initializers.filter { initializer in
      let parameters = initializer.signature.parameterClause.parameters
      // Arguments for parameters with a default can be left out.
      let all = parameters.map { $0.firstName.plain }
      let needed = parameters.filter { $0.defaultValue == nil }.map { $0.firstName.plain }
      return Set(needed).isSubset(of: labels) && Set(labels).isSubset(of: all)
    }
    let answers = Set(fitting.map { $0.optionalMark != nil })
    return answers.count > 1 ? nil : answers.first ?? false
  }

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
      // The call may be an enum's case with associated values.
      if hasCase(member, path[path.count - 1]) { return .name(type.path) }
    }
    return nil
  }

  private static let members: [String: String] = [
    "Date.now": "Date", "Date.distantPast": "Date", "Date.distantFuture": "Date",
    "Int.max": "Int", "Int.min": "Int", "Int.zero": "Int", "Double.pi": "Double",
    "Double.zero": "Double", "Double.infinity": "Double",
    "Double.greatestFiniteMagnitude": "Double",
    "Decimal.zero": "Decimal", "TimeZone.current.identifier": "String",
    "TimeZone.autoupdatingCurrent.identifier": "String", "Locale.current.identifier": "String",
    "Locale.autoupdatingCurrent.identifier": "String",
  ]

  private func type(ofMember path: [String], _ depth: Int) -> Found? {
    if let known = Self.members[path.joined(separator: ".")] { return .name([known]) }
    guard path.count > 1 else { return nil }
    if path.count == 2, ["max", "min", "zero"].contains(path[1]),
      StorageType.Primitive.bySwiftName[path[0]]?.isNumeric ?? false, path[0] != "Bool"
    {
      return .name([path[0]])
    }
    let owner = Array(path.dropLast())
    if path.last == "rawValue", let raw = rawType(ofCase: owner) { return raw }
    guard let type = index.type(named: owner, in: scope) else {
      guard owner.count > 1, depth < 8 else { return nil }
      return property(path[path.count - 1], of: self.type(ofMember: owner, depth + 1))
    }
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

  private func rawType(ofCase path: [String]) -> Found? {
    guard path.count > 1, let type = index.type(named: Array(path.dropLast()), in: scope),
      type.kind == .enumeration, let raw = type.inherited.first,
      StorageType.Primitive.bySwiftName[raw] != nil
    else { return nil }
    return .name([raw])
  }
}

extension TypeResolver {
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
