internal import SchemaGit
internal import SchemaLint
package import SchemaModel
internal import SchemaWorkspace
package import SwiftSources
internal import SwiftSyntax

/// A hand-written type that conforms to VersionedSchema.
package struct WrittenVersion {
  package var type: DeclaredType
  /// The value of `versionIdentifier`; nil if it cannot be read.
  package var identifier: VersionNumber?
  var identifierPlace: Place?
  /// The classes of `models`, in order, each once.
  package var classes: [DeclaredType] = []
  /// The releases that stored the version, the oldest first, according to tags.
  var releases: [ReleasedModels.Release] = []
  /// Whether the models come from a tag and not from today's sources.
  var isOfTag = false
  var isAdded: Bool { isOfTag && type.path.isEmpty }

  package var name: String { type.fullName }

  package init(
    type: DeclaredType, identifier: VersionNumber? = nil, identifierPlace: Place? = nil,
    classes: [DeclaredType] = []
  ) {
    self.type = type
    self.identifier = identifier
    self.identifierPlace = identifierPlace
    self.classes = classes
  }

  /// The number in the type's name: 1.10.0 for `SchemaV1p10`, 2.0.1 for `V2_0_1`.
  package var numberInName: VersionNumber? { Self.number(in: type.name) }

  static func number(in name: String) -> VersionNumber? {
    var groups: [String] = []
    var isOpen = false
    var isJoined = false
    for character in name {
      if character.isASCII, character.isNumber {
        if isOpen {
          groups[groups.count - 1].append(character)
        } else if isJoined {
          groups.append(String(character))
        } else {
          groups = [String(character)]
        }
        isOpen = true
        isJoined = false
      } else {
        isJoined = isOpen && ["_", "p", "."].contains(character)
        isOpen = false
      }
    }
    guard (1...3).contains(groups.count) else { return nil }
    return VersionNumber(groups.joined(separator: "."))
  }
}

/// Reads the types that conform to VersionedSchema.
package struct VersionReader {
  let index: SourceIndex
  let conditions: BuildConditions
  /// Models that no file declares, by the names that files may give them. Lists return no class for them.
  let foreign: [String: String]
  package private(set) var findings: [Diagnostic] = []
  package private(set) var missing: Set<String> = []
  /// Lists already read, by the version's name: a later version may use an earlier version's list twice.
  private var known: [String: [DeclaredType]] = [:]

  package init(
    _ index: SourceIndex, _ conditions: BuildConditions, foreign: [String: String] = [:]
  ) {
    self.index = index
    self.conditions = conditions
    self.foreign = foreign
  }

  package mutating func versions() -> [WrittenVersion] {
    var versions: [WrittenVersion] = []
    var seen: Set<String> = []
    for type in index.types where type.kind != .extension {
      guard index.conforms(type.path, to: "VersionedSchema"), seen.insert(type.fullName).inserted
      else { continue }
      versions.append(version(type))
    }
    return versions
  }

  private mutating func version(_ type: DeclaredType) -> WrittenVersion {
    var version = WrittenVersion(type: type)
    let file = index.source(of: type)
    if let value = staticValue("versionIdentifier", of: type.path) {
      version.identifier = number(value, in: type.path)
      version.identifierPlace = file.location(of: value)
      if version.identifier == nil {
        missing.formUnion(index.unknownNames(in: value, type.path))
        findings.append(
          Diagnostic(
            .renumbered, "the version identifier '\(value.oneLine)' cannot be read",
            element: type.fullName, at: file.location(of: value),
            help: [
              "write 'Schema.Version(1, 0, 0)'; until then schemagen takes the number in the type's name"
            ]))
      }
    }
    version.classes = models(of: type.path, at: type.place, seen: [])
    let isDecided = type.isConditional || dependsOnConditions("models", of: type.path)
    if isDecided, !type.isGenerated {
      findings.append(
        .buildCondition("parts of '\(type.fullName)'", element: type.fullName, at: type.place))
    }
    return version
  }

  /// The value of a property, stored or computed, with or without `return`.
  func staticValue(
    _ name: String, of path: [String], isStatic: Bool = true
  ) -> ExprSyntax? {
    for member in index.members(of: path) {
      guard let variable = member.as(VariableDeclSyntax.self),
        variable.modifiers.isStatic == isStatic,
        let binding = variable.bindings.first(where: { $0.pattern.trimmedDescription == name })
      else { continue }
      if let value = binding.initializer?.value { return value }
      switch binding.accessorBlock?.accessors {
      case .getter(let statements)?: return result(of: statements)
      case .accessors(let list)?:
        let getter = list.first { $0.accessorSpecifier.tokenKind == .keyword(.get) }
        return getter?.body.flatMap { result(of: $0.statements) }
      case nil: return nil
      }
    }
    return nil
  }

  /// The type of the instance that a path such as `AppSchema.shared` means, if a static property of that name makes
  /// one.
  private func instance(_ path: [String], in scope: [String]) -> [String]? {
    guard path.count > 1, let name = path.last,
      let owner = index.type(named: Array(path.dropLast()), in: scope)
    else { return nil }
    for member in index.members(of: owner.path) {
      guard let variable = member.as(VariableDeclSyntax.self), variable.modifiers.isStatic else {
        continue
      }
      for (binding, type) in variable.typedBindings
      where binding.pattern.trimmedDescription == name {
        let called =
          type?.nameParts
          ?? binding.initializer?.value.as(FunctionCallExprSyntax.self)?.calledExpression.memberPath
        return called.flatMap { index.type(named: $0, in: owner.path)?.path }
      }
    }
    return nil
  }

  private func dependsOnConditions(_ name: String, of path: [String]) -> Bool {
    index.members(of: path).contains { member in
      guard let variable = member.as(VariableDeclSyntax.self), variable.modifiers.isStatic,
        let binding = variable.bindings.first(where: { $0.pattern.trimmedDescription == name })
      else { return false }
      return binding.tokens(viewMode: .sourceAccurate).contains { $0.tokenKind == .poundIf }
    }
  }

  /// The value that a body returns; `nil` if a condition or a loop may return another value.
  func result(of statements: CodeBlockItemListSyntax) -> ExprSyntax? {
    let items = decided(statements)
    if items.count == 1, case .expr(let expression) = items[0] { return expression }
    for item in items {
      guard case .stmt(let statement) = item else { continue }
      if let value = statement.as(ReturnStmtSyntax.self)?.expression { return value }
      // A nested statement that returns decides the value in a way that cannot be read.
      let returns = statement.tokens(viewMode: .sourceAccurate).contains {
        $0.tokenKind == .keyword(.return)
      }
      if returns { return nil }
    }
    return nil
  }

  private func decided(_ statements: CodeBlockItemListSyntax) -> [CodeBlockItemSyntax.Item] {
    statements.flatMap { statement -> [CodeBlockItemSyntax.Item] in
      guard case .decl(let declaration) = statement.item,
        let config = declaration.as(IfConfigDeclSyntax.self)
      else { return [statement.item] }
      guard case .statements(let inner)? = conditions.active(config)?.elements else { return [] }
      return decided(inner)
    }
  }

  // MARK: What names mean

  typealias Value = (value: ExprSyntax, scope: [String])

  /// The value of a name: a static property, a property of a shared instance, or a constant.
  func value(behind name: ExprSyntax, in scope: [String]) -> Value? {
    guard let path = name.memberPath, let last = path.last, last != "self" else { return nil }
    let owner =
      path.count == 1 ? scope : index.type(named: Array(path.dropLast()), in: scope)?.path
    if let owner, let found = staticValue(last, of: owner), found.id != name.id {
      return (found, owner)
    }
    if let owner = instance(Array(path.dropLast()), in: scope),
      let found = staticValue(last, of: owner, isStatic: false), found.id != name.id
    {
      return (found, owner)
    }
    return path.count == 1 ? index.constant(last, from: name).map { ($0, scope) } : nil
  }

  enum ListPart {
    case element(ExprSyntax, scope: [String])
    /// An expression that lists models, such as `SchemaV1.models`, or one that cannot be read.
    case other(Syntax, scope: [String])
  }

  /// The parts of a list. This follows `+` between lists, the result of a body, and the values of names.
  func parts(of value: ExprSyntax, in scope: [String], depth: Int = 0) -> [ListPart] {
    func parts(_ inner: ExprSyntax, _ scope: [String]) -> [ListPart] {
      self.parts(of: inner, in: scope, depth: depth + 1)
    }
    let other = [ListPart.other(Syntax(value), scope: scope)]
    guard depth < 32 else { return other }
    if let array = value.as(ArrayExprSyntax.self) {
      return array.elements.map { .element($0.expression, scope: scope) }
    }
    if let tuple = value.as(TupleExprSyntax.self), tuple.elements.count == 1 {
      return parts(tuple.elements.first!.expression, scope)
    }
    if let sequence = value.as(SequenceExprSyntax.self) {
      let elements = Array(sequence.elements)
      // `… as [any PersistentModel.Type]` does not change the list.
      if elements[1].is(UnresolvedAsExprSyntax.self) { return parts(elements[0], scope) }
      let signs = elements.compactMap { $0.as(BinaryOperatorExprSyntax.self) }
      guard signs.allSatisfy({ $0.operator.text == "+" }) else { return other }
      return elements.filter { !$0.is(BinaryOperatorExprSyntax.self) }.flatMap { parts($0, scope) }
    }
    if let call = value.as(FunctionCallExprSyntax.self) {
      // `Schema([Habit.self])`, and since SDK 26 `Schema(Habit.self, Room.self)`
      let listed = call.arguments.prefix { $0.label == nil }.map(\.expression)
      if call.calledName == "Schema", let first = listed.first {
        return first.memberPath?.last == "self"
          ? listed.map { .element($0, scope: scope) } : parts(first, scope)
      }
      // `{ [Habit.self] }()`
      if call.arguments.isEmpty, let closure = call.calledExpression.as(ClosureExprSyntax.self),
        let inner = result(of: closure.statements)
      {
        return parts(inner, scope)
      }
    }
    guard let path = value.memberPath else { return other }
    if path.count == 1, let local = local(path[0], from: value, in: scope, depth) { return local }
    guard path.last != "models", let inner = self.value(behind: value, in: scope) else {
      return other
    }
    return parts(inner.value, inner.scope)
  }

  /// The parts of a local variable that a body returns: its first value and everything that was appended to it.
  ///
  /// `nil` if the name is not a local variable.
  private func local(
    _ name: String, from node: some SyntaxProtocol, in scope: [String], _ depth: Int
  ) -> [ListPart]? {
    let bodies = sequence(first: Syntax(node)) { $0.parent }.lazy
      .compactMap { $0.as(CodeBlockItemListSyntax.self) }
      .filter { !($0.parent?.is(SourceFileSyntax.self) ?? true) }
    for body in bodies {
      var found: [ListPart]?
      for item in decided(body) {
        if case .decl(let declaration) = item,
          let binding = declaration.as(VariableDeclSyntax.self)?.bindings.first(where: {
            $0.pattern.trimmedDescription == name
          })
        {
          found =
            binding.initializer.map { parts(of: $0.value, in: scope, depth: depth + 1) }
            ?? [.other(Syntax(binding), scope: scope)]
          continue
        }
        guard found != nil else { continue }
        if case .stmt(let statement) = item, statement.is(ReturnStmtSyntax.self) { break }
        if case .expr(let expression) = item, let added = addition(to: name, expression) {
          found?.append(
            contentsOf: added.isElement
              ? [.element(added.value, scope: scope)]
              : parts(of: added.value, in: scope, depth: depth + 1))
        } else if item.tokens(viewMode: .sourceAccurate).contains(where: { $0.plain == name }) {
          found?.append(.other(Syntax(item), scope: scope))
        }
      }
      if let found { return found }
    }
    return nil
  }

  /// `models.append(Habit.self)`, `models.append(contentsOf: […])`, `models += […]`
  private func addition(
    to name: String, _ expression: ExprSyntax
  ) -> (value: ExprSyntax, isElement: Bool)? {
    if let call = expression.as(FunctionCallExprSyntax.self), call.arguments.count == 1,
      call.calledExpression.memberPath == [name, "append"], let argument = call.arguments.first
    {
      switch argument.label?.text {
      case nil: return (argument.expression, true)
      case "contentsOf": return (argument.expression, false)
      default: return nil
      }
    }
    guard let sequence = expression.as(SequenceExprSyntax.self) else { return nil }
    let elements = Array(sequence.elements)
    guard elements.count == 3, elements[0].memberPath == [name],
      elements[1].as(BinaryOperatorExprSyntax.self)?.operator.text == "+="
    else { return nil }
    return (elements[2], false)
  }

  private func number(_ value: ExprSyntax, in scope: [String], depth: Int = 0) -> VersionNumber? {
    guard depth < 8 else { return nil }
    if let call = value.as(FunctionCallExprSyntax.self) {
      let numbers = call.arguments.map { $0.expression.integerValue }
      guard numbers.count == 3, let major = numbers[0], let minor = numbers[1],
        let patch = numbers[2], numbers.allSatisfy({ (0...Int(Int32.max)).contains($0 ?? -1) })
      else { return nil }
      return VersionNumber(major, minor, patch)
    }
    if let member = value.as(MemberAccessExprSyntax.self), member.base == nil,
      let value = staticValue(member.declName.baseName.plain, of: ["Schema", "Version"])
    {
      return number(value, in: ["Schema", "Version"], depth: depth + 1)
    }
    return self.value(behind: value, in: scope).flatMap {
      number($0.value, in: $0.scope, depth: depth + 1)
    }
  }

  // MARK: Lists of models

  private mutating func models(
    of version: [String], at place: Place, seen: Set<String>
  ) -> [DeclaredType] {
    let name = version.joined(separator: ".")
    if let known = known[name] { return known }
    guard !seen.contains(name) else {
      findings.append(
        Diagnostic(
          .cannotAdopt, "the list of models of '\(name)' refers to itself", element: name,
          at: place, help: ["write the list out: [Habit.self, …]"]))
      return []
    }
    guard let value = staticValue("models", of: version) else {
      findings.append(
        Diagnostic(
          .cannotAdopt, "'\(name)' has no list of models that can be read", element: name,
          at: place,
          help: ["write 'static var models: [any PersistentModel.Type] { [Habit.self] }'"]))
      return []
    }
    var classes: [DeclaredType] = []
    var names: Set<String> = []
    for type in list(value, in: version, seen: seen.union([name]))
    where names.insert(type.fullName).inserted {
      classes.append(type)
    }
    known[name] = classes
    return classes
  }

  mutating func list(
    _ value: ExprSyntax, in scope: [String], seen: Set<String> = []
  ) -> [DeclaredType] {
    var found: [DeclaredType] = []
    for part in parts(of: value, in: scope) {
      switch part {
      case .element(let element, let scope):
        if let type = model(element, in: scope) { found.append(type) }
      case .other(let node, let scope): found += others(node, in: scope, seen: seen)
      }
    }
    return found
  }

  /// The classes of `SchemaV1.models` and `….filter { $0 != Habit.self }`.
  private mutating func others(
    _ node: Syntax, in scope: [String], seen: Set<String>
  ) -> [DeclaredType] {
    if let call = node.as(FunctionCallExprSyntax.self),
      let base = call.calledExpression.as(MemberAccessExprSyntax.self)?.base,
      call.calledExpression.memberName == "filter", let removed = filtered(call, in: scope)
    {
      return list(base, in: scope, seen: seen).filter { !removed.contains($0.fullName) }
    }
    if let path = node.as(ExprSyntax.self)?.memberPath, path.last == "models",
      let owner =
        path.count == 1 ? scope : index.type(named: Array(path.dropLast()), in: scope)?.path
    {
      return models(of: owner, at: index.place(of: node), seen: seen)
    }
    reportUnread(node, in: scope)
    return []
  }

  private mutating func reportUnread(_ node: Syntax, in scope: [String]) {
    missing.formUnion(index.unknownNames(in: node, scope))
    let text = node.oneLine
    findings.append(
      Diagnostic(
        .cannotAdopt,
        "the list of models '\(text.count > 60 ? text.prefix(60) + "…" : text[...])' cannot be read",
        element: scope.joined(separator: "."), at: index.place(of: node),
        help: ["write the list out: [Habit.self, …]"]))
  }

  mutating func model(_ value: ExprSyntax, in scope: [String]) -> DeclaredType? {
    if let path = value.memberPath, path.last == "self" {
      let name = Array(path.dropLast())
      if foreign[name.joined(separator: ".")] != nil, index.type(named: name, in: scope) == nil {
        return nil
      }
      if let type = index.type(named: name, in: scope) {
        let all = index.declarations(of: type.path)
        if all.count > 1 {
          findings.append(
            Diagnostic(
              .cannotAdopt, "'\(type.fullName)' is declared \(all.count) times",
              element: type.fullName, at: type.place,
              related: all.dropFirst().map { .init("here as well", at: $0.place) },
              help: ["name the folders of one target only"]))
        }
        if type.isModel { return type }
        findings.append(
          Diagnostic(
            .cannotAdopt, "'\(type.fullName)' is listed as a model, and is not a '@Model' class",
            element: type.fullName, at: type.place,
            help: ["mark it '@Model', or take it off the list"]))
        return nil
      }
    }
    // The name may be an alias, in a file without models.
    missing.formUnion(index.unknownNames(in: Syntax(value), scope))
    findings.append(
      Diagnostic(
        .cannotAdopt, "no file declares the model '\(value.oneLine)'",
        element: scope.joined(separator: "."), at: index.place(of: value),
        help: ["also name the folder in which it is declared"]))
    return nil
  }

  /// The classes that `{ $0 != Habit.self }` excludes; `nil` for any other filter.
  private func filtered(_ call: FunctionCallExprSyntax, in scope: [String]) -> Set<String>? {
    let closure =
      call.trailingClosure ?? call.arguments.first?.expression.as(ClosureExprSyntax.self)
    guard let body = closure?.statements, body.count == 1,
      let sequence = body.first?.item.as(ExprSyntax.self)?.as(SequenceExprSyntax.self)
    else { return nil }
    var removed: Set<String> = []
    for element in sequence.elements {
      if let sign = element.as(BinaryOperatorExprSyntax.self) {
        guard ["!=", "&&", "!=="].contains(sign.operator.text) else { return nil }
      } else if let path = element.memberPath, path.last == "self",
        let type = index.type(named: Array(path.dropLast()), in: scope)
      {
        removed.insert(type.fullName)
      }
    }
    return removed
  }
}
