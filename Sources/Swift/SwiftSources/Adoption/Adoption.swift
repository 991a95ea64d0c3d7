internal import SchemaEvolution
internal import SchemaLint
package import SchemaModel
internal import SchemaWorkspace
internal import SwiftSyntax

/// What hand-written sources say, as manifests say it: one adoption, step by step.
///
/// A value, made from parsed files; nothing is read from the disk or written to it.
package struct Adoption: Sendable {
  /// What the person who adopts decides.
  package struct Options: Sendable {
    /// The migration plan to adopt, if there are several.
    package var plan: String?
    /// The container of an app without versions whose models are adopted.
    package var container = Container.only
    /// Whether the newest version's classes stay where they are, as the app's own.
    package var keepsClasses = false
    /// Whether the others are adopted too, each by itself.
    package var isBesideOthers = false
    package var conditions: BuildConditions
    /// Models that are known from elsewhere, by the names that these files may give them.
    package var models: [String: String]
    /// Files of which only the code of stored types counts.
    var code: [SwiftSource] = []
    /// What the app may do with iCloud.
    package var entitlements = Entitlements()

    package enum Container: Equatable, Sendable {
      /// The only one; of several that hold different models it is asked which.
      case only
      /// The one that is made at a place: `App.swift:12`.
      case at(String)
      /// All of them.
      case any
      /// None: every class is the newest version's, but for some.
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

  let index: SourceIndex
  /// The same, with the files in which only the code of stored types is looked at.
  let codeIndex: SourceIndex
  let options: Options
  /// In ascending order.
  package var history: [SchemaVersion] = []
  /// What of `schemagen.yaml` the sources say: names, access level, whose the entities are.
  package var configuration = Configuration()
  /// Functions that stages become.
  var code: [AdoptedCode] = []
  /// What the newest version's classes have besides stored properties, by full name.
  var members: [String: AdoptedMembers] = [:]
  var memberFiles: [SourceFile] = []
  /// What the author called each version, by the number that it has in manifests.
  var names: [VersionNumber: String] = [:]
  /// Comments for manifests: what authors wrote beside declarations that go, and what may be another name of something
  /// dropped.
  var comments: [VersionNumber: [ElementPath: [String]]] = [:]
  /// What classes say of properties that no manifest can express.
  var unread: [VersionNumber: [ElementPath: [String]]] = [:]
  /// Files whose versions, models and plan are generated from now on.
  var replaced: [String] = []
  /// The file that declares most of the newest version.
  var newestFile: String?
  /// Types that models store and no file declares.
  var undeclared: Set<String> = []
  /// Those of them that builds for other systems alone declare.
  var omittedTypes: Set<String> = []
  /// What the code of stored types uses, and may be declared in files that were not read yet.
  var usedNames: Set<String> = []
  /// The full names of all migration plans that are in use.
  var plans: [String] = []
  /// What this plan's store is called, where there are several.
  var store: String?
  /// Models that stand in no version, as they would be read.
  var unlisted: [Model] = []
  package var findings: [Diagnostic] = []
  var plan: WrittenPlan?
  var versions: [WrittenVersion] = []
  var numbers: [VersionNumber] = []
  /// What containers hold; read once, where somebody asks.
  lazy var containers = ContainerReader(index, options)
  /// Classes that versions are made of, each version's own.
  var classes: [[DeclaredType]] = []
  /// Classes beside the newest version that are what its models are, by name: the app's code means these.
  var live: [String: DeclaredType] = [:]
  /// Full names of the newest version's nested classes that are copies of the app's own, which are kept.
  var liveCopies: Set<String> = []
  /// What enums and structs are called that stood in a model or in a version.
  var valueTypes: ValueTypeNames
  /// What generated copies of types that stood in a version are called, by what these were called.
  var copies: [String: String] = [:]
  /// Variables that stages keep values in, and that went along with a step.
  var sharedVariables: Set<String> = []
  /// Declarations that went along with stages.
  var carried: Set<SyntaxIdentifier> = []
  /// Whether hand-written versions stand beside the app's classes, as they do until 'adopt --finish'.
  var hasWrittenVersions = false
  /// What each container on disk holds, where the classes of today were read by themselves; empty where one of them cannot
  /// be read, or holds what manifests say.
  var held: [HeldModels] = []
  /// Where the app makes containers on disk without a migration plan.
  private(set) var plainContainers: [WrittenContainer] = []
  /// Lists of models that cannot be read, where the classes of today were read by themselves.
  var unreadLists: [UnreadList] = []
  /// What the configuration calls classes that are not stored, and no class is called.
  var namesOfNothing: [String] = []
  /// What stands for a version that was left out, by name.
  var merged: [String: String] = [:]

  init(_ index: SourceIndex, _ options: Options) {
    self.index = index
    codeIndex =
      options.code.isEmpty ? index : SourceIndex(index.sources + options.code, options.conditions)
    self.options = options
    valueTypes = ValueTypeNames(index, versions: [])
  }

  /// A stage's code, on its way to the user file of its step.
  package struct AdoptedCode: Sendable {
    package var from: VersionNumber
    package var to: VersionNumber
    /// Lines of `willMigrate` and the name that they give the context; empty where there is none.
    package var before: [String]
    package var beforeContext: String
    /// The same of `didMigrate`.
    package var after: [String]
    package var afterContext: String
    /// Declarations that the code uses, which become the enum's: their lines.
    package var members: [[String]] = []
    /// Extensions of older versions' models with what the code uses of them.
    package var extensions: [[String]] = []
    /// The imports of the files in which the code stood.
    package var imports: [String] = []
  }

  /// The same, where some files that may declare what it asks for are not UTF-8: each is named, and is the cause of what
  /// is missing.
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

  /// Reads what parsed files say of versions, models and plans.
  ///
  /// - Parameter tests: Files of test targets, of which is only said that they were left aside.
  package static func read(
    _ sources: [SwiftSource], tests: [SwiftSource] = [], options: Options = Options()
  ) -> Adoption {
    var adoption = Adoption(SourceIndex(sources, options.conditions), options)
    adoption.reportTests(tests)
    adoption.run()
    // Who compares classes or walks through commits asks for none.
    if options.container != .any {
      // Those of the app's other stores hold other models.
      let models = Set(adoption.history.flatMap { $0.models.map(\.name) })
      adoption.plainContainers = adoption.containers.containers.filter { container in
        let names = container.classes.compactMap(\.path.last)
        return !container.hasPlan
          && (models.isEmpty || names.isEmpty || !models.isDisjoint(with: names))
      }.sorted { $0.place < $1.place }
    }
    // What the parser made of a broken file is no reading of it: nothing else is said then.
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
        .cannotAdopt, "the app has versions, and '--container' is for one without",
        at: versions[0].type.place, help: ["leave it out; --plan names one of several plans"])
    }
    guard !versions.isEmpty else { return }
    number()
    if options.keepsClasses { takeLiveClasses() }
    readVersions()
    // What could not be read would only be missed in all that follows.
    guard !findings.contains(where: \.endsAdoption) else { return }
    if options.keepsClasses { keepClasses() }
    // Before versions are merged: of those that store the same today, nobody knows what they stored.
    reportLiveModels()
    mergeDuplicates()
    if versions[0].type.path.isEmpty {
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

  /// The files that declare what is generated from now on: versions, models, the plan, and aliases of models.
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
  /// What was found, without what is said of the models of other stores: that they are in no version of this one.
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
  /// A finding about a file that does not parse; nil for one that does.
  fileprivate static func broken(_ source: SwiftSource) -> Diagnostic? {
    source.firstError.map { place in
      Diagnostic(
        .brokenSource, "'\(source.file.path)' does not parse: what it declares cannot be told",
        at: place, help: ["correct the file, and run it again: until then nothing is written"])
    }
  }
}
