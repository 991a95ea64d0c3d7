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

    fileprivate init(version: VersionNumber, element: String, rule: String, answer: String) {
      self.version = version
      self.element = element
      self.rule = rule
      self.answer = answer
    }

    /// Whether two are of one loss, whatever is answered.
    fileprivate func isOfSameLoss(as other: Key) -> Bool {
      version == other.version && element == other.element && rule == other.rule
    }
  }

  /// One approved loss.
  package struct Entry: Sendable, Equatable {
    fileprivate var key: Key
    /// What is lost, for whoever reads the file.
    fileprivate var words: String
    /// What was measured when it was approved, store by store.
    fileprivate var measured: [String]

    /// - Parameter measured: What rows of stores say of it.
    package init(_ loss: Loss, measured: [String] = []) {
      self.init(Key(loss), words: loss.words, measured: measured)
    }

    fileprivate init(_ key: Key, words: String, measured: [String]) {
      self.key = key
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
    return entries.keys.filter { $0.isOfSameLoss(as: key) }.map(\.answer).min()
  }

  /// Adds an approval. One of the same loss is replaced, and so is one to another answer.
  package mutating func approve(_ entry: Entry) {
    for key in entries.keys where key.isOfSameLoss(as: entry.key) { entries[key] = nil }
    entries[entry.key] = entry
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
      let (one, other) = ($0.key, $1.key)
      return (one.version, one.element, one.rule, one.answer)
        < (other.version, other.element, other.rule, other.answer)
    }
    return JSONText.encode(
      Document(
        approvals: lines.map {
          Line(
            version: $0.key.version.description, element: $0.key.element, rule: $0.key.rule,
            answer: $0.key.answer.isEmpty ? nil : $0.key.answer, loses: $0.words,
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
        help: ["restore it from git, and never edit it by hand: 'schemagen approve' writes it"])
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
      let key = Key(version: version, element: element, rule: rule, answer: text("answer") ?? "")
      approvals.entries[key] = Entry(key, words: words, measured: measured)
    }
    return (approvals, diagnostics)
  }
}
