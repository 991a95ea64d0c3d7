internal import ManagedModels
package import SchemaModel

/// What a manifest said of a version, as a lock keeps it, in lower-case hex.
package enum VersionDigest: Sendable, Equatable {
  /// Of what the version's types look like, and of what the step to it does. Documentation, summaries, reasons and
  /// comments are in neither.
  case parts(structure: String, step: String)
  /// Of all of it, texts as well: in locks of formats 1 and 2.
  case whole(String)

  package init(_ version: SchemaVersion) {
    let text = SchemaText(version)
    self = .parts(
      structure: SHA256.hash(text.structure).hexadecimal, step: SHA256.hash(text.step).hexadecimal)
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
    switch (self, Self(version)) {
    case (.parts(let structure, let step), .parts(let newStructure, let newStep)):
      structure != newStructure ? .structure : step != newStep ? .step : nil
    case (.whole(let digest), _): digest == SchemaLock.digest(version) ? nil : .structure
    case (.parts, .whole): nil
    }
  }

  /// The lines of a lock's entry, and what its sum covers.
  var lines: [(key: String, value: String)] {
    switch self {
    case .parts(let structure, let step): [("structure", structure), ("step", step)]
    case .whole(let digest): [("digest", digest)]
    }
  }
}
