internal import Foundation
package import SchemaModel
internal import SwiftSyntax

/// The build settings of an app, from `Package.swift`, Xcode projects and settings files. Settings that only debug
/// builds use do not count.
package struct BuildSettings {
  /// The number of settings that set each `#if` flag. Each target may have its own.
  package private(set) var flags: [String: Int] = [:]
  /// The entitlements files that targets use; nil if no file mentions targets, or if a path is composed.
  private(set) var entitlements: Set<String>?
  /// The lowest version of each system that a target runs on, but at least the first one with SwiftData. Versions in
  /// packages count only if projects and settings files have none.
  package private(set) var platforms: [Configuration.Platform: Int] = [:]

  /// Each relevant file contains `=`. The names of settings are no help, because any setting may be used in another
  /// one.
  package static let keys = ["="]
  package static let names = ["Package.swift", "project.pbxproj", "*.xcconfig"]

  static func isRead(_ name: String) -> Bool {
    names.contains { $0.hasPrefix("*") ? name.hasSuffix($0.dropFirst()) : name == $0 }
  }
  private static let conditionsKey = "SWIFT_ACTIVE_COMPILATION_CONDITIONS"
  private static let flagsKey = "OTHER_SWIFT_FLAGS"
  private static let entitlementsKey = "CODE_SIGN_ENTITLEMENTS"

  package init(_ files: [SourceFile]) {
    var isPutTogether = false
    let variables = Self.blocks(files)
    readPlatforms(variables)
    let ofPackages = platforms.isEmpty
    for file in files {
      if file.name == "Package.swift" {
        readPackage(SwiftSource(file), withPlatforms: ofPackages)
        continue
      }
      let isProject = file.name == "project.pbxproj"
      for (block, _) in Self.blocks([file]) {
        if isProject { entitlements = entitlements ?? [] }
        for value in Self.values(of: Self.conditionsKey, in: block, isProject) {
          add(Self.words(Self.expanded(value, by: variables)))
        }
        for value in Self.values(of: Self.flagsKey, in: block, isProject) {
          addArguments(Self.words(Self.expanded(value, by: variables)))
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

  func names(_ path: String) -> Bool? {
    entitlements.map { $0.contains { path == $0 || path.hasSuffix("/\($0)") } }
  }

  private mutating func add(_ flags: [String]) {
    for flag in Set(flags) where !flag.hasPrefix("$") { self.flags[flag, default: 0] += 1 }
  }

  /// Adds the flags in compiler arguments such as `-D LITE` and `-DLITE`.
  private mutating func addArguments(_ words: [String]) {
    for (word, next) in zip(words, words.dropFirst() + [""]) where word.hasPrefix("-D") {
      add([word == "-D" ? next : String(word.dropFirst(2))])
    }
  }

  private mutating func readPackage(_ source: SwiftSource, withPlatforms: Bool) {
    let meanings = Meanings([source]) { _ in true }
    for call in source.syntax.all(FunctionCallExprSyntax.self) {
      if withPlatforms, call.arguments.count == 1,
        let platform = call.calledName.flatMap({ Configuration.Platform(rawValue: $0) }),
        let version = call.arguments.first?.expression
      {
        // `.iOS(.v17)`, `.iOS("17.0")`
        addPlatform(platform, version.stringValue ?? version.memberName ?? "")
      }
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

  private mutating func addPlatform(_ platform: Configuration.Platform, _ version: String) {
    let digits = version.drop { $0 == "v" }.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int(digits) else { return }
    platforms[platform] = max(platform.lowest, min(platforms[platform] ?? number, number))
  }

  /// Reads deployment targets. A project may set them for systems that no target is built for, which do not count.
  private mutating func readPlatforms(_ blocks: [(text: String, isProject: Bool)]) {
    func values(_ key: String) -> [String] {
      blocks.flatMap { Self.values(of: key, in: $0.text, $0.isProject) }
        .map { Self.expanded($0, by: blocks).trimmingCharacters(in: Self.marks) }
    }
    let built = Set((values("SUPPORTED_PLATFORMS") + values("SDKROOT")).flatMap(Self.words))
    for platform in Configuration.Platform.allCases {
      let (key, device) = platform.buildSettings
      guard built.isEmpty || built == ["auto"] || built.contains(device) else { continue }
      for value in values(key) { addPlatform(platform, value) }
    }
  }

  private static let marks = CharacterSet(charactersIn: "\"' \t")

  /// The texts that may contain settings, except those for debug builds.
  private static func blocks(_ files: [SourceFile]) -> [(text: String, isProject: Bool)] {
    files.filter { $0.name != "Package.swift" }.flatMap { file in
      let isProject = file.name == "project.pbxproj"
      // Each block of a project's settings ends with the name of its configuration.
      let blocks =
        isProject ? file.text.components(separatedBy: "isa = XCBuildConfiguration") : [file.text]
      return blocks.dropFirst(isProject ? 1 : 0).filter { !isOfDebug($0, file, isProject) }
        .map { ($0, isProject) }
    }
  }

  /// The value after replacing `$(NAME)` and `${NAME}` by settings of the files. Unknown names stay.
  private static func expanded(
    _ value: String, by blocks: [(text: String, isProject: Bool)], _ known: Set<String> = []
  ) -> String {
    value.replacing(/\$[({]([A-Za-z0-9_]+)[^(){}]*[)}]/) { match in
      let name = String(match.output.1)
      guard !known.contains(name) else { return "" }
      let values = blocks.flatMap { Self.values(of: name, in: $0.text, $0.isProject) }
      guard !values.isEmpty else { return String(match.output.0) }
      return values.map {
        expanded($0.trimmingCharacters(in: marks), by: blocks, known.union([name]))
      }.joined(separator: " ")
    }
  }

  private static func isOfDebug(_ block: String, _ file: SourceFile, _ isProject: Bool) -> Bool {
    guard isProject else { return file.name.words.contains("debug") }
    let name = block.components(separatedBy: "name = ").dropFirst().first?.prefix { $0 != ";" }
    return name.map { String($0).words.contains("debug") } ?? false
  }

  /// The values of a key: `KEY = a b;` in a project, `KEY = a b` in a settings file.
  private static func values(of key: String, in text: String, _ isProject: Bool) -> [String] {
    text.ranges(of: key).compactMap { range in
      // The key may be the end of a longer name.
      if let last = text[..<range.lowerBound].last, last.isLetter || last.isNumber || last == "_" {
        return nil
      }
      var rest = text[range.upperBound...]
      if rest.hasPrefix("[") {
        let condition = rest.prefix { $0 != "]" }
        guard !condition.lowercased().contains("debug") else { return nil }
        rest = rest.dropFirst(condition.count + 1)
      }
      rest = rest.drop { " \"".contains($0) }
      // The key may be mentioned in a value.
      guard rest.hasPrefix("=") else { return nil }
      let value = rest.dropFirst().prefix { isProject ? $0 != ";" : !$0.isNewline }
      return isProject ? String(value) : value.components(separatedBy: "//")[0]
    }
  }

  private static func words(_ text: String) -> [String] {
    // The parentheses of a list are removed, but not those of another setting's name: `$(inherited)`.
    text.split { " \t\n\",".contains($0) }.map {
      $0.hasPrefix("$") ? String($0) : $0.trimmingCharacters(in: CharacterSet(charactersIn: "()"))
    }.filter { !$0.isEmpty }
  }
}

extension Configuration.Platform {
  /// The setting for the deployment target, and Xcode's name for devices of the system.
  fileprivate var buildSettings: (deployment: String, device: String) {
    switch self {
    case .iOS: ("IPHONEOS_DEPLOYMENT_TARGET", "iphoneos")
    case .macOS: ("MACOSX_DEPLOYMENT_TARGET", "macosx")
    case .tvOS: ("TVOS_DEPLOYMENT_TARGET", "appletvos")
    case .visionOS: ("XROS_DEPLOYMENT_TARGET", "xros")
    case .watchOS: ("WATCHOS_DEPLOYMENT_TARGET", "watchos")
    }
  }
}
