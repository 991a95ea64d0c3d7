package import Foundation
internal import ManagedModels

/// Which part of which rehearsal a report is of: what shards must have in common to be one report.
package struct ShardOrigin: Codable, Hashable, Sendable {
  package let shard: Shard
  /// schemagen's own version.
  package let tool: String
  /// Of the plan, the code and the options.
  package let history: String
  /// Of the names and sizes of the stores; nil where there are none.
  package let stores: String?

  /// - Parameters:
  ///   - plan: The undivided one, as JSON.
  ///   - kills: Whether there are kill tests.
  ///   - files: What is compiled.
  ///   - stores: All of them, by name.
  package init(
    _ shard: Shard, tool: String, plan: Data, kills: Bool, files: [ScratchPackage.File],
    stores: [(name: String, size: Int)]
  ) {
    self.shard = shard
    self.tool = tool
    var hash = SHA256()
    hash.update(Array(plan))
    hash.update(kills ? "kills" : "no kills")
    for file in files {
      hash.update("\n\(file.path)\n\(file.contents.count)\n")
      hash.update(file.contents)
    }
    history = hash.finalize().hexadecimal
    self.stores =
      stores.isEmpty
      ? nil : SHA256.hash(stores.map { "\($0.name)\n\($0.size)\n" }.joined()).hexadecimal
  }
}
