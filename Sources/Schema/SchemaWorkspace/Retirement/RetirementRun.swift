package import SchemaEvolution
internal import SchemaManifest
package import SchemaModel

/// Removes old versions from the plan, or puts them back.
///
/// The manifests of these versions stay, since the names and hash modifiers of later versions and the recognition of
/// old stores depend on them. Generated code is removed, and user files are moved, because they would no longer
/// compile.
package struct RetirementRun: Sendable {
  /// The folder for user files of retired steps, below the folder of manifests.
  package static let codeFolder = "Retired"

  package private(set) var changes: [FileChange] = []
  package private(set) var refusal: (reason: String, help: [String])?
  package private(set) var evolution: Evolution?
  private let folder: String

  /// - Parameters:
  ///   - below: The version that the plan begins with; nil for the first.
  ///   - through: The app's last release that migrates stores of the versions before it.
  package init(
    _ path: String, below: VersionNumber?, through: String?, fileSystem: some FileSystem
  ) throws(FileSystemError) {
    folder = path
    let old = SchemaFolder.read(path, fileSystem: fileSystem)
    // A mistake under `retired` is no obstacle, since this run writes that key again.
    guard !old.versions.isEmpty, old.evolution != nil || old.configuration.retirement != nil else {
      refuse("the manifests have errors", "correct the errors first: 'schemagen lint' shows them")
      return
    }
    let numbers = old.versions.map(\.number)
    if let below {
      guard let place = numbers.firstIndex(of: below) else {
        let names = numbers.map(\.name).joined(separator: ", ")
        refuse("there is no version \(below.name); there are \(names)")
        return
      }
      guard place > 0 else {
        refuse(
          "no version comes before \(below.name), the first version",
          "to take all versions back into the plan: schemagen retire --undo"
            + ShellWord.schemas(path))
        return
      }
    } else if old.configuration.retirement == nil {
      refuse("no version is retired")
      return
    }
    let through =
      through ?? (below == nil ? nil : old.configuration.retirement?.through)
    guard let configured = try configuration(below, through, fileSystem) else {
      refuse(
        "'schemagen.yaml' cannot be edited",
        below.map { "write into the file: retired: { below: \($0.name) }" }
          ?? "delete 'retired' from the file")
      return
    }
    changes.append(configured)
    try moveCode(old, below, fileSystem)
    guard refusal == nil else { return }
    let files = MemoryFiles(
      Dictionary(
        uniqueKeysWithValues: changes.map {
          ($0.path, $0.action == .remove ? nil : Optional($0.contents))
        }), over: fileSystem)
    let new = SchemaFolder.read(path, fileSystem: files)
    evolution = new.evolution
    let known = Set(old.diagnostics.filter { $0.severity == .error }.map(\.message))
    if let error = new.diagnostics.first(where: {
      $0.severity == .error && !known.contains($0.message)
    }) {
      changes = []
      refusal = (error.message, error.help)
    }
  }

  package func write(to fileSystem: some FileSystem) throws(FileSystemError) {
    try changes.write(in: folder, to: fileSystem)
  }

  private mutating func refuse(_ reason: String, _ help: String...) {
    refusal = (reason, help)
    changes = []
  }

  private func configuration(
    _ below: VersionNumber?, _ through: String?, _ fileSystem: some FileSystem
  ) throws(FileSystemError) -> FileChange? {
    let key = "retired"
    let value = below.map {
      "{ below: \($0.name)" + (through.map { ", through: \(YAMLText.quoted($0))" } ?? "") + " }"
    }
    var path = Path.join(folder, "schemagen.yaml")
    let other = Path.join(folder, "schemagen.yml")
    if try fileSystem.read(path, limit: 1) == nil, try fileSystem.read(other, limit: 1) != nil {
      path = other
    }
    let previous = try fileSystem.read(path, limit: SchemaFolder.readLimit)
    let file = SourceFile(path: path, bytes: previous ?? [])
    guard let text = YAMLDocument.configuration(file, setting: key, to: value) else { return nil }
    return FileChange(
      action: text.isEmpty ? .remove : previous == nil ? .create : .update, path: path,
      contents: Array(text.utf8), previous: previous)
  }

  /// Moves the user files of retired steps away, and those of returning steps back.
  private mutating func moveCode(
    _ old: SchemaFolder, _ below: VersionNumber?, _ fileSystem: some FileSystem
  ) throws(FileSystemError) {
    let owned = Path.join(folder, old.configuration.owned)
    let retired = Path.join(folder, Self.codeFolder)
    for (from, to) in zip(old.versions, old.versions.dropFirst()) {
      let leaves = below.map { from.number < $0 } ?? false
      let name = VersionStep.name(from: from.number, to: to.number) + ".swift"
      let (source, target) = (
        Path.join(leaves ? owned : retired, name), Path.join(leaves ? retired : owned, name)
      )
      guard let bytes = try fileSystem.read(source, limit: OutputLocations.readLimit) else {
        continue
      }
      if leaves, old.configuration.extras.contains(.cloudMappers) {
        refuse(
          "with 'cloudMappers', records that old versions left in CloudKit are read with the functions in '\(source)'",
          "keep the versions: schemagen cannot tell when the last such record is gone",
          "or remove 'cloudMappers' from 'extras'")
        return
      }
      guard try fileSystem.read(target, limit: 1) == nil else {
        refuse("'\(source)' and '\(target)' both exist", "remove the file that is not needed")
        return
      }
      changes += [
        FileChange(action: .create, path: target, contents: bytes, previous: nil),
        FileChange(action: .remove, path: source, contents: [], previous: bytes),
      ]
    }
  }

  /// Reports an error unless a shipped version remains that the plan still migrates.
  static func check(
    _ retirement: Configuration.Retirement?, _ versions: [SchemaVersion],
    released: Set<VersionNumber>
  ) -> [Diagnostic] {
    guard let retirement, versions.contains(where: { $0.number == retirement.below.value }),
      let newest = released.max(), newest < retirement.below.value
    else { return [] }
    return [
      Diagnostic(
        .wrongValue,
        "the plan would begin with \(retirement.below.value.name), and no version from there on has shipped: "
          + "no store on a device could be opened",
        at: retirement.below.location,
        help: ["begin with \(newest.name), or an earlier one, or delete 'retired'"])
    ]
  }
}
