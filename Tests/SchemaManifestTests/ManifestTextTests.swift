import Foundation
import TestSupport
import Testing

@testable import SchemaManifest
@testable import SchemaModel

/// Written manifests are read back unchanged.
@Suite struct ManifestTextTests {
  /// Every manifest of the checkout except drafts, which cannot be read.
  static let manifests = [
    "Schemas", "Examples", "Tests/Support/Fixtures", "Tests/SchemaFiles/good",
  ].flatMap {
    folder in
    filesBelow(Checkout.root + "/" + folder).map { folder + "/" + $0 }
  }.filter { $0.hasSuffix(".yaml") && $0.contains("/V") && !$0.contains("/drafts/") }

  static let configurations = [
    "Schemas", "Examples", "Tests/Support/Fixtures", "Tests/SchemaFiles/good",
  ]
  .flatMap { folder in
    filesBelow(Checkout.root + "/" + folder).map { folder + "/" + $0 }
  }.filter { $0.hasSuffix("/schemagen.yaml") }

  private func file(_ path: String) throws -> SourceFile {
    SourceFile(
      path: path, text: try String(contentsOfFile: Checkout.root + "/" + path, encoding: .utf8))
  }

  private func read(_ text: String) throws -> SchemaVersion {
    let (version, diagnostics) = ManifestReader().read(SourceFile(path: "V1.yaml", text: text))
    #expect(diagnostics == [], "\(text)")
    return try #require(version)
  }

  /// Expects a written manifest to be read back unchanged and written in the same way again.
  private func expectReadBack(_ version: SchemaVersion, _ comment: Comment? = nil) throws {
    let text = ManifestText(version).text
    let found = try read(text)
    #expect(
      found == version, comment ?? "\(difference(from: "\(version)", to: "\(found)"))\n\(text)")
    #expect(ManifestText(found).text == text, comment)
    #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"))
  }

  // MARK: What there is

  @Test(arguments: manifests) func everyManifest(_ path: String) throws {
    let (original, diagnostics) = ManifestReader().read(try file(path))
    var version = try #require(original)
    let text = ManifestText(version).text
    let (read, newDiagnostics) = ManifestReader().read(SourceFile(path: path, text: text))
    let found = try #require(read)
    #expect(Set(newDiagnostics.map(\.message)) == Set(diagnostics.map(\.message)))
    // An acceptance in a comment becomes an entry, or a comment at the top.
    #expect(
      found.acceptances.map(\.rule.value).sorted() == version.acceptances.map(\.rule.value).sorted()
    )
    version.acceptances = found.acceptances
    #expect(found == version)
    #expect(ManifestText(found).text == text)
    for line in text.split(separator: "\n") where line.contains("{ ") {
      #expect(line.unicodeScalars.count <= ManifestLayout.width, "\(line)")
    }
  }

  /// The most carefully written example must be reproduced exactly.
  @Test func inTheTasteOfTheExamples() throws {
    let file = try file("Schemas/Ritualist/V9.yaml")
    let version = try #require(ManifestReader().read(file).version)
    let header = "yaml-language-server: $schema=../manifest.schema.json"
    let text = ManifestText(version, header: [header]).text
    // One of its lines is longer than the limit for one line.
    let wanted = file.text.replacing(
      "category: { relationship: HabitCategoryModel?, inEntity: identifiers, entityProperty: categoryID }",
      with: """
        category:
                relationship: HabitCategoryModel?
                inEntity: identifiers
                entityProperty: categoryID
        """)
    // Manifests written by hand omit the quotes that some readers need around a question mark.
    let plain = text.replacing(/"(?<type>\w+\?)"/) { $0.type }
    #expect(plain == wanted, "\(difference(from: wanted, to: plain))")
  }

  /// Kept in Tests/SchemaFiles/written, where validate.py validates them with the JSON Schema.
  @Test(arguments: manifests.filter { $0.contains("/Everything/") || $0.contains("/good/") })
  func asRecorded(_ path: String) throws {
    let version = try #require(ManifestReader().read(try file(path)).version)
    let text = ManifestText(version).text
    let name = path.split(separator: "/").suffix(2).joined(separator: "-")
    let change = try difference(
      of: text, fromSnapshot: "Tests/SchemaFiles/written/" + name, recordedBy: "ManifestTextTests")
    if let change { Issue.record("\(change)") }
  }

  // MARK: What chance makes

  @Test(arguments: Checkout.seeds(300)) func randomHistories(_ seed: Int) throws {
    var decorator = ManifestDecorator(seed: seed)
    for version in HistoryGenerator.history(seed: seed) {
      let text = ManifestText(version).text
      let found = ManifestReader().read(SourceFile(path: "V1.yaml", text: text)).version
      #expect(found == version, "seed \(seed)\n\(text)")
      try expectReadBack(decorator.decorated(version), "seed \(seed)")
    }
  }

  static let hostile = ManifestDecorator.hostile

  @Test(arguments: hostile) func hostileTexts(_ text: String) throws {
    for text in [text, "a \(text)", "\(text) z", "a \(text) z", "\(text)\n\n  \(text)\t\n z"] {
      let line = text.manifestLine
      let words = text.manifestText
      guard !words.isEmpty else { continue }
      var model = Model(name: "A", documentation: words)
      model.properties = [
        Property(
          name: "a", documentation: words, kind: .attribute(Attribute(type: .named("Int"))),
          hashModifier: line),
        Property(name: "b", documentation: line, kind: .attribute(Attribute(type: .named("Int")))),
      ]
      let cases = [text, line].filter { !$0.contains { $0.isNewline || $0 == "\t" } }
      try expectReadBack(
        SchemaVersion(
          number: VersionNumber(2), summary: line, models: [model],
          types: [
            ValueTypeDeclaration(
              name: "T", documentation: words,
              kind: .enumeration(
                rawType: .named("String"),
                cases: Set(cases).sorted().enumerated().map {
                  EnumCase(name: "c\($0.offset)", rawValue: RawKind.string.swiftLiteral($0.element))
                } + [EnumCase(name: "plain")]))
          ],
          drops: [Drop(element: Located(ElementPath("B")), reason: line)],
          acceptances: [
            Acceptance(rule: Located("x"), target: .element(Located("A.a")), reason: line)
          ]))
    }
  }

  @Test(arguments: [
    "0", "-1", "1_000", "0x1F", "-0.5", "true", "false", "nil", "null", "2027-01-31", "\"\"",
    "\"a: b # c\"", "[\"a\": 1]", "{ 1 }()", "#\"raw\"#", "Data()", "\"it's\"", "\"\\\\\"",
    "$0 ?? \"x\"",
    "x ? y : z", "a - b", "\"{ a }\"", "`default`", "\"'\\\"\"", "[]", "[:]", "\"é🙂\"", "!x", "-x",
    "&x",
    "%x", "x == y", "= x",
  ])
  func hostileExpressions(_ text: String) throws {
    let expression = try #require(try? SwiftExpression(text))
    let takesNone = expression.placeholderCount == 0 ? expression : nil
    let takesData = expression.literal == nil ? takesNone : nil
    try expectReadBack(
      SchemaVersion(
        number: VersionNumber(2),
        models: [
          Model(
            name: "A",
            properties: [
              Property(
                name: "a", kind: .attribute(Attribute(type: .named("T"), defaultValue: takesNone))
              ),
              Property(
                name: "b",
                kind: .attribute(
                  Attribute(
                    type: .named("Data"), defaultValue: takesData, encodes: .named("T"),
                    fallback: takesNone)),
                migration: PropertyMigration(
                  from: [Located("c"), Located("d")], convert: Located(.expression(expression)),
                  revert: [
                    Reversion(Located(.expression(expression))),
                    Reversion(Located(.function("back"))),
                  ])),
              Property(
                name: "e", kind: .attribute(Attribute(type: .named("T"))),
                migration: PropertyMigration(fill: takesNone.map { Located(.expression($0)) })),
            ])
        ],
        types: [
          ValueTypeDeclaration(
            name: "S",
            kind: .structure(
              fields: [StructField(name: "a", type: .named("T"), defaultValue: takesNone)])),
          // Any literal may have a type that only the app declares.
          ValueTypeDeclaration(name: "T", kind: .opaque, isOwn: true),
        ],
        drops: [Drop(element: Located(ElementPath("B", "c")), reason: "r", revert: takesNone)],
        expectations: takesNone.map { [Expectation(model: Located("A"), .holds($0))] } ?? []))
  }

  // MARK: Comments

  @Test func commentsStandAboveWhatTheySpeakOf() throws {
    let version = SchemaVersion(
      number: VersionNumber(1),
      models: [
        Model(
          name: "A",
          properties: [
            Property(
              name: "a", documentation: "One.\nTwo.",
              kind: .attribute(Attribute(type: .named("Int")))),
            Property(name: "b", kind: .attribute(Attribute(type: .array(.named("K"))))),
          ]),
        Model(name: "B"),
      ],
      types: [
        ValueTypeDeclaration(
          name: "K", kind: .enumeration(rawType: .named("String"), cases: [EnumCase(name: "x")]))
      ])
    let text = ManifestText(
      version, header: ["made by hand"],
      comments: [
        ElementPath("A"): ["from A.swift"], ElementPath("A", "b"): ["one\n\ntwo\u{200B}", "three"],
        ElementPath("K"): ["a type"], ElementPath("K", "x"): ["a case"],
        ElementPath("B"): ["empty"],
      ]
    ).text
    #expect(
      text == """
        # made by hand
        version: 1.0.0
        models:
          # from A.swift
          A:
            properties:
              a:
                doc: |
                  One.
                  Two.
                type: Int
              # one
              #
              # two
              # three
              b: "[K]"

          # empty
          B:
            properties: {}

        types:
          # a type
          # a case
          K: { enum: String, cases: [x] }

        """)
    #expect(try read(text) == version)
  }

  @Test(
    "A rewritten manifest keeps all its comments"
  )
  func rewritten() throws {
    let text = """
      # About the app
      version: 1.0.0   # the first
      # All of them
      models:
        # A journey
        Trip:
          properties:
            name: String # shown
            days: Int = 1 # schemagen:accept shared-default: one day is right
      # Types
      types:
        Kind: { enum: String, cases: [a, b] }
      # the end

      """
    let rewritten = """
      # About the app
      # the first
      version: 1.0.0
      # All of them
      models:
        # A journey
        Trip:
          properties:
            # shown
            title: String
            days: Int = 1

      # Types
      types:
        Kind: { enum: String, cases: [a, b] }

      accept:
        - rule: shared-default
          element: Trip.days
          reason: one day is right
      # the end

      """
    for lineBreak in ["\n", "\r\n"] {
      let file = SourceFile(path: "V1.yaml", text: text.replacing("\n", with: lineBreak))
      var new = try #require(ManifestReader().read(file).version)
      new.models[0].properties[0].name = "title"
      let found = ManifestText(
        new, of: try #require(YAMLDocument(file)), renaming: [ElementPath("Trip", "name"): "title"]
      ).text
      #expect(found == rewritten.replacing("\n", with: lineBreak))
    }
  }

  @Test("A comment stays with its key or item")
  func placesOfComments() throws {
    let text = """
      # yaml-language-server: $schema=x
      ## Trips

      models:
        Trip:
          # of the properties
          properties:
            name:
              type: String
              # short
              doc: The name.
              originalName: title
              # so it was called
              hashModifier: m
            kind: Kind # in one line
          # two
          unique:
            # the first
            - [name]
            - [kind] # the second
          index: [[name], [kind]] # all
      version: 2 # the newest
      types:
        Kind:
          enum: String
          cases:
            - car # four wheels
            - bike
            # none
            - foot
      accept:
        - reason: so it is # why
          # which
          rule: r
          # what
          element: Trip
        # the other
        - { rule: s, element: Trip, reason: the same }
      # done

      """
    let file = SourceFile(path: "V2.yaml", text: text)
    #expect(
      ManifestText.formatted(file) == """
        # yaml-language-server: $schema=x
        ## Trips
        # the newest
        version: 2.0.0
        models:
          Trip:
            # of the properties
            properties:
              name:
                type: String
                originalName: title
                # so it was called
                hashModifier: m
                # short
                doc: The name.
              # in one line
              kind: Kind
            # two
            unique:
              # the first
              - [name]
              # the second
              - [kind]
            # all
            index: [[name], [kind]]

        types:
          Kind:
            enum: String
            cases:
              # four wheels
              - car
              - bike
              # none
              - foot

        accept:
          # why
          # which
          - rule: r
            # what
            element: Trip
            reason: so it is
          # the other
          - rule: s
            element: Trip
            reason: the same
        # done

        """)
    #expect(PrintedManifest.problems(of: file) == [])
  }

  // MARK: One form

  @Test("A printed manifest has the same meaning and comments, and prints the same again")
  func oneForm() throws {
    let files = try Self.manifests.map(file)
    for file in files { #expect(PrintedManifest.problems(of: file) ?? [] == [], "\(file.path)") }
    let small = files.filter { $0.bytes.count < 3000 }
    var readable = 0
    for seed in 0..<3000 {
      var random = SplitMix64(seed: UInt64(seed))
      var file = try #require(small.randomElement(using: &random))
      file = SourceFile(path: file.path, text: Self.mutated(file.text, &random))
      guard let problems = PrintedManifest.problems(of: file) else { continue }
      readable += 1
      #expect(problems == [], "seed \(seed)\n\(file.text)")
    }
    #expect(readable > 1000)
  }

  /// A text with comments and blank lines wherever possible, and with lines swapped, removed or doubled.
  private static func mutated(_ text: String, _ random: inout SplitMix64) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for number in 0..<Int.random(in: 1...6, using: &random) {
      let place = Int.random(in: 0..<lines.count, using: &random)
      let indent = String(repeating: " ", count: Int.random(in: 0...9, using: &random))
      switch Int.random(in: 0..<10, using: &random) {
      case 0...2: lines.insert("\(indent)# above \(number)", at: place)
      case 3...5: lines[place] += " #beside \(number) # once more"
      case 6: lines.insert("", at: place)
      case 7: lines[place] = lines[place].replacing(", ", with: ",\n\(indent)# within \(number)\n ")
      case 8: lines.swapAt(place, max(0, place - 1))
      default: lines.remove(at: place)
      }
      if lines.isEmpty { lines = [""] }
    }
    return lines.joined(separator: "\n")
  }

  @Test func acceptancesInCommentsBecomeEntries() throws {
    let version = try read(
      """
      # schemagen:accept one until 2027-01-31: the whole
      version: 1.0.0
      models:
        # schemagen:accept two: a model
        A:
          properties:
            a: Int # schemagen:accept three: a property
            b:
              # schemagen:accept four: below a property
              type: Data
              encodes: T
          index: # schemagen:accept five: an index
            - [a] # schemagen:accept six: an index
      types:
        T: { opaque: true }  # schemagen:accept seven: a type
      """)
    let text = ManifestText(version).text
    #expect(text.hasPrefix("# schemagen:accept one until 2027-01-31: the whole\nversion: 1.0.0\n"))
    let found = try read(text)
    #expect(
      found.acceptances.map { "\($0.rule.value) \($0.element ?? "-")" }
        == ["two A", "three A.a", "four A.b", "five A.b", "six A", "seven T", "one -"])
    #expect(found.acceptances.last?.until?.value == CalendarDay("2027-01-31"))
    #expect(ManifestText(found).text == text)
  }

  // MARK: The configuration

  @Test(arguments: configurations) func everyConfiguration(_ path: String) throws {
    let (configuration, diagnostics) = ConfigurationReader().read(try file(path))
    #expect(diagnostics == [])
    expectReadBack(configuration)
  }

  @Test(arguments: hostile) func hostilePaths(_ text: String) {
    guard !text.manifestLine.isEmpty else { return }
    expectReadBack(Configuration(output: text.manifestLine, tests: "t/" + text.manifestLine))
  }

  @Test func onlyWhatDiffersIsWritten() {
    #expect(ConfigurationText(Configuration()).text == "")
    #expect(ConfigurationText(Configuration(), header: ["nothing yet"]).text == "# nothing yet\n")
    let configuration = Configuration(
      output: "../Sources/Generated", documentation: nil, access: .public,
      platforms: [.macOS: 14, .iOS: 17],
      names: NamePatterns(schema: "HabittoSchemaV{version}", alias: "{model}Of{version}"),
      imports: ["Core", "Kit"], batchSize: 100,
      rules: ["version-gap": Located(.off), "after-hook": Located(.error)])
    #expect(
      ConfigurationText(configuration).text == """
        output: ../Sources/Generated
        documentation: none
        access: public
        platforms: { iOS: 17, macOS: 14 }
        imports: [Core, Kit]
        batchSize: 100
        names:
          schema: HabittoSchemaV{version}
          alias: "{model}Of{version}"
        rules:
          after-hook: error
          version-gap: "off"

        """)
    expectReadBack(configuration)
  }

  private func expectReadBack(_ configuration: Configuration) {
    let text = ConfigurationText(configuration).text
    let (found, diagnostics) = ConfigurationReader().read(
      SourceFile(path: "schemagen.yaml", text: text))
    #expect(diagnostics == [], "\(text)")
    #expect(found == configuration, "\(text)")
    #expect(ConfigurationText(found).text == text)
  }
}

extension RawKind {
  /// The literal that a manifest's text stands for.
  func swiftLiteral(_ text: String) -> SwiftExpression? {
    literal(text).flatMap { try? SwiftExpression($0.source) }
  }
}
