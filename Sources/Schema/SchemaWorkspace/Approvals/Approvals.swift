internal import Foundation
package import SchemaEvolution
package import SchemaModel
internal import SchemaReporting

extension Rule {
  package static let brokenApprovals = Rule(
    "broken-approvals", "The approvals file can be read", basis: .page("approvals"))
}

/// The losses that a person other than their author has approved. They are in a separate file, so that a platform can
/// ask the file's owners for a review.
package struct Approvals: Sendable, Equatable {
  package static let fileName = "approvals.json"

  /// The values of a loss that an approval must match.
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

    fileprivate init?(_ entry: Entry) {
      guard let version = VersionNumber(entry.version) else { return nil }
      self.version = version
      element = entry.element
      rule = entry.rule
      answer = entry.answer ?? ""
    }

    fileprivate func isOfSameLoss(as other: Key) -> Bool {
      version == other.version && element == other.element && rule == other.rule
    }
  }

  /// One approved loss, as the file stores it. Git knows who approved it, and when.
  package struct Entry: Sendable, Equatable, Codable {
    fileprivate var version: String
    fileprivate var element: String
    fileprivate var rule: String
    fileprivate var answer: String?
    fileprivate var loses: String
    /// The measurements at the time of the approval, one for each store.
    fileprivate var measured: [String]?

    package init(_ loss: Loss, measured: [String] = []) {
      version = loss.version.description
      element = loss.element.description
      rule = loss.rule
      answer = loss.answer.isEmpty ? nil : loss.answer
      loses = loss.words
      self.measured = measured.isEmpty ? nil : measured
    }
  }

  private var entries: [Key: Entry] = [:]

  package init() {}

  package var count: Int { entries.count }

  package func covers(_ loss: Loss) -> Bool { entries[Key(loss)] != nil }

  func approvedAnswer(for loss: Loss) -> String? {
    let key = Key(loss)
    return entries.keys.filter { $0.isOfSameLoss(as: key) }.map(\.answer).min()
  }

  /// Adds an approval. It replaces any approval of the same loss, even one with another answer.
  package mutating func approve(_ loss: Loss, measured: [String]) {
    let approved = Key(loss)
    for key in entries.keys where key.isOfSameLoss(as: approved) { entries[key] = nil }
    entries[approved] = Entry(loss, measured: measured)
  }

  func union(_ other: Approvals) -> Approvals {
    var all = self
    all.entries.merge(other.entries) { own, _ in own }
    return all
  }

  // MARK: The file

  private struct Document: Codable {
    var format = 1
    var approvals: [Entry]
  }

  /// The file's text, sorted so that git merges it well.
  package var text: String {
    let sorted = entries.sorted {
      let (one, other) = ($0.key, $1.key)
      return (one.version, one.element, one.rule, one.answer)
        < (other.version, other.element, other.rule, other.answer)
    }
    return JSONText.encode(Document(approvals: sorted.map(\.value)))
  }

  /// Reads the file in a folder of manifests. The approvals are empty if there is no file.
  package static func read(
    in folder: String, _ fileSystem: some FileSystem
  ) -> (approvals: Approvals, diagnostics: [Diagnostic]) {
    let path = Path.join(folder, fileName)
    do throws(FileSystemError) {
      guard let bytes = try fileSystem.read(path, limit: SchemaFolder.readLimit) else {
        return (Approvals(), [])
      }
      guard let document = try? JSONDecoder().decode(Document.self, from: Data(bytes)),
        document.format == 1
      else { return (Approvals(), [broken("this is not an approvals file of format 1", path)]) }
      var approvals = Approvals()
      for entry in document.approvals {
        guard let key = Key(entry) else {
          return (Approvals(), [broken("'\(entry.version)' is not a version number", path)])
        }
        approvals.entries[key] = entry
      }
      return (approvals, [])
    } catch {
      return (
        Approvals(),
        [Diagnostic(.unreadable, "'\(error.path)' cannot be read: \(error.reason)", at: nil)]
      )
    }
  }

  private static func broken(_ message: String, _ path: String) -> Diagnostic {
    Diagnostic(
      .brokenApprovals, message, at: SourceLocation(file: path),
      help: ["restore the approvals from git, and change them only with 'schemagen approve'"])
  }
}
