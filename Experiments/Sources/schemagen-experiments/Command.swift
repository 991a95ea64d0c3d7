import Foundation

/// The command line: `--list`, `--only ID`, `--report FILE`, `--keep FOLDER`.
@main
enum Command {
  static func main() throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "--step" { return try runStep(arguments) }

    var only: [String] = []
    var report: String?
    var kept: String?
    var lists = false
    while !arguments.isEmpty {
      let argument = arguments.removeFirst()
      func value() -> String {
        guard !arguments.isEmpty else { usage("\(argument) needs a value") }
        return arguments.removeFirst()
      }
      switch argument {
      case "--list": lists = true
      case "--only": only.append(value())
      case "--report": report = value()
      case "--keep": kept = value()
      default: usage(argument == "--help" ? nil : "unknown argument '\(argument)'")
      }
    }
    let experiments = Experiment.all.filter { experiment in
      only.isEmpty || only.contains { experiment.id == $0 || experiment.id.hasPrefix($0 + "-") }
    }
    guard !experiments.isEmpty else { usage("no experiment has that id") }
    if lists {
      for experiment in experiments { print("\(experiment.id): \(experiment.claim)") }
      return
    }
    exit(try run(experiments, report: report, kept: kept) ? 0 : 1)
  }

  private static func usage(_ complaint: String?) -> Never {
    let text = """
      usage: schemagen-experiments [--report FILE] [--only ID]… [--keep FOLDER] [--list]

        --report FILE   write what was found as JSON
        --only ID       run this experiment only, or all whose ids begin with it
        --keep FOLDER   keep stores and logs there, one folder for each experiment
        --list          say what each experiment claims, and run none

      Exits 0, or 1 when something was contradicted.
      """
    FileHandle.standardError.write(Data(((complaint.map { $0 + "\n\n" } ?? "") + text + "\n").utf8))
    exit(complaint == nil ? 0 : 2)
  }

  /// `--step ID N FOLDER RESULT`: what a child does.
  private static func runStep(_ arguments: [String]) throws {
    guard arguments.count >= 5, let index = Int(arguments[2]),
      let experiment = Experiment.all.first(where: { $0.id == arguments[1] })
    else { usage("wrong use of --step") }
    SchemagenPlain.register()
    Folder.current = Folder(url: URL(fileURLWithPath: arguments[3]))
    let result = StepResult(of: experiment.steps[index], in: Folder.current)
    try JSONEncoder().encode(result).write(to: URL(fileURLWithPath: arguments[4]))
  }

  /// Whether nothing was contradicted.
  private static func run(
    _ experiments: [Experiment], report: String?, kept: String?
  ) throws -> Bool {
    let start = Date()
    let scratch =
      kept.map { URL(fileURLWithPath: $0) }
      ?? FileManager.default.temporaryDirectory
      .appendingPathComponent("schemagen-experiments-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { if kept == nil { try? FileManager.default.removeItem(at: scratch) } }
    let program = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    let runner = Runner(program: program, scratch: scratch, system: try System.find(in: scratch))
    var findings: [Finding] = []
    for experiment in experiments {
      let finding = try runner.run(experiment)
      findings.append(finding)
      tell(finding)
    }
    func count(_ verdict: Finding.Verdict) -> Int { findings.count { $0.verdict == verdict } }
    let seconds = (Date().timeIntervalSince(start) * 10).rounded() / 10
    print(
      """

      \(findings.count) experiments on \(runner.system.name) \(runner.system.version) \
      (\(runner.system.runtime) runtime) in \(seconds) s: \(count(.confirmed)) confirmed, \
      \(count(.contradicted)) contradicted, \(count(.notDecidable)) not decidable
      """)
    if let report {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      let data = try encoder.encode(
        Report(system: runner.system, seconds: seconds, experiments: findings))
      try data.write(to: URL(fileURLWithPath: report))
    }
    return count(.contradicted) == 0
  }

  private static func tell(_ finding: Finding) {
    switch finding.verdict {
    case .confirmed: print("confirmed      \(finding.id)")
    case .notDecidable: print("not decidable  \(finding.id): \(finding.reason ?? "")")
    case .contradicted:
      print("CONTRADICTED   \(finding.id): \(finding.claim)")
      guard let step = finding.steps.last else { return }
      print(indented("step      ", step.name))
      print(indented("expected  ", step.expected))
      print(indented("observed  ", step.observed))
    }
  }

  private static func indented(_ label: String, _ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map {
      "    " + ($0 == 0 ? label : String(repeating: " ", count: label.count)) + $1
    }.joined(separator: "\n")
  }
}
