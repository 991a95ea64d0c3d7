internal import SchemaModel
internal import SwiftSources
internal import SwiftSyntax

/// A container in memory that the app opens for its users. Its data is gone at the next launch.
struct MemoryStore {
  /// The function or property that creates the container, with its type: `Store.preview`.
  var maker: String
  var opening: StoreOpening
}

extension StoreOpenings {
  /// Reports containers in memory that users reach now and did not reach in the base's code.
  ///
  /// - Parameter told: Findings that already report a loss. A container at the place of such a finding is not reported.
  func inMemory(
    since base: StoreOpenings, _ name: String, _ version: SchemaVersion, besides told: [Diagnostic]
  ) -> [Diagnostic] {
    let before = Set(base.memory.map(\.maker))
    let places = Set(told.map(\.location))
    return memory.filter { store in
      !before.contains(store.maker) && !store.opening.models(of: version).isEmpty
        && !places.contains(store.opening.place)
    }.map { store in
      .changed(
        "the app opens a store in memory here, and in \(name) it does not: where this code runs, users do not see their rows, and what they enter is gone at the next launch",
        store.maker, store.opening.place,
        "open the store on disk, or take this code out of what users run: '#if DEBUG', '#Preview'")
    }
  }
}

/// Finds which containers in memory users reach.
struct MemoryReader {
  /// A container in memory, with the declaration by which other code gets the container.
  struct Candidate {
    let store: MemoryStore
    /// The name of the declaration for other code; nil if the declaration runs without being called.
    let name: String?
    let owner: String?
    let declaration: Syntax

    private var isStatic: Bool {
      let modifiers =
        declaration.as(FunctionDeclSyntax.self)?.modifiers
        ?? declaration.parent?.parent?.as(VariableDeclSyntax.self)?.modifiers
      return modifiers?.isStatic ?? false
    }

    /// Whether a reference outside the declaration may mean that declaration.
    func isReached(by reference: DeclReferenceExprSyntax, in source: SwiftSource) -> Bool {
      // The file may have been parsed again, so nodes cannot be compared.
      let isInside =
        source.file.path == store.opening.place.file
        && declaration.range.contains(reference.position)
      let member = reference.parent?.as(MemberAccessExprSyntax.self)
      let isMember = member?.declName.id == reference.id
      let called = isMember ? member.map { Syntax($0) } : Syntax(reference)
      if let call = called?.parent?.as(FunctionCallExprSyntax.self),
        call.calledExpression.id == called?.id,
        let function = declaration.as(FunctionDeclSyntax.self), !function.takes(call)
      {
        return false
      }
      guard !isInside, let owner else { return !isInside }
      guard isMember else { return Syntax(reference).enclosingTypes.contains(owner) }
      guard let base = member?.base?.memberPath?.last else { return true }
      return base == "Self" || base == owner || !isStatic && base.first?.isUppercase != true
    }
  }

  let candidates: [Candidate]

  init(_ code: CountedCode, _ openings: (FunctionCallExprSyntax, SwiftSource) -> [StoreOpening]) {
    let fallbacks = Ancestors { $0.as(CatchClauseSyntax.self) }
    candidates = code.calls.flatMap { source, calls in
      calls.flatMap { call -> [Candidate] in
        // The rule 'memory-fallback' checks code that handles errors.
        guard fallbacks.value(around: call) == nil,
          let maker = code.isCounted(call) ? Syntax(call).maker : Syntax(call).preview
        else { return [] }
        let types = maker.enclosingTypes
        let own = maker.declaredName
        return openings(call, source).filter(\.isInMemory).map { opening in
          Candidate(
            store: MemoryStore(
              maker: (types + [own ?? "init"]).joined(separator: "."), opening: opening),
            name: own == "body" ? nil : own, owner: types.last, declaration: maker)
        }
      }
    }
  }

  /// The candidates that run without being called, or that the app's code names.
  ///
  /// - Parameter sources: The files that contain one of the candidates' names.
  func reached(
    from sources: [SwiftSource], where isCounted: (DeclReferenceExprSyntax) -> Bool
  ) -> [MemoryStore] {
    candidates.filter { candidate in
      guard let name = candidate.name else { return true }
      return sources.contains { source in
        source.syntax.all(DeclReferenceExprSyntax.self).contains { reference in
          reference.baseName.plain == name && isCounted(reference)
            && candidate.isReached(by: reference, in: source)
        }
      }
    }.map(\.store)
  }
}

extension Syntax {
  /// The outermost function, property or initialiser that contains the code, within the innermost enclosing type; the
  /// code itself if there is none.
  fileprivate var maker: Syntax? {
    var found = self
    var next = parent
    while let node = next, node.asProtocol((any DeclGroupSyntax).self) == nil {
      if node.is(FunctionDeclSyntax.self) || node.is(PatternBindingSyntax.self)
        || node.is(InitializerDeclSyntax.self)
      {
        found = node
      }
      next = node.parent
    }
    return found
  }

  /// The outermost enclosing declaration for previews; nil if it has no name, as in `#Preview`, or if only developers
  /// run it.
  fileprivate var preview: Syntax? {
    var found: Syntax?
    var next = parent
    while let node = next {
      if node.isDevelopment == true { return nil }
      if node.isPreview {
        guard node.declaredName != nil else { return nil }
        found = node
      }
      next = node.parent
    }
    return found
  }
}
