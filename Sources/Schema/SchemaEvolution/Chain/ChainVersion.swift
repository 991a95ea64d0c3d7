package import SchemaModel

/// A version as stores know it: the version of a manifest, or a bridge between two versions.
package struct ChainVersion: Sendable {
  package enum Role: Hashable, Sendable {
    case version
    case bridge(from: VersionNumber, to: VersionNumber, number: Int)
  }

  package var role: Role
  /// The name of the Swift enum: `SchemaV9`, `SchemaV8ToV9`.
  package var name: String
  package var identifier: VersionNumber
  package var schema: SchemaVersion
  var renames: [String: [String: String]] = [:]
  /// Models and properties that have the name of an unrelated older model or property.
  var breaks: Set<ElementPath> = []

  package var isBridge: Bool {
    role != .version
  }
}
