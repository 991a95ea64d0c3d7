/// A kind of finding: its id, how grave it is, and what it rests on.
package struct Rule: Sendable {
  /// Lower case words with hyphens; never changes once it is published.
  package var id: String
  package var severity: Diagnostic.Severity
  /// What it finds, in one sentence.
  package var title: String
  package var basis: Basis
  /// Whether `accept:` with a reason may silence it. What would make wrong code cannot be accepted.
  package var isAcceptable: Bool

  package init(
    _ id: String, _ severity: Diagnostic.Severity, _ title: String, basis: Basis,
    isAcceptable: Bool = false
  ) {
    self.id = id
    self.severity = severity
    self.title = title
    self.basis = basis
    self.isAcceptable = isAcceptable
  }

  /// A rule whose findings are errors.
  package init(_ id: String, _ title: String, basis: Basis, isAcceptable: Bool = false) {
    self.init(id, .error, title, basis: basis, isAcceptable: isAcceptable)
  }
}

extension Rule: Hashable {
  package static func == (lhs: Rule, rhs: Rule) -> Bool { lhs.id == rhs.id }
  package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// What a rule or a row of the classification table rests on.
package struct Basis: Hashable, Sendable {
  /// How sure it is.
  package enum Mark: String, Hashable, Sendable, CaseIterable {
    /// Apple's interface, header or documentation, or compiled.
    case certain
    /// Disassembly, or two independent projects.
    case likely
    case unverified
  }

  /// The document and the place in it: `swiftdata.md §4`, `seed 1, pitfall 6`.
  package var source: String
  package var mark: Mark

  package init(_ source: String, _ mark: Mark = .certain) {
    self.source = source
    self.mark = mark
  }

  /// A fact about SwiftData: a section of swiftdata.md.
  package static func swiftData(_ section: String, _ mark: Mark) -> Basis {
    Basis("swiftdata.md §\(section)", mark)
  }

  /// A sentence of one of the five seeds.
  package static func seed(_ number: Int, _ place: String) -> Basis {
    Basis("seed \(number), \(place)", .certain)
  }

  /// A rule of the manifest format itself.
  package static let manifest = Basis("the manifest's format", .certain)
}
