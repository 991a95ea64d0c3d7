import SchemaManifest
import SchemaModel
import Testing

@testable import SchemaWorkspace

/// Each key changes the digest of its part. Order and comments change none.
@Suite struct DigestTests {
  static let manifest = """
    version: 2.0.0
    summary: Words
    hooks: [before]
    models:
      Trip:
        doc: A trip.
        entity: TripEntity
        properties:
          id: { type: UUID, unique: true, dedupe: { latest: made } }
          made: { type: Date, default: Date.distantPast, doc: When. }
          name: { type: String, renamedFrom: title, originalName: label, hashModifier: x }
          size: { type: Int, from: width, convert: $0 + 1, revert: $0 - 1 }
          stamp: { type: UUID, fill: UUID(), inEntity: omit }
          raw: { type: Data, default: Data(), encodes: Info, fallback: Info(), entityProperty: info }
          color: { type: Paint, transformable: Painter }
          memo: { type: String?, transient: true }
          stops: { relationship: [Stop], inverse: trip, deleteRule: cascade, minimum: 1, maximum: 9 }
        unique: [{ keys: [name, made], dedupe: { earliest: made } }]
        index: [[name], { rtree: [size] }]
      Stop:
        properties:
          trip: { relationship: Trip?, inEntity: identifiers }
      Stay:
        inherits: Stop
        properties: {}
      Note:
        from: Memo
        properties:
          kind: Kind?
    types:
      Kind: { enum: Int, cases: { one: 1, two: 2 }, doc: Which. }
      Info: { struct: { a: Int = 0, b: String? } }
      Paint: { opaque: true }
    drops:
      Trip.gone: { reason: not read, revert: '1' }
    accept:
      - { rule: shared-default, element: Trip.made, reason: right }
    """

  private static func version(_ text: String) throws -> SchemaVersion {
    let read = ManifestReader().read(SourceFile(path: "V2.yaml", text: text))
    let errors = read.diagnostics.filter { $0.severity == .error }
    try #require(errors.isEmpty, "\(errors.map(\.message)) in\n\(text)")
    return try #require(read.version)
  }

  static let structure = [
    ("2.0.0", "3.0.0"), ("entity: TripEntity", "entity: Journey"),
    (
      "unique: true, dedupe: { latest: made }",
      "dedupe: { latest: made }, unique: true, ephemeral: true"
    ),
    ("Date.distantPast", "Date.distantFuture"), ("originalName: label", "originalName: tag"),
    ("hashModifier: x", "hashModifier: y"), ("inEntity: omit", "inEntity: value"),
    ("encodes: Info", "encodes: Kind"), ("fallback: Info()", "fallback: Info.none"),
    ("entityProperty: info", "entityProperty: more"), ("Painter", "Sprayer"),
    ("memo: { type: String?, transient: true }", "memo: { type: String? }"),
    ("[Stop], inverse: trip", "[Stop]"), ("cascade", "deny"), ("minimum: 1", "minimum: 2"),
    ("maximum: 9", "maximum: 8"), ("keys: [name, made]", "keys: [name, size]"),
    ("index: [[name],", "index: [[size],"), ("{ rtree: [size] }", "{ binary: [size] }"),
    ("inEntity: identifiers", "inEntity: value"), ("inherits: Stop", "inherits: Note"),
    ("kind: Kind?", "kind: Kind"), ("two: 2", "two: 3"), ("two: 2", "too: 2"),
    ("a: Int = 0", "a: Int = 1"), ("b: String?", "b: Int?"),
    ("doc: Which. }", "doc: Which., own: true }"),
  ]
  static let step = [
    ("[before]", "[after]"), ("{ latest: made }", "{ function: pick }"),
    ("renamedFrom: title", "renamedFrom: heading"), ("from: width", "from: height"),
    ("$0 + 1", "$0 + 2"), ("$0 - 1", "$0 - 2"), ("fill: UUID()", "fill: { function: stamp }"),
    ("{ earliest: made }", "{ latest: made }"), ("from: Memo", "from: Page"),
    ("from: Memo", "renamedFrom: Memo"), ("Trip.gone", "Trip.lost"),
    ("revert: '1'", "revert: '2'"),
  ]
  static let prose = [
    ("summary: Words", "summary: Other words"), ("doc: A trip.", "doc: A journey."),
    ("doc: When.", "doc: Then."), ("doc: When. }", "doc: When., init: Date.now }"),
    ("doc: Which.", "doc: That."),
    ("opaque: true", "opaque: true, doc: Colour"), ("not read", "never read"),
    ("rule: shared-default", "rule: number-type-changed"),
    ("element: Trip.made", "element: Trip.id"),
  ]

  @Test("Changing a key of the structure changes the digest of the structure", arguments: structure)
  func structureMoves(_ old: String, _ new: String) throws {
    try expect(.structure, old, new)
  }

  @Test("Changing a key of the step changes only the digest of the step", arguments: step)
  func stepMoves(_ old: String, _ new: String) throws { try expect(.step, old, new) }

  @Test("Changing documentation changes no digest", arguments: prose)
  func proseMoves(_ old: String, _ new: String) throws { try expect(nil, old, new) }

  private func expect(_ part: VersionDigest.Part?, _ old: String, _ new: String) throws {
    let range = try #require(Self.manifest.firstRange(of: old), "\(old)")
    let changed = try Self.version(Self.manifest.replacingSubrange(range, with: new))
    let version = try Self.version(Self.manifest)
    #expect(VersionDigest(version).edit(to: changed) == part, "\(old) → \(new)")
  }

  @Test(
    "Changing comments or the order of keys changes no digest",
    arguments: [
      ("summary: Words\nhooks: [before]", "hooks: [before] # first\nsummary: Words"),
      (
        "{ type: UUID, fill: UUID(), inEntity: omit }",
        "{ inEntity: omit, fill: UUID(), type: UUID }"
      ),
      ("one: 1, two: 2", "two: 2, one: 1"), ("a: Int = 0, b: String?", "b: String?, a: Int = 0"),
      ("[[name], { rtree: [size] }]", "[{ rtree: [size] }, [name]]"),
      ("reason: right", "reason: fine"),
      // Expectations of a step do not change its effect: they may be added and removed after the release.
      (
        "accept:\n", "expect: [no Trip without size, { Trip: new.size > old.width }]\naccept:\n"
      ),
      (
        "      memo: { type: String?, transient: true }\n      stops:",
        "      stops: "
      ),
    ])
  func stays(_ old: String, _ new: String) throws {
    let range = try #require(Self.manifest.firstRange(of: old), "\(old)")
    var changed = Self.manifest.replacingSubrange(range, with: new)
    if old.contains("memo") {
      // The property is moved to another place.
      changed = changed.replacing(
        "    unique: [{", with: "      memo: { transient: true, type: String? }\n    unique: [{")
    }
    let (was, now) = (try Self.version(Self.manifest), try Self.version(changed))
    #expect(VersionDigest(was) == VersionDigest(now), "\(old) → \(new)")
    #expect(SchemaLock.digest(was) == SchemaLock.digest(now), "\(old) → \(new)")
  }
}

extension String {
  fileprivate func replacingSubrange(_ range: Range<Index>, with text: String) -> String {
    self[..<range.lowerBound] + text + self[range.upperBound...]
  }
}
