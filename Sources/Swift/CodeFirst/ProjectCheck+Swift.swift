package import SchemaGit
internal import SchemaLint
package import SchemaModel
internal import SchemaRendering
internal import SchemaReporting
package import SchemaWorkspace
internal import SwiftAdoption
internal import SwiftChecks
package import SwiftSources
internal import SwiftSyntax

extension SchemaVersion {
  /// Reports stored types that the app declares in the base's files and no longer declares here.
  fileprivate func undeclaredTypes(
    in files: (Set<String>) -> [SourceFile], declaredIn others: (Set<String>) -> [SourceFile],
    _ base: String
  ) -> [Diagnostic] {
    let own = Set(types.filter { $0.isOwn && $0.appName == nil }.map(\.name))
    guard !own.isEmpty else { return [] }
    let gone = own.subtracting(files(own).concurrentlyParsed.declaredTypes)
    guard !gone.isEmpty else { return [] }
    let known = others(gone).concurrentlyParsed.declaredTypes
    return gone.intersection(known).sorted().map { name in
      Diagnostic(
        .undeclaredType,
        "'\(name)' is declared in \(base), but no file declares it any more: rows hold what its code wrote, and no check compares that code with the manifest now",
        element: name, at: type(named: name)?.location,
        help: [
          "keep its declaration in this repository, or make sure that the declaration that replaces it stores the same raw values and fields"
        ], severity: .warning)
    }
  }
}

extension SchemaVersion {
  /// Reports the classes of the version's models in files that are no longer compared.
  ///
  /// - Parameter folder: The folder in the configuration, which differs from the base's.
  fileprivate func classes(in files: [SourceFile], outside folder: String) -> [Diagnostic] {
    let names = Set(models.map(\.name))
    let left = files.filter { file in
      !GeneratedFile.isMarked(file.bytes)
        && !(Path.normalized(file.path) + "/").hasPrefix(folder == "." ? "" : folder + "/")
    }
    return left.concurrentlyParsed.flatMap { source in
      source.syntax.statements.compactMap { $0.item.as(ClassDeclSyntax.self) }
        .filter { names.contains($0.name.plain) && $0.attributes.attribute("Model") != nil }
        .map { node in
          .changed(
            "'classes:' no longer names the folder of this '\(node.name.plain)': its changes are no longer compared with the manifests",
            node.name.plain, source.location(of: node.name),
            "name a folder in 'classes:' that has all the app's classes, or remove this class")
        }
    }
  }
}

extension SchemaVersion {
  /// Reports classes that became value types of the version.
  ///
  /// - Parameter shipped: The version that users have.
  fileprivate func storedClasses(
    besides shipped: SchemaVersion?, in files: ([String]) -> [SourceFile]
  ) -> [Diagnostic] {
    let opaque = Set(types.filter { $0.kind == .opaque }.map(\.name))
    let new = columnTypes(besides: shipped).filter { opaque.contains($0.name) }
    guard !new.isEmpty else { return [] }
    let names = Set(new.map { type(named: $0.name)?.appName ?? $0.name })
    var classes: [String: Place] = [:]
    for source in files(names.sorted().map { "class \($0.split(separator: ".").last ?? "")" })
      .writtenForUsers
    {
      for node in source.syntax.all(ClassDeclSyntax.self) {
        let path = Syntax(node).enclosingTypes + [node.name.plain]
        classes[path.joined(separator: ".")] = source.location(of: node.name)
      }
    }
    return new.compactMap { name, element, place in
      guard let declared = classes[type(named: name)?.appName ?? name] else { return nil }
      var finding = Diagnostic.unstorable(element, "the class '\(name)'", at: place)
      finding.related.append(.init("it is declared here", at: declared))
      return finding
    }
  }
}

extension [SwiftSource] {
  /// The names of all types that the files declare, with and without the names of enclosing types.
  fileprivate var declaredTypes: Set<String> {
    var names: Set<String> = []
    for source in self {
      for declaration in source.syntax.all(DeclSyntax.self) {
        guard let name = declaration.asProtocol((any NamedDeclSyntax).self)?.name.plain else {
          continue
        }
        let around = Syntax(declaration).enclosingTypes
        names.insert((around + [name]).joined(separator: "."))
        names.insert(name)
      }
    }
    return names
  }
}

extension ProjectCheck {
  /// Adds findings in the app's Swift: classes that differ from the newest manifests, mistakes around migrations, and
  /// changes since a base's Swift.
  ///
  /// - Parameters:
  ///   - paths: Folders and files of Swift code.
  ///   - today: The day that decides whether acceptances have expired.
  ///   - fileSystem: The file system of manifests and generated files. Sources are on the disk.
  ///   - place: Returns the path of a folder of manifests in `fileSystem`.
  package mutating func readSwift(
    _ paths: [String], conditions: BuildConditions = BuildConditions(), today: CalendarDay,
    fileSystem: some FileSystem, place: (String) -> String = { $0 }, against base: BaseSwift? = nil,
    progress: WorkObserver? = nil
  ) {
    // Broken manifests do not define enough to check Swift. The verdict reports them.
    guard !isMalformed else { return }
    let names = folders.filter { !$0.isRemoved }.map { place($0.path) }
    // A change must not weaken its own checks: the configurations are as strict as those of the base.
    let judged = Dictionary(folders.map { (place($0.path), $0.judged) }) { first, _ in first }
    let detection = Detection(
      paths: paths, folders: names, judged: judged, conditions: conditions, today: today,
      fileSystem: fileSystem, progress: progress)
    for snapshot in detection.snapshots {
      replace(
        by: snapshot.findings, answering: snapshot.changes.isEmpty ? nil : snapshot.manifest)
      move(snapshot.placed)
    }
    add(
      detection.findings.filter { !isTold($0) },
      silenced: detection.accepted.map {
        SilencedFinding($0.finding, reason: $0.acceptance.reason)
      },
      sources: detection.sources, count: detection.count, moved: detection.moved,
      isMalformed: detection.isMalformed)
    let lint = SourceLint(
      paths: paths, folders: names, judged: judged, today: today, fileSystem: fileSystem,
      progress: progress)
    let tree = SourceTree(folders: paths)
    let settings = BuildSettings(tree.buildSettings)
    let entitlements = Entitlements(
      tree.entitlements.compactMap(SourceFile.init(onDisk:)), of: settings)
    let stores = StoreOpenings(entitlements) { tree.files(containing: Prefilter($0)).files }
    let (numbered, silenced) = Self.accepted(stores.numbered, today)
    for folder in folders where !folder.isRemoved {
      add(
        RuleLevels(folder.judged, in: folder.path)
          .apply(to: folder.olderSystems(in: settings.platforms)),
        silenced: [], sources: [:], count: 0, moved: [], isMalformed: false)
    }
    add(
      lint.findings + folders.compactMap(\.newest).flatMap(stores.findings) + numbered,
      silenced: silenced
        + lint.accepted.map { SilencedFinding($0.finding, reason: $0.acceptance.reason) },
      sources: lint.sources, count: lint.count, moved: [], isMalformed: lint.isMalformed)
    if let base, !isMalformed {
      compare(stores, settings, in: tree, with: base, conditions: conditions, today: today)
    }
  }

  private mutating func compare(
    _ stores: StoreOpenings, _ settings: BuildSettings, in tree: SourceTree, with base: BaseSwift,
    conditions: BuildConditions, today: CalendarDay
  ) {
    let settings = (
      was: BuildSettings(base.files(with: BuildSettings.keys, named: BuildSettings.names)),
      now: settings
    )
    let before = StoreOpenings(
      Entitlements(
        base.files(with: Entitlements.keys, named: ["*.entitlements"]), of: settings.was)
    ) { base.files(with: $0) }
    var found: [Diagnostic] = []
    // Two rules check plans and CloudKit even without a base. Their findings are not reported twice.
    let told = Set(
      (findings + silenced.map(\.finding))
        .filter { [.containerWithoutPlan, .cloudDatabaseDiffers].contains($0.rule) }
        .map(\.location))
    for folder in folders where !folder.isRemoved {
      guard let newest = folder.newest else { continue }
      found += stores.changes(
        from: before, base.name, newest, since: folder.shipped, plan: folder.names.plan,
        toldAt: told)
      found += stores.hiding(
        [folder.names.activeSchema, folder.names.plan], since: before, base.name)
      found += newest.storedClasses(besides: folder.shipped, in: stores.files)
      var conditions = conditions
      conditions.defines.merge(folder.defines) { own, _ in own }
      found += StoredConditions(newest, in: stores.files).findings(
        since: StoredConditions(newest, in: before.files), base.name, settings, conditions
      ) { flag in
        base.files(with: [flag], named: ["*schemagen.yaml"]).isEmpty
      }
      if let classes = folder.classes,
        findings.contains(where: {
          $0.rule == .weakerChecks && $0.element == "classes"
            && $0.location.map { Path.folder(of: $0.file) } == Path.normalized(folder.path)
        })
      {
        let kept = Path.normalized(Path.join(folder.path, classes))
        found += newest.classes(in: stores.files(["@Model"]), outside: kept)
      }
      guard folder.classes == nil else { continue }
      found += newest.undeclaredTypes(
        in: { tree.files(containing: SourceAdoption.prefilter(declaring: .types($0))).files },
        declaredIn: { base.files(with: SourceAdoption.declarations(of: $0)) }, base.name)
    }
    let (remaining, silenced) = Self.accepted(found, today)
    add(remaining, silenced: silenced, sources: [:], count: 0, moved: [], isMalformed: false)
  }

  private static func accepted(
    _ found: [Diagnostic], _ today: CalendarDay
  ) -> (remaining: [Diagnostic], silenced: [SilencedFinding]) {
    var silenced: [SilencedFinding] = []
    let remaining = Dictionary(grouping: found) { $0.location?.file ?? "" }
      .sorted { $0.key < $1.key }.flatMap { path, findings in
        guard let file = SourceFile(onDisk: path) else { return findings }
        let source = SwiftSource(file)
        let outcome = SourceAcceptances(source).apply(to: findings, of: [.storeMoved], on: today)
        silenced += outcome.accepted.map {
          SilencedFinding($0.finding, reason: $0.acceptance.reason)
        }
        // After the merge, the finding no longer occurs. The comment then accepts nothing, but may stay.
        let told = Set(findings.map(\.rule.id))
        return outcome.remaining.filter { told.contains($0.rule.id) }
      }
    return (remaining, silenced)
  }

  /// Whether a difference only follows from outdated generated files, which another finding reports.
  private func isTold(_ finding: Diagnostic) -> Bool {
    if finding.rule == .editedGeneratedFile { return true }
    let stale = folders.filter { !$0.stale.isEmpty && $0.classes == nil }
    guard let file = finding.location?.file else {
      return finding.rule == .removedModel && !stale.isEmpty
    }
    // The model may be in a manifest that has not been generated yet.
    return stale.contains { folder in
      folder.stale.contains { $0.path == file }
        || finding.rule == .removedModel && Path.folder(of: file) == Path.normalized(folder.path)
    }
  }
}

extension FolderCheck {
  /// Reports a project that is built for older systems than the configuration says.
  fileprivate func olderSystems(in project: [Configuration.Platform: Int]) -> [Diagnostic] {
    let older = project.filter { platform, version in
      // The configuration leaves a system out if the app does not ship there.
      platforms.isEmpty || platforms[platform].map { version < $0 } ?? false
    }
    guard !older.isEmpty else { return [] }
    guard !platforms.isEmpty else {
      return Diagnostic.newerSystems(
        than: older, in: lint.versions, source: "the app's project is built for")
    }
    let sorted = older.sorted { $0.key < $1.key }
    let named = sorted.map { "\($0.key.rawValue) \($0.value)" }.enumeration
    let said = sorted.compactMap { platform, _ in
      platforms[platform].map { "\(platform.rawValue) \($0)" }
    }.enumeration
    return [
      Diagnostic(
        .newerSystem,
        "'platforms:' says \(said), but the app's project is built for \(named): what fails on those systems is not reported",
        element: "platforms",
        at: SourceLocation(file: Path.join(path, "schemagen.yaml")),
        help: [
          "write 'platforms: \(platforms.merging(older) { $1 }.written)' in schemagen.yaml",
          "or raise the project's deployment target",
        ], severity: .warning)
    ]
  }
}
