internal import SchemaEvolution
internal import SchemaLint
internal import SchemaModel
internal import SchemaWorkspace
internal import SwiftSyntax

// What follows from neighbours: renames, drops, identities.
extension AdoptionRun {
  /// Turns original names into renames, as far as the version before has the property.
  mutating func connectSteps() {
    let written = history
    for position in history.indices.dropFirst() {
      let before = Dictionary(written[position - 1].models.map { ($0.name, $0) }) { $1 }
      let connected = history[position - 1]
      for place in history[position].models.indices {
        let name = history[position].models[place].name
        guard let old = before[name], let known = connected.model(named: name) else { continue }
        for index in history[position].models[place].properties.indices {
          Self.connect(&history[position].models[place].properties[index], old, known)
          forgetBridge(&history[position].models[place].properties[index], position, name)
        }
      }
    }
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

  /// - Parameters:
  ///   - old: The model of the version before, as it is written.
  ///   - known: The same, connected: its original names are those from before the first version.
  static func connect(_ property: inout Property, _ old: Model, _ known: Model) {
    let original = property.originalName
    if let same = old.property(named: property.name) {
      // Said once more, as SwiftData wants it; a manifest says it once, and does not forget it.
      if original == nil || (same.originalName ?? same.name) == original {
        property.originalName = known.property(named: property.name)?.originalName
      }
      return
    }
    guard let original else { return }
    let source =
      old.properties.first { $0.name == original }
      ?? old.properties.first { $0.originalName == original }
    guard let source else { return }
    property.migration.renamedFrom = Located(source.name, at: property.location)
    property.originalName = known.property(named: source.name)?.originalName
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
    for to in history.indices.dropFirst() {
      let step = step(to: to)
      for change in step.changes
      where change.classification.needsAcknowledgement && change.acknowledgement == nil {
        history[to].drops.append(
          Drop(element: Located(change.element), reason: Acknowledgement.unconfirmedText))
        comments[history[to].number, default: [:]][change.element] = step.questions(
          about: change.element)
      }
      history[to].drops.sort { $0.element.value < $1.element.value }
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
        guard position < evolution.positions.count else { continue }
        let physical = evolution.chain[evolution.positions[position]].schema
        if physical.models[place].properties[index].hashModifier == modifier { history = stripped }
      }
    }
  }
}
