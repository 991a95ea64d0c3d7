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
  package var layer: CodeLayer
}

/// Looks for what changes in parsed files; comments and strings never count.
package struct AffectedSearch: Sendable {
  package let subjects: [AffectedSubject]
  /// Names of which one stands in every file that is worth parsing.
  package let names: Set<String>
  private let entities: Set<String>
  private let activeSchema: String

  /// - Parameters:
  ///   - entities: Names of the app's domain entities.
  ///   - activeSchema: What the enum with the current version is called.
  package init(_ subjects: [AffectedSubject], entities: Set<String>, activeSchema: String) {
    self.subjects = subjects
    names = subjects.reduce(into: []) { $0.formUnion($1.names) }
    self.entities = entities
    self.activeSchema = activeSchema
  }

  /// What a file uses, in the order of subjects, then of lines. Each line is there once: what has to be edited for one
  /// change is seen with it.
  package func look(into source: SwiftSource) -> [AffectedPlace] {
    var used: Set<String> = []
    var tokens: [TokenSyntax] = []
    for token in source.syntax.tokens(viewMode: .sourceAccurate) {
      guard case .identifier = token.tokenKind else { continue }
      used.insert(token.plain)
      if names.contains(token.plain) { tokens.append(token) }
    }
    let uses = tokens.map(NameUse.init)
    let places = uses.map { source.location(of: $0.token) }
    let layer = CodeLayer(source, entities: entities, activeSchema: activeSchema)
    var lines: Set<Int> = []
    var found: [AffectedPlace] = []
    // Sure ones first: of a line that may be meant elsewhere, this is what counts.
    for wanted in [true, false] {
      for (index, subject) in subjects.enumerated() {
        let isNamed = !subject.owners.isDisjoint(with: used)
        for (use, place) in zip(uses, places) {
          guard let isOwn = subject.isConcerned(by: use), (isOwn && isNamed) == wanted,
            lines.insert(place.line).inserted
          else { continue }
          let code = String(
            decoding: source.file.bytes[source.lineRange(place.line)], as: UTF8.self)
          found.append(
            AffectedPlace(
              subject: index, place: place, code: code.trimmingSpaces(), isSure: wanted,
              layer: layer))
        }
      }
    }
    return found
  }
}

extension AffectedSubject {
  /// Whether a use of one of the names is meant for sure, where the file names an owner; nil where it is not.
  fileprivate func isConcerned(by use: NameUse) -> Bool? {
    guard names.contains(use.name) else { return nil }
    // The model's own declaration says the new thing already.
    if need != .gone, use.declares, use.types.contains(type) || use.name == type { return nil }
    let isInside = !owners.isDisjoint(with: use.types)
    switch self.use {
    case .mention: return true
    case .making: return use.isMaking ? true : nil
    case .branch: return use.isMember && use.isInSwitch ? true : nil
    case .member:
      if use.isMember { return true }
      switch use.callee {
      case nil: return isInside ? true : nil
      case "init": return true
      case "self", "Self", "super": return isInside ? true : nil
      case let callee? where owners.contains(callee) || isInside: return true
      // It may be another name of the model's.
      case let callee?: return callee.first?.isUppercase == true ? false : nil
      }
    }
  }
}

/// What a name in code is used for, as its surroundings tell.
private struct NameUse {
  let token: TokenSyntax
  let name: String
  /// What is called, where the name is an argument's label: `Owner`, `init` for `.init`.
  let callee: String?
  /// Types inside whose braces it stands, with those that they say they inherit from.
  private(set) var types: Set<String> = []
  private(set) var isInSwitch = false
  /// Whether it is declared here.
  let declares: Bool
  private let declaresType: Bool

  init(_ token: TokenSyntax) {
    self.token = token
    name = token.plain
    let label = token.parent?.as(LabeledExprSyntax.self)
    let call = label?.label == token ? label?.parent?.parent?.as(FunctionCallExprSyntax.self) : nil
    callee = (call?.calledExpression).flatMap { called in
      let parts = called.trimmedDescription.prefix { $0 != "<" }.split(separator: ".")
      return (parts.last { $0 != "init" } ?? parts.last).map { String($0.filter { $0 != "`" }) }
    }
    let isBinding =
      token.parent?.is(IdentifierPatternSyntax.self) == true
      && token.parent?.parent?.is(PatternBindingSyntax.self) == true
    declaresType =
      token.parent?.asProtocol((any DeclGroupSyntax).self) != nil
      && token.parent?.is(ExtensionDeclSyntax.self) == false
    declares =
      isBinding || declaresType || token.parent?.is(EnumCaseElementSyntax.self) == true
      || token.parent?.is(FunctionParameterSyntax.self) == true
    var parent = declaresType ? token.parent?.parent : token.parent
    while let node = parent {
      if node.is(SwitchCaseItemSyntax.self) { isInSwitch = true }
      if let group = node.asProtocol((any DeclGroupSyntax).self) {
        let own =
          node.asProtocol((any NamedDeclSyntax).self)?.name.plain
          ?? node.as(ExtensionDeclSyntax.self)?.extendedType.lastName
        types.formUnion([own].compactMap(\.self))
        types.formUnion(group.inheritanceClause?.inheritedTypes.map(\.type.lastName) ?? [])
      }
      parent = node.parent
    }
  }

  /// Whether it stands behind a dot.
  var isMember: Bool { token.previousToken(viewMode: .sourceAccurate)?.tokenKind == .period }

  /// `Owner(…)`, `Owner.init(…)`, `struct Owner`.
  var isMaking: Bool {
    let next = token.nextToken(viewMode: .sourceAccurate)
    return declaresType || next?.tokenKind == .leftParen
      || next?.nextToken(viewMode: .sourceAccurate)?.tokenKind == .keyword(.`init`)
  }
}
