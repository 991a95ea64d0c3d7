internal import ManagedModels
package import SchemaModel

/// SHA-256 digests of a version's manifest for the lock, in lower-case hex. Documentation, summaries, reasons and
/// comments do not change the digests.
package struct VersionDigest: Sendable, Equatable {
  package let structure: String
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

  /// The part of a version that may have been edited.
  package enum Part: Sendable {
    /// The shape of stores and generated types, which can never change once shipped.
    case structure
    /// The step's effects on rows, which can be corrected.
    case step
  }

  package func edit(to version: SchemaVersion) -> Part? {
    let now = Self(version)
    return structure != now.structure ? .structure : step != now.step ? .step : nil
  }
}
