import Testing

@testable import SchemaModel

/// Expressions from manifests: none may leave its place, and replacing '$0' may not change its meaning.
@Suite struct SwiftExpressionTests {
  static let refused: [(text: String, reason: String)] = [
    ("", "missing"),
    ("  ", "missing"),
    ("1, 2", "','"),
    ("1; 2", "';'"),
    ("f(1; 2)", "';'"),
    ("[1; 2]", "';'"),
    ("0 } ; class Evil {", "'}' closes nothing"),
    ("0 }", "'}' closes nothing"),
    ("{ 0", "never closed"), ("$0 +", "a value must follow '+'"), ("$0 ??", "must follow '?'"),
    ("$0.", "must follow '.'"),
    ("(0]", "']' closes nothing"),
    ("f(", "never closed"),
    ("[1", "never closed"),
    (")", "closes nothing"),
    ("0 // end", "comment"),
    ("0 /* x */", "comment"),
    ("0 */", "end a comment"),
    ("f(0 // x\n)", "one line"),
    ("0\nclass Evil {}", "one line"),
    ("\"a\nb\"", "one line"),
    ("0\rlet x = 1", "one line"),
    ("0\u{2028}1", "invisible"),
    ("0\u{85}1", "invisible"),
    ("\"a\u{202E}b\"", "invisible"),
    ("\"a\u{2066}b\"", "invisible"),
    ("a\u{200B}b", "invisible"),
    ("\u{FEFF}0", "invisible"),
    ("a\u{0}", "invisible"),
    ("#if DEBUG", "'#'"),
    ("#selector(x)", "'#'"),
    ("#file", "'#'"),
    ("x #", "'#'"),
    ("@escaping x", "'@'"),
    ("'a'", "Swift strings are written"),
    ("…", "is a placeholder"),
    ("$1.map { … }", "is a placeholder"),
    ("\"a", "never closed"),
    ("#\"a\"", "never closed"),
    ("\"\"\"a\"\"\"", "multi-line"),
    ("\"\\(a", "never closed"),
    ("\"\\(f(\"x\"))\"", "inside a string's interpolation"),
    ("\"\\(a /* )\" */", "comment"),
    ("\"\\(a // )\"", "comment"),
    ("/\"/ ; class Evil {} ; /\"/", "regular expression"),
    ("f(/\"/)", "regular expression"),
    ("a /\"/ b", "regular expression"),
    ("[/a/]", "regular expression"),
    ("`a", "never closed"),
    ("$x", "followed by a digit"),
    ("$", "followed by a digit"),
    ("$10", "at most ten"),
    ("$0a", "at most ten"),
    ("a \\ b", "'\\'"),
    (String(repeating: "(", count: 65), "nest"),
  ]

  @Test(arguments: refused) func refuses(_ text: String, _ reason: String) {
    do throws(SwiftExpression.SyntaxError) {
      let expression = try SwiftExpression(text)
      Issue.record("'\(text)' was taken as '\(expression)'")
    } catch {
      #expect(error.reason.contains(reason), "\(error.reason)")
      #expect(error.offset >= 0 && error.offset <= text.utf8.count)
    }
  }

  static let allowed: [String] = [
    "0", "-1", "0.5", "\"\"", "\"a, b; c // d\"", "#\"a \"b\" c\"#", "##\"a\"# b\"##", "[]", "[:]",
    "[1, 2]", "f(1, 2)", "Date()", "Date.now", "$0", "$0 ?? $1", "$0.map { $0 + 1 }",
    "{ let x = 1; return x }()", "[\"a\": 1]", "a as? B", "try f($0)", "a ? b : c",
    "\\Habit.name", "\\.name", "`default`", "a!.b?.c", "\"\\(a)\"", "\"\\u{41}\"", "\"\\\"\"",
    "\"\\\\\"", "a / b", "a/b", "f(a)/b", "a * b", "1...3", "\"über\"", "\"日本\"", "$0 == $1 && !$2",
    "x.reduce(0, +)", "TimeZone.current.identifier", "\"it's @ #1\"",
  ]

  /// Refused expressions that are valid Swift come with another form, which is accepted.
  @Test func interpolatedStringsHaveAnotherForm() throws {
    let error = try #require(throws: SwiftExpression.SyntaxError.self) {
      try SwiftExpression(#""to \(name($0, "x"))""#)
    }
    #expect(error.help.first == #"join the parts with '+' instead: "to " + name($0, "x")"#)
    #expect(try SwiftExpression(#""to " + name($0, "x")"#).placeholderCount == 1)
  }

  @Test(arguments: allowed) func allows(_ text: String) throws {
    #expect(try SwiftExpression(" \(text) ").text == text)
  }

  /// A comment that begins in an interpolation would contain the string's end.
  @Test func offsetsPointAtThePlace() {
    #expect(throws: SwiftExpression.SyntaxError(reason: "',' would end the expression", offset: 1))
    {
      try SwiftExpression("1, 2")
    }
    #expect(throws: SwiftExpression.SyntaxError(reason: "'}' closes nothing", offset: 2)) {
      try SwiftExpression("0 } ; class Evil {")
    }
    #expect(
      throws: SwiftExpression.SyntaxError(reason: "'@' does not belong in an expression", offset: 5)
    ) {
      try SwiftExpression("\"ü\" @x")
    }
  }

  static let primary: [(text: String, isPrimary: Bool)] = [
    ("a", true), ("a.b.c", true), ("f(1 + 2)", true), ("[1 + 2]", true), ("\"a b\"", true),
    ("a!", true), ("a?.b", true), ("Date()", true), ("`default`", true), ("{ 0 }()", true),
    ("a[0]", true), ("$0", true), ("$0.b", true), ("#\"a\"#", true), ("0.5", true),
    ("a + b", false), ("-a", false), ("a ?? b", false), ("a ? b : c", false), ("try a", false),
    ("await a", false), ("a as B", false), ("a is B", false), ("!a", false), ("a..<b", false),
    ("if a { b } else { c }", false), ("switch a { default: b }", false), ("a == b", false),
    ("\\.name", false), ("f() as? B", false), ("\"a\" as Any", false), ("&a", false),
  ]

  @Test(arguments: primary) func isPrimary(_ text: String, _ isPrimary: Bool) throws {
    #expect(try SwiftExpression(text).isPrimary == isPrimary)
  }

  static let unqualified: [(text: String, isUnqualified: Bool)] = [
    (".current", true), ("[.monday]", true), ("[.monday, .friday]", true), ("[a, .friday]", true),
    ("[[.a]]", true), ("[\"a\": .b]", true), ("A.current", false), ("f(.a)", false),
    ("a ? .b : .c", true), ("x ?? .c", false), ("[A.b]", false), ("Date.now", false),
    ("\".a\"", false), ("a?.b", false), ("f().b", false), ("x == .c", false), ("0.5", false),
    ("[f(.a)]", false),
  ]

  @Test(arguments: unqualified) func isUnqualified(_ text: String, _ isUnqualified: Bool) throws {
    #expect(try SwiftExpression(text).isUnqualified == isUnqualified)
  }

  static let volatile: [(text: String, isVolatile: Bool)] = [
    ("Date()", true), ("Date.now", true), ("UUID()", true), ("UUID().uuidString", true),
    ("TimeZone.current.identifier", true), ("Int.random(in: 0...1)", true), ("Date.init()", true),
    ("Date(timeIntervalSinceNow: 5)", true), ("ProcessInfo.processInfo.hostName", true),
    ("Date.distantPast", false), ("0", false), ("\"\"", false), ("[]", false),
    ("Date(timeIntervalSince1970: 0)", false), ("MyDate.none", false),
    ("Color.currentColor", false),
    ("Kind.nowhere", false), ("Page.randomized", false),
    ("a.random", true), ("[Date.now]", true), ("Calendar.current", true),
  ]

  @Test(arguments: volatile) func isVolatile(_ text: String, _ isVolatile: Bool) throws {
    #expect(try SwiftExpression(text).isVolatile == isVolatile)
  }

  static let plain: [(text: String, isPlain: Bool)] = [
    ("0", true), ("-1.5", true), ("\"\"", true), ("\"a \\(b) c\"", true), ("#\"a\"#", true),
    ("a ?? 0", true), ("a ?? b ?? \"\"", true), ("Int(a) ?? 0", true), ("a ?? b", false),
    ("a ?? TimeZone.current.identifier", true), ("String(a)", true), ("String(a.b)", true),
    ("String(data: a, encoding: .utf8)", false),
    ("String(a.drop { $0 != \" \" }.dropFirst())", true),
    ("String(a.split(separator: \" \").last ?? \"\")", true), ("String(a)(b)", false),
    ("String(a) + f(b)", false), ("Int(a)", false),
    ("\"a\" + b", false), ("\"a\".first", false), ("(a ?? 0)", false), ("f(a ?? 0)", false),
    ("a ? b : 0", false), ("a ?? 0 == b", false), ("String(a)[0](b)", false), ("nil", false),
    ("a ?? nil", false), ("UUID()", true), ("true", true),
  ]

  @Test(
    "Expressions that are never nil are recognised without knowing their type", arguments: plain)
  func isPlainlyThere(_ text: String, _ isPlain: Bool) throws {
    #expect(try SwiftExpression(text).isPlainlyThere == isPlain)
  }

  static let applied: [(text: String, arguments: [String], result: String)] = [
    ("$0", ["row.a"], "row.a"),
    ("$0", ["a + b"], "(a + b)"),
    ("$0 ?? 0", ["row.a"], "row.a ?? 0"),
    ("$0 * 2", ["a + b"], "(a + b) * 2"),
    ("$0.count", ["a ?? b"], "(a ?? b).count"),
    ("$0 + $1", ["row.a", "row.b"], "row.a + row.b"),
    ("$1 + $0", ["row.a", "row.b"], "row.b + row.a"),
    ("f($0, $0)", ["row.a"], "f(row.a, row.a)"),
    ("f($0, $0)", ["g(row.a)"], "{ f($0, $0) }(g(row.a))"),
    ("$0.map { $0 + 1 }", ["row.a"], "row.a.map { $0 + 1 }"),
    ("\"\\($0)\"", ["row.a"], "\"\\(row.a)\""),
    ("\"\\($0)\"", ["a ?? b"], "\"\\(a ?? b)\""),
    ("\"\\($0.count) of \\($1)\"", ["a ?? b", "c"], "\"\\((a ?? b).count) of \\(c)\""),
    ("\"\\($0.map { $0 })\"", ["a ?? b"], "\"\\((a ?? b).map { $0 })\""),
    ("#\"\\#($0) \\($1)\"#", ["a", "b"], "#\"\\#(a) \\($1)\"#"),
    ("\"\\($0)\"", ["a ?? \"\""], "{ \"\\($0)\" }(a ?? \"\")"),
    ("$0.map { \"\\($0)\" }", ["row.a ?? \"\""], "(row.a ?? \"\").map { \"\\($0)\" }"),
    ("0", ["row.a"], "0"),
    ("\"$0\"", ["row.a"], "\"$0\""),
    ("$0", ["try f(x)"], "(try f(x))"),
  ]

  @Test(arguments: applied) func applies(
    _ text: String, _ arguments: [String], _ result: String
  ) throws {
    let expression = try SwiftExpression(text).applied(
      to: arguments.map { try SwiftExpression($0) })
    #expect(expression.text == result)
    // The result is itself an expression that stays in its place.
    #expect(throws: Never.self) { try SwiftExpression(expression.text) }
  }

  @Test func countsPlaceholders() throws {
    #expect(try SwiftExpression("$0 + $2").placeholderCount == 3)
    #expect(try SwiftExpression("{ $0 + $1 }(1, 2)").placeholderCount == 0)
    #expect(try SwiftExpression("\"\\($1)\"").placeholderCount == 2)
    #expect(try SwiftExpression("\"$4\"").placeholderCount == 0)
  }

  /// A closure applied to two values must mention both, or Swift infers one parameter.
  @Test func appliedTwiceKeepsArgumentsApart() throws {
    let first = try SwiftExpression("$0 ?? $1").applied(to: [.name("row.a"), .name("row.b")])
    let second = try SwiftExpression("f($0)").applied(to: [first])
    #expect(second.text == "f((row.a ?? row.b))")
  }

  @Test func bracesStandInParenthesesAsInitialValues() throws {
    #expect(try SwiftExpression("{ 0 }()").initializerText == "({ 0 }())")
    #expect(try SwiftExpression("[{ 0 }()]").initializerText == "[{ 0 }()]")
    #expect(try SwiftExpression("0").initializerText == "0")
    let applied = try SwiftExpression("$0.map { $0 }").applied(to: [.name("a")])
    #expect(applied.initializerText == "(a.map { $0 })")
  }

  // MARK: Rows

  @Test(
    arguments: [
      ("new.a == old.b", ["a"], ["b"]), ("\"new.a\" == old.b", [], ["b"]),
      ("\"\\(new.a) old.b\" == c", ["a"], []), ("#\"\\(new.a) \\#(old.b)\"# == c", [], ["b"]),
      ("\"\\\"new.a\" == old . b", [], ["b"]), ("x.new.a == y", [], []),
      ("anew.a == new_.b", [], []),
      ("new.`default` == old.`in`", ["default"], ["in"]),
      ("f(new: old.b, old: new.a)", ["a"], ["b"]),
      ("x ? new.a : old.b", ["a"], ["b"]), ("(0...old.b).contains(new.a)", ["a"], ["b"]),
      ("new == old", ["-"], ["-"]), ("new.a.b.old", ["a"], []),
      ("[1].map { $0 + new.a } == []", ["a"], []),
      ("new?.a == old!.b", ["-"], ["-"]), ("\\.new.a", [], []), ("new.é", ["é"], []),
    ] as [(String, Set<String>, Set<String>)])
  func rows(_ text: String, _ new: Set<String>, _ old: Set<String>) throws {
    let expression = try SwiftExpression(text)
    #expect(Set(expression.uses(of: "new").map { $0 ?? "-" }) == new)
    #expect(Set(expression.uses(of: "old").map { $0 ?? "-" }) == old)
    #expect(expression.code.utf8.count == text.utf8.count)
  }

  @Test(arguments: [
    ("old.name! == x", "!"), ("\"\\(old.name!)\" == x", "!"), ("\"a!\" == x", nil), ("!new.a", nil),
    ("new.a != old.b", nil), ("try! f(new.a)", "try!"), ("new.a as! Int == 1", "as!"),
    ("String(repeating: \"x\", count: $0)", "count: $0)"), ("$0.prefix($1)", ".prefix($1)"),
    ("Data(count: $0)", "count: $0)"), ("String($0.prefix(3))", nil),
    ("$0.prefix(max(0, $1))", nil),
    ("$0.index(after: $0.startIndex)", ".index(after: $0.startIndex)"),
    ("[\"a\", \"b\"][$0]", "[\"a\", \"b\"][$0]"), ("[\"a\": 1, \"b\": 2][$0] ?? 0", nil),
    ("[1, 2].contains($0)", nil), ("(1...$0).count", "...$0"), ("(0..<10).contains($0)", nil),
    ("String($0.removeLast())", ".removeLast()"), ("Character($0)", "Character($0)"),
    ("Array(stride(from: 0, to: 9, by: $0))", "stride(from: 0, to: 9, by: $0)"),
    ("Dictionary(uniqueKeysWithValues: $0.map { ($0, 1) })", "uniqueKeysWithValues:"),
    ("Array($0.suffix(from: 1))", ".suffix(from: 1)"), ("$0[0..<1]", "$0[0..<1]"),
    ("$0.split(separator: \",\", maxSplits: $1)", "maxSplits: $1"),
    ("DateInterval(start: $0, end: $1)", "DateInterval(start: $0, end: $1)"),
  ])
  func traps(_ text: String, _ found: String?) throws {
    #expect(try SwiftExpression(text).trap == found)
  }
}
