internal import SchemaModel
internal import SwiftAdoption
internal import SwiftSources
internal import SwiftSyntax

/// Finds where code registers value transformers, and whether that code runs at each launch.
struct TransformerRegistrations {
  /// Returns the Swift files that contain one of the given strings.
  let files: ([String]) -> [SourceFile]

  /// The largest number of nested callers that are followed.
  private static let longestChain = 6

  /// The registrations under this name or under an unknown name, and whether each runs at each launch.
  func all(of transformer: String) -> [(place: Place, isReached: Bool)] {
    let name = transformer.split(separator: ".").last.map { String($0) } ?? transformer
    return sources(["setValueTransformer("]).flatMap { source in
      source.syntax.all(FunctionCallExprSyntax.self).compactMap { call in
        guard call.calledName == "setValueTransformer" else { return nil }
        let given = call.arguments.first { $0.label?.text == "forName" }?.expression
        let literals = given?.all(StringLiteralExprSyntax.self).compactMap {
          ExprSyntax($0).stringValue
        }
        let words = (literals ?? []) + (given?.outermostPaths.flatMap(\.self) ?? [])
        guard literals?.isEmpty ?? true || words.contains(name) else { return nil }
        return (source.location(of: call), isReached(Syntax(call), source, Self.longestChain))
      }
    }
  }

  /// Whether the code runs at each launch before a container is made. The system may call code that has no caller in
  /// the app.
  ///
  /// - Parameter isInTime: Whether a container is known to be created after the code. If so, neither the order of calls
  ///   nor conditions in the code's callers matter.
  private func isReached(
    _ node: Syntax, _ source: SwiftSource, _ rest: Int, isInTime: Bool = false
  ) -> Bool {
    guard Ancestors(\.isDevelopment).value(around: node) != true else { return false }
    guard rest > 0, let member = node.enclosingMember else { return true }
    let containers = member.node.all(FunctionCallExprSyntax.self).filter {
      ($0.makesContainer || $0.isGeneratedContainer) && !$0.range.contains(node.position)
    }
    let isLate = containers.contains { $0.position < node.position }
    guard isInTime || !isLate && !isConditional(node, in: member.node) else { return false }
    let isInTime = isInTime || !isLate && !containers.isEmpty
    // The system itself uses a scene's `body`, so it does not matter who uses another member of that name.
    guard !(member.isOfSystem && member.name == "body") else { return true }
    let callers = sources([member.name]).flatMap { other in
      other.syntax.all(DeclReferenceExprSyntax.self).filter { reference in
        let isOwn =
          source.file.path == other.file.path && member.node.range.contains(reference.position)
        return !isOwn && member.isMeant(by: reference)
      }.map { (Syntax($0), other) }
    }
    return callers.isEmpty
      ? member.isOfSystem && isUsed(member.node, in: source)
      : callers.contains { isReached($0.0, $0.1, rest - 1, isInTime: isInTime) }
  }

  /// Whether the system uses the member's type. It uses an app delegate without attributes only if other code names it.
  private func isUsed(_ member: Syntax, in own: SwiftSource) -> Bool {
    guard
      let type = sequence(first: member, next: \.parent).lazy
        .compactMap({ $0.as(ClassDeclSyntax.self) }).first,
      type.inheritanceClause?.inheritedTypes.contains(where: {
        $0.type.lastName.hasSuffix("ApplicationDelegate")
      }) ?? false, type.attributes.isEmpty
    else { return true }
    return sources([type.name.plain]).contains { source in
      source.syntax.tokens(viewMode: .sourceAccurate).contains {
        $0.text == type.name.text
          && (source.file.path != own.file.path || !type.range.contains($0.position))
      }
    }
  }

  /// Whether the code runs only at some launches, because a view or a setting decides.
  private func isConditional(_ node: Syntax, in member: Syntax) -> Bool {
    sequence(first: node) { $0.parent }.prefix { $0.id != member.id }.contains { node in
      if let closure = node.as(ClosureExprSyntax.self) {
        let call = closure.parent?.as(FunctionCallExprSyntax.self)
        return call?.calledName.map(Self.viewEvents.contains) ?? false
      }
      guard let condition = node.parent?.as(IfExprSyntax.self), condition.body.id == node.id else {
        return false
      }
      return condition.conditions.tokens(viewMode: .sourceAccurate).contains {
        $0.text == "UserDefaults"
      }
    }
  }

  private static let viewEvents: Set<String> = ["onAppear", "onChange", "onReceive", "task"]

  private func sources(_ texts: [String]) -> [SwiftSource] { files(texts).writtenForUsers }
}

/// A function, an initialiser, or a variable that is not local to a function.
private struct EnclosingMember {
  let name: String
  let node: Syntax
  /// The type of a static member; nil for other members.
  let owner: String?
  /// Whether code outside the app may call the member, because a protocol, a superclass or an attribute may require
  /// it.
  let isOfSystem: Bool

  init?(_ node: Syntax) {
    let modifiers: DeclModifierListSyntax
    let attributes: AttributeListSyntax
    let type = node.enclosingTypes.last
    if let function = node.as(FunctionDeclSyntax.self) {
      (name, modifiers, attributes) =
        (function.name.plain, function.modifiers, function.attributes)
    } else if let initializer = node.as(InitializerDeclSyntax.self), let type {
      (name, modifiers, attributes) = (type, initializer.modifiers, initializer.attributes)
    } else if let variable = node.as(VariableDeclSyntax.self),
      variable.parent?.is(MemberBlockItemSyntax.self) ?? false
        || variable.parent?.parent?.parent?.is(SourceFileSyntax.self) ?? false,
      let binding = variable.bindings.first,
      let pattern = binding.pattern.as(IdentifierPatternSyntax.self)
    {
      (name, modifiers, attributes) =
        (pattern.identifier.plain, variable.modifiers, variable.attributes)
    } else {
      return nil
    }
    self.node = node
    let isStatic = modifiers.contains { ["static", "class"].contains($0.name.text) }
    owner = isStatic ? type : nil
    let group = sequence(first: node) { $0.parent }.dropFirst()
      .lazy.compactMap { $0.asProtocol((any DeclGroupSyntax).self) }.first
    // Protocols and superclasses rarely require a static member.
    let isHidden =
      modifiers.contains { ["private", "fileprivate"].contains($0.name.text) }
      || isStatic && !modifiers.contains { $0.name.text == "override" }
    isOfSystem =
      !attributes.isEmpty
      || !isHidden && (group?.inheritanceClause != nil || !(group?.attributes.isEmpty ?? true))
  }

  func isMeant(by reference: DeclReferenceExprSyntax) -> Bool {
    guard reference.baseName.plain == name else { return false }
    guard let owner, let member = reference.parent?.as(MemberAccessExprSyntax.self),
      member.declName.id == reference.id, let base = member.base?.memberPath?.last
    else { return true }
    return [owner, "Self", "self"].contains(base)
  }
}

extension Syntax {
  fileprivate var enclosingMember: EnclosingMember? {
    sequence(first: self) { $0.parent }.dropFirst().lazy.compactMap { EnclosingMember($0) }.first
  }
}

extension StoreOpenings {
  /// Reports value transformers that nothing registers at each launch, if they are new or if the base's code
  /// registers them.
  ///
  /// - Parameter shipped: The newest version that users have.
  func unregistered(
    _ version: SchemaVersion, _ shipped: SchemaVersion?, since base: StoreOpenings, _ name: String
  ) -> [Diagnostic] {
    let known = Set(shipped?.transformers.map(\.name) ?? [])
    var seen: Set<String> = []
    return version.transformers.filter { seen.insert($0.name).inserted }.compactMap { found in
      let transformer = found.name
      let now = TransformerRegistrations(files: files).all(of: transformer)
      guard !now.contains(where: \.isReached) else { return nil }
      let help = "call 'ValueTransformer.setValueTransformer' before a container is made"
      if shipped != nil, !known.contains(transformer), !transformer.isOfFoundation {
        return .changed(
          "nothing registers the new value transformer '\(transformer)' at each launch, before a container is made: the app crashes when it opens its store",
          transformer, now.first?.place ?? found.place, help)
      }
      guard
        TransformerRegistrations(files: base.files).all(of: transformer)
          .contains(where: \.isReached),
        let place = now.first?.place ?? all.first?.place
      else { return nil }
      return .changed(
        "nothing registers the value transformer '\(transformer)' at each launch, before a container is made, as code in \(name) does: the app crashes when it opens a store with such a column",
        transformer, place, help)
    }
  }
}

extension SchemaVersion {
  fileprivate var transformers: [(name: String, place: Place)] {
    models.flatMap(\.properties).compactMap { property in
      guard let name = property.attribute?.transformer, let place = property.location else {
        return nil
      }
      return (name, place)
    }
  }
}

extension String {
  fileprivate var isOfFoundation: Bool { hasSuffix("UnarchiveFromData") }
}
