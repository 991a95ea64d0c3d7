internal import ManagedModels
internal import SwiftSyntax

/// A digest of what decides how values of a type are coded: its cases and stored properties, its own coding, and what
/// that uses of the app's types. Comments, layout and all other code are left out.
struct CodingDigest {
  let index: SourceIndex

  /// Names by which Swift finds a type's own coding.
  private static let coding: Set<String> = ["encode", "CodingKeys", "rawValue", "RawValue"]

  /// Protocols of Swift's that code nothing.
  private static let markers: Set<String> = [
    "CaseIterable", "Comparable", "CustomDebugStringConvertible", "CustomStringConvertible",
    "Equatable", "Hashable", "Identifiable", "Sendable",
  ]

  /// What says who sees a member, and from where, but not what it does.
  private static let access: Set<String> = [
    "any", "fileprivate", "internal", "nonisolated", "open", "package", "private", "public",
  ]

  /// Eight hexadecimal digits: the same wherever its members are declared.
  func digest(of type: DeclaredType) -> String {
    var whole = ""
    var open = [type.path]
    var known: Set<String> = []
    while let path = open.popLast() {
      guard known.insert(path.joined(separator: ".")).inserted else { continue }
      let declarations = index.declarations(of: path)
      let names = declarations.flatMap(\.inherited).filter { !Self.markers.contains($0) }.sorted()
      let members = codingMembers(of: path)
      // What the type itself is called makes no difference.
      let name = path == type.path ? "" : path.joined(separator: ".")
      whole += "\(name): \(names.joined(separator: ", "))\n"
      // Where they are declared makes no difference.
      for text in members.flatMap(Self.texts).sorted() { whole += text + "\n" }
      // What its values are made of may say itself how it is coded.
      let used = Set(members.flatMap { Self.words(of: $0) }).sorted().reversed()
      for name in used where name.first?.isUppercase == true {
        guard let type = index.type(named: [name], in: path), !type.isModel else { continue }
        open.append(type.path)
      }
    }
    return String(SHA256.hash(Array(whole.utf8)).hexadecimal.prefix(8))
  }

  /// The stored properties, the cases and the members that code values, with all members that these use.
  private func codingMembers(of path: [String]) -> [DeclSyntax] {
    let members = index.codingMembers(of: path)
    // What a raw value means, its constants say.
    let isRaw = index.isRaw(path)
    var isIn = members.map { member in
      Self.isCoded(member)
        || isRaw && member.as(VariableDeclSyntax.self)?.bindings.contains { !$0.isComputed } == true
    }
    var names = Set(members.indices.filter { isIn[$0] }.flatMap { Self.words(of: members[$0]) })
    var isGrowing = true
    while isGrowing {
      isGrowing = false
      for place in members.indices where !isIn[place] {
        guard !names.isDisjoint(with: members[place].declaredNames) else { continue }
        isIn[place] = true
        names.formUnion(Self.words(of: members[place]))
        isGrowing = true
      }
    }
    return members.indices.filter { isIn[$0] }.map { members[$0] }
  }

  /// Whether a member is a part of values, or codes them.
  private static func isCoded(_ member: DeclSyntax) -> Bool {
    if member.is(EnumCaseDeclSyntax.self) { return true }
    if let variable = member.as(VariableDeclSyntax.self), !variable.modifiers.isStatic,
      variable.bindings.contains(where: { !$0.isComputed })
    {
      return true
    }
    if let initializer = member.as(InitializerDeclSyntax.self) {
      let name = initializer.signature.parameterClause.parameters.first?.firstName.text
      return name == "from" || name == "rawValue"
    }
    return !coding.isDisjoint(with: member.declaredNames)
  }

  /// The texts of the members that are parts of values, or code them; comments and layout left out.
  static func parts(of members: [DeclSyntax]) -> [String] {
    members.filter(isCoded).flatMap(texts)
  }

  /// How several cases are laid out makes no difference.
  private static func texts(of member: DeclSyntax) -> [String] {
    guard let cases = member.as(EnumCaseDeclSyntax.self), cases.elements.count > 1 else {
      return [text(of: member)]
    }
    return cases.elements.map { "case " + text(of: $0.with(\.trailingComma, nil)) }
  }

  private static func text(of node: some SyntaxProtocol) -> String {
    node.tokens(viewMode: .sourceAccurate).map(\.text).filter { !access.contains($0) }
      .joined(separator: " ").replacing(", )", with: ")")
  }

  private static func words(of node: some SyntaxProtocol) -> [String] {
    node.tokens(viewMode: .sourceAccurate).compactMap { token in
      if case .identifier(let name) = token.tokenKind { return name }
      return nil
    }
  }
}

extension SourceIndex {
  /// All members of a type, those that the app's protocols give it included.
  func codingMembers(of path: [String]) -> [DeclSyntax] {
    members(of: path) + protocols(of: path).flatMap { members(of: [$0]) }
  }

  /// The protocols that a type conforms to, with those that these inherit from, as far as their names say so.
  private func protocols(of path: [String]) -> [String] {
    var open =
      declarations(of: path).flatMap(\.inherited) + extensions(of: path).flatMap(\.inherited)
    var found: [String] = []
    while let name = open.popLast() {
      guard type([name]) == nil, !found.contains(name) else { continue }
      found.append(name)
      open += protocols[name] ?? []
    }
    return found
  }

  /// Whether values of a type are its raw values, and no cases say which there are.
  func isRaw(_ path: [String]) -> Bool {
    protocols(of: path).contains { ["OptionSet", "RawRepresentable"].contains($0) }
  }
}
