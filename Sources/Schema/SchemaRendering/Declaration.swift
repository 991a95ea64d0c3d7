internal import SchemaModel

/// A name that a generated file declares in the app's module.
struct Declaration {
  /// Of two declarations of one name, a finding names the one of the earlier order first.
  enum Order: Int {
    case own, schema, plan, step, versionAlias, activeAlias, domain
  }

  var name: String
  /// As a finding calls it: `the migration plan`.
  var what: String
  var order: Order
  var location: SourceLocation?

  init(_ name: String, _ what: String, _ order: Order, at location: SourceLocation?) {
    self.name = name
    self.what = what
    self.order = order
    self.location = location
  }

  /// What every app has, whatever its manifests say.
  static func own(_ name: String, _ input: RenderingInput) -> Declaration {
    Declaration(name, "schemagen's own \(name)", .own, at: input.newest.location)
  }
}
