internal import SchemaModel
internal import SchemaRendering
internal import SwiftAdoption
package import SwiftSources
internal import SwiftSyntax

/// The app's files with the meanings of their names. Code for previews, tests and developers does not count.
struct CountedCode {
  let sources: [SwiftSource]
  let meanings: Meanings
  /// The calls of each file, counted or not.
  let calls: [(source: SwiftSource, all: [FunctionCallExprSyntax])]
  private let previews = Ancestors { $0.isPreview ? true : nil }
  private let developments = Ancestors(\.isDevelopment)

  private init(_ files: [SourceFile]) {
    sources = files.writtenForUsers
    meanings = Meanings(sources) { [previews, developments] call in
      previews.value(around: call) == nil && developments.value(around: call) != true
    }
    calls = sources.map { ($0, $0.syntax.all(FunctionCallExprSyntax.self)) }
  }

  func isCounted(_ node: some SyntaxProtocol) -> Bool {
    previews.value(around: node) == nil && developments.value(around: node) != true
      && meanings.isTaken(node)
  }

  var files: [(SwiftSource, [FunctionCallExprSyntax])] {
    calls.map { ($0, $1.filter(isCounted)) }
  }

  /// Reads the files that contain one of the given strings, and then the files that define names used in them.
  ///
  /// - Parameter use: Asks for the meanings of names. It is called again if more files are found.
  static func read<Found>(
    _ texts: [String], from files: ([String]) -> [SourceFile], _ use: (CountedCode) -> Found
  ) -> Found {
    var read = files(texts)
    var code = CountedCode(read)
    var found = use(code)
    // Any file may define a name, and the definition may use further names.
    for _ in 0..<2 {
      let unknown = code.meanings.unknown.subtracting(["ModelConfiguration"])
      let known = Set(read.map(\.path))
      let texts =
        code.meanings.asked.sorted()
        + unknown.sorted().flatMap { name in
          name.first?.isUppercase == true
            ? (TypeResolver.isKnown(name) ? [] : SourceAdoption.declarations(of: [name]))
              + ["extension \(name) "]
            : ["let \(name) ", "let \(name):", "var \(name):", "func \(name)("]
        }
      let more = texts.isEmpty ? [] : files(texts).filter { !known.contains($0.path) }
      guard !more.isEmpty else { break }
      read += more
      code = CountedCode(read)
      found = use(code)
    }
    return found
  }
}

extension [SourceFile] {
  package var writtenForUsers: [SwiftSource] {
    filter { !GeneratedFile.isMarked($0.bytes) }.concurrentlyParsed
      .filter { $0.imports.isDisjoint(with: ["XCTest", "Testing"]) }
  }
}

/// The path of a file, as far as the code defines it.
struct WrittenPlace {
  /// The quoted strings in the path, each within `'`, and the names of system folders.
  var texts: Set<String> = []
  var isWhole = true

  /// Whether the place is the file at the path, one of SQLite's files next to it, or a folder that contains it.
  func covers(_ path: Set<String>) -> Bool {
    var own = Set(
      Self.parts(of: texts).map { name in
        let end = ["-wal", "-shm", "-journal"].first(where: name.hasSuffix)
        return end.map { String(name.dropLast($0.count)) } ?? name
      }
    ).subtracting([""])
    guard isWhole, !own.isEmpty else { return false }
    let path = Self.parts(of: path)
    if own.isSuperset(of: ["home", "Library"]) {
      own.subtract(["home", "Library"])
      own.formUnion(
        own.remove("Application Support") == nil ? ["library"] : ["application support"])
    }
    if path.contains("application support"), own.count == 1 { own.remove("library") }
    return own.isSubset(of: path)
  }

  private static func parts(of texts: Set<String>) -> Set<String> {
    Set(
      texts.flatMap { text in
        text.split(separator: "/").map { $0.trimmingPrefix("'") }.map {
          String($0.hasSuffix("'") ? $0.dropLast() : $0)
        }
      })
  }
}

extension Meanings {
  func place(of expression: ExprSyntax) -> WrittenPlace {
    let all = code(of: expression)
    var place = WrittenPlace(texts: texts(in: all))
    let parts = all.flatMap { $0.all(FunctionCallExprSyntax.self) }
      .filter { $0.calledName?.hasPrefix("append") ?? false }.compactMap(\.arguments.first)
    let lists = all.flatMap { $0.all(DeclReferenceExprSyntax.self) }
      .contains { ["contentsOfDirectory", "enumerator"].contains($0.baseName.plain) }
    // If the code lists a folder and gives no name, it may mean any file in the folder.
    let isNamed = place.texts.contains { $0.hasPrefix("'") }
    place.isWhole =
      (isNamed || !lists) && parts.allSatisfy { !texts(in: code(of: $0.expression)).isEmpty }
    return place
  }

  private func texts(in all: [Syntax]) -> Set<String> {
    var texts: Set<String> = []
    for code in all {
      for text in code.all(StringLiteralExprSyntax.self)
      where !isForDevelopment(Syntax(text)) && isTaken(text) {
        let parts = text.segments.compactMap { $0.as(StringSegmentSyntax.self)?.content.text }
        let text = ExprSyntax(text).stringValue ?? parts.joined(separator: "…")
        texts.formUnion(text.split(separator: "/").map { "'\($0)'" })
      }
      for name in code.all(DeclReferenceExprSyntax.self).map(\.baseName.plain) {
        if let folder = Self.folders[name] { texts.insert(folder) }
        if Self.changes.contains(name) { texts.insert(name) }
      }
      if code.all(LabeledExprSyntax.self).contains(where: { $0.label?.text == "localized" }) {
        texts.insert("localized")
      }
    }
    return texts
  }

  /// Members that turn a name or a path into another one.
  private static let changes: Set<String> = [
    "NSLocalizedString", "capitalized", "deleteLastPathComponent", "deletePathExtension",
    "deletingLastPathComponent", "deletingPathExtension", "dropFirst", "dropLast",
    "localDomainMask", "lowercased", "networkDomainMask", "prefix", "replacing",
    "replacingOccurrences", "reversed", "suffix", "systemDomainMask", "trimmingCharacters",
    "uppercased",
  ]

  private static let folders = [
    "applicationSupportDirectory": "application support", "documentDirectory": "documents",
    "documentsDirectory": "documents", "cachesDirectory": "caches", "libraryDirectory": "library",
    "temporaryDirectory": "temporary files", "homeDirectory": "home",
    "NSHomeDirectory": "home", "downloadsDirectory": "downloads", "desktopDirectory": "desktop",
    "sharedPublicDirectory": "public", "userDirectory": "users", "containerURL": "app group",
  ]

  /// The code in the expression that returns a number of the newest version or of the app; nil if there is none.
  func versionNumber(in expression: ExprSyntax) -> String? {
    for code in code(of: expression) {
      for access in code.all(MemberAccessExprSyntax.self) {
        let base = access.base?.memberPath?.last.map(\.words) ?? []
        let name = access.declName.baseName.plain
        if Self.numbers.contains(name)
          || !base.isDisjoint(with: ["schema", "plan"]) && Self.versions.contains(name)
        {
          return access.oneLine
        }
      }
      let texts = code.all(StringLiteralExprSyntax.self).compactMap { ExprSyntax($0).stringValue }
      if let text = texts.first(where: Self.appNumbers.contains) { return "\"\(text)\"" }
    }
    return nil
  }

  private static let numbers: Set<String> = ["versionIdentifier", "encodingVersion"]
  private static let versions: Set<String> = [
    "Version", "schema", "schemas", "self", "stages", "version",
  ]
  private static let appNumbers: Set<String> = ["CFBundleShortVersionString", "CFBundleVersion"]
}
