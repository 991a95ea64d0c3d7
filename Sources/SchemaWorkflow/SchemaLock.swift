internal import Crypto
package import SchemaDiagnostics
package import SchemaEvolution
package import SchemaModel
internal import YAMLSource

extension Rule {
  package static let brokenLock = Rule(
    "broken-lock", "schema.lock cannot be trusted",
    basis: Basis("manifest.md, lock", .certain))
  package static let shippedVersionEdited = Rule(
    "shipped-version-edited", "A version that has shipped is not what it was",
    basis: .seed(5, "don't edit old schema versions retroactively"))
  package static let shippedVersionMissing = Rule(
    "shipped-version-missing", "A version that has shipped is gone",
    basis: .seed(2, "schema migrations are permanent"))
}

/// `schema.lock`: what each version was when it was last generated, and which have shipped.
///
/// Each entry's sum covers the sums before it, so that two branches that add a version each collide in git.
package struct SchemaLock: Sendable, Equatable {
  package static let fileName = "schema.lock"

  package enum State: String, Sendable, CaseIterable {
    /// May still change.
    case draft
    /// Stands in stores on people's devices.
    case released
  }

  package struct Entry: Sendable, Equatable {
    package var version: VersionNumber
    package var state: State
    /// What the framework hashes.
    package var identity: String
    /// Everything that shapes generated code; comments and order of keys do not move it.
    package var digest: String
  }

  package var entries: [Entry] = []
  /// A hash over the bytes that generation started from when it last changed something; empty where that run had
  /// something to say. It is a shortcut, not a claim: another one means only that manifests have to be read.
  package var input = ""
  /// A hash over the files that generation gave.
  package var output = ""
  /// Where they are, below the folder of manifests.
  package var folders: [String] = []
  package var documentation: String?
  package var owned: [String] = []

  package init() {}
}

// MARK: - Making

extension SchemaLock {
  /// The lock of an evolution; states are taken from the lock before.
  package init(_ evolution: Evolution, previous: SchemaLock) {
    let states = Dictionary(previous.entries.map { ($0.version, $0.state) }) { first, _ in first }
    entries = concurrentMap(evolution.history.count) { index in
      let version = evolution.history[index]
      return Entry(
        version: version.number, state: states[version.number] ?? .draft,
        identity: evolution.identities[evolution.positions[index]].full,
        digest: Self.digest(version))
    }
  }

  static func digest(_ version: SchemaVersion) -> String {
    SHA256.hash(data: Array(SchemaText(version).text.utf8)).hex
  }

  /// The chained sums, one for each entry.
  private var sums: [String] {
    var sums: [String] = []
    for entry in entries {
      let text =
        "\(sums.last ?? "schemagen") \(entry.version) \(entry.state.rawValue) \(entry.identity) "
        + entry.digest
      sums.append(SHA256.hash(data: Array(text.utf8)).hex)
    }
    return sums
  }

  /// The file's text.
  package var text: String {
    var text = """
      # Written by schemagen. Commit it and leave it as it is: it knows which versions have shipped.
      format: 1
      versions:

      """
    for (entry, sum) in zip(entries, sums) {
      text += """
          - version: \(entry.version)
            state: \(entry.state.rawValue)
            identity: \(entry.identity)
            digest: \(entry.digest)
            sum: \(sum)

        """
    }
    text += "generated:\n  input: \(input.isEmpty ? "none" : input)\n  output: \(output)\n"
    for (key, paths) in [
      ("folders", folders), ("documentation", documentation.map { [$0] } ?? []), ("owned", owned),
    ] where !paths.isEmpty {
      text += "  \(key):\n" + paths.map { "    - \(Self.quoted($0))\n" }.joined()
    }
    return text
  }

  /// A path as a YAML scalar.
  private static func quoted(_ path: String) -> String {
    "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
  }

  /// Whether two locks say the same of versions and files.
  func differsOnlyInInput(from other: SchemaLock) -> Bool {
    var other = other
    other.input = input
    return self == other
  }
}

// MARK: - Releasing

extension SchemaLock {
  /// Marks a version and all before it as shipped.
  ///
  /// - Returns: The versions that were drafts until now.
  package mutating func release(upTo number: VersionNumber) -> [VersionNumber] {
    var released: [VersionNumber] = []
    for index in entries.indices
    where entries[index].version <= number && entries[index].state == .draft {
      entries[index].state = .released
      released.append(entries[index].version)
    }
    return released
  }
}

// MARK: - Reading

extension SchemaLock {
  /// Reads the lock; every break is told, with its place.
  package static func read(_ file: SourceFile) -> (lock: SchemaLock, diagnostics: [Diagnostic]) {
    var reader = LockReader(file: file)
    let lock = reader.read()
    var diagnostics = reader.diagnostics
    if diagnostics.isEmpty,
      let index = zip(reader.sums, lock.sums).enumerated().first(where: {
        $0.element.0.value != $0.element.1
      })?.offset
    {
      diagnostics.append(
        Diagnostic(
          .brokenLock,
          "the sum of \(lock.entries[index].version) does not fit what stands above it: the file was "
            + "edited, or merged from two branches",
          at: reader.sums[index].location,
          help: ["restore it from git and run 'schemagen generate' again"]))
    }
    return (lock, diagnostics)
  }

  /// Findings about released versions that are not what the lock says they were.
  package func diagnostics(_ evolution: Evolution, lockPath: String) -> [Diagnostic] {
    let now = Dictionary(evolution.history.enumerated().map { ($1.number, ($0, $1)) }) { a, _ in a }
    return entries.filter { $0.state == .released }.compactMap { entry in
      guard let (index, version) = now[entry.version] else {
        return Diagnostic(
          .shippedVersionMissing,
          "\(entry.version.name) has shipped and its manifest is gone",
          element: entry.version.name, at: SourceLocation(file: lockPath),
          help: ["restore it from git: stores on people's devices still have that version"])
      }
      // A step with errors leaves no identities; the digest still tells that a manifest was edited.
      let isSameStore =
        evolution.identities.isEmpty
        || evolution.identities[evolution.positions[index]].full == entry.identity
      guard entry.digest != Self.digest(version) || !isSameStore else { return nil }
      let what =
        !isSameStore
        ? "stores of it would no longer be recognised (error 134504)"
        : "its generated code would no longer be what shipped"
      return Diagnostic(
        .shippedVersionEdited, "\(entry.version.name) has shipped and was edited: \(what)",
        element: entry.version.name, at: version.location,
        help: [
          "restore it from git and make the change in a new version: 'schemagen new-version'"
        ])
    }
  }
}

/// Reads the lock's YAML.
private struct LockReader {
  let file: SourceFile
  var diagnostics: [Diagnostic] = []
  var sums: [Located<String>] = []

  mutating func read() -> SchemaLock {
    var lock = SchemaLock()
    let (node, problems) = YAMLReader.read(file)
    guard problems.isEmpty, let node else {
      diagnostics = problems.map {
        Diagnostic(
          .brokenLock, "the lock cannot be read: \($0.message)", at: $0.location,
          help: ["restore it from git; after a merge, keep one side and run 'schemagen generate'"])
      }
      if problems.isEmpty { fail("the lock is empty", nil) }
      return lock
    }
    guard let format = scalar(node, "format"), format.value == "1" else {
      fail("the lock's format is not 1: a newer schemagen wrote it", node.location)
      return lock
    }
    guard case .sequence(let versions)? = node["versions"]?.content else {
      fail("'versions' is missing", node.location)
      return lock
    }
    for version in versions {
      guard let number = scalar(version, "version"), let parsed = VersionNumber(number.value),
        let state = scalar(version, "state"), let known = SchemaLock.State(rawValue: state.value),
        let identity = scalar(version, "identity"), let digest = scalar(version, "digest"),
        let sum = scalar(version, "sum")
      else {
        fail("an entry is not whole", version.location)
        continue
      }
      lock.entries.append(
        SchemaLock.Entry(
          version: parsed, state: known, identity: identity.value, digest: digest.value))
      sums.append(sum)
    }
    guard let generated = node["generated"] else { return lock }
    let input = scalar(generated, "input")?.value ?? ""
    lock.input = input == "none" ? "" : input
    lock.output = scalar(generated, "output")?.value ?? ""
    lock.folders = list(generated, "folders")
    lock.documentation = list(generated, "documentation").first
    lock.owned = list(generated, "owned")
    return lock
  }

  private func list(_ node: YAMLNode, _ key: String) -> [String] {
    guard case .sequence(let values)? = node[key]?.content else { return [] }
    return values.compactMap { $0.scalar?.text }
  }

  private func scalar(_ node: YAMLNode, _ key: String) -> Located<String>? {
    guard let value = node[key], let text = value.scalar?.text else { return nil }
    return Located(text, at: value.location)
  }

  private mutating func fail(_ message: String, _ location: SourceLocation?) {
    diagnostics.append(
      Diagnostic(
        .brokenLock, message, at: location ?? SourceLocation(file: file.path),
        help: ["restore it from git"]))
  }
}

extension YAMLNode {
  /// The value of a mapping's key.
  fileprivate subscript(key: String) -> YAMLNode? {
    guard case .mapping(let entries) = content else { return nil }
    return entries.first { $0.key == key }?.value
  }
}
