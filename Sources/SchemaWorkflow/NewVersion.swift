package import SchemaDiagnostics
internal import SchemaEvolution
internal import SchemaManifest
package import SchemaModel
internal import YAMLSource

extension Rule {
  static let notCopied = Rule(
    "not-copied", "A manifest could not be turned into the next version's by itself",
    basis: .manifest)
}

/// Writes the next version's manifest: the latest one's text, with its comments and layout, under the next number
/// and without what belonged to its own step.
package struct NewVersion: Sendable {
  /// Keys of the step, wherever they stand in a model.
  private static let stepKeys: Set<String> = [
    "renamedFrom", "from", "convert", "revert", "fill", "dedupe",
  ]
  /// Keys of the step at the top level.
  private static let topKeys: Set<String> = ["summary", "drops", "accept", "hooks"]

  package init() {}

  /// The new manifest's text, or why there is none.
  package func manifest(
    from file: SourceFile, number: VersionNumber
  ) -> (text: String?, diagnostics: [Diagnostic]) {
    let (root, problems) = YAMLReader.read(file)
    guard let root, !problems.hasErrors else { return (nil, problems) }
    var edits = TextEdits(file.text)
    if case .mapping(let entries) = root.content {
      for entry in entries {
        if Self.topKeys.contains(entry.key) {
          edits.removeEntry(at: entry.keyLocation)
        } else if entry.key == "version" {
          edits.replace(at: entry.value.location, with: number.description)
        } else if entry.key == "models", case .mapping(let models) = entry.value.content {
          for model in models { removeSteps(of: model.value, &edits) }
        }
      }
    }
    let text = edits.apply()
    // The copy must say the same but for its step: the text was edited without understanding all of YAML.
    let reader = ManifestReader()
    let old = reader.read(file).version?.withoutNumber
    let new = reader.read(SourceFile(path: file.path, text: text))
    guard let old, !new.diagnostics.hasErrors, new.version?.withoutNumber == old else {
      return (
        nil,
        [
          Diagnostic(
            .notCopied, "'\(file.path)' is laid out in a way that cannot be copied by itself",
            at: SourceLocation(file: file.path),
            help: [
              "copy it by hand: raise 'version' and remove renamedFrom, from, convert, revert, fill, "
                + "dedupe, drops, accept and hooks"
            ])
        ]
      )
    }
    return (text, [])
  }

  /// A manifest under another number, with everything else as it is; nil where that cannot be done by itself.
  func renumbered(_ file: SourceFile, number: VersionNumber) -> String? {
    let (root, problems) = YAMLReader.read(file)
    guard let root, !problems.hasErrors, case .mapping(let entries) = root.content,
      let version = entries.first(where: { $0.key == "version" })
    else { return nil }
    var edits = TextEdits(file.text)
    edits.replace(at: version.value.location, with: number.description)
    let text = edits.apply()
    let reader = ManifestReader()
    var new = reader.read(SourceFile(path: file.path, text: text)).version
    guard let old = reader.read(file).version, new?.number == number else { return nil }
    new?.number = old.number
    return new == old ? text : nil
  }

  private func removeSteps(of model: YAMLNode, _ edits: inout TextEdits) {
    guard case .mapping(let entries) = model.content else { return }
    for entry in entries {
      switch entry.key {
      case "renamedFrom", "from": edits.removeEntry(at: entry.keyLocation)
      case "properties":
        guard case .mapping(let properties) = entry.value.content else { continue }
        for property in properties { removeKeys(of: property.value, &edits) }
      case "unique":
        guard case .sequence(let uniques) = entry.value.content else { continue }
        for unique in uniques { removeKeys(of: unique, &edits) }
      default: break
      }
    }
  }

  private func removeKeys(of node: YAMLNode, _ edits: inout TextEdits) {
    guard case .mapping(let entries) = node.content else { return }
    for entry in entries where Self.stepKeys.contains(entry.key) {
      edits.removeEntry(at: entry.keyLocation)
    }
  }
}

extension SchemaVersion {
  fileprivate var withoutNumber: SchemaVersion {
    var version = withoutStep
    version.number = VersionNumber(0)
    version.summary = nil
    return version
  }
}

/// Changes to a text at places that a parser named, applied from the end so that places stay right.
private struct TextEdits {
  private let scalars: [Unicode.Scalar]
  /// Where each line begins.
  private let lines: [Int]
  private var edits: [(range: Range<Int>, text: String)] = []

  init(_ text: String) {
    let scalars = Array(text.unicodeScalars)
    self.scalars = scalars
    lines = [0] + scalars.indices.filter { scalars[$0] == "\n" }.map { $0 + 1 }
  }

  mutating func replace(at location: SourceLocation, with text: String) {
    let start = offset(location)
    edits.append((start..<min(start + location.length, scalars.count), text))
  }

  /// Removes a key with its value, in a block or in a flow mapping.
  mutating func removeEntry(at key: SourceLocation) {
    let start = offset(key)
    var before = start - 1
    while before >= 0, scalars[before] == " " { before -= 1 }
    if before >= 0, scalars[before] == "{" || scalars[before] == "," {
      removeFlowEntry(from: start, behind: before)
    } else {
      removeBlockEntry(key)
    }
  }

  /// The entry's lines, up to the next one that is not indented deeper.
  private mutating func removeBlockEntry(_ key: SourceLocation) {
    var line = key.line
    // Blank lines and comments belong to what follows, unless something deeper comes after them.
    var last = key.line
    while line < lines.count {
      guard let indent = indentation(line) else {
        line += 1
        continue
      }
      guard indent >= key.column || (indent == key.column - 1 && isListItem(line)) else { break }
      last = line + 1
      line += 1
    }
    let end = last < lines.count ? lines[last] : scalars.count
    edits.append((lines[key.line - 1]..<end, ""))
  }

  /// From the comma before the entry to its end, or from the entry to the comma behind it.
  private mutating func removeFlowEntry(from start: Int, behind before: Int) {
    var position = start
    var depth = 0
    var quote: Unicode.Scalar?
    while position < scalars.count {
      let scalar = scalars[position]
      if let open = quote {
        if scalar == "\\", open == "\"" { position += 1 } else if scalar == open { quote = nil }
      } else if scalar == "\"" || scalar == "'" {
        // A quote inside a plain scalar is a letter like any other.
        if beginsValue(position) { quote = scalar }
      } else if scalar == "{" || scalar == "[" {
        depth += 1
      } else if scalar == "}" || scalar == "]" {
        if depth == 0 { break }
        depth -= 1
      } else if scalar == ",", depth == 0 {
        break
      }
      position += 1
    }
    if scalars[before] == "," {
      // Spaces before the closing bracket stay.
      var end = position
      let isLast = position < scalars.count && scalars[position] != ","
      while isLast, end > start, scalars[end - 1] == " " { end -= 1 }
      edits.append((before..<end, ""))
    } else {
      var end = position
      if end < scalars.count, scalars[end] == "," { end += 1 }
      while end < scalars.count, scalars[end] == " " { end += 1 }
      edits.append((start..<end, ""))
    }
  }

  private func beginsValue(_ position: Int) -> Bool {
    var before = position - 1
    while before >= 0, scalars[before] == " " { before -= 1 }
    return before < 0 || [":", ",", "{", "["].contains(scalars[before])
  }

  /// Spaces before the first other character of a line (counted from 0); nil for a blank one or a comment.
  private func indentation(_ line: Int) -> Int? {
    var position = lines[line]
    var count = 0
    while position < scalars.count, scalars[position] == " " {
      position += 1
      count += 1
    }
    guard position < scalars.count, !["\n", "\r", "#"].contains(scalars[position]) else {
      return nil
    }
    return count
  }

  private func isListItem(_ line: Int) -> Bool {
    guard let indent = indentation(line) else { return false }
    return scalars[lines[line] + indent] == "-"
  }

  private func offset(_ location: SourceLocation) -> Int {
    // A byte-order mark is no column.
    let mark = location.line == 1 && scalars.first?.value == 0xFEFF ? 1 : 0
    return lines[location.line - 1] + location.column - 1 + mark
  }

  func apply() -> String {
    var result = scalars
    var floor = scalars.count
    for edit in edits.sorted(by: {
      ($1.range.lowerBound, $0.range.upperBound) < ($0.range.lowerBound, $1.range.upperBound)
    }) {
      let range = edit.range.lowerBound..<min(edit.range.upperBound, floor)
      result.replaceSubrange(range, with: Array(edit.text.unicodeScalars))
      floor = edit.range.lowerBound
    }
    return String(String.UnicodeScalarView(result))
  }
}
