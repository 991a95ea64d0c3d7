package import SchemaModel

/// A version as stores know it: a manifest's, or a bridge between two.
package struct ChainVersion: Sendable {
  package enum Role: Hashable, Sendable {
    /// A version of the history.
    case version
    /// The bridge of that number, from 1, on the way between two; a way has one or two.
    case bridge(from: VersionNumber, to: VersionNumber, number: Int)
  }

  package var role: Role
  /// The Swift enum's name: `SchemaV9`, `SchemaV8ToV9`.
  package var name: String
  package var identifier: VersionNumber
  /// The models with everything resolved that the framework looks at: original names and hash modifiers.
  package var schema: SchemaVersion
  /// Older names of properties that go on under another name: model → name → older name.
  var renames: [String: [String: String]] = [:]
  /// Models and properties that share a name with older ones and have nothing else to do with them.
  var breaks: Set<ElementPath> = []

  package var isBridge: Bool {
    role != .version
  }
}
