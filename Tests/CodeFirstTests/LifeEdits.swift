import TestSupport

/// The edits that people make.
extension Life {
  /// An app with two or three classes, enums of both kinds, and two structs, one of them nested in the other.
  mutating func begin() {
    func parts(_ names: [(String, String)]) -> [LifeApp.Part] {
      names.map { LifeApp.Part(id: next(), name: $0.0, raw: $0.1) }
    }
    app.types = [
      LifeApp.ValueType(
        id: next(), name: "Mood", rawType: "String",
        parts: parts([("good", "good"), ("bad", "bad"), ("fair", "fair")])),
      LifeApp.ValueType(
        id: next(), name: "Level", rawType: "Int",
        parts: parts([("low", "1"), ("middle", "2"), ("high", "3")])),
      LifeApp.ValueType(
        id: next(), name: "Place", parts: parts([("name", "String"), ("code", "Int?")])),
      LifeApp.ValueType(
        id: next(), name: "Spot", parts: parts([("place", "Place?"), ("note", "String?")])),
    ]
    for _ in 0..<Int.random(in: 2...3, using: &random) { addModel() }
    for (type, value, isOptional) in [
      ("Mood", "Mood.good", false), ("Level", nil, true),
      ("Place", nil, Bool.random(using: &random)),
      ("Spot", nil, true),
    ] {
      let id = next()
      app.models[0].properties.append(
        LifeApp.Property(
          id: id, name: "value\(id)", type: type, isOptional: isOptional, value: value))
    }
  }

  private mutating func addModel() {
    let id = next()
    var model = LifeApp.Model(id: id, name: goneModel() ?? "Model\(id)")
    for _ in 0..<Int.random(in: 2...4, using: &random) { model.properties.append(newProperty()) }
    app.models.append(model)
  }

  /// The name of a model that an earlier version had.
  private mutating func goneModel() -> String? {
    let names = Set(shipped.flatMap { $0.models.map(\.name) })
      .subtracting((last.models + app.models).map(\.name))
    return names.sorted().randomElement(using: &random)
  }

  /// The name of a property that an earlier version had.
  private mutating func goneProperty(of model: LifeApp.Model) -> String? {
    let was = last.model(model.id)?.properties ?? []
    let names = Set(shipped.flatMap { $0.model(model.id)?.properties.map(\.name) ?? [] })
      .subtracting((was + model.properties).map(\.name))
    return Int.random(in: 0..<4, using: &random) == 0
      ? names.sorted().randomElement(using: &random) : nil
  }

  mutating func newProperty(of types: [String] = ["String", "Int", "Double", "Bool"])
    -> LifeApp.Property
  {
    let id = next()
    let type = types.randomElement(using: &random) ?? "String"
    return LifeApp.Property(id: id, name: "value\(id)", type: type, value: Self.sample(type))
  }

  /// A stored property that meets the condition.
  mutating func anyProperty(
    _ isWanted: (LifeApp.Property) -> Bool
  ) -> (model: Int, place: Int)? {
    let places = app.models.indices.flatMap { model in
      app.models[model].properties.indices.map { (model, $0) }
    }.filter {
      let one = app.models[$0.0].properties[$0.1]
      return !one.isTransient && isWanted(one)
    }
    return places.randomElement(using: &random).map { (model: $0.0, place: $0.1) }
  }

  // MARK: What no store sees

  /// Makes an edit that does not affect the store; returns what it was.
  mutating func freeEdit() -> String? {
    let number = next()
    let model = Int.random(in: app.models.indices, using: &random)
    let name = app.models[model].name
    switch Int.random(in: 0..<14, using: &random) {
    case 0:
      guard let (model, place) = anyProperty({ _ in true }) else { return nil }
      app.models[model].properties[place].documentation =
        [
          ["How much, in \(number)."], ["First.", "", "- one", "**two** \(number)"],
          ["It's \"\(number)\": # so"],
        ].randomElement(using: &random) ?? []
      return "document \(app.models[model].properties[place].name)"
    case 1:
      app.models[model].documentation = ["A model.", "Number \(number)."]
      return "document \(name)"
    case 2:
      app.models[model].properties.append(
        LifeApp.Property(
          id: number, name: "flag\(number)", type: "Bool", value: "false", isTransient: true))
      return "a transient property"
    case 3:
      let type = Int.random(in: 0...1, using: &random)
      app.types[type].parts.append(
        LifeApp.Part(
          id: number, name: "case\(number)", raw: type == 0 ? "case\(number)" : "\(number)"))
      return "a new case"
    case 4:
      guard let (model, place) = anyProperty({ $0.value != nil && $0.type == "Int" }) else {
        return nil
      }
      app.models[model].properties[place].value = "\(number)"
      return "another default of \(app.models[model].properties[place].name)"
    case 5:
      guard app.models[model].indexed == nil else {
        app.models[model].indexed = nil
        return "an index less"
      }
      app.models[model].indexed =
        app.models[model].stored.filter { $0.type == "String" }.randomElement(using: &random)?.id
      return "an index"
    case 6:
      app.models[model].extras.append(
        [
          "func method\(number)() {}", "#if DEBUG\n  func method\(number)() {}\n  #endif",
          "var computed\(number): Int { \(number) }", "// A comment, \(number).",
        ].randomElement(using: &random) ?? "")
      return "code in \(name)"
    case 7:
      app.models[model].file = "App/Moved\(number).swift"
      return "move \(name)"
    case 8:
      for place in app.models.indices {
        app.models[place].file = "App/\(app.models[place].name).swift"
      }
      return "a file for each class"
    case 9:
      app.style = LifeApp.Style(
        indent: ["\t", "  ", "    "].randomElement(using: &random) ?? "",
        newline: ["\n", "\r\n"].randomElement(using: &random) ?? "",
        isSplit: Bool.random(using: &random))
      return "reformat: \(app.style)"
    case 10:
      guard let (model, place) = anyProperty({ $0.link?.isMany == true }) else { return nil }
      app.models[model].properties[place].link?.deleteRule =
        [".cascade", ".nullify"].randomElement(using: &random) ?? ""
      return "a delete rule"
    case 11:
      // The raw value stays.
      let type = Int.random(in: 0...1, using: &random)
      let part = Int.random(in: 1..<app.types[type].parts.count, using: &random)
      app.types[type].parts[part].name = "case\(number)"
      return "another name of a case"
    default:
      app.models[model].properties.shuffle(using: &random)
      return "another order in \(name)"
    }
  }

  // MARK: What stores see

  /// Makes an edit that affects the store; returns what it was.
  mutating func storedEdit() -> String? {
    let number = next()
    let model = Int.random(in: app.models.indices, using: &random)
    let name = app.models[model].name
    let last = last
    func was(_ one: LifeApp.Property) -> LifeApp.Property? { last.property(one.id) }
    switch Int.random(in: 0..<22, using: &random) {
    case 0...1:
      var property = newProperty(of: ["String", "Int", "Double", "Bool", "Mood", "Level"])
      if let gone = goneProperty(of: app.models[model]) { property.name = gone }
      if Bool.random(using: &random) {
        property.isOptional = true
        property.value = nil
      }
      app.models[model].properties.append(property)
      return "add \(name).\(property.name)"
    case 2:
      // Required and without a default, so that old rows need a value.
      var property = newProperty(of: ["String", "Int", "Double", "Bool", "Level"])
      property.value = nil
      app.models[model].properties.append(property)
      return "add \(name).\(property.name), required"
    case 3...4:
      guard let (model, place) = anyProperty({ $0.link == nil }),
        app.models[model].stored.count > 2
      else { return nil }
      return remove(app.models[model].properties[place])
    case 5...6:
      // A rename that the author declares with the first name in any store, or leaves to a question.
      guard let (model, place) = anyProperty({ was($0) != nil }) else { return nil }
      let old = app.models[model].properties[place]
      app.models[model].properties[place].name = "renamed\(number)"
      if old.originalName == nil, Bool.random(using: &random) {
        app.models[model].properties[place].originalName = was(old)?.name
      }
      return "rename \(name).\(old.name) to renamed\(number)"
    case 7:
      guard
        let (model, place) = anyProperty({ one in
          was(one).map { $0.name == one.name && !$0.isOptional && $0.type == "Int" } ?? false
            && one.type == "Int" && !one.isOptional && !one.isUnique
        })
      else { return nil }
      app.models[model].properties[place].type = "String"
      app.models[model].properties[place].value = "\"\""
      return "retype \(app.models[model].properties[place].name)"
    case 8:
      addModel()
      return "add a model, \(app.models[app.models.count - 1].name)"
    case 9:
      guard app.models.count > 2 else { return nil }
      for one in app.models[app.models.count - 1].properties where one.link != nil {
        _ = remove(one)
      }
      return "remove \(app.models.removeLast().name)"
    case 10:
      app.models[model].name = "Renamed\(number)"
      if Bool.random(using: &random), let old = last.model(app.models[model].id),
        old.name == name
      {
        app.models[model].comments.append("schemagen:renamedFrom \(name)")
      }
      return "rename \(name) to Renamed\(number)"
    case 11: return caseEdit(number)
    case 12...13: return structEdit(number)
    case 14:
      guard
        let (model, place) = anyProperty({ one in
          one.isOptional && one.type != "Spot" && was(one)?.isOptional == true
        })
      else { return nil }
      app.models[model].properties[place].isOptional = false
      return "require \(app.models[model].properties[place].name)"
    case 15:
      guard
        let (model, place) = anyProperty({ one in
          !one.isOptional && one.link == nil && was(one)?.type == one.type && !one.isUnique
        })
      else { return nil }
      app.models[model].properties[place].isOptional = true
      app.models[model].properties[place].value = nil
      return "make \(app.models[model].properties[place].name) optional"
    case 16:
      guard
        let (model, place) = anyProperty({ one in
          if one.isUnique { return true }
          return was(one).map { $0.type == one.type && $0.isOptional == one.isOptional } ?? false
            && ["String", "Int"].contains(one.type) && !one.isOptional
        })
      else { return nil }
      let one = app.models[model].properties[place]
      guard
        one.isUnique || Self.deciding(app.models[model], in: last).map({ $0.id != one.id }) ?? false
      else { return nil }
      app.models[model].properties[place].isUnique.toggle()
      return "\(one.name) is \(one.isUnique ? "not " : "")unique"
    case 17:
      guard app.models[model].uniques.isEmpty else {
        app.models[model].uniques = []
        return "no constraint in \(name)"
      }
      let ids = app.models[model].stored.filter { one in
        one.link == nil && one.type == "String" && was(one)?.type == "String"
      }.prefix(2).map(\.id)
      guard !ids.isEmpty, Self.deciding(app.models[model], in: last) != nil else { return nil }
      app.models[model].uniques = [LifeApp.Constraint(id: number, properties: ids)]
      return "a constraint in \(name)"
    default:
      // Adds or removes a relationship and its inverse.
      if Int.random(in: 0..<3, using: &random) == 0,
        let (model, place) = anyProperty({ $0.link != nil })
      {
        return remove(app.models[model].properties[place])
      }
      let other = Int.random(in: app.models.indices, using: &random)
      guard other != model else { return nil }
      let end = next()
      app.models[model].properties.append(
        LifeApp.Property(
          id: number, name: "links\(number)",
          link: LifeApp.Link(model: app.models[other].id, isMany: true, inverse: end)))
      app.models[other].properties.append(
        LifeApp.Property(
          id: end, name: "link\(end)",
          link: LifeApp.Link(model: app.models[model].id, inverse: number),
          isOptional: true))
      return "link \(name) to \(app.models[other].name)"
    }
  }

  /// Removes a property and everything that names it.
  private mutating func remove(_ one: LifeApp.Property) -> String {
    for model in app.models.indices {
      app.models[model].properties.removeAll { $0.id == one.id || $0.id == one.link?.inverse }
      app.models[model].uniques.removeAll { $0.properties.contains(one.id) }
      if app.models[model].indexed == one.id { app.models[model].indexed = nil }
    }
    return "remove \(one.name)"
  }

  private mutating func caseEdit(_ number: Int) -> String? {
    let type = Int.random(in: 0...1, using: &random)
    if Bool.random(using: &random) {
      guard app.types[type].parts.count > 2 else { return nil }
      return "remove case \(app.types[type].parts.removeLast().name)"
    }
    // Renames a case and its raw value.
    let part = Int.random(in: 1..<app.types[type].parts.count, using: &random)
    let one = app.types[type].parts[part]
    guard last.types[type].parts.contains(one) else { return nil }
    app.types[type].parts[part].name = "case\(number)"
    app.types[type].parts[part].raw = type == 0 ? "case\(number)" : "\(number)"
    return "rename case \(one.name) to case\(number)"
  }

  private mutating func structEdit(_ number: Int) -> String? {
    let type = Int.random(in: 2...3, using: &random)
    let name = app.types[type].name
    let free = app.types[type].parts.indices.filter {
      app.types[type].parts[$0].name.hasPrefix("field")
    }
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      guard let part = free.randomElement(using: &random) else { return nil }
      return "remove \(name).\(app.types[type].parts.remove(at: part).name)"
    case 1:
      guard let part = free.randomElement(using: &random) else { return nil }
      app.types[type].parts[part].name = "field\(number)"
      return "rename a field of \(name) to field\(number)"
    case 2:
      app.types[type].parts.append(LifeApp.Part(id: number, name: "field\(number)", raw: "Int"))
      return "a required field, \(name).field\(number)"
    default:
      app.types[type].parts.append(LifeApp.Part(id: number, name: "field\(number)", raw: "String?"))
      return "a field, \(name).field\(number)"
    }
  }
}
