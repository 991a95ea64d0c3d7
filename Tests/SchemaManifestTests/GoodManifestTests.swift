import SchemaReporting
import TestSupport
import Testing

@testable import SchemaManifest
@testable import SchemaModel

/// Valid manifests are read completely.
@Suite struct GoodManifestTests {
  static let whole = """
    version: 9.0.0
    summary: Three-timezone model
    models:
      UserProfileModel:
        doc: |
          The user.

          One row only.
        entity: UserProfile
        renamedFrom: ProfileModel
        properties:
          id: { type: String, unique: true, dedupe: { latest: createdAt } }
          name: String = ""
          class: Int
          default: "[String: [Int]] = [:]"
          createdAt: { type: Date, preserveValueOnDeletion: true, spotlight: true }
          homeTimezoneIdentifier:
            type: String
            default: TimeZone.current.identifier
            from: homeTimezone
            convert: $0 ?? TimeZone.current.identifier
            revert: $0
          mode:
            type: Data
            default: Data()
            encodes: DisplayTimezoneMode
            entityProperty: displayTimezoneMode
            fallback: DisplayTimezoneMode.current
          fullName:
            type: String
            from: [first, last]
            convert: $0 + " " + $1
            revert: { last: '$0.last', first: { function: firstName } }
            fill: { function: fillName }
          photo: { type: Data?, externalStorage: true, originalName: image, hashModifier: v2 }
          cache: { type: Int?, transient: true, inEntity: omit, doc: not stored }
          colour: { type: Colour, transformable: ColourTransformer }
          changes: { type: Set<TimezoneChange> }
          habits:
            relationship: [HabitModel]
            inverse: owner
            deleteRule: cascade
            minimum: 1
            maximum: 5
            inEntity: identifiers
          "no": { type: Bool, renamedFrom: yes }
        unique: [[name, createdAt], { keys: [class], dedupe: { function: keepOne } }]
        index: [[createdAt], { rtree: [class, no] }, { binary: [name] }]
      HabitModel:
        from: [OldHabit, OtherHabit]
        properties:
          owner: { relationship: UserProfileModel? }
          parent: { relationship: "[HabitModel]?", unique: true }
      SpecialHabit: { inherits: HabitModel, properties: {}, index: [[owner]] }
    types:
      DisplayTimezoneMode: { enum: String, cases: [current, default, none] }
      Level: { enum: Int, cases: { low: 1, high: -2_000 }, own: true }
      Weekday: { enum: none, cases: [monday], doc: A day }
      Code: { enum: String, cases: { a: a, b: 'x"\\y', c: '"z"', d: '' } }
      TimezoneChange: { struct: { at: Date, to: String = "", level: Level = .low } }
      Colour: { opaque: true }
      Habits.Kind: { opaque: true }
    drops:
      UserProfileModel.subscriptionPlan: moved to SubscriptionService in V8
      UserProfileModel.legacyId: { reason: never read, revert: '""' }
    accept:
      - rule: shared-default
        element: UserProfileModel.homeTimezoneIdentifier
        reason: "right for every row"
    expect:
      - no HabitModel without owner
      - UserProfileModel: new.homeTimezoneIdentifier == old.homeTimezone ?? ""
      - 'UserProfileModel: !new.homeTimezoneIdentifier.isEmpty'
    hooks: [before, after]

    """

  private static func expression(_ text: String) throws -> SwiftExpression {
    try SwiftExpression(text)
  }

  private static func attribute(
    _ name: String, _ type: TypeReference, _ value: String? = nil,
    options: Set<Attribute.Option> = [], dedupe: Dedupe? = nil
  ) throws -> Property {
    Property(
      name: name,
      kind: .attribute(
        Attribute(
          type: type, defaultValue: try value.map { try expression($0) }, options: options,
          dedupe: dedupe)))
  }

  private static func names(_ names: String...) -> [Located<String>] { names.map { Located($0) } }

  private static func profileProperties() throws -> [Property] {
    var home = try attribute(
      "homeTimezoneIdentifier", .named("String"), "TimeZone.current.identifier")
    home.migration = PropertyMigration(
      from: names("homeTimezone"),
      convert: Located(.expression(try expression("$0 ?? TimeZone.current.identifier"))),
      revert: [Reversion(Located(.expression(try expression("$0"))))])
    let mode = Property(
      name: "mode",
      kind: .attribute(
        Attribute(
          type: .named("Data"), defaultValue: try expression("Data()"),
          encodes: .named("DisplayTimezoneMode"),
          fallback: try expression("DisplayTimezoneMode.current"))),
      mapping: EntityMapping(name: "displayTimezoneMode"))
    var fullName = try attribute("fullName", .named("String"))
    fullName.migration = PropertyMigration(
      from: names("first", "last"),
      convert: Located(.expression(try expression("$0 + \" \" + $1"))),
      revert: [
        Reversion(Located(.function("firstName"))),
        Reversion(Located(.expression(try expression("$0.last")))),
      ],
      fill: Located(.function("fillName")))
    var photo = try attribute(
      "photo", .optional(.named("Data")), options: [.externalStorage])
    photo.originalName = "image"
    photo.hashModifier = "v2"
    var cache = try attribute("cache", .optional(.named("Int")))
    cache.isTransient = true
    cache.documentation = "not stored"
    cache.mapping.form = .omit
    let colour = Property(
      name: "colour",
      kind: .attribute(Attribute(type: .named("Colour"), transformer: "ColourTransformer")))
    let habits = Property(
      name: "habits",
      kind: .relationship(
        Relationship(
          destination: Located("HabitModel"), cardinality: .many, inverse: Located("owner"),
          declaresInverse: true, deleteRule: .cascade, minimum: 1, maximum: 5)),
      mapping: EntityMapping(form: .identifiers))
    var no = try attribute("no", .named("Bool"))
    no.migration.renamedFrom = Located("yes")
    return [
      try attribute(
        "id", .named("String"), options: [.unique], dedupe: .latest(by: "createdAt")),
      try attribute("name", .named("String"), "\"\""),
      try attribute("class", .named("Int")),
      try attribute("default", .dictionary(.named("String"), .array(.named("Int"))), "[:]"),
      try attribute(
        "createdAt", .named("Date"), options: [.preserveValueOnDeletion, .spotlight]),
      home, mode, fullName, photo, cache, colour,
      try attribute("changes", .named("Set", arguments: [.named("TimezoneChange")])),
      habits, no,
    ]
  }

  private static func expectedModels() throws -> [Model] {
    [
      Model(
        name: "UserProfileModel", documentation: "The user.\n\nOne row only.",
        entity: "UserProfile", properties: try profileProperties(),
        uniques: [
          UniqueConstraint(properties: names("name", "createdAt")),
          UniqueConstraint(properties: names("class"), dedupe: .function("keepOne")),
        ],
        indexes: [
          Index(properties: names("createdAt")),
          Index(kind: .rtree, properties: names("class", "no")),
          Index(properties: names("name")),
        ], sources: names("ProfileModel"), isRenamed: true),
      Model(
        name: "HabitModel",
        properties: [
          Property(
            name: "owner",
            kind: .relationship(
              Relationship(
                destination: Located("UserProfileModel"), cardinality: .optionalOne,
                inverse: Located("habits"))), mapping: EntityMapping(form: .omit)),
          Property(
            name: "parent",
            kind: .relationship(
              Relationship(
                destination: Located("HabitModel"), cardinality: .optionalMany, isUnique: true)),
            mapping: EntityMapping(form: .omit)),
        ], sources: names("OldHabit", "OtherHabit")),
      Model(
        name: "SpecialHabit", superclass: Located("HabitModel"),
        indexes: [Index(properties: names("owner"))]),
    ]
  }

  private static func expectedTypes() throws -> [ValueTypeDeclaration] {
    [
      ValueTypeDeclaration(
        name: "DisplayTimezoneMode",
        kind: .enumeration(
          rawType: .named("String"),
          cases: [EnumCase(name: "current"), EnumCase(name: "default"), EnumCase(name: "none")])),
      ValueTypeDeclaration(
        name: "Level",
        kind: .enumeration(
          rawType: .named("Int"),
          cases: [
            EnumCase(name: "low", rawValue: try expression("1")),
            EnumCase(name: "high", rawValue: try expression("-2_000")),
          ]), isOwn: true),
      ValueTypeDeclaration(
        name: "Weekday", documentation: "A day",
        kind: .enumeration(rawType: nil, cases: [EnumCase(name: "monday")])),
      ValueTypeDeclaration(
        name: "Code",
        kind: .enumeration(
          rawType: .named("String"),
          cases: [
            EnumCase(name: "a"), EnumCase(name: "b", rawValue: try expression("\"x\\\"\\\\y\"")),
            EnumCase(name: "c", rawValue: try expression("\"z\"")),
            EnumCase(name: "d", rawValue: try expression("\"\"")),
          ])),
      ValueTypeDeclaration(
        name: "TimezoneChange",
        kind: .structure(fields: [
          StructField(name: "at", type: .named("Date")),
          StructField(name: "to", type: .named("String"), defaultValue: try expression("\"\"")),
          StructField(name: "level", type: .named("Level"), defaultValue: try expression(".low")),
        ])),
      ValueTypeDeclaration(name: "Colour", kind: .opaque, isOwn: true),
      ValueTypeDeclaration(name: "Habits.Kind", kind: .opaque, isOwn: true),
    ]
  }

  @Test func everythingThatAManifestCanSay() throws {
    let (read, diagnostics) = ManifestReader().read(
      SourceFile(path: "V9.yaml", text: Self.whole))
    #expect(diagnostics == [])
    let version = try #require(read)
    var expected = SchemaVersion(
      number: VersionNumber(9), summary: "Three-timezone model",
      models: try Self.expectedModels(), types: try Self.expectedTypes(),
      drops: [
        Drop(
          element: Located(ElementPath("UserProfileModel", "subscriptionPlan")),
          reason: "moved to SubscriptionService in V8"),
        Drop(
          element: Located(ElementPath("UserProfileModel", "legacyId")), reason: "never read",
          revert: try SwiftExpression("\"\"")),
      ],
      acceptances: [
        Acceptance(
          rule: Located("shared-default"),
          target: .element(Located("UserProfileModel.homeTimezoneIdentifier")),
          reason: "right for every row")
      ], hooks: Hooks(before: true, after: true))
    let profile = Located("UserProfileModel")
    expected.expectations = [
      Expectation(model: Located("HabitModel"), .present("owner")),
      Expectation(
        model: profile,
        .holds(
          try SwiftExpression("new.homeTimezoneIdentifier == old.homeTimezone ?? \"\""))),
      Expectation(
        model: profile, .holds(try SwiftExpression("!new.homeTimezoneIdentifier.isEmpty"))),
    ]
    for (found, wanted) in zip(version.models, expected.models) {
      for (found, wanted) in zip(found.properties, wanted.properties) {
        #expect(found == wanted)
      }
      #expect(found == wanted)
    }
    for (found, wanted) in zip(version.types, expected.types) { #expect(found == wanted) }
    #expect(version == expected)
  }

  @Test func everythingKeepsItsPlace() throws {
    let version = try #require(
      ManifestReader().read(SourceFile(path: "V9.yaml", text: Self.whole)).version)
    let profile = version.models[0]
    func place(_ line: Int, _ column: Int, _ length: Int) -> SchemaModel.SourceLocation {
      SourceLocation(file: "V9.yaml", line: line, column: column, length: length)
    }
    #expect(version.location == place(1, 1, 7))
    #expect(profile.location == place(4, 3, 16))
    #expect(profile.sources[0].location == place(10, 18, 12))
    #expect(profile.properties[1].location == place(13, 7, 4))
    let home = profile.properties[5].migration
    #expect(home.from[0].location == place(20, 15, 12))
    #expect(home.convert?.location == place(21, 18, 33))
    #expect(home.revert[0].location == place(22, 17, 2))
    let habits = try #require(profile.properties[12].relationship)
    #expect(habits.destination.location == place(40, 24, 10))
    #expect(habits.inverse?.location == place(41, 18, 5))
    #expect(profile.uniques[1].location?.line == 47)
    #expect(profile.indexes[1].properties[1].location == place(48, 43, 2))
    #expect(version.models[1].properties[0].relationship?.inverse?.location == place(39, 7, 6))
    #expect(version.models[2].superclass?.location == place(54, 29, 10))
    #expect(version.drops[0].element.location == place(64, 3, 33))
    #expect(version.acceptances[0].rule.location == place(67, 11, 14))
    #expect(version.types[4].location == place(60, 3, 14))
  }

  /// The property's name is a keyword, and its value is not what YAML would read.
  @Test(arguments: SwiftIdentifier.keywords.sorted())
  func keywordsCanNameProperties(_ keyword: String) throws {
    let text = "version: 1\nmodels:\n  M:\n    properties:\n      \(keyword): String = \"no\"\n"
    let (version, diagnostics) = ManifestReader().read(SourceFile(path: "V1.yaml", text: text))
    if SwiftIdentifier.reservedPropertyNames[keyword] == nil {
      #expect(diagnostics == [])
    } else {
      #expect(diagnostics.map(\.rule) == [.reservedName])
    }
    #expect(version?.models.first?.properties.first?.name == keyword)
  }

  /// Elements of arrays and values of dictionaries are JSON; values with columns of their own are not.
  @Test(arguments: [
    ("\"[T]\"", 0), ("\"[T]?\"", 0), ("\"[String: T]?\"", 0), ("T", 1), ("T?", 1), ("Set<T>", 1),
    ("U", 1),
  ])
  func fieldsCalledDescription(_ type: String, _ findings: Int) {
    let text = """
      version: 1
      models:
        M: { properties: { a: { type: \(type) } } }
      types:
        T: { struct: { description: String } }
        U: { struct: { inner: T } }

      """
    let (_, diagnostics) = ManifestReader().read(SourceFile(path: "V1.yaml", text: text))
    #expect(diagnostics.filter { $0.rule == .reservedName }.count == findings)
  }

  /// A reserved name that has shipped is not refused.
  @Test func shippedIsDeleted() {
    let text = "version: 1\nmodels:\n  M: { properties: { isDeleted: Bool } }\n"
    func severities(_ text: String) -> [Diagnostic.Severity] {
      ManifestReader().read(SourceFile(path: "V1.yaml", text: text)).diagnostics.map(\.severity)
    }
    #expect(severities(text) == [.error])
    #expect(severities(text + "identity: shipped\n") == [.warning])
  }

  /// A transient property may have a model as its type.
  @Test func transientModels() {
    func rules(_ more: String) -> [String] {
      let text = "version: 1\nmodels:\n  M: { properties: { a: { type: M?\(more) } } }\n"
      return ManifestReader().read(SourceFile(path: "V1.yaml", text: text)).diagnostics.map(
        \.rule.id)
    }
    #expect(rules(", transient: true") == [])
    #expect(rules(", transient: false") == ["unknown-type"])
    #expect(rules("") == ["unknown-type"])
  }

  static let shortForms: [(String, String, String?)] = [
    ("String", "String", nil), ("String=\"a=b\"", "String", "\"a=b\""),
    ("Bool = 1 == 2", "Bool", "1 == 2"), ("Set<Int> = []", "Set<Int>", "[]"),
    ("Int?", "Int?", nil), ("Data = Data([0: 1].map { $0.key == 1 ? 0 : 1 })", "Data", ""),
  ]

  @Test(arguments: shortForms)
  func shortForm(_ text: String, _ type: String, _ value: String?) throws {
    let manifest = "version: 1\nmodels:\n  M: { properties: { a: '\(text)' } }\n"
    let (version, diagnostics) = ManifestReader().read(
      SourceFile(path: "V1.yaml", text: manifest))
    #expect(diagnostics == [])
    let attribute = try #require(version?.models[0].properties[0].attribute)
    #expect(attribute.type.description == type)
    if value != "" { #expect(attribute.defaultValue?.text == value) }
  }

  /// 4 MiB of one construct each, valid and invalid: anything slower than linear would not finish.
  @Test(
    .enabled(if: Checkout.runsEverything), .timeLimit(.minutes(30)),
    arguments: [
      "  A#: { properties: {}, inherits: A% }\n", "  A#: { properties: { a: Strng } }\n",
      "  A#: { inherits: B#, properties: {} }\n", "  A#: x\n",
      "  A#: { properties: { a: { relationship: \"[A%]\", inverse: a } } }\n",
      "  A#: { properties: { a: { relationship: A }, b: Int = .x }, index: [[c]], unique: [a] }\n",
    ])
  func largeManifestsEnd(_ line: String) {
    let head = "version: 1.0.0\nmodels:\n"
    let parts = line.split(separator: "#", omittingEmptySubsequences: false)
    var text = head
    for number in 0... {
      let model = parts.joined(separator: "\(number)").split(separator: "%")
        .joined(separator: "\(max(1, number) - 1)")
      guard text.utf8.count + model.utf8.count < 4 << 20 else { break }
      text += model
    }
    let (version, _) = ManifestReader().read(SourceFile(path: "V1.yaml", text: text))
    #expect(version != nil)
  }

  /// An inverse may name a relationship that the destination inherits.
  @Test func inverseIsInherited() {
    let text = """
      version: 1.0.0
      models:
        Trip: { properties: { stops: { relationship: "[Pause]", inverse: trip } } }
        Stop: { properties: { trip: { relationship: Trip? } } }
        Pause: { inherits: Stop, properties: {} }
      """
    let (version, diagnostics) = ManifestReader().read(SourceFile(path: "V1.yaml", text: text))
    #expect(diagnostics == [])
    #expect(version?.models[1].properties[0].relationship?.inverse?.value == "stops")
  }

  /// A randomly damaged manifest is read, or an error says why not.
  @Test(.enabled(if: Checkout.runsEverything), .timeLimit(.minutes(30)))
  func damageIsSurvived() {
    var random = SplitMix(state: 0x5EED)
    let good = Array(Self.whole.utf8)
    let pieces = [
      "\t", "\n", "- ", ": ", "[", "]", "{", "}", "&a ", "*a", "!!x ", "<<: ", "'", "\"", "\\",
      "$1",
      "\u{202E}", "\0", "---\n", "  ", "#", "é", "|\n", "? ", "=", "<", "?",
    ].map { Array($0.utf8) }
    for _ in 0..<2000 {
      var bytes = good
      for _ in 0...Int(random.next() % 3) {
        let place = Int(random.next() % UInt64(bytes.count))
        switch random.next() % 4 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.insert(contentsOf: pieces[Int(random.next() % 27)], at: place)
        case 2: bytes.removeSubrange(place..<min(bytes.count, place + Int(random.next() % 40)))
        default:
          let from = Int(random.next() % UInt64(bytes.count))
          bytes.insert(contentsOf: bytes[from..<min(bytes.count, from + 30)], at: place)
        }
      }
      let file = SourceFile(path: "V9.yaml", bytes: bytes)
      let (version, diagnostics) = ManifestReader().read(file)
      #expect(version != nil || diagnostics.hasErrors)
      let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
      #expect(diagnostics.allSatisfy { (1...lines).contains($0.location?.line ?? 0) })
      _ = TextReport(sources: [file.path: file.text]).render(diagnostics)
    }
  }
}

/// The same numbers in every run.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
