internal import SchemaEvolution
package import SchemaModel
package import SchemaWorkspace

/// A rule's example, checked by every rule.
package struct ExampleRun: Sendable {
  static let folder = "."

  package let lint: LintResult
  private let example: Example
  /// The example's files, with the lock of its released versions.
  package let files: [SourceFile]

  package init(_ example: Example) {
    self.example = example
    files = Self.files(of: example)
    lint = Linter(Self.options(example), fileSystem: MemoryFiles(files)).run(Self.folder)
  }

  /// The files of an example without any check.
  package static func files(of example: Example) -> [SourceFile] {
    example.files + lock(example)
  }

  private static func options(_ example: Example) -> Linter.Options {
    Linter.Options(today: example.today, baseline: Baseline.fileName)
  }

  /// The findings of one rule.
  package func findings(of rule: String) -> [Diagnostic] {
    lint.findings.filter { $0.rule.id == rule }
  }

  /// The files after all safe fixes of one rule's findings, with the findings that remain; nil if there are none.
  package func fixed(_ rule: String) -> (files: [SourceFile], run: ExampleRun)? {
    let disk = MemoryFiles(files)
    // Only memory is read here, which does not fail.
    guard
      let fix = try? FixRun.prepare(
        Self.folder, options: Self.options(example), only: [rule], fileSystem: disk),
      !fix.changes.isEmpty
    else { return nil }
    var fixed = example.files
    for change in fix.changes {
      fixed.removeAll { $0.path == change.path }
      guard change.action != .remove else { continue }
      fixed.append(SourceFile(path: change.path, bytes: change.contents))
    }
    fixed.sort { $0.path < $1.path }
    return (fixed, ExampleRun(example.replacing(fixed)))
  }

  /// The lock of the released versions; empty if there are none, or if the example has a lock.
  private static func lock(_ example: Example) -> [SourceFile] {
    guard !example.shipped.isEmpty,
      !example.files.contains(where: { $0.path == SchemaLock.fileName })
    else { return [] }
    let configuration = example.files.filter { $0.path == "schemagen.yaml" }
    let folder = SchemaFolder.read(
      Self.folder, fileSystem: MemoryFiles(example.shipped + configuration))
    guard let evolution = folder.evolution, let last = evolution.history.last else { return [] }
    var lock = SchemaLock(evolution, previous: SchemaLock())
    _ = lock.release(upTo: last.number)
    return [SourceFile(path: SchemaLock.fileName, text: lock.text)]
  }
}
