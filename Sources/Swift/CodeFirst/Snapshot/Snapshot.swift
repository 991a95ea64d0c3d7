internal import SchemaEvolution
internal import SchemaLint
internal import SchemaManifest
package import SchemaModel
internal import SchemaRendering
package import SchemaWorkspace
internal import SwiftAdoption
internal import SwiftChecks
package import SwiftSources

/// The result of `snapshot`: the newest manifest according to the app's classes, and the files generated from it.
/// `write(to:)` writes them.
package struct Snapshot: Sendable {
  /// A change in the classes that the manifest lacked.
  package struct Change: Sendable, Hashable {
    package var element: String
    /// The change in words: `add an optional attribute`.
    package var what: String
    /// Its place in the classes; nil for a removed element.
    package var place: SourceLocation?
    var isDocumentation = false
  }

  package let folder: String
  /// The path of the newest manifest after the snapshot.
  package private(set) var manifest = ""
  /// Whether the newest version has shipped, and the manifest begins the next version.
  package private(set) var isNext = false
  package private(set) var changes: [Change] = []
  package private(set) var findings: [Diagnostic] = []
  /// Whether nothing is written because classes or manifests could not be understood.
  package private(set) var isRefused = false
  /// The manifest, if it changes, and the generated files that change. There are none if there are errors.
  package private(set) var files: [FileChange] = []
  /// Whether the previous manifest was not in canonical form and is rewritten.
  package private(set) var isFormatted = false
  package private(set) var unchanged = 0
  package private(set) var sources: [String: String] = [:]

  /// - Returns: `nil` if all models are generated.
  package static func take(
    _ folder: SchemaFolder, conditions: BuildConditions = BuildConditions(),
    fileSystem: some FileSystem, progress: WorkObserver? = nil
  ) -> Snapshot? {
    take(folder, fileSystem, conditions: conditions) {
      LiveClasses.read($0, in: folder.path, $1, $2, progress: progress)
    }
  }

  package static func take(
    _ folder: SchemaFolder, files: [SourceFile], fileSystem: some FileSystem
  ) -> Snapshot? {
    take(folder, fileSystem) {
      LiveClasses(files, $0, $1, $2, []) { _ in [] }
    }
  }

  private static func take(
    _ folder: SchemaFolder, _ fileSystem: some FileSystem,
    conditions: BuildConditions = BuildConditions(),
    reading read: (Configuration, BuildConditions, Adoption.Options.FormerTypes) -> LiveClasses?
  ) -> Snapshot? {
    // If the configuration cannot be read, its classes are unknown.
    guard folder.configuration.classes != nil || folder.isMalformed else { return nil }
    var snapshot = Snapshot(folder.path)
    snapshot.sources = folder.sources
    let broken =
      folder.isMalformed
      ? folder.diagnostics
      : SchemaFolder.lockProblems(in: folder.path, fileSystem: fileSystem)
    guard !broken.hasErrors else {
      snapshot.refuse(broken)
      return snapshot
    }
    let builds = conditions.adapted(to: folder.configuration)
    var formerTypes = Adoption.Options.FormerTypes()
    for (type, version) in folder.evolution?.history.formerTypes ?? [] {
      formerTypes.names[type.name] = type.appName ?? type.name
      formerTypes.attributes += version.models.flatMap(\.properties).compactMap(\.attribute)
    }
    guard let evolution = folder.evolution,
      var classes = read(folder.configuration, builds[0], formerTypes)
    else {
      snapshot.refuse(folder.diagnostics)
      return snapshot
    }
    for build in builds.dropFirst() where classes.dependsOnConditions {
      guard let others = read(folder.configuration, build, formerTypes) else { continue }
      snapshot.standing += classes.differences(
        on: builds[0].platform, from: others, build.platform)
    }
    snapshot.sources.merge(classes.sources.map(\.file).textsByPath) { first, _ in first }
    snapshot.standing += classes.changedFormerTypes(evolution.history)
    classes.leaveOlder(evolution.history)
    snapshot.take(classes, evolution, fileSystem)
    return snapshot
  }

  private var compared: (manifest: String, classes: SchemaVersion)?

  /// Moves a finding about the newest manifest to the class that causes the finding, where people can answer it.
  /// Findings about the manifest's conventions, or about an edit of the manifest itself, stay in the manifest.
  func placed(_ finding: Diagnostic) -> Diagnostic {
    guard let compared, finding.location?.file == compared.manifest,
      !finding.isEditOfManifest,
      let rule = RuleCatalog.rulesByID[finding.rule.id], rule.category != .convention,
      let place = finding.path.flatMap({ compared.classes.location(of: $0) })
    else { return finding }
    var finding = finding
    finding.location = place
    finding.related.removeAll { $0.location.file == compared.manifest }
    return finding
  }

  /// Findings about the classes that do not depend on changes.
  private var standing: [Diagnostic] = []
  private static func isOfBuilds(_ finding: Diagnostic) -> Bool {
    [.buildCondition, .secondDeclaration].contains(finding.rule) && finding.severity > .note
  }

  private init(_ folder: String) { self.folder = folder }

  private mutating func refuse(_ found: [Diagnostic]) {
    findings = found.reportOrder
    isRefused = true
  }

  private mutating func take(
    _ classes: LiveClasses, _ evolution: Evolution, _ fileSystem: some FileSystem
  ) {
    guard let newest = evolution.history.last, let file = newest.location?.file else { return }
    let understood = classes.findings(beside: newest)
    guard !understood.hasErrors, !classes.version.models.isEmpty else {
      return refuse(
        understood
          + (understood.hasErrors
            ? []
            : [
              .noClasses(evolution.configuration.classes ?? "", Path.join(folder, "schemagen.yaml"))
            ]))
    }
    manifest = file
    compared = (file, classes.version)
    do throws(FileSystemError) {
      let previous = SourceFile(
        path: file, bytes: try fileSystem.read(file, limit: SchemaFolder.readLimit) ?? [])
      let taken =
        SchemaFolder.hasShipped(newest, in: folder, fileSystem: fileSystem)
        ? takeAfterRelease(classes, evolution, previous)
        : try takeIntoDraft(classes, evolution, previous, fileSystem)
      let held = classes.heldOtherwise(
        newest, Path.join(folder, "schemagen.yaml"),
        notStored: evolution.configuration.notStored)
      guard let taken else { return refuse([.notRead(file)]) }
      try finish(taken, classes, understood + held + standing, fileSystem)
    } catch {
      refuse([
        Diagnostic(.unreadable, "'\(error.path)' cannot be read: \(error.reason)", at: nil)
      ])
    }
  }

  // MARK: From the classes to a version

  /// A version according to the classes, with everything that follows from it.
  private struct Attempt {
    var merge: ClassMerge
    /// The new version: the merged version without unneeded answers.
    var version: SchemaVersion
    var base: SchemaVersion
    var before: SchemaVersion?
    /// The previous manifest; empty if the version is a new one.
    var start: SourceFile
    var text: String
    /// `nil` if the version has errors.
    var evolution: Evolution?
    var isShipped = false
    var isNext = false
    /// The manifest of a draft that has no changes left.
    var removed: SourceFile?
    var idle: [Place] = []

    /// The places of comments that say where the values of this version's properties come from.
    var answers: [Place] {
      version.models.flatMap { model in
        model.properties.filter { $0 != $0.withoutStep }.compactMap {
          merge.place(ofAnswerFor: ElementPath(model.name, $0.name))
        }
      }
    }
  }

  /// Handles a newest version that has shipped. Its manifest gets the changes that affect neither stores nor rows. All
  /// other changes begin the next version.
  private func takeAfterRelease(
    _ classes: LiveClasses, _ evolution: Evolution, _ file: SourceFile
  ) -> Attempt? {
    let newest = evolution.history[evolution.history.count - 1]
    let number = newest.number.successors[2]
    guard let document = YAMLDocument(file),
      let copy = NewVersion.copy(of: file, number: number)
    else { return nil }
    var kept = attempt(ClassMerge(evolution, classes, as: .shipped), evolution, document, file)
    kept.isShipped = true
    if !kept.merge.hasOpenAnswers, Self.keeps(evolution, kept) { return kept }
    let next = evolution.with(evolution.history + [copy.version])
    var taken = attempt(
      ClassMerge(next, classes, as: .draft), next, copy.document,
      SourceFile(path: Path.join(folder, "\(number.name).yaml"), bytes: []))
    taken.isNext = true
    // No request in a comment is open: each was done already, or has no effect.
    if !taken.version.hasAnswers, Self.keeps(evolution, kept) {
      kept.merge = taken.merge
      kept.idle = taken.idle
      return kept
    }
    return taken
  }

  /// Handles a newest version that has not shipped. Its manifest follows the classes. The manifest is removed if no
  /// difference from the previous version is left.
  private func takeIntoDraft(
    _ classes: LiveClasses, _ evolution: Evolution, _ file: SourceFile,
    _ fileSystem: some FileSystem
  ) throws(FileSystemError) -> Attempt? {
    guard let document = YAMLDocument(file) else { return nil }
    let taken = attempt(ClassMerge(evolution, classes, as: .draft), evolution, document, file)
    return try takenBack(taken, classes, evolution, file, fileSystem) ?? taken
  }

  /// The version before a draft that has no changes left; nil if it has changes, or if a person has edited the draft.
  private func takenBack(
    _ taken: Attempt, _ classes: LiveClasses, _ evolution: Evolution, _ file: SourceFile,
    _ fileSystem: some FileSystem
  ) throws(FileSystemError) -> Attempt? {
    guard let before = taken.before, !taken.version.hasAnswers, taken.version.summary == nil else {
      return nil
    }
    let accepted = Set(before.acceptances.map { "\($0.rule.value) \($0.element ?? "")" })
    guard SchemaFolder.hasShipped(before, in: folder, fileSystem: fileSystem),
      let path = before.location?.file,
      taken.version.acceptances.allSatisfy({
        accepted.contains("\($0.rule.value) \($0.element ?? "")")
      }), VersionEdit(from: before.withoutStep, to: taken.version.withoutStep).keepsRows
    else { return nil }
    let previous = SourceFile(
      path: path, bytes: try fileSystem.read(path, limit: SchemaFolder.readLimit) ?? [])
    let written = Set(YAMLComments.beginning(with: "", in: previous).map(\.text))
    guard YAMLComments.beginning(with: "", in: file).allSatisfy({ written.contains($0.text) }),
      let document = YAMLDocument(previous)
    else { return nil }
    let earlier = evolution.with(evolution.history.dropLast())
    var kept = attempt(ClassMerge(earlier, classes, as: .shipped), earlier, document, previous)
    // The draft took no answer, so the comments have no effect.
    guard Self.keeps(earlier, kept) else { return nil }
    kept.isShipped = true
    kept.idle = taken.idle
    kept.removed = file
    return kept
  }

  /// Whether the newest version, which has shipped, is unchanged for stores and steps.
  private static func keeps(_ evolution: Evolution, _ attempt: Attempt) -> Bool {
    let before = evolution.history[evolution.history.count - 1]
    if attempt.version == before { return true }
    // An original name that is the name of another property in the version before would swap the values of the two.
    guard !attempt.version.takesNames(of: before) else { return false }
    func identity(_ evolution: Evolution) -> StructuralIdentity {
      evolution.versions[evolution.versions.count - 1].identity
    }
    guard VersionEdit(from: before, to: attempt.version).keepsRows, let now = attempt.evolution
    else { return false }
    let (was, becomes) = (identity(evolution), identity(now))
    guard becomes.isSameStore(asOf: was.full, checksum: was.checksum),
      was.certain == becomes.certain
    else { return false }
    func errors(_ evolution: Evolution) -> Set<[String?]> {
      Set(evolution.diagnostics.filter { $0.severity == .error }.map { [$0.rule.id, $0.element] })
    }
    return errors(now).isSubset(of: errors(evolution))
  }

  private func attempt(
    _ merge: ClassMerge, _ evolution: Evolution, _ document: YAMLDocument, _ start: SourceFile
  ) -> Attempt {
    let history = evolution.history
    let base = history[history.count - 1]
    var taken = Attempt(
      merge: merge, version: merge.version, base: base, before: history.dropLast().last,
      start: start, text: "", idle: merge.idle)
    var hasNames = false
    while true {
      taken.text =
        taken.version == base && !start.bytes.isEmpty
        ? start.text : ManifestText(taken.version, of: document, renaming: merge.renames).text
      let read = ManifestReader().read(SourceFile(path: start.path, text: taken.text))
      guard let written = read.version, !read.diagnostics.hasErrors else { return taken }
      // The written manifest now has the acceptances from comments.
      taken.version.acceptances = written.acceptances
      let found = evolution.with(history.dropLast() + [written])
      taken.evolution = found
      guard merge.isDraft else { return taken }
      // An answer without an effect was for an edit that has been taken back.
      if let shorter = taken.version.leavingOut(found) {
        taken.version = shorter
        taken.idle += found.diagnostics.compactMap { finding in
          guard finding.rule == .unusedHint, let element = finding.element else { return nil }
          guard case .removalOfKeys(let keys)? = finding.correction else {
            return merge.place(ofAnswerFor: ElementPath(parsing: element))
          }
          return merge.place(ofAnswerFor: ElementPath(parsing: element), keys: keys)
        }
        continue
      }
      guard !hasNames else { return taken }
      hasNames = true
      let shorter = taken.version.leavingOutNames(found, unlike: base, renaming: merge.renames)
      guard shorter != taken.version else { return taken }
      taken.version = shorter
    }
  }

  private mutating func finish(
    _ taken: Attempt, _ classes: LiveClasses, _ understood: [Diagnostic],
    _ fileSystem: some FileSystem
  ) throws(FileSystemError) {
    isNext = taken.isNext
    manifest = taken.start.path
    if taken.version != taken.base || taken.isNext {
      changes = classes.changes(
        from: taken.isNext ? taken.before ?? taken.base : taken.base,
        to: taken.merge, taken.version, isNext: taken.isNext)
    }
    if let removed = taken.removed {
      let name = removed.name.split(separator: ".y").first.map(String.init) ?? removed.name
      changes.append(
        Change(element: name, what: "has no changes left, and is removed", place: nil))
    }
    // Further findings would depend on answers that are in question.
    guard !taken.merge.findings.hasErrors else {
      findings = (understood + taken.merge.findings).reportOrder
      return
    }
    let memory = MemoryFiles(over: fileSystem)
    if let removed = taken.removed { memory.remove(removed.path) }
    memory.write(Array(taken.text.utf8), to: manifest)
    if taken.isShipped, taken.version != taken.base,
      let lock = SchemaFolder.lock(in: folder, following: taken.version, fileSystem: memory)
    {
      memory.write(lock.bytes, to: lock.path)
    }
    let generation = GenerationPipeline(fileSystem: memory).run(folder)
    if let known = generation.folder { sources.merge(known.sources) { _, new in new } }
    guard let result = generation.folder?.evolution, let version = result.history.last,
      version == taken.version
    else {
      return refuse(
        generation.isMalformed
          ? classes.placed(generation.diagnostics, of: taken.base, in: nil) : [.notRead(manifest)])
    }
    let models = Set(taken.merge.version.models.map(\.name))
      .subtracting(taken.base.models.map(\.name)).subtracting(taken.merge.renames.values)
    let conflicts = classes.takenNames(result.history)
    let takenNames = Set(conflicts.map(\.element))
    let shipped = Set(
      result.history.filter { SchemaFolder.hasShipped($0, in: folder, fileSystem: fileSystem) }
        .compactMap(\.location?.file))
    let found = generation.diagnostics.filter { finding in
      if finding.rule == .conflictingName { return !takenNames.contains(finding.element) }
      // Warnings about a shipped version were shown while it was a draft, and lint still shows these warnings.
      return finding.severity == .error || !shipped.contains(finding.location?.file ?? "")
    }
    // What a property needs in the class depends on its answers, so answers are requested first.
    let demands = classes.demands(of: result, taken.merge)
    let named = Set(demands.map(\.element))
    let questions = classes.placed(found, of: version, in: result, taken.merge).filter {
      $0.rule != ClassificationTable[.originalNameChanged].rule || !named.contains($0.element)
    }.filter {
      // The attribute that a demand asks for may be the version's only change.
      $0.rule != .emptyVersion || demands.isEmpty
    }.map { finding in
      guard finding.rule == .emptyVersion else { return finding }
      var finding = finding
      finding.help = Self.waysOn(from: taken, result)
      return finding
    }
    let open = Set(questions.filter { $0.severity == .error }.map(\.element))
    findings =
      (understood + shared(models, classes.version, fileSystem) + taken.merge.findings + conflicts
      + demands.filter { !open.contains($0.element) } + classes.unreachable(in: result)
      + classes.lackingTypes(result.history, version) + questions).reportOrder
    if !findings.hasErrors { findings = (findings + taken.idle.map(Diagnostic.idle)).reportOrder }
    if isNext, !findings.hasErrors, let note = Diagnostic.done(taken.merge.done) {
      findings = (findings + [note]).reportOrder
    }
    // A schema has only one first step, so the warning appears once.
    if isNext, !findings.hasErrors, result.history.count == 2,
      let warning = Diagnostic.beforeFirstStep(
        to: version.number, classes.plainContainers, result.configuration)
    {
      findings.append(warning)
    }
    unchanged = generation.unchanged
    // Nothing is written if there are errors, because the manifest on disk may hold an answer that the classes lack.
    guard !findings.hasErrors else { return }
    if let removed = taken.removed {
      files.append(
        FileChange(action: .remove, path: removed.path, contents: [], previous: removed.bytes))
    }
    let bytes = Array(taken.text.utf8)
    isFormatted =
      !taken.isNext && bytes != taken.start.bytes && !ManifestText.isFormatted(taken.start)
    if taken.isNext || bytes != taken.start.bytes {
      files.append(
        FileChange(
          action: taken.isNext ? .create : .update, path: manifest, contents: bytes,
          previous: taken.isNext ? nil : taken.start.bytes))
    }
    files += try withLock(generation.changes, memory, fileSystem)
  }

  private static func waysOn(from taken: Attempt, _ evolution: Evolution) -> [String] {
    let mark =
      "mark a property of a class, or change its mark: @Attribute(hashModifier: \"\(taken.version.number.name)\")"
    var ways = taken.answers.map {
      "if nothing changes, remove this comment: \($0.file):\($0.line)"
    }
    if ways.isEmpty, !taken.isNext, evolution.rowChange == nil {
      ways = ["remove '\(taken.start.path)': the classes store the same as the version before"]
    }
    return ways + [ways.isEmpty ? mark : "or, if rows must change anyway, \(mark)"]
  }

  /// The generated files, with the lock updated after an edit of a shipped version.
  private func withLock(
    _ changes: [FileChange], _ memory: MemoryFiles, _ fileSystem: some FileSystem
  ) throws(FileSystemError) -> [FileChange] {
    let path = Path.join(folder, SchemaLock.fileName)
    let before = try fileSystem.read(path, limit: SchemaFolder.readLimit)
    let followed = try memory.read(path, limit: SchemaFolder.readLimit)
    guard let before, let followed, before != followed else { return changes }
    var changes = changes
    guard let place = changes.firstIndex(where: { $0.path == path }) else {
      let lock = FileChange(action: .update, path: path, contents: followed, previous: before)
      return (changes + [lock]).sorted { $0.path < $1.path }
    }
    changes[place].previous = before
    return changes
  }

  /// Reports new models that another schema folder takes as well, because its live classes are in the same folder.
  private func shared(
    _ models: Set<String>, _ written: SchemaVersion, _ fileSystem: some FileSystem
  ) -> [Diagnostic] {
    guard !models.isEmpty else { return [] }
    let home = Path.folder(of: folder)
    let others = ((try? fileSystem.list(home)) ?? []).map { Path.join(home, $0) }.filter {
      $0 != folder && (try? fileSystem.read(Path.join($0, "schemagen.yaml"), limit: 1)) != nil
    }
    return others.flatMap { other -> [Diagnostic] in
      let configuration = SchemaFolder.read(other, fileSystem: fileSystem).configuration
      guard let classes = configuration.classes.map({ Path.join(other, $0) }) else { return [] }
      return models.subtracting(configuration.notStored).sorted().compactMap { model in
        let place = written.model(named: model)?.location
        guard let place, classes == "." || place.file.hasPrefix(classes + "/") else { return nil }
        return Diagnostic(
          .modelDiffers,
          "'\(model)' becomes a model of '\(folder)', but '\(other)' reads its classes from the same folder",
          element: model, at: place,
          help: [
            "in the schemagen.yaml of the store that does not hold it, write: notStored: [\(model)]"
          ], severity: .warning)
      }
    }
  }

  /// The findings for `detect`. A single finding reports everything that the manifest lacks.
  package var differences: [Diagnostic] {
    let rules: [Rule] = [
      .modelDiffers, .cannotAdopt, .brokenSource, .unreadProperty, .undeclaredType,
      .malformedAcceptance, .unreachedModel,
    ]
    // If there are errors, the errors are reported instead of the difference. Errors without a difference are about the
    // manifests alone.
    if findings.hasErrors, !changes.isEmpty { return findings.filter { $0.severity == .error } }
    let own = findings.filter {
      rules.contains($0.rule) || Self.isOfBuilds($0)
    }
    guard let first = changes.first else { return isRefused ? findings : own }
    let known = manifest.split(separator: "/").last ?? ""
    let command = "schemagen snapshot\(ShellWord.schemas(folder))"
    return own + [
      Diagnostic(
        .modelDiffers,
        changes.count == 1
          ? "'\(first.element)' differs from the newest manifest: \(first.what)"
          : "the classes and the newest manifest differ in \(changes.count) places",
        element: first.element, at: changes.lazy.compactMap(\.place).first,
        help: (changes.count == 1 ? [] : changes.map { "\($0.element): \($0.what)" })
          + ["\(command) \(isNext ? "writes" : "changes") \(known), and generates"],
        // A changed documentation comment does not stop a commit.
        severity: changes.allSatisfy(\.isDocumentation) ? .warning : .error)
    ]
  }

  /// Writes the manifest and the generated files, or nothing.
  package func write(to fileSystem: some FileSystem) throws(FileSystemError) {
    try files.write(in: folder, to: fileSystem)
  }
}

extension LiveClasses {
  /// The findings about the classes, without those about types that the manifest defines.
  fileprivate func findings(beside manifest: SchemaVersion) -> [Diagnostic] {
    var unreadable: Set<Place> = []
    return findings.filter { finding in
      // A file that cannot be read is reported only once.
      guard finding.rule != .unreadable else {
        return finding.location.map { unreadable.insert($0).inserted } ?? true
      }
      // The manifest already has the inverse.
      return finding.rule != .adoptedInverse
        || finding.element.flatMap { manifest.property(at: ElementPath(parsing: $0)) }?
          .relationship?.inverse == nil
    }.compactMap { finding in
      guard finding.rule == .undeclaredType, let name = finding.element,
        let type = manifest.type(named: name)
      else { return finding }
      let isRead = version.type(named: name)?.coding != nil
      // The type was reported when it was added to the manifest.
      if type.kind == .opaque, type.coding == nil || isRead { return nil }
      // The type is generated from the manifest, or its code is compared.
      guard type.isOwn, !isRead else { return nil }
      var finding = finding
      finding.severity = .error
      if type.kind == .opaque {
        finding.help.append(
          "if a package declares it, and reads what this app's code wrote: remove 'coding:' from '\(name)' in \(manifest.number.name).yaml"
        )
      }
      return finding
    }
  }

  /// The differences between the classes and a manifest, in words.
  ///
  /// - Parameters:
  ///   - old: The previous manifest or, if the next version begins, the version before it.
  ///   - new: The version that the manifest gets.
  fileprivate func changes(
    from old: SchemaVersion, to merge: ClassMerge, _ new: SchemaVersion, isNext: Bool
  ) -> [Snapshot.Change] {
    var copy = isNext ? new : new.withoutStep
    copy.number = old.number.successors[2]
    if !isNext {
      for (path, name) in merge.renames {
        if path.member == nil, let model = copy.models.firstIndex(where: { $0.name == name }) {
          copy.models[model].sources = [Located(path.owner)]
          copy.models[model].isRenamed = true
        }
        guard let model = copy.models.firstIndex(where: { $0.name == path.owner }),
          let index = copy.models[model].properties.firstIndex(where: { $0.name == name })
        else { continue }
        copy.models[model].properties[index].migration.renamedFrom = path.member.map { Located($0) }
      }
    }
    copy = copy.takingConversions(of: new, from: old)
    let before = isNext ? old : old.withoutStep
    if !isNext { copy = copy.namingCases(of: before) }
    let found = SchemaDiffer().changes(from: before, to: copy).map { change in
      Snapshot.Change(
        element: "\(change.element)",
        what: change.classification.title + (change.detail.isEmpty ? "" : " (\(change.detail))"),
        place: version.location(of: change.element),
        isDocumentation: change.kind == .documentationChanged)
    }
    let shown = Set(found.map(\.element))
    guard !isNext else { return found }
    // The other changes are in keys of the step, and in keys that do not affect stores.
    let rest = new.models.flatMap { model -> [Snapshot.Change] in
      let before = old.model(named: model.name)
      return model.properties.compactMap { property -> Snapshot.Change? in
        let element = ElementPath(model.name, property.name)
        guard let known = before?.property(named: property.name), known != property,
          !shown.contains("\(element)")
        else { return nil }
        let keys = ManifestKeys.keys(of: property, otherThanOf: known)
        let gone = ManifestKeys.stepKeys(of: known).map(\.key).filter { key in
          ManifestKeys.value(of: key, in: property) == nil
        }
        return Snapshot.Change(
          element: "\(element)",
          what: !keys.isEmpty
            ? keys.joined(separator: ", ")
            : gone.isEmpty
              ? "its form in generated code"
              : "\(gone.joined(separator: ", ")): not needed any more",
          place: version.location(of: element))
      }
    }
    let kept = Set(new.drops.map(\.element.value))
    let undone = old.drops.filter { !kept.contains($0.element.value) }.map { drop in
      Snapshot.Change(
        element: "\(drop.element.value)", what: "its line under 'drops:' is not needed any more",
        place: nil)
    }
    guard found.isEmpty, rest.isEmpty, undone.isEmpty else { return found + rest + undone }
    return [
      Snapshot.Change(
        element: new.number.name, what: "types or answers of the step", place: nil)
    ]
  }

  /// Reports original names and hash modifiers that follow from older versions and that the classes lack.
  fileprivate func demands(of evolution: Evolution, _ merge: ClassMerge) -> [Diagnostic] {
    let reason = Self.reasonToMark(evolution)
    let before = evolution.history.dropLast().last
    return evolution.newestStored.models.flatMap { model -> [Diagnostic] in
      guard let written = version.model(named: model.name) else { return [] }
      return model.properties.flatMap { property -> [Diagnostic] in
        guard let own = written.property(named: property.name) else { return [] }
        let element = ElementPath(model.name, property.name)
        var found: [Diagnostic] = []
        if own.originalName != property.originalName {
          found.append(
            .demand(
              "originalName", property.originalName, element, own,
              "the engine finds the values of '\(element)' under the name '\(property.originalName ?? "")', but the class does not say so: the engine would drop the column",
              saying: merge.place(ofAnswerFor: element) == nil
                ? merge.version.property(at: element)?.migration.renamedFrom?.value : nil,
              names: (before?.models.flatMap { $0.properties.map(\.name) } ?? []).filter {
                $0 != own.name
              }))
        }
        if own.hashModifier != property.hashModifier {
          let isKept =
            property.hashModifier != nil
            && before?.property(at: element)?.hashModifier == property.hashModifier
          // A hash modifier does not make an impossible change possible, so none is demanded.
          guard isKept || evolution.rowChange?.classification.mechanism != .impossible else {
            return found
          }
          found.append(
            .demand(
              "hashModifier", property.hashModifier, element, own,
              isKept
                ? "the class lacks the hashModifier with which '\(element)' has shipped in \(before?.number.name ?? "")"
                : "'\(element)' must be marked with a hashModifier: \(reason)"))
        }
        return found
      }
    }
  }

  private static func reasonToMark(_ evolution: Evolution) -> String {
    let number = evolution.history[evolution.history.count - 1].number.name
    if let rows = evolution.rowChange {
      return
        "rows have to change for '\(rows.element)' (\(rows.classification.title)), and without the mark the engine sees no "
        + "difference, and the app crashes when it migrates a store (the mark is on a property, since it has no effect on "
        + "an enum or a struct)"
    }
    return
      "\(number) has the same shape as an earlier version, and with two equal versions the app crashes when it migrates a store"
  }

  /// Moves findings of `generate` to the classes, where people answer them. The newest manifest may not exist yet.
  ///
  /// - Parameters:
  ///   - newest: The newest version, with the places of its manifest.
  ///   - evolution: The history with this version; `nil` if the history cannot be read.
  fileprivate func placed(
    _ found: [Diagnostic], of newest: SchemaVersion, in evolution: Evolution?,
    _ merge: ClassMerge? = nil
  ) -> [Diagnostic] {
    let manifest = newest.location?.file
    let advice = evolution.map { ClassAdvice($0, merge) }
    return found.map { finding in
      guard finding.location?.file == manifest, !finding.isEditOfManifest else { return finding }
      var finding = finding
      let element = finding.element.map(ElementPath.init(parsing:))
      finding.location =
        element.flatMap { version.location(of: $0) }
        ?? finding.location.flatMap { place in
          newest.element(at: place).flatMap { version.location(of: $0) }
        }
        ?? version.models.lazy.compactMap(\.location).first
      finding.related.removeAll { $0.location.file == manifest }
      finding.help = finding.help.map { advice?.text($0, about: element) ?? $0 }
      return finding
    }
  }
}

/// Rewords messages about the newest version's manifest for people who write classes.
private struct ClassAdvice {
  private let number: VersionNumber
  private let merge: ClassMerge?
  private let before: SchemaVersion?

  init(_ evolution: Evolution, _ merge: ClassMerge?) {
    let last = evolution.history.count - 1
    number = evolution.history[last].number
    self.merge = merge
    before = last > 0 ? evolution.versions[last - 1].stored.schema : nil
  }

  /// Rewrites a line of help with the names in stores. If an earlier version has an answer for the element, the comment
  /// names the new version, since it could otherwise be mistaken for that answer.
  func text(_ help: String, about element: ElementPath?) -> String {
    guard let element else { return help }
    var text = help
    for property in before?.model(named: element.owner)?.properties ?? [] {
      guard let first = property.originalName, first != property.name else { continue }
      for macro in ["@Attribute", "@Relationship"] {
        let argument = "\(macro)(originalName: \"\(property.name)\")"
        guard text.contains(argument) else { continue }
        // A property with its first name again needs no original name, but its rename must be declared.
        text =
          element.member == first || text.contains("'\(first)' is its new name")
          ? text.replacing(
            "in the class: " + argument,
            with: "above '\(first)' in the class: // schemagen:renamedFrom \(property.name)")
          : text.replacing(argument, with: "\(macro)(originalName: \"\(first)\")")
      }
    }
    return merge?.isAnswered(element) == true
      ? text.replacing("// schemagen:", with: "// schemagen:\(number.name) ") : text
  }
}

extension Evolution {
  func with(_ history: [SchemaVersion]) -> Evolution {
    AnalysisPipeline(
      history: history, configuration: configuration, shipped: shipped, hooks: hooks
    ).run()
  }

  /// A change of rows that the engine does not perform in the step to the newest version; nil if there is none.
  fileprivate var rowChange: SchemaChange? {
    steps.last?.changes.first { change in
      // If no row has the removed case, its removal changes no rows.
      change.mechanism != .lightweight && change.effect != .kept && change.kind != .enumCaseRemoved
    }
  }
}

extension Diagnostic {
  /// A note on comments whose answers belong to versions that have shipped; nil if there are none.
  fileprivate static func done(_ places: [Place]) -> Diagnostic? {
    guard let first = places.first else { return nil }
    return Diagnostic(
      .unusedHint,
      places.count == 1
        ? "this comment answered the step to a version that has shipped: it is ignored, and can be removed"
        : "\(places.count) comments answered steps to versions that have shipped: they are ignored, and can be removed",
      at: first, related: places.dropFirst().map { .init("and here", at: $0) }, severity: .note)
  }

  /// Reports a comment that answers no open question.
  fileprivate static func idle(_ place: Place) -> Diagnostic {
    Diagnostic(
      .unusedHint,
      "this comment has no effect: no change here needs it", at: place,
      help: [
        "put an answer above the property, class or case that it is about, or at the end of its line"
      ],
      severity: .warning)
  }

  /// Whether the finding is about an edit of a shipped manifest, which no class answers.
  fileprivate var isEditOfManifest: Bool {
    [.shippedVersionEdited, .shippedStepEdited].contains(rule)
  }

  fileprivate static func noClasses(_ classes: String, _ configuration: String) -> Diagnostic {
    Diagnostic(
      .removedModel, "'classes: \(classes)' names a folder without '@Model' classes",
      at: SourceLocation(file: configuration), help: [namingClasses])
  }

  fileprivate static func demand(
    _ argument: String, _ value: String?, _ element: ElementPath, _ property: Property,
    _ message: String, saying source: String? = nil, names: [String] = []
  ) -> Diagnostic {
    let macro = property.relationship == nil ? "@Attribute" : "@Relationship"
    guard let value else {
      return Diagnostic(
        .modelDiffers,
        "'\(element)' has \(argument == "originalName" ? "an" : "a") \(argument) that no manifest explains",
        element: element, at: property.location,
        help: Suggestion.help(for: property.originalName ?? "", among: names) + [
          "remove '\(argument):' from its \(macro)"
            + (source.map { ", and write above it: // schemagen:renamedFrom \($0)" } ?? "")
        ])
    }
    return Diagnostic(
      .modelDiffers, message, element: element, at: property.location,
      help: ["write in the class: \(macro)(\(argument): \"\(value)\")"])
  }

  fileprivate static func notRead(_ path: String) -> Diagnostic {
    Diagnostic(
      .notCopied, "'\(path)' would not match the classes once it is written",
      at: SourceLocation(file: path),
      help: ["this is a bug in schemagen: please report it, with the file and the classes"])
  }
}

extension SchemaVersion {
  fileprivate var hasAnswers: Bool {
    !drops.isEmpty || !expectations.isEmpty || expectedStage != nil || !hooks.isEmpty
      || models.contains { $0 != $0.withoutStep } || types.contains { $0 != $0.withoutStep }
  }

  /// Whether a property's original name is another property's name in the previous version.
  fileprivate func takesNames(of before: SchemaVersion) -> Bool {
    models.contains { model in
      guard let was = before.model(named: model.name) else { return false }
      return model.properties.contains { property in
        guard let name = property.originalName, name != property.name else { return false }
        return was.property(named: property.name)?.originalName != name
          && was.property(named: name)?.isStored == true
      }
    }
  }

  fileprivate func element(at place: Place) -> ElementPath? {
    for model in models {
      if let property = model.properties.first(where: { $0.location?.line == place.line }) {
        return ElementPath(model.name, property.name)
      }
      if model.location?.line == place.line { return ElementPath(model.name) }
    }
    return types.first { $0.location?.line == place.line }.map { ElementPath($0.name) }
  }

  /// Removes answers that have no effect, according to the findings of a history with this version. Returns `nil` if
  /// all answers have an effect.
  fileprivate func leavingOut(_ evolution: Evolution) -> SchemaVersion? {
    var version = self
    for finding in evolution.diagnostics {
      guard let element = finding.element.map(ElementPath.init(parsing:)),
        finding.correction != nil
      else { continue }
      switch finding.rule {
      case .unusedAcceptance:
        version.acceptances.removeAll { $0.element == finding.element }
      case .unusedHint:
        // A finding that removes keys is about keys of the element. Any other finding is about a line under `drops:`.
        guard case .removalOfKeys(let keys)? = finding.correction else {
          version.drops.removeAll { $0.element.value == element }
          continue
        }
        guard let model = version.models.firstIndex(where: { $0.name == element.owner }) else {
          continue
        }
        guard element.member != nil else {
          // The finding's place is in the manifest, so search for that place in the version that was read from the
          // manifest.
          let read = evolution.history.last?.model(named: element.owner)
          let names = read?.uniques.first { $0.location == finding.location }?.names
          for place in version.models[model].uniques.indices
          where keys == ["dedupe"] && version.models[model].uniques[place].names == names {
            version.models[model].uniques[place].dedupe = nil
          }
          continue
        }
        guard
          let place = version.models[model].properties.firstIndex(where: {
            $0.name == element.member
          })
        else { continue }
        version.models[model].properties[place].leaveOut(keys)
      default: continue
      }
    }
    return version == self ? nil : version
  }
}

extension Property {
  fileprivate mutating func leaveOut(_ keys: [String]) {
    for key in keys + (keys.contains("from") ? ["convert"] : []) { take(key, from: withoutStep) }
  }
}
