internal import SchemaModel

/// Creates values from the nodes of one file, and continues after mistakes.
///
/// Each extension reads one part of the format.
struct NodeInterpreter {
  var findings: Findings
  /// The element being read, as findings name it: `UserProfileModel.name`.
  var element: ElementPath?
  /// Names that refer to other places, to be resolved later.
  var references = References()
  /// Whether this version has shipped, so that everything the framework tolerates is allowed.
  var isShipped = false

  init(_ diagnostics: [SchemaModel.Diagnostic]) { findings = Findings(diagnostics) }

  mutating func report(
    _ rule: Rule, _ message: String, at location: SourceLocation?,
    related: [Diagnostic.Related] = [], help: [String] = [], correction: Correction? = nil,
    severity: Diagnostic.Severity? = nil
  ) {
    findings.report(
      rule, message, element: element, at: location, related: related, help: help,
      correction: correction, severity: severity)
  }

  /// Reads a part of the file while `element` is set to it.
  mutating func reading<Result>(
    _ name: String, _ body: (inout NodeInterpreter) -> Result
  ) -> Result {
    let outer = element
    element = outer.map { $0.appending(name) } ?? ElementPath(parsing: name)
    defer { element = outer }
    return body(&self)
  }
}

/// Names in a manifest that must be resolved, with everything that a finding about them needs.
struct References {
  /// A use of a type whose name is not Swift's own.
  struct TypeUse {
    var type: TypeReference
    var source: SourceText
    var element: ElementPath?
    /// Whether it is the type of a stored property, which could be meant as a relationship.
    var isAttribute: Bool
    /// Whether the value is not stored, so that the type may be a model.
    var isTransient: Bool
  }

  /// A property of a model that is used in a constraint or an index.
  struct PropertyUse {
    var model: String
    var name: Located<String>
  }

  var types: [TypeUse] = []
  var properties: [PropertyUse] = []
  /// Names that were written but could not be read, so that they are not also reported as missing.
  var unread: Set<String> = []
}
