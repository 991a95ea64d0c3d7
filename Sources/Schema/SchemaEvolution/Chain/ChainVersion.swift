package import SchemaModel

/// A version as stores know it: the version of a manifest, or a bridge between two versions.
package struct ChainVersion: Sendable {
  package enum Role: Hashable, Sendable {
    case version
    /// One of the one or two bridges between two versions; `number` starts at 1.
    case bridge(from: VersionNumber, to: VersionNumber, number: Int)
  }

  package var role: Role
  /// The Swift enum's name: `SchemaV9`, `SchemaV8ToV9`.
  package var name: String
  package var identifier: VersionNumber
  /// The models with original names and hash modifiers resolved.
  package var schema: SchemaVersion
  /// Former names of renamed properties: model → name → former name.
  var renames: [String: [String: String]] = [:]
  /// Models and properties that share a name with unrelated older ones.
  var breaks: Set<ElementPath> = []

  package var isBridge: Bool {
    role != .version
  }
}
