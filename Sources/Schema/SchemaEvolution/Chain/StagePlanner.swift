package import SchemaModel

/// Two versions in a run of lightweight stages, and an element that gets other values from one inference between the
/// versions than from the individual steps.
package struct SkipHazard: Sendable, Equatable {
  /// The two versions. Bridges count as versions here.
  package let from: VersionNumber
  package let to: VersionNumber
  package let stages: Range<Int>
  package let element: ElementPath
  /// The element's values after the individual steps, in words. `direct` describes the values after one inference.
  package let stepwise: String
  package let direct: String
}

extension SkipHazard: CustomStringConvertible {
  package var description: String {
    "\(from.name) → \(to.name), '\(element)': step by step \(stepwise), at once \(direct)"
  }
}

/// Decides which stages must be barriers, so users who skip a release get the same values as from the individual steps.
///
/// The framework infers a run of lightweight stages in one step, from the store's version to the last version of the
/// run (docs/facts/migration.md#lightweight-run-is-one-inference). An empty custom stage is a barrier stage. The
/// smallest set of barriers is chosen, each as late as possible.
struct StagePlanner {
  private let numbers: [VersionNumber]
  /// For each model the stored model in each version; `nil` in versions without the model.
  private var forms: [String: [StoredModel?]] = [:]
  private let isCustom: [Bool]

  private(set) var hazards: [SkipHazard] = []
  /// The indices of the versions from which a barrier stage leads to the next version.
  private(set) var barriers: [Int] = []

  init(chain: [ChainVersion], isCustom: [Bool]) {
    numbers = chain.map(\.identifier)
    self.isCustom = isCustom
    for (position, version) in chain.enumerated() {
      let storage = StorageTypes(version: version.schema)
      let before = position > 0 ? chain[position - 1].schema : nil
      let known = before?.types == version.schema.types ? before?.models ?? [] : []
      let models = Dictionary(known, keyedBy: \.name)
      for model in version.schema.models {
        let same = models[model.name] == model ? forms[model.name]?[position - 1] : nil
        forms[model.name, default: Array(repeating: nil, count: chain.count)][position] =
          same ?? StoredModel(model, storage)
      }
    }
    let runs = runs()
    hazards = forms.flatMap { name, forms in runs.flatMap { hazards(of: name, forms, in: $0) } }
      .sorted { ($0.to, $0.from, $0.element) < ($1.to, $1.from, $1.element) }
    barriers = findBarriers()
  }

  // MARK: Hazards

  /// The runs of two or more lightweight stages, as ranges of versions. A single stage has no hazard.
  private func runs() -> [ClosedRange<Int>] {
    var runs: [ClosedRange<Int>] = []
    var start = 0
    for position in numbers.indices where position == isCustom.count || isCustom[position] {
      if position - start >= 2 { runs.append(start...position) }
      start = position + 1
    }
    return runs
  }

  private func hazards(
    of name: String, _ forms: [StoredModel?], in run: ClosedRange<Int>
  ) -> [SkipHazard] {
    let changes = run.dropFirst().filter { forms[$0] != forms[$0 - 1] }
    guard changes.count >= 2 else { return [] }
    let segments = zip([run.lowerBound] + changes, changes + [run.upperBound + 1]).map { $0..<$1 }
    var found: [SkipHazard] = []
    for first in segments.indices {
      guard let origin = forms[segments[first].lowerBound] else { continue }
      var stepwise: [String: Provenance]? = Inference.identity(origin)
      var previous: StoredModel? = origin
      for last in segments.indices[(first + 1)...] {
        let form = forms[segments[last].lowerBound]
        if let form, let before = previous, let sofar = stepwise {
          stepwise = Inference.compose(sofar, Inference.provenances(from: before, to: form))
        } else {
          stepwise = nil
        }
        previous = form
        guard last > first + 1, let form else { continue }
        for difference in differences(name, from: origin, to: form, stepwise) {
          for from in segments[first] {
            for to in segments[last] {
              found.append(
                SkipHazard(
                  from: numbers[from], to: numbers[to], stages: from..<to,
                  element: difference.element, stepwise: difference.stepwise,
                  direct: difference.direct))
            }
          }
        }
      }
    }
    return found
  }

  private func differences(
    _ name: String, from old: StoredModel, to new: StoredModel, _ stepwise: [String: Provenance]?
  ) -> [(element: ElementPath, stepwise: String, direct: String)] {
    guard let stepwise else {
      return [(ElementPath(name), "the rows are dropped on the way", "the rows are kept")]
    }
    let direct = Inference.provenances(from: old, to: new)
    return new.properties.compactMap { property in
      let steps = stepwise[property.name] ?? .null
      let once = direct[property.name] ?? .null
      if steps == once { return nil }
      // A step that fails already has an error, and a single inference over all steps cannot do worse.
      if case .failure = steps { return nil }
      return (ElementPath(name, property.name), steps.description, once.description)
    }
  }

  // MARK: Barrier stages

  /// Every hazard needs a barrier stage between its two versions, because any two versions in a run must give the
  /// values that the steps give (docs/facts/migration.md#pairs-in-a-run). Taking hazards by their ends and placing each
  /// barrier as late as possible gives the smallest set, and later versions never move earlier barriers.
  private func findBarriers() -> [Int] {
    var barriers: [Int] = []
    for hazard in hazards where barriers.last ?? -1 < hazard.stages.lowerBound {
      barriers.append(hazard.stages.upperBound - 1)
    }
    return barriers
  }

  func reasons(forStopAt position: Int) -> [SkipHazard] {
    hazards.filter { $0.stages.contains(position) }
  }
}
