internal import SchemaEvolution
internal import SchemaModel
internal import SchemaRendering
internal import SchemaWorkspace
internal import SwiftAdoption
internal import SwiftSources
internal import SwiftSyntax

/// The app's classes that are the newest version's models, and what schemagen reads in them.
struct LiveClasses {
  /// The models of the classes. The version's number has no meaning.
  private(set) var version: SchemaVersion
  let comments: ClassComments
  let findings: [Diagnostic]
  let sources: [SwiftSource]
  private let formerTypes: [ValueTypeDeclaration]
  let plainContainers: [WrittenContainer]
  /// The models in the app's containers on disk; empty if unknown.
  private let held: [HeldModels]
  private let unreadLists: [UnreadList]
  private let activeSchema: String
  private let namesOfNothing: [String]
  private let isUnfinished: Bool
  private let lookUp: (SourceWanted) -> [SourceFile]

  /// Reads the folder that `classes:` names. Returns `nil` if the configuration does not have this key.
  static func read(
    _ configuration: Configuration, in folder: String, _ conditions: BuildConditions,
    _ formerTypes: Adoption.Options.FormerTypes, progress: WorkObserver?
  ) -> LiveClasses? {
    guard let classes = configuration.classes else { return nil }
    let root = Path.join(folder, classes)
    let tree = SourceTree(folders: [root], progress: progress)
    var reading = tree.files(containing: SourceAdoption.prefilter)
    for index in reading.diagnostics.indices
    where reading.diagnostics[index].location?.file == root {
      reading.diagnostics[index].location = SourceLocation(
        file: Path.join(folder, "schemagen.yaml"))
      reading.diagnostics[index].help = [Diagnostic.namingClasses]
    }
    // Stored types may be declared anywhere next to the manifests.
    let wider = SourceTree(folders: [Path.join(folder, "..")])
    return LiveClasses(
      reading.files, configuration, conditions, formerTypes, reading.diagnostics
    ) { names in
      tree.files(declaring: names, else: wider)
    }
  }

  init(
    _ files: [SourceFile], _ configuration: Configuration, _ conditions: BuildConditions,
    _ formerTypes: Adoption.Options.FormerTypes, _ diagnostics: [Diagnostic],
    lookUp: @escaping (SourceWanted) -> [SourceFile]
  ) {
    self.lookUp = lookUp
    var reader = SourceReader(files, lookUp: lookUp)
    var options = Adoption.Options(
      container: .classes(except: Set(configuration.notStored)), keepsClasses: true,
      conditions: conditions)
    options.platforms = configuration.platforms
    options.formerTypes = formerTypes
    // Of generated files, read only those without models, because generated classes belong to older versions.
    let adoption = reader.adoption(options) {
      !GeneratedFile.isMarked($0.file.bytes) || !$0.mayHaveModels
    }
    sources = reader.sources
    plainContainers = adoption.plainContainers
    held = adoption.held
    self.formerTypes = adoption.formerTypes
    // A generated container has the manifests' models.
    let activeSchema = configuration.names.activeSchema
    self.activeSchema = activeSchema
    unreadLists = adoption.unreadLists.filter {
      $0.words.isDisjoint(with: ["versionedSchema", activeSchema])
    }
    namesOfNothing = adoption.namesOfNothing
    isUnfinished = adoption.hasWrittenVersions
    version = adoption.history.last ?? SchemaVersion(number: VersionNumber(1))
    comments = ClassComments(reader.sources, version)
    // In a file with syntax errors it is unknown what comments belong to. A class may have more than a manifest can
    // express, since the class stays.
    let isBroken = adoption.findings.contains { $0.rule == .brokenSource }
    findings =
      diagnostics + adoption.findings.filter { $0.rule != .notCarried }
      + (isBroken ? [] : comments.findings)
  }
}

extension LiveClasses {
  var dependsOnConditions: Bool {
    sources.contains { $0.file.text.contains("#if") }
  }

  /// Reports models that differ between two platforms, because one plan cannot open the stores of both.
  func differences(
    on platform: String, from other: LiveClasses, _ otherPlatform: String
  ) -> [Diagnostic] {
    var theirs = other.version
    theirs.number = version.number.successors[2]
    return SchemaDiffer().changes(from: version, to: theirs)
      .filter { $0.mechanism != .none || $0.effect != .kept }
      .map { change in
        Diagnostic(
          .buildCondition,
          "'\(change.element)' differs between \(platform) and \(otherPlatform): the plan of one system does not recognise stores of the other",
          element: change.element,
          at: version.location(of: change.element) ?? theirs.location(of: change.element),
          help: [
            "declare it identically on all systems of 'platforms:', and use '#if' only in code that uses it"
          ], severity: .error)
      }
  }

  /// Reports types that only older versions store, if they no longer have the columns of these versions.
  func changedFormerTypes(_ history: [SchemaVersion]) -> [Diagnostic] {
    var written = version
    written.types += formerTypes.filter { version.type(named: $0.name) == nil }
    return history.formerTypes.compactMap { type, older in
      guard let now = written.type(named: type.name), !written.stores(type.name, as: older) else {
        return nil
      }
      let name = type.appName ?? type.name
      return Diagnostic(
        .modelDiffers,
        "'\(name)' is stored by \(older.number.name), but has changed since: stores of \(older.number.name) will not open (error 134504), or will lose values",
        element: type.name, at: now.location,
        help: version.types.contains { $0.location == now.location && $0.name != type.name }
          ? [
            "replace 'typealias \(name)' with a copy of the declaration as \(older.number.name) stores it"
          ]
          : [
            "change it back: only older versions store it, and their generated code uses this declaration",
            "declare what the app needs now under another name",
          ])
    }
  }

  /// Removes models that only older handwritten versions have. These models remain in the sources until 'adopt
  /// --finish'.
  mutating func leaveOlder(_ history: [SchemaVersion]) {
    guard isUnfinished, let newest = history.last else { return }
    var older = Set(history.dropLast().flatMap { $0.models.map(\.name) })
      .subtracting(newest.models.map(\.name))
    // A model belongs to the newest version after all if a relationship of that version leads to it.
    while true {
      let reached = version.models.filter { !older.contains($0.name) }.flatMap(\.properties)
        .compactMap { $0.relationship?.destination.value }
      guard !older.isDisjoint(with: reached) else { break }
      older.subtract(reached)
    }
    version.models.removeAll { older.contains($0.name) }
    let types = Set(history.dropLast().flatMap { $0.types.map(\.name) })
      .subtracting(newest.types.map(\.name))
    version.types.removeAll { types.contains($0.name) }
  }
}

extension Diagnostic {
  static let namingClasses =
    "name the folder of the app's sources under 'classes:', relative to this file's folder"
}

extension LiveClasses {
  /// Reports disagreements between `notStored:`, the classes and the app's containers.
  ///
  /// - Parameter newest: The newest version as in its manifest.
  func heldOtherwise(
    _ newest: SchemaVersion, _ configuration: String, notStored others: [String]
  ) -> [Diagnostic] {
    let nothing = namesOfNothing.map { name in
      Diagnostic(
        .unreachedModel, "'notStored:' has '\(name)', and no '@Model' class has that name",
        element: name, at: SourceLocation(file: configuration),
        help: ["correct the name, or remove it"])
    }
    let models = Set(newest.models.map(\.name))
    // Containers of the app's other stores have other models. If no container has a model of the newest version, all
    // models may be new.
    let classes = Set(version.models.map(\.name))
    let known = held.filter { !$0.names.isDisjoint(with: models) }
    let own = known.isEmpty ? held.filter { !$0.names.isDisjoint(with: classes) } : known
    guard !own.isEmpty else {
      let list = models.sorted().map { "\($0).self" }.joined(separator: ", ")
      return nothing
        + unreadLists.map { unread in
          Diagnostic(
            .unreachedModel,
            "the models of this container cannot be read: if it lacks a model, the model's table is lost with all rows, and no check notices",
            at: unread.place,
            help: [
              "write the list in the call, or as a static constant: [\(list)]",
              "or create the container with '\(activeSchema).container(configurations: […])', which has the newest version's models",
            ], severity: .warning)
        }
    }
    let related = own.map { Diagnostic.Related("the store is opened here", at: $0.place) }
    let left = others.filter { name in own.allSatisfy { $0.names.contains(name) } }.map { name in
      Diagnostic(
        .unreachedModel,
        "'notStored:' lists '\(name)', but the app's container stores it: no version has its table",
        element: name, at: own[0].place, related: Array(related.dropFirst()),
        help: [
          "if the app stores it, remove '\(name)' from 'notStored:' in '\(configuration)'",
          "if not, remove '\(name).self' from the container's list",
        ], severity: .error)
    }
    let names = own.reduce(into: Set<String>()) { $0.formUnion($1.names) }
    let open = version.models.filter { !names.contains($0.name) }
    func help(_ asked: [Model]) -> [String] {
      let list = (others + asked.map(\.name)).joined(separator: ", ")
      let (them, add) =
        asked.count == 1
        ? ("it", "'\(asked[0].name).self'")
        : ("them", asked.map { "'\($0.name).self'" }.enumeration)
      return [
        "if the app stores \(them), add \(add) to the container's list",
        "if not, write in '\(configuration)': notStored: [\(list)]",
      ]
    }
    let gone = open.filter { models.contains($0.name) }.map { model in
      Diagnostic(
        .unreachedModel,
        "no container of this store holds '\(model.name)' any more: the engine drops its table with all rows",
        element: model.name, at: model.location, related: related, help: help([model]),
        severity: .error)
    }
    let new = open.filter { !models.contains($0.name) }
    guard let first = new.first else { return nothing + left + gone }
    let called = new.map { "'\($0.name)'" }.enumeration
    let asked = Diagnostic(
      .unreachedModel,
      "no container of this store holds \(called): a store that is opened without \(new.count == 1 ? "it has no table for it" : "them has no tables for them")",
      element: first.name, at: first.location,
      related: new.dropFirst().compactMap { model in
        model.location.map { .init("'\(model.name)' is here", at: $0) }
      } + related, help: help(new), severity: .error)
    return nothing + left + gone + [asked]
  }

  /// Reports the app's enums and structs that models of older versions store, if no file declares them any longer.
  ///
  /// - Parameters:
  ///   - history: All versions, the newest as in the manifest.
  ///   - newest: The newest version as in the classes.
  func lackingTypes(_ history: [SchemaVersion], _ newest: SchemaVersion) -> [Diagnostic] {
    let own = history.dropLast().flatMap { version in
      version.types.filter { $0.isOwn && $0.appName == nil && newest.type(named: $0.name) == nil }
        .map { ($0.name, (version: version.number.name, place: $0.location)) }
    }
    let users = Dictionary(own) { first, _ in first }.filter { !isModel($0.key) }
    guard !users.isEmpty else { return [] }
    let found = lookUp(.types(Set(users.keys))).concurrentlyParsed + sources
    var declared: Set<String> = []
    var aliases: Set<String> = []
    func add(_ node: some DeclSyntaxProtocol, _ name: TokenSyntax) {
      declared.insert((Syntax(node).enclosingTypes + [name.plain]).joined(separator: "."))
    }
    for syntax in found.map(\.syntax) {
      for node in syntax.all(EnumDeclSyntax.self) { add(node, node.name) }
      for node in syntax.all(StructDeclSyntax.self) { add(node, node.name) }
      for node in syntax.all(TypeAliasDeclSyntax.self) {
        add(node, node.name)
        aliases.insert(node.name.plain)
      }
    }
    func isDeclared(_ name: String) -> Bool {
      if declared.contains(name) { return true }
      let parts = name.split(separator: ".").map(String.init)
      // An alias of an enclosing type leads to a declaration elsewhere.
      return aliases.contains(parts[0])
        && declared.contains { $0.split(separator: ".").last.map(String.init) == parts.last }
    }
    let stored = StorageTypes(version: newest)
    return users.keys.sorted().filter { !isDeclared($0) }.map { name in
      let user = users[name]
      let former = history.last { $0.type(named: name) != nil }
      let held = former.map { StorageTypes(version: $0).storage(of: .named(name)) }
      // If the cases of a type were reordered, the type would decode old rows as wrong values.
      let alike = newest.types.first { type in
        stored.storage(of: .named(type.name)) == held
          && former?.type(named: name)?.cases.misread(as: type.cases).isEmpty != false
      }
      return Diagnostic(
        .undeclaredType,
        "no file declares '\(name)', which models of \(user?.version ?? "") store: their rows cannot be read without it",
        element: name, at: user?.place,
        help: [
          "keep the declaration; a separate file next to the migrations is a good place"
        ]
          + (name.contains(".")
            ? [
              "or declare it again, in an extension of '\(name.split(separator: ".").dropLast().joined(separator: "."))'"
            ]
            : alike.map { ["or write in Swift: typealias \(name) = \($0.appName ?? $0.name)"] }
              ?? []),
        severity: .error)
    }
  }

  private func isModel(_ name: String) -> Bool { version.model(named: name) != nil }

  /// Reports models with the name of an enum or struct that older versions store, since the app cannot declare both.
  func takenNames(_ history: [SchemaVersion]) -> [Diagnostic] {
    version.models.compactMap { model in
      guard let older = history.last(where: { $0.type(named: model.name)?.isOwn == true }) else {
        return nil
      }
      return Diagnostic(
        .conflictingName,
        "models of \(older.number.name) store a value type that is also called '\(model.name)': their rows cannot be read without its declaration",
        element: model.name, at: model.location,
        help: [
          "give the class another name, and declare the value type as it was; a separate file next to the migrations is a good place"
        ])
    }
  }
}
