internal import SchemaEvolution
internal import SchemaModel
internal import SchemaReporting

/// The verdicts that a reviewer reads first, one for each step.
extension PullRequestComment {
  /// Whether nothing needs anybody's attention.
  var isQuiet: Bool {
    folders.allSatisfy { $0.report.isUnchanged && $0.report.errors.isEmpty }
      && steps.allSatisfy(\.isEmpty)
  }

  /// The marks in the order in which they are shown.
  private enum Mark: String, CaseIterable {
    case blocked = "❌"
    case risky = "⚠️"
    case fine = "✅"
  }

  func addVerdicts(to parts: inout CommentParts) {
    var all = zip(folders, steps).flatMap { verdicts($0.report, $1) }
    let missing = unmeasured.count(where: \.isStore)
    if missing > 0 {
      let verb = missing == 1 ? "was" : "were"
      all.append(
        (.risky, "\(missing) of \(counted(storeCount ?? 0, "store")) \(verb) not measured"))
    }
    let lines = Mark.allCases.flatMap { mark in all.filter { $0.0 == mark } }
    let bullet = lines.count > 1 ? "- " : ""
    parts.add(
      "verdict", "", lines.map { .init(rank: 0, text: "\(bullet)\($0.0.rawValue) \($0.1)\n") })
  }

  /// A line for each step, and for what waits for somebody else.
  private func verdicts(_ report: BaseReport, _ steps: [ChangedStep]) -> [(Mark, String)] {
    var lines: [(Mark, String)] = []
    let errors = report.errors.count
    let warnings = report.findings.count { $0.severity == .warning }
    // Errors are the folder's, and told once.
    var blocked =
      errors > 0
      ? "**Blocked: \(counted(errors, "error")).** "
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
    guard steps.isEmpty else { return lines }
    if errors > 0 {
      let titles = Set(report.errors.map(\.rule.title)).sorted().map { text($0, 150) }
      lines.append((.blocked, blocked + name + titles.firstThree))
    } else if report.isRemoved {
      lines.append((.risky, name + "the schema is gone"))
    } else if report.isUnchanged {
      lines.append((.fine, name + "no step changes"))
    } else {
      lines.append(
        (
          .risky,
          name + "what changed is not known: the manifests it is compared with have errors"
        ))
    }
    return lines
  }

  /// `V10: 3 kept, 1 defaulted, **`Trip.notes` of 12 rows lost** in 2 of 5 stores`.
  private func verdict(_ step: ChangedStep) -> (Mark, String) {
    let name = "**\(step.number.name)**: "
    if step.state == .removed { return (.fine, name + "the draft is removed") }
    if step.step == nil {
      return (.fine, name + "the first version: no store is older, so no data changes")
    }
    guard !step.lines.isEmpty else { return (.fine, name + "no change") }
    let measured = step.lines.filter(\.isGrave)
      .sorted { $0.measured!.outcome > $1.measured!.outcome }
    let others = step.lines.filter { !$0.isGrave }
    var words: [String] = []
    for effect in DataEffect.gravestFirst.reversed() {
      let lines = others.filter { $0.change.effect == effect }
      guard !lines.isEmpty else { continue }
      let count = "\(lines.count) \(effect.rawValue)"
      let elements = lines.map { code($0.change.element.description, 80) }.firstThree
      words.append(effect.isRisky ? "**\(count): \(elements)**" : count)
    }
    words += measured.prefix(3).map(loss)
    if measured.count > 3 {
      words.append("and **\(measured.count - 3) more** that lose values or fail")
    }
    let isRisky = !measured.isEmpty || others.contains { $0.change.effect.isRisky }
    return (isRisky ? .risky : .fine, name + words.joined(separator: ", "))
  }

  /// `**`Trip.notes` of 12 rows lost** in 2 of 5 stores`.
  private func loss(_ line: ChangedStep.Line) -> String {
    let element = code(line.change.element.description, 80)
    guard let measured = line.measured else { return element }
    // Of a model rows go, of a property values.
    let what =
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
      "**\(what) \(verb)** in \(measured.stores) of \(counted(storeCount ?? 0, "store"))\(end)"
  }
}
