internal import SchemaModel

/// Creates values from the nodes of one file, and continues after mistakes.
struct NodeInterpreter {
  var findings: Findings
  /// The element being read, as findings name it: `UserProfileModel.name`.
  var element: ElementPath?
  var references = References()
  /// Whether this version has shipped. Everything that the framework tolerates is then allowed.
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
  /// A use of a type that is not one of Swift's own.
  struct TypeUse {
    var type: TypeReference
    var source: SourceText
    var element: ElementPath?
    /// Whether a stored property has the type. The author may then mean a relationship.
    var isAttribute: Bool
    /// Whether the value is not stored. The type may then be a model.
    var isTransient: Bool
  }

  /// A use of a model's property, such as in a constraint or an index.
  struct PropertyUse {
    var model: String
    var name: Located<String>
  }

  var types: [TypeUse] = []
  var properties: [PropertyUse] = []
  /// Names that were written but could not be read. A reference to one of these is not reported as unknown.
  var unread: Set<String> = []
}
