package import SchemaEvolution
internal import SchemaModel

/// What MigrationPlan.mustache reads: schemas and stages in order.
struct MigrationPlanFile: EmittedFile {
  static let template = "MigrationPlan"
  var path: String { "\(name).swift" }

  var mark: String
  var importLines: [String]
  var access: String
  var name: String
  var schemas: [String]
  var stageList: [String]
  var stages: [StageView]

  static let sections: [String: any TemplateView.Type] = ["stages": StageView.self]

  static let members: [String: @Sendable (Self) -> Any?] = [
    "mark": { $0.mark }, "importStatements": { SwiftText.block($0.importLines, indent: 0) },
    "access": { $0.access },
    "name": { $0.name },
    "schemas": { $0.schemas }, "stageList": { $0.stageList }, "stages": { $0.stages },
    "hasStages": { !$0.stages.isEmpty },
  ]
}

/// One `MigrationStage`.
struct StageView: TemplateView {
  var name: String
  var documentation: [String]
  var from: String
  var to: String
  /// The stage's title for log lines, escaped for a string literal.
  var title: String
  var isLightweight: Bool
  var steps: [String]
  var after: String?

  static let members: [String: @Sendable (Self) -> Any?] = [
    "name": { $0.name }, "documentation": { $0.documentation }, "from": { $0.from },
    "to": { $0.to }, "title": { $0.title }, "isLightweight": { $0.isLightweight },
    "steps": { $0.steps }, "hasWork": { !$0.steps.isEmpty }, "after": { $0.after },
  ]
}

extension MigrationPlanFile {
  static func makers(_ input: RenderingInput) -> [Maker] { [{ Self(input.evolution) }] }

  static func declarations(_ input: RenderingInput) -> [Declaration] {
    [
      Declaration(
        input.evolution.configuration.names.plan, "the migration plan", .plan,
        at: input.newest.location)
    ]
  }

  private init(_ evolution: Evolution) {
    let configuration = evolution.configuration
    mark = FileMark.everyManifest
    importLines = Imports(access: evolution.configuration.access).lines(
      ["SwiftData"], showing: ["SwiftData"])
    access = configuration.access.prefix
    name = configuration.names.plan
    schemas = SwiftText.elements(evolution.chain.map { "\($0.name).self" })
    stages = evolution.steps.flatMap { step in
      step.stages.map { StageView($0, of: step, evolution) }
    }
    stageList = SwiftText.elements(stages.map(\.name))
  }
}

extension StageView {
  init(_ stage: Stage, of step: VersionStep, _ evolution: Evolution) {
    let old = step.old.number
    let new = step.new
    name = stage.name(in: step)
    from = stage.from.name
    to = stage.to.name
    let way = "\(old.name) → \(new.number.name)"
    let subject = new.summary.map { ": \($0)" } ?? ""
    isLightweight = !stage.isCustom && !stage.isBarrier
    documentation = SwiftText.documentation(
      Self.documentation(stage, step, way: way, subject: subject), indent: 2)
    let isWorking = stage.part == .whole || stage.part == .contract
    let steps = isWorking ? RowFunctions(step, evolution).calls : []
    self.steps = steps
    // The summary is left out if the line that logs it would be too long.
    let title = SwiftText.escaped(way + subject)
    self.title = title.columns <= (steps.isEmpty ? 34 : 50) ? title : way
    let isLast = stage.part != .expand && !stage.to.isBridge
    after =
      step.plan.hooks.after && isLast ? "\(step.name).after" : nil
  }

  private static func documentation(
    _ stage: Stage, _ step: VersionStep, way: String, subject: String
  ) -> String {
    let new = step.new.number.name
    let old = step.old.number.name
    var text = way + subject.sentence
    switch stage.part {
    case .whole: text = (way + subject).sentence
    case .expand:
      text =
        "\(way), first half: adds \(new)'s columns next to \(old)'s. Nothing is dropped yet."
    case .contract:
      text =
        "\(way), second half: copies values while both shapes are on disk, then drops \(old)'s "
        + "columns.\n\nKilled at any moment, it starts again from data that is still there."
    case .rename:
      text = "\(way), last: renames columns to the names that \(old)'s had."
    }
    guard stage.isBarrier else { return text }
    return text + "\n\n" + StopReason.text(stage)
  }
}

/// Explains why a stage is a barrier stage although the framework could infer it.
enum StopReason {
  static let most = 3

  static func text(_ stage: Stage) -> String {
    let reasons = unique(stage.barrierReasons)
    var lines = [
      "A barrier stage, which does no work itself: without it the engine would take an older store past this "
        + "version in one inference, with a different result from taking every step."
    ]
    for hazard in reasons.prefix(most) {
      lines.append(
        "- `\(hazard.element)`, \(hazard.from.name) to \(hazard.to.name): step by step \(hazard.stepwise), at once "
          + "\(hazard.direct).")
    }
    if reasons.count > most { lines.append("- and \(reasons.count - most) more.") }
    return lines.joined(separator: "\n")
  }

  /// One hazard for each element, on the shortest path with the hazard.
  private static func unique(_ hazards: [SkipHazard]) -> [SkipHazard] {
    var seen: Set<ElementPath> = []
    let sorted = hazards.sorted {
      ($0.stages.count, $0.from, $0.element) < ($1.stages.count, $1.from, $1.element)
    }
    return sorted.filter { seen.insert($0.element).inserted }
  }
}

extension Stage {
  package func name(in step: VersionStep) -> String {
    let verb =
      switch part {
      case .whole: "migrate"
      case .expand: "expand"
      case .contract: "contract"
      case .rename: "rename"
      }
    return verb + step.name
  }
}
