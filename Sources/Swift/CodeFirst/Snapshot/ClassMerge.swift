internal import SchemaEvolution
internal import SchemaLint
internal import SchemaManifest
internal import SchemaModel
internal import SchemaWorkspace
internal import SwiftSources

/// A version with the models of the app's classes, plus what only its manifest can define.
///
/// The classes define everything in the store, and what Swift declares anyway: names, types, defaults, options,
/// relationships, constraints, documentation. The manifest defines the rest: the entity, how values appear in the
/// entity, and the keys of the step. The manifest's order is kept, and new elements are added at the end.
struct ClassMerge {
  enum Subject {
    /// The version has not shipped, so comments may answer questions about its step.
    case draft
    /// The version has shipped, so comments no longer change its step.
    case shipped
  }

  private(set) var version: SchemaVersion
  /// The new names of renamed elements, by their paths in the manifest. A rename comes from `originalName` or from a
  /// comment, or changes a name that has not shipped.
  private(set) var renames: [ElementPath: String] = [:]
  /// Comments whose answers a shipped version already has, sorted by place.
  private(set) var done: [Place] = []
  private(set) var idle: [Place] = []
  /// Errors in answers, and answers in the manifest whose elements the classes no longer have.
  private(set) var findings: [Diagnostic] = []
  private(set) var hasOpenAnswers = false
  private let comments: ClassComments
  private let classes: Set<String>
  private let subject: Subject
  var isDraft: Bool { subject == .draft }
  private let number: VersionNumber
  /// The versions whose steps can no longer change, oldest first, as in their manifests.
  private let earlier: [SchemaVersion]
  /// The previous version as in its manifest; `nil` for the first. If the newest version has shipped, this is the
  /// newest version.
  private let known: SchemaVersion?
  /// The previous version as its classes are, with original names set; nil for the first.
  private let before: SchemaVersion?

  /// - Parameter evolution: A history with at least one version. The classes are the models of the newest.
  init(_ evolution: Evolution, _ classes: LiveClasses, as subject: Subject) {
    let last = evolution.history.count - 1
    func physical(_ index: Int) -> SchemaVersion {
      evolution.versions[index].stored.schema
    }
    let manifest = evolution.history[last]
    let written = classes.version
    let demanded = physical(last)
    self.subject = subject
    before = last > 0 ? physical(last - 1) : nil
    switch subject {
    case .draft:
      earlier = Array(evolution.history.dropLast())
      number = manifest.number
    case .shipped:
      earlier = evolution.history
      number = manifest.number.successors[2]
    }
    known = earlier.last
    comments = classes.comments
    self.classes = Set(written.models.map(\.name))
    version = manifest
    let renamed = renamedModels(manifest, written)
    for (source, model) in renamed { renames[ElementPath(source)] = model.name }
    let known = Dictionary(written.models, keyedBy: \.name)
    var models: [Model] = []
    for model in manifest.models {
      guard let own = known[model.name] ?? renamed[model.name] else { continue }
      models.append(merged(model, own, demanded.model(named: model.name)))
    }
    version.models = models
    let names = Set(renamed.values.map(\.name))
    let added = written.models.filter {
      manifest.model(named: $0.name) == nil && !names.contains($0.name)
    }
    for model in added { version.models.append(commented(model)) }
    mergeTypes(manifest, written)
    takeDrops()
    takeAcceptances()
    takeStrays()
    done.sort()
  }

  // MARK: Answers

  /// Whether an answer counts for the version: it names that version, or it names none and no shipped version has it.
  private mutating func counts(
    _ number: VersionNumber?, at place: Place, isDone: Bool
  ) -> Bool {
    if let number {
      let problem =
        number > self.number
        ? ", and \(self.number.name) is the next version"
        : number == earlier.first?.number
          ? ", the first version, which migrates no rows" : nil
      if let problem {
        findings.append(
          Diagnostic(
            .malformedAcceptance, "this comment is for \(number.name)\(problem)", at: place,
            help: ["write \(self.number.name), or remove the comment"]))
      }
      guard number == self.number else {
        if number < self.number { done.append(place) }
        return false
      }
    } else if isDone {
      done.append(place)
      return false
    }
    hasOpenAnswers = true
    return subject == .draft
  }

  /// A model and one of its properties in the versions whose steps can no longer change, newest first.
  ///
  /// - Parameter property: The property's name in the newest of these versions; `nil` for the model alone.
  private func formers(
    of model: String, _ property: String?
  ) -> [(model: Model, property: Property?)] {
    var found: [(model: Model, property: Property?)] = []
    var (name, member) = (model, property)
    for version in earlier.reversed() {
      guard let model = version.model(named: name) else { break }
      let property = member.flatMap(model.property)
      found.append((model, property))
      if let migration = property?.migration {
        member = migration.renamedFrom?.value ?? migration.from.first?.value ?? member
      }
      if let source = model.sources.first { name = source.value }
    }
    return found
  }

  private func former(of model: Model) -> Model? { known?.model(named: model.nameBefore) }

  /// The name that a model of the classes has in the previous version.
  private func formerName(of model: String) -> String {
    if known?.model(named: model) != nil { return model }
    // A name in a comment may belong to another class by now.
    let old = renames.first { $0.key.member == nil && $0.value == model }?.key.owner ?? model
    if let source = version.model(named: old)?.sources.first { return source.value }
    if known?.model(named: old) != nil { return old }
    let said = comments.said[ElementPath(model)]?.compactMap { $0.model?.sources.first?.value }
    return said?.first { known?.model(named: $0) != nil } ?? model
  }

  /// The forms of a property in the versions whose steps can no longer change. For a new property, these are all
  /// properties that the class lacks, since the new property may replace any of them.
  private func formers(
    of property: Property, in model: String, written: Model, saying step: Set<String>
  ) -> [Property] {
    let name = formerName(of: model)
    guard let former = known?.model(named: name) else { return [] }
    let said = comments.said[ElementPath(model, property.name)]?.compactMap(\.property?.migration)
    let own =
      former.property(named: property.name)?.name
      ?? said?.lazy.compactMap { $0.renamedFrom?.value ?? $0.from.first?.value }
      .first { former.property(named: $0) != nil }
      ?? before?.model(named: name)?.properties.first {
        property.originalName != nil
          && ($0.originalName ?? $0.name) == property.originalName
      }?.name
    // A fill is the same answer for any property, so a new property's fill is not an old answer.
    if own == nil, step == ["fill"] { return [] }
    let names =
      own.map { [$0] }
      ?? former.properties.map(\.name).filter { written.property(named: $0) == nil }
    return names.flatMap { formers(of: name, $0).compactMap(\.property) }
  }

  private mutating func commented(_ model: Model) -> Model {
    var model = model
    // An element that was removed in the draft and has been restored has the previous version's keys again.
    if let former = known?.model(named: model.name) {
      model.entity = former.entity
      for place in model.properties.indices {
        let property = model.properties[place]
        model.properties[place] = property.mapped(as: former.property(named: property.name))
      }
    }
    take(&model)
    let written = model
    for place in model.properties.indices {
      take(&model.properties[place], of: written)
    }
    return model
  }

  private mutating func take(_ model: inout Model) {
    var answered: Set<String> = []
    for said in comments.said[ElementPath(model.name)] ?? [] {
      guard let written = said.model else { continue }
      if said.version == nil || said.version == number {
        model.entity = written.entity ?? model.entity
      }
      // The class has its former name again, so the comment renames nothing.
      if written.isRenamed, written.sources.first?.value == model.name {
        idle.append(said.location)
      } else if !written.sources.isEmpty {
        let isDone = formers(of: formerName(of: model.name), nil).contains {
          $0.model.sources == written.sources && $0.model.isRenamed == written.isRenamed
        }
        if counts(said.version, at: said.location, isDone: isDone),
          isFirst(said, ["from"], &answered)
        {
          model.sources = written.sources
          model.isRenamed = written.isRenamed
        }
      }
    }
    for said in comments.uniques where said.model == model.name {
      let names = said.constraint.names
      if said.isOneOfSeveral,
        known?.model(named: formerName(of: model.name))?.uniques.contains(where: {
          $0.names == names
        })
          ?? false
      {
        continue
      }
      // If a version has an equal rule for duplicates, the comment's request is done, whatever properties that rule was
      // for. To apply the rule to other properties would be a guess that deletes rows.
      let isDone = formers(of: formerName(of: model.name), nil).contains { former in
        former.model.uniques.contains { $0.dedupe == said.constraint.dedupe }
      }
      guard counts(said.version, at: said.location, isDone: isDone),
        let place = model.uniques.firstIndex(where: { $0.names == names })
      else { continue }
      model.uniques[place].dedupe = said.constraint.dedupe
    }
  }

  private mutating func take(_ property: inout Property, of model: Model) {
    let element = ElementPath(model.name, property.name)
    guard let all = comments.said[element] else { return }
    let start = property.migration
    var taken: Set<String> = []
    var answered: Set<String> = []
    for said in all {
      let step = said.keys.intersection(ClassComments.stepKeys)
      let formers = formers(of: property, in: model.name, written: model, saying: step)
      guard let written = said.property else {
        // An answer that is wrong for today's type may have been right in the version it was written for.
        let isDone = formers.contains { former in
          ClassComments.read(said, as: former).map { former.says(said.keys, as: $0) } ?? false
        }
        if counts(said.version, at: said.location, isDone: isDone) { findings += said.problems }
        continue
      }
      // If an answer has several lines, one version must have done what all of them request.
      let isDone = formers.contains { $0.says(step, as: written) }
      if step == ["dedupe"], !property.isUnique, !isDone {
        idle.append(said.location)
        continue
      }
      let takesStep =
        !step.isEmpty && counts(said.version, at: said.location, isDone: isDone)
        && !isUndecided(said, step, property, element, formers) && isFirst(said, step, &answered)
      if takesStep { taken.formUnion(step) }
      for key in said.keys.sorted() {
        guard ClassComments.stepKeys.contains(key) ? takesStep : said.version ?? number == number
        else { continue }
        property.take(key, from: written)
      }
    }
    property.replaceAnswers(of: start, by: taken)
  }

  private func openKeys(of property: Property, in model: Model) -> Set<String> {
    let all = comments.said[ElementPath(model.name, property.name)] ?? []
    let open = all.filter { said in
      if let version = said.version { return version == number }
      let step = said.keys.intersection(ClassComments.stepKeys)
      return !formers(of: property, in: model.name, written: model, saying: step).contains {
        former in
        (said.property ?? ClassComments.read(said, as: former)).map { former.says(step, as: $0) }
          ?? false
      }
    }
    return Set(open.flatMap(\.keys))
  }

  /// Removes a draft's answers for changes that the class takes back, and asks about answers that may still apply.
  ///
  /// - Parameters:
  ///   - said: The property and its model in the manifest.
  ///   - written: The property and its model in the classes.
  private mutating func takeBack(
    _ property: inout Property, _ said: (property: Property, model: Model),
    _ written: (property: Property, model: Model)
  ) {
    let migration = said.property.migration
    let former = former(of: said.model)?.property(named: written.property.name)
    let isChanged = !said.property.isTyped(as: written.property)
    let open = openKeys(of: written.property, in: written.model)
    // The class takes a change of type back, so the answer to that change is removed.
    if let former, isChanged, former.type == written.property.type,
      former.isTyped(as: written.property) && open.isEmpty
        || migration.from.contains(where: { $0.value == written.property.name })
    {
      property.migration = PropertyMigration()
      return
    }
    // The class now declares a rename, and no longer says where the values come from.
    if open.isDisjoint(with: ["from", "renamedFrom", "convert"]), !migration.from.isEmpty,
      !said.model.isRenamed, let source = source(of: written.property, of: said.model),
      source != written.property.name
    {
      property.migration = PropertyMigration()
      return
    }
    if open.isDisjoint(with: ["from", "renamedFrom"]), written.property.originalName == nil {
      let isBack = migration.renamedFrom.map { source in
        written.model.property(named: source.value) != nil
          && said.model.property(named: source.value) == nil
      }
      let sources = migration.from.map(\.value) + [migration.renamedFrom?.value].compactMap { $0 }
      if isBack ?? false
        || sources.contains(where: {
          isDropped($0, of: [written.model.name, formerName(of: written.model.name)])
        })
      {
        (property.migration.renamedFrom, property.migration.from) = (nil, [])
        (property.migration.convert, property.migration.revert) = (nil, [])
      }
    }
    let isOfAnotherType = said.property.type.unwrapped != written.property.type.unwrapped
    if isOfAnotherType, !open.contains("fill") { property.migration.fill = nil }
    let keys = ManifestKeys.stepKeys(of: property).filter {
      !["renamedFrom", "dedupe"].contains($0.key) && !open.contains($0.key)
    }
    // A comment about the source of the values answers everything except `revert`, which belongs to the conversion.
    guard !keys.isEmpty, isChanged,
      open.isDisjoint(with: ["fill", "from", "convert"])
        || keys.contains(where: { $0.key == "revert" })
    else { return }
    let element = ElementPath(written.model.name, written.property.name)
    let names = keys.map { "'\($0.key)'" }.joined(separator: " and ")
    findings.append(
      Diagnostic(
        .modelDiffers,
        "\(number.name)'s manifest has \(names) for '\(element)', but the class now declares another type or default",
        element: element, at: written.property.location,
        related: said.property.location.map { [.init("the answer is here", at: $0)] } ?? [],
        help: [
          "if the answer is still right, write above the property in the class: "
            + Self.comments(keys),
          "else remove \(names) from '\(element)' in '\(said.property.location?.file ?? "")'",
        ]))
  }

  /// Whether a comment says that this version drops a property or a case of the previous version.
  private func isDropped(_ name: String, of owners: [String]) -> Bool {
    comments.drops.contains { said in
      let element = said.drop.element.value
      guard element.member == name, owners.contains(element.owner) else { return false }
      return said.version.map { $0 == number }
        ?? !earlier.contains { version in
          version.drops.contains {
            $0.element.value.member == name && $0.acknowledgement == said.drop.acknowledgement
          }
        }
    }
  }

  private mutating func isFirst(
    _ said: ClassComments.Said, _ keys: Set<String>, _ answered: inout Set<String>
  ) -> Bool {
    if let key = answered.intersection(keys).sorted().first {
      findings.append(
        Diagnostic(
          .malformedAcceptance, "another comment already has '\(key)' for \(number.name)",
          at: said.location, help: ["remove one of the two comments"]))
      return false
    }
    answered.formUnion(keys)
    return true
  }

  /// If an answer was edited after its version had shipped, asks what the edit means, unless a change of the property
  /// explains it.
  private mutating func isUndecided(
    _ said: ClassComments.Said, _ step: Set<String>, _ property: Property,
    _ element: ElementPath, _ formers: [Property]
  ) -> Bool {
    guard said.version == nil, let written = said.property, let former = formers.first,
      former.name == property.name,
      former.type == property.type, former.isUnique == property.isUnique,
      formers.contains(where: { former in
        step.contains { ManifestKeys.value(of: $0, in: former) != nil }
      }),
      // An answer that the draft's manifest already has is decided.
      version.property(at: element)?.says(step, as: written) != true
    else { return false }
    let key = step.sorted()[0]
    findings.append(
      Diagnostic(
        .modelDiffers,
        "this comment differs from what the shipped version did, but nothing else changes in '\(element)'",
        element: element, at: said.location,
        help: [
          key == "fill"
            ? "to change the values of rows again: // schemagen:\(number.name) from \(property.name), and below it // schemagen:\(number.name) convert …"
            : "to change the values of rows again, name the version: // schemagen:\(number.name) \(key) …",
          "else remove the comment, or restore its old text",
        ]))
    return true
  }

  private mutating func takeDrops() {
    for said in comments.drops {
      let drop = said.drop
      let path = drop.element.value
      let formers = formers(of: formerName(of: path.owner), path.member)
      let names = formers.map(\.model.name)
      let isDone = earlier.contains { version in
        version.drops.contains {
          ($0.element.value == path
            || names.contains($0.element.value.owner) && $0.element.value.member == path.member)
            && $0.acknowledgement == drop.acknowledgement && $0.replacedBy == drop.replacedBy
        }
      }
      guard let element = droppable(path) else {
        let hasGone = earlier.contains { version in
          version.drops.contains { $0.element.value.member == path.member }
        }
        if formers.allSatisfy({ $0.property == nil }), let meant = otherOwner(of: path) {
          reportMisplaced(path, said, meant: meant)
        } else if hasGone
          || !Self.has(path, version) && earlier.contains(where: { Self.has(path, $0) })
        {
          done.append(said.location)
        } else if Self.has(path, version) {
          idle.append(said.location)
        } else {
          reportUnknown(path, said)
        }
        continue
      }
      guard counts(said.version, at: said.location, isDone: isDone) else { continue }
      if case .reason(let reason) = drop.acknowledgement { askReason(reason, said.location) }
      var taken = drop
      taken.element = Located(element, at: said.location)
      if let place = version.drops.firstIndex(where: { $0.element.value == element }) {
        version.drops[place].take(taken)
      } else {
        version.drops.append(taken)
      }
    }
    version.drops = version.drops.map(followingNames)
  }

  /// Updates a drop's `notCarriedTo`. The elements in this list may since have been renamed or removed, and other
  /// elements may now have their names.
  private func followingNames(_ drop: Drop) -> Drop {
    guard !drop.notCarriedTo.isEmpty else { return drop }
    let element = drop.element.value
    let model = version.models.first {
      $0.name == element.owner || $0.isRenamed && $0.sources.first?.value == element.owner
    }
    // A removed element may also have become part of a new model.
    let models = version.models.filter { $0.sources.isEmpty }.map(\.name)
    let properties = (element.member == nil ? [] : model?.properties ?? []).filter {
      $0.migration.renamedFrom == nil && $0.migration.from.isEmpty
    }
    let known = Set(models + properties.map(\.name))
    var seen: Set<String> = []
    var followed = drop
    followed.notCarriedTo = drop.notCarriedTo.compactMap { name in
      guard !known.contains(name.value) else { return name }
      let owners = element.member == nil ? [] : [element.owner, model?.name].compactMap(\.self)
      let paths = owners.map { ElementPath($0, name.value) } + [ElementPath(name.value)]
      return paths.lazy.compactMap { renames[$0] }.first.map { Located($0, at: name.location) }
    }.filter { known.contains($0.value) && seen.insert($0.value).inserted }
    return followed
  }

  /// Handles comments whose property, class or type no longer exists. A comment is done if a version did what it
  /// requests.
  private mutating func takeStrays() {
    for stray in comments.strays {
      guard let place = stray.finding.location else { continue }
      let isDone =
        stray.version.map { $0 < number } ?? earlier.contains { stray.isAnswer(of: $0) }
      if isDone { done.append(place) } else { findings.append(stray.finding) }
    }
  }

  private mutating func askReason(_ reason: String, _ place: Place) {
    guard reason.isPlaceholder else { return }
    findings.append(
      Diagnostic(
        .malformedAcceptance, "the reason is '\(reason)', which says nothing", at: place,
        help: ["say who checked the decision, and why it is right"]))
  }

  /// Whether a version has an element under any name of its model.
  private mutating func reportMisplaced(
    _ path: ElementPath, _ said: ClassComments.SaidDrop, meant: ElementPath
  ) {
    findings.append(
      Diagnostic(
        .malformedAcceptance,
        "'\(path.owner)' had no '\(path.member ?? "")': this comment has no effect",
        element: path, at: said.location,
        help: [
          "write the comment above '\(meant.owner)', or the whole name: // schemagen:drop \(meant): …"
        ]))
  }

  /// The removed property of another class with the same name that no comment drops.
  private func otherOwner(of path: ElementPath) -> ElementPath? {
    guard let member = path.member, let known, known.model(named: path.owner) != nil else {
      return nil
    }
    return known.models.map { ElementPath($0.name, member) }.first { meant in
      droppable(meant) != nil && !comments.drops.contains { $0.drop.element.value == meant }
    }
  }

  private static func has(_ path: ElementPath, _ version: SchemaVersion) -> Bool {
    guard let member = path.member else {
      return version.model(named: path.owner) != nil || version.type(named: path.owner) != nil
    }
    if let type = version.type(named: path.owner) { return type.partNames.contains(member) }
    return version.models.contains { $0.property(named: member) != nil }
  }

  private mutating func reportUnknown(_ path: ElementPath, _ said: ClassComments.SaidDrop) {
    let owner = formerName(of: path.owner)
    let names =
      path.member == nil
      ? known?.models.map(\.name) ?? []
      : (known?.model(named: owner)?.properties.map(\.name) ?? [])
        + (known?.type(named: path.owner)?.partNames ?? [])
    findings.append(
      Diagnostic(
        .malformedAcceptance, "no version has had '\(path)': this comment has no effect",
        element: path, at: said.location,
        help: Suggestion.help(for: path.member ?? path.owner, among: names)))
  }

  /// Whether a step that can no longer change has an answer for an element under any name. A new comment without a
  /// version could be mistaken for that answer.
  func isAnswered(_ element: ElementPath) -> Bool {
    if earlier.contains(where: { $0.drops.contains { $0.element.value == element } }) {
      return true
    }
    let property = version.property(at: element) ?? known?.property(at: element)
    let member =
      property?.migration.renamedFrom?.value ?? property?.migration.from.first?.value
      ?? element.member
    return formers(of: formerName(of: element.owner), member).contains { former in
      element.member == nil
        ? !former.model.sources.isEmpty || former.model.uniques.contains { $0.dedupe != nil }
        : former.property.map { !$0.migration.isEmpty || $0.attribute?.dedupe != nil } ?? false
    }
      || element.member == nil
        && earlier.contains {
          $0.models.contains { $0.sources.contains { $0.value == element.owner } }
        }
  }

  /// The place of the comment that answers for an element; nil if there is none.
  ///
  /// - Parameter keys: A comment with one of these keys is preferred.
  func place(ofAnswerFor element: ElementPath, keys: [String] = []) -> Place? {
    (element.member == nil
      ? comments.uniques.first { $0.model == element.owner }?.location : nil)
      ?? comments.said[element]?.lazy.compactMap { $0.place(of: keys) }.first
      ?? comments.said[element]?.first?.location
      ?? comments.drops.first { $0.drop.element.value == element }?.location
  }

  /// Adds acceptances from comments. Acceptances of the step's findings count only in a draft, and only once.
  private mutating func takeAcceptances() {
    for said in comments.acceptances {
      func isSame(_ other: Acceptance) -> Bool {
        other.rule.value == said.rule.value && other.element == said.element
      }
      let isOfStep = RuleCatalog.rulesByID[said.rule.value]?.scope != .version
      if isOfStep {
        guard subject == .draft,
          !earlier.contains(where: { $0.acceptances.contains(where: isSame) })
        else { continue }
      }
      if let place = said.rule.location { askReason(said.reason, place) }
      if let place = version.acceptances.firstIndex(where: isSame) {
        version.acceptances[place].reason = said.reason
        version.acceptances[place].until = said.until
      } else {
        version.acceptances.append(said)
      }
    }
  }

  /// A drop's element with the previous version's names; `nil` if the previous version lacks the element or the newest
  /// version still has it.
  private func droppable(_ path: ElementPath) -> ElementPath? {
    guard let known else { return nil }
    if let type = known.type(named: path.owner), let member = path.member {
      let now = version.type(named: path.owner)
      let stays = now?.partNames.contains(member) ?? false
      let isRenamed = now?.cases.contains { $0.renamedFrom?.value == member } ?? false
      return type.partNames.contains(member) && !stays && !isRenamed ? path : nil
    }
    let owner = formerName(of: path.owner)
    guard let model = known.model(named: owner) else { return nil }
    guard let member = path.member else {
      return version.model(named: path.owner) == nil ? ElementPath(owner) : nil
    }
    guard let was = model.property(named: member) else { return nil }
    let now = version.models.first {
      $0.name == path.owner || $0.isRenamed && $0.sources.first?.value == owner
    }
    let isThere =
      now?.properties.contains {
        $0.migration.renamedFrom?.value == member
          || $0.name == member && $0.migration.from.isEmpty && $0.type == was.type
            // A model that becomes a struct may keep its name, so an equal type may be of another kind.
            && ($0.attribute == nil) == (was.attribute == nil)
            && $0.isTransient == was.isTransient
      } ?? false
    return isThere ? nil : ElementPath(owner, member)
  }

  // MARK: Models

  /// Renamed classes, by their models' names in the manifest.
  private mutating func renamedModels(
    _ manifest: SchemaVersion, _ written: SchemaVersion
  ) -> [String: Model] {
    let classes = Set(written.models.map(\.name))
    var gone = manifest.models.filter { !classes.contains($0.name) }
    var new = written.models.filter { manifest.model(named: $0.name) == nil }
    var renamed: [String: Model] = [:]
    func join(_ old: Model, _ model: Model) {
      renamed[old.name] = model
      gone.removeAll { $0.name == old.name }
      new.removeAll { $0.name == model.name }
    }
    // A comment uses the name in the previous version, which the draft may have changed since.
    for model in new {
      let sources = (comments.said[ElementPath(model.name)] ?? []).compactMap { said in
        said.version == nil || said.version == number
          ? said.model.flatMap { $0.isRenamed ? $0.sources.first?.value : nil } : nil
      }
      let old = gone.first { old in
        sources.contains(old.name)
          || old.isRenamed && old.sources.first.map { sources.contains($0.value) } ?? false
      }
      if let old { join(old, model) }
    }
    // A name that has not shipped can change at any time.
    guard subject == .draft else { return renamed }
    for old in gone where known?.model(named: old.name) == nil {
      let names = Set(old.properties.map(\.name))
      let alike = new.filter { Set($0.properties.map(\.name)) == names }
      let isAnswered = !old.sources.isEmpty || old.properties.contains { !$0.migration.isEmpty }
      if alike.count == 1, gone.count(where: { Set($0.properties.map(\.name)) == names }) == 1 {
        join(old, alike[0])
      } else if isAnswered, !new.isEmpty {
        let sources = old.sources.map(\.value)
        let key = old.isRenamed ? "renamedFrom" : "from"
        findings.append(
          lostAnswer(
            "\(number.name)'s manifest has answers for '\(old.name)', and no class has that name any more",
            ElementPath(old.name), new.map { ($0.name, $0.location) },
            sources.isEmpty ? "" : "// schemagen:\(key) \(sources.joined(separator: ", "))",
            old.location))
      }
    }
    return renamed
  }

  private static func comments(_ keys: [(key: String, value: String)]) -> String {
    keys.map { key, value in
      "// schemagen:\(key) "
        + (ClassComments.codeKeys.contains(key)
          ? YAMLReader.read(SourceFile(path: "", text: value)).root?.scalar?.text ?? value : value)
    }.joined(separator: ", and below it ")
  }

  /// Reports answers in the draft's manifest whose declaration no longer exists, since they would be lost silently.
  private func lostAnswer(
    _ message: String, _ element: ElementPath, _ successors: [(name: String, place: Place?)],
    _ comments: String, _ place: Place?
  ) -> Diagnostic {
    let names = successors.prefix(3).map { "'\($0.name)'" }
    let answers =
      comments.isEmpty
      ? "move its answers to the new name in the manifest"
      : "write above it in the class: " + comments
    return Diagnostic(
      .modelDiffers, message, element: element, at: successors.lazy.compactMap(\.place).first,
      related: place.map { [.init("the answers are here", at: $0)] } ?? [],
      help: [
        "if \(names.joined(separator: " or ")) is its new name, \(answers)",
        "if its answers are no longer needed, remove '\(element.member ?? element.owner)' from the manifest",
      ])
  }

  private mutating func merged(_ said: Model, _ written: Model, _ physical: Model?) -> Model {
    var model = written
    model.entity = said.entity
    // A class with its old name again is no longer renamed.
    let isAnother = isTakenBack(said, written)
    let isBack = said.isRenamed && said.sources.first?.value == written.name || isAnother
    model.sources = isBack ? [] : said.sources
    model.isRenamed = said.isRenamed && !isBack
    for place in model.uniques.indices {
      let names = model.uniques[place].names
      model.uniques[place].dedupe = said.uniques.first { $0.names == names }?.dedupe
    }
    take(&model)
    var said = said
    (said.sources, said.isRenamed) = (model.sources, model.isRenamed)
    if isAnother {
      for place in said.properties.indices {
        said.properties[place].migration = PropertyMigration()
      }
    }
    let names = names(said, written)
    for (old, new) in names where old != new { renames[ElementPath(said.name, old)] = new }
    model.properties = said.properties.compactMap { property in
      names[property.name].flatMap(written.property).map {
        merged(property, $0, physical?.property(named: property.name), of: said, written)
      }
    }
    let kept = Set(names.values)
    let former = former(of: said)
    model.properties += written.properties.filter { !kept.contains($0.name) }.map { property in
      declaringRename(property.mapped(as: former?.property(named: property.name)), of: said)
    }
    // The property that decides which duplicate stays may have been renamed as well.
    for place in model.uniques.indices {
      model.uniques[place].dedupe = model.uniques[place].dedupe?.following(names)
    }
    for place in model.properties.indices {
      guard case .attribute(var attribute) = model.properties[place].kind else { continue }
      attribute.dedupe = attribute.dedupe?.following(names)
      model.properties[place].kind = .attribute(attribute)
    }
    let whole = model
    for place in model.properties.indices { take(&model.properties[place], of: whole) }
    reportUnknownNames(written, model)
    return model
  }

  /// Reports original names of new properties that match no earlier property, since their author intended a rename.
  private mutating func reportUnknownNames(_ written: Model, _ model: Model) {
    guard subject == .draft, !model.isRenamed, let former = former(of: model) else { return }
    for property in model.properties
    where former.property(named: property.name) == nil && property.migration.isEmpty {
      guard let own = written.property(named: property.name), let name = own.originalName,
        source(of: own, of: model) == nil
      else { continue }
      findings.append(
        Diagnostic(
          .unusedHint,
          "'\(former.name)' has no '\(name)' in \(known?.number.name ?? ""): this originalName renames nothing",
          element: ElementPath(model.name, property.name), at: own.location,
          help: Suggestion.help(for: name, among: former.properties.map(\.name))
            + ["remove 'originalName:'"],
          severity: .warning))
    }
  }

  /// The names that the manifest's properties have in the class. Properties that the class lacks are left out.
  private mutating func names(_ said: Model, _ written: Model) -> [String: String] {
    var names: [String: String] = [:]
    for property in said.properties where written.property(named: property.name) != nil {
      names[property.name] = property.name
    }
    var new = written.properties.filter { said.property(named: $0.name) == nil }
    for property in new {
      guard let source = source(of: property, of: said) else { continue }
      // The manifest has the property under the previous version's name, or under the draft's new name for it.
      let old = said.properties.first {
        names[$0.name] == nil
          && ($0.migration.renamedFrom.map { $0.value == source } ?? ($0.name == source))
      }
      if let old { names[old.name] = property.name }
      new.removeAll { $0.name == property.name }
    }
    guard subject == .draft, !new.isEmpty else { return names }
    // A name that has not shipped can change at any time.
    let former = former(of: said)
    let gone = said.properties.filter { property in
      names[property.name] == nil && former?.property(named: property.name) == nil
    }
    // A property that the previous version also has was restored. It takes its old values back, so the draft's property
    // that got these values is not missing.
    let back = Set(new.map(\.name).filter { former?.property(named: $0) != nil })
    new.removeAll { back.contains($0.name) }
    var lost: [Property] = []
    for old in gone {
      let sources = old.migration.from.map(\.value) + [old.migration.renamedFrom?.value ?? ""]
      guard back.isDisjoint(with: sources) else { continue }
      let alike = new.filter { $0.type == old.type && $0.isTransient == old.isTransient }
      // A comment above a new property still counts if it names the same sources as the manifest does for the missing
      // property.
      let answered = new.filter { property in
        guard !old.migration.from.isEmpty else { return false }
        return comments.said[ElementPath(written.name, property.name)]?.contains {
          ($0.version ?? number) == number
            && $0.property?.migration.from.map(\.value) == old.migration.from.map(\.value)
        } ?? false
      }
      if answered.count == 1 {
        names[old.name] = answered[0].name
        new.removeAll { $0.name == answered[0].name }
      } else if alike.count == 1, gone.count(where: { $0.type == old.type }) == 1 {
        names[old.name] = alike[0].name
        new.removeAll { $0.name == alike[0].name }
      } else if !old.migration.isEmpty {
        lost.append(old)
      }
    }
    for old in lost where !new.isEmpty {
      let element = ElementPath(said.name, old.name)
      findings.append(
        lostAnswer(
          "\(number.name)'s manifest has an answer for '\(element)', and the class has no '\(old.name)' any more",
          element, new.map { ($0.name, $0.location) },
          Self.comments(ManifestKeys.stepKeys(of: old)), old.location))
    }
    return names
  }

  /// Whether a class that a draft calls renamed is new after all, because a class with the old name exists again.
  private func isTakenBack(_ said: Model, _ written: Model) -> Bool {
    guard subject == .draft, said.isRenamed, let source = said.sources.first?.value,
      source != written.name, classes.contains(source), version.model(named: source) == nil
    else { return false }
    return !(comments.said[ElementPath(written.name)] ?? []).contains {
      ($0.version ?? number) == number && $0.model?.sources.first?.value == source
    }
  }

  private mutating func merged(
    _ said: Property, _ written: Property, _ physical: Property?, of model: Model, _ own: Model
  ) -> Property {
    var property = written.mapped(as: said)
    guard !written.isTransient else { return property }
    property.migration = said.migration
    if subject == .draft, !said.migration.isEmpty {
      takeBack(&property, (said, model), (written, own))
    }
    switch (property.kind, said.kind) {
    case (.attribute(var attribute), .attribute(let known)):
      attribute.dedupe = written.isUnique ? known.dedupe : nil
      property.kind = .attribute(attribute)
    case (.relationship(var relationship), .relationship(let known))
    where relationship.inverse?.value == known.inverse?.value
      && relationship.destination.value == known.destination.value:
      // It does not matter which end declares the inverse.
      relationship.declaresInverse = known.declaresInverse
      property.kind = .relationship(relationship)
    default: break
    }
    // Hash modifiers that follow from earlier steps are in no manifest.
    if written.hashModifier == physical?.hashModifier || hasLostMark(written, said, model) {
      property.hashModifier = said.hashModifier
    }
    if written.name == said.name, written.originalName == physical?.originalName {
      property.originalName =
        model.isRenamed && source(of: written, of: model) != nil
        ? written.originalName : said.originalName
      return property
    }
    return declaringRename(property, of: model)
  }

  /// Whether a class lacks a hash modifier with which a version has shipped. Without the modifier, the same rows have a
  /// different hash.
  private func hasLostMark(_ written: Property, _ said: Property, _ model: Model) -> Bool {
    guard written.hashModifier == nil, let mark = said.hashModifier else { return false }
    let name = said.migration.renamedFrom?.value ?? said.name
    return subject == .shipped
      || !model.isRenamed && said.migration.from.isEmpty
        && former(of: model)?.property(named: name)?.hashModifier == mark
  }

  /// The property with `renamedFrom` instead of its original name.
  private func declaringRename(_ property: Property, of model: Model) -> Property {
    guard let source = source(of: property, of: model) else { return property }
    var property = property
    // An original name in a manifest stays there, and no other is written, since it follows from the rename. The rows of
    // a renamed class are copied to a new table, so there the class's original name has no effect.
    if !model.isRenamed {
      property.originalName = former(of: model)?.property(named: source)?.originalName
    }
    if source != property.name, property.migration.from.isEmpty {
      property.migration.renamedFrom = Located(source)
    }
    return property
  }

  /// The name, in the previous version, of the property that a class names as the original one.
  private func source(of property: Property, of model: Model) -> String? {
    guard let original = property.originalName else { return nil }
    let stored = before?.model(named: model.nameBefore)?.properties.filter(\.isStored) ?? []
    // The engine needs the property's first name in any store, but people remember its last name.
    return
      (stored.first { ($0.originalName ?? $0.name) == original }
      ?? stored.first { $0.name == original })?.name
  }

  // MARK: Types

  private mutating func mergeTypes(_ manifest: SchemaVersion, _ written: SchemaVersion) {
    let types = Dictionary(written.types, keyedBy: \.name)
    version.types = manifest.types.compactMap { type in
      types[type.name].map { written in
        askCoding(type, written)
        return merged(type, written)
      }
    }
    version.types += written.types.filter { manifest.type(named: $0.name) == nil }
    takeParts(manifest)
    // A case that keeps its raw value is renamed in the step to the version, whether the version has shipped or not.
    let former = subject == .draft ? known : earlier.dropLast().last
    if let former { version = version.namingCases(of: former) }
    for said in comments.cases {
      // The case may have been renamed again since.
      let isGone =
        known?.type(named: said.type)?.cases.contains { $0.name == said.source.value } != true
      let isDone =
        isGone
        && earlier.contains { version in
          version.type(named: said.type)?.cases.contains { $0.renamedFrom == said.source } ?? false
        }
      guard counts(said.version, at: said.source.location ?? Place(file: ""), isDone: isDone),
        let place = version.types.firstIndex(where: { $0.name == said.type }),
        case .enumeration(let raw, var cases) = version.types[place].kind,
        let index = cases.firstIndex(where: { $0.name == said.name })
      else { continue }
      cases[index].renamedFrom = said.source
      version.types[place].kind = .enumeration(rawType: raw, cases: cases)
    }
  }

  /// Keeps the manifest's definitions of types with custom coding, which are not read from the classes.
  private mutating func takeParts(_ manifest: SchemaVersion) {
    while true {
      let known = Set(version.types.map(\.name))
      let needed = Set(version.types.flatMap(\.fields).flatMap { Array($0.type.names) })
        .subtracting(known)
      let missing = manifest.types.filter { needed.contains($0.name) }
      guard !missing.isEmpty else { return }
      version.types = Self.arranged(version.types + missing, as: manifest.types, by: \.name)
    }
  }

  private mutating func askCoding(_ said: ValueTypeDeclaration, _ written: ValueTypeDeclaration) {
    // If no file declares the type, its code is unknown.
    guard written.kind != .opaque || written.coding != nil else { return }
    // If the type's code was unknown so far, its first digest needs no answer.
    guard said.kind != .opaque || said.coding != nil else { return }
    guard !written.isCoded(as: said), let former = known?.type(named: written.name),
      !written.isCoded(as: former), !written.hasOtherColumns(than: former)
    else { return }
    let answer = written.coding ?? "none"
    guard comments.codings[written.name]?.contains(answer) != true else { return }
    findings.append(
      Diagnostic(
        .modelDiffers,
        "the code that reads and writes '\(written.name)' has changed: rows hold what \(known?.number.name ?? "")'s code wrote, and schemagen cannot tell whether the new code reads them",
        element: written.name, at: written.location,
        help: [
          "if the new code reads these rows, write above '\(written.appName ?? written.name)' in Swift: // schemagen:coding \(answer)",
          "if not, restore the old code, declare the new type under another name, and convert the values: // schemagen:from …, and below it // schemagen:convert …",
        ]))
  }

  private func merged(
    _ said: ValueTypeDeclaration, _ written: ValueTypeDeclaration
  ) -> ValueTypeDeclaration {
    var type = written
    // A type that no file of the app declares is generated from the manifest.
    if !said.isOwn, written.kind == .opaque, said.kind != .opaque { return said }
    // The manifest leaves the cases or fields of an opaque type to the app.
    if said.kind == .opaque { type.kind = .opaque }
    if written.kind == .opaque, written.coding == nil { type.coding = said.coding }
    // A type's columns come from its properties, even with custom coding (docs/facts/identity.md#struct-leaves).
    if written.kind == .opaque, written.coding != nil { type.kind = said.kind }
    switch type.kind {
    case .enumeration(let raw, let cases):
      let cases = Self.arranged(cases, as: said.cases, by: \.name).map { written in
        var found = written
        let old =
          said.cases.first { $0.name == written.name }
          ?? said.cases.first { one in
            one.storedText == written.storedText && !cases.contains { $0.name == one.name }
          }
        found.renamedFrom = old?.renamedFrom
        // The case's old name exists again, or was dropped.
        let isBack = { (source: String) in
          cases.contains { $0.name == source } && !said.cases.contains { $0.name == source }
        }
        if let source = found.renamedFrom?.value,
          isBack(source) || subject == .draft && isDropped(source, of: [said.name])
        {
          found.renamedFrom = nil
        }
        return found
      }
      type.kind = .enumeration(rawType: raw, cases: cases)
    // The order of a struct's fields is that of its initialiser's arguments.
    case .structure, .opaque: break
    }
    return type
  }

  /// Sorts types or cases in the manifest's order, with new ones at the end, since the order does not matter to stores.
  private static func arranged<Part>(
    _ parts: [Part], as known: [Part], by name: (Part) -> String
  ) -> [Part] {
    let places = Dictionary(known.enumerated().map { (name($0.element), $0.offset) }) { $1 }
    return parts.filter { places[name($0)] != nil }
      .sorted { places[name($0)] ?? 0 < places[name($1)] ?? 0 }
      + parts.filter { places[name($0)] == nil }
  }
}

extension Dedupe {
  fileprivate func following(_ names: [String: String]) -> Dedupe {
    switch self {
    case .latest(let name): .latest(by: names[name] ?? name)
    case .earliest(let name): .earliest(by: names[name] ?? name)
    case .function: self
    }
  }
}

extension ValueTypeDeclaration {
  fileprivate var partNames: [String] { cases.map(\.name) + fields.map(\.name) }
}

extension Drop {
  fileprivate mutating func take(_ comment: Drop) {
    acknowledgement = comment.acknowledgement
    revert = comment.revert ?? revert
    replacedBy = comment.replacedBy ?? replacedBy
    // The comment may use a name from before a rename. The manifest has the name after the rename.
    notCarriedTo = comment.notCarriedTo + notCarriedTo
  }
}

extension Model {
  fileprivate var nameBefore: String { isRenamed ? sources.first?.value ?? name : name }
}

extension Property {
  fileprivate func says(_ keys: Set<String>, as other: Property) -> Bool {
    keys.allSatisfy {
      ManifestKeys.value(of: $0, in: self) == ManifestKeys.value(of: $0, in: other)
    }
  }

  /// The property with what only a manifest can define: its mapping to the entity, and the type of its JSON.
  func mapped(as known: Property?) -> Property {
    guard let known, (known.relationship == nil) == (relationship == nil) else { return self }
    var property = self
    property.mapping = known.mapping
    if case .attribute(var attribute) = kind, let said = known.attribute {
      attribute.encodes = said.encodes
      attribute.fallback = said.fallback
      property.kind = .attribute(attribute)
    }
    return property
  }

  fileprivate func isTyped(as other: Property) -> Bool {
    type == other.type && attribute?.defaultValue == other.attribute?.defaultValue
  }

  /// Removes the manifest's answers that comments replaced, since old rows get their values in only one way.
  ///
  /// - Parameters:
  ///   - start: The keys in the manifest.
  ///   - taken: The keys in comments.
  fileprivate mutating func replaceAnswers(of start: PropertyMigration, by taken: Set<String>) {
    let isMoved = start.from != migration.from
    if isMoved, !taken.contains("convert") { migration.convert = nil }
    if isMoved, !taken.contains("revert") { migration.revert = [] }
    if !taken.contains("fill"), taken.contains("convert") { migration.fill = nil }
    if taken.contains("fill"), taken.isDisjoint(with: ["from", "convert"]) {
      (migration.from, migration.convert, migration.revert) = ([], nil, [])
    }
  }

  mutating func take(_ key: String, from other: Property) {
    switch key {
    case "renamedFrom": migration.renamedFrom = other.migration.renamedFrom
    case "from":
      migration.from = other.migration.from
      // Copying the values replaces the rename that an original name declares.
      migration.renamedFrom = nil
    case "convert": migration.convert = other.migration.convert
    case "revert": migration.revert = other.migration.revert
    case "fill": migration.fill = other.migration.fill
    case "inEntity": mapping.form = other.mapping.form
    case "entityProperty": mapping.name = other.mapping.name
    case "sortedBy": mapping.sortedBy = other.mapping.sortedBy
    default:
      guard case .attribute(var attribute) = kind, let said = other.attribute else { return }
      switch key {
      case "dedupe": attribute.dedupe = said.dedupe
      case "fallback": attribute.fallback = said.fallback
      default: attribute.encodes = said.encodes
      }
      kind = .attribute(attribute)
    }
  }
}
