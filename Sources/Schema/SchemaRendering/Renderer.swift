package import SchemaEvolution
package import SchemaModel

extension Rule {
  package static let conflictingName = Rule(
    "conflicting-name", "Two generated declarations would have the same name",
    basis: .fact(.swiftData, "nested-names-resolve-silently", .certain))
}

/// Renders all files of an evolution, in memory.
package struct Renderer: Sendable {
  static let files: [any EmittedFile.Type] = [
    SchemaFile.self,
    ConversionFile.self,
    MigrationPlanFile.self,
    MigrationRowsFile.self,
    MigrationSupportFile.self,
    ActiveSchemaFile.self,
    EntitiesFile.self,
    ValueTypesFile.self,
    MigrationTestsFile.self,
    // Files that are written once.
    UserFile.self,
    MigrationLogFile.self,
    // Files that are generated on request.
    CloudMapperFile.self,
    CloudSupportFile.self,
    JSONImportFile.self,
    FixturesFile.self,
    DebugReportFile.self,
    PlanDescriptionFile.self,
    CoreDataStepFile.self,
    ProgressViewFile.self,
  ]

  package private(set) var templates: TemplateStore
  /// Core Data's hash of each entity in base64, for versions with proven hashes.
  private let hashes: [VersionNumber: [String: String]]
  /// The step for stores of older versions of a Core Data model; nil if there are none.
  private let coreDataStep: CoreDataStep?
  /// Whether a rehearsal compiles the files. If so, the files report values that take a fallback.
  private let isRehearsed: Bool

  package init(
    templates: TemplateStore, hashes: [VersionNumber: [String: String]] = [:],
    coreDataStep: CoreDataStep? = nil, isRehearsed: Bool = false
  ) {
    self.coreDataStep = coreDataStep
    self.templates = templates
    self.hashes = hashes
    self.isRehearsed = isRehearsed
  }

  /// The files, sorted by kind and path. The evolution must be free of errors.
  package func files(for evolution: Evolution) -> [GeneratedFile] {
    guard !evolution.history.isEmpty else { return [] }
    // A rehearsal is based on manifests, without the app's classes.
    let whole = isRehearsed ? evolution.frozen : evolution
    let evolution = whole.kept
    let input = RenderingInput(
      evolution, of: whole, hashes: hashes, coreDataStep: coreDataStep, isRehearsed: isRehearsed)
    var renderer = self
    renderer.templates = templates.writingOut(HiddenNames(by: Self.typeNames(input)))
    let jobs = Self.files.flatMap { renderer.jobs(of: $0, input) }
    let hasUnderscores = evolution.chain.contains { $0.hasUnderscores }
    let results = jobs.map { $0() } + [HistoryDocument.file(whole)]
    return results.compactMap { file in
      file.map { hasUnderscores ? $0.allowingUnderscores : $0 }
    }.sorted {
      ($0.kind.rawValue, $0.path) < ($1.kind.rawValue, $1.path)
    }
  }

  /// The user file of a step, written once; nil if the app has nothing to write.
  package func userFile(
    for step: VersionStep, _ evolution: Evolution
  ) -> GeneratedFile? {
    UserFile(step, evolution).map(render)
  }

  /// The types that manifests and generated files declare at the top level of the app's module.
  private static func typeNames(_ input: RenderingInput) -> Set<String> {
    var names = Set(files.flatMap { $0.declarations(input) }.map(\.name))
    names.formUnion(input.whole.history.flatMap(\.types).map(\.name))
    names.formUnion(input.whole.entities.map(\.name))
    if input.evolution.configuration.classes != nil {
      names.formUnion(input.newest.models.map(\.name))
    }
    return names
  }

  private func jobs<File: EmittedFile>(
    of type: File.Type, _ input: RenderingInput
  ) -> [@Sendable () -> GeneratedFile?] {
    type.makers(input).map { make in { make().map(render) } }
  }

  private func render(_ file: some EmittedFile) -> GeneratedFile {
    GeneratedFile(kind: type(of: file).kind, path: file.path, contents: templates.render(file))
  }
}

// MARK: - Findings

extension Renderer {
  /// Findings that need the generated files: conflicting names, and fields that no record can have.
  package static func findings(
    _ evolution: Evolution, coreDataStep: CoreDataStep? = nil
  ) -> [Diagnostic] {
    guard !evolution.history.isEmpty else { return [] }
    let input = RenderingInput(evolution.kept, of: evolution, coreDataStep: coreDataStep)
    return nameConflicts(input) + (input.records?.diagnostics ?? [])
  }

  /// Findings about declarations of the same name: aliases, entities, types and schemas share the module.
  private static func nameConflicts(_ input: RenderingInput) -> [Diagnostic] {
    let declarations = Dictionary(
      grouping: files.flatMap { $0.declarations(input) }, by: \.order.rawValue)
    var owners: [String: Declaration] = [:]
    var found: [Diagnostic] = []
    for declaration in declarations.sorted(by: { $0.key < $1.key }).flatMap(\.value) {
      let name = declaration.name
      guard let other = owners.updateValue(declaration, forKey: name) else { continue }
      found.append(
        Diagnostic(
          .conflictingName, "'\(name)' would name both \(other.what) and \(declaration.what)",
          element: name, at: declaration.location ?? other.location,
          help: ["rename one of them, or change 'names:' in schemagen.yaml"]))
    }
    return found
  }
}

// MARK: - Underscores

extension ChainVersion {
  /// Whether property names, or names that contain the version's number, have an underscore: `migrateV1_1ToV2`.
  fileprivate var hasUnderscores: Bool {
    name.contains("_") || identifier.label.contains("_")
      || schema.models.contains { $0.properties.contains { $0.name.utf8.contains(95) } }
  }
}

extension GeneratedFile {
  /// The file, with a comment that makes swift-format accept underscores in lower camel case.
  fileprivate var allowingUnderscores: GeneratedFile {
    guard path.hasSuffix(".swift"), kind != .userFile,
      declaresUnderscore, let end = contents.firstIndex(of: "\n")
    else { return self }
    var file = self
    file.contents.insert(
      contentsOf: "\n// swift-format-ignore-file: AlwaysUseLowerCamelCase", at: end)
    return file
  }

  /// Whether the file declares a name that begins in lower camel case and has an underscore.
  ///
  /// The bytes are searched, since a regular expression took as long as rendering the file.
  private var declaresUnderscore: Bool {
    var contents = contents
    return contents.withUTF8 { bytes in
      var rest = bytes[...]
      while let underscore = rest.firstIndex(of: UInt8(ascii: "_")) {
        if Self.isDeclared(behind: bytes[..<underscore]) { return true }
        rest = rest[(underscore + 1)...]
      }
      return false
    }
  }

  /// Whether the bytes end with a declaration's keyword and the beginning of its name.
  private static func isDeclared(behind text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    let start = text.lastIndex { !isAlphanumeric($0) }.map { $0 + 1 } ?? 0
    guard let first = text[start...].first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first)
    else { return false }
    let head = text[..<start]
    return ["var ", "let ", "func ", "case "].contains { keyword in
      head.suffix(keyword.utf8.count).elementsEqual(keyword.utf8)
        && head.dropLast(keyword.utf8.count).last.map {
          !isAlphanumeric($0) && $0 != UInt8(ascii: "_") && $0 < 0x80
        } ?? true
    }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }
}
