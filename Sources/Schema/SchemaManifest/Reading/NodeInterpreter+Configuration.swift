internal import SchemaModel

enum ConfigurationKey: String, MappingKey {
  case extends
  case classes, notStored
  case output, owned, tests, module, documentation, stores, templates
  case access, policy, entities, converters, cloudKit, cloud, coreData, retired, approvals,
    platforms, define
  case imports, batchSize, extras, names, rules
}

enum CloudKey: String, MappingKey {
  case container, production, profile, sharing, local, oldest
}

enum CoreDataKey: String, MappingKey {
  case model, sharesStore
}

enum RetiredKey: String, MappingKey {
  case below, through
}

extension Configuration.Platform: MappingKey {}

extension NodeInterpreter {
  mutating func configuration(_ root: YAMLNode) -> Configuration {
    var configuration = Configuration()
    guard let keys = mapping(root, by: ConfigurationKey.self, named: "the configuration") else {
      return configuration
    }
    readPaths(keys, into: &configuration)
    readChoices(keys, into: &configuration)
    readCloud(keys, into: &configuration)
    configuration.coreData = keys[.coreData].flatMap { coreData($0) }
    configuration.retirement = keys[.retired].flatMap { retirement($0) }
    configuration.module = optional(keys[.module]) { $0.name($1, as: .module)?.value }
    configuration.imports = keys[.imports].map { imports($0) } ?? []
    readNotStored(keys, into: &configuration)
    configuration.batchSize =
      integer(keys[.batchSize], in: 1...100_000) ?? configuration.batchSize
    readExtras(keys, into: &configuration)
    configuration.platforms = keys[.platforms].map { platforms($0) } ?? [:]
    configuration.defines = keys[.define].map { defines($0) } ?? [:]
    configuration.names = keys[.names].map { namePatterns($0) } ?? configuration.names
    configuration.rules = keys[.rules].map { ruleLevels($0) } ?? [:]
    return configuration
  }

  private mutating func readChoices(
    _ keys: KeyedMapping<ConfigurationKey>, into configuration: inout Configuration
  ) {
    typealias Values = Configuration
    configuration.access =
      choice(keys[.access], of: Values.AccessLevel.self) ?? configuration.access
    configuration.policy = choice(keys[.policy], of: Values.Policy.self) ?? configuration.policy
    configuration.entities =
      choice(keys[.entities], of: Values.Origin.self) ?? configuration.entities
    configuration.converters =
      choice(keys[.converters], of: Values.Converters.self) ?? configuration.converters
    configuration.cloudKit =
      choice(keys[.cloudKit], of: Values.CloudKit.self) ?? configuration.cloudKit
    configuration.approvals =
      choice(keys[.approvals], of: Values.Approvals.self) ?? configuration.approvals
  }

  // MARK: CloudKit

  private mutating func readCloud(
    _ keys: KeyedMapping<ConfigurationKey>, into configuration: inout Configuration
  ) {
    guard let entry = keys[.cloud],
      let keys = mapping(pointed(entry), by: CloudKey.self, named: "'cloud'")
    else { return }
    var cloud = Configuration.Cloud()
    cloud.container = keys[.container].flatMap { container($0) }
    cloud.production = keys[.production].map { exports($0) } ?? []
    cloud.profile = choice(keys[.profile], of: Configuration.CloudProfile.self) ?? cloud.profile
    cloud.isShared = boolean(keys[.sharing])
    if let entry = keys[.local] { cloud.local = models(entry) }
    cloud.oldest = keys[.oldest].flatMap { version($0) }
    configuration.cloud = cloud
    guard configuration.cloudKit == .none else { return }
    report(
      .conflictingKeys, "'cloud' says how the store syncs, and 'cloudKit' says that it does not",
      at: entry.keyLocation, help: ["write 'cloudKit: private', or delete 'cloud'"])
  }

  /// A path, a list of them, or a path for each container.
  private mutating func exports(_ entry: YAMLEntry) -> [Configuration.Cloud.Production] {
    let node = pointed(entry)
    var found: [Configuration.Cloud.Production] = []
    switch node.content {
    case .scalar: found = path(entry).map { [.init($0)] } ?? []
    case .sequence(let items):
      for item in items {
        guard let source = text(item, named: "an export"),
          isVisible(source.text, source, breaks: false)
        else { continue }
        found.append(.init(source.text))
      }
    case .mapping(let entries):
      for entry in entries {
        let name = SourceText(YAMLScalar(entry.key), at: entry.keyLocation)
        guard let container = container(name), let path = path(entry) else { continue }
        found.append(.init(path, of: container))
      }
    }
    let paths = found.map(\.path)
    if let twice = paths.first(where: { path in paths.count { $0 == path } > 1 }) {
      report(
        .duplicateName, "'\(twice)' appears twice in '\(entry.key)'", at: node.location,
        help: ["each container has an export of its own"])
    }
    return found
  }

  private mutating func coreData(_ entry: YAMLEntry) -> Configuration.CoreData? {
    guard let keys = mapping(pointed(entry), by: CoreDataKey.self, named: "'coreData'") else {
      return nil
    }
    guard let model = keys[.model] else {
      report(
        .missingKey, "'model' is missing: the path of the Core Data model",
        at: entry.keyLocation, help: ["write 'coreData: { model: ../App/Trips.xcdatamodeld }'"])
      return nil
    }
    let sharesStore = boolean(keys[.sharesStore])
    return path(model).map {
      Configuration.CoreData(
        model: Located($0, at: model.value.location), sharesStore: sharesStore)
    }
  }

  private mutating func retirement(_ entry: YAMLEntry) -> Configuration.Retirement? {
    guard let keys = mapping(pointed(entry), by: RetiredKey.self, named: "'retired'") else {
      return nil
    }
    guard let below = keys[.below] else {
      report(
        .missingKey, "'below' is missing: the version that the plan begins with",
        at: entry.keyLocation, help: ["write 'retired: { below: V6 }'"])
      return nil
    }
    let through = keys[.through].flatMap { visibleLine($0) }
    return version(below).map {
      Configuration.Retirement(below: Located($0, at: below.value.location), through: through)
    }
  }

  /// A container's identifier, which goes into commands that people paste.
  private mutating func container(_ entry: YAMLEntry) -> String? {
    text(entry).flatMap { container($0) }
  }

  private mutating func container(_ source: SourceText) -> String? {
    let isPlain = source.text.utf8.allSatisfy { byte in
      byte < 0x80
        && (Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber
          || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-"))
    }
    guard isPlain, source.text.hasPrefix("iCloud.") else {
      report(
        .wrongValue, "'\(source.text)' is no container of CloudKit", at: source.location,
        help: ["a container is called as in the app's entitlements: iCloud.com.example.Trips"])
      return nil
    }
    return source.text
  }

  private mutating func version(_ entry: YAMLEntry) -> VersionNumber? {
    guard let source = text(entry) else { return nil }
    guard let version = VersionNumber(source.text) else {
      report(
        .wrongValue, "'\(source.text)' is no version", at: source.location,
        help: ["write it as its file is called: V3"])
      return nil
    }
    return version
  }

  // MARK: Extras

  private mutating func readExtras(
    _ keys: KeyedMapping<ConfigurationKey>, into configuration: inout Configuration
  ) {
    guard let entry = keys[.extras] else { return }
    for node in items(of: pointed(entry), named: "'extras'") ?? [] {
      guard let extra = choice(node, named: "an extra", of: Configuration.Extra.self) else {
        continue
      }
      guard configuration.extras.insert(extra).inserted else {
        report(
          .duplicateName, "'\(extra.rawValue)' appears twice in 'extras'", at: node.location,
          help: ["delete one of them"])
        continue
      }
      if extra.needsConverters, configuration.converters != .both {
        report(
          .conflictingKeys,
          "'\(extra.rawValue)' needs toEntity() and fromEntity(_:), but 'converters' is "
            + "'\(configuration.converters.rawValue)'", at: node.location,
          help: ["write 'converters: both', or delete '\(extra.rawValue)'"])
      }
      if extra == .fixtures, configuration.tests == nil {
        report(
          .conflictingKeys, "'fixtures' go into the folder of tests, and 'tests' names none",
          at: node.location, help: ["name it: tests: ../Tests/…, or delete 'fixtures'"])
      }
    }
  }

  // MARK: Paths

  private mutating func readPaths(
    _ keys: KeyedMapping<ConfigurationKey>, into configuration: inout Configuration
  ) {
    configuration.classes = optional(keys[.classes]) { $0.path($1) }
    configuration.output = keys[.output].flatMap { path($0) } ?? configuration.output
    configuration.owned = keys[.owned].flatMap { path($0) } ?? configuration.owned
    configuration.tests = optional(keys[.tests]) { $0.path($1) }
    configuration.stores = keys[.stores].flatMap { path($0) } ?? configuration.stores
    configuration.templates = optional(keys[.templates]) { $0.path($1) }
    if keys.has(.documentation) {
      configuration.documentation = optional(keys[.documentation]) { $0.path($1) }
    }
    guard Self.folder(configuration.output) == Self.folder(configuration.owned) else { return }
    let entry = keys[.owned] ?? keys[.output]
    report(
      .conflictingKeys,
      "'output' and 'owned' are one folder: generated files would go where yours are",
      at: entry?.value.location, help: ["give 'owned' a folder of its own"])
  }

  private mutating func path(_ entry: YAMLEntry) -> String? {
    guard let source = text(entry), isVisible(source.text, source, breaks: false) else {
      return nil
    }
    guard !source.text.trimmingSpaces().isEmpty else {
      report(.wrongValue, "'\(entry.key)' has no value", at: source.location)
      return nil
    }
    return source.text
  }

  /// A value that may be `none` instead.
  private mutating func optional(
    _ entry: YAMLEntry?, _ read: (inout NodeInterpreter, YAMLEntry) -> String?
  ) -> String? {
    guard let entry, entry.value.scalar?.text != "none" else { return nil }
    return read(&self, entry)
  }

  /// The parts of a path without `.` and with `..` followed, so that two ways to one folder are equal.
  private static func folder(_ path: String) -> [Substring] {
    var parts: [Substring] = path.hasPrefix("/") ? ["/"] : []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != "..", last != "/" {
        parts.removeLast()
      } else {
        parts.append(part)
      }
    }
    return parts
  }

  // MARK: Platforms

  private mutating func platforms(_ entry: YAMLEntry) -> [Configuration.Platform: Int] {
    guard let keys = mapping(pointed(entry), by: Configuration.Platform.self, named: "'platforms'")
    else { return [:] }
    var platforms: [Configuration.Platform: Int] = [:]
    for platform in Configuration.Platform.allCases {
      platforms[platform] = integer(keys[platform], in: platform.lowest...99)
    }
    return platforms
  }

  // MARK: Lists

  private mutating func imports(_ entry: YAMLEntry) -> [String] {
    let items = items(of: pointed(entry), named: "'imports'") ?? []
    let names = items.compactMap { text($0, named: "a module").flatMap { name($0, as: .module) } }
    return distinct(names, in: "'imports'", correction: .removal).map(\.value)
  }

  private mutating func models(_ entry: YAMLEntry) -> [Located<String>] {
    let items = items(of: pointed(entry), named: "'\(entry.key)'") ?? []
    let names = items.compactMap { text($0, named: "a model").flatMap { name($0, as: .type) } }
    return distinct(names, in: "'\(entry.key)'", correction: .removal)
  }

  private mutating func readNotStored(
    _ keys: KeyedMapping<ConfigurationKey>, into configuration: inout Configuration
  ) {
    guard let entry = keys[.notStored] else { return }
    let items = items(of: pointed(entry), named: "'\(entry.key)'") ?? []
    let classes = items.compactMap { item -> Located<String>? in
      guard let source = text(item, named: "a class") else { return nil }
      // Nothing is generated of these: they may have names that generated code needs.
      let isClass = source.text.split(separator: ".", omittingEmptySubsequences: false)
        .allSatisfy { SwiftIdentifier.isValid(String($0)) }
      return isClass
        ? Located(source.text, at: source.location) : name(source, as: .type)
    }
    configuration.notStored = distinct(classes, in: "'\(entry.key)'", correction: .removal)
      .map(\.value)
    guard configuration.classes == nil else { return }
    report(
      .conflictingKeys, "'notStored' names classes of the app's, and 'classes' names no folder",
      at: entry.keyLocation, help: ["name it: classes: ../App, or delete 'notStored'"])
  }

  private mutating func defines(_ entry: YAMLEntry) -> [String: Bool] {
    var defines: [String: Bool] = [:]
    for entry in entries(of: pointed(entry), named: "'define'") ?? [] {
      defines[entry.key] = boolean(entry)
    }
    return defines
  }

  private mutating func ruleLevels(
    _ entry: YAMLEntry
  ) -> [String: Located<Configuration.RuleLevel>] {
    var levels: [String: Located<Configuration.RuleLevel>] = [:]
    for entry in entries(of: pointed(entry), named: "'rules'") ?? [] {
      guard let level = choice(entry, of: Configuration.RuleLevel.self) else { continue }
      levels[entry.key] = Located(level, at: entry.keyLocation)
    }
    return levels
  }
}
