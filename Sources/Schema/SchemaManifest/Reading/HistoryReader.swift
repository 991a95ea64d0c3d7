package import SchemaModel

/// Reads a folder of manifests, and checks them together.
package struct HistoryReader: Sendable {
  package init() {}

  /// Reads the YAML files of a folder, in any order. A `schemagen.yaml` among them is the configuration.
  ///
  /// - Parameter bases: The files that the configuration extends; nil to ignore `extends:`.
  package func read(_ files: [SourceFile], bases: ConfigurationBases? = nil) -> History {
    let files = files.sorted { $0.path < $1.path }
    let configurations = files.filter { ConfigurationReader.isConfiguration($0) }
    let manifests = files.filter { !ConfigurationReader.isConfiguration($0) }
    var diagnostics: [Diagnostic] = []
    var history = History()
    if let file = configurations.first {
      (history.configuration, diagnostics) = ConfigurationReader().read(file, bases: bases)
    }
    for file in configurations.dropFirst() {
      diagnostics.append(
        Diagnostic(
          .fileName, "a second configuration", at: SourceLocation(file: file.path),
          related: [
            .init(
              "the first configuration is here", at: SourceLocation(file: configurations[0].path))
          ],
          help: ["delete one of the two files"]))
    }
    var check = HistoryCheck(Self.readAll(manifests))
    check.run()
    history.versions = check.versions
    diagnostics += Self.check(history.configuration.retirement, check.versions)
    history.diagnostics = (diagnostics + check.diagnostics).reportOrder
    return history
  }

  /// If versions are retired, checks that the plan begins with an existing version that is not the first.
  private static func check(
    _ retirement: Configuration.Retirement?, _ versions: [SchemaVersion]
  ) -> [Diagnostic] {
    let numbers = versions.map(\.number)
    guard let retirement, !numbers.isEmpty, !numbers.dropFirst().contains(retirement.below.value)
    else { return [] }
    let isFirst = retirement.below.value == numbers[0]
    return [
      Diagnostic(
        .wrongValue,
        isFirst
          ? "no version comes before \(numbers[0].name), the first version"
          : "there is no version \(retirement.below.value.name) for the plan to begin with",
        at: retirement.below.location,
        help: [
          numbers.count == 1
            ? "delete 'retired'"
            : "name one of \(numbers.dropFirst().map(\.name).joined(separator: ", ")), or delete 'retired'"
        ])
    ]
  }

  private static func readAll(_ files: [SourceFile]) -> [ReadManifest] {
    files.map { file in
      let (version, diagnostics) = ManifestReader().read(file)
      return ReadManifest(file: file, version: version, diagnostics: diagnostics)
    }
  }
}

/// A manifest that has been read but not yet compared with its neighbours.
struct ReadManifest: Sendable {
  let path: String
  let version: SchemaVersion?
  let diagnostics: [Diagnostic]
  let fileName: ManifestFileName

  init(file: SourceFile, version: SchemaVersion?, diagnostics: [Diagnostic]) {
    path = file.path
    self.version = version
    self.diagnostics = diagnostics
    fileName = ManifestFileName(file.name)
  }

  var number: VersionNumber? { version?.number ?? fileName.number }
}

/// The name of a manifest's file: `V9.yaml`, `V1_1.yml`.
struct ManifestFileName: Sendable {
  let name: String
  let number: VersionNumber?
  /// The number that a malformed name may mean.
  let guess: VersionNumber?

  init(_ name: String) {
    self.name = name
    var stem: Substring?
    for suffix in [".yaml", ".yml"] where name.hasSuffix(suffix) {
      stem = name.dropLast(suffix.count)
    }
    number = stem.flatMap { $0.first == "V" ? VersionNumber($0) : nil }
    let whole = name.split(separator: ".y").first ?? ""
    let digits = whole.drop { !("0"..."9").contains($0) }
    guess = VersionNumber(digits)
  }
}
