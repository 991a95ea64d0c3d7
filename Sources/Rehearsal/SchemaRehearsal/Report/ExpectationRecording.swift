package import RehearsalHarness
internal import SchemaEvolution
internal import SchemaManifest
package import SchemaModel

/// What was proposed of the last step, and holds in a rehearsal: lines for its manifest.
package struct ExpectationRecording {
  /// What no row contradicts.
  package let held: [Expectation]
  /// Whether every row was seen: where a migration fails, nobody knows what holds of its rows.
  package let isWhole: Bool

  /// Takes what contradicts proposals out of a result: nobody has asserted them.
  package init(_ proposals: [Expectation], in result: inout RehearsalResult) {
    let texts = Set(proposals.map(\.text))
    var broken: Set<String> = []
    // Of an older step somebody may have asserted the same.
    for index in result.paths.indices where result.paths[index].to == result.versions.last {
      result.paths[index].failures.removeAll { failure in
        guard failure.kind == .expectationBroken, let text = failure.expected, texts.contains(text)
        else { return false }
        broken.insert(text)
        return true
      }
      if result.paths[index][.expectations] == .failed,
        !result.paths[index].failures.contains(where: { $0.kind == .expectationBroken })
      {
        result.paths[index][.expectations] = .passed
      }
    }
    isWhole =
      result.paths.allSatisfy { path in
        path.failures.allSatisfy { $0.kind == .expectationBroken && $0.expected != nil }
      } && result.kills.allSatisfy { $0.failures.isEmpty }
    held = isWhole ? proposals.filter { !broken.contains($0.text) } : []
  }

  /// The lines below `expect:`.
  package var lines: [String] { held.map { "- \(Self.item($0))" } }

  /// The manifest with them; nil where it cannot be edited by itself.
  package func added(to manifest: SourceFile) -> String? {
    guard !held.isEmpty, let root = YAMLReader.read(manifest).root else { return nil }
    let edits: [YAMLEdit] =
      root.entry("expect") == nil
      ? [
        .add(
          key: "expect", value: lines.map { "\n  \($0)" }.joined(), to: [],
          before: ["accept", "hooks", "identity", "stage"].first { root.entry($0) != nil })
      ]
      : held.map { .addItem(Self.item($0), to: YAMLPath(keys: ["expect"])) }
    var editor = YAMLEditor(manifest, root: root)
    guard editor.apply(edits), editor.isFaithful else { return nil }
    let text = editor.result
    let read = ManifestReader().read(SourceFile(path: manifest.path, text: text))
    guard !read.1.hasErrors, read.0?.expectations.suffix(held.count).map(\.text) == held.map(\.text)
    else { return nil }
    return text
  }

  private static func item(_ expectation: Expectation) -> String {
    guard case .holds(let expression) = expectation.claim else { return expectation.text }
    return "\(expectation.model.value): \(ManifestEdit.scalar(expression.text))"
  }
}
