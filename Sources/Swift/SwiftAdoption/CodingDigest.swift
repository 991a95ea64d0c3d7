internal import ManagedModels
internal import SwiftSources
internal import SwiftSyntax

/// A digest of the code that decides how values of a type are coded: its cases and stored properties, its custom
/// coding, and the app's code that these use, wherever it is declared. Comments, layout and all other code are left
/// out.
struct CodingDigest {
  let index: SourceIndex
  /// Types that are arguments for the parameters of generic types, anywhere in stored types.
  let arguments: [[String]]
  private(set) var names: Set<String> = []

  init(_ index: SourceIndex, arguments: [[String]] = []) {
    self.index = index
    self.arguments = arguments
  }

  /// The digest: eight hexadecimal digits, then `+` and four digits for each part. A part is a static
  /// constant of a `RawRepresentable` type, or a case of an enum with synthesized coding; an added part does not change
  /// how old rows are read. Moving members to another file or extension does not change the digest.
  ///
  /// - Parameters:
  ///   - transformers: The value transformers that write the type.
  ///   - registrations: The calls that register the transformers' names.
  mutating func digest(
    of type: DeclaredType?, transformers: [DeclaredType] = [], registrations: [String] = []
  ) -> String {
    var code = CodingCode(index, arguments)
    if let type { code.open(type.path, isNamed: false) }
    for transformer in transformers { code.transform(transformer.path) }
    // The constants define what a raw value means.
    if let type, index.isRaw(type.path) {
      for member in index.codingMembers(of: type.path) where CodingCode.isConstant(member) {
        code.readApart(member, of: type.path)
      }
    }
    let lines = code.lines() + registrations
    names.formUnion(code.names.union(Self.containers))
    return ([Self.digits(lines, 8)] + Set(code.parts.map { Self.digits($0, 4) }).sorted())
      .joined(separator: "+")
  }

  /// A digest of a type's columns: its cases and stored properties, and those of the types that it contains.
  ///
  /// - Parameter arguments: The arguments for the type's generic parameters.
  static func columns(
    of type: DeclaredType, arguments: [[String]], _ all: SourceIndex
  ) -> String {
    var index = all.seen(from: type.attributes.root.id)
    var lines = arguments.map { "argument " + $0.joined(separator: ".") }
    var open: [[String]] = []
    var known: Set<[String]> = []
    func meet(_ names: [[String]], in scope: [String]) {
      for name in names {
        switch index.meaning(of: name, in: scope) {
        case .type(let type)?:
          if known.insert(type.path).inserted { open.append(type.path) }
        case .foreign(let target, let outer)?:
          guard known.insert(["alias"] + name).inserted else { continue }
          lines.append("alias \(name.joined(separator: ".")) = \(text(of: target))")
          meet(UsedCode(target).types, in: outer)
        case nil: break
        }
      }
    }
    meet([type.path] + arguments, in: [])
    while let path = open.popLast() {
      guard let part = index.type(path), !part.isModel else { continue }
      index = all.seen(from: part.attributes.root.id)
      // The name of the digested type itself does not matter.
      let owner = path == type.path ? "" : part.fullName
      lines.append("\(owner): \(part.rawType ?? "")")
      // Only the raw values' type decides the column of an enum with raw values.
      if part.rawType != nil { continue }
      let rawValues = index.isRaw(path) ? index.codingMembers(of: path) : []
      for member in part.members + rawValues.filter({ $0.declaredNames.contains("rawValue") }) {
        var texts: [String] = []
        if member.is(EnumCaseDeclSyntax.self) {
          texts = Self.texts(of: member, [])
        } else if let variable = member.as(VariableDeclSyntax.self), !variable.modifiers.isStatic {
          let bindings = variable.typedBindings.filter {
            !$0.0.isComputed || member.declaredNames.contains("rawValue")
          }
          texts = bindings.map { binding, annotation in
            // Without a type annotation, the value decides the type.
            let type = annotation.map { text(of: $0) } ?? binding.initializer.map { text(of: $0) }
            return "\(text(of: binding.pattern)): \(type ?? "")"
          }
        }
        guard !texts.isEmpty else { continue }
        lines += texts.map { "\(owner).\($0)" }
        meet(UsedCode(member).types, in: path)
      }
    }
    // `Int` has the column of `Int64`.
    return digits(Set(lines).map { $0.replacing(/\bInt64\b/, with: "Int") }, 8)
  }

  private static func digits(_ lines: [String], _ count: Int) -> String {
    let bytes = lines.sorted().map { $0 + "\n" }.joined().utf8
    return String(SHA256.hash(Array(bytes)).hexadecimal.prefix(count))
  }
}

/// Collects the code that decides how values are coded.
private struct CodingCode {
  private let all: SourceIndex
  /// The index, as seen from the file whose code is being read.
  private var index: SourceIndex
  private var files: [SyntaxIdentifier] = []
  private var arguments: [[String]]
  private(set) var names: Set<String> = []
  /// The constants and cases, each with all code that it uses.
  private(set) var parts: [[String]] = []
  private var texts: [String] = []
  private var metTypes: Set<String> = []
  private var opened: [[String]] = []
  private var known: Set<SyntaxIdentifier> = []
  private var knownNames: Set<String> = []
  private var waiting: [(member: DeclSyntax, path: [String])] = []
  /// Uses of members of values whose type is unknown, by file.
  private var free: [SyntaxIdentifier: Set<UsedCode.Use>] = [:]

  init(_ index: SourceIndex, _ arguments: [[String]]) {
    all = index
    self.index = index
    self.arguments = arguments
  }

  mutating func lines() -> [String] {
    while true {
      while let (member, path) = waiting.popLast() { read(member, of: path) }
      let count = known.count
      let types = metTypes
      for file in files {
        index = all.seen(from: file)
        let uses = free[file, default: []]
        let own = uses.filter { !$0.isSwiftOperator }
        for path in opened { include(path) { $0.isMeant(by: own, of: path) } }
        let names = Set(uses.map(\.name)).union(CodingDigest.calls)
        for path in index.foreignExtensions(with: names) {
          let isContainer = CodingDigest.containers.contains(path.joined())
          include(path) {
            isContainer && !CodingDigest.calls.isDisjoint(with: $0.declaredNames)
              ? $0.codes(types) : $0.isMeant(by: uses, of: path)
          }
        }
      }
      guard known.count > count else { return texts }
    }
  }

  /// From now on, looks up names as the file that contains this code sees them.
  private mutating func look(from node: some SyntaxProtocol) {
    let file = node.root.id
    index = all.seen(from: file)
    if !files.contains(file) { files.append(file) }
  }

  mutating func open(_ path: [String], isNamed: Bool = true) {
    guard !opened.contains(path), let type = index.type(path), !type.isModel else { return }
    let outer = index
    defer { index = outer }
    look(from: type.attributes)
    opened.append(path)
    names.insert(type.fullName)
    let inherited = index.inheritedTypes(of: path)
    // Archives contain a class's name.
    let isArchived = inherited.contains {
      ["NSCoding", "NSObject", "NSSecureCoding"].contains($0.last)
    }
    let macros = type.attributes.filter(CodingDigest.isMacro).compactMap {
      $0.as(AttributeSyntax.self)
    }
    // The name of the digested type itself does not matter.
    let head =
      (isNamed || isArchived ? [type.fullName] : [])
      + inherited.filter { index.protocols[$0.last ?? ""] == nil }
      .map { $0.joined(separator: ".") }.sorted()
      + macros.map { CodingDigest.text(of: $0) }
    texts.append("type: " + head.joined(separator: ", "))
    for name in inherited + macros.map({ $0.attributeName.nameParts }) { meet(name, in: path) }
    let members = index.codingMembers(of: path).filter(CodingDigest.isCoded)
    let isCompilers =
      type.kind == .enumeration && macros.isEmpty
      && members.allSatisfy { $0.is(EnumCaseDeclSyntax.self) }
    for member in members {
      if isCompilers { readApart(member, of: path) } else { take(member, path) }
    }
    // Code may make a value of another type from a literal, and then does not name the initialiser.
    if path != opened.first {
      include(path) {
        $0.as(InitializerDeclSyntax.self)?.labels.first?.hasSuffix("Literal") == true
      }
    }
    if index.type(path + ["CodingKeys"]) != nil { open(path + ["CodingKeys"]) }
  }

  /// Collects a constant or an enum's cases as separate parts, without the rest of the type.
  mutating func readApart(_ member: DeclSyntax, of path: [String]) {
    let cases = member.as(EnumCaseDeclSyntax.self)?.elements.map(\.name.plain)
    for name in cases.map({ $0.map(Optional.some) }) ?? [nil] {
      var code = CodingCode(all, arguments)
      code.opened = opened + [path]
      code.known = [member.id]
      if let name { code.readCase(name, of: path, member) } else { code.read(member, of: path) }
      let lines = code.lines()
      parts.append([path == opened.first ? "" : path.joined(separator: ".")] + lines)
      parts += code.parts
      names.formUnion(code.names)
    }
  }

  private mutating func readCase(_ name: String, of path: [String], _ member: DeclSyntax) {
    look(from: member)
    texts.append("case \(name): \(index.type(path)?.value(ofCase: name) ?? "")")
    let element = member.as(EnumCaseDeclSyntax.self)?.elements.first { $0.name.plain == name }
    guard let values = element?.parameterClause else { return }
    let used = UsedCode(values)
    takeArguments(of: used, in: path)
    for type in used.types {
      metTypes.insert(type[type.count - 1])
      meet(type, in: path)
    }
  }

  mutating func transform(_ path: [String]) {
    let name = path.joined(separator: ".")
    guard knownNames.insert("transformer: \(name)").inserted else { return }
    names.insert(name)
    texts.append("transformer: \(name)")
    include(path) { !CodingDigest.transforming.isDisjoint(with: $0.declaredNames) }
    for name in index.type(path)?.inheritedTypes ?? [] {
      names.insert(name.joined(separator: "."))
      if let type = index.type(named: name, in: path) { transform(type.path) }
    }
  }

  static func isConstant(_ member: DeclSyntax) -> Bool {
    guard let variable = member.as(VariableDeclSyntax.self) else { return false }
    return variable.modifiers.isStatic && variable.bindings.contains { !$0.isComputed }
  }

  private mutating func include(_ path: [String], where isWanted: (DeclSyntax) -> Bool) {
    for member in index.codingMembers(of: path) where isWanted(member) { take(member, path) }
  }

  private mutating func take(_ member: DeclSyntax, _ path: [String]) {
    if known.insert(member.id).inserted { waiting.append((member, path)) }
  }

  private mutating func read(_ member: DeclSyntax, of path: [String]) {
    look(from: member)
    let used = UsedCode(member)
    texts += CodingDigest.texts(of: member, used.locals, own: path.last).map { text in
      opened.first == path || path.isEmpty ? text : path.joined(separator: ".") + ": " + text
    }
    takeArguments(of: used, in: path)
    let parameters = index.parameters(around: member, path)
    for type in used.types {
      metTypes.insert(type[type.count - 1])
      if !parameters.contains(type[0]) {
        meet(type, in: path)
      } else if type.count > 1 {
        // `Grain.Value`, a type inside the argument for a parameter.
        for argument in arguments { meet(Array(type.dropFirst()), in: argument) }
      }
    }
    let isStatic =
      member.asProtocol((any WithModifiersSyntax).self)?.modifiers.isStatic ?? false
    let own = Set(index.codingMembers(of: path).flatMap(\.declaredNames))
    // Sort the names, because the known arguments of generic types depend on what was read before.
    for name in used.plain.sorted() {
      let isOwn = own.contains(name)
      if isOwn {
        include(path) { other in
          let modifiers = other.asProtocol((any WithModifiersSyntax).self)?.modifiers
          return other.declaredNames.contains(name)
            && (other.is(EnumCaseDeclSyntax.self) || modifiers?.isStatic ?? false == isStatic)
        }
      } else {
        names.insert(name)
        let uses = used.calls[name]
        for function in index.globals(named: name)
        where uses.map(function.isMeant) ?? true && known.insert(function.id).inserted {
          waiting.append((function, []))
        }
      }
    }
    if used.plain.contains("allCases") { readOrder(path, in: []) }
    for (base, name) in used.members {
      if name == "allCases" { readOrder(base == ["Self"] ? path : base, in: path) }
      if base == ["self"] || base == ["Self"] {
        include(path) { $0.declaredNames.contains(name) }
      } else if parameters.contains(base[0]) {
        for argument in arguments { includeStatic(name, of: argument) }
      } else if let type = index.type(named: base, in: path) {
        names.insert(type.fullName)
        includeStatic(name, of: type.path)
      } else {
        // `DateFormatter.stored`, which an extension in the app declares.
        includeStatic(name, of: base)
      }
    }
    for labels in used.ownInitializers {
      include(path) { $0.isOwnInitializer(taking: labels) }
    }
    for (base, labels) in used.initializers where !parameters.contains(base[0]) {
      meet(base, in: path)
      guard let type = index.type(named: base, in: path), !type.isModel else { continue }
      include(type.path) { $0.isOwnInitializer(taking: labels) }
    }
    free[member.root.id, default: []].formUnion(used.free)
    if used.free.contains(where: \.isInterpolation) {
      names.formUnion(["DefaultStringInterpolation", "StringInterpolation"])
    }
  }

  private mutating func takeArguments(of used: UsedCode, in path: [String]) {
    for name in used.arguments {
      let argument = index.type(named: name, in: path)?.path ?? name
      if !arguments.contains(argument) { arguments.append(argument) }
    }
  }

  private mutating func readOrder(_ name: [String], in path: [String]) {
    guard let type = index.type(named: name, in: path) else { return }
    let cases = type.members.compactMap { $0.as(EnumCaseDeclSyntax.self) }.flatMap(\.elements)
    texts.append("order: \(cases.map(\.name.plain).joined(separator: ", "))")
  }

  private mutating func includeStatic(_ name: String, of path: [String]) {
    names.insert(path.joined(separator: "."))
    include(path) { $0.declaredNames.contains(name) }
    guard let value = index.type(path)?.value(ofCase: name) else { return }
    texts.append("\(path.joined(separator: ".")).\(name): \(value)")
    // The type's other code also decides the case's value.
    include(path) { !$0.is(EnumCaseDeclSyntax.self) && CodingDigest.isCoded($0) }
  }

  private mutating func meet(_ parts: [String], in path: [String]) {
    guard !parts.isEmpty else { return }
    let name = parts.joined(separator: ".")
    names.insert(name)
    switch index.meaning(of: parts, in: path) {
    case .type(let type)?: open(type.path)
    case .foreign(let target, let scope)?:
      guard knownNames.insert(name).inserted else { return }
      texts.append("alias: \(name) = \(CodingDigest.text(of: target))")
      for inner in UsedCode(target).types { meet(inner, in: scope) }
    case nil:
      // A protocol in the app, or a type that no file declares.
      break
    }
  }
}

extension CodingDigest {
  /// The types and protocols that a type inherits from and that may code it.
  static func names(of index: SourceIndex, _ path: [String]) -> [String] {
    index.inheritedTypes(of: path).map { $0.joined(separator: ".") } + index.protocols(of: path)
  }

  static func isMacro(_ element: AttributeListSyntax.Element) -> Bool {
    guard let attribute = element.as(AttributeSyntax.self) else { return false }
    // Archives use the name in `@objc(Name)` for a class.
    if attribute.attributeName.lastName == "objc" { return attribute.arguments != nil }
    return !harmless.contains(attribute.attributeName.lastName)
  }

  /// Swift's protocols that do not affect coding.
  fileprivate static let markers: Set<String> = [
    "AppEntity", "AppEnum", "CaseIterable", "Comparable", "CustomDebugStringConvertible",
    "CustomLocalizedStringResourceConvertible", "CustomStringConvertible", "Equatable", "Error",
    "ExpressibleByFloatLiteral", "ExpressibleByIntegerLiteral", "ExpressibleByStringLiteral",
    "Hashable", "Identifiable", "LocalizedError", "Plottable", "Sendable", "ShapeStyle",
    "Transferable", "View",
  ]

  /// Conformances in an extension that change how values are coded.
  fileprivate static let forms: Set<String> = [
    "Codable", "CodingKeyRepresentable", "Decodable", "Encodable", "NSCoding", "NSSecureCoding",
    "OptionSet", "RawRepresentable",
  ]

  /// Attributes of types that add no code.
  private static let harmless: Set<String> = [
    "CasePathable", "Generable", "MainActor", "MemberwiseInit", "Model", "Observable", "available",
    "dynamicMemberLookup", "frozen", "objc", "objcMembers", "preconcurrency", "propertyWrapper",
    "unchecked",
  ]

  fileprivate static let transforming: Set<String> = [
    "allowedTopLevelClasses", "reverseTransformedValue", "transformedValue",
  ]

  /// Calls in the compiler's coding that an extension of the app may replace.
  fileprivate static let calls: Set<String> = [
    "decode", "decodeIfPresent", "encode", "encodeIfPresent",
  ]
  static let containers: Set<String> = [
    "KeyedDecodingContainer", "KeyedEncodingContainer", "UnkeyedDecodingContainer",
    "UnkeyedEncodingContainer",
  ]

  /// The types that may declare members of coders and containers.
  fileprivate static let coders: [String: [String]] = [
    "Decoder": ["Decoder"], "Encoder": ["Encoder"],
    "KeyedDecodingContainer": ["KeyedDecodingContainer", "KeyedDecodingContainerProtocol"],
    "KeyedEncodingContainer": ["KeyedEncodingContainer", "KeyedEncodingContainerProtocol"],
    "SingleValueDecodingContainer": ["SingleValueDecodingContainer"],
    "SingleValueEncodingContainer": ["SingleValueEncodingContainer"],
    "UnkeyedDecodingContainer": ["UnkeyedDecodingContainer"],
    "UnkeyedEncodingContainer": ["UnkeyedEncodingContainer"],
  ]
  /// By function, the coders and containers that it returns, for decoding and encoding.
  fileprivate static let makers: [String: [String]] = [
    "container": ["KeyedDecodingContainer", "KeyedEncodingContainer"],
    "nestedContainer": ["KeyedDecodingContainer", "KeyedEncodingContainer"],
    "nestedUnkeyedContainer": ["UnkeyedDecodingContainer", "UnkeyedEncodingContainer"],
    "singleValueContainer": ["SingleValueDecodingContainer", "SingleValueEncodingContainer"],
    "superDecoder": ["Decoder"], "superEncoder": ["Encoder"],
    "unkeyedContainer": ["UnkeyedDecodingContainer", "UnkeyedEncodingContainer"],
  ]
  /// Types whose values cannot be mistaken for values of another type.
  fileprivate static let plainTypes: Set<String> = numbers.union([
    "Bool", "Data", "Date", "String", "URL", "UUID",
  ])
  fileprivate static let numbers: Set<String> = ["Double", "Float", "Int"]

  /// Modifiers that affect a member's visibility but not what it does.
  private static let access: Set<String> = [
    "any", "fileprivate", "internal", "nonisolated", "open", "package", "private", "public",
  ]

  /// Names by which Swift finds a type's custom coding.
  private static let coding: Set<String> = [
    "Options", "RawValue", "encode", "intValue", "rawValue", "stringValue",
  ]

  /// Whether a member is stored in values or codes them.
  fileprivate static func isCoded(_ member: DeclSyntax) -> Bool {
    if member.is(EnumCaseDeclSyntax.self) { return true }
    if let variable = member.as(VariableDeclSyntax.self), !variable.modifiers.isStatic,
      variable.bindings.contains(where: { !$0.isComputed })
    {
      return true
    }
    if let initializer = member.as(InitializerDeclSyntax.self) {
      return ["coder", "from", "intValue", "rawValue", "stringValue"].contains(
        initializer.labels.first)
        && !initializer.isMemberwise
    }
    return !coding.isDisjoint(with: member.declaredNames) || member.isCodingKeys
  }

  /// The source of the members that are stored in values or code them, without comments and layout.
  static func parts(of members: [DeclSyntax]) -> [String] {
    members.filter(isCoded).flatMap { texts(of: $0, []) }
  }

  /// The member's source, one string for each case. It does not depend on how cases are grouped or local variables
  /// named.
  fileprivate static func texts(
    of member: DeclSyntax, _ locals: [String], own: String? = nil
  ) -> [String] {
    guard let cases = member.as(EnumCaseDeclSyntax.self), cases.elements.count > 1 else {
      return [text(of: member, locals, own: own)]
    }
    return cases.elements.map { "case " + text(of: $0.with(\.trailingComma, nil)) }
  }

  /// The code without layout, access levels and names of local variables.
  ///
  /// - Parameter own: The name of the code's type. `Self` replaces it.
  fileprivate static func text(
    of node: some SyntaxProtocol, _ locals: [String] = [], own: String? = nil
  ) -> String {
    var words: [String] = []
    for token in node.tokens(viewMode: .sourceAccurate) where !access.contains(token.text) {
      if token.text == "return", token.isOnlyReturn { continue }
      let isMember = words.last == "."
      let before = isMember ? words.dropLast().last : nil
      if before == "self", !locals.contains(token.text) { words.removeLast(2) }
      let isLocal =
        locals.contains(token.text) && !isMember
        && token.parent?.is(LabeledExprSyntax.self) != true
        && (token.parent?.as(FunctionParameterSyntax.self)).map { $0.firstName.id != token.id }
          != false
      if isLocal {
        words.append("$\(locals.firstIndex(of: token.text) ?? 0)")
      } else if token.text == own, !isMember {
        words.append("Self")
      } else if token.text == "init", let before, ["Self", "=", "{", "(", ","].contains(before) {
        // `.init(…)` and `Self.init(…)` mean the same as `Self(…)`.
        words.removeLast()
        if before != "Self" { words.append("Self") }
      } else {
        words.append(token.text)
      }
    }
    return words.joined(separator: " ").replacing(", )", with: ")")
  }

  /// Whether the app replaces how values of one of the types are coded in JSON.
  static func codesOtherwise(_ types: Set<String>, _ index: SourceIndex) -> Bool {
    containers.contains { name in
      index.extensions(of: [name]).flatMap(\.members).filter(index.sees)
        .contains { $0.codes(types) }
    }
  }
}

extension TokenSyntax {
  fileprivate var isOnlyReturn: Bool {
    guard let item = parent?.parent?.as(CodeBlockItemSyntax.self) else { return false }
    return item.parent?.as(CodeBlockItemListSyntax.self)?.count == 1
      && parent?.as(ReturnStmtSyntax.self)?.expression != nil
  }
}

extension DeclSyntax {
  var isCodingKeys: Bool { declaredNames.contains { $0.hasSuffix("CodingKeys") } }

  /// Whether one of the uses may refer to this declaration. A call refers to a function with the same labels.
  ///
  /// - Parameter path: The type that has this declaration.
  fileprivate func isMeant(by uses: Set<UsedCode.Use>, of path: [String]) -> Bool {
    if let element = self.as(SubscriptDeclSyntax.self) {
      // `value.name` may use a subscript without showing it.
      let isDynamic =
        element.parameterClause.parameters.first?.firstName.plain == "dynamicMember"
      return isDynamic ? !uses.isEmpty : uses.contains { $0.name == UsedCode.subscripted }
    }
    let names = declaredNames
    return uses.contains { use in
      guard names.contains(use.name), use.owners?.contains(path.joined(separator: ".")) != false
      else { return false }
      if use.isSwiftOperator { return self.as(FunctionDeclSyntax.self)?.isOf(path) == true }
      guard let labels = use.labels, let function = self.as(FunctionDeclSyntax.self) else {
        return use.labels == nil || !self.is(VariableDeclSyntax.self)
      }
      return function.signature.parameterClause.takes(labels) != nil
    }
  }

  /// Whether one of the calls may mean this function, by labels and argument types.
  fileprivate func isMeant(by calls: Set<UsedCode.Call>) -> Bool {
    guard let function = self.as(FunctionDeclSyntax.self) else { return true }
    let generics = Set(function.genericParameterClause?.parameters.map(\.name.plain) ?? [])
    return calls.contains { call in
      guard let labels = call.labels else { return true }
      guard let parameters = function.signature.parameterClause.takes(labels) else { return false }
      return zip(parameters, call.types).allSatisfy { parameter, given in
        let wanted = parameter.type.trimmedDescription
        guard let given, CodingDigest.plainTypes.contains(wanted), !generics.contains(wanted) else {
          return true
        }
        return given == wanted || given == "Int" && CodingDigest.numbers.contains(wanted)
      }
    }
  }

  /// Whether the declaration is an initialiser that fits the call and does more than a synthesized one.
  fileprivate func isOwnInitializer(taking labels: [String]) -> Bool {
    guard let initializer = self.as(InitializerDeclSyntax.self) else { return false }
    return initializer.signature.parameterClause.takes(labels) != nil && !initializer.isMemberwise
  }

  /// Whether the function replaces a call that synthesized coding makes for values of one of the types.
  fileprivate func codes(_ types: Set<String>) -> Bool {
    guard let function = self.as(FunctionDeclSyntax.self),
      CodingDigest.calls.contains(function.name.plain),
      let type = function.signature.parameterClause.parameters.first?.type
    else { return false }
    let generics = Set(function.genericParameterClause?.parameters.map(\.name.plain) ?? [])
    return UsedCode(type).types.joined().contains { types.contains($0) || generics.contains($0) }
  }
}

extension FunctionDeclSyntax {
  /// Whether all parameters have the given type. An operator with only such parameters hides Swift's operator.
  fileprivate func isOf(_ path: [String]) -> Bool {
    signature.parameterClause.parameters.allSatisfy { parameter in
      let type = parameter.type.trimmedDescription
      return type == "Self" || type == path.joined(separator: ".")
    }
  }
}

extension FunctionParameterClauseSyntax {
  /// The parameters that receive arguments with these labels; `nil` if a call with these labels means another function.
  fileprivate func takes(_ labels: [String]) -> [FunctionParameterSyntax]? {
    var rest = labels[...]
    var taken: [FunctionParameterSyntax] = []
    for parameter in parameters {
      if rest.first == parameter.firstName.plain {
        rest.removeFirst()
        taken.append(parameter)
        while parameter.ellipsis != nil, rest.first == "_" {
          rest.removeFirst()
          taken.append(parameter)
        }
      } else if parameter.defaultValue == nil, parameter.ellipsis == nil {
        return nil
      }
    }
    return rest.isEmpty ? taken : nil
  }
}

/// Collects the names that a piece of code uses, by the kind of reference.
private final class UsedCode: SyntaxVisitor {
  /// A use of a member. Its labels are `nil` if the member is not called, or called with a trailing closure.
  struct Use: Hashable {
    var name: String
    var labels: [String]?
    /// The types that may declare the member; `nil` if the value's type is unknown.
    var owners: [String]?

    /// Whether the member is a string interpolation that the app declares: `"\(coded: text)"`.
    var isInterpolation: Bool {
      name == "appendInterpolation" && labels.map { $0 != ["_"] } ?? true
    }

    /// Whether the member is one of Swift's operators. An extension of `Int` in the app's module may replace such an
    /// operator.
    var isSwiftOperator: Bool { UsedCode.operators.contains(name) }
  }

  static let subscripted = "subscript"

  /// Swift's operators. The app's global functions with these names are left out, since they take other types.
  private static let operators = Set(
    "+ - * / % == != < > <= >= && || ! ?? ... ..< = += -= *= /= & | ^ ~ << >> === !== &+ &- &*"
      .split(separator: " ").map(String.init))

  /// A call of a function by its unqualified name: its labels as in `Use`, and its arguments' types, if known.
  struct Call: Hashable {
    var labels: [String]?
    var types: [String?]
  }

  private(set) var locals: [String] = []
  private(set) var types: [[String]] = []
  private(set) var arguments: [[String]] = []
  /// Unqualified names that the code does not declare itself.
  private(set) var plain: Set<String> = []
  private(set) var calls: [String: Set<Call>] = [:]
  /// `Bit.vegan`, `self.text`: members whose base is a path.
  private(set) var members: [(base: [String], name: String)] = []
  /// Members with any other base: `text` in `.text` and `value.text`.
  private(set) var free: Set<Use> = []
  /// The labels of `self.init(…)`, `.init(…)` and `Self(…)`.
  private(set) var ownInitializers: [[String]] = []
  private(set) var initializers: [(base: [String], labels: [String])] = []
  /// Names used in the initial value of a variable of the same name.
  private var shadowed: Set<String> = []
  /// By name, the initial values or types of local variables: one for each variable of that name.
  private var values: [String: [Syntax]] = [:]
  private var uncalled: Set<String> = []

  init(_ node: some SyntaxProtocol) {
    super.init(viewMode: .sourceAccurate)
    walk(node)
    plain.subtract(Set(locals).subtracting(shadowed))
    for name in uncalled { calls[name] = nil }
  }

  private func addLocal(_ name: String, _ value: (some SyntaxProtocol)?) {
    if !locals.contains(name) { locals.append(name) }
    // A variable without a known value or type is recorded too.
    values[name, default: []].append(value.map { Syntax($0) } ?? Syntax(TokenSyntax.identifier("")))
  }

  private func addLocal(_ name: String) { addLocal(name, Syntax?.none) }

  override func visit(_ node: FunctionParameterSyntax) -> SyntaxVisitorContinueKind {
    addLocal((node.secondName ?? node.firstName).plain, node.type)
    return .visitChildren
  }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    if node.parent?.isLocal == true { addLocal(node.name.plain) }
    return .visitChildren
  }

  override func visit(_ node: ClosureShorthandParameterSyntax) -> SyntaxVisitorContinueKind {
    addLocal(node.name.plain)
    return .visitChildren
  }

  override func visit(_ node: ClosureParameterSyntax) -> SyntaxVisitorContinueKind {
    addLocal((node.secondName ?? node.firstName).plain)
    return .visitChildren
  }

  override func visit(_ node: IdentifierPatternSyntax) -> SyntaxVisitorContinueKind {
    // A type's property is not a local variable.
    guard Syntax(node).isLocal else { return .visitChildren }
    let name = node.identifier.plain
    let binding = node.parent?.as(PatternBindingSyntax.self)
    let value =
      binding?.initializer ?? node.parent?.as(OptionalBindingConditionSyntax.self)?.initializer
    addLocal(
      name, (binding?.typeAnnotation?.type).map { Syntax($0) } ?? value.map { Syntax($0.value) })
    if binding != nil,
      value?.tokens(viewMode: .sourceAccurate).contains(where: { $0.plain == name }) == true
    {
      shadowed.insert(name)
    }
    return .visitChildren
  }

  override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
    types.append([node.name.plain])
    for argument in node.genericArgumentClause?.arguments ?? [] {
      if let type = argument.argument.as(TypeSyntax.self) { arguments.append(type.nameParts) }
    }
    return .visitChildren
  }

  override func visit(_ node: MemberTypeSyntax) -> SyntaxVisitorContinueKind {
    types.append(TypeSyntax(node).nameParts)
    return .visitChildren
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    let labels = node.arguments.map { $0.label?.plain ?? "_" }
    guard let path = node.calledExpression.memberPath else {
      if let member = node.calledExpression.as(MemberAccessExprSyntax.self), member.base == nil,
        member.declName.baseName.text == "init"
      {
        ownInitializers.append(labels)
      }
      return .visitChildren
    }
    let base = path.last == "init" ? Array(path.dropLast()) : path
    if ["self", "Self"].contains(base.first), base.count == 1 {
      ownInitializers.append(labels)
    } else if base.last?.first?.isUppercase == true {
      initializers.append((base, labels))
    }
    return .visitChildren
  }

  override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    let name = node.declName.baseName.plain
    guard let base = node.base?.memberPath else {
      free.insert(use(node))
      return .visitChildren
    }
    if name == "self" {
      types.append(base)
      return .skipChildren
    }
    if ["self", "Self"].contains(base.joined()) || base[base.count - 1].first?.isUppercase == true {
      members.append((base, name))
      return .skipChildren
    }
    free.insert(use(node))
    // Visit the base too: `value` in `value.text`.
    return .visitChildren
  }

  private func use(_ node: MemberAccessExprSyntax) -> Use {
    var use = Use(name: node.declName.baseName.plain)
    let homes = node.base.map { types(of: Syntax($0)).map { CodingDigest.coders[$0] } } ?? []
    if !homes.isEmpty, !homes.contains(nil) { use.owners = homes.flatMap { $0 ?? [] } }
    if let call = node.parent?.as(FunctionCallExprSyntax.self),
      call.calledExpression.id == node.id, call.trailingClosure == nil
    {
      use.labels = call.arguments.map { $0.label?.plain ?? "_" }
    }
    return use
  }

  override func visit(_ node: SubscriptCallExprSyntax) -> SyntaxVisitorContinueKind {
    free.insert(Use(name: Self.subscripted))
    return .visitChildren
  }

  override func visit(_ node: ExpressionSegmentSyntax) -> SyntaxVisitorContinueKind {
    free.insert(
      Use(name: "appendInterpolation", labels: node.expressions.map { $0.label?.plain ?? "_" }))
    return .visitChildren
  }

  override func visit(
    _ node: GenericSpecializationExprSyntax
  ) -> SyntaxVisitorContinueKind {
    for argument in node.genericArgumentClause.arguments {
      if let type = argument.argument.as(TypeSyntax.self) { arguments.append(type.nameParts) }
    }
    return .visitChildren
  }

  override func visit(_ node: BinaryOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    use(node.operator)
  }
  override func visit(_ node: PrefixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    use(node.operator)
  }
  override func visit(_ node: PostfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    use(node.operator)
  }

  private func use(_ token: TokenSyntax) -> SyntaxVisitorContinueKind {
    free.insert(Use(name: token.text))
    guard !Self.operators.contains(token.text) else { return .visitChildren }
    plain.insert(token.text)
    uncalled.insert(token.text)
    return .visitChildren
  }

  override func visit(_ node: KeyPathPropertyComponentSyntax) -> SyntaxVisitorContinueKind {
    free.insert(Use(name: node.declName.baseName.plain))
    return .skipChildren
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    let name = node.baseName.plain
    if node.parent?.as(MemberAccessExprSyntax.self)?.declName.id == node.id { return .skipChildren }
    if name.first?.isUppercase == true {
      types.append([name])
    } else {
      plain.insert(name)
      if let call = node.parent?.as(FunctionCallExprSyntax.self),
        call.calledExpression.id == node.id
      {
        let labels = call.arguments.map { $0.label?.plain ?? "_" }
        let given = call.arguments.map { types(of: Syntax($0.expression)).first }
        calls[name, default: []].insert(
          Call(labels: call.trailingClosure == nil ? labels : nil, types: given))
      } else {
        uncalled.insert(name)
      }
    }
    return .visitChildren
  }

  /// The types that a value may have according to its initial value; empty if unknown.
  private func types(of value: Syntax, depth: Int = 0) -> [String] {
    guard depth < 8 else { return [] }
    func inner(_ value: some SyntaxProtocol) -> [String] {
      types(of: Syntax(value), depth: depth + 1)
    }
    switch value.as(SyntaxEnum.self) {
    case .tryExpr(let node): return inner(node.expression)
    case .forceUnwrapExpr(let node): return inner(node.expression)
    case .optionalChainingExpr(let node): return inner(node.expression)
    case .inOutExpr(let node): return inner(node.expression)
    case .optionalType(let node): return inner(node.wrappedType)
    case .stringLiteralExpr: return ["String"]
    case .integerLiteralExpr: return ["Int"]
    case .floatLiteralExpr: return ["Double"]
    case .booleanLiteralExpr: return ["Bool"]
    case .identifierType, .memberType, .attributedType, .someOrAnyType:
      return value.as(TypeSyntax.self).map { [$0.nameParts.joined(separator: ".")] } ?? []
    case .declReferenceExpr(let node):
      guard let made = values[node.baseName.plain], made.count == 1 else { return [] }
      return inner(made[0])
    case .functionCallExpr(let node):
      if let member = node.calledExpression.as(MemberAccessExprSyntax.self) {
        let name = member.declName.baseName.plain
        if name == "decode", let type = node.arguments.first?.expression.selfType { return [type] }
        return member.base == nil ? [] : CodingDigest.makers[name] ?? []
      }
      guard let name = node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.plain,
        name.first?.isUppercase == true
      else { return [] }
      return [name]
    default: return []
    }
  }
}

extension ExprSyntax {
  fileprivate var selfType: String? {
    guard let member = self.as(MemberAccessExprSyntax.self),
      member.declName.baseName.text == "self"
    else { return nil }
    return member.base?.trimmedDescription
  }
}

extension Syntax {
  fileprivate var isLocal: Bool {
    sequence(first: self) { $0.parent }.contains {
      $0.is(CodeBlockItemSyntax.self) && $0.parent?.parent?.is(SourceFileSyntax.self) != true
    }
  }
}

extension DeclaredType {
  /// A case's value: its raw value as written, or the last raw value and the distance from it; nil if there is no such
  /// case.
  fileprivate func value(ofCase name: String) -> String? {
    var (value, offset) = ("", 0)
    for element in members.compactMap({ $0.as(EnumCaseDeclSyntax.self) }).flatMap(\.elements) {
      if let written = element.rawValue?.value.trimmedDescription { (value, offset) = (written, 0) }
      if element.name.plain == name {
        // Without raw values the case's name is coded, so the case's position does not matter.
        guard let rawType else {
          return element.parameterClause.map { CodingDigest.text(of: $0) } ?? ""
        }
        return rawType == "String"
          ? (element.rawValue == nil ? name : value) : "\(value) + \(offset) of \(rawType)"
      }
      offset += 1
    }
    return nil
  }
}

extension InitializerDeclSyntax {
  fileprivate var labels: [String] {
    signature.parameterClause.parameters.map(\.firstName.plain)
  }

  /// Whether the initialiser only assigns each parameter to its property, like a synthesized one.
  fileprivate var isMemberwise: Bool {
    let names = Set(
      signature.parameterClause.parameters.map { ($0.secondName ?? $0.firstName).plain })
    guard let statements = body?.statements, !statements.isEmpty else { return false }
    return statements.allSatisfy { statement in
      let words = statement.tokens(viewMode: .sourceAccurate).map(\.text)
      return words.count == 5 && words[0] == "self" && words[1] == "." && words[3] == "="
        && words[2] == words[4] && names.contains(words[2])
    }
  }
}

extension SourceIndex {
  /// All members of a type, including those from the app's protocols and superclasses.
  func codingMembers(of path: [String]) -> [DeclSyntax] {
    guard let type = type(path) else {
      return extensions(of: path).flatMap(\.members).filter(sees)
    }
    // Leave out private members in other files.
    guard hasViewer else { return seen(from: type.attributes.root.id).codingMembers(of: path) }
    let targets = declarations(of: path).filter { $0.isOfAnotherTarget(than: type) }
    let members =
      type.members
      // An extension belongs to the declaration in the extension's target, if there is one.
      + extensions(of: path).filter { one in
        !one.isOfAnotherTarget(than: type) || targets.allSatisfy { one.isOfAnotherTarget(than: $0) }
      }.flatMap(\.members)
    let protocols = protocols(of: path)
    return
      (members
      + protocols.flatMap { extensions(of: [$0]) }.filter { isFor($0, protocols) }
      .flatMap(\.members)).filter(sees)
  }

  /// Whether a protocol's extension applies to a type with these conformances, according to the app's protocols.
  private func isFor(_ type: DeclaredType, _ protocols: [String]) -> Bool {
    guard let node = type.attributes.parent?.as(ExtensionDeclSyntax.self) else { return true }
    return node.genericWhereClause?.requirements.allSatisfy { requirement in
      guard let conformance = requirement.requirement.as(ConformanceRequirementSyntax.self),
        conformance.leftType.lastName == "Self"
      else { return true }
      let name = conformance.rightType.lastName
      return self.protocols[name] == nil || protocols.contains(name)
    } ?? true
  }

  /// The types that a type and its extensions inherit from, without protocols that do not affect coding.
  fileprivate func inheritedTypes(of path: [String]) -> [[String]] {
    let all =
      declarations(of: path).prefix(1).flatMap(\.inheritedTypes)
      + extensions(of: path).flatMap(\.inheritedTypes).filter {
        CodingDigest.forms.contains($0.last ?? "") || meaning(of: $0, in: path) != nil
      }
    return Set(all).filter { !CodingDigest.markers.contains($0.last ?? "") }
      .sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// The protocols that a type conforms to, directly or through other protocols, as far as names show.
  func protocols(of path: [String]) -> [String] {
    var open = (declarations(of: path) + extensions(of: path)).flatMap(\.inheritedTypes)
    if type(path)?.rawType != nil { open.append(["RawRepresentable"]) }
    var found: [String] = []
    var known: Set<[String]> = []
    while let name = open.popLast() {
      guard known.insert(name).inserted, type(named: name, in: path) == nil else { continue }
      if case .foreign(let target, _)? = meaning(of: name, in: path) {
        // `typealias Stored = Codable & Listed`
        let composed = target.as(CompositionTypeSyntax.self)?.elements.map(\.type.nameParts)
        open += composed ?? [target.nameParts]
        continue
      }
      guard let last = name.last else { continue }
      found.append(last)
      if last == "Codable" { open += [["Decodable"], ["Encodable"]] }
      open += (protocols[last] ?? []).map { [$0] }
    }
    return found
  }

  /// Whether values of a type are coded as raw values without declared cases.
  func isRaw(_ path: [String]) -> Bool {
    protocols(of: path).contains { ["OptionSet", "RawRepresentable"].contains($0) }
  }

  fileprivate func parameters(around member: DeclSyntax, _ path: [String]) -> Set<String> {
    let nodes = [Syntax(member)] + declarations(of: path).prefix(1).compactMap(\.attributes.parent)
    return Set(
      nodes.compactMap { $0.asProtocol((any WithGenericParametersSyntax).self) }
        .flatMap { $0.genericParameterClause?.parameters.map(\.name.plain) ?? [] })
  }

  /// Types that no file declares, but to which extensions add a member with one of the names.
  fileprivate func foreignExtensions(with names: Set<String>) -> [[String]] {
    var found: [[String]] = []
    for type in types
    where type.kind == .extension && self.type(type.path) == nil && protocols[type.name] == nil
      && !found.contains(type.path)
      && type.members.contains(where: { !names.isDisjoint(with: $0.declaredNames) })
    {
      found.append(type.path)
    }
    return found
  }
}
