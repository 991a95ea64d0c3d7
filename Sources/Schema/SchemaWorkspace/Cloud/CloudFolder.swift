internal import ManagedModels
package import SchemaEvolution
internal import SchemaManifest
package import SchemaModel
internal import SchemaReporting

/// A folder of manifests whose store syncs: what its versions write into CloudKit.
package struct CloudFolder: Sendable {
  /// Which versions a container has to serve.
  package enum Choice: Equatable, Sendable {
    case newest
    case version(VersionNumber)
    /// Everything that devices may have: the versions that have shipped, from the oldest that still syncs on.
    case shipped
    /// Those behind a version, which the container serves already.
    case after(VersionNumber)
  }

  package let path: String
  /// All versions, in ascending order.
  package let history: [CloudComparison.Version]
  /// Those that are meant.
  package let versions: [CloudComparison.Version]
  package let configuration: Configuration
  /// For snippets.
  package private(set) var sources: [String: String]

  /// - Throws: Why there is nothing to say of the folder.
  package init(
    _ path: String, _ choice: Choice, fileSystem: some FileSystem
  ) throws(CloudTrouble) {
    // What changes between versions is another matter.
    let folder = ManifestHistory(path, fileSystem: fileSystem)
    let all = folder.history.versions
    let numbers = all.map(\.number)
    guard !folder.diagnostics.hasErrors, !numbers.isEmpty else {
      throw CloudTrouble(
        folder.diagnostics.filter { $0.severity == .error }, sources: folder.files.textsByPath)
    }
    self.path = path
    sources = folder.files.textsByPath
    configuration = folder.history.configuration
    let cloud = configuration.cloud
    let models = Set(all.flatMap { $0.models.map(\.name) })
    let unknown = cloud.local.filter { !models.contains($0.value) }
    guard unknown.isEmpty else {
      throw CloudTrouble(
        unknown.map { name in
          Diagnostic(
            .unknownLocalModel, "no version has a model '\(name.value)'", element: name.value,
            at: name.location, help: Suggestion.help(for: name.value, among: models.sorted()))
        }, sources: sources)
    }
    let local = Set(cloud.local.map(\.value))
    history = all.map { CloudComparison.Version($0, local: local) }
    let released =
      choice == .shipped ? SchemaFolder.lock(in: path, fileSystem: fileSystem).released : []
    let chosen =
      switch choice {
      case .newest: history.suffix(1)
      case .version(let number): history.filter { $0.version.number == number }[...]
      case .after(let number): history.filter { $0.version.number > number }[...]
      case .shipped:
        history.filter { version in
          (released.contains(version.version.number) || version.version.identity == .shipped)
            && cloud.oldest.map { version.version.number >= $0 } ?? true
        }[...]
      }
    versions = Array(chosen)
    guard versions.isEmpty else { return }
    let known = "there are: " + numbers.map(\.name).joined(separator: ", ")
    let (message, help) =
      switch choice {
      // There is a newest one.
      case .newest: ("there is no version", known)
      case .version(let number): ("there is no version \(number.name)", known)
      case .after(let number): ("there is no version behind \(number.name)", known)
      case .shipped:
        (
          "no version has shipped",
          "'schemagen release' records what has; without '--all-shipped' the newest version is compared"
        )
      }
    throw CloudTrouble(
      [Diagnostic(.noCloudVersion, "'\(path)': \(message)", at: nil, help: [help])],
      sources: sources)
  }

  /// What people call the versions: `V9`, `V7 to V9`.
  package var names: String { versions.names }

  /// The versions, held against a container's schema.
  package func comparison(with export: CloudExport) -> CloudComparison {
    CloudComparison(
      of: versions, among: history, with: export.schema, in: export.path,
      isShared: configuration.cloud.isShared)
  }

  /// The export of production that the configuration names.
  package var production: String? { configuration.cloud.production.map { Path.join(path, $0) } }

  /// The summary where nothing is missing.
  package var headline: String {
    let types = Set(versions.flatMap { $0.records.recordTypes.map(\.name) }).count
    return
      "\(path): production has everything that \(names) \(versions.count == 1 ? "writes" : "write"): "
      + counted(types, "record type")
  }

  /// Findings with the severities of the configuration.
  package func levelled(_ findings: [Diagnostic]) -> [Diagnostic] {
    RuleLevels(configuration, file: Path.join(path, "schemagen.yaml")).apply(to: findings)
      .reportOrder
  }

  /// Reads an export of a container's schema.
  ///
  /// - Throws: What is wrong with it: of what cannot be read whole, nothing can be said.
  package mutating func export(
    _ path: String, fileSystem: some FileSystem
  ) throws(CloudTrouble) -> CloudExport {
    let bytes: [UInt8]?
    do throws(FileSystemError) {
      bytes = try fileSystem.read(path, limit: Self.readLimit)
    } catch {
      throw CloudTrouble(
        [Diagnostic(.unreadable, "'\(path)': \(error.reason)", at: nil)], sources: [:])
    }
    guard let bytes else {
      throw CloudTrouble(
        [
          Diagnostic(
            .unreadable, "there is no file '\(path)'", at: nil,
            help: [
              "'xcrun cktool export-schema --output-file \(ShellWord.quoted(path)) …' writes it"
            ])
        ], sources: [:])
    }
    let file = SourceFile(path: path, bytes: bytes)
    sources[path] = file.text
    var reading = CloudSchema.read(file)
    if bytes.count == Self.readLimit {
      reading.diagnostics.append(
        Diagnostic(
          .brokenCloudSchema, "the file is larger than \(Self.readLimit / 1_048_576) MiB",
          at: SourceLocation(file: path)))
    } else if reading.diagnostics.isEmpty, reading.schema.recordType(named: "Users") == nil {
      reading.diagnostics.append(
        Diagnostic(
          .brokenCloudSchema, "the file has no record type 'Users', which every container has",
          at: SourceLocation(file: path),
          help: ["it is no export, or not all of one: export the schema again"]))
    }
    guard reading.diagnostics.isEmpty else {
      throw CloudTrouble(reading.diagnostics.reportOrder, sources: sources)
    }
    return CloudExport(
      path: path, schema: reading.schema, digest: SHA256.hash(file.text).hexadecimal)
  }

  /// Far more than a server allows in a schema.
  private static let readLimit = 16 * 1024 * 1024
}

/// An export of a container's schema.
package struct CloudExport: Sendable {
  /// As the user named it.
  package let path: String
  package let schema: CloudSchema
  /// A SHA-256 of the file, in lower-case hex.
  package let digest: String
}

/// Why a container's schema and versions cannot be compared.
package struct CloudTrouble: Error, Sendable {
  package let diagnostics: [Diagnostic]
  package let sources: [String: String]

  init(_ diagnostics: [Diagnostic], sources: [String: String]) {
    self.diagnostics = diagnostics
    self.sources = sources
  }
}

extension Rule {
  static let unknownLocalModel = Rule(
    "unknown-local-model", "A model that stays local is a model of some version",
    basis: .page("cloud", "settings"))
  static let noCloudVersion = Rule(
    "no-cloud-version", "There is a version to compare with a container",
    basis: .page("cloud", "what-production-lacks"))
}
