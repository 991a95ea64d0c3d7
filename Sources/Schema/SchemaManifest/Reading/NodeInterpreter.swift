internal import SchemaModel

/// Makes values of one file's nodes, and continues after every mistake.
///
/// Its extensions each read one part of the format.
struct NodeInterpreter {
  var findings: Findings
  /// What is being read, as findings name it: `UserProfileModel.name`.
  var element: ElementPath?
  /// Names that refer to other places, for the resolver.
  var references = References()
  /// Whether an app has shipped this version, so that what the framework tolerates is allowed.
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

  /// Reads a part of the file under its name.
  mutating func reading<Result>(
    _ name: String, _ body: (inout NodeInterpreter) -> Result
  ) -> Result {
    let outer = element
    element = outer.map { $0.appending(name) } ?? ElementPath(parsing: name)
    defer { element = outer }
    return body(&self)
  }
}

/// Names in a manifest that must lead somewhere, with all that a finding about them needs.
struct References {
  /// A type with a name that is not Swift's own.
  struct TypeUse {
    var type: TypeReference
    var source: SourceText
    var element: ElementPath?
    /// Whether the type is a stored property's, which could have been a relationship.
    var isAttribute: Bool
    /// Whether no store holds the value, so that it may be a model.
    var isTransient: Bool
  }

  /// A property of a model, in a constraint or an index.
  struct PropertyUse {
    var model: String
    var name: Located<String>
  }

  var types: [TypeUse] = []
  var properties: [PropertyUse] = []
  /// What was written but could not be read, so that it is not also reported as missing.
  var unread: Set<String> = []
}
