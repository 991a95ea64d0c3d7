package import SchemaModel

/// A version as stores know it: a manifest's, or a bridge between two.
package struct ChainVersion: Sendable {
  package enum Role: Hashable, Sendable {
    /// The version of that index in the history.
    case version(Int)
    /// The bridge on the way to the version of that index; a way has one or two.
    case bridge(to: Int, step: Int)
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

  /// The same in a history without so many of the first versions.
  func shifted(by count: Int) -> ChainVersion {
    var version = self
    switch role {
    case .version(let index): version.role = .version(index - count)
    case .bridge(let index, let step): version.role = .bridge(to: index - count, step: step)
    }
    return version
  }

  package var isBridge: Bool {
    if case .bridge = role { return true }
    return false
  }
}
