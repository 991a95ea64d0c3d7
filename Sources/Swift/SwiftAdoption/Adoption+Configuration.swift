internal import SchemaEvolution
internal import SchemaLint
internal import SchemaModel
internal import SchemaWorkspace
internal import SwiftSources
internal import SwiftSyntax

// This extension finds the settings of schemagen.yaml that keep the app's names.
extension Adoption {
  mutating func configure() {
    adoptAccess()
    adoptImports()
    adoptCloud()
    configuration.platforms = options.platforms
    if let plan { configuration.names.plan = plan.type.name }
    adoptSchemaPattern()
    if keepsClasses {
      // The app's code already names the classes that stay.
      configuration.names.active = "{model}"
    } else {
      adoptActivePattern()
    }
    adoptAliasPattern()
    // Without entities there is nothing to convert.
    if history.allSatisfy({ $0.models.allSatisfy { $0.entity == nil } }) {
      configuration.converters = .none
    }
  }

  /// Adopts whether the store syncs, and with which container: from the app's configurations, or else from its
  /// entitlements.
  private mutating func adoptCloud() {
    let newest = classes[classes.count - 1]
    let models = Set(newest.map(\.fullName))
    let reader = containers
    let own = reader.databases.filter { container in
      container.classes.map { $0.isEmpty || !models.isDisjoint(with: $0) } ?? true
    }
    var databases = own.flatMap(\.databases)
    // If another file makes the store's configurations, all configurations of the app count.
    if databases.allSatisfy({ $0 == .unknown }) { databases = reader.configurations }
    let named = databases.compactMap { database -> String?? in
      if case .named(let name) = database { .some(name) } else { nil }
    }
    var names = Set(named.compactMap(\.self))
    if named.isEmpty {
      guard databases.contains(.automatic), options.entitlements.hasContainer else { return }
      names = Set(options.entitlements.containers)
    }
    configuration.cloudKit = .private
    if names.count == 1 { configuration.cloud.container = names.first }
    let local = Set(own.flatMap(\.local)).intersection(newest.map(\.name))
    if local.count < newest.count {
      configuration.cloud.local = local.sorted().map { Located($0) }
    }
  }

  /// Adopts the widest access level of the classes, but no wider level than that of the app's types in the classes,
  /// since public generated code may only use public types.
  private mutating func adoptAccess() {
    let levels = Configuration.AccessLevel.allCases
    func place(_ level: Configuration.AccessLevel) -> Int { levels.firstIndex(of: level) ?? 0 }
    // An alias must not be more accessible than a class that stays.
    let widest =
      keepsClasses
      ? classes[classes.count - 1].min { place(index.access(of: $0)) < place(index.access(of: $1)) }
      : classes.joined().max { place(index.access(of: $0)) < place(index.access(of: $1)) }
    guard let widest else { return }
    let wanted = index.access(of: widest)
    var named: Set<String> = []
    for version in history {
      named.formUnion(version.types.filter(\.isOwn).map(\.name))
      for property in version.models.flatMap(\.properties) {
        let values = [property.attribute?.defaultValue, property.initializerDefault]
        named.formUnion(values.compactMap(\.self).flatMap(\.words))
      }
    }
    let used = named.sorted().compactMap { name in
      index.type(named: name.split(separator: ".").map(String.init), in: [])
    }.filter { !$0.isModel && !valueTypes.isHoisted($0) }
    let narrowest = used.min { place(index.access(of: $0)) < place(index.access(of: $1)) }
    configuration.access = wanted
    guard let narrowest, place(index.access(of: narrowest)) < place(wanted) else { return }
    configuration.access = index.access(of: narrowest)
    let level = configuration.access.rawValue
    report(
      .notCarried,
      "'\(widest.fullName)' is \(wanted.rawValue), but '\(narrowest.fullName)', which models use, is \(level), "
        + "and so is the generated code",
      element: widest.name, at: widest.place,
      related: [.init("'\(narrowest.fullName)' is here", at: narrowest.place)],
      help: [
        "if other modules use the generated code: make such types \(wanted.rawValue), and write 'access: \(wanted.rawValue)' into schemagen.yaml"
      ], severity: .warning)
  }

  private mutating func adoptImports() {
    var imports: Set<String> = []
    for (version, classes) in zip(history, classes) {
      let values = version.types.filter { !$0.isOwn }.compactMap { declaration in
        index.types.first { $0.place == declaration.location }.map { type in
          if case .structure(let fields) = declaration.kind {
            return (type, fields.map { ($0.name, $0.type) })
          }
          return (type, [])
        }
      }
      let models = classes.compactMap { type in
        version.model(named: type.name).map { model in
          (type, model.properties.map { ($0.name, $0.type) })
        }
      }
      for (type, properties) in models + values {
        let modules = index.source(of: type).imports.subtracting([
          "Foundation", "Swift", "SwiftData",
        ])
        guard !modules.isEmpty else { continue }
        for name in foreignNames(in: type, properties) {
          let module = name.split(separator: ".").first.map(String.init) ?? name
          imports.formUnion(modules.contains(module) ? [module] : modules)
        }
      }
    }
    configuration.imports = imports.sorted()
  }

  /// Names in stored properties that neither the files nor Foundation declare.
  private func foreignNames(
    in type: DeclaredType, _ properties: [(name: String, type: TypeReference)]
  ) -> Set<String> {
    var names = Set(properties.flatMap(\.type.names)).filter { name in
      index.type(named: name.split(separator: ".").map(String.init), in: type.path) == nil
        && !history.contains {
          $0.model(named: name) != nil || $0.type(named: name)?.isOwn == false
        }
    }
    let adopted = Set(properties.map(\.name))
    for variable in type.members.compactMap({ $0.as(VariableDeclSyntax.self) }) {
      for binding in variable.bindings where adopted.contains(binding.pattern.trimmedDescription) {
        guard let value = binding.initializer?.value else { continue }
        names.formUnion(index.unknownNames(in: value, type.path))
      }
    }
    return names.filter { name in
      !TypeResolver.isKnown(name) && !Self.foundationNames.contains(name)
        && options.models[name] == nil
        && !["NS", "Unit"].contains(where: name.hasPrefix) && !name.hasSuffix("Formatter")
    }
  }

  /// Names from Foundation and the standard library that models use, other than the types that a store keeps.
  private static let foundationNames: Set<String> = [
    "AnyHashable", "Array", "AttributedString", "CGFloat", "CGPoint", "CGRect", "CGSize",
    "Calendar", "Character", "CharacterSet", "ClosedRange", "DateComponents", "DateInterval",
    "Dictionary", "Duration", "IndexPath", "IndexSet", "JSONDecoder", "JSONEncoder", "Locale",
    "Measurement", "Never", "Notification", "Optional", "PersistentIdentifier",
    "PersonNameComponents", "Range", "Result", "Substring", "Task", "TimeInterval", "TimeZone",
    "Timer", "URLComponents", "URLRequest",
  ]

  mutating func adoptSchemaPattern() {
    // A version that only tags have has no name in the sources.
    let written = zip(versions, numbers).filter { !$0.0.type.path.isEmpty }
    guard !written.isEmpty else { return }
    let names = written.map(\.0.type.name)
    let numbers = written.map(\.1)
    let candidates = zip(names, numbers).flatMap { name, number -> [String] in
      guard let range = name.ranges(of: number.label).last else { return [] }
      return [name.replacingCharacters(in: range, with: "{version}")]
    }
    let pattern = candidates.first { pattern in
      zip(names, numbers).allSatisfy {
        pattern.replacingPlaceholder("version", with: $1.label) == $0
      }
    }
    if let pattern, isFree(pattern) {
      configuration.names.schema = pattern
      return
    }
    // The name must be unused. Code that uses it with another meaning would still compile, with the wrong version.
    let usual =
      (store.map { ["\($0)SchemaV{version}"] } ?? [])
      + [configuration.names.schema, "AppSchemaV{version}", "StoreSchemaV{version}"]
    if let free = usual.first(where: isFree) { configuration.names.schema = free }
    if let (first, _) = written.first(where: { version, number in
      version.type.name != configuration.names.schema(number)
    }) {
      report(
        .notCarried,
        "the names of the versions follow no single pattern: \(names.joined(separator: ", "))",
        element: first.name, at: first.type.place,
        help: [
          "the generated versions are called \(configuration.names.schema(numbers[0])) and so on; their stores stay the same"
        ])
    }
  }

  /// Whether every name that the pattern makes is unused, or already the version's name.
  private func isFree(_ pattern: String) -> Bool {
    zip(versions, numbers).allSatisfy { version, number in
      let name = pattern.replacingPlaceholder("version", with: number.label)
      return version.name == name || index.meaning(of: [name], in: []) == nil
    }
  }

  /// Chooses the top-level names of versions' models, since an entity or the app may have the usual names.
  private mutating func adoptAliasPattern() {
    let active = Set(
      history[history.count - 1].models.map { configuration.names.active(model: $0.name) })
    let patterns =
      [configuration.names.alias, "{model}InV{version}", "{model}OfSchemaV{version}"]
    let free = patterns.first { pattern in
      var names = configuration.names
      names.alias = pattern
      return zip(history, classes).allSatisfy { version, classes in
        classes.allSatisfy { type in
          let name = names.alias(model: type.name, version: version.number)
          guard !active.contains(name), !version.types.contains(where: { $0.name == name }) else {
            return false
          }
          let meant = index.type(named: [name], in: [])
          return meant == nil || meant?.fullName == type.fullName
        }
      }
    }
    if let free { configuration.names.alias = free }
  }

  /// Adopts how app code names today's models: by aliases, or by the class names if no version encloses the classes.
  mutating func adoptActivePattern() {
    let newest = classes[classes.count - 1]
    if newest.contains(where: { $0.path.count == 1 }) {
      configuration.names.active = "{model}"
      for type in newest where type.path.count > 1 {
        report(
          .notCarried,
          "'\(type.fullName)' is called '\(type.name)' from now on, as models at the top level are",
          element: type.name, at: type.place, help: ["or give other names under 'names:'"])
      }
      return
    }
    // The newest version's top-level classes will be removed, which makes their names available to the aliases.
    if newest.allSatisfy({ live[$0.name]?.path.count == 1 }) {
      configuration.names.active = "{model}"
      return
    }
    let models = Dictionary(newest, keyedBy: \.fullName)
    var patterns: [String: Int] = [:]
    for alias in index.aliases where alias.path.count == 1 {
      guard let type = index.type(named: alias.target.nameParts, in: []),
        let name = models[type.fullName]?.name, let range = alias.name.ranges(of: name).last
      else { continue }
      let pattern = alias.name.replacingCharacters(in: range, with: "{model}")
      // `HabitModelV9` is an alias for one version, so it does not show the app's pattern.
      guard !pattern.contains(where: \.isNumber) else { continue }
      patterns[pattern, default: 0] += 1
    }
    let best = patterns.max { ($0.value, $1.key) < ($1.value, $0.key) }
    if let best { configuration.names.active = best.key }
  }
}
