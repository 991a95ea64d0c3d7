internal import SchemaEvolution
internal import SchemaManifest
package import SchemaModel
package import SchemaWorkspace

/// The outcome of `snapshot`: the newest manifest as the app's classes say it, and what is generated then. Nothing is
/// written.
package struct Snapshot: Sendable {
  /// Something that the classes say and the manifest did not.
  package struct Change: Sendable, Hashable {
    /// `Trip.note`
    package var element: String
    /// `add an optional attribute`
    package var what: String
    /// Where the classes say it; nil for what they have no more.
    package var place: SourceLocation?
  }

  /// The folder of manifests.
  package let folder: String
  /// What the newest manifest is called, once the snapshot is taken.
  package private(set) var manifest = ""
  /// Whether the newest version has shipped, so that the manifest is the next one's.
  package private(set) var isNext = false
  package private(set) var changes: [Change] = []
  /// Findings about the classes, and those of `generate`, sorted.
  package private(set) var findings: [Diagnostic] = []
  /// Whether classes or manifests could not be understood: then nothing is written.
  package private(set) var isRefused = false
  /// The manifest and what is generated from it; of the latter nothing while there are errors.
  package private(set) var files: [FileChange] = []
  /// How many generated files are as they should be.
  package private(set) var unchanged = 0
  /// All texts by path, for snippets.
  package private(set) var sources: [String: String] = [:]

  /// Takes a snapshot of the classes that a configuration names.
  ///
  /// - Parameters:
  ///   - folder: The folder of manifests.
  ///   - conditions: What `#if` is decided by.
  ///   - fileSystem: What manifests and generated files are read from; sources are on the disk.
  ///   - progress: Told what is done.
  /// - Returns: Nil where all models are generated.
  package static func take(
    _ folder: SchemaFolder, conditions: BuildConditions = BuildConditions(),
    fileSystem: some FileSystem, progress: WorkObserver? = nil
  ) -> Snapshot? {
    take(folder, fileSystem) {
      LiveClasses.read($0, in: folder.path, conditions, progress: progress)
    }
  }

  /// Takes a snapshot of classes in memory: all Swift files of the app.
  package static func take(
    _ folder: SchemaFolder, files: [SourceFile], fileSystem: some FileSystem
  ) -> Snapshot? {
    take(folder, fileSystem) { LiveClasses(files, $0, BuildConditions(), []) { _ in [] } }
  }

  private static func take(
    _ folder: SchemaFolder, _ fileSystem: some FileSystem,
    reading read: (Configuration) -> LiveClasses?
  ) -> Snapshot? {
    guard folder.configuration.classes != nil else { return nil }
    var snapshot = Snapshot(folder.path)
    snapshot.sources = folder.sources
    guard let evolution = folder.evolution, var classes = read(folder.configuration) else {
      snapshot.refuse(folder.diagnostics)
      return snapshot
    }
    snapshot.sources.merge(classes.sources.map(\.file).textsByPath) { first, _ in first }
    classes.leaveOlder(evolution.history)
    snapshot.take(classes, evolution, fileSystem)
    return snapshot
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
    var understood = classes.findings(beside: newest)
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
    var memory = MemoryFiles(over: fileSystem)
    do throws(FileSystemError) {
      let previous = try fileSystem.read(file, limit: SchemaFolder.readLimit) ?? []
      var merge = ClassMerge(evolution, classes)
      var text: String? = String(decoding: previous, as: UTF8.self)
      if merge.version != newest {
        isNext = SchemaFolder.hasShipped(newest, in: folder, fileSystem: fileSystem)
        // A version that has shipped and was edited is no ground to build on.
        let current = isNext ? GenerationPipeline(fileSystem: fileSystem).run(folder) : nil
        if let current, current.diagnostics.hasErrors {
          return refuse(current.diagnostics.filter { $0.severity == .error })
        }
        var base = evolution
        if isNext {
          let shipped = SourceFile(path: file, bytes: previous)
          guard let next = next(evolution, shipped, memory) else { return }
          base = next
          merge = ClassMerge(base, classes)
        }
        guard let version = base.history.last, let path = version.location?.file else { return }
        changes = classes.changes(from: version, to: merge)
        manifest = path
        let models = Set(merge.version.models.map(\.name))
          .subtracting(version.models.map(\.name)).subtracting(merge.renames.values)
        understood += shared(models, classes.version, fileSystem)
        let start = SourceFile(path: path, bytes: try memory.read(path, limit: .max) ?? [])
        text =
          ManifestRewrite(start, from: version, to: merge.version, renaming: merge.renames)?.result
      }
      guard let text else { return refuse([.notRewritten(manifest, changes)]) }
      memory = MemoryFiles([SourceFile(path: manifest, text: text)], over: fileSystem)
      let generation = GenerationPipeline(fileSystem: memory).run(folder, isFresh: true)
      guard let result = generation.folder?.evolution,
        let version = result.history.last, version == merge.version
      else {
        return refuse(
          generation.isMalformed
            ? generation.diagnostics : [.notRewritten(manifest, changes)])
      }
      if let known = generation.folder { sources.merge(known.sources) { _, new in new } }
      findings =
        (understood + classes.demands(of: result) + classes.unreachable(in: result)
        + classes.lackingTypes(result.history, version)
        + generation.diagnostics.map(classes.placed)).reportOrder
      unchanged = generation.unchanged
      if !changes.isEmpty {
        files = [
          FileChange(
            action: isNext ? .create : .update, path: manifest, contents: Array(text.utf8),
            previous: isNext ? nil : previous)
        ]
      }
      // What a class lacks would be generated against it.
      if !findings.hasErrors { files += generation.changes }
    } catch {
      refuse([
        Diagnostic(.unreadable, "'\(error.path)' cannot be read: \(error.reason)", at: nil)
      ])
    }
  }

  /// The history with the next version, which is a copy of the newest; nil where that cannot be, which is refused then.
  private mutating func next(
    _ evolution: Evolution, _ file: SourceFile, _ memory: MemoryFiles
  ) -> Evolution? {
    let number = evolution.history[evolution.history.count - 1].number.successors[2]
    let path = Path.join(folder, "\(number.name).yaml")
    let (text, problems) = NewVersion().manifest(from: file, number: number)
    guard let text, !problems.hasErrors else {
      refuse(problems)
      return nil
    }
    memory.write(Array(text.utf8), to: path)
    let read = SchemaFolder.read(folder, fileSystem: memory)
    if read.evolution == nil { refuse(read.diagnostics.filter { $0.severity == .error }) }
    return read.evolution
  }

  /// New models that another store would take as well, since it keeps classes of the same folder.
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
          "'\(model)' becomes a model of '\(folder)', and '\(other)' keeps classes of the same folder",
          element: model, at: place,
          help: [
            "in the schemagen.yaml of a store that does not have it, write: notStored: [\(model)]"
          ], severity: .warning)
      }
    }
  }

  /// What `detect` says of it: what the classes lack or nobody understands, and, in one finding, what the manifest does
  /// not say yet.
  package var differences: [Diagnostic] {
    let rules: [Rule] = [.modelDiffers, .cannotAdopt, .unreadProperty, .undeclaredType]
    let own = findings.filter { rules.contains($0.rule) }
    guard let first = changes.first else { return isRefused ? findings : own }
    let known = manifest.split(separator: "/").last ?? ""
    let command = "schemagen snapshot\(ShellWord.schemas(folder))"
    return own + [
      Diagnostic(
        .modelDiffers,
        changes.count == 1
          ? "'\(first.element)' is not as the newest manifest says it: \(first.what)"
          : "the classes and the newest manifest differ in \(changes.count) things",
        element: first.element, at: changes.lazy.compactMap(\.place).first,
        help: (changes.count == 1 ? [] : changes.map { "\($0.element): \($0.what)" })
          + ["\(command) \(isNext ? "writes" : "changes") \(known), and generates"])
    ]
  }

  /// Writes the manifest and the generated files, or nothing.
  package func write(to fileSystem: some FileSystem) throws(FileSystemError) {
    try files.write(in: folder, to: fileSystem)
  }
}

extension LiveClasses {
  /// What was found in the classes. A type whose parts a manifest knows is not taken for one without parts.
  fileprivate func findings(beside manifest: SchemaVersion) -> [Diagnostic] {
    findings.filter { finding in
      // The manifest says already which pair it is.
      finding.rule != .adoptedInverse
        || finding.element.flatMap { manifest.property(at: ElementPath(parsing: $0)) }?
          .relationship?.inverse == nil
    }.compactMap { finding in
      guard finding.rule == .undeclaredType, let name = finding.element,
        let type = manifest.type(named: name), type.kind != .opaque
      else { return finding }
      // It is generated, from what the manifest says.
      guard type.isOwn else { return nil }
      var finding = finding
      finding.severity = .error
      return finding
    }
  }

  /// What the classes say and a manifest does not, for people.
  fileprivate func changes(
    from old: SchemaVersion, to merge: ClassMerge
  ) -> [Snapshot.Change] {
    let new = merge.version
    var copy = new.withoutStep
    copy.number = old.number.successors[2]
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
    let found = SchemaDiffer().changes(from: old, to: copy).map { change in
      Snapshot.Change(
        element: "\(change.element)",
        what: change.classification.title + (change.detail.isEmpty ? "" : " (\(change.detail))"),
        place: version.location(of: change.element))
    }
    let shown = Set(found.map(\.element))
    // What is said of the step, and what no store knows of.
    let rest = new.models.flatMap { model -> [Snapshot.Change] in
      let before = old.model(named: model.name)
      return model.properties.compactMap { property -> Snapshot.Change? in
        let element = ElementPath(model.name, property.name)
        guard let known = before?.property(named: property.name), known != property,
          !shown.contains("\(element)")
        else { return nil }
        let keys = ManifestRewrite.keys(of: property, otherThanOf: known)
        return Snapshot.Change(
          element: "\(element)",
          what: keys.isEmpty ? "what generated code says of it" : keys.joined(separator: ", "),
          place: version.location(of: element))
      }
    }
    guard found.isEmpty, rest.isEmpty else { return found + rest }
    return [
      Snapshot.Change(
        element: new.number.name, what: "what generated code says of its types", place: nil)
    ]
  }

  /// What generated code and the engine need of the classes, and these do not say: original names and hash modifiers that
  /// follow from older versions.
  fileprivate func demands(of evolution: Evolution) -> [Diagnostic] {
    let position = evolution.positions[evolution.positions.count - 1]
    return evolution.chain[position].schema.models.flatMap { model -> [Diagnostic] in
      guard let written = version.model(named: model.name) else { return [] }
      return model.properties.flatMap { property -> [Diagnostic] in
        guard let own = written.property(named: property.name) else { return [] }
        let element = ElementPath(model.name, property.name)
        var found: [Diagnostic] = []
        if own.originalName != property.originalName {
          found.append(
            .demand(
              "originalName", property.originalName, element, own,
              "without it the engine drops the column and its values"))
        }
        if own.hashModifier != property.hashModifier {
          found.append(
            .demand(
              "hashModifier", property.hashModifier, element, own,
              "without it the engine cannot tell this version from one before"))
        }
        return found
      }
    }
  }

  /// A finding of `generate` that also shows where the class says what it is about.
  fileprivate func placed(_ finding: Diagnostic) -> Diagnostic {
    guard let element = finding.element.map(ElementPath.init(parsing:)), finding.location != nil,
      let place = version.location(of: element)
    else { return finding }
    var finding = finding
    finding.related.append(.init("the class says it here", at: place))
    return finding
  }
}

extension Diagnostic {
  fileprivate static func noClasses(_ classes: String, _ configuration: String) -> Diagnostic {
    Diagnostic(
      .removedModel, "'classes: \(classes)' leads to no '@Model' class",
      at: SourceLocation(file: configuration),
      help: ["name the folder of the app's sources, relative to this file's"])
  }

  fileprivate static func demand(
    _ argument: String, _ value: String?, _ element: ElementPath, _ property: Property,
    _ reason: String
  ) -> Diagnostic {
    let macro = property.relationship == nil ? "@Attribute" : "@Relationship"
    guard let value else {
      return Diagnostic(
        .modelDiffers,
        "'\(element)' has \(argument == "originalName" ? "an" : "a") \(argument) that no manifest explains",
        element: element, at: property.location,
        help: ["take '\(argument):' out of its \(macro)"])
    }
    return Diagnostic(
      .modelDiffers, "'\(element)' lacks the \(argument) that its manifests give it: \(reason)",
      element: element, at: property.location,
      help: ["write in the class: \(macro)(\(argument): \"\(value)\")"])
  }

  fileprivate static func notRewritten(
    _ path: String, _ changes: [Snapshot.Change]
  ) -> Diagnostic {
    Diagnostic(
      .notCopied, "'\(path)' has a layout that schemagen cannot edit",
      at: SourceLocation(file: path),
      help: [
        "make these changes by hand, then run it again: "
          + changes.map { "\($0.element): \($0.what)" }.joined(separator: "; ")
      ])
  }
}
