internal import SchemaModel

extension Configuration.Platform: MappingKey {}

extension Configuration {
  static var fields: [Field<ConfigurationKey, Configuration>] {
    let of = Fields<ConfigurationKey, Configuration>(usual: Configuration())
    return [
      of.optional(.classes, \.classes) { $0.words($1) },
      of.row(.notStored, \.notStored, read: { $0.classNames($1) }, write: { .names($0) }),
      of.text(.output, \.output) { $0.words($1) },
      of.text(.owned, \.owned) { $0.words($1) },
      of.optional(.tests, \.tests) { $0.words($1) },
      of.optional(.module, \.module) { $0.name($1, as: .module)?.value },
      of.optional(.documentation, \.documentation) { $0.words($1) },
      of.text(.stores, \.stores) { $0.words($1) },
      of.optional(.templates, \.templates) { $0.words($1) },
      of.choice(.access, \.access),
      of.choice(.policy, \.policy),
      of.choice(.entities, \.entities),
      of.choice(.converters, \.converters),
      of.choice(.cloudKit, \.cloudKit),
      of.mapping(.cloud, \.cloud, Cloud.fields),
      of.row(.coreData, \.coreData, read: { $0.coreData($1) }, write: { $0?.text }),
      of.row(.retired, \.retirement, read: { $0.retirement($1) }, write: { $0?.text }),
      of.row(
        .oldestRelease, \.oldestRelease,
        read: { reader, entry in
          reader.words(entry).map { Located($0, at: entry.value.location) }
        }, write: { $0.map { .text($0.value) } }),
      of.choice(.approvals, \.approvals),
      of.row(
        .platforms, \.platforms, read: { $0.platforms($1) },
        write: { .sorted($0.map { ($0.key.rawValue, .source("\($0.value)")) }, most: 9) }),
      of.row(
        .define, \.defines, read: { $0.defines($1) },
        write: { .sorted($0.map { ($0.key, .source("\($0.value)")) }) }),
      of.row(
        .imports, \.imports, read: { $0.names($1, "a module", as: .module).map(\.value) },
        write: { .names($0) }),
      of.row(
        .batchSize, \.batchSize, read: { $0.integer($1, in: 1...100_000) },
        write: { .source("\($0)") }),
      of.row(
        .extras, \.extras, read: { $0.extras($1) }, write: { .names($0.sorted().map(\.rawValue)) }),
      of.mapping(.names, \.names, NamePatterns.fields),
      of.row(
        .rules, \.rules, read: { $0.ruleLevels($1) },
        write: { .sorted($0.map { ($0.key, .name($0.value.value.rawValue)) }) }),
    ]
  }
}

extension Configuration.Cloud {
  fileprivate static var fields: [Field<CloudKey, Configuration.Cloud>] {
    let of = Fields<CloudKey, Configuration.Cloud>(usual: Configuration.Cloud())
    return [
      of.row(.container, \.container, read: { $0.container($1) }, write: { $0.map { .text($0) } }),
      of.row(
        .production, \.production, read: { $0.exports($1) },
        write: { exports in
          if exports.contains(where: { $0.container != nil }) {
            return .mapping(
              exports.map { ManifestEntry($0.container ?? "", .text($0.path)) }, most: 0)
          }
          return exports.count == 1
            ? .text(exports[0].path) : .list(exports.map { .text($0.path) })
        }),
      of.choice(.profile, \.profile),
      of.flag(.sharing, \.isShared),
      of.row(
        .local, \.local, read: { $0.names($1, "a model", as: .type) },
        write: { .names($0.map(\.value)) }),
      of.row(.oldest, \.oldest, read: { $0.version($1) }, write: { $0.map { .name($0.name) } }),
    ]
  }
}

extension Configuration.CoreData {
  fileprivate var text: ManifestValue {
    let shares = ManifestEntry(CoreDataKey.sharesStore.rawValue, .source("true"))
    return .mapping(
      [ManifestEntry(CoreDataKey.model.rawValue, .text(model.value))]
        + (sharesStore ? [shares] : []))
  }
}

extension Configuration.Retirement {
  fileprivate var text: ManifestValue {
    .mapping(
      [ManifestEntry(RetiredKey.below.rawValue, .name(below.value.name))]
        + (through.map { [ManifestEntry(RetiredKey.through.rawValue, .text($0))] } ?? []))
  }
}

extension NodeInterpreter {
  mutating func configuration(_ root: YAMLNode) -> Configuration {
    guard let keys = mapping(root, by: ConfigurationKey.self, named: "the configuration") else {
      return Configuration()
    }
    let configuration = read(Configuration.fields, keys, into: Configuration())
    check(configuration, keys)
    return configuration
  }

  /// Reports settings that contradict each other. They may come from several files.
  private mutating func check(
    _ configuration: Configuration, _ keys: KeyedMapping<ConfigurationKey>
  ) {
    if Self.folder(configuration.output) == Self.folder(configuration.owned) {
      report(
        .conflictingKeys,
        "'output' and 'owned' are the same folder: generated files and user files would be mixed",
        at: (keys[.owned] ?? keys[.output])?.value.location,
        help: ["give 'owned' a separate folder"])
    }
    if let entry = keys[.cloud], configuration.cloudKit == .none {
      report(
        .conflictingKeys, "'cloud' says how the store syncs, but 'cloudKit' says that it does not",
        at: entry.keyLocation, help: ["write 'cloudKit: private', or delete 'cloud'"])
    }
    if let entry = keys[.notStored], configuration.classes == nil {
      report(
        .conflictingKeys, "'notStored' names classes of the app, but 'classes' names no folder",
        at: entry.keyLocation, help: ["name the folder: classes: ../App, or delete 'notStored'"])
    }
    let patterns = configuration.names
    if patterns.plan == patterns.activeSchema, let entry = keys[.names] {
      let place = entry.value.entries.first { ["plan", "activeSchema"].contains($0.key) }
      report(
        .conflictingKeys, "'plan' and 'activeSchema' have the same name", at: place?.value.location)
    }
    guard case .sequence(let items)? = keys[.extras]?.value.content else { return }
    for item in items {
      guard let extra = item.scalar.flatMap({ Configuration.Extra(rawValue: $0.text) }) else {
        continue
      }
      if extra.needsConverters, configuration.converters != .both {
        report(
          .conflictingKeys,
          "'\(extra.rawValue)' needs toEntity() and fromEntity(_:), but 'converters' is "
            + "'\(configuration.converters.rawValue)'", at: item.location,
          help: ["write 'converters: both', or delete '\(extra.rawValue)'"])
      }
      if extra == .fixtures, configuration.tests == nil {
        report(
          .conflictingKeys, "'fixtures' go into the tests folder, but 'tests' names none",
          at: item.location, help: ["name the folder: tests: ../Tests/…, or delete 'fixtures'"])
      }
    }
  }

  // MARK: CloudKit and Core Data

  fileprivate mutating func exports(_ entry: YAMLEntry) -> [Configuration.Cloud.Production] {
    let node = pointed(entry)
    var found: [Configuration.Cloud.Production] = []
    switch node.content {
    case .scalar: found = words(entry).map { [.init($0)] } ?? []
    case .sequence(let items):
      for item in items {
        let path = text(item, named: "an export").flatMap { words($0, named: "an export") }
        if let path { found.append(.init(path)) }
      }
    case .mapping(let entries):
      for entry in entries {
        let name = SourceText(YAMLScalar(entry.key), at: entry.keyLocation)
        guard let container = container(name), let path = words(entry) else { continue }
        found.append(.init(path, of: container))
      }
    }
    let paths = found.map(\.path)
    if let twice = paths.first(where: { path in paths.count { $0 == path } > 1 }) {
      report(
        .duplicateName, "'\(twice)' appears twice in '\(entry.key)'", at: node.location,
        help: ["each container has its own export"])
    }
    return found
  }

  fileprivate mutating func coreData(_ entry: YAMLEntry) -> Configuration.CoreData? {
    guard let keys = mapping(entry, by: CoreDataKey.self), let model = keys[.model] else {
      return nil
    }
    let sharesStore = boolean(keys[.sharesStore])
    return words(model).map {
      Configuration.CoreData(
        model: Located($0, at: model.value.location), sharesStore: sharesStore)
    }
  }

  fileprivate mutating func retirement(_ entry: YAMLEntry) -> Configuration.Retirement? {
    guard let keys = mapping(entry, by: RetiredKey.self), let below = keys[.below] else {
      return nil
    }
    let through = keys[.through].flatMap { words($0) }
    return version(below).map {
      Configuration.Retirement(below: Located($0, at: below.value.location), through: through)
    }
  }

  /// Reads a container's identifier. It is checked because it becomes part of commands to paste.
  fileprivate mutating func container(_ entry: YAMLEntry) -> String? {
    text(entry).flatMap { container($0) }
  }

  fileprivate mutating func container(_ source: SourceText) -> String? {
    let isPlain = source.text.utf8.allSatisfy { byte in
      byte < 0x80
        && (Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber
          || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-"))
    }
    guard isPlain, source.text.hasPrefix("iCloud.") else {
      report(
        .wrongValue, "'\(source.text)' is not a CloudKit container", at: source.location,
        help: ["write the name from the app's entitlements, such as iCloud.com.example.Trips"])
      return nil
    }
    return source.text
  }

  fileprivate mutating func version(_ entry: YAMLEntry) -> VersionNumber? {
    guard let source = text(entry) else { return nil }
    guard let version = VersionNumber(source.text) else {
      report(
        .wrongValue, "'\(source.text)' is not a version", at: source.location,
        help: ["write the name of the manifest, without '.yaml': V3"])
      return nil
    }
    return version
  }

  // MARK: Paths

  /// The components of a path, without `.` and with `..` resolved. Equal folders have equal components.
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

  fileprivate mutating func platforms(_ entry: YAMLEntry) -> [Configuration.Platform: Int] {
    guard let keys = mapping(entry, by: Configuration.Platform.self) else { return [:] }
    var platforms: [Configuration.Platform: Int] = [:]
    for platform in Configuration.Platform.allCases {
      platforms[platform] = integer(keys[platform], in: platform.lowest...99)
    }
    return platforms
  }

  // MARK: Lists

  fileprivate mutating func extras(_ entry: YAMLEntry) -> Set<Configuration.Extra> {
    let extras = items(of: entry).compactMap { item in
      choice(item, named: "an extra", of: Configuration.Extra.self)
        .map { Located($0.rawValue, at: item.location) }
    }
    let names = distinct(extras, in: "'extras'", correction: .removal)
    return Set(names.compactMap { Configuration.Extra(rawValue: $0.value) })
  }

  fileprivate mutating func names(
    _ entry: YAMLEntry, _ what: String, as kind: NameKind
  ) -> [Located<String>] {
    let names = items(of: entry).compactMap {
      text($0, named: what).flatMap { name($0, as: kind) }
    }
    return distinct(names, in: "'\(entry.key)'", correction: .removal)
  }

  fileprivate mutating func classNames(_ entry: YAMLEntry) -> [String] {
    let classes = items(of: entry).compactMap { item -> Located<String>? in
      guard let source = text(item, named: "a class") else { return nil }
      // Nothing is generated for the listed classes, so they may have names that generated code uses.
      let isClass = source.text.split(separator: ".", omittingEmptySubsequences: false)
        .allSatisfy { SwiftIdentifier.isValid(String($0)) }
      return isClass
        ? Located(source.text, at: source.location) : name(source, as: .type)
    }
    return distinct(classes, in: "'\(entry.key)'", correction: .removal).map(\.value)
  }

  fileprivate mutating func defines(_ entry: YAMLEntry) -> [String: Bool] {
    var defines: [String: Bool] = [:]
    for entry in entries(of: entry) {
      defines[entry.key] = boolean(entry)
    }
    return defines
  }

  fileprivate mutating func ruleLevels(
    _ entry: YAMLEntry
  ) -> [String: Located<Configuration.RuleLevel>] {
    var levels: [String: Located<Configuration.RuleLevel>] = [:]
    for entry in entries(of: entry) {
      guard let level = choice(entry, of: Configuration.RuleLevel.self) else { continue }
      levels[entry.key] = Located(level, at: entry.keyLocation)
    }
    return levels
  }
}
