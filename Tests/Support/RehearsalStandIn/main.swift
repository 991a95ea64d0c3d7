import Foundation
import ManagedModels
import RehearsalHarness
import StoreEngine
import StoreFormat

guard let path = ProcessInfo.processInfo.environment["STAND_IN_HISTORY"] else {
  fatalError("STAND_IN_HISTORY is not set")
}
let history = try JSONDecoder().decode(
  History.self, from: Data(contentsOf: URL(filePath: path)))
var runtime = RehearsalRuntime(
  versions: zip(history.names, history.positions).map { name, position in
    let model = history.chain[position]
    return RehearsalRuntime.Version(name: name) { model }
  },
  create: { [history] url, version in
    try StoreFile(at: .file(url)).create(history.chain[history.positions[version]])
  },
  migrate: { [history] url, version in try StandIn(history: history).migrate(url, to: version) },
  archive: { elements, _ in .blob(Data("\(elements)".utf8)) },
  // No row has an entity here, but reading entities opens the store.
  entities: { [history] url, version, _ in
    try StandIn(history: history).migrate(url, to: version)
    return []
  })
runtime.expectations = (history.expected ?? []).map { $0.expectation(history.names) }
exit(RehearsalProgram(runtime).run(CommandLine.arguments))
