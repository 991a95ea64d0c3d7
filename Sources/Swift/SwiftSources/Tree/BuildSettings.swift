internal import Foundation
internal import SchemaModel
internal import SwiftSyntax

/// What the app's build says of its code, in `Package.swift`, in projects of Xcode and in files of settings; what is for
/// debug builds alone does not count.
struct BuildSettings {
  /// The flags of `#if` that are set, and how often: each target may set one.
  private(set) var flags: [String: Int] = [:]
  /// The files of entitlements that targets have; nil where no file says anything of targets, or a build puts names together.
  private(set) var entitlements: Set<String>?

  /// Texts of which one is in each file that says something.
  static let keys = [
    ".define(", "unsafeFlags", conditionsKey, flagsKey, entitlementsKey, "XCBuildConfiguration",
  ]

  /// Whether a file may say something of the build, or of what an app may do.
  static func isRead(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    return ["Package.swift", "project.pbxproj"].contains(name) || name.hasSuffix(".xcconfig")
  }
  private static let conditionsKey = "SWIFT_ACTIVE_COMPILATION_CONDITIONS"
  private static let flagsKey = "OTHER_SWIFT_FLAGS"
  private static let entitlementsKey = "CODE_SIGN_ENTITLEMENTS"

  init(_ files: [SourceFile]) {
    var isPutTogether = false
    for file in files {
      if file.name == "Package.swift" {
        readPackage(SwiftSource(file))
        continue
      }
      let isProject = file.name == "project.pbxproj"
      // A project's settings stand in blocks, which say at their ends what they are for.
      let blocks =
        isProject ? file.text.components(separatedBy: "isa = XCBuildConfiguration") : [file.text]
      for block in blocks.dropFirst(isProject ? 1 : 0) {
        guard !Self.isOfDebug(block, file, isProject) else { continue }
        if isProject { entitlements = entitlements ?? [] }
        for value in Self.values(of: Self.conditionsKey, in: block, isProject) {
          add(Self.words(value))
        }
        for value in Self.values(of: Self.flagsKey, in: block, isProject) {
          addArguments(Self.words(value))
        }
        for value in Self.values(of: Self.entitlementsKey, in: block, isProject) {
          let path = value.trimmingCharacters(in: Self.marks)
            .replacing("$(SRCROOT)/", with: "").replacing("$(PROJECT_DIR)/", with: "")
          isPutTogether = isPutTogether || path.contains("$")
          if !path.isEmpty { entitlements = (entitlements ?? []).union([path]) }
        }
      }
    }
    if isPutTogether { entitlements = nil }
  }

  /// Whether a file of entitlements is a target's; nil where that is not known.
  func names(_ path: String) -> Bool? {
    entitlements.map { $0.contains { path == $0 || path.hasSuffix("/\($0)") } }
  }

  private mutating func add(_ flags: [String]) {
    for flag in Set(flags) where !flag.hasPrefix("$") { self.flags[flag, default: 0] += 1 }
  }

  /// Adds flags that a compiler is given: `-D LITE`, `-DLITE`.
  private mutating func addArguments(_ words: [String]) {
    for (word, next) in zip(words, words.dropFirst() + [""]) where word.hasPrefix("-D") {
      add([word == "-D" ? next : String(word.dropFirst(2))])
    }
  }

  private mutating func readPackage(_ source: SwiftSource) {
    let meanings = Meanings([source]) { _ in true }
    for call in source.syntax.all(FunctionCallExprSyntax.self) {
      let isOfDebug = call.all(MemberAccessExprSyntax.self).contains {
        $0.base == nil && $0.declName.baseName.text == "debug"
      }
      guard !isOfDebug, let first = call.arguments.first?.expression else { continue }
      let words = meanings.code(of: first).flatMap { $0.all(StringLiteralExprSyntax.self) }
        .compactMap { ExprSyntax($0).stringValue }
      switch call.calledName {
      case "define": add(words)
      case "unsafeFlags": addArguments(words)
      default: break
      }
    }
  }

  private static let marks = CharacterSet(charactersIn: "\"' \t")

  private static func isOfDebug(_ block: String, _ file: SourceFile, _ isProject: Bool) -> Bool {
    guard isProject else { return file.name.words.contains("debug") }
    let name = block.components(separatedBy: "name = ").dropFirst().first?.prefix { $0 != ";" }
    return name.map { String($0).words.contains("debug") } ?? false
  }

  /// What a key gets in a piece of settings: `KEY = a b;`, or without the sign at a line's end in a file of its own.
  private static func values(of key: String, in text: String, _ isProject: Bool) -> [String] {
    text.components(separatedBy: key).dropFirst().compactMap { text in
      var rest = Substring(text)
      if rest.hasPrefix("[") {
        let condition = rest.prefix { $0 != "]" }
        guard !condition.lowercased().contains("debug") else { return nil }
        rest = rest.dropFirst(condition.count + 1)
      }
      rest = rest.drop { " \"".contains($0) }
      // It may be mentioned as a value.
      guard rest.hasPrefix("=") else { return nil }
      let value = rest.dropFirst().prefix { isProject ? $0 != ";" : !$0.isNewline }
      return isProject ? String(value) : value.components(separatedBy: "//")[0]
    }
  }

  private static func words(_ text: String) -> [String] {
    // A list stands in parentheses, and so does the name of another setting: `$(inherited)`.
    text.split { " \t\n\",".contains($0) }.map {
      $0.hasPrefix("$") ? String($0) : $0.trimmingCharacters(in: CharacterSet(charactersIn: "()"))
    }.filter { !$0.isEmpty }
  }
}
