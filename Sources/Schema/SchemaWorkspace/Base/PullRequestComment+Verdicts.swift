internal import SchemaEvolution
internal import SchemaModel
internal import SchemaReporting

/// What a reviewer reads first: a verdict for each step.
extension PullRequestComment {
  // MARK: Verdicts

  /// Whether there is nothing that anybody has to look at.
  var isQuiet: Bool {
    folders.allSatisfy { $0.report.isUnchanged && $0.report.errors.isEmpty }
      && steps.allSatisfy(\.isEmpty)
  }

  enum Mark {
    case blocked, risky, fine

    var sign: String {
      switch self {
      case .blocked: "❌"
      case .risky: "⚠️"
      case .fine: "✅"
      }
    }
  }

  func addVerdicts(to parts: inout CommentParts) {
    let all = verdicts
    let lines =
      isQuiet
      ? [(Mark.fine, quietLine)]
      : [Mark.blocked, .risky, .fine].flatMap { mark in all.filter { $0.0 == mark } }
    let bullet = lines.count > 1 ? "- " : ""
    parts.add(.verdict, rank: 0, "", lines.map { "\(bullet)\($0.0.sign) \($0.1)\n" })
  }

  private var quietLine: String {
    let base = folders.first.map { " since \(text($0.report.base.name, 200))" } ?? ""
    return "The schema has not changed\(base): nothing happens to stored data."
  }

  /// One line for each folder with errors, and for each step.
  private var verdicts: [(Mark, String)] {
    var lines: [(Mark, String)] = []
    for (folder, steps) in zip(folders, steps) {
      let report = folder.report
      let place = folders.count > 1 ? code(report.path) + ", " : ""
      let errors = report.errors.count
      let warnings = report.findings.count { $0.severity == .warning }
      let blocked =
        errors > 0
        ? "**Blocked: \(counted(errors, "error")).** "
        : warnings > 0 ? "\(counted(warnings, "warning")). " : ""
      let mark: Mark? = errors > 0 ? .blocked : warnings > 0 ? .risky : nil
      for (index, step) in steps.enumerated() {
        var (gravity, words) = verdict(step)
        let actions = step.lines.map { action($0, step, report) }.filter(\.isDuty)
        let duties = Action.Person.allCases.compactMap { person -> String? in
          let count = actions.count { $0.person == person }
          return count == 0 ? nil : "\(person.rawValue) \(count)"
        }
        if !duties.isEmpty {
          gravity = .risky
          words += ". Action required: \(duties.joined(separator: ", "))"
        }
        // Errors are the folder's, and told once.
        lines.append((mark ?? gravity, (index == 0 ? blocked : "") + "\(place)\(words)"))
      }
      let name = folders.count > 1 ? code(report.path) + ": " : ""
      if let deployment = report.deployment {
        lines.append((.risky, "\(name)**needs a deployment**: CloudKit's production \(deployment)"))
      }
      let unapproved = report.losses.unapproved
      if !unapproved.isEmpty {
        let elements = unapproved.map { code($0.element.description, 80) }.firstThree
        let verb = unapproved.count == 1 ? "loss awaits" : "losses await"
        lines.append(
          (
            .blocked,
            "\(name)**\(unapproved.count) \(verb) an approval**: \(elements) (\(code("schemagen approve")))"
          ))
      }
      guard steps.isEmpty else { continue }
      if errors > 0 {
        var rules: [String] = []
        for error in report.errors where !rules.contains(error.rule.title) {
          rules.append(error.rule.title)
        }
        let more = rules.count > 2 ? "; and more" : ""
        lines.append(
          (.blocked, blocked + name + text(rules.prefix(2).joined(separator: "; "), 300) + more))
      } else {
        let isKnown = report.isUnchanged && !report.isRemoved
        lines.append((isKnown ? .fine : .risky, name + noStep(report)))
      }
    }
    let missing = unmeasured.count(where: \.isStore)
    if missing > 0 {
      let verb = missing == 1 ? "was" : "were"
      lines.append(
        (.risky, "\(missing) of \(counted(storeCount ?? 0, "store")) \(verb) not measured"))
    }
    return lines
  }

  private func noStep(_ report: BaseReport) -> String {
    if report.isRemoved { return "the schema is gone" }
    return report.isUnchanged
      ? "no step changes"
      : "what changed is not known: the manifests it is compared with have errors"
  }

  /// `V10: 3 kept, 1 defaulted, **`Trip.notes` of 12 rows lost** in 2 of 5 stores`.
  func verdict(_ step: ChangedStep) -> (Mark, String) {
    let name = "**\(step.number.name)**: "
    if step.state == .removed { return (.fine, name + "the draft is removed") }
    if step.step == nil {
      return (.fine, name + "the first version: no store is older, so no data changes")
    }
    guard !step.lines.isEmpty else { return (.fine, name + "no change") }
    let measured = step.lines.filter { ($0.measured?.outcome ?? .kept) >= .acknowledged }
      .sorted { $0.measured!.outcome > $1.measured!.outcome }
    let others = step.lines.filter { ($0.measured?.outcome ?? .kept) < .acknowledged }
    var words: [String] = []
    for effect in DataEffect.gravestFirst.reversed() {
      let lines = others.filter { $0.change.effect == effect }
      guard !lines.isEmpty else { continue }
      let count = "\(lines.count) \(effect.rawValue)"
      guard effect.isRisky else {
        words.append(count)
        continue
      }
      let elements = lines.map { code($0.change.element.description, 80) }.firstThree
      let stores = lines.compactMap { $0.measured?.outcome == .kept ? $0.measured?.stores : nil }
      let isEmpty = stores.count == lines.count
      words.append(
        "**\(count): \(elements)**"
          + (isEmpty
            ? ", of which \(counted(stores.min() ?? 0, "store")) ha\(stores.min() == 1 ? "s" : "ve") no value"
            : ""))
    }
    let losses = measured.prefix(3).map(loss)
    words += losses
    if measured.count > losses.count {
      words.append("and **\(measured.count - losses.count) more** that lose values or fail")
    }
    let isRisky = !measured.isEmpty || others.contains { $0.change.effect.isRisky }
    return (isRisky ? .risky : .fine, name + words.joined(separator: ", "))
  }

  /// `**`Trip.notes` of 12 rows lost** in 2 of 5 stores`.
  func loss(_ line: ChangedStep.Line) -> String {
    let element = code(line.change.element.description, 80)
    guard let measured = line.measured else { return element }
    let rows = measured.rows.map { counted($0, "row") }
    // Of a model rows go, of a property values.
    let what =
      rows.map { line.change.element.member == nil ? "\($0) of \(element)" : "\(element) of \($0)" }
      ?? element
    let stores = "in \(measured.stores) of \(counted(storeCount ?? 0, "store"))"
    switch measured.outcome {
    case .fails: return "**\(what) would fail** \(stores)"
    case .lost: return "**\(what) lost** \(stores)"
    default: return "**\(what) dropped** \(stores) (acknowledged)"
    }
  }
}
