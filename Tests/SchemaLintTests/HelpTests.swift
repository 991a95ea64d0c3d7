import Foundation
import SchemaLint
import SchemaManifest
import SchemaModel
import SchemaReporting
import SchemaWorkspace
import TestSupport
import Testing

/// Follows the first help of every finding.
@Suite struct HelpTests {
  @Test(
    "Following the first help of each finding leads to a run without errors",
    arguments: RuleExampleTests.badExamples + HelpAnswers.more)
  func arrives(_ example: RuleCase) {
    var path = HelpPath(example.example)
    for finding in path.run.findings(of: example.rule).prefix(1) {
      guard path.follow(finding) else { return unknown(finding, path) }
    }
    for _ in 0..<HelpPath.mostSteps {
      guard let error = path.run.lint.findings.first(where: { $0.severity == .error }) else {
        return
      }
      #expect(!path.isCircle, "\(path.report)")
      guard !path.isCircle, path.follow(error) else { return unknown(error, path) }
    }
    let errors = path.run.lint.findings.filter { $0.severity == .error }
    #expect(errors.isEmpty, "\(path.report)")
  }

  private func unknown(_ finding: Diagnostic, _ path: HelpPath) {
    let key = HelpPath.key(finding)
    #expect(HelpAnswers.personal.contains(key), "who can follow this? \(key)\n\(path.report)")
  }
}

/// Findings of small manifests, and what must not be one.
@Suite struct SmallManifestTests {
  private func findings(_ text: String) -> [Diagnostic] {
    ExampleRun(Example(text)).lint.findings.filter { $0.severity > .note }
  }

  @Test("A misspelt enum case is reported in a default and in a fill")
  func missingCase() {
    let types = "types:\n  Kind: { enum: String, cases: [walk, ride] }\n"
    let first = "version: 1.0.0\nmodels:\n  Trip:\n    properties:\n      name: String\n"
    let second =
      "=== V2.yaml\nversion: 2.0.0\n\(types)models:\n  Trip:\n    properties:\n      name: String\n"
    for value in ["default: Kind.rid", "fill: Kind.rid"] {
      let found = findings(
        first + second
          + "      kind: { type: Kind, \(value), fill: Kind.ride }\n"
          .replacing(value.hasPrefix("fill") ? ", fill: Kind.ride" : "nothing", with: ""))
      #expect(found.map(\.rule.id) == ["wrong-value"], "\(found)")
      #expect(found.first?.message == "'Kind' has no case 'rid'")
      #expect(found.map(\.severity) == [.warning])
      #expect(found.first?.help == ["did you mean 'ride'?"])
    }
    // It may be a static member.
    #expect(findings(first + second + "      kind: { type: Kind, fill: Kind.usual }\n").isEmpty)
    #expect(findings(first + second + "      kind: { type: Kind, fill: Kind.ride }\n").isEmpty)
    #expect(
      findings(
        first + second.replacing("ride] }", with: "ride], own: true }")
          + "      kind: { type: Kind, fill: Kind.usual }\n"
      ).isEmpty)
  }

  @Test("A value moved to a model made from the same rows is not a drop")
  func takenValue() {
    let old = """
      version: 1.0.0
      models:
        Vehicle:
          properties:
            name: String
            doors: Int?
      === V2.yaml
      version: 2.0.0
      models:
        Vehicle:
          properties:
            name: String
            cars: { relationship: "[Car]", inverse: vehicle }
        Car:
          from: Vehicle
          properties:
            vehicle: { relationship: "Vehicle?" }

      """
    #expect(findings(old + "      doors: Int?").isEmpty)
    #expect(findings(old + "      gates: { type: Int?, from: doors, convert: $0 }").isEmpty)
    for lost in [
      "label: { type: String?, from: name, convert: $0 }", "doors: { type: Int?, fill: 4 }",
    ] {
      #expect(findings(old + "      " + lost).map(\.rule.id) == ["unacknowledged-drop"])
    }
  }

  @Test("A split is suggested if two new properties could come from one")
  func split() {
    let found = findings(
      """
      version: 1.0.0
      models:
        Person:
          properties:
            fullName: String
      === V2.yaml
      version: 2.0.0
      models:
        Person:
          properties:
            givenName: String
            familyName: String
      """)
    let questions = found.filter { $0.rule.id == "ambiguous-rename" }
    #expect(questions.count == 2)
    for question in questions {
      #expect(question.help.contains { $0.contains("from: fullName, convert: …") }, "\(question)")
    }
  }
}

/// A folder of manifests, and what was done to it.
struct HelpPath {
  static let mostSteps = 5

  private let example: Example
  private(set) var run: ExampleRun
  private var files: [SourceFile]
  private var seen: [[String]] = []
  private var steps: [String] = []

  init(_ example: Example) {
    self.example = example
    run = ExampleRun(example)
    files = example.files
  }

  /// The key under which a help's answer is listed.
  static func key(_ finding: Diagnostic) -> String {
    "\(finding.rule.id): \(finding.help.first ?? "no help")"
  }

  /// Whether the last step led back to earlier manifests.
  var isCircle: Bool { seen.contains(files.map(\.text)) }

  /// The steps taken, and the findings now.
  var report: String {
    let texts = files.map { "=== \($0.path)\n\($0.text)" }.joined()
    return steps.joined(separator: "\n") + "\n" + texts
      + TextReport(sources: run.lint.sources).render(run.lint.findings)
  }

  /// Follows the first help; returns whether that is possible without a person.
  mutating func follow(_ finding: Diagnostic) -> Bool {
    guard let changed = changed(finding) else { return false }
    seen.append(files.map(\.text))
    steps.append(Self.key(finding))
    files = changed.sorted { $0.path < $1.path }
    run = ExampleRun(example.replacing(files))
    return true
  }

  private func changed(_ finding: Diagnostic) -> [SourceFile]? {
    if run.lint.fixes.contains(where: { $0.finding == finding }) {
      return run.fixed(finding.rule.id)?.files
    }
    if let answer = HelpAnswers.answers[Self.key(finding)] {
      return answer.reduce(files) { files, edit in
        edit.applied(to: files, of: finding)
          ?? {
            Issue.record("\(edit) changes nothing\n\(report)")
            return files
          }()
      }
    }
    return nil
  }
}

/// How a person follows a help that needs no decision.
enum HelpEdit {
  /// Keys of the property that the finding is about; nil removes one.
  case keys([String: String?])
  /// Replaces a text in the finding's file or in another.
  case text(String, with: String, in: String? = nil)
  /// Adds lines at the end of the finding's file.
  case end(String)
  /// Replaces a file's text; nil removes the file.
  case file(String, String?)
  /// Gives the version another number, and its file the name for it.
  case renumber(String)
  /// Writes the line that the help shows for the property of that name.
  case shown

  func applied(to files: [SourceFile], of finding: Diagnostic) -> [SourceFile]? {
    var files = files
    func change(_ name: String, _ body: (String) -> String?) -> [SourceFile]? {
      guard let index = files.firstIndex(where: { $0.path == name }),
        let text = body(files[index].text), text != files[index].text
      else { return nil }
      files[index] = SourceFile(path: name, text: text)
      return files
    }
    let file = finding.location?.file ?? ""
    switch self {
    case .keys(let keys):
      guard let path = finding.path, let member = path.member else { return nil }
      return change(file) {
        Self.property(YAMLPath(keys: ["models", path.owner, "properties", member]), keys, $0)
      }
    case .text(let old, let new, let other):
      return change(other ?? file) { $0.replacing(old, with: new) }
    case .end(let lines):
      return change(file) { $0 + lines + "\n" }
    case .file(let name, let text):
      files.removeAll { $0.path == name }
      if let text { files.append(SourceFile(path: name, text: text)) }
      return files
    case .renumber(let number):
      guard let index = files.firstIndex(where: { $0.path == file }),
        let name = VersionNumber(number)?.name
      else { return nil }
      var lines = files[index].text.split(separator: "\n", omittingEmptySubsequences: false)
      lines = lines.map { $0.hasPrefix("version:") ? "version: \(number)" : $0 }
      files[index] = SourceFile(path: "\(name).yaml", text: lines.joined(separator: "\n"))
      return files
    case .shown:
      guard let path = finding.path, let member = path.member, let help = finding.help.first,
        let range = help.range(of: "\(member): {")
      else { return nil }
      let line = String(help[range.lowerBound...])
      return change(file) { text in
        let place = YAMLPath(keys: ["models", path.owner, "properties", member])
        return YAMLDocument(SourceFile(path: file, text: text))?
          .applying([.set(place, to: String(line.dropFirst(member.count + 2)))])?.text
      }
    }
  }

  private static func property(
    _ path: YAMLPath, _ keys: [String: String?], _ text: String
  ) -> String? {
    let file = SourceFile(path: "file", text: text)
    guard let document = YAMLDocument(file), let node = document.root.node(at: path) else {
      return nil
    }
    var edits: [YAMLEdit] = []
    if let scalar = node.scalar {
      let parts = scalar.text.components(separatedBy: " = ")
      var all = ["type": "'\(parts[0])'"]
      if parts.count == 2 { all["default"] = parts[1] }
      for (key, value) in keys { all[key] = value ?? nil }
      let pairs = all.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      edits = [.set(path, to: "{ \(pairs.joined(separator: ", ")) }")]
    } else {
      for (key, value) in keys.sorted(by: { $0.key < $1.key }) {
        let place = path.appending(.key(key))
        edits.append(value.map { .set(place, to: $0) } ?? .remove(place))
      }
    }
    return document.applying(edits)?.text
  }
}

/// How each help can be followed: by an edit that needs no decision, or only by a person.
enum HelpAnswers {
  /// Manifests that a finding leads to, and cases that no rule's page shows.
  static let more: [RuleCase] = [
    more(
      "value-type-changed", from: "price: Price?", to: "price: Cost?",
      "types: { Price: { struct: { amount: Int } }, Cost: { struct: { cents: Int } } }"),
    more(
      "null-trap", from: "key: String", to: "key: Key",
      "types: { Key: { enum: String, cases: [c, d] } }", drops: "Trip.key: the new one has cases"),
  ]

  private static func more(
    _ rule: String, from old: String, to new: String, _ types: String, drops: String? = nil
  ) -> RuleCase {
    let model = "models:\n  Trip:\n    properties:\n      name: String\n      "
    let end = drops.map { "drops:\n  \($0)\n" } ?? ""
    let text =
      "version: 1.0.0\n\(types)\n\(model)\(old)\n=== V2.yaml\nversion: 2.0.0\n\(types)\n\(model)\(new)\n\(end)"
    return RuleCase(rule: rule, name: old, example: Example(text))
  }

  /// The edits by rule and help.
  static let answers: [String: [HelpEdit]] = [
    "null-read: first make only the property optional, in a version of its own: status: Status?": [
      .text("[planned, done]", with: "[planned, active, done]"),
      .text("status: Status = Status.planned", with: "status: Status?"),
      .text(
        "drops:\n  Status.active: { reason: planned says the same, replacedBy: planned }\n",
        with: ""),
    ],
    "null-trap: make the attribute optional, or write 'fill:' so that a bridge version writes each row":
      [
        .keys(["fill": "Key.c"])
      ],
    "XX codable-attribute-renamed: copy the values to a new name with 'from:' and 'convert:', or write 'platforms: { iOS: 26 }' in schemagen.yaml if the app runs on no older system":
      [.keys(["renamedFrom": nil, "from": "status", "convert": "$0"])],
    "additive-needs-minor: change the number to 1.2.0": [.renumber("1.2.0")],
    "ambiguous-rename: if 'remindedAt' is its new name, remove the drop, and write: remindedAt: { type: Date?, renamedFrom: startDate }":
      [
        .text("remindedAt: Date?", with: "remindedAt: { type: Date?, renamedFrom: startDate }"),
        .text("drops:\n  Trip.startDate: the list sorts by name now", with: ""),
      ],
    "ambiguous-rename: if it is, write: startsAt: { type: Date?, renamedFrom: startDate }":
      [.shown],
    "array-element-changed: write 'from:' with the property's own name and 'convert:' with an expression":
      [.keys(["from": "stops", "convert": "'$0.compactMap { Int($0) }'"])],
    "breaking-needs-major: change the number to 2.0.0": [.renumber("2.0.0")],
    "broken-expectation: did you mean 'Trip'?": [.text("no Trips", with: "no Trip")],
    "broken-expectation: name a property that exists, or remove the line": [
      .text("new.cost", with: "new.price")
    ],
    "broken-expectation: numbers, strings, dates, data and enums with raw values can be compared": [
      .text("new.tags.isEmpty", with: "new.price == old.price")
    ],
    "cascade-many-to-many: remove 'deleteRule': a deletion then removes links, and the rows stay": [
      .keys(["deleteRule": nil])
    ],
    "cascade-to-owner: write 'deleteRule: cascade' at 'Trip.days' instead": [
      .keys(["deleteRule": nil])
    ],
    "case-not-carried: keep 'ride', and give its values another case: newLeg: { type: Leg, from: leg, convert: … }":
      [
        .text("bike: { renamedFrom: ride }", with: "ride, bike"),
        .text("leg: Leg", with: "newLeg: { type: Leg, from: leg, convert: { function: leg } }"),
      ],
    "cloud-encryption-without-sync: write 'cloudKit: private' in schemagen.yaml, or encrypt the value in code":
      [.file("schemagen.yaml", "cloudKit: private\n")],
    "cloudkit-content-changed: add a property with another name for the new values": [
      .text(
        "      note: String?\ntypes:\n  Mood: { enum: String, cases: [glad, sad, calm] }",
        with:
          "      newMood: NewMood?\ntypes:\n  Mood: { enum: String, cases: [glad, sad] }\n  NewMood: { enum: String, cases: [glad, sad, calm] }"
      )
    ],
    "cloudkit-decimal: store whole numbers of the smallest unit, or a string": [
      .text("price: Decimal = 0", with: "priceCents: Int = 0")
    ],
    "cloudkit-deny: choose nullify or cascade": [.keys(["deleteRule": "cascade"])],
    "cloudkit-encrypted-asset: encrypt the value in code before you store it, and remove 'allowsCloudEncryption'":
      [.keys(["allowsCloudEncryption": nil])],
    "cloudkit-local-relationship: keep the other row's identifier as an attribute": [
      .text("      drafts: { relationship: \"[Draft]?\", inverse: trip }\n", with: ""),
      .text("trip: { relationship: Trip? }", with: "tripTitle: String?"),
    ],
    "cloudkit-missing-default: add a default, or write 'Date?' and let the value be nil": [
      .keys(["default": "Date.distantPast"])
    ],
    "cloudkit-missing-default: add a default, or write 'String?' and let the value be nil": [
      .keys(["default": "'\"\"'"])
    ],
    "cloudkit-required-added: write 'Bool?' and let the value be nil": [
      .text("isDone: Bool = false", with: "isDone: Bool?")
    ],
    "cloudkit-reserved-name: choose another name": [
      .text("entityName", with: "kindName"), .text("photo_ckAsset", with: "photoAsset"),
    ],
    "cloudkit-siblings: give one of the two another name": [
      .text("size: String?", with: "stars: String?")
    ],
    "cloudkit-transformer: call 'ValueTransformer.setValueTransformer' before you create the container":
      [.text("{ type: Tint?, transformable: TintTransformer }", with: "Tint?")],
    "newer-system: remove 'index:': stores are recognised without it": [
      .text("    index: [[day]]\n", with: "")
    ],
    "enum-cases-renamed: compare each value with the case that reads it, and accept the change with a reason":
      [
        .end(
          "accept:\n  - { rule: enum-cases-renamed, element: Dish.course, reason: the same courses in German }"
        )
      ],
    "codable-attribute-renamed: copy the values to a new name with 'from:' and 'convert:', or write 'platforms: { iOS: 26 }' in schemagen.yaml if the app runs on no older system":
      [.text("renamedFrom: status", with: "from: status, convert: $0")],
    "compound-unique-added: write 'dedupe:' in the constraint to choose which of several equal rows stays":
      [.text("[[habit, date]]", with: "[{ keys: [habit, date], dedupe: { latest: updatedAt } }]")],
    "custom-declared: declare a conversion or a fill, or write 'stage: lightweight'": [
      .text("stage: custom", with: "stage: lightweight")
    ],
    "delete-rule-cycle: remove 'deleteRule: cascade' from the relationship that leads from a row to its owner":
      [
        .keys(["deleteRule": nil])
      ],
    "destination-changed: write 'from:' and 'convert: { function: … }', or give the new relationship another name":
      [
        .text(
          "guide: { relationship: Agency?",
          with: "guide: { from: guide, convert: { function: agency }, relationship: Agency?")
      ],
    "duplicate-identity: give one of the changed properties a new 'hashModifier:'": [
      .text(
        "name: String = \"\"", with: "name: { type: String, default: '\"\"', hashModifier: V3b }")
    ],
    "empty-version: make the change that this version is for, or remove the version: documentation needs no new version":
      [.file("V2.yaml", nil)],
    "encoded-type-changed: write 'from:' and 'convert:', or accept the change with a reason": [
      .keys(["from": "steps", "convert": "'$0.map { Step(text: $0) }'"])
    ],
    "enum-case-removed: keep the case, or say what becomes of the rows that hold it":
      [.end("drops: { Status.cancelled: { reason: nothing is cancelled, replacedBy: done } }")],
    "enum-made-required: keep the enum optional, or write 'fill:' with the value for nils": [
      .keys(["fill": "Status.planned"])
    ],
    "external-storage-removed: write 'from:' with the property's own name and 'convert: $0': a bridge version copies the values":
      [.keys(["from": "photo", "convert": "$0"])],
    "hidden-character: delete the character": [.text("​", with: "")],
    "inferred-inverse: if the two are ends of one link, declare the inverse: trip: { …, inverse: days }":
      [
        .text("trip: { relationship: Trip? }", with: "trip: { relationship: Trip?, inverse: days }")
      ],
    "inverse-changed: try the migration on a copy of a real store, and accept the change with a reason":
      [
        .end(
          "accept:\n  - { rule: inverse-changed, element: Trip.days, reason: tried it }\n  - { rule: inverse-changed, element: Day.trip, reason: tried it }"
        )
      ],
    "lightweight-declared: write 'stage: custom' if you meant it; 'schemagen diff' shows what needs code":
      [.text("stage: lightweight", with: "stage: custom")],
    "mandatory-relationship: make the relationship optional, or write 'from:' or 'fill:' with a function that finds its target":
      [.keys(["fill": "{ function: trip }"])],
    "missing-default: give a default, make the attribute optional, or write 'fill:' or 'from:' and 'convert:'":
      [.keys(["default": "0"])],
    "missing-fallback: write a fallback: tags: { type: Data, encodes: '[String]', fallback: … }": [
      .keys(["fallback": "'[]'"])
    ],
    "missing-inverse: add a relationship to 'Trip' in 'Day' and name it with 'inverse:' at one end":
      [
        .text("relationship: \"[Day]\"", with: "relationship: \"[Day]\", inverse: trip"),
        .text("      date: Date", with: "      date: Date\n      trip: { relationship: Trip? }"),
      ],
    "missing-link: give 'Day' an 'id': id: { type: UUID, fill: UUID() }": [
      .text("number: Int", with: "number: Int\n      id: UUID")
    ],
    "missing-raw-value: if 'read' still has the raw value of 'finished' in the app's code: cases: { read: { rawValue: done, renamedFrom: finished }, … }":
      [
        .text(
          "[open, read: { renamedFrom: finished }]",
          with: "{ open: open, read: { rawValue: done, renamedFrom: finished } }")
      ],
    "missing-source: name the property that the value comes from: nights: { type: Int, from: …, convert: $0 }":
      [.keys(["from": "place", "convert": "$0.count"])],
    "missing-summary: write 'summary: …' with a few words": [.end("summary: trips have days")],
    "missing-timestamp: add 'updatedAt: Date', with a 'fill:' if rows exist already": [
      .text("    properties:\n", with: "    properties:\n      updatedAt: Date\n")
    ],
    "no-action-orphans: choose nullify or cascade": [.keys(["deleteRule": "cascade"])],
    "no-room-for-bridge: number it 1.1.0 or 2.0.0": [.renumber("1.1.0")],
    "no-way-back: in V2 say how: steps: { type: Data, encodes: '[Step]', fallback: '[]', from: steps, convert: '$0.map { Step(text: $0) }', revert: … }":
      [
        .text(
          "convert: \"$0", with: "revert: '$0.map { $0.text }'\n        convert: \"$0",
          in: "V2.yaml")
      ],
    "no-way-back: in V2 write: drops: { Trip.code: { reason: \"why\", revert: … } }": [
      .text(
        "Trip.code: replaced by the booking's number",
        with: "Trip.code: { reason: it was never shown, revert: '\"\"' }", in: "V2.yaml")
    ],
    "no-way-forward: convert the values in the step that changed the property's type: 'from:' and 'convert:'":
      [.keys(["from": "steps", "convert": "'$0.map { Step(text: $0) }'"])],
    "nullify-required: make 'Day.trip' a 'Trip?', or write 'deleteRule: cascade' here if these rows may be deleted as well":
      [
        .keys(["deleteRule": "cascade"])
      ],
    "number-range-changed: write 'from:' and 'convert:' with a conversion that cannot trap, such as 'clamping:', or accept the change with a reason":
      [.keys(["from": "minutes", "convert": "'UInt(clamping: $0)'"])],
    "number-type-changed: write 'from:' and 'convert:' to convert in your own way, or accept the change with a reason":
      [.keys(["from": "budget", "convert": "'Int(exactly: $0.rounded()) ?? 0'"])],
    "optional-array: write '[String]' with the default [], and 'fill: []' for rows of an older version":
      [
        .text("\"[String]?\"", with: "{ type: '[String]', default: '[]' }")
      ],
    "unstorable-type: store the value's parts in separate properties, or its JSON in a property of type 'Data?'":
      [.keys(["type": "Data?"])],
    "patch-changes-schema: change the number to 1.1.0": [.renumber("1.1.0")],
    "raw-value-changed: keep the raw value, change it in the rows with 'renamedFrom:', or accept the change with a reason":
      [.text("high: 3", with: "high: 2")],
    "refused-level: give a default, make the attribute optional, or write 'fill:' or 'from:' and 'convert:'":
      [
        .keys(["default": "0"])
      ],
    "relationship-made-exclusive: give the relationship a to-many inverse, or accept the change with a reason if no two rows lead to the same row":
      [
        .end(
          "accept:\n  - { rule: relationship-made-exclusive, element: Trip.guide, reason: a guide leads one trip }"
        )
      ],
    "relationship-made-required: keep the relationship optional, or write 'fill:' with a function that finds a target":
      [.keys(["fill": "{ function: trip }"])],
    "relationship-narrowed: accept the change with a reason if no row can be outside the new bounds":
      [
        .end(
          "accept:\n  - { rule: relationship-narrowed, element: Trip.days, reason: no trip is longer than a week }"
        )
      ],
    "required-struct-added: make the attribute optional, or write 'fill:' so that a bridge version writes each row":
      [.keys(["fill": "'Place(latitude: 0, longitude: 0)'"])],
    "required-without-fill: write 'fill:' with the value for nils, or give a default": [
      .keys(["fill": "'\"\"'"])
    ],
    "reused-name: give the new property a name that no version had": [
      .text("      title: String?", with: "      subtitle: String?")
    ],
    "revived-name: choose a name that no version had": [
      .text("      note: ", with: "      remark: ")
    ],
    "second-revert: remove it": [.keys(["revert": nil])],
    "step-key-in-first-version: if stores from before the first manifest have that name, write 'originalName:'; if not, delete 'renamedFrom'":
      [.keys(["renamedFrom": nil, "originalName": "title"])],
    "struct-field-added: make the field optional, or declare the struct under another name and convert":
      [.text("altitude: Double = 0", with: "altitude: Double?")],
    "struct-field-changed: add a field of another name, or declare the struct under another name and convert":
      [.text("code: String", with: "code: Int, text: String?")],
    "struct-field-made-required: keep the field optional, or declare the struct under another name and convert":
      [.text("code: Int", with: "code: Int?")],
    "struct-field-null-trap: make the field optional": [
      .text("altitude: Double", with: "altitude: Double?")
    ],
    "struct-field-number-changed: add a field of another name instead, or accept the change with a reason":
      [.text("height: Int", with: "height: Double, metres: Int?")],
    "subclass-in-entity: let the entity hold identifiers, which lead to the rows themselves: inEntity: identifiers":
      [.keys(["inEntity": "identifiers"])],
    "superclass-changed: add a new model with the new superclass and copy the rows with 'from:'": [
      .text("  BusinessTrip:\n", with: "  Business:\n    from: BusinessTrip\n")
    ],
    "swallowed-error: write 'convert: { function: … }' and let the function throw": [
      .keys(["convert": "{ function: stops }"])
    ],
    "to-many-to-one: write 'from:' with the property's own name and 'convert: { function: … }' to choose one link":
      [.keys(["from": "guide", "convert": "{ function: first }"])],
    "to-one-to-many-new-inverse: give the relationship its inverse one version earlier, or write 'from:' with the property's own name and 'convert: { function: … }'":
      [
        .text(
          "guide: { relationship",
          with: "guide: { from: guide, convert: { function: guides }, relationship")
      ],
    "to-one-to-many-no-inverse: give the relationship an inverse one version earlier, or write 'from:' with the property's own name and 'convert: { function: … }'":
      [
        .text(
          "guide: { relationship",
          with: "guide: { from: guide, convert: { function: guides }, relationship")
      ],
    "transformer-changed: accept the change with a reason if the new code reads what the old code wrote":
      [
        .end(
          "accept:\n  - { rule: transformer-changed, element: Trip.route, reason: it reads what the old one wrote }"
        )
      ],
    "trapping-conversion: give such a row a value: '?? …'": [.keys(["convert": "'Int($0) ?? 0'"])],
    "type-changed: write 'from:' with the property's own name and 'convert:' with an expression": [
      .keys(["from": "zipCode", "convert": "String($0)"])
    ],
    "type-changed: give the property a new name, with 'from:' and 'convert:'": [
      .text(
        "price: Cost?", with: "newPrice: { type: Cost?, from: price, convert: { function: cost } }")
    ],
    "unacknowledged-drop: to drop it, write: drops: { BusinessTrip.name: \"why\" }": [
      .end("drops: { BusinessTrip.name: \"the trip has it\" }")
    ],
    "unacknowledged-drop: to drop it, write: drops: { Trip.packingList: \"why\" }": [
      .end("drops: { Trip.packingList: \"nobody used it\" }")
    ],
    "unconfirmed-drop: of Trip: packingList": [
      .text("unconfirmed", with: "{ reason: nobody used it, notCarriedTo: packingNotes }")
    ],
    "unconfirmed-drop: models dropped with all rows: TripV1": [
      .text("unconfirmed", with: "{ reason: its rows are in the new model, notCarriedTo: TripV2 }")
    ],
    "unique-added: write 'dedupe:' to choose which of several equal rows stays": [
      .keys(["dedupe": "{ latest: updatedAt }"])
    ],
    "unknown-type: if it is one of the app's types, declare it: 'types: { TripStatus: { opaque: true } }'":
      [.end("types: { TripStatus: { opaque: true } }")],
    "unorderable: name a date, a number or a string, or write 'dedupe: { function: … }'": [
      .text("latest: id", with: "latest: updatedAt")
    ],
    "value-type-changed: declare the new type under another name, and convert the values into properties with new names":
      [
        .text(
          "Price: { struct", with: "Price: { enum: String, cases: [low, high] }\n  Cost: { struct"),
        .text(
          "price: Price?", with: "cost: { type: Cost?, from: price, convert: { function: cost } }"),
      ],
    "value-type-changed: give the property a new name, with 'from:' and 'convert:'": [
      .text(
        "price: Cost?", with: "newPrice: { type: Cost?, from: price, convert: { function: cost } }")
    ],
    "version-gap: the version after 1.0.0 is one of 1.0.1, 1.1.0, 2.0.0": [.renumber("2.0.0")],
    "version-mismatch: rename it to V2.yaml, or write 'version: 1.0.0'": [.renumber("2.0.0")],
    "versioned-reference: take the value as '$0', or write the conversion in a function: '{ function: … }'":
      [
        .keys(["convert": "{ function: nights }"])
      ],
    "volatile-conversion: derive the value only from old values": [.keys(["convert": "$0"])],
  ]

  /// Only a person, a command or git can follow these.
  static let personal: Set<String> = [
    "after-hook: make values with 'convert:' or 'fill:' instead",
    "circular-inheritance: no help",
    "cloud-encryption-changed: keep the option as it was, and add an optional property with another name and the new option",
    "cloudkit-custom-stage: let the app fill a new optional property instead",
    "cloudkit-missing-inverse: add a relationship to 'Day' and name it with 'inverse:' at one end",
    "cloudkit-removal: keep 'Entry.legacy' as it is, and add an optional property with another name, which the app fills",
    "cloudkit-removal: keep 'Entry.legacy', and stop using it",
    "cloudkit-rename: keep the old name in the store, and give the domain entity the new one: Entry: { entity: Intake, … }",
    "cloudkit-type-change: give the property a name that no version had",
    "cloudkit-type-change: keep the property, and add an optional one with another name, which the app fills",
    "conflicting-entity: give one of the models another entity, or none",
    "conflicting-keys: delete 'deleteRule', or write 'relationship:' in place of 'type:'",
    "contested-inverse: no help",
    "dangling-inverse: no help",
    "duplicate-key: no help",
    "duplicate-name: no help",
    "duplicate-version: give one of the manifests another number, or delete it",
    "empty-duplicates: turn an empty string into nil, which equals nothing, in an optional property with a new name: { type: String?, from: barcode, convert: '$0.isEmpty ? nil : $0', unique: true, dedupe: … }",
    "empty-file: no help",
    "empty-join: skip empty parts: [$0, $1].filter { !$0.isEmpty }.joined(separator: \", \")",
    "trapping-conversion: write Int(exactly: ($0 * 100).rounded()), which is nil there, and give such a row a value: '?? …'",
    "unlinked-rows: add a relationship, which the step sets by itself: photo: { relationship: Photo? } at 'Trip'",
    "unlinked-rows: keep one of the relationships in this version (the step sets it), and add the rest in the next",
    "expired-acceptance: fix the finding",
    "invalid-expression: no help",
    "invalid-name: a name is a letter or '_', then letters A–Z, digits and '_', at most 128",
    "invalid-type: no help",
    "link-to-duplicate: give 'Trip.owner' an inverse in an earlier version: the row that stays then takes over the links",
    "lock-conflict: run 'schemagen rebase': it keeps the other branch's versions, and puts yours after them",
    "lock-duplicate: restore the other branch's lock, and run 'schemagen rebase': it renumbers your version",
    "lock-edited: restore the lock: git checkout HEAD -- schema.lock; only 'schemagen generate' and 'schemagen release' write it",
    "lock-entry: restore the lock: git checkout HEAD -- schema.lock",
    "lock-format: another release of schemagen wrote the lock: use that release, or restore the lock from git",
    "lock-hashes: run 'schemagen generate': it writes the right hashes, and git shows what changed",
    "lock-order: restore the lock: git checkout HEAD -- schema.lock",
    "lock-state-order: users who install V2 migrate through every version before it: restore the lock from git, and run 'schemagen release V2'",
    "lock-unreadable: restore the lock: git checkout HEAD -- schema.lock",
    "malformed-acceptance: write # schemagen:accept RULE: REASON",
    "missing-inverse: if row A becomes the 'boss' of row B, B also becomes the 'boss' of A: add the other end to 'Person', with 'inverse: boss'",
    "missing-key: write 'relationship: Model' or 'type: String'",
    "missing-lock: run 'schemagen generate' and commit what it writes",
    "name-style: rename it now: after a release, a new name needs a new version",
    "no-upgrade-tests: write 'tests: ../Tests/Migrations' and 'module: …' in schemagen.yaml",
    "newer-system: give 'Flight' the properties of 'Trip', without 'inherits:'",
    "newer-system: remove 'unique:', and check for equal rows in the app",
    "newer-system: store the value as 'Data', which the app encodes",
    "nothing-released: if users have V1, run 'schemagen release V1'",
    "placeholder-reason: say who checked the decision, and why it is right",
    "redundant-unique: remove the constraint, or 'unique' from 'id'",
    "refused-level: no help",
    "renamed-under-cloudkit: keep the name in the store; if the app needs another one, add an optional property and let the app fill it: a copy with 'from:' leaves the cloud's values behind",
    "reserved-name: choose another name; with 'entityProperty: description' the entity keeps this one",
    "shipped-step-edited: restore the manifest from git",
    "shipped-version-edited: restore the manifest from git",
    "shipped-version-missing: restore the manifest from git: stores on people's devices still have that version",
    "stop-needed: no action is needed; 'schemagen diff' shows the reasons",
    "subclass-in-entity: give 'Person' an 'id', and let the entity hold identifiers, which lead to the rows themselves: inEntity: identifiers",
    "transformable-attribute: store JSON in a Data property with 'encodes:'",
    "unapproved-loss: ask whoever owns 'approvals.json' to review the loss, and to run: schemagen approve Trip.packingList",
    "unknown-model: no help",
    "unknown-property: no help",
    "unknown-source: no help",
    "unreachable-version: if V2 has shipped, run 'schemagen release V2'; if not, merge it into the next version",
    "unreadable-file: delete the character",
    "unused-type: use the type, or remove it",
    "wrong-placeholder: no help",
    "wrong-value: no help",
    "yaml-syntax: put single quotes around the whole value",
    "yaml-unsupported: write the value out at each place",
  ]
}
