package import SchemaModel

extension Rule {
  package static let releaseWithoutVersion = Rule(
    "release-without-version", "Each release's models are a version of the plan",
    basis: .fact(.migration, "unknown-version-is-134504", .certain))
}

/// A comparison of what an app's releases stored with the versions of a folder, made by the executable that reads
/// Swift.
package struct ReleaseHistory: Codable, Sendable {
  package struct Request: Codable, Sendable {
    package var path: String
    /// The only tag to check; nil for all that look like releases.
    package var tag: String?

    package init(path: String, tag: String? = nil) {
      self.path = path
      self.tag = tag
    }
  }

  /// Models that releases stored and no version has.
  package struct Missing: Codable, Sendable {
    /// The releases in words: `1.3.0 (2026-03-01)`.
    package var releases: String
    /// A name of the last release's commit: its tag, or the beginning of its hash.
    package var tag: String
    /// The path of the version's manifest, which does not exist yet, and the manifest's contents.
    package var file: String
    package var text: String
    /// The new version's name: `V0.1`.
    package var version: String
    /// The most similar version: `V1`.
    package var nearest: String
    package var change: String
    /// Whether the releases are on another branch, which has every version of this branch and more.
    package var isLater = false

    package init(
      releases: String, tag: String, file: String, text: String, version: String, nearest: String,
      change: String
    ) {
      self.releases = releases
      self.tag = tag
      self.file = file
      self.text = text
      self.version = version
      self.nearest = nearest
      self.change = change
    }
  }

  package var missing: [Missing] = []
  /// The releases of each version in words, by its name.
  package var releases: [String: String] = [:]
  /// Releases whose models no version can have, with the reason.
  package var lost: [String] = []
  /// Releases whose stored models are undecided, with the reason.
  package var unclear: [String] = []
  package var gaps: [Gap] = []

  package struct Gap: Codable, Sendable {
    package var reason: String
    package var help: [String]

    package init(_ reason: String, help: [String]) {
      self.reason = reason
      self.help = help
    }
  }

  package init() {}

  package var isEmpty: Bool {
    missing.isEmpty && releases.isEmpty && lost.isEmpty && unclear.isEmpty && gaps.isEmpty
  }

  private static let givingUp =
    "to give up the stores of older releases, name the oldest one to support in schemagen.yaml: oldestRelease: TAG"

  /// Errors about releases whose stores no version opens, and notes about undecided ones.
  package func findings(in folder: SchemaFolder) -> [Diagnostic] {
    missing.map { missing in
      let nearest = folder.versions.first { $0.number.name == missing.nearest }
      if missing.isLater {
        return Diagnostic(
          .releaseWithoutVersion,
          "\(missing.releases) shipped from another branch, with all versions of this branch and one more",
          element: missing.nearest,
          at: nearest?.location ?? SourceLocation(file: missing.file),
          help: [
            "merge that branch before you release from here: git merge \(ShellWord.quoted(missing.tag))",
            "if that branch was abandoned: schemagen release --from-tag \(ShellWord.quoted(missing.tag))\(ShellWord.schemas(folder.path))",
          ], severity: .warning)
      }
      return Diagnostic(
        .releaseWithoutVersion,
        "\(missing.releases) stored models that no version has: its stores do not open (error 134504)",
        element: missing.nearest,
        at: nearest?.location ?? SourceLocation(file: missing.file),
        help: [
          "from \(missing.tag) to \(missing.nearest): \(missing.change)",
          "run: schemagen release --from-tag \(ShellWord.quoted(missing.tag))\(ShellWord.schemas(folder.path)), which writes \(missing.file) from that tag's classes",
          Self.givingUp,
        ])
    }
      + lost.map { Diagnostic(.releaseWithoutVersion, $0, at: nil, help: [Self.givingUp]) }
      + gaps.map { gap in
        Diagnostic(
          .releaseWithoutVersion, "not every release was checked: \(gap.reason)", at: nil,
          help: gap.help, severity: .note)
      }
      + unclear.map { unclear in
        Diagnostic(
          .releaseWithoutVersion,
          "schemagen cannot tell whether a version has what a release stored: \(unclear)",
          at: nil,
          help: ["'schemagen doctor STORE' compares a store of that release with the versions"],
          severity: .note)
      }
  }
}
