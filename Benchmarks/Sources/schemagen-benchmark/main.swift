// Measures schemagen on synthetic histories: `make benchmark`, or the executable with numbers of models.
//
// `schemagen-benchmark --write FOLDER [models]` writes a history of 20 versions into FOLDER/schemas, and the same as
// protocol buffers into FOLDER/proto/v1 and so on. `schemagen-benchmark --sources FILES --write FOLDER` writes so many
// Swift files into FOLDER/clean, which name no version, and into FOLDER/found, where one in fifty does.
//
// Each figure is the median of several runs in one process; memory is the process's peak so far, so sizes go up.

import Foundation
import SchemaEvolution
import SchemaManifest
import SchemaModel
import SchemaRendering
import SchemaWorkspace

if let option = CommandLine.arguments.firstIndex(of: "--write"),
  CommandLine.arguments.indices.contains(option + 1)
{
  let folder = URL(filePath: CommandLine.arguments[option + 1])
  if let sources = CommandLine.arguments.firstIndex(of: "--sources") {
    let files = CommandLine.arguments.dropFirst(sources + 1).first.flatMap { Int($0) } ?? 5_000
    for (name, every) in [("clean", nil), ("found", 50)] {
      let tree = SyntheticSources(files: files, every: every)
      for (path, text) in tree.manifests() + tree.sources() {
        try write(text, to: folder.appending(path: name + "/" + path))
      }
    }
  } else {
    let models = CommandLine.arguments.dropFirst(option + 2).compactMap { Int($0) }.first ?? 200
    try write(models, to: folder)
  }
  exit(0)
}

func write(_ text: String, to url: URL) throws {
  try FileManager.default.createDirectory(
    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
  try text.write(to: url, atomically: false, encoding: .utf8)
}

func write(_ models: Int, to folder: URL) throws {
  func file(_ text: String, _ path: String) throws {
    try write(text, to: folder.appending(path: path))
  }
  let manifests = SyntheticHistory(models: models, versions: 20).manifests()
  var files: [SourceFile] = []
  for (index, text) in manifests.enumerated() {
    try file(text, "schemas/V\(index + 1).yaml")
    files.append(SourceFile(path: "V\(index + 1).yaml", text: text))
  }
  let protobuf = ProtobufHistory(HistoryReader().read(files).versions)
  for (index, text) in protobuf.files().enumerated() {
    try file(text, "proto/v\(index + 1)/synthetic/v1/synthetic.proto")
    try file("version: v2\n", "proto/v\(index + 1)/buf.yaml")
  }
}

let runs = 5
let sizes = CommandLine.arguments.dropFirst().compactMap { Int($0) }

func median(_ work: () throws -> Void) rethrows -> Double {
  var times: [Double] = []
  for _ in 0..<runs {
    let start = ContinuousClock.now
    try work()
    let elapsed = ContinuousClock.now - start
    times.append(
      Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18)
  }
  return times.sorted()[runs / 2]
}

/// Peak resident memory in MiB.
func peakMemory() -> Int {
  var usage = rusage()
  #if os(Linux)
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Int(usage.ru_maxrss) / 1024
  #else
    getrusage(RUSAGE_SELF, &usage)
    return Int(usage.ru_maxrss) / 1024 / 1024
  #endif
}

func cell(_ text: String, _ width: Int) -> String {
  String(repeating: " ", count: max(0, width - text.count)) + text
}

func seconds(_ value: Double) -> String { cell(String(format: "%.3f", value), 9) }

print("models x 20 versions x 20 properties; seconds, median of \(runs); memory in MiB")
let columns = [
  "models", "YAML MiB", "read", "evolve", "render", "report", "generate", "check", "files",
  "MiB out", "KiB page", "memory",
]
print(columns.map { cell($0, 9) }.joined())

for models in sizes.isEmpty ? [10, 50, 200] : sizes {
  let folder = FileManager.default.temporaryDirectory.appending(
    path: "schemagen-\(UUID().uuidString)")
  defer { try? FileManager.default.removeItem(at: folder) }
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  var files: [SourceFile] = []
  for (index, text) in SyntheticHistory(models: models, versions: 20).manifests().enumerated() {
    let url = folder.appending(path: "V\(index + 1).yaml")
    try text.write(to: url, atomically: false, encoding: .utf8)
    files.append(SourceFile(path: url.path, text: text))
  }
  let size = Double(files.map(\.bytes.count).reduce(0, +)) / 1_048_576

  var history = History()
  let read = median { history = HistoryReader().read(files) }
  var evolution = AnalysisPipeline(history: []).run()
  let evolve = median {
    evolution = AnalysisPipeline(history: history.versions, configuration: history.configuration)
      .run()
  }
  let problems = history.diagnostics + evolution.diagnostics
  if let first = problems.first(where: { $0.severity == .error }) {
    print(
      "the synthetic history has an error: \(first.message) \(first.location.map(String.init(describing:)) ?? "")"
    )
    exit(1)
  }
  let renderer = Renderer(templates: TemplateStore())
  var output: [GeneratedFile] = []
  let render = median { output = renderer.files(for: evolution) }

  let shown = HistoryReport(
    title: "Synthetic", evolution, findings: evolution.diagnostics, lock: SchemaLock())
  var page = ""
  let report = median { page = shown?.page ?? "" }
  let written = Double(output.map(\.contents.utf8.count).reduce(0, +)) / 1_048_576

  // The whole way: read, evolve, render, compare and write; each run begins with nothing written.
  let disk = Disk()
  let generate = try median {
    try? FileManager.default.removeItem(at: folder.appending(path: "Generated"))
    try? FileManager.default.removeItem(at: folder.appending(path: "schema.lock"))
    try GenerationPipeline(fileSystem: disk).run(folder.path).write(to: disk)
  }
  let check = median {
    precondition(GenerationPipeline(fileSystem: disk).run(folder.path).changes.isEmpty)
  }
  print(
    cell("\(models)", 9) + cell(String(format: "%.2f", size), 9) + seconds(read)
      + seconds(evolve) + seconds(render) + seconds(report) + seconds(generate) + seconds(check)
      + cell("\(output.count)", 9) + cell(String(format: "%.1f", written), 9)
      + cell("\(page.utf8.count / 1024)", 9)
      + cell("\(peakMemory())", 9))
}
