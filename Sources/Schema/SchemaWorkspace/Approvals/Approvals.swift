package import SchemaEvolution
internal import SchemaManifest
package import SchemaModel
internal import SchemaReporting

extension Rule {
  package static let brokenApprovals = Rule(
    "broken-approvals", "The file of approvals can be read", basis: .page("approvals"))
}

/// The losses that somebody beside their author has approved, in a file of their own: only so can a platform ask its
/// owners for a review.
package struct Approvals: Sendable, Equatable {
  package static let fileName = "approvals.json"

  /// What has to be the same for an approval to hold.
  struct Key: Hashable, Sendable {
    var version: VersionNumber
    var element: String
    var rule: String
    var answer: String

    init(_ loss: Loss) {
      version = loss.version
      element = loss.element.description
      rule = loss.rule
      answer = loss.answer
    }

    fileprivate init(_ entry: Entry) {
      version = entry.version
      element = entry.element
      rule = entry.rule
      answer = entry.answer
    }
  }

  /// One approved loss.
  package struct Entry: Sendable, Equatable {
    var version: VersionNumber
    var element: String
    var rule: String
    var answer: String
    /// What is lost, for whoever reads the file.
    var words: String
    /// What was measured when it was approved, store by store.
    var measured: [String]

    /// - Parameter measured: What rows of stores say of it.
    package init(_ loss: Loss, measured: [String] = []) {
      version = loss.version
      element = loss.element.description
      rule = loss.rule
      answer = loss.answer
      words = loss.words
      self.measured = measured
    }

    fileprivate init(
      version: VersionNumber, element: String, rule: String, answer: String, words: String,
      measured: [String]
    ) {
      self.version = version
      self.element = element
      self.rule = rule
      self.answer = answer
      self.words = words
      self.measured = measured
    }
  }

  private var entries: [Key: Entry] = [:]

  package init() {}

  /// How many losses are approved.
  package var count: Int { entries.count }

  package func covers(_ loss: Loss) -> Bool { entries[Key(loss)] != nil }

  /// The answer to which a loss of the same element was approved; nil for none.
  func approvedAnswer(for loss: Loss) -> String? {
    let key = Key(loss)
    return entries.values.filter {
      $0.version == key.version && $0.element == key.element && $0.rule == key.rule
    }.map(\.answer).min()
  }

  /// Adds an approval. One of the same loss is replaced, and so is one to another answer.
  package mutating func approve(_ entry: Entry) {
    for (key, known) in entries
    where known.version == entry.version && known.element == entry.element
      && known.rule == entry.rule
    {
      entries[key] = nil
    }
    entries[Key(entry)] = entry
  }

  func union(_ other: Approvals) -> Approvals {
    var all = self
    all.entries.merge(other.entries) { own, _ in own }
    return all
  }

  // MARK: The file

  private struct Document: Encodable {
    var format = 1
    var approvals: [Line]
  }

  private struct Line: Encodable {
    var version: String
    var element: String
    var rule: String
    var answer: String?
    var loses: String
    var measured: [String]?
  }

  /// The file's text; sorted, so that git merges it well.
  package var text: String {
    let lines = entries.values.sorted {
      ($0.version, $0.element, $0.rule, $0.answer) < ($1.version, $1.element, $1.rule, $1.answer)
    }
    return JSONText.encode(
      Document(
        approvals: lines.map {
          Line(
            version: $0.version.description, element: $0.element, rule: $0.rule,
            answer: $0.answer.isEmpty ? nil : $0.answer, loses: $0.words,
            measured: $0.measured.isEmpty ? nil : $0.measured)
        }))
  }

  /// Reads the file of a folder; empty where there is none.
  ///
  /// - Parameter folder: The folder of manifests.
  package static func read(
    in folder: String, _ fileSystem: some FileSystem
  ) -> (approvals: Approvals, diagnostics: [Diagnostic]) {
    let path = Path.join(folder, fileName)
    do throws(FileSystemError) {
      guard let bytes = try fileSystem.read(path, limit: SchemaFolder.readLimit) else {
        return (Approvals(), [])
      }
      return read(SourceFile(path: path, bytes: bytes))
    } catch {
      return (
        Approvals(),
        [Diagnostic(.unreadable, "'\(error.path)' cannot be read: \(error.reason)", at: nil)]
      )
    }
  }

  /// JSON is YAML, and the reader of YAML knows places.
  private static func read(
    _ file: SourceFile
  ) -> (approvals: Approvals, diagnostics: [Diagnostic]) {
    var approvals = Approvals()
    let (root, unread) = YAMLReader.read(file)
    func fail(_ message: String, _ location: SourceLocation?) -> Diagnostic {
      Diagnostic(
        .brokenApprovals, message, at: location ?? SourceLocation(file: file.path),
        help: ["restore it from git: 'schemagen approve' writes it, nobody by hand"])
    }
    guard let root, unread.isEmpty else {
      return (
        approvals,
        unread.map { fail("the approvals cannot be read: \($0.message)", $0.location) }
          + (unread.isEmpty ? [fail("the file of approvals is empty", nil)] : [])
      )
    }
    guard root.entry("format")?.value.scalar?.text == "1",
      case .sequence(let items)? = root.entry("approvals")?.value.content
    else { return (approvals, [fail("these are not approvals of format 1", root.location)]) }
    var diagnostics: [Diagnostic] = []
    for item in items {
      func text(_ key: String) -> String? { item.entry(key)?.value.scalar?.text }
      guard let version = text("version").flatMap({ VersionNumber($0) }),
        let element = text("element"), let rule = text("rule"), let words = text("loses")
      else {
        diagnostics.append(fail("an approval is incomplete", item.location))
        continue
      }
      var measured: [String] = []
      if case .sequence(let lines)? = item.entry("measured")?.value.content {
        measured = lines.compactMap(\.scalar?.text)
      }
      let entry = Entry(
        version: version, element: element, rule: rule, answer: text("answer") ?? "", words: words,
        measured: measured)
      approvals.entries[Key(entry)] = entry
    }
    return (approvals, diagnostics)
  }
}
