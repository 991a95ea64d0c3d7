/// Something that the user should know, with its location, its reason and what to do about it.
package struct Diagnostic: Hashable, Sendable {
  package enum Severity: String, Hashable, Sendable, CaseIterable, Comparable, Encodable {
    case note, warning, error

    package static func < (lhs: Severity, rhs: Severity) -> Bool {
      allCases.firstIndex(of: lhs)! < allCases.firstIndex(of: rhs)!
    }
  }

  package var severity: Severity
  package var rule: Rule
  /// One sentence without a full stop.
  package var message: String
  package var subject: Subject?
  package var location: SourceLocation?
  package var related: [Related]
  /// What to do about it: each entry is a sentence or an exact edit.
  package var help: [String]
  /// The change that the help describes, for `--fix`; `nil` if a person has to decide.
  package var correction: Correction?

  package enum Subject: Hashable, Sendable {
    /// An element of a version: `UserProfileModel.homeTimezone`, `DisplayTimezoneMode.custom`.
    case element(ElementPath)
    /// Anything else that has a name: a version, a stage, a class, a folder.
    case name(String)
  }

  package struct Related: Hashable, Sendable, Encodable {
    package var message: String
    package var location: SourceLocation

    package init(_ message: String, at location: SourceLocation) {
      self.message = message
      self.location = location
    }
  }

  package init(
    _ rule: Rule, _ message: String, element: ElementPath?, at location: SourceLocation?,
    related: [Related] = [], help: [String] = [], correction: Correction? = nil,
    severity: Severity? = nil
  ) {
    self.init(
      rule, message, about: element.map(Subject.element), at: location, related: related,
      help: help, correction: correction, severity: severity)
  }

  package init(
    _ rule: Rule, _ message: String, element name: String? = nil, at location: SourceLocation?,
    related: [Related] = [], help: [String] = [], correction: Correction? = nil,
    severity: Severity? = nil
  ) {
    self.init(
      rule, message, about: name.map(Subject.name), at: location, related: related, help: help,
      correction: correction, severity: severity)
  }

  private init(
    _ rule: Rule, _ message: String, about subject: Subject?, at location: SourceLocation?,
    related: [Related], help: [String], correction: Correction?, severity: Severity?
  ) {
    self.severity = severity ?? rule.severity
    self.rule = rule
    self.message = message
    self.subject = subject
    self.location = location
    self.related = related
    self.help = help
    self.correction = correction
  }
}

extension Diagnostic {
  package var element: String? {
    switch subject {
    case .element(let path): path.description
    case .name(let name): name
    case nil: nil
    }
  }

  package var path: ElementPath? {
    if case .element(let path) = subject { return path }
    return nil
  }

  /// Identifies the finding in a baseline: the rule's id, a space, and the element. If there is no element, the file's
  /// name takes its place. If there is no location either, the key is the id alone.
  ///
  /// The key does not change if lines move, the message is reworded or the folder is renamed. Several findings may have
  /// the same key.
  package var key: String {
    let subject = element ?? location?.file.split(separator: "/").last.map(String.init)
    return subject.map { "\(rule.id) \($0)" } ?? rule.id
  }
}

extension Diagnostic: Encodable {
  package func encode(to encoder: any Encoder) throws {
    try JSONObject([
      "rule": rule.id, "severity": severity, "message": message, "element": element,
      "location": location, "related": related, "help": help,
    ]).encode(to: encoder)
  }
}

extension Diagnostic: Comparable {
  package static func < (lhs: Diagnostic, rhs: Diagnostic) -> Bool {
    let nowhere = SourceLocation(file: "", line: 0, column: 0)
    let left = lhs.location ?? nowhere
    let right = rhs.location ?? nowhere
    if left != right { return left < right }
    return (lhs.rule.id, lhs.message, lhs.element ?? "", lhs.severity)
      < (rhs.rule.id, rhs.message, rhs.element ?? "", rhs.severity)
  }
}

extension [Diagnostic] {
  package var hasErrors: Bool { contains { $0.severity == .error } }

  package var reportOrder: [Diagnostic] {
    var seen: Set<Diagnostic> = []
    return sorted().filter { seen.insert($0).inserted }
  }
}
