internal import SchemaModel
internal import SwiftSources
internal import SwiftSyntax

/// A place in code that uses a changed name.
struct AffectedPlace: Sendable, Equatable {
  var need: AffectedNames.Need
  var place: Place
  var code: String
  /// Whether the file also mentions the model or its entity. If not, the member may belong to another type.
  var isSure: Bool
  var layer: CodeLayer
}

extension SwiftSource {
  /// The file's uses of changed names, at most one per line. Comments and strings are ignored.
  func uses(of names: AffectedNames, in layer: CodeLayer) -> [AffectedPlace] {
    let tokens = syntax.tokens(viewMode: .sourceAccurate).filter {
      if case .identifier = $0.tokenKind { true } else { false }
    }
    let used = Set(tokens.map(\.plain))
    var found: [Int: AffectedPlace] = [:]
    for token in tokens where names.members[token.plain] != nil || names.types[token.plain] != nil {
      let use = NameUse(token)
      let place = location(of: token)
      for (need, isSure) in names.needs(of: use, besides: used) {
        let known = found[place.line]
        // A certain use replaces an uncertain one of the same line.
        let isMore =
          known.map {
            ($0.isSure ? 0 : 1, $0.need.order) > (isSure ? 0 : 1, need.order)
          } ?? true
        guard isMore else { continue }
        let code = String(decoding: file.bytes[lineRange(place.line)], as: UTF8.self)
        found[place.line] = AffectedPlace(
          need: need, place: place, code: code.trimmingSpaces(), isSure: isSure, layer: layer)
      }
    }
    return found.values.sorted { $0.place.line < $1.place.line }
  }
}

extension AffectedNames.Need {
  fileprivate var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension AffectedNames {
  /// For each meaning that a use may have: how certainly the code must be edited, and whether the use certainly has
  /// this meaning.
  fileprivate func needs(
    of use: NameUse, besides used: Set<String>
  ) -> [(need: Need, isSure: Bool)] {
    let found = (members[use.name] ?? []).compactMap { member -> (need: Need, isSure: Bool)? in
      // The model's own declaration already has the change.
      if member.need != .gone, use.declares, use.types.contains(member.type) { return nil }
      guard let isOwn = member.isMeant(by: use) else { return nil }
      return (member.need, isOwn && !member.owners.isDisjoint(with: used))
    }
    guard let need = types[use.name],
      need == .gone || !use.declares || !own.contains(use.name)
    else { return found }
    let isMade = made.contains(use.name) && use.isMaking
    return found + [(isMade && need == .possible ? .changed : need, true)]
  }
}

extension AffectedNames.Member {
  /// If the file names an owner: true if the use certainly means this member, false if it may; nil if it does not.
  fileprivate func isMeant(by use: NameUse) -> Bool? {
    if isBranch { return use.isMember && use.isInSwitch ? true : nil }
    if use.isMember { return true }
    let isInside = !owners.isDisjoint(with: use.types)
    switch use.callee {
    case nil, "self", "Self", "super": return isInside ? true : nil
    case "init": return true
    case let callee? where owners.contains(callee) || isInside: return true
    // The callee may be another name of the model.
    case let callee?: return callee.first?.isUppercase == true ? false : nil
    }
  }
}

/// A name in code, with what its surroundings say about its use.
private struct NameUse {
  let token: TokenSyntax
  let name: String
  /// If the name is an argument's label, the called function: `Owner` for `Owner(…)` and `Owner.init(…)`, `init` for
  /// `.init(…)`.
  let callee: String?
  /// The enclosing types and the types that they inherit from.
  private(set) var types: Set<String> = []
  private(set) var isInSwitch = false
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
    let owner = token.parent
    declaresType =
      owner?.asProtocol((any DeclGroupSyntax).self) != nil
      && owner?.is(ExtensionDeclSyntax.self) == false
    declares =
      declaresType || owner?.is(EnumCaseElementSyntax.self) == true
      || owner?.is(FunctionParameterSyntax.self) == true
      || owner?.is(IdentifierPatternSyntax.self) == true
        && owner?.parent?.is(PatternBindingSyntax.self) == true
    var parent = declaresType ? owner?.parent : owner
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

  var isMember: Bool { token.previousToken(viewMode: .sourceAccurate)?.tokenKind == .period }

  /// Whether the code creates or declares a value of the name: `Owner(…)`, `Owner.init(…)`, `struct Owner`.
  var isMaking: Bool {
    let next = token.nextToken(viewMode: .sourceAccurate)
    return declaresType || next?.tokenKind == .leftParen
      || next?.nextToken(viewMode: .sourceAccurate)?.tokenKind == .keyword(.`init`)
  }
}
