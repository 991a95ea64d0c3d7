internal import SchemaModel
internal import SwiftSyntax

/// A place in code that uses what changes.
package struct AffectedPlace: Sendable, Equatable {
  /// The subject's index in the search.
  package var subject: Int
  package var place: Place
  /// The line's text, without the white space around it.
  package var code: String
  /// Whether the file names the model or its entity too; else the member may be another type's.
  package var isSure: Bool
}

/// The places of one file.
package struct AffectedFile: Sendable, Equatable {
  package var path: String
  package var layer: CodeLayer
  /// In the order of subjects, then of lines; one for each line.
  package var places: [AffectedPlace]
}

/// Looks for what changes in parsed files; comments and strings never count.
package struct AffectedSearch: Sendable {
  package let subjects: [AffectedSubject]
  private let entities: Set<String>
  private let activeSchema: String

  /// - Parameters:
  ///   - entities: Names of the app's domain entities.
  ///   - activeSchema: What the enum with the current version is called.
  package init(_ subjects: [AffectedSubject], entities: Set<String>, activeSchema: String) {
    self.subjects = subjects
    self.entities = entities
    self.activeSchema = activeSchema
  }

  /// Names of which one stands in every file that is worth parsing, sorted.
  package var words: [String] {
    subjects.reduce(into: Set<String>()) { $0.formUnion($1.words) }.sorted()
  }

  /// What a file uses; nil where that is nothing.
  package func look(into source: SwiftSource) -> AffectedFile? {
    let visitor = UseVisitor(entities: entities, activeSchema: activeSchema)
    visitor.walk(source.syntax)
    var places: [AffectedPlace] = []
    for (index, subject) in subjects.enumerated() {
      let isSure = subject.isSure(in: visitor.names)
      // What is new has no old uses: what has its name says it already, or means another model's.
      if subject.isNew { continue }
      // Each line once: what has to be edited for one change is seen with it.
      var lines = Set(places.filter { $0.isSure || !isSure }.map(\.place.line))
      for use in visitor.uses where subject.isConcerned(by: use) {
        let place = source.location(use.range)
        guard lines.insert(place.line).inserted else { continue }
        places.append(
          AffectedPlace(
            subject: index, place: place, code: source.line(place.line), isSure: isSure))
      }
    }
    guard !places.isEmpty else { return nil }
    let sure = Set(places.filter(\.isSure).map(\.place.line))
    places.removeAll { !$0.isSure && sure.contains($0.place.line) }
    return AffectedFile(
      path: source.file.path, layer: CodeLayer(path: source.file.path, visitor.facts),
      places: places)
  }
}

extension AffectedSubject {
  fileprivate func isConcerned(by use: Use) -> Bool {
    switch uses {
    case .mentions(let names), .otherMentions(let names):
      use.kind == .name && names.contains(use.name)
    case .initializers(let names):
      // A model's own declaration is what the change was made in.
      (use.kind == .initializer || use.kind == .declaration && !declaring.contains(use.name))
        && names.contains(use.name)
    case .members(let names, let owners):
      switch use.kind {
      case .member: names.contains(use.name)
      case .label: names.contains(use.name) && use.owner.map { owners.contains($0) } ?? true
      case .part:
        names.contains(use.name) && use.owner.map { owners.contains($0) } == true
          && !(need != .gone && use.isDeclaration
            && use.owner.map { declaring.contains($0) } == true)
      case .name, .initializer, .declaration: false
      }
    }
  }

  fileprivate func isSure(in file: Set<String>) -> Bool {
    !types.isDisjoint(with: file)
  }
}

/// A name in code, and what it is used for.
private struct Use {
  enum Kind {
    /// Any identifier.
    case name
    /// `.name`, also in key paths.
    case member
    /// `Owner(name:)`; without an owner, `.init(name:)`.
    case label
    /// A declaration or a use of `name` inside the owner's own braces.
    case part
    /// `Owner(…)`, `Owner.init(…)`
    case initializer
    /// `struct Owner`
    case declaration
  }

  var kind: Kind
  var name: String
  var owner: String?
  /// Whether it declares the name.
  var isDeclaration = false
  /// In UTF-8 units from the file's start.
  var range: Range<Int>
}

/// Notes every use of a name in one file.
private final class UseVisitor: TypeVisitor {
  private(set) var uses: [Use] = []
  /// All identifiers of the file.
  private(set) var names: Set<String> = []
  private(set) var facts = LayerFacts()
  private let entities: Set<String>
  private let activeSchema: String
  /// The types inside whose braces the visitor is, outermost first.
  private var owners: [String] = []

  init(entities: Set<String>, activeSchema: String) {
    self.entities = entities
    self.activeSchema = activeSchema
    super.init(viewMode: .sourceAccurate)
  }

  private func note(
    _ kind: Use.Kind, _ token: TokenSyntax, owner: String? = nil, isDeclaration: Bool = false
  ) {
    let start = token.positionAfterSkippingLeadingTrivia.utf8Offset
    let end = token.endPositionBeforeTrailingTrivia.utf8Offset
    uses.append(
      Use(
        kind: kind, name: token.plain, owner: owner, isDeclaration: isDeclaration,
        range: start..<end))
  }

  // MARK: Names

  override func visit(_ token: TokenSyntax) -> SyntaxVisitorContinueKind {
    guard case .identifier = token.tokenKind else { return .skipChildren }
    names.insert(token.plain)
    note(.name, token)
    return .skipChildren
  }

  override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
    if let module = node.path.first { facts.imports.insert(module.name.plain) }
    return .skipChildren
  }

  override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    note(.member, node.declName.baseName)
    return .visitChildren
  }

  override func visit(_ node: KeyPathPropertyComponentSyntax) -> SyntaxVisitorContinueKind {
    note(.member, node.declName.baseName)
    return .visitChildren
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    // What stands behind a dot was noted as a member.
    if node.parent?.as(MemberAccessExprSyntax.self)?.declName.id != node.id,
      node.parent?.is(KeyPathPropertyComponentSyntax.self) != true
    {
      noteParts(node.baseName)
    }
    return .visitChildren
  }

  // MARK: Calls

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    switch Self.callee(node.calledExpression) {
    case .type(let type):
      note(.initializer, type)
      noteLabels(of: node, owner: type.plain)
    case .unnamed: noteLabels(of: node, owner: nil)
    case nil: break
    }
    return .visitChildren
  }

  private func noteLabels(of call: FunctionCallExprSyntax, owner: String?) {
    for argument in call.arguments {
      if let label = argument.label { note(.label, label, owner: owner) }
    }
  }

  /// What a call could make.
  private enum Callee {
    /// `Owner`, `Schema.Owner`, `Owner.init`; also every function.
    case type(TokenSyntax)
    /// `.init`
    case unnamed
  }

  private static func callee(_ called: ExprSyntax) -> Callee? {
    if let reference = called.as(DeclReferenceExprSyntax.self) { return .type(reference.baseName) }
    if let specialized = called.as(GenericSpecializationExprSyntax.self) {
      return callee(specialized.expression)
    }
    guard let member = called.as(MemberAccessExprSyntax.self) else { return nil }
    guard member.declName.baseName.tokenKind == .keyword(.`init`) else {
      return member.base == nil ? nil : .type(member.declName.baseName)
    }
    return member.base.map { callee($0) } ?? .unnamed
  }

  // MARK: Declarations

  override func enter(_ node: any DeclGroupSyntax, _ name: TokenSyntax?) {
    let conformances = (node.inheritanceClause?.inheritedTypes ?? []).map {
      $0.type.lastName
    }
    facts.conformances.formUnion(conformances)
    guard let name else {
      owners.append((node as? ExtensionDeclSyntax)?.extendedType.lastName ?? "")
      return
    }
    let type = name.plain
    note(.declaration, name)
    if owners.isEmpty {
      facts.declared.insert(type)
      if entities.contains(type) { facts.declaresEntity = true }
      if type == activeSchema { facts.declaresActiveSchema = true }
    }
    owners.append(type)
  }

  override func leave() { owners.removeLast() }

  override func visit(_ node: IdentifierPatternSyntax) -> SyntaxVisitorContinueKind {
    noteParts(node.identifier, isDeclaration: node.parent?.is(PatternBindingSyntax.self) == true)
    return .visitChildren
  }

  override func visit(_ node: EnumCaseElementSyntax) -> SyntaxVisitorContinueKind {
    noteParts(node.name, isDeclaration: true)
    return .visitChildren
  }

  override func visit(_ node: FunctionParameterSyntax) -> SyntaxVisitorContinueKind {
    noteParts(node.firstName, isDeclaration: true)
    return .visitChildren
  }

  /// Notes a name for each of the types in whose braces it stands: coding keys lie one deeper.
  private func noteParts(_ token: TokenSyntax, isDeclaration: Bool = false) {
    for owner in owners { note(.part, token, owner: owner, isDeclaration: isDeclaration) }
  }
}

extension SwiftSource {
  /// The text of a line, counted from 1, without the white space around it.
  fileprivate func line(_ number: Int) -> String {
    let range = lineRange(number)
    return String(decoding: file.bytes[range], as: UTF8.self).trimmingSpaces()
  }
}
