internal import SchemaEvolution
package import SchemaModel
internal import SchemaWorkspace
internal import SwiftSyntax

/// What hand-written sources say, as manifests say it.
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

  /// In ascending order.
  package private(set) var history: [SchemaVersion] = []
  /// What of `schemagen.yaml` the sources say: names, access level, whose the entities are.
  package private(set) var configuration = Configuration()
  /// Functions that stages become, by the older version's number.
  package private(set) var code: [AdoptedCode] = []
  /// What models of the newest version have besides stored properties.
  package private(set) var members: [SourceFile] = []
  /// What the author called each version, by the number that it has in manifests.
  package private(set) var names: [VersionNumber: String] = [:]
  /// Comments for manifests, by version and by what they stand above.
  package private(set) var comments: [VersionNumber: [ElementPath: [String]]] = [:]
  /// Files whose versions, models and plan are generated from now on.
  package private(set) var replaced: [String] = []
  /// The file that declares most of the newest version.
  package private(set) var newestFile: String?
  /// The full names of all migration plans that are in use.
  package private(set) var plans: [String] = []
  /// What this plan's store is called, where there are several.
  package private(set) var store: String?
  /// Models that stand in no version, as they would be read.
  package private(set) var unlisted: [Model] = []
  /// Types that models store and no file declares.
  package private(set) var undeclared: Set<String> = []
  /// Those of them that other builds declare.
  private(set) var omittedTypes: Set<String> = []
  /// What the code of stored types uses, and may be declared in files that were not read yet.
  private(set) var usedNames: Set<String> = []
  /// Whether the newest version's classes stay where they are.
  package private(set) var keepsClasses = false
  /// Whether hand-written versions stand beside classes that were read by themselves.
  package private(set) var hasWrittenVersions = false
  /// Where everything stands that manifests say now; nil where nothing could be adopted.
  private(set) var declarations: AdoptedDeclarations?
  /// Where the app makes containers on disk without a migration plan.
  private(set) var plainContainers: [WrittenContainer] = []
  /// What each container on disk holds, where the newest version's classes were read by themselves; empty where one of
  /// them cannot be read, or holds what manifests say.
  private(set) var held: [HeldModels] = []
  /// Lists of models that cannot be read, where no other one says what the store holds.
  private(set) var unreadLists: [UnreadList] = []
  /// What the configuration calls classes that are not stored, and no class is called.
  private(set) var namesOfNothing: [String] = []
  /// Sorted.
  package private(set) var findings: [Diagnostic] = []

  private init() {}

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
    var run = AdoptionRun(SourceIndex(sources, options.conditions), options)
    run.reportTests(tests)
    run.run()
    var adoption = Adoption()
    adoption.history = run.history
    adoption.configuration = run.configuration
    adoption.code = run.code
    adoption.members = run.memberFiles
    adoption.names = run.names
    adoption.comments = run.comments
    adoption.replaced = run.replaced
    adoption.newestFile = run.newestFile
    adoption.undeclared = run.undeclared
    adoption.omittedTypes = run.omittedTypes
    adoption.usedNames = run.usedNames
    // Who compares classes or walks through commits asks for none.
    if options.container != .any {
      // Those of the app's other stores hold other models.
      let models = Set(run.history.flatMap { $0.models.map(\.name) })
      adoption.plainContainers = run.containers.containers.filter { container in
        let names = container.classes.compactMap(\.path.last)
        return !container.hasPlan
          && (models.isEmpty || names.isEmpty || !models.isDisjoint(with: names))
      }.sorted { $0.place < $1.place }
    }
    adoption.held = run.held
    adoption.unreadLists = run.unreadLists
    adoption.namesOfNothing = run.namesOfNothing
    adoption.plans = run.plans
    adoption.store = run.store
    adoption.unlisted = run.unlisted
    adoption.keepsClasses = run.keepsClasses
    adoption.hasWrittenVersions = run.hasWrittenVersions
    adoption.declarations = AdoptedDeclarations(run)
    // What the parser made of a broken file is no reading of it: nothing else is said then.
    let broken = sources.compactMap(Diagnostic.broken)
    adoption.findings = (broken.isEmpty ? run.findings : broken).reportOrder
    return adoption
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
