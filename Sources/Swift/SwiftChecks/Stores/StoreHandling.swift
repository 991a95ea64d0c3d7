internal import SchemaModel
internal import SwiftAdoption
internal import SwiftSources
internal import SwiftSyntax

/// A call that deletes, moves or overwrites a file, or that opens it without SwiftData.
struct StoreHandling {
  var name: String
  var file: WrittenPlace
  /// The enclosing types of the call, and its function, outermost first.
  var function: [String]
  var place: Place

  /// Each file with such a call contains one of these strings.
  private static let candidates =
    [
      "removeItem(", "trashItem(", "moveItem(", "replaceItem", "unlink(", "createFile(",
      "truncate(",
      "PersistentStore", "sqlite3_open", "FMDatabase", "fopen(", "rename(", "creat(",
      "OutputStream(", "removefile(", "setUbiquitous(",
      "coordinate(writingItemAt",
    ] + writing.map { "\($0):" } + openedToWrite + connections.map { "\($0)(" }
    + writes.map { ".\($0)(to" }
  private static let connections = ["DatabaseQueue", "DatabasePool", "Connection"]
  private static let writes: Set<String> = ["write"]
  private static let names: Set<String> = [
    "removeItem", "trashItem", "moveItem", "replaceItem", "replaceItemAt", "unlink", "createFile",
    "truncate", "destroyPersistentStore", "replacePersistentStore", "addPersistentStore",
    "NSPersistentStoreDescription", "sqlite3_open", "sqlite3_open_v2", "FMDatabase",
    "FMDatabaseQueue", "fopen", "freopen", "rename", "creat", "OutputStream", "removefile",
    "setUbiquitous",
  ]
  /// Argument labels of `FileHandle`, streams and strings with which a call opens or overwrites a file.
  private static let writing = [
    "forUpdating", "forUpdatingAtPath", "forWritingAtPath", "forWritingTo", "toFile",
    "toFileAtPath",
  ]
  private static let openedToWrite = ["O_RDWR", "O_TRUNC", "O_WRONLY", "readWrite", "writeOnly"]

  /// - Parameter sources: Returns the files that contain one of the given strings.
  static func all(in sources: ([String]) -> [SourceFile]) -> [StoreHandling] {
    CountedCode.read(candidates, from: sources) { code in
      code.files.flatMap { source, calls in
        calls.flatMap { call in
          files(of: call).flatMap { code.meanings.alternatives(of: $0) }.map { file in
            let function = Syntax(call).enclosingFunction?.name.plain
            return StoreHandling(
              name: call.calledName ?? "", file: code.meanings.place(of: file),
              function: Syntax(call).enclosingTypes + [function].compactMap(\.self),
              place: source.location(of: call.calledExpression.nameToken))
          }
        }
      }
    }
  }

  /// The files that the call may change, judged by its name and labels.
  fileprivate static func files(of call: FunctionCallExprSyntax) -> [ExprSyntax] {
    let arguments = call.arguments
    func labelled(_ labels: [String]) -> ExprSyntax? {
      arguments.first { labels.contains($0.label?.text ?? "") }?.expression
    }
    if let file = labelled(writing) { return [file] }
    guard let name = call.calledName else { return [] }
    if writes.contains(name) { return [labelled(["to"])].compactMap(\.self) }
    let words = Set(call.tokens(viewMode: .sourceAccurate).map(\.text))
    // The coordinator's closure deletes or moves the file, perhaps under another name. The calls in the closure are
    // found separately.
    if name == "coordinate" {
      return words.isDisjoint(with: ["forDeleting", "forMoving", "forReplacing"])
        ? [] : [labelled(["writingItemAt"])].compactMap(\.self)
    }
    let opens = name == "open" && !words.isDisjoint(with: openedToWrite)
    guard opens || names.contains(name) || connections.contains(name),
      !words.contains("SQLITE_OPEN_READONLY"), !isRead(call, name)
    else { return [] }
    // Both files change: one is moved, the other overwritten.
    if name == "rename" { return arguments.map(\.expression) }
    let file = labelled(["at", "atPath", "itemAt", "url", "path"])
    return [file ?? arguments.first { $0.label == nil }?.expression].compactMap(\.self)
  }

  private static func isRead(_ call: FunctionCallExprSyntax, _ name: String) -> Bool {
    guard ["fopen", "freopen"].contains(name),
      let mode = call.arguments.dropFirst().first?.expression.stringValue
    else { return false }
    return mode.hasPrefix("r") && !mode.contains("+")
  }
}

extension StoreOpenings {
  /// The calls that handle the file of a store that the app opens, with that store.
  private var handlings: [(handling: StoreHandling, opening: StoreOpening)] {
    let stores = all.filter { !$0.isInMemory }
    guard !stores.isEmpty else { return [] }
    return StoreHandling.all(in: files).compactMap { handling in
      stores.first { handling.file.covers($0.path) }.map { (handling, $0) }
    }
  }

  /// Reports calls that handle a store's file, if the base's code has no such call.
  func handlings(since base: StoreOpenings, _ name: String) -> [Diagnostic] {
    func key(_ found: StoreHandling) -> [String] { [found.name] + found.file.texts.sorted() }
    let before = Dictionary(grouping: base.handlings.map(\.handling), by: key)
    let now = handlings
    let counts = Dictionary(grouping: now.map(\.handling), by: key).mapValues(\.count)
    return now.filter { found, _ in
      let old = before[key(found)] ?? []
      // Code that only moved to another function or file is not new.
      return counts[key(found), default: 0] > old.count
        && !old.contains { $0.function == found.function }
    }.map { found, opening in
      .changed(
        "'\(found.name)' handles the file of \(opening.store), or its folder, and no code does so in \(name): rows may be gone at the next launch",
        found.name, found.place,
        "do not touch the files of users' stores: delete and change rows with a ModelContext"
      )
    }
  }
}
