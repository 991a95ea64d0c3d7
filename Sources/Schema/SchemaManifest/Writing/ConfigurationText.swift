package import SchemaModel

/// Writes `schemagen.yaml`: what differs from the defaults, and nothing else.
package struct ConfigurationText: Sendable {
  private let configuration: Configuration
  private let header: [String]

  /// - Parameter header: Comments at the top, without their `#`.
  package init(_ configuration: Configuration, header: [String] = []) {
    self.configuration = configuration
    self.header = header
  }

  /// The file's text; empty where there is neither a header nor anything to say.
  package var text: String {
    var layout = ManifestLayout()
    layout.add(comments: header)
    layout.add(entries)
    return layout.text
  }

  private var entries: [ManifestEntry] {
    let defaults = Configuration()
    var entries: [ManifestEntry] = []
    func add(_ key: ConfigurationKey, _ value: String?, unless usual: String?) {
      if value != usual { entries.append(ManifestEntry(key.rawValue, .text(value ?? "none"))) }
    }
    add(.classes, configuration.classes, unless: defaults.classes)
    if !configuration.notStored.isEmpty {
      entries.append(
        ManifestEntry(ConfigurationKey.notStored.rawValue, .names(configuration.notStored)))
    }
    add(.output, configuration.output, unless: defaults.output)
    add(.owned, configuration.owned, unless: defaults.owned)
    add(.tests, configuration.tests, unless: defaults.tests)
    add(.module, configuration.module, unless: defaults.module)
    add(.documentation, configuration.documentation, unless: defaults.documentation)
    add(.stores, configuration.stores, unless: defaults.stores)
    add(.templates, configuration.templates, unless: defaults.templates)
    add(.access, configuration.access.rawValue, unless: defaults.access.rawValue)
    add(.policy, configuration.policy.rawValue, unless: defaults.policy.rawValue)
    add(.entities, configuration.entities.rawValue, unless: defaults.entities.rawValue)
    add(.converters, configuration.converters.rawValue, unless: defaults.converters.rawValue)
    add(.cloudKit, configuration.cloudKit.rawValue, unless: defaults.cloudKit.rawValue)
    if !cloud.isEmpty {
      entries.append(ManifestEntry(ConfigurationKey.cloud.rawValue, .mapping(cloud, most: 0)))
    }
    if let coreData = configuration.coreData {
      var parts = [ManifestEntry(CoreDataKey.model.rawValue, .text(coreData.model.value))]
      if coreData.sharesStore {
        parts.append(ManifestEntry(CoreDataKey.sharesStore.rawValue, .source("true")))
      }
      entries.append(ManifestEntry(ConfigurationKey.coreData.rawValue, .mapping(parts)))
    }
    if let retirement = configuration.retirement {
      var retired = [ManifestEntry(RetiredKey.below.rawValue, .name(retirement.below.value.name))]
      if let through = retirement.through {
        retired.append(ManifestEntry(RetiredKey.through.rawValue, .text(through)))
      }
      entries.append(ManifestEntry(ConfigurationKey.retired.rawValue, .mapping(retired)))
    }
    add(.approvals, configuration.approvals.rawValue, unless: defaults.approvals.rawValue)
    if !configuration.platforms.isEmpty {
      let platforms = configuration.platforms.sorted { $0.key < $1.key }
        .map { ManifestEntry($0.key.rawValue, .source("\($0.value)")) }
      entries.append(
        ManifestEntry(ConfigurationKey.platforms.rawValue, .mapping(platforms, most: 9)))
    }
    if !configuration.defines.isEmpty {
      let defines = configuration.defines.sorted { $0.key < $1.key }
        .map { ManifestEntry($0.key, .source("\($0.value)")) }
      entries.append(ManifestEntry(ConfigurationKey.define.rawValue, .mapping(defines, most: 0)))
    }
    if !configuration.imports.isEmpty {
      entries.append(
        ManifestEntry(ConfigurationKey.imports.rawValue, .names(configuration.imports)))
    }
    if configuration.batchSize != defaults.batchSize {
      let size = ManifestValue.source("\(configuration.batchSize)")
      entries.append(ManifestEntry(ConfigurationKey.batchSize.rawValue, size))
    }
    if !configuration.extras.isEmpty {
      let extras = configuration.extras.sorted().map(\.rawValue)
      entries.append(ManifestEntry(ConfigurationKey.extras.rawValue, .names(extras)))
    }
    if !names.isEmpty {
      entries.append(ManifestEntry(ConfigurationKey.names.rawValue, .mapping(names, most: 0)))
    }
    if !configuration.rules.isEmpty {
      let rules = configuration.rules.sorted { $0.key < $1.key }
        .map { ManifestEntry($0.key, .name($0.value.value.rawValue)) }
      entries.append(ManifestEntry(ConfigurationKey.rules.rawValue, .mapping(rules, most: 0)))
    }
    return entries
  }

  private var cloud: [ManifestEntry] {
    let cloud = configuration.cloud
    let defaults = Configuration.Cloud()
    var entries: [ManifestEntry] = []
    func add(_ key: CloudKey, _ value: ManifestValue?) {
      if let value { entries.append(ManifestEntry(key.rawValue, value)) }
    }
    add(.container, cloud.container.map { .text($0) })
    add(
      .production,
      cloud.production.isEmpty
        ? nil
        : cloud.production.contains { $0.container != nil }
          ? .mapping(
            cloud.production.map { ManifestEntry($0.container ?? "", .text($0.path)) }, most: 0)
          : cloud.production.count == 1
            ? .text(cloud.production[0].path)
            : .list(cloud.production.map { .text($0.path) }))
    add(.profile, cloud.profile == defaults.profile ? nil : .name(cloud.profile.rawValue))
    add(.sharing, cloud.isShared ? .source("true") : nil)
    add(.local, cloud.local.isEmpty ? nil : .names(cloud.local.map(\.value)))
    add(.oldest, cloud.oldest.map { .name($0.name) })
    return entries
  }

  private var names: [ManifestEntry] {
    let names = configuration.names
    let defaults = NamePatterns()
    let patterns: [(key: NamePatternKey, value: String?, usual: String?)] = [
      (.schema, names.schema, defaults.schema), (.bridge, names.bridge, defaults.bridge),
      (.plan, names.plan, defaults.plan),
      (.activeSchema, names.activeSchema, defaults.activeSchema),
      (.active, names.active, defaults.active), (.alias, names.alias, defaults.alias),
      (.live, names.live, defaults.live),
    ]
    return patterns.compactMap { pattern in
      guard let value = pattern.value, value != pattern.usual else { return nil }
      return ManifestEntry(pattern.key.rawValue, .name(value))
    }
  }
}
