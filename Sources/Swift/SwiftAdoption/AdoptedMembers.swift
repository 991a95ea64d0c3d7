internal import SchemaModel
internal import SchemaRendering
internal import SwiftSources
package import SwiftSyntax

/// The members of a class of the newest version that the generated class lacks: everything except stored properties.
package struct AdoptedMembers: Sendable {
  /// The conformances of an enum or a struct, and its members other than cases and fields.
  package typealias Code = (members: [DeclSyntax], conformances: [String])

  package private(set) var moved: [DeclSyntax] = []
  /// Types that are generated under another name. Their other code moves into extensions of the generated types.
  package private(set) var types: [(declaration: DeclSyntax, name: String, code: Code?)] = []
  package private(set) var refused: [DeclSyntax] = []
  /// The class's inheritance clause, without the protocols that generated classes conform to.
  package private(set) var conformances: [String] = []

  init?(
    of type: DeclaredType, _ model: Model, among models: [String: Model], in run: Adoption,
    _ resolver: TypeResolver
  ) {
    guard let node = type.attributes.parent?.as(ClassDeclSyntax.self) else { return nil }
    let properties = model.effectiveProperties(among: models).filter { !$0.isTransient }
    var names = run.valueTypes
    for member in run.options.conditions.chosen(node.memberBlock.members) {
      if let initializer = member.as(InitializerDeclSyntax.self) {
        let written = WrittenInitializer(initializer)
        if written.isConvenience, !member.isOverride {
          moved.append(member)
        } else if !written.isGenerated(of: properties, resolver, in: type.path) {
          refused.append(member)
        }
      } else if member.is(DeinitializerDeclSyntax.self) || member.isOverride {
        refused.append(member)
      } else if member.isType, let name = member.declaredNames.first,
        let nested = run.index.type(type.path + [name])
      {
        if nested.isModel { continue }
        let name = names.isHoisted(nested) ? names.name(of: nested) : ""
        if let declared = run.history.last?.type(named: name) {
          types.append((member, name, declared.isOwn ? nil : member.codeBesideCases))
        } else {
          moved.append(member)
        }
      } else if member.isMovable {
        moved.append(member)
      } else if member.isObserved {
        refused.append(member)
      }
    }
    let given: Set = ["PersistentModel", "Observable", model.superclass?.value ?? ""]
    conformances = (node.inheritanceClause?.inheritedTypes.map(\.type) ?? []).filter {
      !given.contains($0.lastName)
    }.map(\.trimmedDescription)
  }

  func text(extending name: String, imports: [String]) -> String? {
    guard !moved.isEmpty || !types.isEmpty || !conformances.isEmpty else { return nil }
    let aliases = types.map { declaration, name, _ in
      let access = declaration.asProtocol((any WithModifiersSyntax).self)?.modifiers.first {
        ["public", "package"].contains($0.name.text)
      }
      return [
        (access.map { $0.name.text + " " } ?? "")
          + "typealias \(declaration.declaredNames[0]) = \(name)"
      ]
    }
    var lines = ["// \(FileMark.userFile)", ""] + imports + [""]
    lines += Self.lines(
      extending: name, conformances, aliases + moved.map(\.lines))
    for (_, name, code) in types {
      guard let code else { continue }
      lines += [""]
      lines += Self.lines(
        extending: name, code.conformances, code.members.map(\.lines))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func lines(
    extending name: String, _ conformances: [String], _ members: [[String]]
  ) -> [String] {
    let list = conformances.isEmpty ? "" : ": \(conformances.joined(separator: ", "))"
    guard !members.isEmpty else { return ["extension \(name)\(list) {}"] }
    let inner = members.map { $0.map { $0.isEmpty ? "" : "  " + $0 } }
    return ["extension \(name)\(list) {"] + inner.joined(separator: [""]) + ["}"]
  }
}

extension WrittenInitializer {
  /// Whether the generated initialiser does the same as this one, with the same default values.
  fileprivate func isGenerated(
    of properties: [Property], _ resolver: TypeResolver, in scope: [String]
  ) -> Bool {
    guard isPlain(), properties.initializerTakes(labels) else { return false }
    var resolver = resolver
    return properties.allSatisfy { property in
      guard let parameter = parameters.first(where: { $0.label == property.name }) else {
        return property.initializerDefault == nil
      }
      guard let value = parameter.defaultValue else { return true }
      let found = try? resolver.expression(value, of: property.type, in: scope)
      return found != nil && found == property.initializerValue
    }
  }
}

extension BuildConditions {
  /// The members. An `#if` whose clauses have only code stays whole. The active clause's members replace any other
  /// `#if`.
  fileprivate func chosen(_ members: MemberBlockItemListSyntax) -> [DeclSyntax] {
    members.flatMap { member in
      let isCode = member.decl.inAllClauses.allSatisfy(\.isMovable)
      return isCode ? [member.decl] : decided([member.decl]).map(\.declaration)
    }
  }
}

extension DeclSyntax {
  package var inAllClauses: [DeclSyntax] {
    guard let config = self.as(IfConfigDeclSyntax.self) else { return [self] }
    return config.clauses.flatMap { clause -> [DeclSyntax] in
      guard case .decls(let list)? = clause.elements else { return [] }
      return list.flatMap(\.decl.inAllClauses)
    }
  }

  fileprivate var lines: [String] {
    var lines = description.dedentedLines
    if let last = lines.popLast() { lines.append(last.trimmedEnd) }
    return lines
  }

  /// The code of an enum or a struct other than its cases; nil if there is none.
  package var codeBesideCases: AdoptedMembers.Code? {
    guard let group = asProtocol((any DeclGroupSyntax).self) else { return nil }
    let given = Set(StorageType.Primitive.bySwiftName.keys).union([
      "CaseIterable", "Codable", "Decodable", "Encodable", "Equatable", "Hashable", "Sendable",
    ])
    let conformances = (group.inheritanceClause?.inheritedTypes.map(\.type) ?? []).filter {
      !given.contains($0.lastName)
    }.map(\.trimmedDescription)
    let members = group.memberBlock.members.map(\.decl).filter {
      $0.isMovable || $0.is(InitializerDeclSyntax.self) && self.is(EnumDeclSyntax.self)
    }
    return members.isEmpty && conformances.isEmpty ? nil : (members, conformances)
  }

  /// Whether an extension may contain the declaration: code or a type, but no stored property and no macro.
  fileprivate var isMovable: Bool {
    if let variable = self.as(VariableDeclSyntax.self) {
      return variable.modifiers.isStatic || variable.bindings.allSatisfy(\.isComputed)
    }
    return asProtocol((any NamedDeclSyntax).self) != nil || self.is(SubscriptDeclSyntax.self)
  }

  package var isObserved: Bool {
    self.as(VariableDeclSyntax.self)?.bindings.contains {
      $0.accessorBlock != nil && !$0.isComputed
    } ?? false
  }

  fileprivate var isOverride: Bool {
    asProtocol((any WithModifiersSyntax).self)?.modifiers.has(.override) ?? false
  }
}
