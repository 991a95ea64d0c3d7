internal import SchemaModel

/// A name that a generated file declares in the app's module.
struct Declaration {
  /// The order in which a finding names two declarations of the same name.
  enum Order: Int {
    case own, schema, plan, step, versionAlias, activeAlias, domain
  }

  var name: String
  /// The declaration as findings name it: `the migration plan`.
  var what: String
  var order: Order
  var location: SourceLocation?

  init(_ name: String, _ what: String, _ order: Order, at location: SourceLocation?) {
    self.name = name
    self.what = what
    self.order = order
    self.location = location
  }

  /// A declaration that exists in every app, whatever its manifests contain.
  static func own(_ name: String, _ input: RenderingInput) -> Declaration {
    Declaration(name, "schemagen's own \(name)", .own, at: input.newest.location)
  }
}
