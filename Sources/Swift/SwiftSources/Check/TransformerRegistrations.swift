internal import SchemaModel
internal import SwiftSyntax

/// Where code registers value transformers, as far as anything runs it.
struct TransformerRegistrations {
  /// Gives Swift files with one of some texts.
  let files: ([String]) -> [SourceFile]

  /// How far calls are followed.
  private static let longestChain = 6

  /// The registrations of a name, or of one that is not written there, and whether code that may run leads to each.
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

  /// Whether something may run a piece of code: nobody calls what the system calls.
  private func isReached(_ node: Syntax, _ source: SwiftSource, _ rest: Int) -> Bool {
    guard Ancestors(\.isDevelopment).value(around: node) != true else { return false }
    guard rest > 0, let member = node.enclosingMember,
      // The system asks for a scene's body, whoever else calls something so.
      !(member.isOfSystem && member.name == "body")
    else { return true }
    let callers = sources([member.name]).flatMap { other in
      other.syntax.all(DeclReferenceExprSyntax.self).filter { reference in
        let isOwn =
          source.file.path == other.file.path && member.node.range.contains(reference.position)
        return !isOwn && member.isMeant(by: reference)
      }.map { (Syntax($0), other) }
    }
    return callers.isEmpty
      ? member.isOfSystem : callers.contains { isReached($0.0, $0.1, rest - 1) }
  }

  private func sources(_ texts: [String]) -> [SwiftSource] { files(texts).writtenForUsers }
}

/// A function, an initialiser or a variable that is none of a function's own.
private struct EnclosingMember {
  let name: String
  let node: Syntax
  /// The type that it is called on; nil where it is called on a value, or on nothing.
  let owner: String?
  /// Whether code that nobody sees may call it: it may be asked for by a protocol or a superclass.
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
    let isPrivate = modifiers.contains { ["private", "fileprivate"].contains($0.name.text) }
    isOfSystem =
      !attributes.isEmpty || group?.inheritanceClause != nil && !isPrivate
      || !(group?.attributes.isEmpty ?? true)
  }

  /// Whether a name may stand for it.
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
  /// Value transformers that a base's code registers, and that nothing here does any more.
  func unregistered(_ version: SchemaVersion, since base: StoreOpenings, _ name: String)
    -> [Diagnostic]
  {
    let transformers = version.models.flatMap(\.properties).compactMap(\.attribute?.transformer)
    return Set(transformers).sorted().compactMap { transformer in
      let now = TransformerRegistrations(files: files).all(of: transformer)
      guard !now.contains(where: \.isReached),
        TransformerRegistrations(files: base.files).all(of: transformer)
          .contains(where: \.isReached),
        let place = now.first?.place ?? all.first?.place
      else { return nil }
      return .changed(
        "nothing calls what registers the value transformer '\(transformer)', as code in \(name) does: the app ends as it opens a store with such a column",
        transformer, place, "call 'ValueTransformer.setValueTransformer' before a container is made"
      )
    }
  }
}
