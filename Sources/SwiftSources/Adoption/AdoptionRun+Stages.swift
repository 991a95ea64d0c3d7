internal import SchemaEvolution
internal import SchemaLint
internal import SchemaModel
internal import SchemaWorkspace
internal import SwiftSyntax

// The author's stages: their code, and their kinds beside ours.
extension AdoptionRun {
  mutating func adoptStages() {
    guard let plan, history.count > 1 else { return }
    if plan.type.isGenerated {
      for index in history.indices.dropFirst() {
        let name = VersionStep.name(from: numbers[index - 1], to: numbers[index])
        history[index].hooks = plan.hooks(callingInto: name)
      }
      return
    }
    let byName = Dictionary(
      zip(versions.map(\.name), versions.indices).map { ($0, $1) }
    ) { first, _ in first }
    var stages: [Int: WrittenStage] = [:]
    for stage in plan.stages {
      guard let from = byName[merged[stage.from] ?? stage.from],
        let to = byName[merged[stage.to] ?? stage.to], from != to
      else { continue }
      if to == from + 1 {
        stages[from] = stage
        adoptCode(stage, from, to)
      } else {
        report(
          .stageDiffers,
          "this stage leads from '\(stage.from)' to '\(stage.to)', which do not follow each other",
          element: stage.to, at: stage.place, help: ["one stage for each pair of neighbours"])
      }
    }
    for to in history.indices.dropFirst() { compare(stages[to - 1], to, plan) }
  }

  mutating func adoptCode(_ stage: WrittenStage, _ from: Int, _ to: Int) {
    guard stage.willMigrate != nil || stage.didMigrate != nil else { return }
    history[to].hooks = Hooks(before: stage.willMigrate != nil, after: stage.didMigrate != nil)
    code.append(
      Adoption.AdoptedCode(
        from: numbers[from], to: numbers[to],
        before: qualified(stage.willMigrate?.lines ?? [], in: from),
        beforeContext: stage.willMigrate?.context ?? "context",
        after: qualified(stage.didMigrate?.lines ?? [], in: to),
        afterContext: stage.didMigrate?.context ?? "context"))
    report(
      .adoptedCode,
      "the code of the stage to '\(stage.to)' is in the user file of the step, word for word",
      element: stage.to, at: stage.place,
      help: [
        "declarations that it uses must be moved too",
        "work of 'didMigrate' is lost if the app is killed before it runs",
      ])
  }

  /// Code in which models bear the name of a version: those that stood at the top level go into it.
  func qualified(_ lines: [String], in position: Int) -> [String] {
    let names = Set(classes[position].filter { $0.path.count == 1 }.map(\.name))
    guard !names.isEmpty, !lines.isEmpty else { return lines }
    let text = lines.joined(separator: "\n")
    let references = NameReferences.find(
      names, in: SwiftSource(SourceFile(path: "", text: text)).syntax)
    var bytes = Array(text.utf8)
    let prefix = Array((configuration.names.schema(numbers[position]) + ".").utf8)
    for offset in references.map(\.range.lowerBound).sorted(by: >) {
      bytes.insert(contentsOf: prefix, at: offset)
    }
    return String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Holds the author's kind of stage against what the changes need.
  mutating func compare(_ stage: WrittenStage?, _ to: Int, _ plan: WrittenPlan) {
    let label = "\(versions[to - 1].name) → \(versions[to].name)"
    guard let stage else {
      report(
        .stageDiffers, "no stage migrates \(label)", element: versions[to].name,
        at: plan.type.place,
        help: ["the generated plan has one; without it such a store cannot be opened (134504)"])
      return
    }
    let grave = step(to: to).changes.filter { $0.mechanism > .lightweight }
    if !stage.isCustom, !grave.isEmpty {
      report(
        .stageDiffers,
        "\(label) is lightweight in the plan, and "
          + (grave.contains { $0.mechanism == .impossible }
            ? "cannot be inferred" : "needs a custom stage"),
        element: versions[to].name, at: stage.place,
        help: grave.map {
          "\($0.element): \($0.classification.title): \($0.reason) (\($0.classification.basis.text), "
            + "\($0.classification.basis.mark.rawValue))"
        })
    } else if stage.isCustom, grave.isEmpty, stage.willMigrate == nil, stage.didMigrate == nil {
      report(
        .stageDiffers,
        "\(label) is custom in the plan without doing anything: every change in it is inferred",
        element: versions[to].name, at: stage.place,
        help: ["the generated plan has a lightweight stage, or a barrier stage if one is needed"],
        severity: .note)
    }
  }
}

extension WrittenPlan {
  /// The functions of a user file that the stages of a generated plan call.
  fileprivate func hooks(callingInto enumeration: String) -> Hooks {
    let lines = stages.flatMap { ($0.willMigrate?.lines ?? []) + ($0.didMigrate?.lines ?? []) }
    func calls(_ name: String) -> Bool {
      lines.contains { $0.contains("\(enumeration).\(name)(context)") }
    }
    return Hooks(before: calls("before"), after: calls("after"))
  }
}
