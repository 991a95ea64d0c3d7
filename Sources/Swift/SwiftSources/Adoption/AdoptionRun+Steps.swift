internal import SchemaEvolution
internal import SchemaLint
internal import SchemaModel
internal import SchemaWorkspace
internal import SwiftSyntax

// What follows from neighbours: renames, drops, identities.
extension AdoptionRun {
  /// Turns original names into renames, as far as the version before has the property.
  mutating func connectSteps() {
    // A copy, for the history is changed while bridges are looked up.
    var connected = history
    connected.connectRenames { forgetBridge(&$0, $1, $2) }
    history = connected
  }

  /// A name that only a bridge of ours had on the way is nobody's original one.
  func forgetBridge(_ property: inout Property, _ position: Int, _ model: String) {
    guard versions[position].type.isGenerated, let name = property.originalName else { return }
    let start = "bridge from \(numbers[position - 1].name) to \(numbers[position].name):"
    let isBridges = bridges.contains { bridge in
      guard bridge.type.documentation?.contains(start) ?? false else { return false }
      return index.members(of: bridge.type.path + [model]).contains { member in
        member.as(VariableDeclSyntax.self)?.bindings.contains {
          $0.pattern.trimmedDescription == name
        } ?? false
      }
    }
    if isBridges { property.originalName = nil }
  }

  /// What changes from the version before: that of two versions is known without all the others.
  func step(to position: Int) -> VersionStep {
    AnalysisPipeline(
      history: [history[position - 1], history[position]], configuration: configuration
    ).run().steps[0]
  }

  /// Finds out which types become copies in older versions: stages call them by those names.
  mutating func nameCopies() {
    let layouts = AnalysisPipeline(history: history, configuration: configuration).layouts
    guard !layouts.isEmpty else { return }
    for type in index.types where type.hasParts && type.path.count > 1 {
      let outer = type.path.dropLast().joined(separator: ".")
      guard let position = versions.firstIndex(where: { $0.name == merged[outer] ?? outer }) else {
        continue
      }
      copies[type.fullName] = layouts.name(of: valueTypes.name(of: type), at: position)
    }
  }

  /// Writes under `drops:` what each version takes away. That a plan did so does not say that it was meant: a person
  /// has to.
  mutating func noteDrops() {
    for (version, found) in history.noteDrops(configuration) {
      comments[version, default: [:]].merge(found) { $1 }
    }
    for (before, after) in zip(history.indices, history.indices.dropFirst())
    where !history[before].number.successors.contains(history[after].number) {
      history[after].acceptances.append(
        Acceptance(
          rule: Located("version-gap"), target: .element(Located(history[after].number.name)),
          reason: "the plan that was adopted has no version between"))
    }
  }

  /// Stores know a version by the identity that its own classes gave it.
  mutating func freeze() {
    var seen: [String: Int] = [:]
    let reader = IdentityReader(history)
    for position in history.indices {
      let identity = reader.identity(of: history[position]).certain
      let earlier = seen[identity]
      seen[identity] = earlier ?? position
      if versions[position].type.isGenerated {
        removeOwnModifiers(position)
      } else if let earlier {
        report(
          .mergedVersion,
          "the engine cannot tell '\(versions[position].name)' from '\(versions[earlier].name)': the later one gets a hash modifier",
          element: versions[position].name, at: versions[position].type.place,
          help: [
            "with both unchanged in a plan, the app crashes at launch",
            "a store of '\(versions[position].name)' counts as one of '\(versions[earlier].name)', and migrates from there",
          ])
      } else {
        history[position].identity = .shipped
      }
    }
  }

  /// Hash modifiers that the generator itself adds are not in manifests.
  mutating func removeOwnModifiers(_ position: Int) {
    let labels = Set(history.prefix(position + 1).map(\.number.name))
    for place in history[position].models.indices {
      for index in history[position].models[place].properties.indices {
        let property = history[position].models[place].properties[index]
        guard let modifier = property.hashModifier, labels.contains(modifier) else { continue }
        var stripped = history
        stripped[position].models[place].properties[index].hashModifier = nil
        let evolution = AnalysisPipeline(history: stripped, configuration: configuration).run()
        let physical = evolution.versions[position].stored.schema
        if physical.models[place].properties[index].hashModifier == modifier { history = stripped }
      }
    }
  }
}
