internal import SchemaEvolution
internal import SchemaModel

/// What MIGRATIONS.mustache reads: the history for people. Texts are escaped for Markdown.
struct MigrationsFile: EmittedFile {
  static let template = "MIGRATIONS"
  static let kind = GeneratedFile.Kind.documentation

  /// As the configuration says.
  var path: String
  var mark: String
  var history: [HistoryRowView]
  var steps: [StepView]

  static let sections: [String: any TemplateView.Type] = [
    "history": HistoryRowView.self, "steps": StepView.self,
  ]

  static let members: [String: @Sendable (Self) -> Any?] = [
    "mark": { $0.mark }, "history": { $0.history }, "steps": { $0.steps },
  ]
}

/// A row of the version history.
struct HistoryRowView: TemplateView {
  var version: String
  var summary: String
  var changes: String
  var how: String

  static let members: [String: @Sendable (Self) -> Any?] = [
    "version": { $0.version }, "summary": { $0.summary }, "changes": { $0.changes },
    "how": { $0.how },
  ]
}

/// One step.
struct StepView: TemplateView {
  var title: String
  var old: String
  var new: String
  var changes: [ChangeView]
  var stages: [DocumentedStageView]
  var routes: [RouteView]
  /// The same for eyes; nil where there is nothing to draw, or too much.
  var diagram: String?

  static let sections: [String: any TemplateView.Type] = [
    "changes": ChangeView.self, "stages": DocumentedStageView.self, "routes": RouteView.self,
  ]

  static let members: [String: @Sendable (Self) -> Any?] = [
    "title": { $0.title }, "old": { $0.old }, "new": { $0.new }, "changes": { $0.changes },
    "diagram": { $0.diagram }, "stages": { $0.stages }, "routes": { $0.routes },
    "hasRoutes": { !$0.routes.isEmpty },
  ]
}

/// One change with its reason.
struct ChangeView: TemplateView {
  var element: String
  var detail: String
  var title: String
  var mechanism: String
  var effect: String
  var reason: String
  var rule: String
  var basis: String
  var acknowledgement: String

  static let members: [String: @Sendable (Self) -> Any?] = [
    "element": { $0.element }, "detail": { $0.detail }, "title": { $0.title },
    "mechanism": { $0.mechanism }, "effect": { $0.effect }, "reason": { $0.reason },
    "rule": { $0.rule }, "basis": { $0.basis }, "acknowledgement": { $0.acknowledgement },
  ]
}

/// One stage.
struct DocumentedStageView: TemplateView {
  var name: String
  var kind: String
  /// Why it is a barrier stage, as lines of Markdown.
  var reasons: [String]

  static let members: [String: @Sendable (Self) -> Any?] = [
    "name": { $0.name }, "kind": { $0.kind }, "reasons": { $0.reasons },
  ]
}

/// A row of the data-integrity map.
struct RouteView: TemplateView {
  var from: String
  var to: String
  var fallback: String

  static let members: [String: @Sendable (Self) -> Any?] = [
    "from": { $0.from }, "to": { $0.to }, "fallback": { $0.fallback },
  ]
}

extension MigrationsFile {
  static func makers(_ input: RenderingInput) -> [Maker] { [{ Self(input.whole) }] }

  private init?(_ evolution: Evolution) {
    guard let path = evolution.configuration.documentation else { return nil }
    self.path = path
    mark = FileMark.everyManifest
    history = evolution.history.indices.reversed().map { index in
      let version = evolution.history[index]
      let step = index == 0 ? nil : evolution.steps[index - 1]
      return HistoryRowView(
        version: version.number.name, summary: Markdown.cell(version.summary ?? ""),
        changes: step.map { "\($0.changes.count)" } ?? "initial version",
        how: evolution.way(to: index))
    }
    steps = evolution.steps.reversed().map { StepView($0, evolution) }
  }
}

extension StepView {
  init(_ step: VersionStep, _ evolution: Evolution) {
    let new = evolution.history[step.to]
    let names = (evolution.history[step.from].number.name, new.number.name)
    title =
      "\(names.0) → \(names.1)" + (new.summary.map { ": \(Markdown.text($0))" } ?? "")
    old = names.0
    self.new = names.1
    changes = step.changes.map(ChangeView.init)
    diagram = MermaidDiagram.step(step, evolution)
    stages = evolution.stages(of: step).map { stage in
      DocumentedStageView(
        name: stage.name(evolution),
        kind: stage.isCustom ? "custom" : stage.isBarrier ? "a barrier stage" : "lightweight",
        reasons: stage.isBarrier
          ? [""] + StopReason.text(stage, evolution).split(separator: "\n").map { String($0) } : [])
    }
    routes = step.routes.map { route in
      RouteView(
        from: route.from.map { "`\($0)`" } ?? "(none)",
        to: route.to.map { "`\($0)`" } ?? "(none)",
        fallback: route.fallback.map {
          switch $0 {
          case .value(let text): "`\(Markdown.code(text))`"
          case .dropped(let word): Markdown.cell("dropped: \(word.text)")
          }
        } ?? "")
    }
  }
}

extension ChangeView {
  init(_ change: SchemaChange) {
    element = "`\(change.element)`"
    detail = change.detail.isEmpty ? "" : " (`\(Markdown.code(change.detail))`)"
    title = change.classification.title
    mechanism = change.mechanism.rawValue
    effect = change.effect.rawValue
    reason = Markdown.text(change.reason)
    rule = change.ruleID
    let basis = change.classification.basis
    self.basis = "\(basis.markdown(docs: Basis.documentation)), \(basis.mark.rawValue)"
    acknowledgement =
      switch change.acknowledgement {
      case .reason(let reason): " Dropped because: \(Markdown.text(reason))."
      case .unconfirmed: " **Unconfirmed**: nobody has confirmed that it may go."
      case nil: ""
      }
  }
}

/// Keeps texts of the user's from being read as Markdown.
enum Markdown {
  static func text(_ text: String) -> String {
    var result = ""
    for character in text {
      if character.isNewline {
        result += " "
      } else {
        if "\\`*_[]<>|#".contains(character) { result += "\\" }
        result.append(character)
      }
    }
    return result
  }

  /// A text in a table's cell.
  static func cell(_ text: String) -> String { self.text(text) }

  /// A text within backticks.
  static func code(_ text: String) -> String {
    String(
      text.flatMap { $0 == "`" ? ["'"] : $0 == "|" ? ["\\", "|"] : [$0.isNewline ? " " : $0] })
  }
}
