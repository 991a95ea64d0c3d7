import SchemaModel
import Testing

@testable import SchemaEvolution
@testable import SchemaRendering

/// The converters of every version: to the newest entity, and back.
@Suite struct LineageTests {
  private static func one(
    _ properties: String = "", _ keys: String = "entity: Alpha", _ top: String = ""
  ) -> String { Manifests.one(properties, keys, top) }

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var versions: [String]
    /// For each version, the arguments of its two converters, without `id`.
    var to: [[String]]
    var from: [[String]]

    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(
      name: "as it is", versions: [one("x: Int")], to: [["x: x"]], from: [["x: entity.x"]]),
    Case(
      name: "JSON of an optional, whose fallback is nil",
      versions: [
        one(
          "x: { type: Data?, encodes: 'L?', fallback: nil }", "entity: Alpha",
          "types: { L: { struct: { a: Int } } }")
      ],
      to: [["x: StoredJSON.decode(L.self, from: x)"]],
      from: [["x: StoredJSON.data(ifPresent: entity.x)"]]),
    Case(
      name: "renamed twice, with a keyword and another name in the entity",
      versions: [
        one("x: Int"), one("default: { type: Int, renamedFrom: x }"),
        one("z: { type: Int, renamedFrom: default, entityProperty: class }"),
      ],
      to: [["class: x"], ["class: `default`"], ["class: z"]],
      from: [["x: entity.`class`"], ["default: entity.`class`"], ["z: entity.`class`"]]),
    Case(
      name: "converted and back",
      versions: [
        one("x: Int"),
        one("y: { type: String, from: x, convert: 'String($0)', revert: 'Int($0) ?? 0' }"),
        one("z: { type: Int, from: y, convert: $0.count, revert: 'make($0)' }"),
      ],
      to: [["z: String(x).count"], ["z: y.count"], ["z: z"]],
      from: [["x: Int(make(entity.z)) ?? 0"], ["y: make(entity.z)"], ["z: entity.z"]]),
    Case(
      name: "converted by functions",
      versions: [
        one("x: Int"),
        one(
          "x: { type: String, from: x, convert: { function: widen }, revert: { function: narrow } }"
        ),
      ],
      to: [["x: V1ToV2.widen(x)"], ["x: x"]],
      from: [["x: V1ToV2.narrow(entity.x)"], ["x: entity.x"]]),
    Case(
      name: "merged and back",
      versions: [
        one("a: String, b: String"),
        one(
          "n: { type: String, from: [a, b], convert: '$1 + $0', revert: { b: 'last($0)', a: 'first($0)' } }"
        ),
      ],
      to: [["n: b + a"], ["n: n"]],
      from: [["a: first(entity.n)", "b: last(entity.n)"], ["n: entity.n"]]),
    Case(
      name: "encoded",
      versions: [
        one("x: { type: Data, encodes: '[String]', fallback: '[]' }"),
        one("x: { type: Data?, encodes: '[String]', fallback: '[]' }"),
      ],
      to: [
        ["x: StoredJSON.decode([String].self, from: x, or: [])"],
        ["x: StoredJSON.decode([String].self, from: x, or: [])"],
      ],
      from: [["x: StoredJSON.data(entity.x)"], ["x: StoredJSON.data(entity.x)"]]),
    Case(
      name: "added with a default, a fill and nothing",
      versions: [one(), one("x: Int = 5, y: { type: UUID, fill: UUID() }, z: Int?")],
      to: [["x: 5", "y: UUID()", "z: nil"], ["x: x", "y: y", "z: z"]],
      from: [[], ["x: entity.x", "y: entity.y", "z: entity.z"]]),
    Case(
      name: "dropped with a revert, a default and nothing",
      versions: [
        one("x: Int, y: Int = 4, z: Int?"),
        one(
          "", "entity: Alpha",
          "drops: { A.x: { reason: gone, revert: '7' }, A.y: gone, A.z: gone }"),
      ],
      to: [[], []], from: [["x: 7", "y: 4", "z: nil"], []]),
    Case(
      name: "numbers",
      versions: [
        one("x: Int, y: Double?, z: Bool"),
        one("x: Double, y: Int?, z: Int"),
      ],
      to: [
        [
          "x: Double(x)", "y: y.map { Int(exactly: $0.rounded(.towardZero)) ?? 0 }", "z: z ? 1 : 0",
        ],
        ["x: x", "y: y", "z: z"],
      ],
      from: [
        [
          "x: Int(exactly: entity.x.rounded(.towardZero)) ?? 0", "y: entity.y.map { Double($0) }",
          "z: entity.z != 0",
        ],
        ["x: entity.x", "y: entity.y", "z: entity.z"],
      ]),
    Case(
      name: "optional and required",
      versions: [
        one("x: Int?, y: Int = 3, z: Int?"),
        one("x: Int = 1, y: Int? = 3, z: { type: Int, fill: 2 }"),
      ],
      to: [["x: x ?? 1", "y: y", "z: z ?? 2"], ["x: x", "y: y", "z: z"]],
      from: [
        ["x: entity.x", "y: entity.y ?? 3", "z: entity.z"],
        ["x: entity.x", "y: entity.y", "z: entity.z"],
      ]),
    Case(
      name: "omitted and transient",
      versions: [one("x: { type: Int?, inEntity: omit }, y: { type: Int?, transient: true }")],
      to: [[]], from: [["x: nil"]]),
    Case(
      name: "renamed model",
      versions: [
        one("x: Int"),
        "models: { C: { entity: Alpha, renamedFrom: A, properties: { id: Int, y: { type: Int, renamedFrom: x } } } }",
      ],
      to: [["y: x"], ["y: y"]], from: [["x: entity.y"], ["y: entity.y"]]),
  ]

  @Test(arguments: cases) func converts(_ example: Case) throws {
    let evolution = try Manifests.evolution(example.versions)
    #expect(evolution.errors == [])
    for (index, converters) in evolution.converters.enumerated() {
      let converter = try #require(converters.values.first)
      func shown(_ values: [ConvertedValue]) -> [String] {
        values.filter { $0.label != "id" }.map { "\($0.label): \($0.text)" }
      }
      #expect(shown(converter.toEntity) == example.to[index])
      #expect(shown(converter.fromEntity) == example.from[index])
    }
    #expect(Invariants.broken(evolution) == [])
  }

  /// All number types convert into each other, since the engine converts them.
  @Test func everyNumberBecomesEveryOther() {
    let names = StorageType.Primitive.bySwiftName.filter { $0.value.isNumeric }.keys.sorted()
    for old in names {
      for new in names {
        let found = DerivedValue.adapting(
          .column("x"), from: .named(old), to: .named(new), substitute: nil, TypeLayouts([]))
        #expect(found != nil, "\(old) → \(new)")
        let text = found.map { ConversionText().text($0) }
        #expect((text == "x") == (old == new), "\(old) → \(new)")
      }
    }
  }

  static let noWay: [(versions: [String], findings: [String])] = [
    ([one("x: Int"), one("", "entity: Alpha", "drops: { A.x: gone }")], ["no-way-back A.x"]),
    (
      [one("x: Int"), one("y: { type: String, from: x, convert: 'String($0)' }")],
      ["no-way-back A.x"]
    ),
    (
      [one("x: Int"), one("x: { type: Int, inEntity: omit }")],
      ["no-way-back A.x", "no-way-back A.x"]
    ),
    ([one("x: Int"), one("x: Int?")], ["no-way-back A.x"]),
    // A default would replace converted values. It is reported once for all versions before.
    (
      [
        one("x: Int = 3"), one("x: Int = 3, z: Int?"),
        one("z: Int?, y: { type: String, from: x, convert: 'String($0)' }"),
      ],
      ["no-way-back A.x"]
    ),
    (
      [
        one("x: Int = 3, w: Int = 4"),
        one("y: { type: Int, from: [x, w], convert: $0 + $1 }"),
      ],
      ["no-way-back A.w", "no-way-back A.x"]
    ),
  ]

  /// A default is right if the author asks for it under `drops:` or with `revert:`.
  @Test func saidDefaults() throws {
    let dropped = try Manifests.evolution(
      Self.one("x: Int = 3"), Self.one("", "entity: Alpha", "drops: { A.x: gone }"))
    #expect(dropped.findings == [])
    let old = Self.one("x: Int = 3")
    let convert = "y: { type: String, from: x, convert: 'String($0)' }"
    let help = try #require(
      try Manifests.evolution(old, Self.one(convert)).finding(.noWayBack)?.help)
    #expect(
      help.prefix(2) == [
        "in V2 say how: y: { type: String, from: x, convert: String($0), revert: … }",
        "or confirm the default: y: { type: String, from: x, convert: String($0), revert: 3 }",
      ])
    let line = String(help[1].dropFirst("or confirm the default: ".count))
    let said = try Manifests.evolution(
      old, Self.one(line.replacing("revert: 3", with: "revert: '3'")))
    #expect(said.findings == [])
    #expect(said.converters[0]["A"]?.fromEntity.map(\.text) == ["entity.id", "3"])
  }

  // MARK: Splits

  private static let split = (
    old: one("place: String"),
    city: "city: { type: String, from: place, convert: 'head($0)', revert: ",
    country: "country: { type: String, from: place, convert: 'tail($0)'"
  )

  /// One old value is computed from two new ones, even if those are renamed later.
  @Test func splitComesBack() throws {
    let split = Self.split
    let revert = "{ from: [city, country], convert: '$0 + \", \" + $1' } }, "
    let evolution = try Manifests.evolution(
      split.old, Self.one(split.city + revert + split.country + " }"),
      Self.one("town: { type: String, renamedFrom: city }, country: String"))
    #expect(evolution.findings == [])
    #expect(
      evolution.converters[0]["A"]?.fromEntity.map(\.text)
        == ["entity.id", #"entity.town + ", " + entity.country"#])
  }

  @Test func splitComesBackByFunction() throws {
    let split = Self.split
    let revert = "{ from: [city, country], convert: { function: place } } }, "
    let evolution = try Manifests.evolution(
      split.old, Self.one(split.city + revert + split.country + " }"))
    #expect(
      evolution.converters[0]["A"]?.fromEntity.map(\.text)
        == ["entity.id", "V1ToV2.place(entity.city, entity.country)"])
    let file = try #require(UserFile(evolution.steps[0], evolution))
    #expect(
      file.functions.map(\.signature)
        == [["static func place(_ city: String, _ country: String) -> String {"]])
  }

  /// A second 'revert:' would have no effect, and the suggested correction is accepted.
  @Test func secondRevert() throws {
    let split = Self.split
    let evolution = try Manifests.evolution(
      split.old, Self.one(split.city + "$0 }, " + split.country + ", revert: $0 }"))
    #expect(evolution.findings == ["second-revert A.country"])
    let help = try #require(evolution.finding(.secondRevert)?.help.last)
    let city = try #require(help.firstRange(of: "city: {").map { help[$0.lowerBound...] })
    let settled = try Manifests.evolution(
      split.old, Self.one("\(city.replacing("…", with: "$0 + $1")), \(split.country) }"))
    #expect(settled.findings == [])
  }

  /// A value that is kept needs no 'revert:'.
  @Test func needlessRevert() throws {
    let evolution = try Manifests.evolution(
      Self.one("x: Int"),
      Self.one("x: Int, y: { type: String, from: x, convert: 'String($0)', revert: '0' }"))
    #expect(evolution.findings == ["unused-hint A.y"])
    // With several sources, the manifest has to give a value for each.
    let mixed = try Manifests.evolution(
      Self.one("x: Int, z: Int"),
      Self.one(
        "x: Int, y: { type: Int, from: [x, z], convert: $0 + $1, revert: { x: '0', z: $0 } }"))
    #expect(mixed.findings == [])
  }

  // MARK: Links

  static let links: [(form: String, day: String, findings: [String])] = [
    ("identifiers", "properties: { number: Int }", ["missing-link A.days"]),
    ("value", "properties: { number: Int }", ["missing-link A.days"]),
    ("value", "properties: { id: Int }", ["missing-link A.days"]),
    ("omit", "properties: { number: Int }", []),
    ("identifiers", "properties: { id: Int }", []),
    ("identifiers", "inherits: Span, properties: { number: Int }", []),
    ("value", "entity: Delta, properties: { number: Int }", []),
  ]

  @Test(arguments: links)
  func entitiesHoldTheirLinks(_ form: String, _ day: String, _ findings: [String]) throws {
    let evolution = try Manifests.evolution(
      """
      models:
        A: { entity: Alpha, properties: { id: Int, days: { relationship: '[Day]', inEntity: \(form) } } }
        Day: { \(day) }
        Span: { properties: { id: Int } }

      """)
    #expect(evolution.findings == findings)
  }

  @Test(arguments: noWay) func noWayBack(_ versions: [String], _ findings: [String]) throws {
    #expect(try Manifests.evolution(versions).findings == findings)
    #expect(try Manifests.evolution(versions, converters: .toEntity).findings == [])
    #expect(try Manifests.evolution(versions, converters: .none).findings == [])
  }

  /// The answer that `noWayBack` suggests settles it.
  @Test func printedDropSettlesNoWayBack() throws {
    let evolution = try Manifests.evolution(
      Self.one("x: Int"), Self.one("", "entity: Alpha", "drops: { A.x: gone }"))
    let help = try #require(evolution.finding(.noWayBack)?.help.first)
    #expect(help == "in V2 write: drops: { A.x: { reason: \"why\", revert: … } }")
    let settled = try Manifests.evolution(
      Self.one("x: Int"),
      Self.one("", "entity: Alpha", String(help.dropFirst(13)).replacing("…", with: "'0'")))
    #expect(settled.errors == [])
  }

  /// Rows of the version before are read as its bridge reads them; older ones may link to rows of another kind.
  @Test(
    "An attribute made from linked rows has a value for older versions, or help says how to give one"
  )
  func madeOfLinks() throws {
    func version(_ name: String, _ a: String, _ b: String = "name: String", _ top: String = "")
      -> String
    {
      """
      models:
        A: { \(name), properties: { id: Int, \(a) } }
        B: { properties: { \(b) } }
      \(top)
      """
    }
    let links = "b: { relationship: B? }"
    func made(_ more: String, _ convert: String = "'$0?.name ?? \"\"'") -> String {
      "name: { type: String, from: b, convert: \(convert)\(more) }"
    }
    let older = version("entity: Alpha", links, "title: String")
    let old = version("entity: Alpha", links, "name: { type: String, renamedFrom: title }")
    let evolution = try Manifests.evolution(
      older, old, version("entity: Alpha", made(", default: '\"none\"'")))
    #expect(evolution.errors == [])
    let texts = try evolution.converters.map { converters in
      let value = try #require(converters["A"]?.toEntity.last)
      return "\(value.text)\(value.note.map { " // \($0)" } ?? "")"
    }
    #expect(texts == ["\"none\" // not stored by V1", "b?.name ?? \"\"", "name"])
    // A function is written for the rows of one version.
    let function = try Manifests.evolution(
      version("entity: Alpha", links),
      version("entity: Alpha", made(", default: '\"none\"'", "{ function: name }")))
    #expect(function.errors == [])
    #expect(function.converters[0]["A"]?.toEntity.last?.text == "\"none\"")
    // Without a default, nothing replaces the value.
    let without = try Manifests.evolution(older, old, version("entity: Alpha", made("")))
    #expect(without.findings == ["no-way-forward A.name"])
    #expect(
      without.finding(.noWayForward)?.help == [
        "give the property a default, for rows of versions that do not have the property"
      ])
  }

  // MARK: Relationships

  private func pair(_ form: String, _ more: String = "") -> String {
    """
    models:
      A: { entity: Alpha, properties: { id: Int, bs: { relationship: '[B]', inEntity: \(form) }, c: { relationship: C?, inEntity: \(form), inverse: a } } }
      B: { entity: Beta, properties: { id: UUID } }
      C: { entity: Gamma, properties: { id: String, a: { relationship: A? }\(more) } }
    """
  }

  @Test func relationshipsAsIdentifiers() throws {
    let evolution = try Manifests.evolution(pair("identifiers"), pair("identifiers", ", x: Int?"))
    #expect(evolution.errors == [])
    let entity = try #require(evolution.entities.first { $0.name == "Alpha" })
    #expect(
      entity.fields.map { "\($0.name): \($0.type)" } == ["id: Int", "bs: [UUID]", "c: String?"])
    let converter = try #require(evolution.converters[0]["A"])
    #expect(converter.toEntity.map(\.text) == ["id", "bs.map(\\.id)", "c?.id"])
    #expect(converter.fromEntity.map(\.label) == ["id"])
  }

  /// In SwiftData a to-many relationship has no order.
  @Test("Each version sorts a list by its own name for the sort key")
  func listsAreSorted() throws {
    func version(_ b: String, _ form: String = "value") -> String {
      """
      models:
        A: { entity: Alpha, properties: { id: Int, bs: { relationship: '[B]?', inverse: a, inEntity: \(form), sortedBy: n } } }
        B: { entity: Beta, properties: { id: Int, a: A_TO_ONE\(b) } }
      """.replacing("A_TO_ONE", with: "{ relationship: A? }")
    }
    let unsorted = version("").replacing(", sortedBy: n", with: "")
    let evolution = try Manifests.evolution(
      unsorted, unsorted.replacing("A? } }", with: "A? }, m: Int? }"),
      unsorted.replacing("A? } }", with: "A? }, k: { type: Int, renamedFrom: m, fill: '0' } }"),
      version(", n: { type: Int, renamedFrom: k }"))
    #expect(evolution.errors == [])
    let texts = try evolution.converters.map { converters in
      let value = try #require(converters["A"]?.toEntity.last)
      return "\(value.text)\(value.note.map { " // \($0)" } ?? "")"
    }
    let plain = "bs?.map { $0.toEntity() } ?? []"
    #expect(
      texts == [
        "\(plain) // unordered in V1", "\(plain) // unordered in V2",
        "bs?.sorted { $0.k < $1.k }.map { $0.toEntity() } ?? []",
        "bs?.sorted { $0.n < $1.n }.map { $0.toEntity() } ?? []",
      ])
    let identifiers = try Manifests.evolution(version(", n: String", "identifiers"))
    #expect(
      identifiers.converters[0]["A"]?.toEntity.last?.text
        == "bs?.sorted { $0.n < $1.n }.map(\\.id) ?? []")
    // Rows that are equal in the first key. Older versions have only that key.
    let several = try Manifests.evolution(
      version(", n: Int"), version(", n: Int, k: Int = 1").replacing(": n }", with: ": [n, k] }"))
    #expect(several.errors == [])
    #expect(
      several.converters.map { $0["A"]?.toEntity.last?.text } == [
        "bs?.sorted { $0.n < $1.n }.map { $0.toEntity() } ?? []",
        "bs?.sorted { ($0.n, $0.k) < ($1.n, $1.k) }.map { $0.toEntity() } ?? []",
      ])
    #expect(
      identifiers.entities.map { $0.fields.map(\.isUnordered) } == [
        [false, false], [false, false],
      ])
  }

  @Test(
    "Updating a row from an entity sets everything except its identifier and omitted properties")
  func updates() throws {
    let evolution = try Manifests.evolution(
      pair("identifiers"), pair("value", ", x: Int, y: { type: Int, inEntity: omit, default: '1' }")
    )
    #expect(evolution.converters[0].values.allSatisfy { $0.update == nil })
    let update = try #require(evolution.converters[1]["A"]?.update)
    #expect(update.values == [] && update.kept == ["id"])
    #expect(update.links.map(\.field.name) == ["bs", "c"])
    let other = try #require(evolution.converters[1]["C"]?.update)
    #expect(other.values.map(\.text) == ["entity.x"] && other.kept == ["id", "a", "y"])
    #expect(evolution.converters[1]["C"]?.unlinked == ["a"])
    #expect(evolution.converters[1]["B"]?.update == nil, "an id and nothing else")
    let oneWay = try Manifests.evolution([pair("value")], converters: .toEntity)
    #expect(oneWay.converters[0]["A"]?.update == nil)
  }

  @Test("If linked rows are unique, fromEntity(_:) creates them only under a cascade rule")
  func uniqueRowsAreTheCallers() throws {
    func version(_ id: String, _ rule: String) -> String {
      """
      models:
        A: { entity: Alpha, properties: { id: Int, bs: { relationship: '[B]', inEntity: value, deleteRule: \(rule) } } }
        B: { properties: { id: \(id) } }
        C: { entity: Gamma, inherits: B, properties: { x: Int } }
      """.replacing("B: { p", with: "B: { entity: Beta, p")
    }
    let unique = "{ type: Int, unique: true }"
    for (id, rule, isMade) in [
      ("Int", "nullify", true), (unique, "nullify", false), (unique, "cascade", true),
    ] {
      let evolution = try Manifests.evolution(version(id, rule), platforms: [.iOS: 26])
      let converter = try #require(evolution.converters[0]["A"])
      #expect(converter.fromEntity.contains { $0.label == "bs" } == isMade)
      #expect(converter.unlinked == (isMade ? [] : ["bs"]))
    }
    // Each version decides by its own rows.
    let changing = try Manifests.evolution(
      version("Int", "nullify"),
      version("{ type: Int, unique: true, dedupe: { latest: id } }", "nullify"))
    #expect(changing.converters.map { $0["A"]?.unlinked } == [[], ["bs"]])
  }

  @Test func relationshipsAsValues() throws {
    let evolution = try Manifests.evolution(pair("value"), pair("value", ", x: Int?"))
    #expect(evolution.errors == [])
    let converter = try #require(evolution.converters[0]["A"])
    #expect(
      converter.toEntity.map(\.text)
        == ["id", "bs.map { $0.toEntity() }", "c?.toEntity()"])
    #expect(
      converter.fromEntity.map(\.text)
        == [
          "entity.id", "entity.bs.map(Schema.B.fromEntity)", "entity.c.map(Schema.C.fromEntity)",
        ])
    #expect(Invariants.broken(evolution) == [])
  }

  /// If the destination of a link was split into several models, nothing can be converted.
  @Test(arguments: ["value", "identifiers"]) func splitDestinations(_ form: String) throws {
    let evolution = try Manifests.evolution(
      """
      models:
        A: { entity: Alpha, properties: { id: Int, b: { relationship: B?, inEntity: \(form) } } }
        B: { entity: Beta, properties: { id: Int } }
      """,
      """
      models:
        A: { entity: Alpha, properties: { id: Int, c: { relationship: C?, inEntity: \(form), renamedFrom: b } } }
        C: { entity: Beta, from: B, properties: { id: Int } }
        D: { from: B, properties: { id: Int } }
      accept: [{ rule: unlinked-rows, element: D, reason: why }]
      """)
    #expect(evolution.errors == [])
    #expect(Invariants.broken(evolution) == [])
  }

  /// Entities of an old version have no ids if it lacks them or has them with another type.
  @Test(arguments: ["name: String", "id: Int"]) func idsThatWereOtherwise(_ key: String) throws {
    func version(_ key: String, _ top: String = "") -> String {
      """
      models:
        A: { entity: Alpha, properties: { id: Int, b: { relationship: B?, inEntity: identifiers }, bs: { relationship: '[B]', inEntity: identifiers } } }
        B: { properties: { \(key) } }
      \(top)
      """
    }
    let evolution = try Manifests.evolution(
      version(key),
      version(
        key == "id: Int"
          ? "id: { type: UUID, from: id, convert: { function: uuid } }"
          : "name: String, id: { type: UUID, fill: UUID() }"))
    #expect(evolution.errors == [])
    let values = evolution.converters[0]["A"]?.toEntity.map(\.text)
    #expect(values == ["id", "nil", "[]"])
  }

  /// The value under `drops:` may be a bare nil, which has no type in an expression.
  @Test func nilThatOthersAreMadeOf() throws {
    func version(_ properties: String, _ top: String = "") -> String {
      "models: { A: { entity: A, properties: { id: Int, \(properties) } } }\n" + top
    }
    let evolution = try Manifests.evolution(
      version("x: Double?, y: String"),
      version(
        "x: Int?, z: { type: Int?, from: y, convert: 'Int($0)', revert: '$0?.description ?? \"\"' }",
        "accept: [{ rule: number-type-changed, element: A.x, reason: small }]"),
      version(
        "",
        """
        drops: { A.x: { reason: gone, revert: nil }, A.z: { reason: gone, revert: nil } }
        """))
    #expect(evolution.errors == [])
    let values = evolution.converters[0]["A"]?.fromEntity.map(\.text)
    #expect(values == ["entity.id", "nil", "(nil as Int?)?.description ?? \"\""])
  }

  @Test func entityCycles() throws {
    let evolution = try Manifests.evolution(
      """
      models:
        A: { entity: Alpha, properties: { id: Int, b: { relationship: B?, inverse: a, inEntity: value } } }
        B: { entity: Beta, properties: { id: Int, a: { relationship: A?, inEntity: value } } }
        C: { entity: Gamma, properties: { id: Int, a: { relationship: A?, inEntity: value } } }
      """)
    #expect(evolution.findings == ["conflicting-entity A", "conflicting-entity B"])
    let own = try Manifests.evolution(
      "models: { A: { entity: Alpha, properties: { id: Int, as: { relationship: '[A]', inEntity: value } } } }"
    )
    #expect(own.findings == ["conflicting-entity A"])
  }

  @Test func oneEntityForTwoModels() throws {
    let evolution = try Manifests.evolution(
      "models: { A: { entity: Alpha, properties: { id: Int } }, B: { entity: Alpha, properties: { id: Int } } }"
    )
    #expect(evolution.findings == ["conflicting-entity B"])
  }

  // MARK: Inheritance

  @Test func inheritedPropertiesAreConverted() throws {
    func version(_ parent: String, _ child: String) -> String {
      """
      models:
        P: { properties: { id: Int, \(parent) } }
        A: { inherits: P, entity: Alpha, properties: { \(child) } }
      """
    }
    let evolution = try Manifests.evolution(
      version("t: String", "x: Int"),
      version(
        "title: { type: String, renamedFrom: t }, note: String?", "y: { type: Int, renamedFrom: x }"
      ))
    #expect(evolution.errors == [])
    let old = try #require(evolution.converters[0]["A"])
    #expect(
      old.toEntity.map { "\($0.label): \($0.text)" } == [
        "id: id", "title: t", "note: nil", "y: x",
      ])
    #expect(
      old.fromEntity.map { "\($0.label): \($0.text)" } == [
        "id: entity.id", "t: entity.title", "x: entity.y",
      ])
    let new = try #require(evolution.converters[1]["A"])
    #expect(new.toEntity.map(\.text) == ["id", "title", "note", "y"])
  }

  /// An unchanged submodel has another conversion if what it inherits changed.
  @Test func unchangedSubmodelsFollowTheirParents() throws {
    func version(_ parent: String) -> String {
      """
      models:
        P: { properties: { id: Int, \(parent) } }
        A: { inherits: P, entity: Alpha, properties: { x: Int } }
      """
    }
    let evolution = try Manifests.evolution(
      version("t: Int"), version("u: { type: Int, renamedFrom: t }"))
    let old = try #require(evolution.converters[0]["A"])
    #expect(old.toEntity.map(\.text) == ["id", "t", "x"])
  }

  /// A property that became optional needs a value for older versions, and nothing else of a step.
  @Test func revertAlone() throws {
    func one(_ name: String) -> String {
      "models: { A: { entity: E, properties: { id: Int, \(name) } } }\n"
    }
    let stuck = try Manifests.evolution(one("name: String"), one("name: String?"))
    #expect(stuck.findings == ["no-way-back A.name"])
    #expect(stuck.finding("no-way-back")?.help.first?.contains("revert: '$0 ?? …'") == true)
    let evolution = try Manifests.evolution(
      one("name: String"), one("name: { type: String?, revert: '$0 ?? \"?\"' }"))
    #expect(evolution.errors == [])
    let converter = try #require(evolution.converters[0]["A"])
    #expect(converter.fromEntity.map(\.text) == ["entity.id", "entity.name ?? \"?\""])
    let idle = try Manifests.evolution(
      one("name: String?"), one("name: String?, new: { type: Int?, revert: $0 }"))
    #expect(idle.findings == ["unused-hint A.new"])
  }
}
