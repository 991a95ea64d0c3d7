/// One table for each part of the format.
extension BadManifest {
  static let topLevel: [BadManifest] = [
    BadManifest("- a\n", "wrong-value", 1, 1, "expected a mapping for a manifest, found a list"),
    BadManifest("models: { M: { properties: {} } }", "missing-key", 1, 1, "version: 9.0.0"),
    BadManifest("version: 1.0.0\n", "missing-key", 1, 1, "'models'"),
    BadManifest("version: 1.0.0\nmodels: {}\n", "wrong-value", 2, 1, "at least one"),
    BadManifest("version: 1.0.0\nmodels: [M]\n", "wrong-value", 2, 9, "found a list"),
    BadManifest("version: 1.0.0\nmodels: { M: {} }\n", "missing-key", 2, 11, "'properties'"),
    BadManifest("version: 1.0.0\nmodels:\n  M:\n", "wrong-value", 3, 3, "found nothing"),
    BadManifest(
      "version: nine\nmodels: { M: { properties: {} } }\n", "wrong-value", 1, 10, "9.0.0"),
    BadManifest(
      "version:\nmodels: { M: { properties: {} } }\n", "wrong-value", 1, 1, "has no value"),
    .top("sumary: x", "unknown-key", 3, 1, "did you mean 'summary'?"),
    .top("zebra: x", "unknown-key", 3, 1, "known here: version"),
    .top("summary:", "wrong-value", 3, 1, "no value"),
    .top("summary: [a]", "wrong-value", 3, 10, "expected text"),
    .top("summary: a\u{202E}b", "hidden-character", 3, 11, "U+202E"),
    .top("summary: \"a\\u200Bb\"", "hidden-character", 3, 10, "U+200B"),
    .top("summary: |\n  a\n  b", "wrong-value", 3, 10, "one line"),
    .top("hooks: before", "wrong-value", 3, 8, "expected a list"),
    .top("hooks: [befor]", "wrong-value", 3, 9, "did you mean 'before'?"),
    .top("expect: no M without a", "wrong-value", 3, 9, "expected a list"),
    .top("expect: [count(M) is the same]", "wrong-value", 3, 10, "no Trip without owner"),
    .top("expect: [7]", "wrong-value", 3, 10, "is not something that schemagen can check"),
    .top("expect: ['']", "wrong-value", 3, 10, "no value"),
    .top("expect: [[M]]", "wrong-value", 3, 10, "expected text"),
    .top("expect: [no M without]", "wrong-value", 3, 10, "no Trip without owner"),
    .top(
      "expect: [no M without a b]", "wrong-value", 3, 10,
      "is not something that schemagen can check"),
    .top("expect: [no M.x without b]", "invalid-name", 3, 13, "'M.x'"),
    .top("expect: [no M without a-b]", "invalid-name", 3, 23, "'a-b'"),
    .top("expect: [{ M: new.a == (1 }]", "invalid-expression", 3, 26, "("),
    .top("expect: [{ M: new.a == $0 }]", "wrong-placeholder", 3, 15, "'$0'"),
    .top("expect: [{ M: }]", "wrong-value", 3, 12, "no value"),
    .top("expect: [{ M: new.a == 1, N: new.a == 1 }]", "wrong-value", 3, 10, "about 2"),
    .top("expect: ['M: new.a == (1']", "invalid-expression", 3, 25, "("),
    .top("expect: ['../M: new.a == 1']", "invalid-name", 3, 11, "'../M'"),
    .top("accept: [{ rule: a, element: b }]", "missing-key", 3, 10, "'reason'"),
    .top("drops: { M.b: }", "wrong-value", 3, 10, "no value"),
    .top("drops: { M.b: { revert: '0' } }", "missing-key", 3, 15, "'reason'"),
    .top("drops: { M.b: { reason: x, revert: $0 } }", "wrong-placeholder", 3, 36, "$0"),
    .top("drops: { M.b: { reason: x, revert: } }", "wrong-value", 3, 28, "revert: '\"\"'"),
    .top("drops: { ../Evil: x }", "invalid-name", 3, 10, "Model.property"),
  ]

  static let models: [BadManifest] = [
    .model("entity: ../Evil", "invalid-name", 5, 13, "'../Evil'"),
    .model("entity: x; import Foundation", "invalid-name", 5, 13, "import"),
    .model("entity: 'Habit '", "invalid-name", 5, 14, "write 'Habit'"),
    .model("entity: class", "reserved-name", 5, 13, "keyword"),
    .model("entity: String", "reserved-name", 5, 13, "generated code"),
    .model("doc: \"a\\u2066b\"", "hidden-character", 5, 10, "U+2066"),
    .model("doc: \"a\\rb\"", "hidden-character", 5, 10, "U+000D"),
    .model("indx: [[a]]", "unknown-key", 5, 5, "did you mean 'index'?"),
    .model("unique: [a, b]", "wrong-value", 5, 14, "unique: [[a]]"),
    .model("unique: [[]]", "wrong-value", 5, 14, "is empty"),
    .model("unique: [[a, a]]", "duplicate-name", 5, 18, "twice"),
    .model("unique: [[a, c]]", "unknown-property", 5, 18, "no property 'c'"),
    .model("unique: [{ dedupe: { latest: a } }]", "missing-key", 5, 14, "'keys'"),
    .model(
      "unique: [{ keys: [a], dedupe: { latest: c } }]", "unknown-property", 5, 45, "'c'"),
    .model(
      "unique: [{ keys: [a], dedupe: { latest: a, earliest: b } }]", "wrong-value", 5, 27,
      "one of"),
    .model("index: [{ btree: [a] }]", "unknown-key", 5, 15, "rtree"),
    .model("index: [{ binary: [a], rtree: [b] }]", "wrong-value", 5, 13, "one of"),
    .model("index: [{ rtree: [lat] }]", "unknown-property", 5, 23, "'lat'"),
    .model("inherits: N", "unknown-model", 5, 15, "'N'"),
    .model("inherits: M", "circular-inheritance", 5, 15, "M → M"),
    .model("renamedFrom: A\nfrom: [B]", "conflicting-keys", 6, 5, "exclude"),
    .model("from: [A, A]", "duplicate-name", 5, 15, "twice"),
  ]

  static let names: [BadManifest] = [
    .properties("self: Int", "reserved-name", 5, 7, "'self'"),
    .properties("x: Int\n_x: Int", "reserved-name", 6, 7, "@Model declares"),
    .properties("description: String", "reserved-name", 5, 7, "entityProperty: description"),
    .properties("entity: String", "reserved-name", 5, 7, "aborts on the first save"),
    .properties("Type: Int", "reserved-name", 5, 7, "metatype"),
    .properties("x; import Foundation: Int", "invalid-name", 5, 7, "letter"),
    .properties("../Evil: Int", "invalid-name", 5, 7, "letter"),
    .properties("😀: Int", "invalid-name", 5, 7, "letter"),
    .properties("'': Int", "invalid-name", 5, 7, "missing"),
    .properties("1st: Int", "invalid-name", 5, 7, "letter"),
    .properties("größe: Int", "invalid-name", 5, 7, "cannot be a property's name here"),
    .properties("`x`: Int", "yaml-syntax", 5, 7, "cannot begin"),
    .properties(
      "a: { type: Int, convert: Kind(rawValue: $0) }", "yaml-syntax", 5, 45, "': ' in it"),
    .properties("a: { type: Int default: 1 }", "yaml-syntax", 5, 29, "',' or '}' is missing"),
    .properties("name: Int\nName: Int", "duplicate-name", 6, 7, "ZNAME"),
    .properties("a: { type: Int, entityProperty: init }", "reserved-name", 5, 39, "'init'"),
    .properties("a: { type: Int, originalName: a-b }", "invalid-name", 5, 37, "'a-b'"),
    .properties("a: { type: Data, transformable: A.B }", "invalid-name", 5, 39, "'A.B'"),
    BadManifest(
      "version: 1.0.0\nmodels: { class: { properties: {} } }\n", "reserved-name", 2, 11,
      "keyword"),
    BadManifest(
      "version: 1.0.0\nmodels: { Data: { properties: {} } }\n", "reserved-name", 2, 11, "'Data'"),
    BadManifest(
      "version: 1.0.0\nmodels: { A b: { properties: {} } }\n", "invalid-name", 2, 11, "'A b'"),
    BadManifest(
      "version: 1.0.0\nmodels: { Ab: { properties: {} }, AB: { properties: {} } }\n",
      "duplicate-name", 2, 35, "ZAB"),
    BadManifest(
      "version: 1.0.0\nmodels: { A: { properties: {} } }\ntypes: { A: { opaque: true } }\n",
      "duplicate-name", 3, 10, "both a model and a type"),
  ]

  static let typesAndExpressions: [BadManifest] = [
    .properties("a:", "wrong-value", 5, 7, "a: String"),
    .properties(
      "a: [String]", "wrong-value", 5, 10,
      "'a: \"[String]\"', or 'a: { relationship: \"[String]\" }'"),
    .properties("a: []", "wrong-value", 5, 10, "\"[String]\""),
    .properties("a: (Int, Int)", "invalid-type", 5, 10, "struct"),
    .properties("a: Set<Int = 1", "invalid-type", 5, 18, "'>'"),
    .properties("a: Dictionary<String, (A)>", "invalid-type", 5, 29, "struct"),
    .properties("a: \"[String: (A)]\"", "invalid-type", 5, 20, "struct"),
    .properties("a: { type: Int?? }", "invalid-type", 5, 23, "optional"),
    .properties("a: Strng", "unknown-type", 5, 10, "did you mean 'String'?"),
    .properties("a: \"[String: Mony] = [:]\"", "unknown-type", 5, 20, "Mony: { opaque: true }"),
    .properties("a: M?", "unknown-type", 5, 10, "{ relationship: M? }"),
    .properties("a: \"[M]\"", "unknown-type", 5, 12, "{ relationship: \"[M]\" }"),
    .properties("a: { type: Data, encodes: Moni }", "unknown-type", 5, 33, "'Moni'"),
    .properties("a: String =", "wrong-value", 5, 18, "default: '\"\"'"),
    .properties("a: { type: String, default: }", "wrong-value", 5, 26, "default: '\"\"'"),
    .properties("a: { type: String, default: '' }", "wrong-value", 5, 35, "default: '\"\"'"),
    .properties("a: Int = 1; import Foundation", "invalid-expression", 5, 17, "';'"),
    .properties("a: Int = f(1", "invalid-expression", 5, 19, "never closed"),
    .properties("é: Int = 1", "invalid-name", 5, 7, "'é'"),
    .properties("a: String = \"é\" // x", "invalid-expression", 5, 23, "comment"),
    .properties("a: Int = $0", "wrong-placeholder", 5, 16, "takes no values"),
    .properties("a: { type: Int, default: $1 }", "wrong-placeholder", 5, 32, "'$1'"),
    .properties(
      "a:\n  type: Int\n  default: |\n    1 // x", "invalid-expression", 7, 18, "comment"),
    .properties("a:\n  type: Int\n  default: '1 // x'", "invalid-expression", 7, 21, "comment"),
    .properties(
      "a:\n  type: Int\n  default: 'it''s // x'", "invalid-expression", 7, 18, "strings are written"
    ),
    .properties("a: Date = .now", "unqualified-default", 5, 17, "write 'Date.now'"),
    .properties(
      "a: { type: Data, encodes: Date, fallback: .distantPast }", "unqualified-default", 5, 49,
      "'Date.distantPast'"),
    .properties("a: { type: Date, fill: .now }", "unqualified-default", 5, 30, "'Date.now'"),
    .properties("a: \"[Date] = [.now]\"", "unqualified-default", 5, 20, "every member"),
  ]

  static let attributes: [BadManifest] = [
    .properties("a: { default: '1' }", "missing-key", 5, 7, "relationship: Model"),
    .properties("a: { type: Int, uniqe: true }", "unknown-key", 5, 23, "'unique'"),
    .properties("a: { type: Int, unique: yes }", "wrong-value", 5, 31, "write true"),
    .properties("a: { type: Int, unique: True }", "wrong-value", 5, 31, "write true"),
    .properties("a: { type: Int, spotlight: off }", "wrong-value", 5, 34, "write false"),
    .properties("a: { type: Int, codable: maybe }", "wrong-value", 5, 32, "true or false"),
    .properties(
      "a: { type: Int?, transient: true, init: 1 }", "conflicting-keys", 5, 41, "'init'"),
    .properties("a: { type: Int, init: '' }", "wrong-value", 5, 29, "'init'"),
    .properties("a: { type: Int, inEntity: valu }", "wrong-value", 5, 33, "'value'"),
    .properties("a: { type: Int, inEntity: identifiers }", "conflicting-keys", 5, 33, "omit"),
    .properties("a: { type: Int, encodes: Date }", "conflicting-keys", 5, 23, "type: Data"),
    .properties("a: { type: Data, fallback: '1' }", "conflicting-keys", 5, 24, "'encodes'"),
    .properties("a: { type: Int, inverse: b }", "conflicting-keys", 5, 23, "relationship"),
    .properties("a: { type: Int, dedupe: { latest: a } }", "conflicting-keys", 5, 23, "unique"),
    .properties("a: { type: Int, transient: true }", "missing-key", 5, 7, "type: Int?"),
    .properties(
      "a: { type: Int?, transient: true, unique: true }", "conflicting-keys", 5, 41, "transient"),
    .properties("a: { type: Int, doc: '' }", "wrong-value", 5, 28, "no value"),
    .properties("a: { type: Int, hashModifier: [v2] }", "wrong-value", 5, 37, "found a list"),
  ]

  /// Literals that clearly have another type than the property, which the compiler would report in a generated file.
  static let literals: [BadManifest] = [
    .properties("a: Int = \"x\"", "wrong-value", 5, 16, "'default' must be Int: \"x\" is a String"),
    .properties("a: { type: Int, default: '\"x\"' }", "wrong-value", 5, 33, "is a String"),
    .properties("a: String = 3", "wrong-value", 5, 19, "'\"3\"'"),
    .properties("a: Int = 1.5", "wrong-value", 5, 16, "1.5 is a number with a fraction"),
    .properties("a: Int = nil", "wrong-value", 5, 16, "Int?"),
    .properties("a: Bool = 1", "wrong-value", 5, 17, "true or false"),
    .properties("a: Date = true", "wrong-value", 5, 17, "true is a Bool"),
    .properties("a: { type: '[String]', default: '\"x\"' }", "wrong-value", 5, 40, "is a String"),
    .properties("a: { type: Int, default: '[]' }", "wrong-value", 5, 33, "[] is an array"),
    .properties("a: { type: Int, init: '\"x\"' }", "wrong-value", 5, 30, "is a String"),
    .properties("a: { type: Int, fill: nil }", "wrong-value", 5, 29, "nil"),
    .properties("a: { type: Int, fill: '\"x\"' }", "wrong-value", 5, 30, "is a String"),
    .properties("a: { type: Int, from: b, convert: '\"x\"' }", "wrong-value", 5, 42, "is a String"),
    .properties(
      "a: { type: Data, encodes: '[Int]', fallback: 1 }", "wrong-value", 5, 52, "1 is a number"),
    BadManifest(
      "version: 1.0.0\nmodels: { M: { properties: { a: S } } }\ntypes:\n  S: { struct: { n: 'Int = \"x\"' } }\n",
      "wrong-value", 4, 28, "is a String"),
  ]

  static let relationships: [BadManifest] = [
    .properties("a: { relationship: N }", "unknown-model", 5, 26, "no model"),
    .properties("a: { relationship: String }", "unknown-model", 5, 26, "type:"),
    .properties("a: { relationship: [N] }", "unknown-model", 5, 27, "no model"),
    .properties("a: { relationship: [M, N] }", "wrong-value", 5, 26, "[Model]?"),
    .properties("a: { relationship: Set<M> }", "invalid-type", 5, 26, "[Model]?"),
    .properties("a: { relationship: }", "wrong-value", 5, 12, "found nothing"),
    .properties("a: { relationship: M, type: Int }", "conflicting-keys", 5, 29, "exclude"),
    .properties(
      "a: { relationship: M?, default: nil }", "conflicting-keys", 5, 30, "delete 'default'"),
    .properties(
      "a: { relationship: M?, transient: true }", "conflicting-keys", 5, 30, "relationship"),
    .properties(
      "a: { relationship: M?, deleteRule: cascad }", "wrong-value", 5, 42, "'cascade'"),
    .properties(
      "a: { relationship: '[M]', from: b, convert: '$0.map { [$0] } ?? []' }", "wrong-value", 5, 52,
      "function: a"),
    .properties(
      "a: { relationship: M?, from: b, convert: { function: f }, revert: $0 }", "conflicting-keys",
      5, 65, "delete 'revert'"),
    .properties("a: { type: Int, sortedBy: a }", "conflicting-keys", 5, 23, "relationship"),
    .properties(
      "a: { relationship: M?, inEntity: value, sortedBy: b }\nb: Int", "conflicting-keys", 5, 57,
      "to-many"),
    .properties(
      "a: { relationship: '[M]', sortedBy: b }\nb: Int", "conflicting-keys", 5, 33,
      "inEntity: value"),
    .properties(
      "a: { relationship: '[M]', inEntity: identifiers, sortedBy: ide }\nid: Int",
      "unknown-property",
      5, 66, "'id'"),
    .properties(
      "a: { relationship: '[M]', inEntity: value, sortedBy: b }\nb: Int?", "wrong-value", 5, 60,
      "'Int?'"),
    .properties(
      "a: { relationship: '[M]', inEntity: value, sortedBy: a }", "wrong-value", 5, 60, "'[M]'"),
    .properties(
      "a: { relationship: '[M]', inEntity: value, sortedBy: [b, c] }\nb: Int\nc: Int?",
      "wrong-value", 5, 64, "'Int?'"),
    .properties(
      "a: { relationship: '[M]', inEntity: value, sortedBy: [b, c, d, e, f, g, h] }\n"
        + ["b", "c", "d", "e", "f", "g", "h"].map { "\($0): Int" }.joined(separator: "\n"),
      "wrong-value", 5, 60, "6"),
    .properties("a: { relationship: M?, minimum: -1 }", "wrong-value", 5, 39, "0 or more"),
    .properties(
      "a: { relationship: \"[M]\", minimum: 3, maximum: 2 }", "conflicting-keys", 5, 42,
      "greater"),
    .properties("a: { relationship: M?, inverse: b }", "dangling-inverse", 5, 39, "'b'"),
    .properties("a: { relationship: M?, inverse: a }", "dangling-inverse", 5, 39, "its own"),
    .properties(
      "a: { relationship: M?, inverse: b }\nb: Int", "dangling-inverse", 5, 39,
      "not a relationship"),
    .properties(
      "a: { relationship: M?, inverse: b }\nb: { relationship: [M], inverse: a }",
      "inverse-on-both-sides", 6, 40, "delete 'inverse: a' in line 6"),
    .properties(
      "a: { relationship: M?, inverse: c }\nb: { relationship: M?, inverse: c }\n"
        + "c: { relationship: [M] }", "contested-inverse", 6, 39, "already the inverse of 'M.a'"),
    .properties(
      "a: { relationship: M?, inverse: b }\nb: { relationship: M?, inverse: c }\n"
        + "c: { relationship: M? }", "contested-inverse", 5, 39, "its own inverse"),
    BadManifest(
      "version: 1.0.0\nmodels:\n  A: { properties: { b: { relationship: B, inverse: c } } }\n"
        + "  B: { properties: { c: { relationship: C } } }\n  C: { properties: {} }\n",
      "dangling-inverse", 3, 53, "leads to 'C', not back to 'A'"),
  ]

  static let steps: [BadManifest] = [
    .properties(
      "a: { type: Int, renamedFrom: b, from: c }", "conflicting-keys", 5, 39, "exclude"),
    .properties("a: { type: Int, convert: $0 }", "conflicting-keys", 5, 23, "'from'"),
    .properties(
      "a: { type: Int, from: b, convert: $0 + $1 }", "wrong-placeholder", 5, 41, "one value"),
    .properties("a: { type: Int, from: [b, c] }", "missing-key", 5, 23, "'convert'"),
    .properties(
      "a: { type: Int, from: b, convert: $0, revert: $1 }", "wrong-placeholder", 5, 53, "'$1'"),
    .properties(
      "a: { type: Int, from: b, convert: $0, revert: { from: [a, d], convert: $0 } }",
      "unknown-property", 5, 65, "'d'"),
    .properties(
      "a: { type: Int, from: b, convert: $0, revert: { from: [a] } }", "missing-key", 5, 45,
      "'convert'"),
    .properties(
      "a: { type: Int, from: b, convert: $0, revert: { convert: $0 } }", "missing-key", 5, 45,
      "'from'"),
    .properties(
      "a: { type: Int, from: b, convert: $0, revert: { from: [a], convert: $1 } }",
      "wrong-placeholder", 5, 75, "'$1'"),
    .properties(
      "a: { type: Int, from: b, convert: $0, revert: { from: a, convert: $0, function: f } }",
      "conflicting-keys", 5, 77, "convert: { function: name }"),
    .properties(
      "a: { type: Int, from: [b, c], convert: $0 + $1, revert: $0 }", "wrong-value", 5, 63,
      "several"),
    .properties(
      "a: { type: Int, from: [b, c], convert: $0 + $1, revert: { b: $0 } }", "missing-key", 5, 55,
      "'c'"),
    .properties(
      "a: { type: Int, from: [b, c], convert: $0, revert: { b: $0, c: $0, d: $0 } }",
      "unknown-key", 5, 74, "'from'"),
    .properties(
      "a: { type: Int, from: [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10], convert: $0 }",
      "wrong-value", 5, 29, "more than 10"),
    .properties("a: { type: Int, fill: $0 }", "wrong-placeholder", 5, 29, "no values"),
    .properties("a: { type: Int, fill: { func: f } }", "unknown-key", 5, 31, "function"),
    .properties("a: { type: Int, fill: {} }", "missing-key", 5, 23, "'function'"),
    .properties(
      "a: { type: Int, fill: { function: f() } }", "invalid-name", 5, 41, "function's name"),
    .properties(
      "a: { type: Int, unique: true, dedupe: { latest: b } }", "unknown-property", 5, 55, "'b'"),
    .properties("a: { type: Int, fill: }", "wrong-value", 5, 23, "no value"),
  ]

  static let valueTypes: [BadManifest] = [
    .top("types: { T: { enum: String } }", "missing-key", 3, 15, "'cases'"),
    .top("types: { T: { enum: String, cases: [] } }", "wrong-value", 3, 29, "one case"),
    .top("types: { T: { enum: Strin, cases: [a] } }", "wrong-value", 3, 21, "'String'"),
    .top("types: { T: { enum: Date, cases: [a] } }", "wrong-value", 3, 21, "integer type"),
    .top("types: { T: { enum: String, cases: [a, a] } }", "duplicate-name", 3, 40, "twice"),
    .top("types: { T: { enum: String, cases: [a b] } }", "invalid-name", 3, 37, "'a b'"),
    .top("types: { T: { enum: String, cases: [self] } }", "reserved-name", 3, 37, "'self'"),
    .top("types: { T: { enum: Int, cases: [a] } }", "wrong-value", 3, 34, "write out"),
    .top("types: { T: { enum: none, cases: { a: 1 } } }", "conflicting-keys", 3, 34, "list"),
    .top("types: { T: { enum: Int, cases: { a: x } } }", "wrong-value", 3, 38, "'x'"),
    .top("types: { T: { enum: Int, cases: { a: } } }", "wrong-value", 3, 35, "literal"),
    .top(
      "types: { T: { enum: String, cases: [a: { from: b }] } }", "unknown-key", 3, 42, "renamedFrom"
    ),
    .top(
      "types: { T: { enum: String, cases: [a: { rawValue: b }] } }", "conflicting-keys", 3, 42,
      "mapping"),
    .top(
      "types: { T: { enum: Int, cases: { a: { renamedFrom: b } } } }", "missing-key", 3, 35,
      "'rawValue'"),
    .top("types: { T: { enum: Int8, cases: { a: 128 } } }", "wrong-value", 3, 39, "8 bits"),
    .top(
      "types: { T: { enum: Int, cases: { a: 1, b: 01 } } }", "duplicate-name", 3, 44, "01"),
    .top(
      "types: { T: { enum: String, cases: { a: l, b: '\"l\"' } } }", "duplicate-name", 3, 47,
      "\"l\""),
    .top("types: { T: { enum: Double, cases: { a: .5 } } }", "wrong-value", 3, 41, "1.5"),
    .top("types: { T: {} }", "missing-key", 3, 10, "opaque: true"),
    .top("types: { T: { opaque: false } }", "wrong-value", 3, 23, "'enum:'"),
    .top(
      "types: { T: { opaque: true, struct: { a: Int } } }", "conflicting-keys", 3, 15, "'struct'"),
    .top("types: { T: { struct: { a: Int }, cases: [b] } }", "conflicting-keys", 3, 35, "enum"),
    .top("types: { T: { struct: {} } }", "wrong-value", 3, 15, "at least one"),
    .top("types: { T: { struct: { a: Intt } } }", "unknown-type", 3, 28, "'Int'"),
    .top("types: { T: { struct: { a: M } } }", "unknown-type", 3, 28, "a model"),
    .top("types: { T: { struct: { a: Int = } } }", "invalid-expression", 3, 33, "missing"),
    .top("types: { String: { opaque: true } }", "reserved-name", 3, 10, "another type"),
    .top("types: { CGFloat: { opaque: true } }", "reserved-name", 3, 10, "another type"),
    .top("types: { A.B: { enum: none, cases: [a] } }", "invalid-name", 3, 10, "'A.B'"),
    .top("types: { a-b: { opaque: true } }", "invalid-name", 3, 10, "'a-b'"),
  ]
}
