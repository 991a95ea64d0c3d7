internal import Foundation
internal import ManagedModels
internal import SchemaEvolution
package import SchemaGit
package import SchemaModel
internal import SchemaReporting
package import SchemaWorkspace
internal import StoreFormat
internal import StoreTools
package import SwiftSources

extension ReleaseHistory {
  /// Reads the models of all releases and looks for them in a folder's versions.
  ///
  /// `nil` if the manifests have errors, or the folder is in no repository.
  package init?(
    of folder: SchemaFolder, conditions: BuildConditions, progress: WorkObserver? = nil
  ) {
    self.init()
    do throws(GitFailure) {
      let repository = try GitRepository(containing: folder.path)
      guard try read(folder, repository, tag: nil, conditions, progress) else { return nil }
    } catch {
      guard error.kind != .noRepository else { return nil }
      gaps.append(Gap(error.reason, help: error.help))
    }
  }

  /// Reads the models of one release and looks for them in a folder's versions. `nil` if the manifests have errors.
  ///
  /// - Throws: `GitFailure` if the folder is in no repository, or there is no such tag.
  package init?(
    of folder: SchemaFolder, tag: String, conditions: BuildConditions
  ) throws(GitFailure) {
    self.init()
    let repository = try GitRepository(containing: folder.path)
    guard try read(folder, repository, tag: tag, conditions, nil) else { return nil }
  }

  /// - Returns: `false` if the manifests have errors.
  private mutating func read(
    _ folder: SchemaFolder, _ repository: GitRepository, tag: String?,
    _ conditions: BuildConditions, _ progress: WorkObserver?
  ) throws(GitFailure) -> Bool {
    guard let manifests = ManifestFolder(folder) else { return false }
    let commit = try tag.map { name throws(GitFailure) in try repository.reference(name).commit }
    let oldest = tag ?? folder.configuration.oldestRelease?.value
    let builds = conditions.adapted(to: folder.configuration)
    let released = try ReleasedModels(
      of: repository, .releases, since: oldest, conditions: builds[0], progress: progress)
    if tag == nil, released.isShallow {
      gaps.append(
        Gap(
          "this clone is shallow, and lacks older commits and their tags",
          help: GitRepository.deepening))
    }
    let versions = manifests.candidates
    let folders =
      [folder.path] + (folder.configuration.classes.map { [Path.join(folder.path, $0)] } ?? [])
    let names = Set(versions.flatMap { $0.model.entities.map(\.name) })
    let places = folders.compactMap(repository.path(of:))
    let answer = released.answer(for: names, in: places)
    for build in builds.dropFirst() {
      let others = try ReleasedModels(
        of: repository, .releases, since: oldest, conditions: build, progress: progress)
      for shape in others.answer(for: names, in: places).shapes
      where !answer.shapes.contains(where: { $0.version.hashes == shape.version.hashes })
        && !versions.contains(where: { $0.model.versionHashes == shape.version.hashes })
        && shape.version.doubts.isEmpty
        && commit.map({ id in shape.releases.contains { $0.commit == id } }) ?? true
      {
        lost.append(
          "\(shape.releases.named): its models on \(build.platform) were different. A plan has the same models on every system, so stores from \(build.platform) do not open (error 134504)"
        )
      }
    }
    // Retired versions are only in the lock.
    let locked = folder.lock.hashes.map { ($0.key.name, $0.value.entities) }
    for shape in answer.shapes {
      if let commit, !shape.releases.contains(where: { $0.commit == commit }) { continue }
      let hashes = shape.version.hashes
      let texts = hashes.entities.mapValues { $0.base64EncodedString() }
      let known =
        versions.last { $0.model.versionHashes == hashes }?.name
        ?? locked.first { $0.1 == texts }?.0
      if let known {
        releases[known] = shape.releases.named
      } else if let reason = manifests.history.last?.cannotList(shape.version.schema) {
        lost.append("\(shape.releases.named): \(reason)")
      } else if let reason = shape.version.doubts.first?.reason {
        unclear.append("\(shape.releases.named): \(reason)")
      } else if var missing = Missing(shape, in: manifests) {
        // If a release on another branch has all versions of this branch, the release's version comes after these
        // versions.
        missing.isLater =
          shape.releases.allSatisfy(\.isBeside)
          && versions.allSatisfy { shape.known.contains($0.model.versionHashes) }
        self.missing.append(missing)
      } else {
        unclear.append("\(shape.releases.named): no manifest can express its models")
      }
    }
    unclear += answer.unclear.map { "\($0.releases.named): \($0.reason)" }
    return true
  }
}

extension ReleaseHistory.Missing {
  fileprivate init?(_ shape: ReleasedModels.Shape, in folder: ManifestFolder) {
    guard let last = shape.releases.last,
      let manifest = MissingManifest(
        shape.version, from: last.name, commit: last.name, hashes: shape.version.hashes.entities,
        in: folder),
      let nearest = folder.history.first(where: { $0.number.name == manifest.nearest })
    else { return nil }
    var old = shape.version.schema.withoutStep
    old.number = VersionNumber(0)
    let changes = SchemaDiffer().changes(from: old, to: nearest.withoutStep)
    let tag =
      last.tags.last { $0 == $0.visibleInOneLine } ?? last.tags.last
      ?? String(last.commit.prefix(9))
    self.init(
      releases: shape.releases.named, tag: tag, file: manifest.file, text: manifest.text,
      version: manifest.version, nearest: nearest.number.name, change: changes.sentence)
  }
}
