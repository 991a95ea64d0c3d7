internal import SchemaEvolution
package import SchemaModel

/// Random histories whose steps are declared as an author would, so that most have no errors.
package struct HistoryGenerator {
  private var random: SplitMix64
  private var version = SchemaVersion(number: VersionNumber(1))
  private var touched: Set<String> = []
  private var counter = 0
  private var retired: [String] = []

  static let types = ["Int", "Double", "String", "Date", "UUID", "Bool", "[String]", "Level"]

  init(seed: Int) { random = SplitMix64(seed: UInt64(seed) &+ 0xC0FFEE) }

  /// The versions of a seed's history, in ascending order.
  package static func history(seed: Int) -> [SchemaVersion] {
    var generator = HistoryGenerator(seed: seed)
    return generator.history()
  }

  private mutating func history() -> [SchemaVersion] {
    version.types = [
      ValueTypeDeclaration(
        name: "Level",
        kind: .enumeration(rawType: .named("String"), cases: [EnumCase(name: "a")]))
    ]
    for _ in 0...random.below(3) { addModel() }
    touched = []
    for _ in 0...random.below(3) { addRelationship() }
    version = version.withoutStep
    var history = [version]
    for _ in 0..<(1 + random.below(5)) {
      version = version.withoutStep
      version.number = VersionNumber(version.number.major + 1)
      touched = []
      for _ in 0...random.below(4) { change() }
      history.append(version)
    }
    return history
  }

  private mutating func change() {
    switch random.below(22) {
    case 0, 1: addAttribute()
    case 2: addFilled()
    case 3, 4: removeAttribute()
    case 5: renameAttribute()
    case 6: convert(sameName: false)
    case 7: convert(sameName: true)
    case 8: changeOptionality()
    case 9: changeNumber()
    case 10: changeDefault()
    case 11: changeIndex()
    case 12: addUnique()
    case 13: addRelationship()
    case 14: removeRelationship()
    case 15: renameRelationship()
    case 16, 20, 21: renameModel()
    case 17: addModel()
    case 18: removeModel()
    default: splitModel()
    }
  }

  // MARK: Choices

  private mutating func fresh(_ prefix: String) -> String {
    counter += 1
    return "\(prefix)\(counter)"
  }

  private mutating func type() -> TypeReference {
    let text = random.pick(Self.types)
    return text == "[String]" ? .array(.named("String")) : .named(text)
  }

  private func value(_ type: TypeReference) -> SwiftExpression {
    let text =
      switch type.description {
      case "Int": "0"
      case "Double": "0.5"
      case "String": "\"\""
      case "Date": "Date.distantPast"
      case "UUID": "noUUID"
      case "Bool": "false"
      case "[String]": "[]"
      default: "Level.a"
      }
    return .name(text)
  }

  private func isFree(_ model: Model) -> Bool { !touched.contains(model.name) }

  /// The place of a property that this step has not changed.
  private mutating func place(where isRight: (Property) -> Bool) -> (model: Int, property: Int)? {
    var places: [(Int, Int)] = []
    for (index, model) in version.models.enumerated() where isFree(model) {
      for (place, property) in model.properties.enumerated()
      where property.name != "id" && !touched.contains("\(model.name).\(property.name)")
        && isRight(property) && !isUsed(property.name, by: model)
      {
        places.append((index, place))
      }
    }
    return places.isEmpty ? nil : random.pick(places)
  }

  private func isUsed(_ property: String, by model: Model) -> Bool {
    model.uniques.contains { $0.names.contains(property) }
      || model.indexes.contains { $0.names.contains(property) }
  }

  private mutating func touch(_ place: (model: Int, property: Int)) {
    let model = version.models[place.model]
    touched.insert("\(model.name).\(model.properties[place.property].name)")
    touched.insert("some of \(model.name)")
  }

  private mutating func drop(_ element: String, _ type: TypeReference? = nil) {
    let revert = type.map { $0.isOptional ? .name("nil") : value($0) }
    version.drops.append(
      Drop(element: Located(ElementPath(parsing: element)), reason: "gone", revert: revert))
  }

  private mutating func freeModel() -> Int? {
    let free = version.models.indices.filter { isFree(version.models[$0]) }
    return free.isEmpty ? nil : random.pick(Array(free))
  }

  // MARK: Attributes

  private mutating func attribute(_ name: String) -> Property {
    var type = type()
    var value: SwiftExpression? = self.value(type)
    if random.chance(50) || type == .named("Level") {
      type = type.optionalized
      value = nil
    }
    return Property(name: name, kind: .attribute(Attribute(type: type, defaultValue: value)))
  }

  private mutating func addAttribute() {
    guard let index = freeModel() else { return }
    let model = version.models[index]
    var name = fresh("x")
    // Sometimes a name from an older version.
    let old = retired.filter { element in
      element.hasPrefix(model.name + ".") && !touched.contains(element)
        && model.property(named: String(element.dropFirst(model.name.count + 1))) == nil
    }
    if random.chance(60), let old = old.last { name = String(old.dropFirst(model.name.count + 1)) }
    version.models[index].properties.append(attribute(name))
    touched.insert("\(version.models[index].name).\(name)")
    touched.insert("some of \(version.models[index].name)")
  }

  private mutating func addFilled() {
    guard let index = freeModel(), version.number.major > 1 else { return }
    let name = fresh("f")
    var property = Property(name: name, kind: .attribute(Attribute(type: .named("UUID"))))
    property.migration.fill = Located(.expression(.name("UUID()")))
    version.models[index].properties.append(property)
    touched.insert("\(version.models[index].name).\(name)")
    touched.insert("some of \(version.models[index].name)")
  }

  private mutating func removeAttribute() {
    guard let place = place(where: { $0.attribute != nil }) else { return }
    touch(place)
    let property = version.models[place.model].properties.remove(at: place.property)
    retired.append("\(version.models[place.model].name).\(property.name)")
    drop("\(version.models[place.model].name).\(property.name)", property.type)
  }

  private mutating func renameAttribute() {
    guard let place = place(where: { $0.attribute != nil }) else { return }
    touch(place)
    let old = version.models[place.model].properties[place.property].name
    let name = fresh("n")
    version.models[place.model].properties[place.property].name = name
    version.models[place.model].properties[place.property].migration.renamedFrom = Located(old)
    touched.insert("\(version.models[place.model].name).\(name)")
  }

  private mutating func convert(sameName: Bool) {
    guard let place = place(where: { $0.attribute != nil }) else { return }
    touch(place)
    let old = version.models[place.model].properties[place.property]
    let name = sameName ? old.name : fresh("c")
    var property = Property(name: name, kind: .attribute(Attribute(type: type())))
    property.migration.from = [Located(old.name)]
    property.migration.convert = Located(.function("make"))
    property.migration.revert = [Reversion(Located(.function("unmake")))]
    version.models[place.model].properties[place.property] = property
    touched.insert("\(version.models[place.model].name).\(name)")
  }

  private mutating func update(
    _ place: (model: Int, property: Int), _ change: (inout Attribute) -> Void
  ) {
    guard
      case .attribute(var attribute) =
        version.models[place.model].properties[place.property].kind
    else { return }
    change(&attribute)
    version.models[place.model].properties[place.property].kind = .attribute(attribute)
  }

  private mutating func changeOptionality() {
    guard let place = place(where: { $0.attribute != nil && !$0.type.names.contains("Level") })
    else { return }
    touch(place)
    let type = version.models[place.model].properties[place.property].type
    guard type.isOptional else {
      return update(place) { $0.type = type.optionalized }
    }
    let value = self.value(type.unwrapped)
    if random.chance(50) {
      update(place) {
        $0.type = type.unwrapped
        $0.defaultValue = value
      }
    } else {
      update(place) { $0.type = type.unwrapped }
      version.models[place.model].properties[place.property].migration.fill = Located(
        .expression(value))
    }
  }

  private mutating func changeNumber() {
    let numbers = ["Int", "Double", "Bool"]
    guard let place = place(where: { numbers.contains($0.type.unwrapped.description) }) else {
      return
    }
    touch(place)
    let old = version.models[place.model].properties[place.property].type
    let name = random.pick(numbers.filter { $0 != old.unwrapped.description })
    let type = TypeReference.named(name)
    let value = self.value(type)
    update(place) {
      $0.type = old.isOptional ? type.optionalized : type
      if $0.defaultValue != nil { $0.defaultValue = value }
    }
    let model = version.models[place.model]
    version.acceptances.append(
      Acceptance(
        rule: Located("number-type-changed"),
        target: .element(Located("\(model.name).\(model.properties[place.property].name)")),
        reason: "fine"))
  }

  private mutating func changeDefault() {
    guard let place = place(where: { $0.attribute?.type == .named("Int") }) else { return }
    touch(place)
    let value = SwiftExpression.name(String(1 + random.below(9)))
    update(place) { $0.defaultValue = value }
  }

  // MARK: Constraints

  private mutating func changeIndex() {
    guard let index = freeModel() else { return }
    if version.models[index].indexes.isEmpty {
      version.models[index].indexes = [Index(properties: [Located("id")])]
    } else {
      version.models[index].indexes = []
    }
    touched.insert("some of \(version.models[index].name)")
  }

  private mutating func addUnique() {
    guard let place = place(where: { $0.attribute?.type == .named("String") }),
      version.number.major > 1
    else { return }
    touch(place)
    update(place) {
      guard !$0.options.contains(.unique) else { return }
      $0.options.insert(.unique)
      $0.dedupe = .latest(by: "id")
    }
  }

  // MARK: Relationships

  private mutating func addRelationship() {
    guard let from = freeModel(), let to = freeModel() else { return }
    let name = fresh("r")
    let back = fresh("b")
    let source = version.models[from].name
    let target = version.models[to].name
    let hasInverse = random.chance(70)
    let isMany = random.chance(30)
    var relationship = Relationship(
      destination: Located(target), cardinality: isMany ? .many : .optionalOne,
      inverse: hasInverse ? Located(back) : nil)
    relationship.declaresInverse = hasInverse
    version.models[from].properties.append(
      Property(
        name: name, kind: .relationship(relationship), mapping: EntityMapping(form: .omit)))
    if hasInverse {
      version.models[to].properties.append(
        Property(
          name: back,
          kind: .relationship(
            Relationship(
              destination: Located(source),
              cardinality: random.pick([.many, .optionalOne, .optionalMany]),
              inverse: Located(name))), mapping: EntityMapping(form: .omit)))
    }
    for element in [
      "\(source).\(name)", "\(target).\(back)", "some of \(source)", "some of \(target)",
    ] {
      touched.insert(element)
    }
  }

  /// The places of a relationship and its inverse.
  private mutating func pair() -> (model: Int, property: Int)? {
    let models = version.models
    let touched = touched
    return place { property in
      guard let relationship = property.relationship else { return false }
      let destination = relationship.destination.value
      guard !touched.contains(destination) else { return false }
      return relationship.inverse.map { !touched.contains("\(destination).\($0.value)") } ?? true
        && models.contains { $0.name == destination }
    }
  }

  private mutating func removeRelationship() {
    guard let place = pair() else { return }
    touch(place)
    let owner = version.models[place.model].name
    let property = version.models[place.model].properties.remove(at: place.property)
    drop("\(owner).\(property.name)")
    guard let relationship = property.relationship, let inverse = relationship.inverse?.value,
      let other = version.models.firstIndex(where: { $0.name == relationship.destination.value })
    else { return }
    version.models[other].properties.removeAll { $0.name == inverse }
    touched.insert("\(version.models[other].name).\(inverse)")
    touched.insert("some of \(version.models[other].name)")
    if !version.drops.contains(where: {
      $0.element.value == ElementPath(version.models[other].name, inverse)
    }) {
      drop("\(version.models[other].name).\(inverse)")
    }
  }

  private mutating func renameRelationship() {
    guard let place = pair() else { return }
    touch(place)
    let owner = version.models[place.model].name
    let old = version.models[place.model].properties[place.property].name
    let name = fresh("q")
    version.models[place.model].properties[place.property].name = name
    version.models[place.model].properties[place.property].migration.renamedFrom = Located(old)
    touched.insert("\(owner).\(name)")
    eachRelationship { model, property, relationship in
      guard relationship.destination.value == owner, relationship.inverse?.value == old else {
        return
      }
      relationship.inverse = Located(name)
    }
  }

  private mutating func eachRelationship(
    _ change: (String, inout Property, inout Relationship) -> Void
  ) {
    for index in version.models.indices {
      for place in version.models[index].properties.indices {
        var property = version.models[index].properties[place]
        guard case .relationship(var relationship) = property.kind else { continue }
        change(version.models[index].name, &property, &relationship)
        property.kind = .relationship(relationship)
        version.models[index].properties[place] = property
      }
    }
  }

  // MARK: Models

  private mutating func addModel() {
    let name = fresh("M")
    var model = Model(
      name: name,
      properties: [Property(name: "id", kind: .attribute(Attribute(type: .named("Int"))))])
    model.entity = random.chance(50) ? name + "Entity" : nil
    for _ in 0..<random.below(4) { model.properties.append(attribute(fresh("x"))) }
    version.models.append(model)
    touched.insert(name)
  }

  /// A model that this step has not changed, nor any model linked to it.
  private mutating func untouchedModel() -> Int? {
    let linked = Set(touched.filter { $0.hasPrefix("some of ") }.map { String($0.dropFirst(8)) })
    let free = version.models.indices.filter { index in
      let model = version.models[index]
      return isFree(model) && !linked.contains(model.name)
        && !touched.contains { $0.hasPrefix(model.name + ".") }
    }
    return free.isEmpty ? nil : random.pick(Array(free))
  }

  private mutating func renameModel() {
    guard let index = untouchedModel() else { return }
    let old = version.models[index].name
    let name = fresh("M")
    version.models[index].name = name
    version.models[index].sources = [Located(old)]
    version.models[index].isRenamed = true
    touched.insert(name)
    touched.insert(old)
    eachRelationship { _, _, relationship in
      if relationship.destination.value == old { relationship.destination = Located(name) }
    }
  }

  private mutating func removeModel() {
    guard version.models.count > 1, let index = untouchedModel() else { return }
    let name = version.models[index].name
    let isLinked = version.models.contains { model in
      model.properties.contains { $0.relationship?.destination.value == name }
    }
    guard !isLinked else { return }
    version.models.remove(at: index)
    touched.insert(name)
    drop(name)
  }

  private mutating func splitModel() {
    guard let index = untouchedModel(), version.number.major > 1 else { return }
    let source = version.models[index]
    let name = fresh("S")
    let properties = source.properties.filter { property in
      property.attribute != nil && (property.name == "id" || random.chance(60))
        && !(property.attribute?.options.contains(.unique) ?? false)
    }
    var model = Model(name: name, properties: properties)
    model.sources = [Located(source.name)]
    version.models.append(model)
    version.acceptances.append(
      Acceptance(
        rule: Located("unlinked-rows"), target: .element(Located(name)), reason: "made up"))
    touched.insert(name)
    touched.insert(source.name)
  }
}

extension SchemaVersion {
  /// The same version with everything in another order.
  package func shuffled(seed: Int) -> SchemaVersion {
    var random = SplitMix64(seed: UInt64(seed))
    var version = self
    version.models.shuffle(using: &random)
    for index in version.models.indices {
      version.models[index].properties.shuffle(using: &random)
      version.models[index].uniques.shuffle(using: &random)
      version.models[index].indexes.shuffle(using: &random)
    }
    version.types.shuffle(using: &random)
    version.drops.shuffle(using: &random)
    return version
  }
}
