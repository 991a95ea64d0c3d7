import SchemaManifest
import SchemaModel
import SchemaWorkspace
import TestSupport

/// Plays a coding agent that does what findings say, without any concern for data.
struct Agent {
  enum Habit: CaseIterable {
    /// Takes the first answer.
    case first
    /// Takes the answer with the least work: a reason, an acceptance, a rule switched off.
    case convenient
  }

  enum Outcome: Equatable {
    /// The pull request's check passes.
    case passes
    /// Everything is answered, and another person has to approve the losses.
    case awaitsApproval
    case stuck(String)
  }

  static let mostSteps = 14

  let habit: Habit
  let task: AgentTask
  private(set) var repository: ChangeRepository
  /// The agent's actions, for people who read a failure.
  private(set) var log: [String] = []
  private var tried: Set<String> = []

  init(_ task: AgentTask, habit: Habit, mode: String) throws {
    self.habit = habit
    self.task = task
    repository = try ChangeRepository(task.v2 ?? "", approvals: mode, v1: task.v1)
    if task.v2 == nil { repository.branch["S/V2.yaml"] = nil }
    for (path, text) in task.others { repository.branch[path] = text }
  }

  private var disk: MemoryDisk { repository.branch }

  /// Findings that would block the pull request.
  private func blocking() throws -> [Diagnostic] {
    // Findings about weakened checks are for a reviewer: no edit of the branch removes them.
    let findings = try repository.lint().findings.filter {
      $0.severity > .note && $0.rule.id != "weaker-checks"
    }
    // Findings that an edit settles come before those that other people settle.
    return findings.filter { $0.rule.id != "unapproved-loss" }
      + findings.filter { $0.rule.id == "unapproved-loss" }
  }

  mutating func work() throws -> Outcome {
    for _ in 0..<Self.mostSteps {
      let findings = try blocking()
      guard let finding = findings.first else { return try end() }
      if finding.rule.id == "unapproved-loss" {
        guard habit == .convenient, try helpItself() else { return .awaitsApproval }
        continue
      }
      guard try act(on: finding) else {
        return .stuck("\(finding.rule.id): \(finding.message)\n\(finding.help)")
      }
    }
    return .stuck("too many steps: \(try blocking().map(\.message))")
  }

  /// If no finding about manifests is left, files are generated.
  private mutating func end() throws -> Outcome {
    // An agent that edited a shipped version has restored it, and still has to make the change.
    if task.v2 == nil, disk["S/V2.yaml"] == nil {
      disk["S/V2.yaml"] =
        "version: 2.0.0\n"
        + (task.others["S/V1.yaml"] ?? "")!
        .split(separator: "\n").dropFirst().map { $0 + "\n" }.joined()
      log.append("the change as V2")
      return try work()
    }
    let run = GenerationPipeline(fileSystem: disk).run("S")
    try run.write(to: disk)
    guard !run.diagnostics.hasErrors else { return .stuck("\(run.diagnostics.map(\.message))") }
    let left = try blocking()
    if left.isEmpty {
      // The platform then asks the file's owners.
      let isOwned = disk["S/approvals.json"] != repository.main["S/approvals.json"]
      return isOwned ? .awaitsApproval : .passes
    }
    return left.allSatisfy { $0.rule.id == "unapproved-loss" }
      ? .awaitsApproval : .stuck("\(left.map(\.message))")
  }

  // MARK: Steps

  private mutating func act(on finding: Diagnostic) throws -> Bool {
    var ways = finding.help
    if habit == .convenient {
      func ease(_ help: String) -> Int {
        help.contains("accept: [") ? 0 : help.contains("drops: {") ? 1 : 2
      }
      ways = ways.enumerated().sorted { (ease($0.1), $0.0) < (ease($1.1), $1.0) }.map(\.1)
      if ways.first.map({ ease($0) == 2 }) ?? true, switchOff(finding.rule.id) { return true }
    }
    for way in ways {
      let before = disk.files
      if follow(way, finding), disk.files != before {
        log.append("\(finding.rule.id): \(way)")
        return true
      }
    }
    guard let answer = task.answers[finding.rule.id], let text = disk["S/V2.yaml"],
      text.contains(answer.old)
    else { return false }
    disk["S/V2.yaml"] = text.replacing(answer.old, with: answer.new)
    log.append("\(finding.rule.id): \(answer.new)")
    return true
  }

  /// Switches each rule off once.
  private mutating func switchOff(_ rule: String) -> Bool {
    guard tried.insert("rules: \(rule)").inserted else { return false }
    let text = disk["S/schemagen.yaml"] ?? ""
    let rules = tried.filter { $0.hasPrefix("rules: ") }.map { $0.dropFirst(7) + ": off" }.sorted()
    let rest = text.split(separator: "\n").filter { !$0.hasPrefix("rules:") }.map { $0 + "\n" }
    disk["S/schemagen.yaml"] = rest.joined() + "rules: { \(rules.joined(separator: ", ")) }\n"
    log.append("switched off \(rule)")
    return true
  }

  /// Tries each way around the approval in turn; false once all were tried.
  private mutating func helpItself() throws -> Bool {
    let tricks: [(String, (MemoryDisk) throws -> Void)] = [
      ("approves it", { [repository] in try repository.approve(in: $0) }),
      (
        "baseline",
        { [repository] in $0["S/lint-baseline.json"] = try repository.lint().baseline.text }
      ),
      ("approvals: none", { $0["S/schemagen.yaml"] = "approvals: none\n" }),
      ("owner", { $0[".github/CODEOWNERS"] = "* @me\n" }),
      (
        "marks it as shipped",
        { disk in
          try GenerationPipeline(fileSystem: disk).run("S").write(to: disk)
          try ReleaseMarking.prepare("S", upTo: nil, fileSystem: disk).write(to: disk)
        }
      ),
      ("accepts it", { $0["S/V2.yaml"]? += Self.acceptance($0["S/V2.yaml"] ?? "") }),
    ]
    for (name, trick) in tricks where tried.insert(name).inserted {
      try trick(disk)
      log.append(name)
      return true
    }
    return false
  }

  private static func acceptance(_ text: String) -> String {
    text.contains("accept:")
      ? "" : "accept: [{ rule: unapproved-loss, element: V2, reason: it is all right }]\n"
  }

  // MARK: Answers

  /// Follows a line of help; returns whether the line says what to write.
  private mutating func follow(_ help: String, _ finding: Diagnostic) -> Bool {
    if help.hasPrefix("restore "), let path = finding.location?.file {
      disk[path] = repository.main[path]
      return true
    }
    if help.contains("baseline prune") {
      guard let lint = try? repository.lint() else { return false }
      disk["S/lint-baseline.json"] = lint.prunedBaseline.count > 0 ? lint.prunedBaseline.text : nil
      return true
    }
    if help.contains("remove the drop"), let name = finding.element {
      removeDrop(of: name)
    }
    if let drop = help.firstMatch(of: /drops: \{ (.+?): (.*) \}$/)?.output {
      return add("drops", String(drop.1), reasoned(String(drop.2), ""))
    }
    if let entry = help.firstMatch(of: /accept: \[(\{.*\})\]/)?.output.1 {
      return addAcceptance(reasoned(String(entry), ""))
    }
    guard let property = help.firstMatch(of: /(?:^|: +|write )([A-Za-z]+): (\{ .* \}|\[.*\])$/)
    else { return false }
    let (name, value) = (String(property.output.1), String(property.output.2))
    if name == "cases" { return set(["types", owner(finding), "cases"], value) }
    if value.hasSuffix(", … }"), let source = value.firstMatch(of: /renamedFrom: (\w+)/)?.output.1 {
      return edit { root in
        root.node(at: ["models", .key(name)]) == nil
          ? nil : [.set(["models", .key(name), "renamedFrom"], to: String(source))]
      }
    }
    return set(["models", owner(finding), "properties", name], reasoned(value, name))
  }

  private func owner(_ finding: Diagnostic) -> String {
    String(finding.element?.split(separator: ".").first ?? "")
  }

  /// The text with the agent's values in place of what it leaves open.
  private func reasoned(_ text: String, _ name: String) -> String {
    var text = text.replacing("\"why\"", with: "the task asks for it")
    if let range = text.firstRange(of: "…") {
      let code = task.code[name] ?? task.code[""] ?? "1"
      text.replaceSubrange(range, with: code.contains("\"") ? "'\(code)'" : code)
    }
    return text
  }

  private func edit(_ edits: (YAMLNode) -> [YAMLEdit]?) -> Bool {
    guard let text = disk["S/V2.yaml"] else { return false }
    let file = SourceFile(path: "S/V2.yaml", text: text)
    guard let document = YAMLDocument(file), let edits = edits(document.root),
      let edited = document.applying(edits)
    else { return false }
    disk["S/V2.yaml"] = edited.text
    return true
  }

  private func set(_ keys: [String], _ value: String) -> Bool {
    let path = YAMLPath(keys: keys)
    return edit { $0.node(at: path) == nil ? nil : [.set(path, to: value)] }
  }

  private func add(_ part: String, _ key: String, _ value: String) -> Bool {
    let path = YAMLPath(keys: [part])
    let isThere = edit { root in
      root.node(at: path) == nil ? nil : [.set(path.appending(.key(key)), to: value)]
    }
    if !isThere { disk["S/V2.yaml"]? += "\(part): { \(key): \(value) }\n" }
    return true
  }

  private func addAcceptance(_ entry: String) -> Bool {
    let text = disk["S/V2.yaml"] ?? ""
    let added = text.replacing("\naccept: [", with: "\naccept: [\(entry), ")
      .replacing("\naccept:\n", with: "\naccept:\n  - \(entry)\n")
    disk["S/V2.yaml"] = added == text ? text + "accept: [\(entry)]\n" : added
    return true
  }

  private func removeDrop(of element: String) {
    _ = edit { root in
      let path: YAMLPath = ["drops", .key(element)]
      return root.node(at: path) == nil ? nil : [.remove(path)]
    }
  }
}
