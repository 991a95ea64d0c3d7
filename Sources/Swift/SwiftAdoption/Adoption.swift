internal import SchemaEvolution
package import SchemaGit
internal import SchemaLint
package import SchemaModel
internal import SchemaWorkspace
package import SwiftSources
package import SwiftSyntax

/// Reads hand-written sources as versions and configuration, step by step.
///
/// An adoption is a value made from parsed files. It neither reads from the disk nor writes to it.
package struct Adoption: Sendable {
  package struct Options: Sendable {
    package var plan: String?
    /// For an app without versions, the container whose models are adopted.
    package var container = Container.only
    /// Whether the newest version's classes remain the app's classes, where they are.
    package var keepsClasses = false
    /// Whether the other plans are adopted too, each separately.
    package var isBesideOthers = false
    package var conditions: BuildConditions
    /// Models declared elsewhere, by the names that the adopted files may give them.
    package var models: [String: String]
    package var formerTypes = FormerTypes()
    /// Files of which only the code of stored types is used.
    var code: [SwiftSource] = []
    package var entitlements = Entitlements()
    /// The lowest version of each system that the app runs on; empty if unknown.
    package var platforms: [Configuration.Platform: Int] = [:]
    /// What the app's releases stored; nil if they were not read.
    package var released: ReleasedModels?
    /// The folders of the app, relative to the worktree's top.
    package var releaseFolders: [String] = []

    package struct FormerTypes: Sendable {
      /// The app's names for the types, by the types' names in manifests.
      package var names: [String: String] = [:]
      package var attributes: [Attribute] = []

      package init() {}
    }

    package enum Container: Equatable, Sendable {
      /// The only container; if several hold different models, the user is asked to choose.
      case only
      /// The container made at a place: `App.swift:12`.
      case at(String)
      case any
      /// No container is chosen: every class belongs to the newest version, except these.
      case classes(except: Set<String>)
    }

    package init(
      plan: String? = nil, container: Container = .only, keepsClasses: Bool = false,
      conditions: BuildConditions = BuildConditions(), models: [String: String] = [:]
    ) {
      self.plan = plan
      self.container = container
      self.keepsClasses = keepsClasses
      self.conditions = conditions
      self.models = models
    }
  }

  package let index: SourceIndex
  /// The index of all files, including those read only for the code of stored types.
  let codeIndex: SourceIndex
  package let options: Options
  /// The versions in ascending order.
  package var history: [SchemaVersion] = []
  package var configuration = Configuration()
  var code: [AdoptedCode] = []
  /// Members of the newest version's classes other than stored properties, by full name.
  package var members: [String: AdoptedMembers] = [:]
  var memberFiles: [SourceFile] = []
  /// The author's name for each version, by its number in manifests.
  package var names: [VersionNumber: String] = [:]
  /// Comments for manifests: comments on removed declarations, and notes on drops that may be renames.
  var comments: [VersionNumber: [ElementPath: [String]]] = [:]
  /// Reasons why a version's drops may not be real, by the version's number.
  var doubts: [VersionNumber: [String]] = [:]
  /// Traits of properties that classes declare and no manifest can express.
  var unread: [VersionNumber: [ElementPath: [String]]] = [:]
  package internal(set) var formerTypes: [ValueTypeDeclaration] = []
  var unclearReleases: [(releases: [ReleasedModels.Release], reason: String)] = []
  var replaced: [String] = []
  var newestFile: String?
  package var undeclared: Set<String> = []
  /// Undeclared types that are declared only in builds for other systems.
  package var omittedTypes: Set<String> = []
  /// Names that the code of stored types uses; files not read yet may declare them.
  var usedNames: Set<String> = []
  /// Full names of the migration plans in use; empty if the plans share versions.
  package var plans: [String] = []
  var store: String?
  package var unlisted: [Model] = []
  package var findings: [Diagnostic] = []
  package var plan: WrittenPlan?
  package var versions: [WrittenVersion] = []
  var numbers: [VersionNumber] = []
  lazy var containers = ContainerReader(index, options)
  package var classes: [[DeclaredType]] = []
  /// The newest version's models that are classes outside of the version, by name. The app's code refers to them.
  var live: [String: DeclaredType] = [:]
  /// Full names of the newest version's nested classes that are copies of classes that the app keeps.
  package var liveCopies: Set<String> = []
  package var valueTypes: ValueTypeNames
  /// Names of the generated copies of types that were nested in a version, by the types' former names.
  var copies: [String: String] = [:]
  var sharedVariables: Set<String> = []
  package var carried: Set<SyntaxIdentifier> = []
  /// Whether hand-written versions exist in addition to the app's classes, as they do until 'adopt --finish'.
  package var hasWrittenVersions = false
  /// What each container on disk holds, if only today's classes were read; empty if a container cannot be read, or is
  /// generated.
  package var held: [HeldModels] = []
  /// Places where the app makes containers on disk without a migration plan.
  package private(set) var plainContainers: [WrittenContainer] = []
  package var unreadLists: [UnreadList] = []
  /// Names that `notStored:` lists and no class has.
  package var namesOfNothing: [String] = []
  /// Versions that were left out, by name, each with the name of the version that replaces it.
  package var merged: [String: String] = [:]

  package init(_ index: SourceIndex, _ options: Options) {
    self.index = index
    codeIndex =
      options.code.isEmpty ? index : SourceIndex(index.sources + options.code, options.conditions)
    self.options = options
    valueTypes = ValueTypeNames(index, versions: [])
  }

  /// The code of a stage, which moves into its step's user file.
  package struct AdoptedCode: Sendable {
    package var from: VersionNumber
    package var to: VersionNumber
    /// The lines of `willMigrate`, and their name for the context. Without `willMigrate` there are no lines.
    package var before: [String]
    package var beforeContext: String
    package var after: [String]
    package var afterContext: String
    /// The lines of declarations that the code uses, which become members of the step's enum.
    package var members: [[String]] = []
    package var extensions: [[String]] = []
    package var imports: [String] = []
  }

  /// A copy whose findings about missing types name files that may declare the types but are not UTF-8.
  func lacking(_ files: [SourceFile]) -> Adoption {
    guard !files.isEmpty else { return self }
    var adoption = self
    adoption.findings = findings.map { finding in
      guard finding.rule == .undeclaredType, let name = finding.element, undeclared.contains(name),
        !omittedTypes.contains(name),
        let file = files.first(where: { file in
          let isNamed = SourceAdoption.prefilter(declaring: .types([name]))
          return file.isWide || file.bytes.withUnsafeBytes(isNamed.matches)
        })
      else { return finding }
      var finding = finding
      finding.message = "'\(file.path)' is not UTF-8, and no other file declares '\(name)'"
      finding.related.append(
        .init("this file cannot be read", at: SourceLocation(file: file.path)))
      finding.help = ["save '\(file.path)' as UTF-8, as Swift's compiler demands"]
      return finding
    }
    adoption.findings = (adoption.findings + files.map { .undecoded($0.path) }).reportOrder
    return adoption
  }

  /// - Parameter tests: Files of test targets, which are only reported as ignored.
  package static func read(
    _ sources: [SwiftSource], tests: [SwiftSource] = [], options: Options = Options()
  ) -> Adoption {
    var adoption = Adoption(SourceIndex(sources, options.conditions), options)
    adoption.reportTests(tests)
    adoption.run()
    // Callers that compare classes or read commits do not use the containers.
    if options.container != .any {
      // Containers of the app's other stores hold other models.
      let models = Set(adoption.history.flatMap { $0.models.map(\.name) })
      adoption.plainContainers = adoption.containers.containers.filter { container in
        let names = container.classes.compactMap(\.path.last)
        return !container.hasPlan
          && (models.isEmpty || names.isEmpty || !models.isDisjoint(with: names))
      }.sorted { $0.place < $1.place }
    }
    // The syntax tree of a broken file is unreliable, so only the parse errors are reported.
    let broken = sources.compactMap(Diagnostic.broken)
    adoption.findings = (broken.isEmpty ? adoption.findings : broken).reportOrder
    return adoption
  }

  mutating func run() {
    if case .classes(let others) = options.container { return readLive(except: others) }
    var versionReader = VersionReader(index, options.conditions)
    let all = versionReader.versions()
    var planReader = PlanReader(index, versionReader)
    let plans = planReader.plans()
    undeclared.formUnion(versionReader.missing.union(planReader.missing))
    findings += versionReader.findings
    for model in index.omitted {
      findings.append(
        .buildCondition(
          "'\(model.name)' and all that is in it", element: model.name, at: model.place))
    }
    guard choose(plans, all) else { return }
    findings += planReader.findings
    if versions.isEmpty {
      readUnversioned()
    } else if case .at = options.container {
      report(
        .cannotAdopt, "the app has versions, and '--container' is for an app without versions",
        at: versions[0].type.place,
        help: ["leave '--container' out; to choose one of several plans, use --plan"])
    }
    guard !versions.isEmpty else { return }
    number()
    if options.keepsClasses { takeLiveClasses() }
    readVersions()
    // The later checks would report what could not be read as missing.
    guard !findings.contains(where: \.endsAdoption) else { return }
    if options.keepsClasses { keepClasses() }
    takeReleases()
    // Report before merging, because models that are equal today may have been different when the versions shipped.
    reportLiveModels()
    mergeDuplicates()
    if versions[versions.count - 1].type.path.isEmpty {
      reportUnreachedModels()
    } else {
      reportUnlistedModels(all)
    }
    placeRemarks()
    history.connectRenames()
    configure()
    noteDrops()
    nameCopies()
    adoptStages()
    if !keepsClasses { adoptMembers() }
    freeze()
    newestFile = (versions.last?.type).map { index.source(of: $0).file.path }
    replaced = replacedFiles(all)
  }

  func replacedFiles(_ all: [WrittenVersion]) -> [String] {
    let kept = Set(keepsClasses ? classes[classes.count - 1].map(\.fullName) : [])
    var files = Set(classes.joined().filter { !kept.contains($0.fullName) }.map(\.file))
    let adopted = Set(versions.map(\.name)).union(merged.keys)
    var paths = all.filter { adopted.contains($0.name) }.map(\.type.path)
    if let plan { paths.append(plan.type.path) }
    for path in paths where !path.isEmpty {
      files.formUnion((index.declarations(of: path) + index.extensions(of: path)).map(\.file))
    }
    let models = Set(classes.joined().map(\.fullName))
    var names = Set(files.map { index.sources[$0].file.path })
    for alias in index.aliases where alias.path.count == 1 {
      let type = index.type(named: alias.target.nameParts, in: [])
      if let type, type.path.count > 1, models.contains(type.fullName) {
        names.insert(alias.place.file)
      }
    }
    return names.sorted()
  }

  mutating func report(
    _ rule: Rule, _ message: String, element: String? = nil, at place: Place?,
    related: [Diagnostic.Related] = [], help: [String] = [],
    severity: Diagnostic.Severity? = nil
  ) {
    findings.append(
      Diagnostic(
        rule, message, element: element, at: place, related: related, help: help,
        severity: severity))
  }
}

extension Adoption {
  func findings(beside others: [Adoption]) -> [Diagnostic] {
    func places(_ adoptions: [Adoption]) -> Set<Place> {
      Set(adoptions.flatMap(\.history).flatMap(\.models).compactMap(\.location))
    }
    let theirs = places(others).subtracting(places([self]))
    return findings.filter { finding in
      finding.severity == .error || !(finding.location.map(theirs.contains) ?? false)
    }
  }
}

extension Diagnostic {
  fileprivate static func broken(_ source: SwiftSource) -> Diagnostic? {
    source.firstError.map { place in
      Diagnostic(
        .brokenSource,
        "'\(source.file.path)' does not parse: schemagen cannot tell what it declares",
        at: place,
        help: ["correct the file, and run the command again: until then nothing is written"])
    }
  }
}
