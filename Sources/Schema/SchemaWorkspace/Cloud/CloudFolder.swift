internal import ManagedModels
package import SchemaEvolution
internal import SchemaManifest
package import SchemaModel
internal import SchemaReporting

/// A folder of manifests whose store syncs, with the CloudKit records of its versions.
package struct CloudFolder: Sendable {
  /// The versions that a container has to serve.
  package enum Choice: Equatable, Sendable {
    case newest
    case version(VersionNumber)
    /// Every version that devices may have: the shipped ones, from the oldest that still syncs.
    case shipped
    /// The versions after one that the container serves already.
    case after(VersionNumber)
    case these(Set<VersionNumber>)

    fileprivate func options(among history: [VersionNumber]) -> String {
      switch self {
      case .newest: return ""
      case .version(let number): return number == history.last ? "" : " --of \(number.name)"
      case .shipped: return " --all-shipped"
      case .after(let number): return " --from \(number.name)"
      case .these(let numbers):
        guard let first = numbers.min() else { return "" }
        if numbers.count == 1 { return Self.version(first).options(among: history) }
        let before = history.last { $0 < first } ?? VersionNumber(0)
        return Self.after(before).options(among: history)
      }
    }
  }

  package let path: String
  package let choice: Choice
  package let released: Set<VersionNumber>
  package let history: [CloudComparison.Version]
  package let versions: [CloudComparison.Version]
  package let configuration: Configuration
  package private(set) var sources: [String: String]

  package init(
    _ path: String, _ choice: Choice, fileSystem: some FileSystem
  ) throws(CloudTrouble) {
    // Errors in steps do not matter here.
    let folder = ManifestHistory(path, fileSystem: fileSystem)
    let all = folder.history.versions
    let numbers = all.map(\.number)
    guard !folder.diagnostics.hasErrors, !numbers.isEmpty else {
      throw CloudTrouble(
        folder.diagnostics.filter { $0.severity == .error }, sources: folder.files.textsByPath)
    }
    self.path = path
    self.choice = choice
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
    released = SchemaFolder.lock(in: path, fileSystem: fileSystem).released
    let released = released
    let chosen =
      switch choice {
      case .newest: history.suffix(1)
      case .version(let number): history.filter { $0.version.number == number }[...]
      case .after(let number): history.filter { $0.version.number > number }[...]
      case .these(let numbers): history.filter { numbers.contains($0.version.number) }[...]
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
      // `numbers` is not empty, so there is a newest version.
      case .newest, .these: ("there is no version", known)
      case .version(let number): ("there is no version \(number.name)", known)
      case .after(let number): ("there is no version after \(number.name)", known)
      case .shipped:
        (
          "no version has shipped",
          "'schemagen release' records shipped versions; without '--all-shipped' the newest version is compared"
        )
      }
    throw CloudTrouble(
      [Diagnostic(.noCloudVersion, "'\(path)': \(message)", at: nil, help: [help])],
      sources: sources)
  }

  /// The names of the versions: `V9`, `V7 to V9`.
  package var names: String { versions.names }

  package var options: String {
    ShellWord.schemas(path) + choice.options(among: history.map(\.version.number))
  }

  package func findings(_ exports: [CloudExport]) -> [Diagnostic] {
    exports.flatMap { export in
      comparison(with: export).findings().map { finding in
        guard exports.count > 1 else { return finding }
        var finding = finding
        finding.message = "\(export.name): \(finding.message)"
        return finding
      }
    }
  }

  package func comparison(
    with export: CloudExport, standing: CloudComparison.Standing = .production
  ) -> CloudComparison {
    CloudComparison(
      of: versions, among: history, with: export.schema, in: export.path,
      isShared: configuration.cloud.isShared, standing: standing)
  }

  package var productions: [Configuration.Cloud.Production] {
    configuration.cloud.production.map { .init(Path.join(path, $0.path), of: $0.container) }
  }

  /// The summary if production lacks nothing that values need.
  ///
  /// - Parameter findings: Notes. A note about an asset means that production may lack a field that no value needs so
  ///   far.
  package func headline(_ exports: [CloudExport], _ findings: [Diagnostic] = []) -> String {
    let types = Set(versions.flatMap { $0.records.recordTypes.map(\.name) }).count
    let hasAll = !findings.contains { $0.rule == .cloudAssetMissing }
    let verb = versions.count == 1 ? "writes" : "write"
    return
      "\(path): production \(hasAll ? "has everything that \(names) \(verb)" : "accepts every value that \(names) \(verb)"): "
      + counted(types, "record type")
      + (exports.count > 1 ? ", in \(exports.count) containers" : "")
  }

  package func levelled(_ findings: [Diagnostic]) -> [Diagnostic] {
    RuleLevels(configuration, in: path).apply(to: findings)
      .reportOrder
  }

  /// Reads an export of a container's schema, and refuses an incomplete export.
  ///
  /// - Parameters:
  ///   - container: The container's name, if the configuration has it.
  ///   - isProduction: Whether the file must be an export of production, not one that schemagen wrote.
  package mutating func export(
    _ path: String, of container: String? = nil, isProduction: Bool = true,
    fileSystem: some FileSystem
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
    let export = CloudExport(
      path: path, container: container, schema: reading.schema,
      digest: SHA256.hash(file.text).hexadecimal, text: file.text)
    if isProduction, export.isOurs {
      // Servers drop comments, so an export never has the comment that `isOurs` looks for.
      throw CloudTrouble(
        [
          Diagnostic(
            .brokenCloudSchema,
            "'schemagen cloud schema' wrote this file: it does not show what production has",
            at: SourceLocation(file: path),
            help: [
              "export production: xcrun cktool export-schema --environment production --output-file \(ShellWord.quoted(path)) …"
            ])
        ], sources: sources)
    }
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
          help: ["the file is not a complete export: export the schema again"]))
      // Mistakes in a handwritten file must be reported before it is imported.
      reading.diagnostics += comparison(with: export, standing: .draft(production: nil)).findings()
        .filter { $0.rule == .cloudConflict }
    }
    guard reading.diagnostics.isEmpty else {
      throw CloudTrouble(reading.diagnostics.reportOrder, sources: sources)
    }
    return export
  }

  package mutating func exports(
    _ fileSystem: some FileSystem, given: [Configuration.Cloud.Production]? = nil
  ) throws(CloudTrouble) -> [CloudExport] {
    var exports: [CloudExport] = []
    for production in given ?? productions {
      exports.append(
        try export(production.path, of: production.container, fileSystem: fileSystem))
    }
    return exports
  }

  /// Far more bytes than a server's limits on a schema allow.
  private static let readLimit = 16 * 1024 * 1024
}

/// An export of a container's schema.
package struct CloudExport: Sendable {
  package let path: String
  /// The container's name; nil if there is only one.
  package let container: String?
  package let schema: CloudSchema
  /// The SHA-256 of the file, in lower-case hex.
  package let digest: String
  fileprivate let text: String

  package var name: String { container ?? "'\(path)'" }

  package var isOurs: Bool { text.hasPrefix(Self.mark) || text.hasPrefix("\u{FEFF}" + Self.mark) }

  /// Whether the file has comments by the user, which a merge drops.
  package var hasComments: Bool {
    text.split(separator: "\n").contains { line in
      let line = line.drop { $0 == " " || $0 == "\t" }
      return ["//", "--", "/*"].contains { line.hasPrefix($0) }
        && !line.hasPrefix(Self.mark.prefix { $0 != "\n" })
    }
  }

  /// A schema as a file to import, marked so that it is not taken for an export.
  package static func written(_ schema: CloudSchema, like export: CloudExport?) -> String {
    let endsBlank = export.map { $0.text.hasSuffix("\n\n") } ?? false
    return mark + schema.text + (endsBlank ? "\n" : "")
  }

  private static let mark =
    "// Written by 'schemagen cloud schema', to be imported into development. It is not an export.\n"
}

extension [CloudExport] {
  /// The SHA-256 of all digests, in lower-case hex. The digest of a single export is the file's.
  var digest: String {
    count == 1
      ? self[0].digest : SHA256.hash(map(\.digest).joined(separator: "\n")).hexadecimal
  }
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
    "unknown-local-model", "A model under 'cloud: local' exists in some version",
    basis: .page("cloud", "settings"))
  static let noCloudVersion = Rule(
    "no-cloud-version", "There is a version to compare with a container",
    basis: .page("cloud", "what-production-lacks"))
}
