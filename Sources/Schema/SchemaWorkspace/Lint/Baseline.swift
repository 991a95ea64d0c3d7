internal import SchemaLint
internal import SchemaManifest
package import SchemaModel

extension Rule {
  static let staleBaseline = Rule(
    "stale-baseline", .warning, "The findings in a baseline still occur",
    basis: .fact(.tooling, "linter-complaints", .certain))
  static let brokenBaseline = Rule(
    "broken-baseline", "A baseline can be read", basis: .manifest)
}

/// Findings from before lint was introduced, by rule and element, since messages and lines may change.
package struct Baseline: Sendable, Equatable {
  package static let fileName = "lint-baseline.json"

  package struct Key: Hashable, Sendable, Comparable {
    package var rule: String
    package var element: String
    /// The step's version, such as `V9`; empty for a finding that every version repeats until it is fixed.
    package var version: String

    package static func < (lhs: Key, rhs: Key) -> Bool {
      (lhs.rule, lhs.element, lhs.version) < (rhs.rule, rhs.element, rhs.version)
    }
  }

  var counts: [Key: Int] = [:]

  init() {}

  init(_ findings: [Diagnostic]) {
    for finding in findings where Self.canWait(finding) {
      counts[Self.key(finding), default: 0] += 1
    }
  }

  package var count: Int { counts.values.reduce(0, +) }

  /// Whether a finding can wait: it reports no loss of values and does not prevent generation.
  package static func canWait(_ finding: Diagnostic) -> Bool {
    finding.rule.isAcceptable || finding.severity != .error
  }

  static func key(_ finding: Diagnostic) -> Key {
    var version = ""
    if RuleCatalog.rulesByID[finding.rule.id]?.scope == .step, let file = finding.location?.file {
      version =
        SourceFile(path: file, bytes: []).name.split(separator: ".yaml").first
        .map(String.init) ?? ""
    }
    return Key(rule: finding.rule.id, element: finding.element ?? "", version: version)
  }

  /// The file's text: one entry on a line, sorted, so that git merges it well.
  package var text: String {
    let lines = counts.sorted { $0.key < $1.key }.map { key, count in
      var line = "    { \"rule\": \(Self.quoted(key.rule))"
      if !key.element.isEmpty { line += ", \"element\": \(Self.quoted(key.element))" }
      if !key.version.isEmpty { line += ", \"version\": \(Self.quoted(key.version))" }
      if count > 1 { line += ", \"count\": \(count)" }
      return line + " }"
    }
    let list = lines.isEmpty ? "[]" : "[\n" + lines.joined(separator: ",\n") + "\n  ]"
    return "{\n  \"format\": 1,\n  \"findings\": \(list)\n}\n"
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

extension LintResult {
  package var hasBrokenBaseline: Bool { findings.contains { $0.rule == .brokenBaseline } }
}

/// Matches findings with a baseline.
struct BaselineMatcher {
  private(set) var file: SourceFile?
  private(set) var known = Baseline()
  private var left: [Baseline.Key: Int] = [:]
  private var places: [Baseline.Key: SourceLocation] = [:]
  private var problems: [Diagnostic] = []

  init(_ path: String?, fileSystem: some FileSystem) {
    guard let path else { return }
    do throws(FileSystemError) {
      guard let bytes = try fileSystem.read(path, limit: SchemaFolder.readLimit) else {
        guard fileSystem.isFolder(path) else { return }
        problems.append(
          Diagnostic(.brokenBaseline, "'\(path)' is a folder, not a baseline", at: nil))
        return
      }
      read(SourceFile(path: path, bytes: bytes))
    } catch {
      problems.append(
        Diagnostic(.unreadable, "'\(error.path)' cannot be read: \(error.reason)", at: nil))
    }
  }

  /// Reads the JSON as YAML, since the YAML reader records locations.
  private mutating func read(_ file: SourceFile) {
    self.file = file
    let (root, diagnostics) = YAMLReader.read(file)
    func fail(_ message: String, _ location: SourceLocation?) -> Diagnostic {
      Diagnostic(
        .brokenBaseline, message, at: location ?? SourceLocation(file: file.path),
        help: ["restore the baseline from git, or rewrite it with 'schemagen baseline write'"])
    }
    guard let root, diagnostics.isEmpty else {
      problems += diagnostics.map {
        fail("the baseline cannot be read: \($0.message)", $0.location)
      }
      return
    }
    guard root.entry("format")?.value.scalar?.text == "1",
      case .sequence(let items)? = root.entry("findings")?.value.content
    else {
      problems.append(fail("this is not a baseline of format 1", root.location))
      return
    }
    for item in items {
      func text(_ key: String) -> String? { item.entry(key)?.value.scalar?.text }
      guard let rule = text("rule"), let count = Int(text("count") ?? "1"), count > 0,
        count < 1_000_000
      else {
        problems.append(fail("an entry is incomplete", item.location))
        continue
      }
      let key = Baseline.Key(
        rule: rule, element: text("element") ?? "", version: text("version") ?? "")
      known.counts[key, default: 0] += count
      places[key] = item.location
    }
    left = known.counts
  }

  mutating func take(from findings: inout [Diagnostic]) -> [Diagnostic] {
    guard !left.isEmpty else { return [] }
    var taken: [Diagnostic] = []
    findings.removeAll { finding in
      guard Baseline.canWait(finding) else { return false }
      let key = Baseline.key(finding)
      guard let count = left[key], count > 0 else { return false }
      left[key] = count - 1
      taken.append(finding)
      return true
    }
    return taken
  }

  /// Findings about the baseline itself.
  ///
  /// - Parameter isComplete: Whether all rules ran. If not, findings may be missing although they would still occur.
  func diagnostics(isComplete: Bool) -> [Diagnostic] {
    guard isComplete else { return problems }
    return problems
      + left.filter { $0.value > 0 }.map { key, count in
        let element = key.element.isEmpty ? "" : " about '\(key.element)'"
        let version = key.version.isEmpty ? "" : " in \(key.version)"
        let number =
          count == known.counts[key] ? "" : " (\(count) of \(known.counts[key] ?? 0) times)"
        return Diagnostic(
          .staleBaseline, "'\(key.rule)'\(element)\(version) is no longer found\(number)",
          element: key.element.isEmpty ? nil : key.element, at: places[key],
          help: ["run 'schemagen baseline prune'"])
      }
  }
}
