internal import SchemaLint
internal import SchemaManifest
internal import SchemaModel
internal import SchemaRendering
internal import SchemaWorkspace

/// Comments that go with code and stand nowhere afterwards: nobody loses one without knowing.
struct RemovedComments {
  private let changes: [FileChange]
  /// Lines and documentation that stay, as words.
  private var remaining: Set<String> = []
  /// What files that stay begin with.
  private var heads: Set<String> = []
  /// What manifests say, as they are written.
  private let manifests: [String]

  /// - Parameters:
  ///   - manifests: The files that the history was read from.
  ///   - sources: All hand-written files, as they were.
  init(
    _ changes: [FileChange], _ history: [SchemaVersion], _ manifests: [SourceFile],
    beside sources: [SwiftSource]
  ) {
    self.changes = changes
    self.manifests = manifests.map(\.text)
    for comment in manifests.flatMap({ YAMLComments.beginning(with: "", in: $0) }) {
      let text = comment.text.singleSpaced
      remaining.insert(text)
      // Above a type, behind the name of the part that it is about.
      if let mark = text.firstRange(of: ": ") { remaining.insert(String(text[mark.upperBound...])) }
    }
    for version in history {
      let summary = version.summary?.singleSpaced ?? ""
      remaining.formUnion([summary, summary + "."])
      remaining.formUnion(version.models.compactMap(\.documentation?.singleSpaced))
      remaining.formUnion(
        version.models.flatMap(\.properties).compactMap(\.documentation?.singleSpaced))
      remaining.formUnion(version.types.compactMap(\.documentation?.singleSpaced))
    }
    let changed = Set(changes.map(\.path))
    let after = changes.filter { $0.action != .remove }
      .map { SwiftSource(SourceFile(path: $0.path, bytes: $0.contents)) }
    let others = sources.filter { !changed.contains($0.file.path) }
    for source in after + others.filter({ $0.isWrittenByAdoption }) {
      for line in source.commentBlocks.flatMap(\.lines) { remaining.insert(line.singleSpaced) }
    }
    for source in others { if let head = source.head { heads.insert(head) } }
  }

  /// What goes, a finding for each file.
  var findings: [Diagnostic] {
    var told: Set<String> = []
    return changes.compactMap { change in
      guard let previous = change.previous else { return nil }
      let source = SwiftSource(SourceFile(path: change.path, bytes: previous))
      let removed = source.commentBlocks.enumerated().compactMap { index, block in
        index == 0 && isFileHead(source) ? nil : self.removed(block)
      }.filter { told.insert($0.message).inserted }
      guard let first = removed.first else { return nil }
      return Diagnostic(
        .notTakenOut,
        removed.count == 1
          ? "a comment goes with the code, and no manifest has it"
          : "\(removed.count) comments go with the code, and no manifest has them",
        at: first.location, related: removed,
        help: ["write what is still true into the newest manifest, as '# …', or beside your code"])
    }
  }

  /// What goes of lines that stand together: documentation as a whole, of others each line that is nowhere else.
  private func removed(
    _ block: (lines: [String], isDocumentation: Bool, place: Place)
  ) -> Diagnostic.Related? {
    let text = block.lines.joined(separator: " ").singleSpaced
    let lines = block.lines.map(\.singleSpaced)
    let gone = lines.indices.filter { !isKept(lines[$0]) }
    guard let first = gone.first, !remaining.contains(text) else { return nil }
    var place = block.place
    place.line += block.isDocumentation ? 0 : first
    return .init(
      block.isDocumentation ? "/// " + text : "// " + gone.map { lines[$0] }.joined(separator: " "),
      at: place)
  }

  private func isKept(_ line: String) -> Bool {
    // A line of dashes says nothing.
    !line.contains(where: { $0.isLetter || $0.isNumber }) || remaining.contains(line)
      || isSaid(line)
  }

  /// Whether a `schemagen:` comment is a key of a manifest.
  private func isSaid(_ line: String) -> Bool {
    guard line.hasPrefix(AcceptanceComment.word), ClassComments.isMeant(line) else { return false }
    let text = line.dropFirst(AcceptanceComment.word.count)
    guard let end = text.firstIndex(where: { $0 == " " || $0 == ":" }) else { return false }
    let value = String(text[end...].drop { $0 == " " || $0 == ":" })
    let key = text[..<end] == "drop" ? "" : "\(text[..<end]): "
    return [value, YAMLText.quoted(value), YAMLText.singleQuoted(value)].contains { value in
      manifests.contains { $0.contains(key + value) }
    }
  }

  /// Whether a file begins with what Xcode writes there, or with what others begin with too.
  private func isFileHead(_ source: SwiftSource) -> Bool {
    guard let head = source.head else { return false }
    return heads.contains(head) || head.split(separator: " ").contains { $0 == source.file.name }
  }
}

extension SwiftSource {
  /// The comment at the file's beginning, before any code.
  fileprivate var head: String? {
    guard let first = commentBlocks.first, first.place.line == 1 else { return nil }
    return first.lines.joined(separator: " ").singleSpaced
  }

  /// Whether it has what adoption took over from classes and stages.
  fileprivate var isWrittenByAdoption: Bool { file.text.contains(FileMark.userFile) }
}

extension String {
  /// The text with one space between words.
  fileprivate var singleSpaced: String {
    split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
