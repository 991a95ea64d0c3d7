package import SchemaModel
internal import SchemaRendering
package import SchemaWorkspace
internal import SwiftAdoption
internal import SwiftSources
internal import SwiftSyntax

/// Finds the app's declarations that generated code and hooks use, and the declarations that those use in turn.
///
/// A file keeps its line numbers: needed code stays in place, and everything else becomes spaces. A type keeps its
/// cases, stored properties and initialisers, and the members that are used. `@Model` classes are left out because they
/// are generated, and user interface because a rehearsal has none. Only the compiler knows what else is unavailable on
/// Linux. Code that the compiler has refused is left out, with everything that only the refused code uses.
package struct NeededCode {
  private let sources: [SwiftSource]
  private let conditions = BuildConditions(platform: "Linux")
  private var topLevel: [String: [Piece]] = [:]
  /// Types nested in versions and models, by the simple names that manifests use.
  private var nested: [String: [Piece]] = [:]
  private var extensions: [String: [Piece]] = [:]
  /// Members that nothing uses so far, by name.
  private var waiting: [String: [Piece]] = [:]
  private var queue: [Name] = []
  private var seen: Set<Name> = []
  private var named: Set<String> = []
  private var calls: Set<[String]> = []
  /// The names of top-level types and functions in generated code and user files.
  private let declared: Set<String>
  private let types: Set<String>
  private var taken: Set<SyntaxIdentifier> = []
  private var foreign: Set<SyntaxIdentifier> = []
  private var refused: Set<SyntaxIdentifier> = []
  /// Types and extensions that only compile on Linux without their conformances.
  private var bare: Set<SyntaxIdentifier> = []
  private var opened: Set<SyntaxIdentifier> = []
  /// The kept ranges of each file, in UTF-8 units.
  private var kept: [[Range<Int>]]

  private struct Piece {
    var file: Int
    var declaration: DeclSyntax
    var parent: DeclSyntax?
  }

  private struct Name: Hashable {
    var text: String
    /// The index of the app's file that uses the name; nil for generated code and user files.
    var file: Int?
  }

  package static func find(
    _ request: AppCode.Request
  ) -> (files: [AppCode.File], findings: [Diagnostic]) {
    let tree = SourceTree(folders: request.paths, excluding: request.excluded)
    let reading = tree.files(containing: Prefilter([""]))
    func rank(_ file: SourceFile) -> Int {
      request.paths.firstIndex { file.path == $0 || file.path.hasPrefix($0 + "/") }
        ?? request.paths.count
    }
    let written = reading.files.filter { !GeneratedFile.isMarked($0.bytes) }
    // If two types have the same name, the first is used. Files that the user named come first.
    let ordered =
      request.paths.indices.flatMap { place in written.filter { rank($0) == place } }
      + written.filter { rank($0) == request.paths.count }
    let app = TestCode.parted(ordered.concurrentlyParsed).app
    let parsed = (request.generated + request.userFiles).map {
      SourceFile(path: "", text: $0)
    }.concurrentlyParsed
    return (
      DeepStack.run {
        var code = NeededCode(
          app, generated: Array(parsed.prefix(request.generated.count)),
          users: Array(parsed.dropFirst(request.generated.count)), types: Set(request.types),
          refused: request.refused)
        return code.files()
      }, reading.diagnostics
    )
  }

  private init(
    _ sources: [SwiftSource], generated: [SwiftSource], users: [SwiftSource], types: Set<String>,
    refused places: [[AppCode.Place]]
  ) {
    self.sources = sources
    self.types = types
    kept = Array(repeating: [], count: sources.count)
    declared = (generated + users).reduce(into: []) { names, source in
      names.formUnion(source.syntax.statements.flatMap(Self.topLevelNames))
    }
    for time in places {
      let before = bare
      for place in time { refuse(place, before) }
    }
    for (file, source) in sources.enumerated() {
      for declaration in active(Self.statements(source)) {
        index(Piece(file: file, declaration: declaration))
      }
    }
    for source in generated {
      // A model's property does not count as a use of an enum's member with the same name.
      let names = UsedNames.find(in: source.syntax).all.subtracting(
        BoundNames.find(in: source.syntax))
      need(names, in: nil)
    }
    for source in users {
      need(UsedNames.find(in: source.syntax).all, in: nil)
      for call in source.syntax.all(FunctionCallExprSyntax.self) where !call.arguments.isEmpty {
        calls.insert(call.arguments.map { $0.label?.plain ?? "_" })
      }
    }
    for name in extensions.keys.sorted() where declared.contains(name) || topLevel[name] == nil {
      for piece in extensions[name] ?? [] {
        foreign.insert(piece.declaration.id)
        open(piece)
      }
    }
  }

  private static func topLevelNames(_ item: CodeBlockItemSyntax) -> [String] {
    item.item.as(DeclSyntax.self)?.declaredNames ?? []
  }

  private mutating func index(_ piece: Piece) {
    if let node = piece.declaration.as(ExtensionDeclSyntax.self) {
      if let name = node.extendedType.nameParts.first {
        extensions[name, default: []].append(piece)
      }
    } else if let alias = piece.declaration.as(TypeAliasDeclSyntax.self),
      alias.initializer.value.nameParts.count > 1,
      alias.initializer.value.lastName == alias.name.plain
    {
      // The alias means a type nested in a version. Generated code declares that type at top level.
    } else if !piece.declaration.isModel {
      for name in piece.declaration.declaredNames { topLevel[name, default: []].append(piece) }
    }
    indexNested(in: piece)
  }

  private mutating func indexNested(in piece: Piece) {
    guard let group = piece.declaration.asProtocol((any DeclGroupSyntax).self) else { return }
    for member in active(group.memberBlock.members.map(\.decl)) where member.isType {
      let inner = Piece(file: piece.file, declaration: member)
      for name in member.declaredNames { nested[name, default: []].append(inner) }
      indexNested(in: inner)
    }
  }

  /// The declarations that compile, including those in active `#if` clauses.
  private func active(_ declarations: [DeclSyntax]) -> [DeclSyntax] {
    conditions.decided(declarations).map(\.declaration).filter { !refused.contains($0.id) }
  }

  private static func statements(_ source: SwiftSource) -> [DeclSyntax] {
    source.syntax.statements.compactMap { $0.item.as(DeclSyntax.self) }
  }

  // MARK: What does not compile

  /// Leaves out the innermost declaration at a place. If a needed type cannot do without the declaration, the whole
  /// type is left out. A type or extension first loses only its conformances.
  ///
  /// - Parameter before: Types and extensions already without conformances.
  private mutating func refuse(_ place: AppCode.Place, _ before: Set<SyntaxIdentifier>) {
    guard let source = sources.first(where: { $0.file.path == place.path }) else { return }
    let offset =
      source.lineRange(place.line).lowerBound + place.column - 1
      - (place.line == 1 ? Self.imports.utf8.count : 0)
    var found: [DeclSyntax] = []
    var members = Self.statements(source)
    while let declaration = conditions.decided(members).map(\.declaration)
      .first(where: { $0.utf8Range.contains(offset) })
    {
      found.append(declaration)
      members = declaration.opened?.memberBlock.members.map(\.decl) ?? []
    }
    guard let inner = found.last else { return }
    if inner.isStored, let type = found.dropLast().last,
      !types.isDisjoint(with: type.declaredNames)
    {
      refused.insert(type.id)
    } else if inner.opened?.inheritanceClause != nil, !before.contains(inner.id),
      inner.as(ExtensionDeclSyntax.self)?.extendedType.utf8Range.contains(offset) != true
    {
      bare.insert(inner.id)
    } else {
      refused.insert(inner.id)
    }
  }

  // MARK: What is needed

  private mutating func need(_ names: Set<String>, in file: Int?) {
    named.formUnion(names)
    for text in names.sorted() {
      let name = Name(text: text, file: file)
      if seen.insert(name).inserted { queue.append(name) }
    }
  }

  private mutating func files() -> [AppCode.File] {
    while let name = queue.popLast() {
      for piece in waiting.removeValue(forKey: name.text) ?? [] { take(piece) }
      guard !declared.contains(name.text) else { continue }
      if topLevel[name.text] == nil, types.contains(name.text),
        let piece = nested[name.text]?.last(where: { !$0.declaration.isModel })
      {
        // The last declaration belongs to the newest version.
        take(piece)
      }
      var types = 0
      for piece in topLevel[name.text] ?? [] where isVisible(piece, from: name.file) {
        // Another target may have a type with the same name. Functions of the same name may be overloads.
        if piece.declaration.isType {
          types += 1
          guard types == 1 else { continue }
        }
        take(piece)
      }
    }
    return sources.indices.compactMap { file in
      kept[file].isEmpty
        ? nil : AppCode.File(path: sources[file].file.path, text: text(of: file))
    }
  }

  private func isVisible(_ piece: Piece, from file: Int?) -> Bool {
    guard piece.file != file,
      let modifiers = piece.declaration.asProtocol((any WithModifiersSyntax).self)?.modifiers
    else { return true }
    return !modifiers.has(.private) && !modifiers.has(.fileprivate)
  }

  private mutating func take(_ piece: Piece) {
    let declaration = piece.declaration
    guard !declaration.isModel, !taken.contains(declaration.id) else { return }
    let parts = declaration.isType ? nil : UsedNames.find(in: declaration)
    let header = declaration.asProtocol((any DeclGroupSyntax).self)?.inheritanceClause
    let inherited = header?.inheritedTypes.map(\.type.lastName) ?? []
    guard !(parts?.values ?? Set(inherited)).contains(where: isInterface) else { return }
    taken.insert(declaration.id)
    if let parent = piece.parent { keepHeader(of: parent, in: piece.file) }
    guard let parts else { return takeType(piece) }
    keep(Syntax(declaration), in: piece.file)
    need(parts.all, in: piece.file)
    if let node = declaration.as(ProtocolDeclSyntax.self) {
      need(Set(node.memberBlock.members.flatMap(\.decl.declaredNames)), in: piece.file)
    }
  }

  private mutating func takeType(_ piece: Piece) {
    keepHeader(of: piece.declaration, in: piece.file)
    openMembers(of: piece)
    // Extensions of a nested type are listed under the outer type's name.
    for name in piece.declaration.declaredNames {
      for piece in extensions[name] ?? [] { open(piece) }
    }
  }

  private mutating func open(_ piece: Piece) {
    guard taken.insert(piece.declaration.id).inserted else { return }
    let clause = piece.declaration.as(ExtensionDeclSyntax.self)?.inheritanceClause
    if !foreign.contains(piece.declaration.id), !bare.contains(piece.declaration.id),
      clause?.inheritedTypes.contains(where: isKnown) ?? false
    {
      keepHeader(of: piece.declaration, in: piece.file)
    }
    openMembers(of: piece)
  }

  private mutating func openMembers(of piece: Piece) {
    guard let group = piece.declaration.asProtocol((any DeclGroupSyntax).self) else { return }
    let isForeign = foreign.contains(piece.declaration.id)
    for member in active(group.memberBlock.members.map(\.decl)) {
      let inner = Piece(file: piece.file, declaration: member, parent: piece.declaration)
      let names = member.declaredNames
      if !isForeign && member.isAlwaysNeeded || names.contains(where: named.contains)
        || isCalled(member)
      {
        take(inner)
      } else {
        for name in names { waiting[name, default: []].append(inner) }
      }
    }
  }

  private func isCalled(_ member: DeclSyntax) -> Bool {
    guard let node = member.as(InitializerDeclSyntax.self) else { return false }
    let initializer = WrittenInitializer(node)
    return calls.contains(where: initializer.takes)
  }

  /// Whether the name is unavailable on Linux and not declared in the app.
  private func isInterface(_ name: String) -> Bool {
    Self.interface.contains(name) && topLevel[name] == nil && !declared.contains(name)
  }

  private static let interface: Set<String> = [
    "AnyShapeStyle", "AnyView", "App", "Binding", "CGColor", "CGImage", "Color", "Font", "Gradient",
    "Image", "LinearGradient", "LocalizedStringKey", "LocalizedStringResource", "NSColor",
    "NSImage",
    "Shape", "Text", "UIColor", "UIFont", "UIImage", "View", "Widget",
  ]

  // MARK: What stays

  private mutating func keep(_ node: Syntax, in file: Int) {
    kept[file].append(node.utf8Range)
  }

  private mutating func keepHeader(of declaration: DeclSyntax, in file: Int) {
    let isForeign = foreign.contains(declaration.id)
    guard let group = declaration.asProtocol((any DeclGroupSyntax).self),
      opened.insert(declaration.id).inserted
    else { return }
    for attribute in group.attributes where Self.attributes.contains(attribute.plainName) {
      keep(Syntax(attribute), in: file)
    }
    for modifier in group.modifiers { keep(Syntax(modifier), in: file) }
    keep(Syntax(group.introducer), in: file)
    for child in group.children(viewMode: .sourceAccurate) {
      if child.is(GenericParameterClauseSyntax.self) || child.is(GenericWhereClauseSyntax.self)
        || child.id == declaration.as(ExtensionDeclSyntax.self)?.extendedType.id
        || child.as(TokenSyntax.self)?.tokenKind.isIdentifier ?? false
      {
        keep(child, in: file)
      }
    }
    // If the type is generated or Foundation's, only the members of its extension are kept.
    if !isForeign, !bare.contains(declaration.id), let clause = group.inheritanceClause {
      // An array is needed, since a filtered syntax list loses its place in the file.
      let known = Array(clause.inheritedTypes).filter(isKnown)
      if !known.isEmpty { keep(Syntax(clause.colon), in: file) }
      for (index, inherited) in known.enumerated() {
        keep(Syntax(inherited.type), in: file)
        // If the type after the comma is left out, the comma is left out too.
        if index + 1 < known.count, let comma = inherited.trailingComma {
          keep(Syntax(comma), in: file)
        }
        need(UsedNames.find(in: inherited.type).all, in: file)
      }
    }
    keep(Syntax(group.memberBlock.leftBrace), in: file)
    keep(Syntax(group.memberBlock.rightBrace), in: file)
  }

  private func isKnown(_ inherited: InheritedTypeSyntax) -> Bool {
    let name = inherited.type.nameParts.first ?? ""
    return Self.conformances.contains(name) || topLevel[name] != nil || declared.contains(name)
  }

  private static let attributes: Set<String> = [
    "propertyWrapper", "resultBuilder", "dynamicMemberLookup", "available",
  ]

  /// Protocols of Swift and Foundation whose required members are always kept, and types of raw values.
  private static let conformances: Set<String> = [
    "CaseIterable", "Codable", "CodingKey", "Comparable", "Decodable", "Encodable", "Equatable",
    "Error", "Hashable", "Identifiable", "OptionSet", "RawRepresentable", "Sendable", "NSObject",
    "Bool", "Character", "Double", "Float", "Int", "Int16", "Int32", "Int64", "Int8", "String",
    "UInt", "UInt16", "UInt32", "UInt64", "UInt8",
  ]

  private func text(of file: Int) -> String {
    let bytes = sources[file].file.bytes
    var result = bytes.map { $0 == 0x0A || $0 == 0x0D ? $0 : 0x20 }
    for range in kept[file] { result.replaceSubrange(range, with: bytes[range]) }
    return Self.imports + String(decoding: result, as: UTF8.self)
  }

  /// The imports share a file's first line, so its line numbers stay the same.
  private static let imports = "import Foundation; import SwiftData; "
}

extension AttributeListSyntax.Element {
  fileprivate var plainName: String { self.as(AttributeSyntax.self)?.attributeName.lastName ?? "" }
}

extension TokenKind {
  fileprivate var isIdentifier: Bool {
    if case .identifier = self { true } else { false }
  }
}

extension SyntaxProtocol {
  fileprivate var utf8Range: Range<Int> {
    positionAfterSkippingLeadingTrivia.utf8Offset..<endPositionBeforeTrailingTrivia.utf8Offset
  }
}

extension DeclSyntax {
  /// The type or extension, if its members are added one by one; nil for a protocol.
  fileprivate var opened: (any DeclGroupSyntax)? {
    self.is(ProtocolDeclSyntax.self) ? nil : asProtocol((any DeclGroupSyntax).self)
  }

  fileprivate var isModel: Bool {
    self.as(ClassDeclSyntax.self).map { !$0.attributes.attributes("Model").isEmpty } ?? false
  }

  /// Whether a type always needs this member: storage, an initialiser, or what a conformance requires.
  fileprivate var isAlwaysNeeded: Bool {
    if self.is(EnumCaseDeclSyntax.self) || self.is(InitializerDeclSyntax.self)
      || self.is(TypeAliasDeclSyntax.self)
    {
      return true
    }
    let asked: Set<String> = [
      "<", "==", "CodingKeys", "allCases", "encode", "hash", "id", "intValue", "rawValue",
      "stringValue",
    ]
    return declaredNames.contains(where: asked.contains) || isStored
  }

  fileprivate var isStored: Bool {
    if self.is(EnumCaseDeclSyntax.self) { return true }
    guard let variable = self.as(VariableDeclSyntax.self), !variable.modifiers.isStatic else {
      return false
    }
    return !variable.bindings.allSatisfy(\.isComputed)
  }
}
