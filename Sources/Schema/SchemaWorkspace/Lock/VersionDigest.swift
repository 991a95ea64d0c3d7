internal import ManagedModels
package import SchemaModel

/// SHA-256s of what a manifest said of a version, as a lock keeps them, in lower-case hex. Documentation, summaries,
/// reasons and comments are in neither.
package struct VersionDigest: Sendable, Equatable {
  /// Of what the version's types look like.
  package let structure: String
  /// Of what the step to it does.
  package let step: String

  package init(structure: String, step: String) {
    self.structure = structure
    self.step = step
  }

  package init(_ version: SchemaVersion) {
    let text = SchemaText(version)
    structure = SHA256.hash(text.structure).hexadecimal
    step = SHA256.hash(text.step).hexadecimal
  }

  /// What of a version may have been edited.
  package enum Part: Sendable {
    /// What stores and generated types look like: what has shipped can never be another.
    case structure
    /// What happens to rows on the way to the version: it can be corrected.
    case step
  }

  /// What is no longer as it was; nil where all is.
  package func edit(to version: SchemaVersion) -> Part? {
    let now = Self(version)
    return structure != now.structure ? .structure : step != now.step ? .step : nil
  }
}
