/// The contents of `schemagen.yaml`: everything that does not belong to one version. Without a file all defaults apply.
package struct Configuration: Equatable, Sendable {
  package enum AccessLevel: String, Hashable, Sendable, CaseIterable {
    case `internal`, package, `public`

    /// The modifier with a space after it; empty for `internal`.
    package var prefix: String { self == .internal ? "" : rawValue + " " }
  }

  package enum Policy: String, Hashable, Sendable, CaseIterable {
    /// A removal is lightweight once it is acknowledged.
    case standard
    /// What the framework infers: a removal needs no acknowledgement.
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

  /// Whose approval is needed for a loss of shipped data, in addition to its author's reason.
  package enum Approvals: String, Hashable, Sendable, CaseIterable {
    case none
    /// Only approvals on the target branch count; they were merged separately.
    case base
    /// Also approvals in the change itself, if the platform asks the file's owners for a review.
    case owners
  }

  /// Which of the fields that mirroring may write are part of a CloudKit schema.
  package enum CloudProfile: String, Hashable, Sendable, CaseIterable {
    /// What a store in the private database writes: every value, and an asset for each value that may be too large.
    case `private`
    /// Everything that Apple's own initialization creates, including what remains when records are moved to be shared.
    case initialized
  }

  /// Which of the app's data is in CloudKit, and where its schema is recorded.
  package struct Cloud: Equatable, Sendable {
    /// `iCloud.com.example.Trips`
    package var container: String?
    /// The exports of production schemas that are kept in the repository, one for each container that the app syncs with.
    package var production: [Production] = []
    package var profile: CloudProfile = .private
    /// Whether rows are shared with other people.
    package var isShared: Bool = false
    /// Models in another configuration, which does not sync.
    package var local: [Located<String>] = []
    /// The oldest version on devices that still sync; nil for the first version.
    package var oldest: VersionNumber?

    /// An export of a container's production schema.
    package struct Production: Equatable, Sendable {
      /// Nil for the one that `container` names.
      package var container: String?
      /// The path, relative to the folder of manifests.
      package var path: String

      package init(_ path: String, of container: String? = nil) {
        self.path = path
        self.container = container
      }
    }

    /// Which of mirroring's own fields the schema has: shared rows leave receipts behind.
    package var writtenProfile: CloudProfile { isShared ? .initialized : profile }
  }

  /// Versions that have left the plan: their stores are recognised, but no longer migrated.
  package struct Retirement: Equatable, Sendable {
    /// The version that the plan begins with.
    package var below: Located<VersionNumber>
    /// The last release that migrates stores of the versions before it, as users know it: `3.2`.
    package var through: String?

    package init(below: Located<VersionNumber>, through: String? = nil) {
      self.below = below
      self.through = through
    }
  }

  /// The Core Data model that wrote the app's stores, or still does.
  package struct CoreData: Equatable, Sendable {
    /// The `.xcdatamodeld`, relative to the folder of manifests.
    package var model: Located<String>
    /// Whether Core Data's stack opens the same store as SwiftData.
    package var sharesStore: Bool

    package init(model: Located<String>, sharesStore: Bool = false) {
      self.model = model
      self.sharesStore = sharesStore
    }
  }

  /// Systems that have SwiftData.
  package enum Platform: String, Hashable, Sendable, CaseIterable, Comparable {
    case iOS, macOS, tvOS, visionOS, watchOS

    package static func < (lhs: Platform, rhs: Platform) -> Bool { lhs.rawValue < rhs.rawValue }

    /// The first version of the system that has SwiftData.
    package var lowest: Int {
      switch self {
      case .iOS, .tvOS: 17
      case .macOS: 14
      case .visionOS: 1
      case .watchOS: 10
      }
    }

    /// The version that came out with a version of iOS.
    package func version(of generation: Generation) -> Int {
      // Since 26 all systems have one number.
      let number = generation.rawValue
      return number < 26 ? lowest + number - Self.iOS.lowest : number
    }
  }

  /// Versions of iOS, with the matching versions of other systems, that added a feature.
  package enum Generation: Int, Hashable, Sendable, CaseIterable, Comparable {
    case iOS18 = 18
    case iOS26 = 26
    case iOS27 = 27

    package static func < (lhs: Generation, rhs: Generation) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  /// Files that are generated only on request.
  package enum Extra: String, Hashable, Sendable, CaseIterable, Comparable {
    /// A mapper between each entity and its CloudKit record.
    case cloudMappers
    /// What a debug menu shows, as plain values.
    case debugReport
    /// Rows of every version, in the folder of tests.
    case fixtures
    /// An importer of entities that were kept as JSON.
    case jsonImport
    /// The plan as `SchemaMigrationKit` takes it, progress, and a view that shows it.
    case migrationKit

    package static func < (lhs: Extra, rhs: Extra) -> Bool { lhs.rawValue < rhs.rawValue }

    package var needsConverters: Bool { self == .cloudMappers || self == .jsonImport }
  }

  /// The folder of the app's own classes, relative to the folder of manifests. They are the newest version's models.
  /// Nil if the newest version is generated, too.
  package var classes: String?
  /// Classes in that folder that belong to no version.
  package var notStored: [String] = []
  /// Where generated files go, relative to the folder of manifests.
  package var output: String = "Generated"
  /// Where user files go: they are written once and then belong to the app.
  package var owned: String = "Migrations"
  /// Where test scaffolds go; nil for none.
  package var tests: String?
  /// Where MIGRATIONS.md goes; nil for none.
  package var documentation: String? = "MIGRATIONS.md"
  /// Where stores that shipped are kept.
  package var stores: String = "Stores"
  /// Templates that replace the built-in ones, file by file.
  package var templates: String?
  package var access: AccessLevel = .internal
  package var policy: Policy = .standard
  package var entities: Origin = .generated
  package var converters: Converters = .both
  package var cloudKit: CloudKit = .none
  package var cloud: Cloud = Cloud()
  /// Nil if the app never had Core Data, or no longer opens its stores.
  package var coreData: CoreData?
  /// The versions that have left the plan; nil for none.
  package var retirement: Retirement?
  /// The tag, or the commit's hash, of the oldest release whose stores the app opens; nil for all.
  package var oldestRelease: Located<String>?
  package var approvals: Approvals = .none
  /// The lowest version of each system that the app runs on; empty for the lowest that has SwiftData.
  package var platforms: [Platform: Int] = [:]
  /// Values of `#if` conditions in the shipped app, as written: `APPSTORE`, `canImport(Sparkle)`.
  package var defines: [String: Bool] = [:]
  package var names: NamePatterns = NamePatterns()
  /// Modules that generated files import in addition to Foundation and SwiftData.
  package var imports: [String] = []
  /// The module that test scaffolds import.
  package var module: String?
  /// Rows between two saves in a migration.
  package var batchSize: Int = 500
  package var extras: Set<Extra> = []
  /// Severities by rule id, if they differ from the rule's own.
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

  /// Whether the app runs on a system before 26, whose engine loses renamed parts of an enum or struct
  /// (docs/facts/migration.md#rename-composite).
  package var runsBefore26: Bool { platforms.isEmpty || !platforms(before: .iOS26).isEmpty }

  /// The systems on which the app runs, as far as `platforms:` tells, in versions before one.
  package func platforms(before generation: Generation) -> [Platform] {
    platforms.filter { $0.value < $0.key.version(of: generation) }.keys.sorted()
  }
}

/// Patterns for the names of generated declarations. `{version}`, `{model}`, `{from}` and `{to}` are replaced.
package struct NamePatterns: Equatable, Sendable {
  package var schema: String = "SchemaV{version}"
  /// Nil: `schema`, with `{from}ToV{to}` for `{version}`.
  package var bridge: String?
  package var plan: String = "MigrationPlan"
  /// The enum that holds the current version and, with `active`, its aliases.
  package var activeSchema: String = "ActiveSchema"
  package var active: String = "Active{model}"
  package var alias: String = "{model}V{version}"
  /// What generated code calls the app's own class if it is a model of the newest version. Inside that version, the
  /// class's plain name means the version's model.
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

  /// The name of the bridge between two versions; the name of a second one includes its step.
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
      // Compared as bytes, since a history has thousands of names.
      let isMeant = rest[brace...].utf8.starts(with: placeholder.utf8)
      text += rest[..<brace] + (isMeant ? value : "{")
      rest = rest[rest.utf8.index(brace, offsetBy: isMeant ? placeholder.utf8.count : 1)...]
    }
    return text + rest
  }

  /// The text with its first letter in lower case: `HabitModel` → `habitModel`.
  package var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }

  package var uppercasedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension [Configuration.Platform: Int] {
  /// The systems as `platforms:` lists them: `{ iOS: 17, macOS: 14 }`.
  package var written: String {
    let entries = sorted { $0.key < $1.key }.map { "\($0.key.rawValue): \($0.value)" }
    return "{ \(entries.joined(separator: ", ")) }"
  }
}
