internal import SchemaModel
internal import SwiftSyntax

/// Code that deletes, moves or overwrites a file, or opens it by other means than SwiftData.
struct StoreHandling {
  /// What is called: `removeItem`.
  var name: String
  var file: WrittenPlace
  /// The function that it is called in, with the types around it.
  var function: [String]
  var place: Place

  /// Texts of which one is in each file with such code.
  private static let candidates =
    [
      "removeItem(", "trashItem(", "moveItem(", "replaceItem", "unlink(", "createFile(",
      "truncate(",
      "PersistentStore", "sqlite3_open", "FMDatabase",
    ] + connections.map { "\($0)(" } + writes.map { ".\($0)(to" }
  private static let connections = ["DatabaseQueue", "DatabasePool", "Connection"]
  private static let writes: Set<String> = ["write"]
  private static let names: Set<String> = [
    "removeItem", "trashItem", "moveItem", "replaceItem", "replaceItemAt", "unlink", "createFile",
    "truncate", "destroyPersistentStore", "replacePersistentStore", "addPersistentStore",
    "NSPersistentStoreDescription", "sqlite3_open", "sqlite3_open_v2", "FMDatabase",
    "FMDatabaseQueue",
  ]

  /// All such code of the app's files.
  ///
  /// - Parameter files: Gives files with one of some texts.
  static func all(in files: ([String]) -> [SourceFile]) -> [StoreHandling] {
    CountedCode.read(candidates, from: files) { code in
      code.files.flatMap { source, calls in
        calls.compactMap { call in
          guard let file = call.handledFile else { return nil }
          let function = Syntax(call).enclosingFunction
          return StoreHandling(
            name: call.calledName ?? "", file: code.meanings.place(of: file),
            function: Syntax(call).enclosingTypes + [function].compactMap(\.self),
            place: source.location(of: call.calledExpression.nameToken))
        }
      }
    }
  }

  /// The file that a call changes, by its name and labels.
  fileprivate static func file(of call: FunctionCallExprSyntax, _ name: String) -> ExprSyntax? {
    let arguments = call.arguments
    if writes.contains(name) { return arguments.first { $0.label?.text == "to" }?.expression }
    guard names.contains(name) || connections.contains(name),
      // What reads alone changes nothing.
      !call.tokens(viewMode: .sourceAccurate).contains(where: {
        $0.text == "SQLITE_OPEN_READONLY"
      })
    else { return nil }
    let labels = ["at", "atPath", "url", "path"]
    return
      (arguments.first { labels.contains($0.label?.text ?? "") }
      ?? arguments.first { $0.label == nil })?.expression
  }
}

extension FunctionCallExprSyntax {
  fileprivate var handledFile: ExprSyntax? {
    calledName.flatMap { StoreHandling.file(of: self, $0) }
  }
}

extension Syntax {
  /// The name of the innermost function around it.
  fileprivate var enclosingFunction: String? {
    var next = parent
    while let node = next {
      if let function = node.as(FunctionDeclSyntax.self) { return function.name.plain }
      next = node.parent
    }
    return nil
  }
}

extension StoreOpenings {
  /// What handles the files of stores that the app opens, with the store.
  private var handlings: [(handling: StoreHandling, opening: StoreOpening)] {
    let stores = all.filter { !$0.isInMemory }
    guard !stores.isEmpty else { return [] }
    return StoreHandling.all(in: files).compactMap { handling in
      stores.first { handling.file.covers($0.path) }.map { (handling, $0) }
    }
  }

  /// Code that handles a store's files, as a base's code does not.
  func handlings(since base: StoreOpenings, _ name: String) -> [Diagnostic] {
    func key(_ found: StoreHandling) -> [String] { [found.name] + found.file.texts.sorted() }
    let before = Dictionary(grouping: base.handlings.map(\.handling), by: key)
    let now = handlings
    let counts = Dictionary(grouping: now.map(\.handling), by: key).mapValues(\.count)
    return now.filter { found, _ in
      let old = before[key(found)] ?? []
      // Code that is only moved is not new.
      return counts[key(found), default: 0] > old.count
        && !old.contains { $0.function == found.function }
    }.map { found, opening in
      .changed(
        "'\(found.name)' handles the file of \(opening.store), or the folder that it is in, and nothing does so in \(name): rows may be gone at the next launch",
        found.name, found.place,
        "leave the files of a store that users have alone: rows are deleted and changed by a ModelContext"
      )
    }
  }
}
