internal import SchemaEvolution
internal import SchemaGit
internal import SchemaLint
internal import SchemaModel
internal import SchemaWorkspace
internal import SwiftSources
internal import SwiftSyntax

// This extension adopts the author's stages: their code, and how their kinds compare with ours.
extension Adoption {
  mutating func adoptStages() {
    guard let plan, history.count > 1 else { return }
    let byName = Dictionary(
      zip(versions.map(\.name), versions.indices).map { ($0, $1) }
    ) { first, _ in first }
    var stages: [Int: WrittenStage] = [:]
    for stage in plan.stages {
      guard let from = byName[merged[stage.from] ?? stage.from],
        let to = byName[merged[stage.to] ?? stage.to], from != to
      else { continue }
      let between = versions.indices.filter { $0 > from && $0 < to }
      if to > from, between.allSatisfy({ versions[$0].isAdded }) {
        stages[to - 1] = stage
        adoptCode(stage, from, to)
        guard let shipped = between.last, stage.willMigrate != nil else { continue }
        report(
          .stageDiffers,
          "the code of the stage to '\(stage.to)' reads models of '\(stage.from)', and now runs on those of \(versions[shipped].releases.named)",
          element: stage.to, at: stage.place,
          help: ["correct the models that the code names, in the step's user file"])
      } else {
        report(
          .stageDiffers,
          "this stage leads from '\(stage.from)' to '\(stage.to)', which do not follow each other",
          element: stage.to, at: stage.place,
          help: ["write one stage for each pair of consecutive versions"])
      }
    }
    // The plan has no stages for versions that only tags have.
    for to in history.indices.dropFirst()
    where !versions[to].isAdded && (stages[to - 1] != nil || !versions[to - 1].isAdded) {
      compare(stages[to - 1], to, plan)
    }
  }

  mutating func adoptCode(_ stage: WrittenStage, _ from: Int, _ to: Int) {
    guard stage.willMigrate != nil || stage.didMigrate != nil else { return }
    history[to].hooks = Hooks(before: stage.willMigrate != nil, after: stage.didMigrate != nil)
    var translation = StageTranslation(
      self, step: VersionStep.name(from: numbers[to - 1], to: numbers[to]))
    let before = stage.willMigrate.map { translation.lines(of: $0, in: from) } ?? []
    let after = stage.didMigrate.map { translation.lines(of: $0, in: to) } ?? []
    carried.formUnion(translation.carry(&sharedVariables))
    // A stage's function is now in the user file.
    for body in [stage.willMigrate?.body, stage.didMigrate?.body] {
      if let function = body?.parent?.parent?.as(FunctionDeclSyntax.self) {
        carried.insert(DeclSyntax(function).id)
      }
    }
    code.append(
      Adoption.AdoptedCode(
        from: numbers[to - 1], to: numbers[to],
        before: before, beforeContext: stage.willMigrate?.context ?? "context",
        after: after, afterContext: stage.didMigrate?.context ?? "context",
        members: translation.members, extensions: translation.extensions,
        imports: translation.imports))
    report(
      .adoptedCode,
      "the code of the stage to '\(stage.to)' is now in the step's user file"
        + (translation.changes ? ", with the versions' new names" : ", word for word"),
      element: stage.to, at: stage.place,
      help: (translation.captured.isEmpty
        ? []
        : [
          "also copied, from the enclosing function: \(translation.captured.joined(separator: ", "))"
        ])
        + ["work of 'didMigrate' is lost if the app is killed before it runs"])
    findings += translation.findings(about: stage)
  }

  mutating func compare(_ stage: WrittenStage?, _ to: Int, _ plan: WrittenPlan) {
    let label =
      "\(called(to - 1)) → \(versions[to].name)"
    guard let stage else {
      report(
        .stageDiffers, "no stage migrates \(label)", element: versions[to].name,
        at: plan.type.place,
        help: [
          "the generated plan has this stage; without it, stores of the older version cannot be opened (134504)"
        ])
      return
    }
    let grave = step(to: to).changes.filter { $0.mechanism > .lightweight }
    if !stage.isCustom, !grave.isEmpty {
      report(
        .stageDiffers,
        "\(label) is lightweight in the plan, but "
          + (grave.contains { $0.mechanism == .impossible }
            ? "cannot be inferred" : "needs a custom stage"),
        element: versions[to].name, at: stage.place,
        help: grave.map {
          "\($0.element): \($0.classification.title): \($0.reason) (schemagen explain \($0.kind.rawValue))"
        })
    } else if stage.isCustom, grave.isEmpty, stage.willMigrate == nil, stage.didMigrate == nil {
      report(
        .stageDiffers,
        "\(label) is custom in the plan but does nothing: the engine infers every change in it",
        element: versions[to].name, at: stage.place,
        help: ["the generated plan has a lightweight stage, or a barrier stage if one is needed"],
        severity: .note)
    }
  }
}
