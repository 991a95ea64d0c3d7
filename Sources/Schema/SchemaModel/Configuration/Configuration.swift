/// The contents of `schemagen.yaml`: everything that does not belong to one version. All defaults apply if the file
/// does not exist.
package struct Configuration: Equatable, Sendable {
  package enum AccessLevel: String, Hashable, Sendable, CaseIterable {
    case `internal`, package, `public`

    package var prefix: String { self == .internal ? "" : rawValue + " " }
  }

  package enum Policy: String, Hashable, Sendable, CaseIterable {
    /// A removal is lightweight once it is acknowledged.
    case standard
    /// A removal needs no acknowledgement if the framework can infer it.
    case inferred
    /// Every removal, rename and type change is a custom stage.
    case strict
  }

  package enum Origin: String, Hashable, Sendable, CaseIterable {
    case generated, own
  }

  package enum Converters: String, Hashable, Sendable, CaseIterable {
    case both, toEntity, none
  }

  package enum CloudKit: String, Hashable, Sendable, CaseIterable {
    case none, `private`
  }

  /// Whose approval a loss of shipped data needs, in addition to its author's reason.
  package enum Approvals: String, Hashable, Sendable, CaseIterable {
    case none
    /// Only approvals on the target branch count. They were merged in an earlier change.
    case base
    /// Approvals in the change itself count too, if the platform asks the file's owners for a review.
    case owners
  }

  /// The fields of a CloudKit schema, among those that mirroring may write.
  package enum CloudProfile: String, Hashable, Sendable, CaseIterable {
    /// The fields that a store in the private database writes: every value, and an asset for each value that may be too
    /// large.
    case `private`
    /// All fields that Apple's initialization creates, including those that remain when records are moved to be shared.
    case initialized
  }

  package struct Cloud: Equatable, Sendable {
    package var container: String?
    /// The exports of production schemas in the repository, one for each container that the app syncs with.
    package var production: [Production] = []
    package var profile: CloudProfile = .private
    package var isShared: Bool = false
    package var local: [Located<String>] = []
    /// The oldest version on devices that still sync; `nil` for the first version.
    package var oldest: VersionNumber?

    package struct Production: Equatable, Sendable {
      /// `nil` for the container that `Cloud.container` names.
      package var container: String?
      /// The export's path, relative to the folder of manifests.
      package var path: String

      package init(_ path: String, of container: String? = nil) {
        self.path = path
        self.container = container
      }
    }

    /// The profile after sharing is taken into account: shared rows leave receipts behind.
    package var writtenProfile: CloudProfile { isShared ? .initialized : profile }
  }

  /// Tells which versions have left the plan. Their stores are recognised, but not migrated.
  package struct Retirement: Equatable, Sendable {
    package var below: Located<VersionNumber>
    /// The last release that migrates stores of the retired versions, as users know it: `3.2`.
    package var through: String?

    package init(below: Located<VersionNumber>, through: String? = nil) {
      self.below = below
      self.through = through
    }
  }

  /// The Core Data model that wrote the app's stores, or still does.
  package struct CoreData: Equatable, Sendable {
    package var model: Located<String>
    package var sharesStore: Bool

    package init(model: Located<String>, sharesStore: Bool = false) {
      self.model = model
      self.sharesStore = sharesStore
    }
  }

  package enum Platform: String, Hashable, Sendable, CaseIterable, Comparable {
    case iOS, macOS, tvOS, visionOS, watchOS

    package static func < (lhs: Platform, rhs: Platform) -> Bool { lhs.rawValue < rhs.rawValue }

    package var lowest: Int {
      switch self {
      case .iOS, .tvOS: 17
      case .macOS: 14
      case .visionOS: 1
      case .watchOS: 10
      }
    }

    package func version(of generation: Generation) -> Int {
      let number = generation.rawValue
      return number < 26 ? lowest + number - Self.iOS.lowest : number
    }
  }

  /// Versions of iOS, and of the other systems released with them, that added a feature.
  package enum Generation: Int, Hashable, Sendable, CaseIterable, Comparable {
    case iOS18 = 18
    case iOS26 = 26
    case iOS27 = 27

    package static func < (lhs: Generation, rhs: Generation) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  /// Optional generated files.
  package enum Extra: String, Hashable, Sendable, CaseIterable, Comparable {
    case cloudMappers
    /// The migration status as plain values, for a debug menu.
    case debugReport
    /// Rows of every version, for the app's tests.
    case fixtures
    case jsonImport
    /// The plan as a value for `SchemaMigrationKit`, its progress, and a view of the progress.
    case migrationKit

    package static func < (lhs: Extra, rhs: Extra) -> Bool { lhs.rawValue < rhs.rawValue }

    package var needsConverters: Bool { self == .cloudMappers || self == .jsonImport }
  }

  /// The folder of the app's live classes, relative to the folder of manifests. `nil` if the newest version's models
  /// are generated, too.
  package var classes: String?
  package var notStored: [String] = []
  package var output: String = "Generated"
  /// The folder of user files, which schemagen writes once.
  package var owned: String = "Migrations"
  package var tests: String?
  package var documentation: String? = "MIGRATIONS.md"
  package var stores: String = "Stores"
  package var templates: String?
  package var access: AccessLevel = .internal
  package var policy: Policy = .standard
  package var entities: Origin = .generated
  package var converters: Converters = .both
  package var cloudKit: CloudKit = .none
  package var cloud: Cloud = Cloud()
  /// `nil` if the app never had Core Data, or no longer opens Core Data's stores.
  package var coreData: CoreData?
  package var retirement: Retirement?
  /// The tag or the commit hash of the oldest release whose stores the app opens; `nil` for all releases.
  package var oldestRelease: Located<String>?
  package var approvals: Approvals = .none
  /// The lowest version of each system that the app runs on. Empty if the app runs wherever SwiftData does.
  package var platforms: [Platform: Int] = [:]
  /// Values of `#if` conditions in the shipped app, as written: `APPSTORE`, `canImport(Sparkle)`.
  package var defines: [String: Bool] = [:]
  package var names: NamePatterns = NamePatterns()
  package var imports: [String] = []
  package var module: String?
  package var batchSize: Int = 500
  package var extras: Set<Extra> = []
  package var rules: [String: Located<RuleLevel>] = [:]

  package enum RuleLevel: String, Hashable, Sendable, CaseIterable {
    case off, note, warning, error
  }
}

extension Configuration.Cloud {
  package init(container: String? = nil) {
    self.init()
    self.container = container
  }
}

extension Configuration {
  package init(classes: String? = nil, policy: Policy = .standard) {
    self.init()
    self.classes = classes
    self.policy = policy
  }

  package func isRetired(_ version: VersionNumber) -> Bool {
    retirement.map { version < $0.below.value } ?? false
  }

  /// Whether the app runs on a system before 26, whose engine loses the values of renamed cases or fields of an enum or
  /// struct (docs/facts/migration.md#rename-composite).
  package var runsBefore26: Bool { platforms.isEmpty || !platforms(before: .iOS26).isEmpty }

  /// The systems on which the app runs in a version before the given one. Also empty if `platforms:` is missing.
  package func platforms(before generation: Generation) -> [Platform] {
    platforms.filter { $0.value < $0.key.version(of: generation) }.keys.sorted()
  }
}

/// Patterns for the names of generated declarations. `{version}`, `{model}`, `{from}` and `{to}` are replaced.
package struct NamePatterns: Equatable, Sendable {
  package var schema: String = "SchemaV{version}"
  /// `nil` for `schema` with `{from}ToV{to}` in place of `{version}`.
  package var bridge: String?
  package var plan: String = "MigrationPlan"
  /// The enum that holds the current version and, with `active`, its aliases.
  package var activeSchema: String = "ActiveSchema"
  package var active: String = "Active{model}"
  package var alias: String = "{model}V{version}"
  /// The name by which generated code calls a live class. Inside the newest version, the class's plain name means the
  /// version's model.
  package var live: String = "Live{model}"

}

extension NamePatterns {
  package init(bridge: String? = nil) {
    self.init()
    self.bridge = bridge
  }

  package func schema(_ version: VersionNumber) -> String {
    schema.replacingPlaceholder("version", with: version.label)
  }

  /// The name of the bridge between two versions. From the second bridge of a step on, it ends with the bridge's
  /// number.
  package func bridge(from: VersionNumber, to: VersionNumber, step: Int) -> String {
    let pattern = bridge ?? schema.replacingPlaceholder("version", with: "{from}ToV{to}")
    let name = pattern.replacingPlaceholder("from", with: from.label)
      .replacingPlaceholder("to", with: to.label)
    return step == 1 ? name : "\(name)Step\(step)"
  }

  package func active(model: String) -> String {
    active.replacingPlaceholder("model", with: model)
  }

  package func live(model: String) -> String {
    live.replacingPlaceholder("model", with: model)
  }

  package func alias(model: String, version: VersionNumber) -> String {
    alias.replacingPlaceholder("model", with: model)
      .replacingPlaceholder("version", with: version.label)
  }
}

extension String {
  package func replacingPlaceholder(_ name: String, with value: String) -> String {
    let placeholder = "{\(name)}"
    var text = ""
    var rest = self[...]
    while let brace = rest.utf8.firstIndex(of: UInt8(ascii: "{")) {
      // Bytes are compared, because a history has thousands of names.
      let isMeant = rest[brace...].utf8.starts(with: placeholder.utf8)
      text += rest[..<brace] + (isMeant ? value : "{")
      rest = rest[rest.utf8.index(brace, offsetBy: isMeant ? placeholder.utf8.count : 1)...]
    }
    return text + rest
  }

  package var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }

  package var uppercasedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension [Configuration.Platform: Int] {
  package var written: String {
    let entries = sorted { $0.key < $1.key }.map { "\($0.key.rawValue): \($0.value)" }
    return "{ \(entries.joined(separator: ", ")) }"
  }
}
