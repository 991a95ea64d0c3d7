internal import SchemaLint
internal import SchemaModel
internal import SwiftSources
internal import SwiftSyntax

/// Finds code that deletes files or rows where a container is created, or after creating or reading it has failed.
struct StoreDeletion: SourceCheck {
  let rule = Rule.storeDeletion

  private enum Reason {
    /// The deletion runs if creating a container fails.
    case container
    /// The deletion runs if rows cannot be read.
    case rows
    /// The deletion is in the function that creates a container.
    case place
    /// The deletion runs while a store migrates.
    case migration
  }

  func findings(in context: CheckContext) -> [SourceFinding] {
    let source = context.source
    let makers = ContainerMakers(context)
    let functions = LocalFunctions(source)
    let recovered = Set(
      functions.reachable(
        from: ContainerMakers.recoveries(in: source) { makers.isMade(in: $0) },
        where: { !context.isDevelopment($0) }
      ).map(\.id))
    let calls = source.syntax.all(FunctionCallExprSyntax.self)
    let reading = Set(around: calls.filter(\.readsRows))
    let unread = Set(
      ContainerMakers.recoveries(in: source) { reading.contains($0.id) }.map(\.id))
    let innermostRecovered = Ancestors { recovered.contains($0.id) ? $0 : nil }
    let innermostUnread = Ancestors { unread.contains($0.id) ? $0 : nil }
    var seen: Set<SyntaxIdentifier> = []
    return calls.compactMap { call in
      guard let name = deletion(call, functions, context.facts, makers.values),
        !context.isPreview(call),
        !context.isDevelopment(call)
      else { return nil }
      let words = self.words(of: call, makers.values)
      guard words.isDisjoint(with: Self.otherFiles) else { return nil }
      let place: Syntax
      let reason: Reason
      if let code = innermostRecovered.value(around: call) {
        (place, reason) = (code, .container)
      } else if context.role == .userFile, name.text != "delete",
        let scope = makers.values.scope(of: call),
        name.text == "destroyPersistentStore" || !words.isDisjoint(with: Self.storeWords)
      {
        (place, reason) = (scope, .migration)
      } else if context.facts.deleting.contains(name.text) {
        return nil
      } else if isHelper(name.text), !Self.names.contains(name.text) {
        guard let code = innermostUnread.value(around: call) else { return nil }
        (place, reason) = (code, .rows)
      } else if let code = innermostUnread.value(around: call),
        !words.isDisjoint(with: Self.storeWords) || name.text != "removeItem"
      {
        (place, reason) = (code, .rows)
      } else if let scope = makers.values.scope(of: call), makers.scopesOnDisk.contains(scope.id),
        // A single model's rows may be a cache.
        name.text != "delete"
          || call.arguments.first?.expression.is(DeclReferenceExprSyntax.self) == true
      {
        (place, reason) = (scope, .place)
      } else {
        return nil
      }
      // A store has several files, so deletions in one place are reported once.
      guard seen.insert(place.id).inserted else { return nil }
      return finding(name, reason, context)
    }
  }

  private func finding(
    _ name: TokenSyntax, _ reason: Reason, _ context: CheckContext
  ) -> SourceFinding {
    let message =
      switch reason {
      case .container: "'\(name.text)' deletes all data when a container cannot be created"
      case .rows: "'\(name.text)' deletes all data when rows cannot be read"
      case .migration: "'\(name.text)' is called while a store migrates: it may delete all data"
      case .place: "'\(name.text)' is called where a container is created: it may delete all data"
      }
    return SourceFinding(
      diagnostic: Diagnostic(
        rule, message, element: name.text, at: context.source.location(name.offsets),
        help: [
          "keep the store, tell the user that it could not be opened, and fix the migration",
          "if no store is deleted: // schemagen:accept \(rule.id): REASON",
        ]))
  }

  // MARK: What deletes

  /// The called name, if the call deletes something; nil if it does not.
  private func deletion(
    _ call: FunctionCallExprSyntax, _ functions: LocalFunctions, _ facts: TreeFacts,
    _ values: FileValues
  ) -> TokenSyntax? {
    let called = call.calledExpression.withoutMarks
    let member = called.as(MemberAccessExprSyntax.self)
    guard
      let name = member?.declName.baseName ?? called.as(DeclReferenceExprSyntax.self)?.baseName
    else { return nil }
    // `let wipe = container.deleteAllData`, called as `wipe()`.
    if member == nil,
      values.values(of: name.plain, from: call).contains(where: {
        ($0.withoutMarks.as(MemberAccessExprSyntax.self)?.declName.baseName.plain)
          .map(Self.names.contains) ?? false
      })
    {
      return name
    }
    if call.deletesRows { return name }
    let first = call.arguments.first
    switch name.text {
    case "removeItem", "trashItem", "destroyPersistentStore":
      guard member != nil, let first else { return nil }
      if ["at", "atPath"].contains(first.label?.text) { return name }
      // `removeItem` without a label may also be a list's method, so the argument must be a file.
      return isFile(first.expression) ? name : nil
    case "deleteAllData", "erase": return call.arguments.isEmpty && member != nil ? name : nil
    case "unlink": return member == nil && first != nil ? name : nil
    case "replaceItem", "replaceItemAt": return member != nil && first != nil ? name : nil
    case "write":
      // Writing to a store's file overwrites it, whatever the contents.
      guard let first, first.label?.text == "to" else { return nil }
      return values.words(of: first.expression).isDisjoint(with: Self.storeWords) ? nil : name
    default:
      // If the called function is in this file, its deletions are found in its own body.
      return (isHelper(name.text) || facts.deleting.contains(name.text))
        && functions.bodies(of: call.calledExpression).isEmpty ? name : nil
    }
  }

  private static let names: Set<String> = [
    "deleteAllData", "destroyPersistentStore", "erase", "removeItem", "trashItem",
  ]

  private func isFile(_ expression: ExprSyntax) -> Bool {
    let words = expression.trimmedDescription.words
    return !words.isDisjoint(with: Self.storeWords.union(["url", "path", "file", "directory"]))
  }

  private func isHelper(_ name: String) -> Bool {
    let words = name.words
    return !words.isDisjoint(with: [
      "delete", "remove", "destroy", "erase", "wipe", "reset", "nuke", "purge",
    ]) && !words.isDisjoint(with: Self.storeWords.union(["data", "persistence"]))
  }

  /// The words in the called name, and in the name of what is deleted.
  private func words(of call: FunctionCallExprSyntax, _ values: FileValues) -> Set<String> {
    // A call without arguments deletes the value that it is called on.
    let subject =
      call.arguments.first?.expression
      ?? call.calledExpression.as(MemberAccessExprSyntax.self)?.base
    return (subject.map { values.words(of: $0) } ?? []).union(call.calledName?.words ?? [])
  }

  private static let storeWords: Set<String> = [
    "store", "stores", "sqlite", "database", "db", "container", "persistent",
  ]

  /// Words in the names of files that hold no user data.
  fileprivate static let otherFiles: Set<String> = [
    "temporary", "temp", "tmp", "staging", "staged", "scratch", "cache", "cached", "caches",
    "backup",
    "backups", "export", "exports", "exported", "import", "imports", "log", "logs", "lock",
    "snapshot", "snapshots", "preview", "previews", "thumbnail", "thumbnails", "partial",
  ]
}

extension FunctionCallExprSyntax {
  fileprivate var readsRows: Bool { ["fetch", "fetchCount"].contains(calledName) }

  fileprivate var deletesRows: Bool {
    calledExpression.is(MemberAccessExprSyntax.self) && calledName == "delete"
      && arguments.first?.label?.text == "model"
      && !arguments.contains { $0.label?.text == "where" }
  }

  /// Whether the call deletes a file that may be user data, or all rows of a model.
  var deletesData: Bool {
    switch calledName {
    case "destroyPersistentStore", "deleteAllData": true
    case "delete": deletesRows
    case "removeItem", "trashItem":
      ["at", "atPath"].contains(arguments.first?.label?.text)
        // The words of each token are compared, because the text of a chain of thousands of calls would overflow the
        // stack.
        && tokens(viewMode: .sourceAccurate).allSatisfy {
          $0.text.words.isDisjoint(with: StoreDeletion.otherFiles)
        }
    default: false
    }
  }
}

extension ExprSyntax {
  fileprivate var withoutMarks: ExprSyntax {
    switch self.as(ExprSyntaxEnum.self) {
    case .tryExpr(let node): node.expression.withoutMarks
    case .awaitExpr(let node): node.expression.withoutMarks
    case .optionalChainingExpr(let node): node.expression.withoutMarks
    case .forceUnwrapExpr(let node): node.expression.withoutMarks
    case .tupleExpr(let node) where node.elements.count == 1:
      node.elements.first?.expression.withoutMarks ?? self
    default: self
    }
  }
}
