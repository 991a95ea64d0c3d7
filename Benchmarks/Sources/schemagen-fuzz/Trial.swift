import Foundation
import ManagedModels
import SchemaManifest
import SchemaModel
import SchemaReporting
import SchemaWorkspace
import TestSupport

/// One run: everything that lint and generate do with a folder, checked against what must always be true.
struct Trial {
  enum Outcome: String, CaseIterable {
    /// Not even a note.
    case clean
    case findings
    /// Files or manifests themselves are broken, so that most rules could not look.
    case malformed
  }

  static let options = Linter.Options(
    today: CalendarDay(year: 2026, month: 1, day: 1)!, baseline: Baseline.fileName)

  private static let ids = Set(RuleCatalog.all.map(\.id))

  private let files: [SourceFile]
  private(set) var outcome = Outcome.clean
  private(set) var isFixed = false
  private(set) var isGenerated = false
  /// The ids of the rules that found something.
  private(set) var rules: Set<String> = []
  /// What does not hold; empty is good.
  private(set) var problems: [String] = []
  /// Sums of what came out, one for each step. They have to be the same in every process.
  private(set) var sums: [UInt64] = []

  /// Whether this run is one of the quarter in which checks are made that cost as much as the run.
  private var isSampled: Bool { sums.first.map { $0 % 4 == 0 } ?? false }

  init(_ files: [SourceFile]) {
    self.files = files
    let lint = Self.lint(files)
    look(at: lint)
    holdPrinted()
    report(lint)
    fix(lint)
    generate(lint)
  }

  private static func lint(_ files: [SourceFile]) -> LintResult {
    Linter(options, fileSystem: MemoryFiles(files)).run(Corpus.folder)
  }

  // MARK: Findings

  private mutating func look(at lint: LintResult) {
    outcome = lint.isMalformed ? .malformed : lint.findings.isEmpty ? .clean : .findings
    let all = lint.findings + lint.baselined + lint.accepted.map(\.finding)
    rules = Set(all.map(\.rule.id))
    for id in rules.subtracting(Self.ids).sorted() { problems.append("no rule is called '\(id)'") }
    check(all, in: files)
    sums.append(Checksum.of(lint.findings.map(\.whole)))
    guard isSampled else { return }
    if Self.lint(files).findings.map(\.whole) != lint.findings.map(\.whole) {
      problems.append("the same files give other findings the second time")
    }
  }

  /// Every place is in a file that is there, in a line that it has, not behind that line's end.
  private mutating func check(_ findings: [Diagnostic], in files: [SourceFile]) {
    let texts = Dictionary(files.map { (Path.join(Corpus.folder, $0.path), $0) }) { _, last in last
    }
    var widths: [String: [Int]] = [:]
    for finding in findings {
      for place in [finding.location].compactMap({ $0 }) + finding.related.map(\.location) {
        let shown = "\(place.file):\(place.line):\(place.column)+\(place.length)"
        guard let file = texts[place.file] else {
          problems.append("'\(finding.rule.id)' is shown at \(shown), and there is no such file")
          continue
        }
        let lines = widths[place.file] ?? Self.widths(of: file)
        widths[place.file] = lines
        // One column behind a line's end is where something is missing.
        guard lines.indices.contains(place.line - 1), place.column >= 1,
          place.column + place.length <= lines[place.line - 1] + 2
        else {
          let width = lines.indices.contains(place.line - 1) ? lines[place.line - 1] : -1
          problems.append(
            "'\(finding.rule.id)' is shown at \(shown); the file has \(lines.count) lines and the "
              + "line \(width) columns")
          continue
        }
      }
    }
  }

  /// How many Unicode scalars each line has, without its break and without a byte order mark.
  private static func widths(of file: SourceFile) -> [Int] {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let bytes = file.bytes.dropFirst(file.bytes.starts(with: mark) ? mark.count : 0)
    return bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
      line in
      let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      return String(decoding: text, as: UTF8.self).unicodeScalars.count
    }
  }

  // MARK: Reports

  private mutating func report(_ lint: LintResult) {
    let silenced =
      lint.accepted.map { SilencedFinding($0.finding, reason: $0.acceptance.reason) }
      + lint.baselined.map { SilencedFinding($0, reason: "in the baseline", isBaselined: true) }
    // All rules' descriptions are the same each time, and most of what JSON takes.
    let report = Report(
      findings: lint.findings, rules: isSampled ? RuleCatalog.descriptions : [],
      sources: lint.sources,
      toolVersion: "0", workingDirectory: "/work", accepted: silenced)
    var texts: [String] = []
    for format in ReportFormat.allCases {
      let text = report.render(format)
      texts.append(text)
      switch format {
      case .json, .gitlab, .sarif:
        // Reading it again takes longer than writing it.
        if isSampled, (try? JSONSerialization.jsonObject(with: Data(text.utf8))) == nil {
          problems.append("the report '\(format.rawValue)' is not JSON")
        }
      case .junit:
        if let scalar = text.unicodeScalars.first(where: { !Self.isXML($0) }) {
          let code = String(scalar.value, radix: 16)
          problems.append("the report '\(format.rawValue)' has U+\(code) in it, which XML has not")
        }
      case .xcode, .github:
        // A finding is a line: what a manifest says must not begin another command.
        let prefixes = format == .github ? ["::"] : ["/work/", "schemagen: "]
        for line in text.split(whereSeparator: { $0.isNewline })
        where !prefixes.contains(where: line.hasPrefix) {
          problems.append(
            "the report '\(format.rawValue)' has a line that is not a finding: \(line)")
        }
      case .text, .markdown: break
      }
    }
    sums.append(Checksum.of(texts))
  }

  /// Whether XML 1.0 knows a character.
  private static func isXML(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }

  // MARK: Fixes

  /// Holds each manifest that can be read against what is printed of it.
  private mutating func holdPrinted() {
    for file in files {
      problems += (PrintedManifest.problems(of: file) ?? []).map {
        "'\(file.path)' as printed: \($0)"
      }
    }
  }

  private mutating func fix(_ lint: LintResult) {
    guard !lint.fixes.isEmpty || isSampled else {
      sums.append(Checksum.of([]))
      return
    }
    let fix: FixRun
    do {
      fix = try FixRun.prepare(
        Corpus.folder, options: Self.options, fileSystem: MemoryFiles(files))
    } catch {
      problems.append("the fix fails: \(error)")
      return
    }
    isFixed = !fix.changes.isEmpty
    sums.append(
      Checksum.of(fix.changes.map { $0.path + String(decoding: $0.contents, as: UTF8.self) }))
    guard isFixed else { return }
    if fix.lint.isMalformed, !lint.isMalformed {
      problems.append("fixes make manifests that cannot be read: \(titles(fix))")
    }
    for change in fix.changes {
      guard change.action == .update, let previous = change.previous,
        Self.isReadable(change.path, previous), !Self.isReadable(change.path, change.contents)
      else { continue }
      problems.append("fixes make '\(change.path)' unreadable: \(titles(fix))")
    }
    let disk = MemoryFiles(files)
    do {
      try fix.write(to: disk)
      let second = try FixRun.prepare(Corpus.folder, options: Self.options, fileSystem: disk)
      if !second.changes.isEmpty {
        problems.append(
          "a second fix changes more: \(titles(second)), after \(titles(fix))")
      }
      if second.lint.findings.map(\.whole) != fix.lint.findings.map(\.whole) {
        problems.append("after fixes there is other to find than they say")
      }
    } catch {
      problems.append("fixes cannot be written: \(error)")
    }
    let fixed = disk.changes.compactMap { path, bytes in
      bytes.map { SourceFile(path: path, bytes: $0) }
    }
    check(fix.lint.findings, in: fixed)
  }

  private func titles(_ fix: FixRun) -> String {
    fix.fixed.map { "\($0.finding.rule.id) (\($0.title))" }.joined(separator: ", ")
  }

  private static func isReadable(_ path: String, _ bytes: [UInt8]) -> Bool {
    let file = SourceFile(path: path, bytes: bytes)
    if ConfigurationReader.isConfiguration(file) {
      return !ConfigurationReader().read(file).diagnostics.hasErrors
    }
    let read = ManifestReader().read(file)
    return read.version != nil && !read.diagnostics.hasErrors
  }

  // MARK: Generated files

  private mutating func generate(_ lint: LintResult) {
    // What the gate calls broken is refused by the generator, and that need not be seen each time.
    guard !lint.isMalformed || isSampled else { return }
    let disk = MemoryFiles(files)
    let generation = GenerationPipeline(fileSystem: disk).run(Corpus.folder)
    if generation.isMalformed != lint.isMalformed {
      problems.append(
        "malformed to \(lint.isMalformed ? "lint" : "generate") and not to the other")
    }
    rules.formUnion(generation.diagnostics.map(\.rule.id))
    guard !generation.diagnostics.hasErrors else { return }
    isGenerated = true
    sums.append(
      Checksum.of(generation.changes.map { $0.path + String(decoding: $0.contents, as: UTF8.self) })
    )
    do {
      try generation.write(to: disk)
    } catch {
      problems.append("generated files cannot be written: \(error)")
    }
    let second = GenerationPipeline(fileSystem: disk).run(Corpus.folder)
    if let change = second.changes.first {
      problems.append("\(change.path) is not up to date right after it was generated")
    }
    if second.diagnostics.hasErrors {
      problems.append("errors right after generation: \(second.diagnostics.map(\.message))")
    }
  }
}

/// Sums over texts that are the same in every process, as Swift's own hashes are not.
enum Checksum {
  static func of(_ texts: [String]) -> UInt64 {
    var hash = SHA256()
    for text in texts {
      hash.update(text)
      // Between texts, a byte that UTF-8 does not have.
      hash.update([0xFF])
    }
    return hash.finalize().prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension Diagnostic {
  /// All that it says.
  fileprivate var whole: String {
    let places = ([location] + related.map(\.location)).map { place in
      place.map { "\($0.file):\($0.line):\($0.column):\($0.length)" } ?? "nowhere"
    }
    return
      ([severity.rawValue, rule.id, message, element ?? ""] + places + related.map(\.message)
      + help).joined(separator: "\n")
  }
}
