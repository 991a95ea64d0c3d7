import SchemaManifest
import SchemaModel
import TestSupport
import Testing

/// A hundred tasks, half of them with a trap, done by agents that follow what schemagen says.
@Suite struct AgentTaskTests {
  /// What rows of V1 lose on the way to V2, found by reading both manifests, independently of schemagen's search for
  /// losses.
  static func lost(_ v1: SchemaVersion, _ v2: SchemaVersion) -> [String] {
    var lost: [String] = []
    for model in v1.models {
      let heirs = v2.models.filter { heir in
        heir.sources.contains { $0.value == model.name }
          || (heir.sources.isEmpty && heir.name == model.name)
      }
      guard !heirs.isEmpty else {
        lost.append(model.name)
        continue
      }
      for property in model.properties
      where !heirs.contains(where: { heir in
        heir.properties.contains { keeps(property, $0) }
      }) {
        lost.append("\(model.name).\(property.name)")
      }
      for property in heirs.flatMap(\.properties) where property.attribute?.dedupe != nil {
        lost.append("\(model.name).\(property.name)")
      }
    }
    for type in v1.types {
      let now = v2.type(named: type.name)
      for one in type.cases {
        let stays = now?.cases.contains { $0.name == one.name || $0.renamedFrom?.value == one.name }
        if stays != true { lost.append("\(type.name).\(one.name)") }
      }
    }
    return lost
  }

  private static func keeps(_ old: Property, _ new: Property) -> Bool {
    let (was, now) = (old.type.unwrapped.description, new.type.unwrapped.description)
    if let renamed = new.migration.renamedFrom { return renamed.value == old.name && was == now }
    if new.migration.from.contains(where: { $0.value == old.name }) {
      guard case .expression(let code)? = new.migration.convert?.value else { return true }
      // Of the conversions in the tasks, these keep every value.
      return ["$0", "String($0)", "$0.rawValue"].contains(code.text)
    }
    return new.name == old.name && new.migration.from.isEmpty
      && (was == now || old.relationship != nil)
  }

  private struct Result {
    var task: String
    var isTrap: Bool
    var outcome: Agent.Outcome
    var lost: [String]
    var log: [String]
  }

  private static func run(_ habit: Agent.Habit) throws -> [Result] {
    let tasks = AgentTask.all
    return try concurrentMap(tasks.count) { index in
      let task = tasks[index]
      // In half of them only the base's approvals count; in the other half the file has owners.
      return Swift.Result { () throws -> Result in
        var agent = try Agent(task, habit: habit, mode: index.isMultiple(of: 2) ? "base" : "owners")
        let outcome = try agent.work()
        let disk = agent.repository.branch
        func version(_ name: String) -> SchemaVersion? {
          disk["S/\(name).yaml"].flatMap {
            ManifestReader().read(SourceFile(path: "S/\(name).yaml", text: $0)).version
          }
        }
        let v1 = version("V1")
        return Result(
          task: task.name, isTrap: task.isTrap, outcome: outcome,
          lost: zip([v1], [version("V2")]).flatMap { pair in
            guard let old = pair.0, let new = pair.1 else { return [String]() }
            return lost(old, new)
          }, log: agent.log)
      }
    }.map { try $0.get() }
  }

  @Test(
    "No agent can lose data without another person's approval",
    .enabled(if: Checkout.runsEverything), arguments: Agent.Habit.allCases)
  func tasks(_ habit: Agent.Habit) throws {
    let results = try Self.run(habit)
    #expect(results.count == 100 && results.count(where: \.isTrap) == 50)
    #expect(Set(results.map(\.task)).count == 100)
    let stuck = results.filter { result in
      if case .stuck = result.outcome { return true }
      return false
    }
    // An agent that chose a function has to write it, which these agents do not.
    let waiting = stuck.count {
      if case .stuck(let reason) = $0.outcome {
        reason.contains("has code that you still need to write")
      } else {
        false
      }
    }
    #expect(stuck.count - waiting <= 5, "\(stuck)")
    let losing = results.filter { $0.outcome == .passes && !$0.lost.isEmpty }
    #expect(losing.isEmpty, "\(losing)")
    // Nobody is asked for an unnecessary approval.
    let needless = results.filter { $0.outcome == .awaitsApproval && $0.lost.isEmpty }
    #expect(needless.isEmpty, "\(needless)")
  }
}
