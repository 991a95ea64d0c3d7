package import SchemaModel

/// Two branches' states of a version joined by what they say, not by their lines: theirs, with what ours did to the
/// version that both come from.
///
/// Models, types and their parts are joined by name; of one that both changed, what is said of it.
package struct VersionMerge {
  /// Theirs with what ours did, and with the answers of ours.
  package var version: SchemaVersion
  /// What the two did or answered in two ways, sorted: it is as theirs has it.
  package private(set) var contested: [ElementPath] = []
  /// Answers of ours that theirs has given as well, sorted: they are left out of a draft.
  package private(set) var answered: [ElementPath] = []

  private let ours: SchemaVersion
  private let base: SchemaVersion
  private let theirs: SchemaVersion
  /// Theirs with what they say of their steps, ascending.
  private let answers: [SchemaVersion]
  private let isDraft: Bool

  /// - Parameters:
  ///   - ours: With what it says of its step.
  ///   - base: The same version; or, of a draft, a copy of what it was copied from.
  ///   - theirs: The same version; or, of a draft, a copy of the version that it comes after, under the draft's number.
  ///   - answers: Of a draft, the versions that only theirs has, ascending; nil where all three are one version, with one
  ///     step.
  package init(
    ours: SchemaVersion, base: SchemaVersion, theirs: SchemaVersion, after answers: [SchemaVersion]?
  ) {
    (self.ours, self.base, self.theirs) = (ours, base, theirs)
    isDraft = answers != nil
    self.answers = answers ?? [theirs]
    version = ours
    if !isDraft {
      var joined = theirs
      take(\.hooks, ours, base, into: &joined, ElementPath("hooks"))
      take(\.expectedStage, ours, base, into: &joined, ElementPath("expect"))
      take(\.expectations, ours, base, into: &joined, ElementPath("expect"))
      take(\.identity, ours, base, into: &joined, ElementPath("identity"))
      version = joined
    }
    version.models = joined(
      ours.models, base.models, theirs.models, said: self.answers.map(\.models))
    version.types = joined(ours.types, base.types, theirs.types, said: self.answers.map(\.types))
    version.drops = theirs.drops
    takeDrops()
    contested = Set(contested).sorted()
    answered = Set(answered).subtracting(contested).sorted()
  }

  // MARK: Parts

  /// Theirs in their order, and what only ours has behind what it stands behind there.
  fileprivate mutating func joined<P: Part>(
    _ ours: [P], _ base: [P], _ theirs: [P], said: [[P]], of owner: String? = nil
  ) -> [P] {
    let owns = Dictionary(ours, keyedBy: \.key)
    let bases = Dictionary(base, keyedBy: \.key)
    let known = Set(theirs.map(\.key))
    func joined(_ key: String, _ theirs: P?) -> P? {
      let said = said.compactMap { $0.first { $0.key == key } }
      return self.joined(owns[key], bases[key], theirs, said: said, of: owner)
    }
    var result = theirs.compactMap { joined($0.key, $0) }
    for (index, part) in ours.enumerated() where !known.contains(part.key) {
      guard let part = joined(part.key, nil) else { continue }
      let before = ours[..<index].reversed().lazy.compactMap { other in
        result.firstIndex { $0.key == other.key }
      }.first
      var place = before.map { $0 + 1 } ?? 0
      while place < result.count, owns[result[place].key] == nil { place += 1 }
      result.insert(part, at: place)
    }
    return result
  }

  private mutating func joined<P: Part>(
    _ ours: P?, _ base: P?, _ theirs: P?, said: [P], of owner: String?
  ) -> P? {
    guard ours != base else { return theirs }
    guard let ours else {
      guard let theirs, theirs != base else { return nil }
      contested.append(theirs.element(of: owner))
      return theirs
    }
    let element = ours.element(of: owner)
    guard let theirs else {
      if base == nil, said.isEmpty, ours.isPossible(of: owner, self) { return ours }
      contested.append(element)
      return nil
    }
    let shape =
      base.map { ours.joined(element, with: theirs, from: $0, said: said, &self) }
      ?? (ours.withoutStep == theirs.withoutStep ? theirs : nil)
    guard let shape, ours.isPossible(of: owner, self) else {
      contested.append(element)
      return theirs
    }
    func isSameStep(_ one: P?, _ other: P?) -> Bool {
      ours.withStep(of: one) == ours.withStep(of: other)
    }
    guard !isSameStep(ours, base), !contested.contains(element) else {
      return shape.withStep(of: theirs)
    }
    if let other = said.last(where: { !isSameStep($0, base) }) {
      if !isSameStep(ours, other) {
        contested.append(element)
      } else if isDraft {
        answered.append(element)
      }
      return shape.withStep(of: theirs)
    }
    // The same change without an answer is another answer.
    if theirs.withoutStep == ours.withoutStep, theirs.withoutStep != base?.withoutStep {
      contested.append(element)
      return theirs
    }
    return shape.withStep(of: ours)
  }

  /// Takes one aspect of ours over, where theirs left it as it was.
  fileprivate mutating func take<Root, Value: Equatable>(
    _ part: WritableKeyPath<Root, Value>, _ ours: Root, _ base: Root, into theirs: inout Root,
    _ element: ElementPath
  ) {
    let own = ours[keyPath: part]
    guard own != base[keyPath: part], own != theirs[keyPath: part] else { return }
    if theirs[keyPath: part] == base[keyPath: part] {
      theirs[keyPath: part] = own
    } else {
      contested.append(element)
    }
  }

  // MARK: What ours is made of

  /// The models of before whose rows a model of ours takes: also its own.
  private func sources(of model: String) -> [String] {
    let sources = ours.model(named: model)?.sources.map(\.value) ?? []
    return sources.isEmpty ? [model] : sources
  }

  /// Whether theirs left the models alone whose rows a new one of ours takes.
  fileprivate func isPossible(_ model: Model) -> Bool {
    base.model(named: model.name) != nil
      || sources(of: model.name).allSatisfy {
        base.model(named: $0)?.withoutStep == theirs.model(named: $0)?.withoutStep
      }
  }

  /// Whether theirs stores what the values of a property of ours are made of as it was.
  fileprivate func isPossible(_ property: Property, of model: String) -> Bool {
    let migration = property.migration
    let names =
      [property.name] + [migration.renamedFrom].compactMap { $0?.value }
      + migration.from.map(\.value)
    return sources(of: model).allSatisfy { source in
      names.allSatisfy { name in
        let name = name.prefix { $0 != "." }.description
        guard let was = base.model(named: source)?.property(named: name) else { return true }
        let now = theirs.model(named: source)?.property(named: name)
        return was.attribute?.type == now?.attribute?.type
          && was.relationship?.destination == now?.relationship?.destination
      }
    }
  }

  private mutating func takeDrops() {
    for drop in ours.drops where !base.drops.contains(where: { $0.isSame(as: drop) }) {
      let element = drop.element.value
      let owner = ElementPath(element.owner)
      guard !contested.contains(element), !contested.contains(owner) else { continue }
      let said = answers.flatMap(\.drops).filter { $0.element.value == element }.last
      let isGone = base.has(element) && !theirs.has(element)
      guard said != nil || isGone else {
        version.drops.append(drop)
        continue
      }
      let isSame =
        said?.isSame(as: drop)
        ?? answers.contains { $0.drops.contains { $0.element.value == owner } }
      if !isSame {
        contested.append(element)
      } else if isDraft {
        answered.append(element)
      }
    }
    let kept = Set(ours.drops.map(\.element.value))
    for drop in base.drops where !kept.contains(drop.element.value) {
      version.drops.removeAll { $0.isSame(as: drop) }
    }
  }
}

/// What has a name in a version, and may say how rows come to it.
private protocol Part: Equatable {
  var key: String { get }
  var withoutStep: Self { get }
  /// With what another one says of the step; nil for one that says nothing.
  func withStep(of other: Self?) -> Self
  func element(of owner: String?) -> ElementPath
  /// Whether theirs left alone what its values are made of.
  func isPossible(of owner: String?, _ merge: VersionMerge) -> Bool
  /// Theirs with what this one changed; nil where both changed it.
  func joined(
    _ element: ElementPath, with theirs: Self, from base: Self, said: [Self],
    _ merge: inout VersionMerge
  ) -> Self?
}

extension Part {
  var withoutStep: Self { self }

  func withStep(of other: Self?) -> Self { self }

  func element(of owner: String?) -> ElementPath {
    owner.map { ElementPath($0, key) } ?? ElementPath(key)
  }

  func isPossible(of owner: String?, _ merge: VersionMerge) -> Bool { true }

  func joined(
    _ element: ElementPath, with theirs: Self, from base: Self, said: [Self],
    _ merge: inout VersionMerge
  ) -> Self? {
    let (own, was, other) = (withoutStep, base.withoutStep, theirs.withoutStep)
    return own == was || own == other ? theirs : other == was ? self : nil
  }
}

extension Model: Part {
  fileprivate var key: String { name }

  fileprivate func withStep(of other: Model?) -> Model {
    var model = self
    (model.sources, model.isRenamed) = (other?.sources ?? [], other?.isRenamed ?? false)
    return model
  }

  fileprivate func isPossible(of owner: String?, _ merge: VersionMerge) -> Bool {
    merge.isPossible(self)
  }

  fileprivate func joined(
    _ element: ElementPath, with theirs: Model, from base: Model, said: [Model],
    _ merge: inout VersionMerge
  ) -> Model? {
    var model = theirs
    merge.take(\.documentation, self, base, into: &model, element)
    merge.take(\.entity, self, base, into: &model, element)
    merge.take(\.superclass, self, base, into: &model, element)
    func all<P: Part>(_ parts: (Model) -> [P]) -> [P] {
      merge.joined(
        parts(self), parts(base), parts(theirs), said: said.map(parts), of: name)
    }
    model.properties = all(\.properties)
    model.uniques = all(\.uniques)
    model.indexes = all(\.indexes)
    return model
  }
}

extension Property: Part {
  fileprivate var key: String { name }

  fileprivate var kindWithoutStep: Kind {
    get { withoutStep.kind }
    set {
      let old = self
      kind = newValue
      self = withStep(of: old)
    }
  }

  fileprivate func withStep(of other: Property?) -> Property {
    var property = self
    property.migration = other?.migration ?? PropertyMigration()
    guard case .attribute(var attribute) = kind else { return property }
    attribute.dedupe = other?.attribute?.dedupe
    property.kind = .attribute(attribute)
    return property
  }

  fileprivate func isPossible(of owner: String?, _ merge: VersionMerge) -> Bool {
    owner.map { merge.isPossible(self, of: $0) } ?? true
  }

  fileprivate func joined(
    _ element: ElementPath, with theirs: Property, from base: Property, said: [Property],
    _ merge: inout VersionMerge
  ) -> Property? {
    var property = theirs
    merge.take(\.documentation, self, base, into: &property, element)
    merge.take(\.kindWithoutStep, self, base, into: &property, element)
    merge.take(\.isTransient, self, base, into: &property, element)
    merge.take(\.originalName, self, base, into: &property, element)
    merge.take(\.hashModifier, self, base, into: &property, element)
    merge.take(\.initializerDefault, self, base, into: &property, element)
    merge.take(\.mapping, self, base, into: &property, element)
    return property
  }
}

extension UniqueConstraint: Part {
  fileprivate var key: String { sortKey }
  fileprivate var withoutStep: UniqueConstraint { withStep(of: nil) }

  fileprivate func withStep(of other: UniqueConstraint?) -> UniqueConstraint {
    var unique = self
    unique.dedupe = other?.dedupe
    return unique
  }

  fileprivate func element(of owner: String?) -> ElementPath { ElementPath(owner ?? key) }
}

extension Index: Part {
  fileprivate var key: String { sortKey }

  fileprivate func element(of owner: String?) -> ElementPath { ElementPath(owner ?? key) }
}

extension ValueTypeDeclaration: Part {
  fileprivate var key: String { name }

  fileprivate func joined(
    _ element: ElementPath, with theirs: ValueTypeDeclaration, from base: ValueTypeDeclaration,
    said: [ValueTypeDeclaration], _ merge: inout VersionMerge
  ) -> ValueTypeDeclaration? {
    var type = theirs
    merge.take(\.documentation, self, base, into: &type, element)
    merge.take(\.isOwn, self, base, into: &type, element)
    merge.take(\.appName, self, base, into: &type, element)
    merge.take(\.coding, self, base, into: &type, element)
    switch (kind, base.kind, theirs.kind) {
    case (.enumeration(let raw, _), .enumeration(let was, _), .enumeration(let other, _))
    where raw == was && was == other:
      let cases = merge.joined(
        cases, base.cases, theirs.cases, said: said.map(\.cases), of: name)
      type.kind = .enumeration(rawType: raw, cases: cases)
    case (.structure(let fields), .structure(let were), .structure(let others)):
      type.kind = .structure(fields: merge.joined(fields, were, others, said: [], of: name))
    default: merge.take(\.kind, self, base, into: &type, element)
    }
    return type
  }
}

extension EnumCase: Part {
  fileprivate var key: String { name }

  fileprivate func withStep(of other: EnumCase?) -> EnumCase {
    var enumCase = self
    enumCase.renamedFrom = other?.renamedFrom
    return enumCase
  }
}

extension StructField: Part {
  fileprivate var key: String { name }
}

extension SchemaVersion {
  /// Whether it has a model, a property, a type or a part of a type of that name.
  fileprivate func has(_ element: ElementPath) -> Bool {
    let (model, type) = (model(named: element.owner), type(named: element.owner))
    guard let member = element.member else { return model != nil || type != nil }
    return model?.property(named: member) != nil
      || type?.cases.contains { $0.name == member } ?? false
      || type?.fields.contains { $0.name == member } ?? false
  }
}

extension Drop {
  /// Whether it says of a step what another one says: reasons can be put better at any time.
  fileprivate func isSame(as other: Drop) -> Bool {
    element.value == other.element.value && revert == other.revert
      && replacedBy == other.replacedBy
  }
}
