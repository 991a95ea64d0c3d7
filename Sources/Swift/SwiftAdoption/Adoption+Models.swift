internal import ManagedModels
internal import SchemaEvolution
internal import SchemaGit
internal import SchemaLint
package import SchemaModel
internal import SchemaWorkspace
package import SwiftSources
internal import SwiftSyntax

// This extension reads the models of each version.
extension Adoption {
  /// Whether the newest version's classes stay in Swift as the app's classes. Only classes at the top level can.
  var keepsClasses: Bool {
    guard options.keepsClasses, let newest = classes.last ?? versions.last?.classes else {
      return false
    }
    return newest.allSatisfy { $0.path.count == 1 && !$0.isGenerated }
  }

  /// Uses the app's top-level classes as the newest version's models, if the version has copies of these classes. The
  /// app keeps the classes, and the copies are generated once the next version begins.
  mutating func takeLiveClasses() {
    let last = versions.count - 1
    let listed = versions[last].classes
    let nested = listed.filter { $0.path.count > 1 }
    let older = Set(versions.dropLast().flatMap(\.classes).map(\.fullName))
    let own = listed.compactMap { $0.path.count > 1 ? index.type([$0.name]) : $0 }
    // A class that the version lists may also be in older versions. A class that replaces a copy must not be in older
    // versions.
    let isOwn = zip(listed, own).allSatisfy { listed, own in
      own.isModel && !own.isGenerated
        && (listed.fullName == own.fullName || !older.contains(own.fullName))
    }
    guard !nested.isEmpty, !versions[last].type.path.isEmpty, own.count == listed.count,
      Set(own.map(\.name)).count == own.count, isOwn
    else { return }
    var run = self
    run.versions[last].classes = own
    let names = ValueTypeNames(
      index, versions: versions.map(\.type.path), kept: run.keptTypes)
    let live = run.read(last, names).0
    run = self
    var copy = run.read(last, names).0
    copy.number = live.number.successors[2]
    guard
      SchemaDiffer().changes(
        from: live.withEnumsByValue.storedParts, to: copy.withEnumsByValue.storedParts
      ).isEmpty
    else { return }
    versions[last].classes = own
    liveCopies = Set(nested.map(\.fullName))
    report(
      .notCarried,
      "the models of '\(versions[last].name)' are copies of classes at the top level, which the app keeps",
      element: versions[last].name, at: versions[last].type.place,
      related: own.map { .init("'\($0.name)' stays", at: $0.place) },
      help: ["'adopt --finish' removes the copies; the next version gets generated ones"])
  }

  mutating func keepClasses() {
    guard keepsClasses else {
      let nested = classes[classes.count - 1].first { $0.path.count > 1 || $0.isGenerated }
      guard let nested, !nested.isGenerated else { return }
      let all = classes[classes.count - 1]
      let inside = all.filter { $0.path.count > 1 }
      let names = inside.map { "'\($0.fullName)'" }.enumeration
      report(
        .notCarried,
        "\(inside.count) of \(all.count) models of the newest version \(inside.count == 1 ? "is" : "are") nested in another declaration (\(names)): all \(all.count) classes move out of Swift, into the version's manifest",
        element: nested.name, at: nested.place,
        related: inside.dropFirst().map { .init("'\($0.fullName)' is here", at: $0.place) },
        help: [
          "to keep the classes in Swift, move \(inside.count == 1 ? "it" : "these") to the top level, and adopt again"
        ], severity: inside.count == all.count ? .note : .warning)
      return
    }
    let kept = Set(classes[classes.count - 1].map(\.fullName))
    let older = Set(classes.dropLast().joined().map(\.fullName))
    configuration.notStored = index.types.filter { type in
      type.isModel && !type.isGenerated && !kept.contains(type.fullName)
        && !older.contains(type.fullName)
        && !index.conforms(Array(type.path.dropLast()), to: "VersionedSchema")
    }.map(\.name).sorted()
  }

  /// The structs, and enums without raw values, at the top level that the newest version's classes name. A type is left
  /// out if an older version has a copy of the type, but its classes name the type itself.
  private var keptTypes: Set<String> {
    // Without hand-written versions no type has a copy.
    guard versions.contains(where: { !$0.type.path.isEmpty }) else { return [] }
    func types(_ version: WrittenVersion) -> [DeclaredType] {
      version.classes.flatMap { type in
        index.members(of: type.path).compactMap { $0.as(VariableDeclSyntax.self) }
          .flatMap { $0.all(IdentifierTypeSyntax.self) }
          .compactMap { index.type(named: [$0.name.plain], in: type.path) }
      }.filter(\.hasParts)
    }
    func isOutside(_ type: DeclaredType) -> Bool { type.path.count == 1 && !type.isGenerated }
    var kept = Set(versions.last.map(types)?.filter(isOutside).map(\.name) ?? [])
    for version in versions.dropLast() where !kept.isEmpty {
      let used = types(version)
      let copied = Set(used.filter { $0.path.count > 1 }.map(\.name))
      kept.subtract(used.filter(isOutside).map(\.name).filter(copied.contains))
    }
    return kept
  }

  mutating func readVersions() {
    var typeNames = ValueTypeNames(
      index, versions: versions.map(\.type.path), kept: keptTypes)
    for position in versions.indices {
      let (version, listed, remaining) = read(position, typeNames)
      typeNames = remaining
      history.append(version)
      classes.append(listed)
    }
    valueTypes = typeNames
  }

  /// Reads a version repeatedly, until every model that its models refer to is read.
  package mutating func read(
    _ position: Int, _ typeNames: ValueTypeNames
  ) -> (SchemaVersion, [DeclaredType], ValueTypeNames) {
    var listed = versions[position].classes
    var replaced: [DeclaredType] = []
    var round = (models: [Model](), types: [ValueTypeDeclaration](), findings: [Diagnostic]())
    var remarks: [ElementPath: [String]] = [:]
    var unread: [ElementPath: [String]] = [:]
    var remaining = typeNames
    while true {
      var names: [String: String] = [:]
      for type in listed + replaced { names[type.fullName] = type.name }
      let scope = ModelScope(
        version: versions[position].type.path, names: names, foreign: options.models)
      var resolver = TypeResolver(index, scope, typeNames)
      round = ([], [], [])
      (remarks, unread) = ([:], [:])
      for type in listed {
        var reader = ModelReader(
          type, type.name, index, resolver,
          isKept: keepsClasses && position == versions.count - 1, platforms: options.platforms)
        round.models.append(reader.read())
        // Hand-written code that converts between classes and entities stays with the classes.
        if !keepsClasses, let converter = index.converter(of: type) {
          round.findings.append(converter)
        }
        remarks.merge(reader.remarks) { $1 }
        unread.merge(reader.unread) { $1 }
        // Members that are left out are reported for the newest version only. In older versions, only stages can use
        // them.
        round.findings += reader.findings.filter {
          $0.rule != .notCarried || position == versions.count - 1 && !keepsClasses
        }
        resolver = reader.types
      }
      undeclared.formUnion(resolver.missing)
      let isLive = keepsClasses && position == versions.count - 1
      let said = isLive ? Set(listed.map(\.file)).sorted() : []
      let encoded =
        round.models.flatMap(\.encodedNames)
        + said.flatMap { AnswerComment.encodedNames(in: index.sources[$0]) }
      for name in encoded where !TypeResolver.isKnown(name) {
        let found = index.type(
          named: name.split(separator: ".").map(String.init), in: scope.version)
        resolver.used[name] = resolver.used[name] ?? .some(found)
      }
      let new = Dictionary(resolver.unlisted, keyedBy: \.fullName)
        .values.sorted { $0.fullName < $1.fullName }
      guard !new.isEmpty else {
        let stored = round.models.flatMap(\.properties).filter { !$0.isTransient }
        var reader = ValueTypeReader(
          index, code: codeIndex, resolver, stored: stored.compactMap(\.attribute),
          keepsClasses: isLive)
        round.types = reader.readAll()
        undeclared.formUnion(reader.types.used.keys)
        usedNames.formUnion(reader.usedNames)
        undeclared.formUnion(reader.types.missing)
        reportAmbiguous(reader.types.ambiguous, versions[position])
        round.findings += undeclaredTypes(round.models, reader.types)
        round.findings += reader.findings
        remarks.merge(reader.remarks) { $1 }
        remaining = reader.types.names
        if isLive { readFormerTypes(resolver) }
        break
      }
      let own = Dictionary(versions[position].classes, keyedBy: \.name)
      for type in new {
        if let listed = own[type.name] {
          replaced.append(type)
          report(
            .modelNotListed,
            "a model of '\(versions[position].displayName)' refers to '\(type.fullName)', but the version lists '\(listed.fullName)'",
            element: listed.name, at: listed.place,
            related: [.init("'\(type.fullName)' is here", at: type.place)],
            help: [
              "only one of them can be the entity '\(type.name)': schemagen takes the one that the version lists; apps have crashed when SwiftData took the other (\"Duplicate version checksums\")",
              "generated versions have both sides of a relationship; a store that this version wrote shows which class SwiftData took: schemagen inspect",
            ])
          continue
        }
        report(
          .modelNotListed,
          "'\(type.name)' is not among the models of '\(versions[position].displayName)', but one of them refers to it",
          element: type.name, at: type.place,
          help: [
            "SwiftData includes it, so the manifest does too: the generated version has both sides of the relationship"
          ])
      }
      listed += new.filter { own[$0.name] == nil }
    }
    findings += round.findings
    comments[numbers[position]] = remarks
    self.unread[numbers[position]] = unread
    var version = SchemaVersion(
      number: numbers[position], models: round.models, types: round.types,
      location: versions[position].type.place)
    version.summary = summary(versions[position])
    version.joinInverses()
    if !versions[position].type.isGenerated { declareInferredInverses(&version, position) }
    reportDuplicates(listed)
    return (version, listed, remaining)
  }

  private mutating func readFormerTypes(_ resolver: TypeResolver) {
    var resolver = resolver
    for (name, appName) in options.formerTypes.names {
      let found = index.type(named: appName.split(separator: ".").map(String.init), in: [])
      resolver.used[name] = .some(found)
    }
    let names = options.formerTypes.names.keys
    var reader = ValueTypeReader(
      index, code: codeIndex, resolver,
      stored: options.formerTypes.attributes,
      keepsClasses: true)
    // A missing declaration is not reported here, because the compiler reports it.
    formerTypes = reader.readAll().filter { names.contains($0.name) && $0.location != nil }
    undeclared.formUnion(reader.types.used.keys)
    undeclared.formUnion(reader.types.missing)
    usedNames.formUnion(reader.usedNames)
  }

  mutating func reportAmbiguous(
    _ types: [(DeclaredType, DeclaredType)], _ version: WrittenVersion
  ) {
    var told: Set<Set<String>> = []
    for (one, other) in types where told.insert([one.fullName, other.fullName]).inserted {
      report(
        .cannotAdopt,
        "'\(version.displayName)' stores '\(one.fullName)' and '\(other.fullName)', which differ",
        element: one.name, at: one.place,
        related: [.init("'\(other.fullName)' is here", at: other.place)],
        help: ["give one of them another name"])
    }
  }

  /// Writes the inverses that the framework infers, so that the next version has them too.
  mutating func declareInferredInverses(_ version: inout SchemaVersion, _ position: Int) {
    for (end, other) in version.declareInferredInverses() {
      let property = end.member.flatMap { version.model(named: end.owner)?.property(named: $0) }
      report(
        .adoptedInverse,
        "SwiftData makes '\(end)' and '\(other)' inverses, and '\(versions[position].displayName)' now declares that",
        element: end.description, at: property?.location,
        help: ["SwiftData's choice changes with every relationship that you add"])
    }
  }

  mutating func undeclaredTypes(_ models: [Model], _ types: TypeResolver) -> [Diagnostic] {
    let names = types.used.filter { $0.value == nil }.keys.sorted()
    omittedTypes.formUnion(names.filter { index.omittedTypes[$0] != nil })
    return names.map { name in
      let users = models.flatMap { model in
        model.properties.filter { $0.type.names.contains(name) }.map { (model, $0) }
      }
      if let place = index.omittedTypes[name] {
        return Diagnostic(
          .undeclaredType,
          "'#if' excludes '\(name)' from the app on \(options.conditions.platform), and models there store it: no check compares what rows hold",
          element: name, at: place,
          related: users.prefix(1).compactMap { user in
            user.1.location.map { .init("it is stored here", at: $0) }
          },
          help: [
            "declare it for every system of 'platforms:'",
            "if '#if' tests something other than the system: set it under 'define:' in schemagen.yaml",
          ])
      }
      return Diagnostic(
        .undeclaredType,
        "no file declares '\(name)', so the manifest does not list its cases or fields",
        element: name, at: users.first?.1.location,
        help: ["if the app declares it, also name the folder of that declaration"])
    }
  }

  mutating func reportDuplicates(_ listed: [DeclaredType]) {
    for (name, types) in Dictionary(grouping: listed, by: \.name).sorted(by: { $0.key < $1.key })
    where types.count > 1 {
      report(
        .cannotAdopt, "two models of one version are called '\(name)'", element: name,
        at: types[0].place, related: types.dropFirst().map { .init("here as well", at: $0.place) },
        help: ["an entity has the name of its class, so only one of them can be stored"])
    }
  }

  /// The first line of a version's documentation, without full stop; `nil` if the line is longer than 80 characters.
  func summary(_ version: WrittenVersion) -> String? {
    guard let text = version.type.path.isEmpty ? nil : version.type.documentation else {
      return nil
    }
    let line = text.split(separator: "\n").first.map(String.init) ?? ""
    return line.count <= 80 ? line.withoutFullStop : nil
  }

  /// Keeps the later of two neighbouring versions that store the same. Stores cannot tell the two apart, so a plan must
  /// not have both.
  mutating func mergeDuplicates() {
    for position in history.indices.dropLast().reversed()
    where storeTheSame(position, position + 1) {
      let old = versions[position].name
      let new = versions[position + 1].name
      let hasCode =
        plan?.stages.contains {
          $0.from == old && $0.to == new && ($0.willMigrate != nil || $0.didMigrate != nil)
        } ?? false
      guard !hasCode else { continue }
      report(
        .mergedVersion,
        "'\(called(position + 1))' stores the same as '\(called(position))', and replaces it",
        element: called(position), at: versions[position].type.place,
        related: [
          .init("'\(called(position + 1))' is here", at: versions[position + 1].type.place)
        ],
        help: [
          "to the engine they are one version: with both in a plan the app crashes at launch",
          sharesClasses(position, position + 1)
            ? "the two share classes, which are read as they are now: if a class has changed since '\(called(position))' shipped, its stores match no version"
            : "a store of '\(called(position))' is also a store of '\(called(position + 1))', so nothing is lost",
        ])
      merged[old] = merged[new] ?? new
      for (name, target) in merged where target == old { merged[name] = new }
      names[numbers[position]] = nil
      versions[position + 1].releases =
        versions[position].releases + versions[position + 1].releases
      versions.remove(at: position)
      numbers.remove(at: position)
      history.remove(at: position)
      classes.remove(at: position)
    }
  }

  /// Puts comments into the last manifest that has the commented element. Comments in a class that stays in the app
  /// stay there.
  mutating func placeRemarks() {
    var later: [ElementPath: [String]] = [:]
    for (position, number) in zip(numbers.indices, numbers).reversed() {
      let all = comments[number] ?? [:]
      let isKept = keepsClasses && position == numbers.count - 1
      comments[number] = (isKept ? [:] : all.filter { later[$0.key] != $0.value })
        .merging(unread[number] ?? [:]) { $0 + $1 }
      later = all
    }
  }

  /// Whether two versions store the same. Enums with equal raw values count as equal, whatever their names.
  func storeTheSame(_ one: Int, _ other: Int) -> Bool {
    let (one, other) = (history[one], history[other])
    guard
      one.canonical == other.canonical
        || one.withEnumsByValue.canonical == other.withEnumsByValue.canonical
    else { return false }
    // Enums of the same name in a struct may still have raw values of different types.
    return VersionModel(one).model.versionHashes == VersionModel(other).model.versionHashes
  }

  /// The classes of a version that a later version lists too. They may have changed since the version shipped.
  func sharedLater(_ position: Int) -> [DeclaredType] {
    let later = Set(classes[(position + 1)...].joined().map(\.fullName))
    return classes[position].filter { later.contains($0.fullName) }
  }

  /// Whether the sources cannot show what a version was, because its classes may have changed since and no tag has the
  /// version.
  func isLive(_ position: Int) -> Bool {
    versions[position].releases.isEmpty && !sharedLater(position).isEmpty
  }

  private func sharesClasses(_ one: Int, _ other: Int) -> Bool {
    !Set(classes[one].map(\.fullName)).isDisjoint(with: classes[other].map(\.fullName))
  }

  mutating func reportLiveModels() {
    for position in versions.indices.dropLast() where isLive(position) {
      let version = versions[position]
      let names = sharedLater(position).map(\.name).sorted().joined(separator: ", ")
      report(
        .liveModel,
        "'\(version.name)' shares classes with a later version: \(names)", element: version.name,
        at: version.type.place,
        help: [
          "these sources do not show the shared classes as they were when '\(version.name)' shipped: schemagen reads them as they are now",
          "if they have changed since, take this version from the tag of its release, or from a store of it",
        ])
    }
  }

  /// The containers on disk that hold models of the newest version, by the full names of each container's models.
  private mutating func storedElsewhere() -> [String: WrittenContainer] {
    let newest = Set(classes[classes.count - 1].map(\.name))
    var found: [String: WrittenContainer] = [:]
    for container in containers.containers
    where container.classes.contains(where: { newest.contains($0.name) }) {
      for type in container.classes { found[type.fullName] = found[type.fullName] ?? container }
    }
    return found
  }

  mutating func reportUnlistedModels(_ all: [WrittenVersion]) {
    let known = Set(all.flatMap(\.classes).map(\.fullName))
      .union(classes.joined().map(\.fullName))
    let stored = storedElsewhere()
    var beside: [(type: DeclaredType, model: Model)] = []
    var besideTypes: [ValueTypeDeclaration] = []
    for type in index.types where type.isModel && !known.contains(type.fullName) {
      var names = Dictionary(classes[classes.count - 1].map { ($0.fullName, $0.name) }) { $1 }
      names[type.fullName] = type.name
      let scope = ModelScope(version: [], names: names, foreign: options.models)
      var reader = ModelReader(
        type, type.name, index, TypeResolver(index, scope, ValueTypeNames(index, versions: [])))
      let model = reader.read()
      unlisted.append(model)
      if classes[classes.count - 1].contains(where: { $0.name == type.name }) {
        beside.append((type, model))
        var values = ValueTypeReader(index, code: codeIndex, reader.types)
        besideTypes += values.readAll()
        continue
      }
      if let container = stored[type.fullName] {
        let newest = versions[versions.count - 1]
        report(
          .cannotAdopt,
          "this container holds '\(type.fullName)', which '\(newest.displayName)' does not list: no store of the app has that version",
          element: type.name, at: container.place,
          related: [
            .init("'\(type.fullName)' is here", at: type.place),
            .init("'\(newest.displayName)' is here", at: newest.type.place),
          ],
          help: [
            "if the app stores it, list it in the models of '\(newest.displayName)', and adopt again",
            "if not, take it out of the container's list",
          ])
        continue
      }
      report(
        .modelNotListed, "'\(type.fullName)' is in no version, and is not adopted",
        element: type.name, at: type.place,
        help: ["if the app stores it, add it to a new version: schemagen new-version"])
    }
    if !beside.isEmpty { reportClasses(beside, besideTypes) }
  }

  /// Reports classes that have the names of the newest version's models. The app's stores were written either by the
  /// reported classes or by those of the version.
  mutating func reportClasses(
    _ beside: [(type: DeclaredType, model: Model)], _ types: [ValueTypeDeclaration]
  ) {
    guard let newest = history.last else { return }
    var live = newest
    live.number = newest.number.successors[2]
    live.types = Dictionary(types + newest.types, keyedBy: \.name).values.sorted {
      $0.name < $1.name
    }
    for (_, model) in beside {
      live.models.removeAll { $0.name == model.name }
      live.models.append(model)
    }
    live.joinInverses()
    _ = live.declareInferredInverses()
    let changes = SchemaDiffer().changes(
      from: newest.withEnumsByValue.storedParts, to: live.withEnumsByValue.storedParts)
    for (type, model) in beside {
      let own = changes.filter { $0.element.owner == model.name }
      reportClass(type, own)
      if own.isEmpty { followInitializer(of: type, model) }
    }
  }

  /// Adopts the order and the defaults of the initialiser with which the app makes rows.
  private mutating func followInitializer(of type: DeclaredType, _ model: Model) {
    let last = history.count - 1
    guard let place = history[last].models.firstIndex(where: { $0.name == model.name }) else {
      return
    }
    live[model.name] = type
    history[last].models[place].arrangeProperties(model.properties.map(\.name))
    for index in history[last].models[place].properties.indices {
      let name = history[last].models[place].properties[index].name
      history[last].models[place].properties[index].initializerDefault =
        model.property(named: name)?.initializerDefault
    }
  }

  mutating func reportClass(_ type: DeclaredType, _ changes: [SchemaChange]) {
    guard let listed = classes[classes.count - 1].first(where: { $0.name == type.name }) else {
      return
    }
    guard !changes.isEmpty else {
      report(
        .notCarried,
        "'\(type.fullName)' duplicates '\(listed.fullName)', which is generated",
        element: type.name, at: type.place,
        help: [
          "remove this class, and keep its name as an alias: 'names: { active: … }' in schemagen.yaml"
        ])
      return
    }
    let shown = changes.prefix(4).map { change in
      "\(change.element): \(change.classification.title)"
        + (change.detail.isEmpty ? "" : " (\(change.detail))")
    }
    let more = changes.count > 4 ? ["and \(changes.count - 4) more differences"] : []
    report(
      .classBesideVersion,
      "'\(type.fullName)' differs from '\(listed.fullName)', the newest version's class, which is adopted",
      element: type.name, at: type.place,
      related: [.init("the newest version's class is here", at: listed.place)],
      help: shown + more + [
        "if the app stores this class, its stores match no version (134504): a new version must have it",
        "if the app stores the version's class, remove this class",
      ])
  }
}

extension SchemaVersion {
  /// Sets the inverse at both ends of each relationship, as the manifest reader does.
  package mutating func joinInverses() {
    for model in models {
      for property in model.properties {
        guard let relationship = property.relationship, relationship.declaresInverse,
          let inverse = relationship.inverse
        else { continue }
        var owner = models.firstIndex { $0.name == relationship.destination.value }
        while let place = owner {
          let index = models[place].properties.firstIndex { $0.name == inverse.value }
          if let index, case .relationship(var other) = models[place].properties[index].kind {
            if other.inverse == nil {
              other.inverse = Located(property.name, at: property.location)
            }
            models[place].properties[index].kind = .relationship(other)
            break
          }
          let parent = models[place].superclass?.value
          owner = models.firstIndex { $0.name == parent }
        }
      }
    }
  }
}

extension SchemaVersion {
  /// The version with only what stores show of it.
  fileprivate var storedParts: SchemaVersion {
    var version = withoutStep
    for place in version.types.indices {
      version.types[place].isOwn = false
      version.types[place].appName = nil
      version.types[place].documentation = nil
    }
    for place in version.models.indices {
      version.models[place].entity = nil
      version.models[place].documentation = nil
      version.models[place].properties.removeAll(where: \.isTransient)
      for index in version.models[place].properties.indices {
        version.models[place].properties[index].documentation = nil
        version.models[place].properties[index].initializerDefault = nil
        version.models[place].properties[index].mapping = EntityMapping()
        version.models[place].properties[index].originalName = nil
      }
    }
    return version
  }

  /// The version with each enum named after its raw values, and without defaults that name its cases.
  fileprivate var withEnumsByValue: SchemaVersion {
    var names: [String: String] = [:]
    for type in types {
      guard case .enumeration(let raw?, let cases) = type.kind else { continue }
      let values = cases.map { "\($0.rawValue?.text ?? $0.name)" }.sorted()
      names[type.name] = "Raw_\(raw)_" + values.joined(separator: "_")
    }
    var version = self
    version.types.removeAll { names[$0.name] != nil }
    for place in version.models.indices {
      for index in version.models[place].properties.indices {
        guard case .attribute(var attribute) = version.models[place].properties[index].kind,
          case .named(let name, arguments: []) = attribute.type.unwrapped, let values = names[name]
        else { continue }
        attribute.type = attribute.type.isOptional ? .optional(.named(values)) : .named(values)
        if let text = attribute.defaultValue?.text, text.hasPrefix("\(name).") {
          attribute.defaultValue = try? SwiftExpression(values + text.dropFirst(name.count))
        }
        version.models[place].properties[index].kind = .attribute(attribute)
      }
    }
    return version
  }
}

extension SourceIndex {
  /// A finding about a model's hand-written `toEntity()`; `nil` if the model has none, or is generated.
  fileprivate func converter(of type: DeclaredType) -> Diagnostic? {
    let functions = type.isGenerated ? [] : members(of: type.path)
    guard
      let function = functions.lazy.compactMap({ $0.as(FunctionDeclSyntax.self) }).first(where: {
        $0.name.text == "toEntity" && $0.signature.parameterClause.parameters.isEmpty
      }), let result = function.signature.returnClause?.type.nameParts.last
    else { return nil }
    return Diagnostic(
      .notCarried, "hand-written converters stay yours", element: type.name,
      at: place(of: function.name),
      help: [
        "put 'toEntity()' and 'fromEntity(_:)' into extensions of the generated models",
        "or write 'entity: \(result)' in all manifests to generate the converters of every version",
      ])
  }
}

extension Model {
  var encodedNames: [String] {
    properties.flatMap { $0.attribute?.encodes?.names ?? [] }
  }
}
