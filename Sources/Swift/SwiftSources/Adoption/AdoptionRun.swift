internal import SchemaEvolution
internal import SchemaLint
internal import SchemaModel
internal import SchemaWorkspace
internal import SwiftSyntax

/// One adoption, step by step.
struct AdoptionRun {
  var index: SourceIndex
  /// The same, with the files in which only the code of stored types is looked at.
  let codeIndex: SourceIndex
  let options: Adoption.Options
  var history: [SchemaVersion] = []
  var configuration = Configuration()
  var code: [Adoption.AdoptedCode] = []
  /// What the newest version's classes have besides stored properties, by full name.
  var members: [String: AdoptedMembers] = [:]
  var memberFiles: [SourceFile] = []
  var names: [VersionNumber: String] = [:]
  /// Comments for manifests: what authors wrote beside declarations that go, and what may be another name of something
  /// dropped.
  var comments: [VersionNumber: [ElementPath: [String]]] = [:]
  /// What classes say of properties that no manifest can express.
  var unread: [VersionNumber: [ElementPath: [String]]] = [:]
  var replaced: [String] = []
  var newestFile: String?
  var undeclared: Set<String> = []
  /// Types that models store and that builds for other systems alone declare.
  var omittedTypes: Set<String> = []
  /// What the code of stored types uses, and may be declared in files that were not read yet.
  var usedNames: Set<String> = []
  var plans: [String] = []
  /// What this plan's store is called, where there are several.
  var store: String?
  var unlisted: [Model] = []
  var findings: [Diagnostic] = []
  var plan: WrittenPlan?
  var versions: [WrittenVersion] = []
  var numbers: [VersionNumber] = []
  /// The generator's own, which tell what such versions are called.
  var bridges: [WrittenVersion] = []
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
  /// What containers hold, where the classes of today were read by themselves and each container could be.
  var held: [HeldModels] = []
  /// Lists of models that cannot be read, where the classes of today were read by themselves.
  var unreadLists: [UnreadList] = []
  /// What the configuration calls classes that are not stored, and no class is called.
  var namesOfNothing: [String] = []
  /// What stands for a version that was left out, by name.
  var merged: [String: String] = [:]

  init(_ index: SourceIndex, _ options: Adoption.Options) {
    self.index = index
    codeIndex =
      options.code.isEmpty ? index : SourceIndex(index.sources + options.code, options.conditions)
    self.options = options
    valueTypes = ValueTypeNames(index, versions: [])
  }

  mutating func run() {
    if case .classes(let others) = options.container { return readLive(except: others) }
    leaveUnreachedFiles()
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
    connectSteps()
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
