import ArgumentParser
import Foundation
import SchemaEvolution
import SchemaLint
import SchemaModel
import SchemaRehearsal
import SchemaWorkspace

@main
struct Fuzz: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schemagen-fuzz",
    abstract: "Mutates manifests and checks the results of lint and generate against invariants.",
    discussion: """
      The rules' examples and the manifests on disk are mutated, a run at a time. Each is linted, reported in all \
      formats, fixed, and generated from. Children do it; one that dies, hangs or takes too much memory is a \
      failure, and its input is written down. Exit status: 0 none failed; 1 some did.
      """)

  @Option(help: "How many runs.")
  var runs = 200_000

  @Option(help: "A run is a function of the seed, its index and the corpus.")
  var seed: UInt64 = 1

  @Option(
    help: ArgumentHelp(
      "Make one of several parts of the runs only, such as 3/8.", valueName: "number/count"),
    transform: { try Shard($0) })
  var shard: Shard?

  @Option(help: "How many children at once; as many as there are cores without it.")
  var jobs: Int = ProcessInfo.processInfo.activeProcessorCount

  @Option(help: "Repeat one run in this process, and show its input.")
  var only: Int?

  @Option(help: "How long one run may take, in seconds.")
  var patience = 10.0

  @Option(help: "Where inputs of failures are written.")
  var output = ".build/fuzz"

  @Argument(help: "Folders to search for manifests, their JSON Schemas, and templates.")
  var paths = ["Schemas", "Tests/Support/Fixtures", "Templates"]

  @Option(help: .hidden) var worker: String?
  @Option(help: .hidden) var plant: String?

  func run() throws {
    let corpus = try Corpus(paths)
    if let only {
      try repeatRun(only, corpus)
    } else if let worker {
      let bounds = worker.split(separator: ".").compactMap { Int($0) }
      guard bounds.count == 2 else { throw ValidationError("--worker takes FROM..TO") }
      Worker(corpus: corpus, seed: seed, plant: plant.flatMap(Plant.init))
        .work(bounds[0]..<bounds[1])
    } else {
      try supervise(corpus)
    }
  }

  private func repeatRun(_ index: Int, _ corpus: Corpus) throws {
    let files = Mutator.files(corpus, seed: seed, index: index)
    for file in files { Console.write("=== \(file.path)\n\(file.text)\n") }
    let trial = Trial(files)
    Console.write("--- \(trial.outcome.rawValue)\n")
    for problem in trial.problems { Console.write("problem: \(problem)\n") }
    if !trial.problems.isEmpty { throw ExitCode(1) }
  }

  private func supervise(_ corpus: Corpus) throws {
    var arguments = ["--seed", "\(seed)"] + paths
    if let plant { arguments += ["--plant", plant] }
    var supervisor = Supervisor(
      corpus: corpus, seed: seed, jobs: max(1, jobs), patience: patience,
      folder: URL(filePath: output), arguments: arguments)
    let start = ContinuousClock.now
    try supervisor.run(runs, shard)
    let elapsed = ContinuousClock.now - start
    Console.write(summary(supervisor.tally, elapsed))
    if !supervisor.tally.failures.isEmpty { throw ExitCode(1) }
  }

  private func summary(_ tally: Tally, _ elapsed: Duration) -> String {
    let seconds = max(1, Int(elapsed.components.seconds))
    let outcomes = Trial.Outcome.allCases.map {
      "\(tally.outcomes[$0.rawValue] ?? 0) \($0.rawValue)"
    }
    // A kind of change without a severity is told by 'diff', and is not a finding; Swift code is not fuzzed.
    let silent = Set(ClassificationTable.rows.filter { $0.severity == nil }.map(\.rule.id))
      .union(RulePages.all.filter { $0.scope == .sources }.map(\.id))
    let known = RuleCatalog.all.map(\.id).filter {
      !silent.contains($0) || tally.rules.contains($0)
    }
    let unseen = known.filter { !tally.rules.contains($0) }.sorted()
    return """
      \(shard.map { "shard \($0): " } ?? "")\(tally.runs) runs in \(seconds) s, \(tally.runs / seconds) a second, seed \(seed); \
      at most \(tally.memory) MiB
      outcomes: \(outcomes.joined(separator: ", ")); \
      \(tally.fixed) fixed, \(tally.generated) generated from
      rules that found something: \(known.count - unseen.count) of \(known.count)
      never seen: \(unseen.isEmpty ? "none" : unseen.joined(separator: ", "))
      failures: \(tally.failures.count)

      """
  }
}
