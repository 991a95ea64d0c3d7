/// A way in which apps compile generated code, as flags for `Tests/Support/SwiftDataInterface/check.sh`.
package enum CompilerMode: String, CaseIterable, Sendable {
  case swift6, swift5
  /// Swift 6 mode with the SDK of Xcode 16.3 and 16.4, the oldest that are supported: fewer types are Sendable there.
  case olderSDK
  /// All of the module isolated to the main actor by default, and what else Xcode turns on in new projects.
  case mainActor, mainActorInSwift5
  case internalImports
  /// The main actor by default and internal imports at once.
  case strictest

  /// The modes in which everything that is kept is compiled. What compiles in the strictest compiles where its features
  /// are on one at a time.
  package static let matrix: [CompilerMode] = [.olderSDK, .swift5, .mainActorInSwift5, .strictest]

  private static let isolation =
    ["-default-isolation", "MainActor"]
    + upcoming(["NonisolatedNonsendingByDefault", "InferIsolatedConformances"])

  private static let imports = upcoming(["InternalImportsByDefault", "MemberImportVisibility"])

  private static func upcoming(_ features: [String]) -> [String] {
    features.flatMap { ["-enable-upcoming-feature", $0] }
  }

  /// The flags; of two that contradict each other the later one counts.
  package var flags: [String] {
    switch self {
    case .swift6, .olderSDK: []
    // As Xcode checks projects in Swift 5; complete checking warns of every predicate with a generic model there.
    case .swift5: ["-swift-version", "5", "-strict-concurrency=minimal"]
    case .mainActor: Self.isolation
    case .mainActorInSwift5: Self.swift5.flags + Self.isolation
    case .internalImports: Self.imports
    case .strictest: Self.isolation + Self.imports
    }
  }
}

extension CompilerMode {
  /// Whether code is only type-checked. What later passes find is found in Swift 6 mode, which has most of it.
  fileprivate var isTypeChecked: Bool {
    switch self {
    case .swift6, .olderSDK, .mainActor, .strictest: false
    case .swift5, .mainActorInSwift5, .internalImports: true
    }
  }
}

private let checker = Checkout.root + "/Tests/Support/SwiftDataInterface/check.sh"

/// Finds what Swift files are compiled against, once in a process: each time, it takes as long as a small file.
private let interface = Result {
  try run(checker, ["--cache", Checkout.root + "/.build/integration/interface", "--built"])
}

/// Compiles Swift files that import SwiftData, together as one module; warnings are errors. What it compiles them against
/// is built once, for integration tests too.
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
