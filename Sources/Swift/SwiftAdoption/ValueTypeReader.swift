internal import SchemaEvolution
internal import SchemaLint
internal import SchemaModel
internal import SchemaWorkspace
internal import SwiftSources
internal import SwiftSyntax

extension TypeReference {
  fileprivate var namesOfColumns: [String] {
    isCollection ? [] : names
  }

  /// The names in the arguments of a generic type, wherever that type occurs in this one.
  fileprivate func arguments(of name: String) -> [String] {
    switch self {
    case .optional(let type), .array(let type): type.arguments(of: name)
    case .dictionary(let key, let value): key.arguments(of: name) + value.arguments(of: name)
    case .named(let own, let arguments):
      (own == name ? arguments.flatMap { $0.names.sorted() } : [])
        + arguments.flatMap { $0.arguments(of: name) }
    }
  }
}

/// Reads the enums and structs that models store.
struct ValueTypeReader {
  let index: SourceIndex
  private let code: SourceIndex
  var types: TypeResolver
  private(set) var findings: [Diagnostic] = []
  /// Comments on types that move into manifests, and on their cases and fields, by element. For cases and fields these
  /// include documentation, for which manifests have no key.
  private(set) var remarks: [ElementPath: [String]] = [:]
  /// Types that have columns somewhere. A type that is only in arrays and dictionaries is JSON.
  private let columns: Set<String>
  private let stored: [TypeReference]
  /// The names of value transformers, by the types that they write.
  private let transformers: [String: Set<String>]
  private(set) var usedNames: Set<String> = []
  private let keepsClasses: Bool
  /// Structs with custom coding that an earlier pass found in JSON.
  private var encodedStructs: Set<String> = []

  init(
    _ index: SourceIndex, code: SourceIndex, _ types: TypeResolver, stored: [Attribute] = [],
    keepsClasses: Bool = false
  ) {
    self.keepsClasses = keepsClasses
    self.stored = stored.map(\.type)
    columns = Set(self.stored.flatMap(\.namesOfColumns))
    transformers = Dictionary(
      stored.flatMap { attribute -> [(String, Set<String>)] in
        guard let name = attribute.transformer else { return [] }
        return attribute.type.names.map { ($0, [name]) }
      }
    ) { $0.union($1) }
    self.index = index
    self.code = code
    self.types = types
  }

  /// Reads all types found so far and the types that they contain, sorted by name.
  mutating func readAll() -> [ValueTypeDeclaration] {
    let start = self
    while true {
      let found = readOnce()
      let encoded = names(reachedFrom: collections(in: found) + transformers.keys, found)
      // JSON has what a struct's custom coding writes, so the struct's properties do not matter.
      let coded = found.filter {
        !$0.fields.isEmpty && encoded.contains($0.name) && codesItself($0.name)
      }
      guard !coded.isEmpty else { return found }
      let encodedStructs = self.encodedStructs.union(coded.map(\.name))
      self = start
      self.encodedStructs = encodedStructs
    }
  }

  private mutating func readOnce() -> [ValueTypeDeclaration] {
    var read: [String: ValueTypeDeclaration] = [:]
    while let name = types.used.keys.filter({ read[$0] == nil }).min() {
      if case .some(.some(let type)) = types.used[name] {
        read[name] = self.read(type, as: name)
      } else {
        // No file declares the type, so all that is known is that it is Codable.
        read[name] = ValueTypeDeclaration(name: name, kind: .opaque, isOwn: true)
      }
    }
    var sorted = read.values.sorted { $0.name < $1.name }
    // A type that no attribute stores directly may be stored as JSON.
    let json = names(
      reachedFrom: collections(in: sorted) + read.keys.filter { !columns.contains($0) }, sorted)
    let inColumns = names(reachedFrom: columns.subtracting(transformers.keys).sorted(), sorted)
    for place in sorted.indices where sorted[place].isOwn {
      var coding = coding(of: sorted[place], json)
      if sorted[place].kind == .opaque, inColumns.contains(sorted[place].name),
        case .some(.some(let type)) = types.used[sorted[place].name]
      {
        // The columns' digest comes after that of the type's code, and before those of its constants and cases.
        let name = sorted[place].name
        let arguments: [[String]] = stored.map { $0.arguments(of: name) }
        let columns = CodingDigest.columns(
          of: type,
          arguments: arguments.joined().map { $0.split(separator: ".").map(String.init) }, code)
        coding = coding.map { "\($0.prefix(8)).\(columns)\($0.dropFirst(8))" }
      }
      sorted[place].coding = coding
    }
    return sorted
  }

  private func codesItself(_ name: String) -> Bool {
    if case .some(.some(let type)) = types.used[name] { hasOwnCoding(type) } else { false }
  }

  private func collections(in read: [ValueTypeDeclaration]) -> [String] {
    let types = stored + read.flatMap(\.fields).map(\.type)
    return types.filter(\.isCollection).flatMap { Array($0.names) }
  }

  private func names(
    reachedFrom start: [String], _ read: [ValueTypeDeclaration]
  ) -> Set<String> {
    let types = Dictionary(read.map { ($0.name, $0) }) { first, _ in first }
    var open = start
    var found: Set<String> = []
    while let name = open.popLast() {
      guard found.insert(name).inserted else { continue }
      open += types[name]?.fields.flatMap { Array($0.type.names) } ?? []
    }
    return found
  }

  /// A digest of the code that decides how a type is coded; `nil` if the type's cases or fields decide it.
  private mutating func coding(
    of declaration: ValueTypeDeclaration, _ json: Set<String>
  ) -> String? {
    let name = declaration.name
    let isOpaque = declaration.kind == .opaque
    let type: DeclaredType? =
      if case .some(.some(let type)) = types.used[name] { type } else { nil }
    let registered = code.registrations(of: transformers[name] ?? [])
    let writers = Set(transformers[name] ?? []).union(registered.flatMap(\.names)).sorted()
      .compactMap { name in
        code.type(named: name.split(separator: ".").map(String.init), in: [])
      }
    usedNames.formUnion(transformers[name] ?? [])
    if let type {
      // The code that codes the type may be in any extension, including a protocol's.
      usedNames.insert(type.fullName)
      usedNames.formUnion(CodingDigest.names(of: code, type.path))
      if json.contains(name) { usedNames.formUnion(CodingDigest.containers) }
    }
    // Another declaration replaces a type that must move, so the code of the type itself does not count.
    let isCodedByType =
      type.map { type in
        (!types.names.isHoisted(type) || isKept(type))
          // In JSON, the keys of an object are the struct's coding keys.
          && (isOpaque || computesRawValues(type) || hasOwnCoding(type)
            || json.contains(name)
              && (hasOwnKeys(type)
                || CodingDigest.codesOtherwise(
                  Set(declaration.fields.flatMap { Array($0.type.names) }),
                  code.seen(from: type.attributes.root.id))))
      } ?? false
    guard isCodedByType || !writers.isEmpty else { return nil }
    let arguments: [[String]] = stored.map { $0.arguments(of: name) }
    var digest = CodingDigest(
      code, arguments: arguments.joined().map { $0.split(separator: ".").map(String.init) })
    let text = digest.digest(
      of: isCodedByType ? type : nil, transformers: writers,
      registrations: registered.map(\.text))
    usedNames.formUnion(digest.names)
    return text
  }

  private func isKept(_ type: DeclaredType) -> Bool {
    keepsClasses && !type.isGenerated && type.path.count > 1
      && index.type([type.path[0]])?.isModel == true
  }

  private mutating func read(_ type: DeclaredType, as name: String) -> ValueTypeDeclaration {
    let isKept = isKept(type)
    let isHoisted = types.names.isHoisted(type) && !isKept
    var declaration = ValueTypeDeclaration(
      name: name, documentation: isHoisted ? type.documentation : nil, kind: .opaque, isOwn: true,
      location: type.place)
    if !type.isGeneric, !codesItself(type, as: name, isGenerated: isHoisted) {
      switch type.kind {
      case .enumeration: declaration.kind = enumeration(type, name)
      case .structure: declaration.kind = structure(type)
      default: break
      }
    }
    if declaration.kind == .opaque { reportUnread(type, as: name) }
    if !type.unknownConditions.isEmpty {
      findings.append(
        .buildCondition(
          "parts of '\(type.fullName)'", element: name, at: type.place,
          unknown: type.unknownConditions))
    }
    reportOthers(than: type, as: name)
    if declaration.kind != .opaque { declaration.isOwn = !isHoisted }
    if !declaration.isOwn { noteRemarks(of: type, as: name) }
    if isKept { declaration.appName = type.fullName }
    // A type nested in a model of the version keeps its name and its code there.
    let outer = type.path.dropLast().joined(separator: ".")
    let isReachable = !declaration.isOwn && types.models.names[outer] != nil
    if isHoisted, !type.isGenerated, !isReachable {
      let way =
        declaration.isOwn
        ? "move it to the top level of one of your own files, as '\(name)'"
        : type.path.count > 1 && index.type([name])?.isGenerated == false
          ? "models of the version store a generated copy of '\(name)' as it is here; its other code is removed"
          : "it is generated at the top level, as '\(name)'; put its code into an extension of this type"
      findings.append(
        Diagnostic(
          .notCarried, "'\(type.fullName)' is inside a declaration that will be generated",
          element: name,
          at: type.place, help: [way]))
    }
    return declaration
  }

  /// Reports a type whose stored form no manifest can describe. The manifest only has a digest of the type's code.
  private mutating func reportUnread(_ type: DeclaredType, as name: String) {
    // If the type already has a finding, it is about raw values, and one finding is enough.
    guard stored.contains(where: { $0.names.contains(name) }),
      !findings.contains(where: { $0.element == name })
    else { return }
    let hasValues = type.members.compactMap { $0.as(EnumCaseDeclSyntax.self) }.flatMap(\.elements)
      .contains { $0.parameterClause != nil }
    let reason =
      type.isGeneric
      ? "it is generic"
      : hasValues
        ? "its cases have associated values"
        : codesItself(type, as: name, isGenerated: true)
          ? "it has custom coding"
          : type.kind == .class ? "it is a class" : "not all its cases or fields can be read"
    findings.append(
      Diagnostic(
        .undeclaredType,
        "schemagen cannot tell how a store keeps '\(type.fullName)': \(reason)",
        element: name, at: type.place,
        help: [
          "the manifest has a digest of its code: after an edit, schemagen asks whether the new code reads what the old code wrote"
        ], severity: .warning))
  }

  /// Reports different declarations of the same type, for example a widget's copy.
  private mutating func reportOthers(than type: DeclaredType, as name: String) {
    func parts(_ type: DeclaredType) -> [String] {
      [type.inherited.sorted().joined(separator: ", ")]
        + CodingDigest.parts(of: type.members).sorted()
    }
    // If the type's target has no model, the declaration in another target may be the one that models use.
    let isWithModels = index.types.contains {
      $0.isModel && $0.packageTarget == type.packageTarget
    }
    let others = index.declarations(of: type.path).filter {
      $0.place != type.place && !$0.isGenerated && parts($0) != parts(type)
        && !($0.modifiers.has(.private) || $0.modifiers.has(.fileprivate))
        && !(isWithModels && $0.isOfAnotherTarget(than: type))
    }
    guard let other = others.first else { return }
    findings.append(
      Diagnostic(
        .secondDeclaration,
        "'\(type.fullName)' is declared \(others.count == 1 ? "twice" : "\(others.count + 1) times"), differently: schemagen reads this declaration, which is nearest to the models",
        element: name, at: type.place,
        related: others.map { .init("this one differs", at: $0.place) },
        help: [
          "if the app's models store the other declaration, move that one next to the models, or give the two different names",
          "if both are meant to be one type, declare it once: add \(other.place.file) to both targets",
        ]))
  }

  private mutating func noteRemarks(of type: DeclaredType, as name: String) {
    func note(_ lines: [String], _ element: ElementPath) {
      if !lines.isEmpty { remarks[element, default: []] += lines }
    }
    if let node = type.attributes.parent?.asProtocol((any DeclGroupSyntax).self) {
      note(Remarks.lines(ofHead: node), ElementPath(name))
    }
    for member in type.members {
      var part = member.as(EnumCaseDeclSyntax.self)?.elements.first?.name.plain
      if let variable = member.as(VariableDeclSyntax.self), !variable.modifiers.isStatic,
        !variable.bindings.contains(where: \.isComputed)
      {
        part = member.declaredNames.first
      }
      guard let part else { continue }
      let lines =
        (Documentation.text(before: member).map { [$0] } ?? []) + Remarks.lines(of: member)
      // The manifest has these comments above the type.
      note(lines.map { "\(part): \($0)" }, ElementPath(name, part))
    }
  }

  /// Whether the type has custom coding, so its properties do not decide how the type is stored.
  ///
  /// - Parameter isGenerated: Whether the type would be generated, and lose its keys.
  private func codesItself(
    _ type: DeclaredType, as name: String, isGenerated: Bool
  ) -> Bool {
    // The type is coded as its raw value, whichever extension declares the conformance.
    if type.rawType == nil, code.isRaw(type.path) { return true }
    // As keys of a dictionary, values of such a type become keys of a JSON object, not elements of an array.
    if code.protocols(of: type.path).contains("CodingKeyRepresentable") { return true }
    // An unknown macro may write any code.
    if type.attributes.contains(where: CodingDigest.isMacro) { return true }
    // Coding decides neither the column of an enum with raw values, which has their type, nor the columns of a struct
    // (docs/facts/identity.md#type-raw-value-enum, #struct-leaves).
    let hasOwnColumns =
      type.rawType != nil || type.kind == .structure && !encodedStructs.contains(name)
    return (isGenerated || !hasOwnColumns) && hasOwnCoding(type)
      // A struct's columns come from its properties, whatever its keys are (docs/facts/identity.md#struct-leaves).
      || (isGenerated || type.kind != .structure) && hasOwnKeys(type)
  }

  private func hasOwnCoding(_ type: DeclaredType) -> Bool {
    code.codingMembers(of: type.path).contains { member in
      if let initializer = member.as(InitializerDeclSyntax.self) {
        let first = initializer.signature.parameterClause.parameters.first
        return first?.firstName.text == "from" && first?.type.lastName == "Decoder"
      }
      if let function = member.as(FunctionDeclSyntax.self) {
        return function.name.text == "encode"
          && function.signature.parameterClause.parameters.first?.firstName.text == "to"
      }
      return false
    }
  }

  /// Whether an enum computes its raw values. The values written for the cases then do not show what rows contain.
  private func computesRawValues(_ type: DeclaredType) -> Bool {
    guard type.rawType != nil else { return false }
    return code.codingMembers(of: type.path).contains { member in
      if let initializer = member.as(InitializerDeclSyntax.self) {
        let parameters = initializer.signature.parameterClause.parameters
        return parameters.count == 1 && parameters.first?.firstName.text == "rawValue"
      }
      return member.is(VariableDeclSyntax.self) && member.declaredNames.contains("rawValue")
    }
  }

  private func hasOwnKeys(_ type: DeclaredType) -> Bool {
    code.codingMembers(of: type.path).contains(where: \.isCodingKeys)
  }

  /// Whether no store was seen with raw values of this type (docs/facts/identity.md#type-cgfloat), so the content of
  /// the columns is unknown.
  private static func isUnknown(_ raw: String) -> Bool { raw == "CGFloat" }

  private mutating func enumeration(
    _ type: DeclaredType, _ name: String
  ) -> ValueTypeDeclaration.Kind {
    let raw = type.rawType
    if let raw, Self.isUnknown(raw) {
      if columns.contains(name) {
        findings.append(
          Diagnostic(
            .undeclaredType,
            "'\(type.fullName)' has raw values of type \(raw): how a store keeps them is unverified, so the manifest does not list its cases",
            element: name, at: type.place, severity: .warning))
      }
      return .opaque
    }
    var cases: [EnumCase] = []
    var next = 0
    for member in type.members {
      guard let declaration = member.as(EnumCaseDeclSyntax.self) else { continue }
      for element in declaration.elements {
        guard element.parameterClause == nil else { return .opaque }
        let name = element.name.plain
        var value: SwiftExpression?
        if let written = element.rawValue?.value {
          guard let expression = try? SwiftExpression(written.oneLine) else { return .opaque }
          // A raw type such as a character is stored neither as a number nor as a string.
          guard raw != nil else { return .opaque }
          let number = raw == "String" ? nil : Self.number(written)
          value =
            written.stringValue == name
            ? nil : number.flatMap { try? SwiftExpression(String($0)) } ?? expression
          if let number { next = number + 1 }
        } else if raw != nil, raw != "String" {
          // Without a written value, the numbers count up.
          value = try? SwiftExpression(String(next))
          next += 1
        }
        // No stored value is decoded as an unavailable case.
        guard !declaration.isUnavailable else { continue }
        cases.append(EnumCase(name: name, rawValue: value))
      }
    }
    guard !cases.isEmpty else { return .opaque }
    return .enumeration(rawType: raw.map { .named($0) }, cases: cases)
  }

  private static func number(_ expression: ExprSyntax) -> Int? {
    if let sign = expression.as(PrefixOperatorExprSyntax.self), sign.operator.text == "-" {
      return sign.expression.integerValue.map { -$0 }
    }
    return expression.integerValue
  }

  private mutating func structure(_ type: DeclaredType) -> ValueTypeDeclaration.Kind {
    var fields: [StructField] = []
    for member in type.members {
      guard let variable = member.as(VariableDeclSyntax.self), !variable.modifiers.isStatic else {
        continue
      }
      // A property wrapper decides what is stored.
      guard variable.attributes.allSatisfy({ $0.trimmedDescription.hasPrefix("@available") }) else {
        return .opaque
      }
      for (binding, annotation) in variable.typedBindings where !binding.isComputed {
        guard let field = field(binding, annotation, variable, of: type) else { return .opaque }
        fields.append(field)
      }
    }
    if type.isGenerated { readParameters(of: type, &fields) }
    return fields.isEmpty ? .opaque : .structure(fields: fields)
  }

  /// Copies the initialiser's defaults, since generated structs have their defaults there.
  private func readParameters(of type: DeclaredType, _ fields: inout [StructField]) {
    for member in type.members {
      guard let initializer = member.as(InitializerDeclSyntax.self) else { continue }
      for parameter in initializer.signature.parameterClause.parameters {
        guard let value = parameter.defaultValue?.value, !value.isNil,
          let place = fields.firstIndex(where: { $0.name == parameter.firstName.plain })
        else { continue }
        fields[place].defaultValue = try? SwiftExpression(value.oneLine)
      }
    }
  }

  private mutating func field(
    _ binding: PatternBindingSyntax, _ annotation: TypeSyntax?, _ variable: VariableDeclSyntax,
    of type: DeclaredType
  ) -> StructField? {
    guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.plain else {
      return nil
    }
    // A constant with a value is not decoded from JSON.
    if variable.bindingSpecifier.tokenKind == .keyword(.let), binding.initializer != nil {
      return nil
    }
    let value = binding.initializer?.value
    do throws(TypeResolver.Failure) {
      var found: TypeReference?
      if let annotation {
        found = try types.type(annotation, in: type.path)
      } else if let value {
        let reader = DefaultType(index: index, scope: type.path)
        if let inferred = reader.type(of: value) {
          found = try types.type(inferred, in: type.path)
        } else {
          types.missing.formUnion(index.unknownNames(in: value, type.path))
        }
      }
      guard let found else { return nil }
      var expression: SwiftExpression?
      if let value, !value.isNil {
        expression = try types.expression(value, of: found, in: type.path)
      }
      return StructField(name: name, type: found, defaultValue: expression)
    } catch {
      return nil
    }
  }
}

extension EnumCaseDeclSyntax {
  fileprivate var isUnavailable: Bool {
    attributes.contains { attribute in
      attribute.trimmedDescription.hasPrefix("@available")
        && attribute.tokens(viewMode: .sourceAccurate).contains {
          ["unavailable", "obsoleted"].contains($0.text)
        }
    }
  }
}

extension SourceIndex {
  /// The calls that register value transformers under one of these names, or under a name that is no literal. Each has
  /// its source, and the classes in it.
  fileprivate func registrations(of names: Set<String>) -> [(text: String, names: [String])] {
    guard !names.isEmpty else { return [] }
    let wanted = Set(names.map { $0.split(separator: ".").last.map(String.init) ?? $0 })
    return sources.filter { $0.file.text.contains("setValueTransformer(") }
      .flatMap { $0.syntax.all(FunctionCallExprSyntax.self) }
      .filter { $0.calledName == "setValueTransformer" }
      .compactMap { call in
        let given = call.arguments.first { $0.label?.text == "forName" }?.expression
        let literals = (given?.all(StringLiteralExprSyntax.self) ?? [])
          .compactMap { ExprSyntax($0).stringValue }
        let words = Set(
          literals + (given?.outermostPaths.flatMap(\.self) ?? []))
        guard literals.isEmpty || !wanted.isDisjoint(with: words) else { return nil }
        let classes = call.arguments.first?.expression.outermostPaths.compactMap(\.first) ?? []
        return (call.arguments.map(\.oneLine).joined(separator: " "), classes)
      }
  }
}
