/// A mode in which apps compile generated code, as flags for `Tests/Support/SwiftDataInterface/check.sh`.
package enum CompilerMode: String, CaseIterable, Sendable {
  case swift6, swift5
  /// Swift 6 mode with the SDK of Xcode 16.3 and 16.4, the oldest supported, in which fewer types are Sendable.
  case olderSDK
  /// The whole module is isolated to the main actor by default, with the other settings of new Xcode projects.
  case mainActor, mainActorInSwift5
  case internalImports
  /// The main actor by default and internal imports at once.
  case strictest

  /// The modes for all checked-in generated code. Code that compiles in the strictest mode also compiles with its
  /// features one at a time.
  package static let matrix: [CompilerMode] = [.olderSDK, .swift5, .mainActorInSwift5, .strictest]

  private static let isolation =
    ["-default-isolation", "MainActor"]
    + upcoming(["NonisolatedNonsendingByDefault", "InferIsolatedConformances"])

  private static let imports = upcoming(["InternalImportsByDefault", "MemberImportVisibility"])

  private static func upcoming(_ features: [String]) -> [String] {
    features.flatMap { ["-enable-upcoming-feature", $0] }
  }

  /// The flags. If two contradict each other, the later one counts.
  package var flags: [String] {
    switch self {
    case .swift6, .olderSDK: []
    // As Xcode checks projects in Swift 5. Complete checking would warn about every predicate with a generic model.
    case .swift5: ["-swift-version", "5", "-strict-concurrency=minimal"]
    case .mainActor: Self.isolation
    case .mainActorInSwift5: Self.swift5.flags + Self.isolation
    case .internalImports: Self.imports
    case .strictest: Self.isolation + Self.imports
    }
  }
}

extension CompilerMode {
  /// Whether code is only type-checked. Later passes run in Swift 6 mode, which finds most of their errors.
  fileprivate var isTypeChecked: Bool {
    switch self {
    case .swift6, .olderSDK, .mainActor, .strictest: false
    case .swift5, .mainActorInSwift5, .internalImports: true
    }
  }
}

private let checker = Checkout.root + "/Tests/Support/SwiftDataInterface/check.sh"

/// Finds the modules that Swift files are compiled against, once in a process: it takes as long as compiling a small
/// file.
private let interface = Result {
  try run(checker, ["--cache", Checkout.root + "/.build/integration/interface", "--built"])
}

/// Compiles Swift files that import SwiftData, together as one module; warnings are errors. The modules they are
/// compiled against are built once, also for integration tests.
package func compile(
  _ files: [String], _ mode: CompilerMode = .swift6, flags: [String] = []
) throws -> Finished {
  let built = try interface.get()
  guard built.status == 0 else { return built }
  let folder = String(built.output.prefix { !$0.isNewline })
  return try run(
    checker,
    ["--against", folder] + (mode == .olderSDK ? ["--sdk", "18"] : []) + files + ["--"] + flags
      + mode.flags
      + (mode.isTypeChecked ? ["-typecheck"] : []))
}
