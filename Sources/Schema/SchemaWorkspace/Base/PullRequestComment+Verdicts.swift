internal import SchemaEvolution
internal import SchemaModel
internal import SchemaReporting

/// The verdicts that a reviewer reads first, one for each step.
extension PullRequestComment {
  var isQuiet: Bool {
    folders.allSatisfy { $0.report.isUnchanged && $0.report.errors.isEmpty }
      && steps.allSatisfy(\.isEmpty)
  }

  private enum Mark: String, CaseIterable {
    case blocked = "❌"
    case risky = "⚠️"
    case fine = "✅"
  }

  var verdicts: [Inline] {
    var all = zip(folders, steps).flatMap { verdicts($0.report, $1) }
    let missing = unmeasured.count(where: \.isStore)
    if missing > 0 {
      let verb = missing == 1 ? "was" : "were"
      all.append(
        (.risky, "\(missing) of \(counted(storeCount ?? 0, "store")) \(verb) not measured"))
    }
    return Mark.allCases.flatMap { mark in
      all.filter { $0.0 == mark }.map { "\(mark.rawValue) \($0.1)" }
    }
  }

  /// A line for each step, for a missing deployment, and for unapproved losses.
  private func verdicts(_ report: BaseReport, _ steps: [ChangedStep]) -> [(Mark, Inline)] {
    var lines: [(Mark, Inline)] = []
    let errors = report.errors.count
    let warnings = report.findings.count { $0.severity == .warning }
    // Errors belong to the folder, so only the first line reports them.
    var blocked: Inline =
      errors > 0
      ? "\("Blocked: \(counted(errors, "error")).", .strong) "
      : warnings > 0 ? "\(counted(warnings, "warning")). " : ""
    let mark: Mark? = errors > 0 ? .blocked : warnings > 0 ? .risky : nil
    for step in steps {
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
      lines.append((mark ?? gravity, "\(blocked)\(place(report, ", "))\(words)"))
      blocked = ""
    }
    let name = place(report, ": ")
    if let deployment = report.deployment {
      lines.append(
        (.risky, "\(name)\("needs a deployment", .strong): CloudKit's production \(deployment)"))
    }
    let unapproved = report.losses.unapproved
    if !unapproved.isEmpty {
      let elements = unapproved.map { code($0.element, 80) }.firstThree
      let verb = unapproved.count == 1 ? "loss awaits" : "losses await"
      lines.append(
        (
          .blocked,
          "\(name)\("\(unapproved.count) \(verb) an approval", .strong): \(elements) (\(code: "schemagen approve"))"
        ))
    }
    guard steps.isEmpty else { return lines }
    if errors > 0 {
      let titles = Set(report.errors.map(\.rule.title)).sorted().map { text($0, 150) }
      lines.append((.blocked, blocked + name + titles.firstThree))
    } else if report.isRemoved {
      lines.append((.risky, name + "the schema was removed"))
    } else if report.isUnchanged {
      lines.append((.fine, name + "no step changes"))
    } else {
      lines.append(
        (
          .risky,
          name + "the changes are unknown: the manifests of the base have errors"
        ))
    }
    return lines
  }

  /// `V10: 3 kept, 1 defaulted, **`Trip.notes` of 12 rows lost** in 2 of 5 stores`.
  private func verdict(_ step: ChangedStep) -> (Mark, Inline) {
    let name: Inline = "\("\(step.number.name)", .strong): "
    if step.state == .removed { return (.fine, name + "the draft is removed") }
    if step.step == nil {
      return (.fine, name + Inline(ChangedStep.first))
    }
    guard !step.lines.isEmpty else { return (.fine, name + "no change") }
    let measured = step.lines.filter(\.isGrave)
      .sorted { $0.measured!.outcome > $1.measured!.outcome }
    let others = step.lines.filter { !$0.isGrave }
    var words: [Inline] = []
    for effect in DataEffect.gravestFirst.reversed() {
      let lines = others.filter { $0.change.effect == effect }
      guard !lines.isEmpty else { continue }
      let count: Inline = "\(lines.count) \(effect.rawValue)"
      let elements = lines.map { code($0.change.element, 80) }.firstThree
      words.append(effect.isRisky ? "\("\(count): \(elements)", .strong)" : count)
    }
    words += measured.prefix(3).map(loss)
    if measured.count > 3 {
      words.append("and \("\(measured.count - 3) more", .strong) that lose values or fail")
    }
    let isRisky = !measured.isEmpty || others.contains { $0.change.effect.isRisky }
    return (isRisky ? .risky : .fine, name + words.joined(", "))
  }

  private func loss(_ line: ChangedStep.Line) -> Inline {
    let element = code(line.change.element, 80)
    guard let measured = line.measured else { return element }
    // Models lose rows, properties lose values.
    let what: Inline =
      measured.rows.map { counted($0, "row") }.map {
        line.change.element.member == nil ? "\($0) of \(element)" : "\(element) of \($0)"
      } ?? element
    let (verb, end) =
      switch measured.outcome {
      case .fails: ("would fail", "")
      case .lost: ("lost", "")
      default: ("dropped", " (acknowledged)")
      }
    return
      "\("\(what) \(verb)", .strong) in \(measured.stores) of \(counted(storeCount ?? 0, "store"))\(end)"
  }
}
