internal import SchemaModel

/// Parses the files that say something of models, and those that declare what these use.
struct SourceReader {
  private(set) var sources: [SwiftSource]
  private let lookUp: (Set<String>) -> [SourceFile]
  private var asked: Set<String> = []

  /// - Parameter lookUp: Gives the files that declare types of these names.
  init(
    _ files: [SourceFile], lookUp: @escaping (Set<String>) -> [SourceFile]
  ) {
    sources = files.sorted { $0.path < $1.path }.concurrentlyParsed
    self.lookUp = lookUp
  }

  /// What those of the files say that are wanted.
  ///
  /// A type that a model stores may be declared anywhere, and be made of types that are, too.
  mutating func adoption(
    _ options: Adoption.Options, where isWanted: (SwiftSource) -> Bool = { _ in true }
  ) -> Adoption {
    while true {
      let (app, tests) = TestCode.parted(sources)
      let adoption = Adoption.read(
        app.filter(isWanted), tests: tests.filter(isWanted), options: options)
      let missing = adoption.undeclared.subtracting(asked)
      guard !missing.isEmpty else { return adoption }
      asked.formUnion(missing)
      let known = Set(sources.map(\.file.path))
      let found = lookUp(missing).filter { !known.contains($0.path) }
      guard !found.isEmpty else { return adoption }
      sources = (sources + found.concurrentlyParsed).sorted { $0.file.path < $1.file.path }
    }
  }
}
