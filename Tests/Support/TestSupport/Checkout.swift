import Foundation
import SchemaProcesses

package enum Checkout {
  /// The package's folder.
  package static let root: String = {
    var url = URL(filePath: #filePath)
    for _ in 0..<4 { url.deleteLastPathComponent() }
    return url.path
  }()

  /// The folder of built products, which contains the tests.
  package static let products: String = {
    #if os(macOS)
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
      return bundle?.bundleURL.deletingLastPathComponent().path ?? ""
    #else
      return URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path
    #endif
  }()

  /// The built command.
  package static var schemagen: String { products + "/schemagen" }

  /// Whether all tests run. `make check` leaves the slow ones to `make test`: those that run the Swift compiler or
  /// swift-format on generated code, kill processes, wait for seconds, or try hundreds of slow cases.
  package static let runsEverything =
    ProcessInfo.processInfo.environment["SCHEMAGEN_CHECK"] != "1"

  /// The seeds of the given number of random cases. `make check` tries the first tenth of them.
  package static func seeds(_ count: Int) -> Range<Int> {
    0..<(runsEverything ? count : count / 10)
  }

  /// Folders of manifests whose generated files are in the repository.
  package static let references = [
    "Schemas/Ritualist", "Schemas/Habitto", "Schemas/KeepTrack", "Schemas/Travel",
    "Schemas/Recipes",
    "Tests/Support/Fixtures/Everything", "Benchmarks/Sources/schemagen-rehearsal-benchmark/Schemas",
  ]
}

/// The result of a process.
package struct Finished: Sendable {
  package var status: Int32
  package var output: String
  package var errors: String
}

/// Runs a program and waits for it.
///
/// - Parameter environment: Variables in addition to the inherited ones; nil removes one.
package func run(
  _ program: String, _ arguments: [String] = [], in folder: String? = nil,
  environment: [String: String?] = [:]
) throws -> Finished {
  var process = ChildProcess(program, arguments, in: folder)
  process.environment = environment
  let outcome = try process.run()
  return Finished(status: outcome.status, output: outcome.text, errors: outcome.errors)
}

/// Runs the work with a folder that is then removed.
package func withTemporaryFolder<Result>(_ work: (String) throws -> Result) throws -> Result {
  let url = FileManager.default.temporaryDirectory.appending(path: "schemagen-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: url) }
  return try work(url.path)
}

/// The paths of files below a folder, relative to it and sorted; folders themselves left out.
package func filesBelow(_ folder: String) -> [String] {
  let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
  return names.filter { name in
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(
      atPath: folder + "/" + name, isDirectory: &isFolder)
    return exists && !isFolder.boolValue
  }.sorted()
}

/// The lines in which two texts differ, with a few lines around them.
package func difference(from old: String, to new: String) -> String {
  let before = old.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  let after = new.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  var lines: [String] = []
  for change in after.difference(from: before) {
    switch change {
    case .remove(let offset, let element, _): lines.append("- \(offset + 1): \(element)")
    case .insert(let offset, let element, _): lines.append("+ \(offset + 1): \(element)")
    }
  }
  let shown = lines.prefix(40).joined(separator: "\n")
  return lines.count > 40 ? shown + "\n… and \(lines.count - 40) more" : shown
}

/// The differences of a text from its recorded file in the checkout, byte by byte; nil if there are none.
/// RECORD_SNAPSHOTS=1 records the text instead. `filter` names the tests that do so.
package func difference(
  of text: String, fromSnapshot path: String, recordedBy filter: String
) throws -> String? {
  let url = URL(filePath: Checkout.root + "/" + path)
  if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
    try Data(text.utf8).write(to: url)
  }
  let known = (try? Data(contentsOf: url)).map { String(decoding: $0, as: UTF8.self) }
  // `==` would take a composed character for its parts.
  if let known, known.utf8.elementsEqual(text.utf8) { return nil }
  return """
    \(path) differs; 'RECORD_SNAPSHOTS=1 swift test --filter \(filter)' records it anew
    \(difference(from: known ?? "", to: text))
    """
}
