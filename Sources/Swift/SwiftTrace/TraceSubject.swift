package import Foundation
internal import ManagedModels
internal import SchemaEvolution
package import SchemaGit
internal import SchemaModel
package import StoreFormat
internal import StoreTools

/// The hashes of a store's entities, by which a history is searched.
package struct TraceSubject: Sendable {
  package let hashes: [String: Data]
  private let model: ManagedModel?

  /// `nil` for a store that has neither hashes nor a model, because tables alone prove nothing.
  package init?(_ facts: StoreFacts) {
    model = facts.model
    // A portable store always has its whole model. It lacks hashes if one of them is uncertain.
    hashes = facts.hashes.isEmpty ? facts.model?.versionHashes.entities ?? [:] : facts.hashes
    if hashes.isEmpty { return nil }
  }

  package var names: Set<String> { Set(hashes.keys) }

  package func judge(_ version: CommitVersion) -> TraceJudgement {
    let made = version.hashes.entities
    var judgement = TraceJudgement(version)
    let foreign = Set(made.keys).union(hashes.keys).filter { made[$0] != hashes[$0] }
    if foreign.isEmpty {
      judgement.kind = version.doubts.isEmpty ? .same : .unclear
      judgement.reasons = version.doubts.map(\.reason)
      return judgement
    }
    guard foreign.allSatisfy({ made[$0] != nil && hashes[$0] != nil }) else { return judgement }
    let read = version.model
    // A different hash proves nothing if the hash is uncertain.
    let doubts = read.model.hashDoubts
    // A different hash proves nothing either if the model may have been misread.
    func isMisread(_ name: String) -> Bool {
      version.doubts.contains { $0.models?.contains(name) ?? true }
    }
    guard foreign.allSatisfy({ doubts[$0] != nil || isMisread($0) }) else { return judgement }
    if let proven = version.proven,
      proven == hashes.mapValues({ $0.base64EncodedString() }), version.doubts.isEmpty
    {
      judgement.kind = .same
      return judgement
    }
    if let model, !foreign.contains(where: isMisread) {
      let comparison = StoreFormat.ModelComparison(model, read)
      guard comparison.isSame else { return judgement }
    }
    judgement.kind = .unclear
    judgement.reasons =
      version.doubts.map(\.reason) + Set(foreign.flatMap { doubts[$0] ?? [] }.map(\.text)).sorted()
    return judgement
  }
}

/// How one version of a commit matches a store.
package struct TraceJudgement: Sendable {
  package enum Kind: String, Sendable {
    case same
    /// The hashes may be equal, but not all of them are known.
    case unclear
    case other
  }

  package var kind = Kind.other
  package var name: String
  package var role: CommitVersion.Role
  package var isReleased: Bool
  package var reasons: [String] = []

  fileprivate init(_ version: CommitVersion) {
    name = version.name
    role = version.role
    isReleased = version.isReleased
  }
}
