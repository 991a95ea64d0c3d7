package import SchemaEvolution
internal import SchemaModel
package import SchemaReporting

/// The version history for people: as `MIGRATIONS.md`, and step by step.
package enum HistoryDocument {
  package typealias Line = (change: SchemaChange, remark: Inline?)

  /// The file of the whole history; nil if the configuration does not ask for one.
  static func file(_ evolution: Evolution) -> GeneratedFile? {
    guard let path = evolution.configuration.documentation else { return nil }
    let rows: [[Inline]] = evolution.history.indices.reversed().map { index in
      let version = evolution.history[index]
      let changes = index == 0 ? "initial version" : "\(evolution.steps[index - 1].changes.count)"
      return [version.number.name, version.summary ?? "", changes, evolution.way(to: index)]
        .map { Inline($0) }
    }
    let document: Document =
      [
        .heading("Migrations", level: 1), .heading("Version history"),
        .table(Table(["Version", "Summary", "Changes", "How"], rows)),
      ]
      + evolution.steps.reversed().flatMap {
        step($0, $0.changes.map { ($0, nil) }, evolution) + routes($0)
      }
    return GeneratedFile(
      kind: .documentation, path: path,
      contents: "<!-- \(FileMark.everyManifest) -->\n\n" + document.markdown)
  }

  /// A step: what changes and why, and its stages if there are several.
  package static func step(
    _ step: VersionStep, _ lines: [Line], _ evolution: Evolution
  ) -> Document {
    [.heading("\(step.heading) \("(\(evolution.kind(of: step)))", .faint)")]
      + changes(of: step, lines)
  }

  package static func changes(of step: VersionStep, _ lines: [Line]) -> Document {
    let rows: [[Inline]] = lines.map { line in
      [
        line.change.effect.inline, "\(line.change.mechanism.rawValue)",
        .code(line.change.element), words(line).lines,
      ]
    }
    let changes: Block =
      rows.isEmpty
      ? .paragraph("No change that a manifest describes.")
      : .table(Table(["Data", "How", "Element", "Change"], rows))
    guard step.stages.count > 1 || step.stages.contains(where: \.isBarrier) else {
      return [changes]
    }
    let stages: [Document] = step.stages.map { stage in
      let name = Inline.code(stage.name(in: step))
      guard stage.isBarrier else {
        return [.paragraph("\(name): \(stage.isCustom ? "custom" : "lightweight")")]
      }
      return [
        .paragraph(
          "\(name): a barrier stage, so that users who skip releases get the same result as users who do not"
        ),
        .lines(stage.barrierReasons.prefix(5).map { "\($0)" }, .bullets),
      ]
    }
    return [changes, .paragraph("Its stages:"), .list(stages)]
  }

  /// A change in words, one element for each line: the change, the reason if values may change, the author's comments.
  ///
  /// - Parameter cites: Whether to link the fact on which the rule is based.
  package static func words(_ line: Line, cites: Bool = true) -> [Inline] {
    let change = line.change
    let basis = change.classification.basis
    let rule: Inline = "\(change.ruleID)\(basis.mark == .certain ? "" : ", \(basis.mark.rawValue)")"
    let cited: Inline =
      !cites || !Project.isPublished || basis.address == basis.text
      ? rule : "\(rule, to: basis.address)"
    let detail: Inline = change.detail.isEmpty ? "" : ": \(code: change.detail)"
    var words: [Inline] = ["\(change.classification.title)\(detail) [\(cited)]"]
    if change.effect != .kept || change.mechanism > .lightweight {
      words.append("\("\(change.reason)", .faint)")
    }
    switch change.acknowledgement {
    case .reason(let reason): words.append("\("acknowledged: \(reason)", .faint)")
    case .unconfirmed: words.append("\("unconfirmed removal", .bad)")
    case nil: break
    }
    return words + [line.remark].compactMap(\.self)
  }

  /// The data-integrity map: old field, new field, and the fallback for rows without a value.
  package static func routes(_ step: VersionStep) -> Document {
    guard !step.routes.isEmpty else { return [] }
    let rows: [[Inline]] = step.routes.map { route in
      let fallback: Inline =
        switch route.fallback {
        case .value(let value): .code(value)
        case .dropped(let word): "dropped: \(word.text)"
        case nil: ""
        }
      return [route.from, route.to].map { $0.map { .code($0) } ?? "(none)" } + [fallback]
    }
    let heads: [Inline] = [
      "\(step.old.number.name) field", "\(step.new.number.name) field", "Fallback",
    ]
    return [.table(Table(heads, rows))]
  }
}

extension DataEffect {
  package var inline: Inline {
    let style: Inline.Style =
      switch self {
      case .atRisk, .dropped: .bad
      case .converted, .defaulted: .warning
      case .kept: .good
      }
    return "\("\(rawValue)", style)"
  }
}
