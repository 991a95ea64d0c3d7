import CodeFirst
import Foundation
import SchemaModel
import SchemaWorkspace
import TestSupport
import Testing

/// Types of the app whose stored form only their code decides, and code that is only in some builds.
@Suite struct StoredTypeTests {
  static let model: String = """
    import Foundation
    import SwiftData
    @Model
    final class Book {
      var title: String
      var part: T
      init(title: String, part: T) { self.title = title; self.part = part }
    }

    """

  private func snapshot(_ files: [String: String], on disk: MemoryDisk) throws -> Snapshot {
    let folder = SchemaFolder.read("Schemas", fileSystem: disk)
    let sources = files.sorted { $0.key < $1.key }.map { SourceFile(path: $0.key, text: $0.value) }
    return try #require(Snapshot.take(folder, files: sources, fileSystem: disk))
  }

  /// A released version of the model with a declaration of `T` beside it.
  private func released(_ files: [String: String], _ configuration: String = "") throws
    -> MemoryDisk
  {
    let disk = MemoryDisk([
      "Schemas/schemagen.yaml": "classes: ../App\nconverters: none\n" + configuration
    ])
    disk["Schemas/V1.yaml"] =
      "version: 1.0.0\nmodels: { Book: { properties: { title: String } } }\n"
    let taken = try snapshot(files, on: disk)
    #expect(!taken.findings.hasErrors, "\(taken.findings)")
    try taken.write(to: disk)
    try GenerationPipeline(fileSystem: disk).run("Schemas").write(to: disk)
    try ReleaseMarking.prepare("Schemas", upTo: nil, fileSystem: disk).write(to: disk)
    return disk
  }

  /// A declaration, its edit, and whether the edit is asked about.
  static let edits: [(old: String, new: String, isAsked: Bool)] = [
    (
      "enum T: Codable { case a(Int), b(String) }",
      "public enum T: Codable, Sendable, Hashable { case a(Int,), b(String) }", false
    ),
    (
      "struct T: Codable { var a: Int; init(from decoder: Decoder) throws { a = 1 } }",
      "struct T: Codable { public var a: Int; nonisolated public init(from decoder: any Decoder) throws { a = 1 } }",
      false
    ),
    (
      "struct T: Codable { var a: Int; var b: Int; enum CodingKeys: CodingKey { case a, b } }",
      "struct T: Codable { var a: Int; enum CodingKeys: CodingKey { case a } }", true
    ),
    (
      "struct T: OptionSet, Codable { let rawValue: Int; static let a = T(rawValue: 1) }",
      "struct T: OptionSet, Codable { let rawValue: Int; static let a = T(rawValue: 2) }", true
    ),
    ("enum T: Codable { case a(Int), b(String) }", "enum T: Codable { case a(Int) }", true),
    ("enum T: Codable { case a(Int), b(String) }", "enum T: Codable { case a(Int), b(Int) }", true),
    (
      "enum T: Codable { case a(Int), b(String) }",
      "/// Two.\nenum T: Codable {\n  case a(Int)\n  case b(String)\n  var isA: Bool { true }\n}",
      false
    ),
    (
      "struct T: RawRepresentable, Codable { var rawValue: String }",
      "struct T: RawRepresentable, Codable { var rawValue: Int }", true
    ),
    (
      "struct G<V: Codable>: Codable { var a: V; var b: Int }\ntypealias T = G<Int>",
      "struct G<V: Codable>: Codable { var a: V }\ntypealias T = G<Int>", true
    ),
    (
      "enum T: String, Codable { case a, b }",
      "enum T: String, Codable { case a, b }\nextension T { init?(rawValue: String) { self = .a }; var rawValue: String { \"x\" } }",
      true
    ),
    (
      "struct T: Codable { var a: Int }",
      "struct T: Codable { var a: Int }\nextension T: RawRepresentable { var rawValue: String { \"\" }; init?(rawValue: String) { a = 1 } }",
      true
    ),
    (
      "struct T: Codable { var a: Double }",
      "@propertyWrapper struct W: Codable { var wrappedValue: Double }\nstruct T: Codable { @W var a: Double }",
      true
    ),
    (
      "enum T: String, Codable { case a, b }",
      "protocol Base: Codable {}\nextension Base { func encode(to encoder: any Encoder) throws {} }\nprotocol Odd: Base {}\nenum T: String, Odd { case a, b }",
      true
    ),
    (
      "typealias Text = String\nenum T: Text, Codable { case a, b }",
      "enum T: String, Codable { case a, b }", false
    ),
    (
      "typealias Number = Int\nenum T: Number, Codable { case a, b }",
      "typealias Number = Int\nenum T: Number, Codable { case b, a }", true
    ),
    (
      "enum T: Int, Codable { case a = 1, b = 2 }",
      "typealias T = U\nenum U: Int, Codable { case none, b, a }", true
    ),
    (
      "typealias Page = Int\nenum T: Codable { case book(page: Page) }",
      "typealias Page = String\nenum T: Codable { case book(page: Page) }", true
    ),
    (
      "struct Page: Codable { var n: Int }\nenum T: Codable { case book(page: Page) }",
      "struct Page: Codable { var n: Int; var s = 0 }\nenum T: Codable { case book(page: Page) }",
      true
    ),
    (
      "struct T: OptionSet, Codable { let rawValue: Int; static let a = T(rawValue: 1 << 2) }",
      "public struct T: OptionSet, Codable { public let rawValue: Int; public init(rawValue: Int) { self.rawValue = rawValue }; public static let a = T(rawValue: 1 << 2) }",
      false
    ),
    (
      "enum T: String, Codable { case a, b }",
      "enum T: String, Codable { case a; @available(*, unavailable) case b }", true
    ),
    (
      "enum T: String, Codable { case a, b }",
      "enum T: String, Codable { case a; @available(iOS 18, *) case b }", false
    ),
    (
      "typealias Text = String\nstruct T: RawRepresentable, Codable { var rawValue: Text }",
      "typealias Text = Int\nstruct T: RawRepresentable, Codable { var rawValue: Text }", true
    ),
    (
      "enum Bit { static let a = 1; static let b = 2 }\nstruct T: OptionSet, Codable { let rawValue: Int; static let a = T(rawValue: Bit.a) }",
      "enum Bit { static let a = 2; static let b = 1 }\nstruct T: OptionSet, Codable { let rawValue: Int; static let a = T(rawValue: Bit.a) }",
      true
    ),
    (
      "enum Bit { static let a = 1; static let b = 2 }\nstruct T: OptionSet, Codable { let rawValue: Int; static let a = T(rawValue: Bit.a) }",
      "enum Bit { static let a = 1; static let b = 4 }\nstruct T: OptionSet, Codable { let rawValue: Int; static let a = T(rawValue: Bit.a) }",
      false
    ),
    (
      own("\"\\(whole)\"", "Self.parse(text)")
        + "extension T { static func parse(_ text: String) -> Int { 1 } }",
      own("\"\\(whole)\"", "Self.parse(text)")
        + "extension T { static func parse(_ text: String) -> Int { 2 } }",
      true
    ),
    (
      own("\"\\(whole)\"", "parse(text)") + "func parse(_ text: String) -> Int { 1 }",
      own("\"\\(whole)\"", "parse(text)") + "func parse(_ text: String) -> Int { 2 }", true
    ),
    (
      own("\"\\(whole)\"", "text.number") + "extension String { var number: Int { 1 } }",
      own("\"\\(whole)\"", "text.number") + "extension String { var number: Int { 2 } }", true
    ),
    (
      own("\"\\(whole / 10)\"", "1"),
      own("\"\\(whole / 10)\"", "1")
        + "extension Int { static func / (a: Int, b: Int) -> Int { 1 } }", true
    ),
    (
      own("\"\\(whole / 10)\"", "1"),
      own("\"\\(whole / 10)\"", "1")
        + "extension Int { static func * (a: Int, b: Int) -> Int { 1 } }", false
    ),
    (
      own("Form.stored.text(whole)", "1")
        + "class Form {}\nextension Form { static let stored = 1 }",
      own("Form.stored.text(whole)", "1")
        + "class Form {}\nextension Form { static let stored = 2 }",
      true
    ),
    (
      own("Formatter.stored.text(whole)", "1") + "extension Formatter { static let stored = 1 }",
      own("Formatter.stored.text(whole)", "1") + "extension Formatter { static let stored = 2 }",
      true
    ),
    (
      own("\"\"", "1") + "extension T { init(x: Int) { whole = x } }",
      own("\"\"", "1").replacing("whole = 1", with: "self.init(x: 1)")
        + "extension T { init(x: Int) { whole = x } }", true
    ),
    (
      own("\"\"", "1").replacing("whole = 1", with: "self.init(x: 1)")
        + "extension T { init(x: Int) { whole = x } }",
      own("\"\"", "1").replacing("whole = 1", with: "self.init(x: 1)")
        + "extension T { init(x: Int) { whole = -x } }", true
    ),
    (
      "enum K: String, Codable { case a, b }\ntypealias T = [K: Int]",
      "enum K: String, Codable { case a, b }\nextension K: CodingKeyRepresentable {}\ntypealias T = [K: Int]",
      true
    ),
    (
      "enum Bit: Int { case a, b }\nstruct T: OptionSet, Codable { let rawValue: Int; static let a = T(rawValue: 1 << Bit.a.rawValue) }",
      "enum Bit: Int { case b, a }\nstruct T: OptionSet, Codable { let rawValue: Int; static let a = T(rawValue: 1 << Bit.a.rawValue) }",
      true
    ),
    (
      "enum Bit: Int { case a, b }\nstruct T: OptionSet, Codable { let rawValue: Int; static let a = T(rawValue: 1 << Bit.a.rawValue) }",
      "enum Bit: Int { case a, b, c }\nstruct T: OptionSet, Codable { let rawValue: Int; static let a = T(rawValue: 1 << Bit.a.rawValue) }",
      false
    ),
    (
      "final class T: NSObject, NSSecureCoding { var a = 1; required init?(coder: NSCoder) { a = coder.decodeInteger(forKey: \"a\") } }",
      "final class T: NSObject, NSSecureCoding { var a = 1; required init?(coder: NSCoder) { a = coder.decodeInteger(forKey: \"b\") } }",
      true
    ),
    (
      own("\"\"", "1")
        + "extension KeyedDecodingContainer { func decode(_ type: Int.Type, forKey key: Key) throws -> Int { 1 } }",
      own("\"\"", "1")
        + "extension KeyedDecodingContainer { func decode(_ type: Int.Type, forKey key: Key) throws -> Int { 2 } }",
      true
    ),
    (
      "enum T: Codable { case book(page: Int) }",
      "enum T: Codable { case book(page: Int) }\nextension T { enum BookCodingKeys: String, CodingKey { case page = \"p\" } }",
      true
    ),
    (
      "struct P: Codable { var a: Int }\ntypealias T = [P]",
      "struct P: Codable { var a: Int }\nextension P { typealias CodingKeys = K }\nenum K: String, CodingKey { case a = \"b\" }\ntypealias T = [P]",
      true
    ),
    (
      "struct P: Codable { var a: Int; enum CodingKeys: String, CodingKey { case a } }\ntypealias T = [P]",
      "struct P: Codable { var a: Int; enum CodingKeys: String, CodingKey { case a } }\nextension P.CodingKeys { var stringValue: String { \"b\" } }\ntypealias T = [P]",
      true
    ),
    (
      "struct P: Codable { var a: Date }\ntypealias T = [P]",
      "struct P: Codable { var a: Date }\nextension KeyedDecodingContainer { func decode(_ type: Date.Type, forKey key: Key) throws -> Date { .now } }\ntypealias T = [P]",
      true
    ),
    (
      "struct P: Codable { var a: Date }\ntypealias T = [P]",
      "struct P: Codable { var a: Date }\nextension KeyedDecodingContainer { func decode(_ type: URL.Type, forKey key: Key) throws -> URL { other } }\ntypealias T = [P]",
      false
    ),
    (
      "enum T: String, Codable { case a }",
      "enum T: String, Codable { case a }\nextension RawRepresentable where Self: Codable { func encode(to encoder: any Encoder) throws {} }",
      true
    ),
    (
      "enum T: String, Codable { case a }",
      "protocol Odd {}\nenum T: String, Codable { case a }\nextension RawRepresentable where Self: Odd { func encode(to encoder: any Encoder) throws {} }",
      false
    ),
    (
      "protocol Grain { associatedtype V: Codable }\nenum Day: Grain { typealias V = Int }\nstruct G<U: Grain>: Codable { var a: U.V }\ntypealias T = G<Day>",
      "protocol Grain { associatedtype V: Codable }\nenum Day: Grain { typealias V = String }\nstruct G<U: Grain>: Codable { var a: U.V }\ntypealias T = G<Day>",
      true
    ),
    (
      "protocol Grain { associatedtype V: Codable = Int }\nenum Day: Grain {}\nstruct G<U: Grain>: Codable { var a: U.V }\ntypealias T = G<Day>",
      "protocol Grain { associatedtype V: Codable = String }\nenum Day: Grain {}\nstruct G<U: Grain>: Codable { var a: U.V }\ntypealias T = G<Day>",
      true
    ),
    (
      "enum R: CaseIterable { case a, b }\nstruct T: OptionSet, Codable { let rawValue: Int; static let a = T(rawValue: R.allCases.count) }",
      "enum R: CaseIterable { case b, a }\nstruct T: OptionSet, Codable { let rawValue: Int; static let a = T(rawValue: R.allCases.count) }",
      true
    ),
    (
      "enum K: Int, Codable { case a, b }\nenum T: Codable { case one(K) }",
      "enum K: Int, Codable { case a, b, c }\nenum T: Codable { case one(K) }\nextension T: View { var body: Int { 1 } }",
      false
    ),
    // The argument of a generic type has columns, and so does the type behind an alias.
    (
      "struct Info: Codable { var x: Int }\nstruct Box<V: Codable>: Codable { var value: V }\ntypealias T = Box<Info>",
      "struct Info: Codable { var x: Int; var z: Int? }\nstruct Box<V: Codable>: Codable { var value: V }\ntypealias T = Box<Info>",
      true
    ),
    (
      "typealias Code = Int\nstruct T: RawRepresentable, Codable { var rawValue: Code }",
      "typealias Code = String\nstruct T: RawRepresentable, Codable { var rawValue: Code }",
      true
    ),
    (
      "struct T: RawRepresentable, Codable { var rawValue: Int }",
      "typealias Code = Int\nstruct T: RawRepresentable, Codable { var rawValue: Int }", false
    ),
    // Each case with associated values has columns.
    (
      "enum T: Codable { case one(Int) }", "enum T: Codable { case one(Int), two(String) }", true
    ),
    (
      "enum K: Int, Codable { case a, b }\nenum T: Codable { case one(K) }",
      "enum K: Int, Codable { case b, a }\nenum T: Codable { case one(K) }", true
    ),
    (
      "struct T: RawRepresentable, Codable { var text: String; init(rawValue: String) { text = rawValue }; var rawValue: String { text } }",
      "struct T: RawRepresentable, Codable { var text: String; init(rawValue: String) { self.text = rawValue }; var rawValue: String { return self.text } }",
      false
    ),
    (
      "struct T: OptionSet, Codable { let rawValue: Int; static let a = T(rawValue: 1) }",
      "struct T: OptionSet, Codable { let rawValue: Int; static let a = Self(rawValue: 1) }", false
    ),
    (
      "final class T: NSObject, NSSecureCoding { var a = 1 }",
      "@objc(Other) final class T: NSObject, NSSecureCoding { var a = 1 }", true
    ),
    (
      "struct G<V: Codable>: Codable { var a: V }\ntypealias T = G<Int>",
      "struct G<V: Codable>: Codable { var a: V }\ntypealias T = G<String>", true
    ),
    (
      "protocol Menu { associatedtype Dish: Codable }\nstruct Pick<M: Menu>: Codable { var dish: M.Dish }\nenum Fruit: Menu { typealias Dish = Int }\nenum T: Codable { case picked(Pick<Fruit>) }",
      "protocol Menu { associatedtype Dish: Codable }\nstruct Pick<M: Menu>: Codable { var dish: M.Dish }\nenum Fruit: Menu { typealias Dish = String }\nenum T: Codable { case picked(Pick<Fruit>) }",
      true
    ),
    // Code that only resembles a part of the type.
    (
      own("\"\\(whole)\"", "1"),
      own("\"\\(whole)\"", "1").replacing("text", with: "read")
        + "extension T { var read: String { \"\" }; static func whole(_ n: Int) -> T { T(whole: n) } }",
      false
    ),
    (
      "class Base: Codable { var a = 1; var b = 2 }\nfinal class T: Base { var c = 3 }",
      "class Base: Codable { var a = 1 }\nfinal class T: Base { var c = 3 }", true
    ),
    (
      "enum T: String, Codable { case a, b }",
      "protocol Listed {}\nextension Listed { func encode(to encoder: any Encoder) throws {} }\ntypealias Stored = Codable & Listed\nenum T: String, Stored { case a, b }",
      true
    ),
    (
      "struct P: Codable { var a: Int }\ntypealias T = Set<P>",
      "struct P: Codable { var a: Int; enum CodingKeys: String, CodingKey { case a = \"b\" } }\ntypealias T = Set<P>",
      true
    ),
    ("struct T: Codable { var a: Int }", "@SnakeCase struct T: Codable { var a: Int }", true),
    (
      "struct T: OptionSet, Codable { let rawValue: Int; static let a = T(rawValue: 1) }",
      "struct T: OptionSet, Codable { let rawValue: Int; static let a = T(rawValue: 2) }", true
    ),
    (
      "struct T: RawRepresentable, Codable { var rawValue: String }",
      "public struct T: RawRepresentable, Codable { public var rawValue: String; public init(rawValue: String) { self.rawValue = rawValue } }",
      false
    ),
    // Code with the same name as something that the type calls.
    (
      own("\"\"", "1") + "extension UserDefaults { func decode(_ type: String.Type) -> Int { 1 } }",
      own("\"\"", "1") + "extension UserDefaults { func decode(_ type: String.Type) -> Int { 2 } }",
      false
    ),
    (
      own("Store.key", "1")
        + "final class Store { static let key = \"\"; func encode(_ text: String) -> Int { 1 } }",
      own("Store.key", "1")
        + "final class Store { static let key = \"\"; func encode(_ text: String) -> Int { 2 } }",
      false
    ),
    (
      own("\"\"", "Int(log(2.0))") + "func log(_ text: String) -> Double { 1 }",
      own("\"\"", "Int(log(2.0))") + "func log(_ text: String) -> Double { 2 }", false
    ),
    (
      own("\"\"", "Int(log(text))") + "func log(_ text: String, level: Int) -> Double { 1 }",
      own("\"\"", "Int(log(text))") + "func log(_ text: String, level: Int) -> Double { 2 }", false
    ),
    (
      own("\"\"", "log(text)\nfunc log(_ text: String) -> Int { 1 }")
        + "func log(_ text: String) -> Int { 1 }",
      own("\"\"", "log(text)\nfunc log(_ text: String) -> Int { 1 }")
        + "func log(_ text: String) -> Int { 2 }", false
    ),
    // Arguments that a call omits, or several that it passes.
    (
      own("\"\"", "Table()[text]") + "struct Table { subscript(text: String) -> Int { 1 } }",
      own("\"\"", "Table()[text]") + "struct Table { subscript(text: String) -> Int { 2 } }", true
    ),
    (
      own("\"\"", "Table().first")
        + "@dynamicMemberLookup struct Table { subscript(dynamicMember name: String) -> Int { 1 } }",
      own("\"\"", "Table().first")
        + "@dynamicMemberLookup struct Table { subscript(dynamicMember name: String) -> Int { 2 } }",
      true
    ),
    (
      own("\"\\(coded: whole)\"", "1")
        + "extension DefaultStringInterpolation { mutating func appendInterpolation(coded n: Int) { appendInterpolation(1) } }",
      own("\"\\(coded: whole)\"", "1")
        + "extension DefaultStringInterpolation { mutating func appendInterpolation(coded n: Int) { appendInterpolation(2) } }",
      true
    ),
    (
      own("\"\"", "(\"a\" as Word).length")
        + "struct Word: ExpressibleByStringLiteral { var length: Int; init(stringLiteral value: String) { length = 1 } }",
      own("\"\"", "(\"a\" as Word).length")
        + "struct Word: ExpressibleByStringLiteral { var length: Int; init(stringLiteral value: String) { length = 2 } }",
      true
    ),
    (
      own("\"\"", "Box<Tag>.read(text)")
        + "enum Tag { static let size = 1 }; enum Box<T> { static func read(_ text: String) -> Int { T.size } }",
      own("\"\"", "Box<Tag>.read(text)")
        + "enum Tag { static let size = 2 }; enum Box<T> { static func read(_ text: String) -> Int { T.size } }",
      true
    ),
    (
      own("\"\"", "~~~text") + "prefix operator ~~~\nprefix func ~~~ (text: String) -> Int { 1 }",
      own("\"\"", "~~~text") + "prefix operator ~~~\nprefix func ~~~ (text: String) -> Int { 2 }",
      true
    ),
    (
      own("\"\"", "1") + "prefix operator ~~~\nprefix func ~~~ (text: String) -> Int { 1 }",
      own("\"\"", "1") + "prefix operator ~~~\nprefix func ~~~ (text: String) -> Int { 2 }", false
    ),
    (
      own("\"\"", "1 + 2") + "extension Int { static func + (a: Int, b: Word) -> Int { 1 } }",
      own("\"\"", "1 + 2") + "extension Int { static func + (a: Int, b: Word) -> Int { 2 } }", false
    ),
    (
      own("\"\"", "parse(text)") + "func parse(_ text: String, strict: Bool = true) -> Int { 1 }",
      own("\"\"", "parse(text)") + "func parse(_ text: String, strict: Bool = true) -> Int { 2 }",
      true
    ),
    (
      own("\"\"", "text.number(1, 2)")
        + "extension String { func number(_ parts: Int..., base: Int = 10) -> Int { 1 } }",
      own("\"\"", "text.number(1, 2)")
        + "extension String { func number(_ parts: Int..., base: Int = 10) -> Int { 2 } }", true
    ),
    (
      own("\"\"", "try decoder.container(keyedBy: K.self).lossy(.a)")
        + "enum K: CodingKey { case a }\nextension KeyedDecodingContainer { func lossy(_ key: Key) -> Int { 1 } }",
      own("\"\"", "try decoder.container(keyedBy: K.self).lossy(.a)")
        + "enum K: CodingKey { case a }\nextension KeyedDecodingContainer { func lossy(_ key: Key) -> Int { 2 } }",
      true
    ),
  ]

  /// A struct that is coded as a text.
  private static func own(_ written: String, _ read: String) -> String {
    """
    struct T: Codable {
      var whole: Int
      init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        whole = \(read)
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(\(written))
      }
    }

    """
  }

  @Test(
    "Only edits of custom coding are asked about", arguments: edits)
  func asks(_ edit: (old: String, new: String, isAsked: Bool)) throws {
    func files(_ type: String) -> [String: String] {
      ["App/Book.swift": Self.model, "App/T.swift": type + "\n"]
    }
    let disk = try released(files(edit.old))
    #expect(try snapshot(files(edit.old), on: disk).findings.filter { $0.severity == .error } == [])
    let found = try snapshot(files(edit.new), on: disk)
    #expect(found.findings.hasErrors == edit.isAsked, "\(found.findings)")
    if !edit.isAsked { #expect(!found.isNext) }
  }

  /// Declarations in the type's file and in another one, the edit of both, and whether it is asked about.
  static let privates: [(old: (String, String), new: (String, String), isAsked: Bool)] = [
    // Code that the type no longer sees.
    (
      (own("\"\"", "parse(text)") + "private func parse(_ text: String) -> Int { 1 }", ""),
      (own("\"\"", "parse(text)"), "private func parse(_ text: String) -> Int { 1 }"), true
    ),
    (
      (own("\"\"", "start") + "private let start = 1", ""),
      (own("\"\"", "start"), "fileprivate let start = 1"), true
    ),
    (
      (
        own("\"\"", "Self.parse(text)")
          + "private extension T { static func parse(_ text: String) -> Int { 1 } }", ""
      ),
      (
        own("\"\"", "Self.parse(text)"),
        "private extension T { static func parse(_ text: String) -> Int { 1 } }"
      ), true
    ),
    (
      (
        "struct T: Codable { var a: [Int] }\nprivate extension T { init(from decoder: any Decoder) throws { a = [] } }",
        ""
      ),
      (
        "struct T: Codable { var a: [Int] }",
        "private extension T { init(from decoder: any Decoder) throws { a = [] } }"
      ), true
    ),
    (
      (own("\"\"", "text.number") + "extension String { fileprivate var number: Int { 1 } }", ""),
      (own("\"\"", "text.number"), "extension String { fileprivate var number: Int { 1 } }"), true
    ),
    (
      ("enum T: Codable { case a(Page) }\nprivate struct Page: Codable { var a: Int }", ""),
      ("enum T: Codable { case a(Page) }", "private struct Page: Codable { var a: Int }"), true
    ),
    // Code that the type never saw.
    (
      (
        own("\"\"", "parse(text)") + "private func parse(_ text: String) -> Int { 1 }",
        "private func parse(_ text: String) -> Int { 1 }"
      ),
      (
        own("\"\"", "parse(text)") + "private func parse(_ text: String) -> Int { 1 }",
        "private func parse(_ text: String) -> Int { 2 }"
      ), false
    ),
    (
      (
        "enum T: Codable { case a(Page) }\nprivate typealias Page = Int",
        "private typealias Page = Int\nprivate extension T { func encode(to encoder: any Encoder) throws {} }"
      ),
      (
        "enum T: Codable { case a(Page) }\nprivate typealias Page = Int",
        "private typealias Page = String"
      ),
      false
    ),
    (
      (
        "enum T: Codable { case a(Page) }\nprivate struct Page: Codable { var a: Int }",
        "private struct Page: Codable { var a: Int }"
      ),
      (
        "enum T: Codable { case a(Page) }\nprivate struct Page: Codable { var a: Int }",
        "private struct Page: Codable { var b: Int }"
      ), false
    ),
    (
      ("enum T: Codable { case a(Int) }", "private enum T: Codable { case b(Int) }"),
      ("enum T: Codable { case a(Int) }", "private enum T: Codable { case c(Int) }"), false
    ),
    (
      ("struct P: Codable { var a: Date }\ntypealias T = [P]", ""),
      (
        "struct P: Codable { var a: Date }\ntypealias T = [P]",
        "private extension KeyedDecodingContainer { func decode(_ type: Date.Type, forKey key: Key) throws -> Date { .now } }"
      ), false
    ),
    // 'private' around code with another access level.
    (
      (
        own("\"\"", "Self.parse(text)"),
        "private extension T { internal static func parse(_ text: String) -> Int { 1 } }"
      ),
      (
        own("\"\"", "Self.parse(text)"),
        "private extension T { internal static func parse(_ text: String) -> Int { 2 } }"
      ), true
    ),
  ]

  @Test("A transformer's name may be a constant in another file")
  func transformerNames() throws {
    func isRead(_ name: String, _ value: String) throws -> Bool {
      let disk = MemoryDisk(["Schemas/schemagen.yaml": "classes: ../App\n"])
      disk["Schemas/V1.yaml"] =
        "version: 1.0.0\nmodels: { Book: { properties: { title: String } } }\n"
      let model = Self.model.replacing(
        "var part: T", with: "@Attribute(.transformable(by: \(name))) var part: NSObject?"
      ).replacing(", part: T", with: "").replacing("; self.part = part", with: "")
      let files = [
        "App/Book.swift": model, "App/Names.swift": "enum Names { static let part = \(value) }\n",
      ]
      let taken = try snapshot(files, on: disk)
      if !taken.findings.hasErrors { try taken.write(to: disk) }
      return disk["Schemas/V1.yaml"]?.contains("transformable: PartTransformer") ?? false
    }
    #expect(try isRead("Names.part", "\"PartTransformer\""))
    #expect(try !isRead("Names.part", "make()"))
    #expect(try !isRead("Names.other", "\"PartTransformer\""))
  }

  @Test("A superclass that is not a model adds no inheritance")
  func plainSuperclass() throws {
    let type = ["App/T.swift": "struct T: Codable { var a: Int }\n"]
    let disk = try released(type.merging(["App/Book.swift": Self.model]) { $1 })
    func found(_ base: String) throws -> [Diagnostic] {
      let model = Self.model.replacing("class Book", with: "class Book: Base")
      return try snapshot(
        type.merging(["App/Book.swift": model, "App/Base.swift": base]) { $1 }, on: disk
      ).findings.filter { $0.severity == .error }
    }
    #expect(try found("protocol Base {}\n") == [])
    let messages = try found("class Base {}\n").map(\.message)
    #expect(messages.contains { $0.contains("'Book' inherits from 'Base'") }, "\(messages)")
  }

  @Test(
    "A private declaration in another file does not count as a type's code", arguments: privates)
  func seesOwnFile(_ edit: (old: (String, String), new: (String, String), isAsked: Bool)) throws {
    func files(_ texts: (String, String)) -> [String: String] {
      // The other file comes first.
      ["App/Book.swift": Self.model, "App/T.swift": texts.0 + "\n", "App/A.swift": texts.1 + "\n"]
    }
    let disk = try released(files(edit.old))
    #expect(try snapshot(files(edit.old), on: disk).findings.filter { $0.severity == .error } == [])
    let found = try snapshot(files(edit.new), on: disk)
    #expect(found.findings.hasErrors == edit.isAsked, "\(found.findings)")
    if !edit.isAsked { #expect(!found.isNext && found.changes.isEmpty, "\(found.changes)") }
  }

  /// Declarations of a type, of all kinds.
  static let declarations = [
    "enum T: String, Codable { case a }", "enum T: Codable { case a(Int) }",
    "struct T: Codable { var a: Int }",
    "struct T: OptionSet, Codable { let rawValue: Int; static let a = T(rawValue: 1) }",
    "final class T: NSObject, NSSecureCoding { var a = 1 }", own("\"\"", "1"),
  ]

  @Test("A type declared only for other platforms is reported", arguments: declarations)
  func omits(_ declaration: String) throws {
    func files(_ condition: String) -> [String: String] {
      ["App/Book.swift": Self.model, "App/T.swift": "#if \(condition)\n\(declaration)\n#endif\n"]
    }
    let disk = try released(files("true"))
    let found = try snapshot(files("os(watchOS)"), on: disk)
    let asked = try #require(found.findings.first { $0.severity == .error })
    #expect(asked.rule.id == "undeclared-type" && asked.location?.file == "App/T.swift")
    #expect(asked.message.hasPrefix("'#if' excludes 'T' from the app on iOS"))
    #expect(found.differences.contains { $0.rule.id == "undeclared-type" })
    #expect(found.files.isEmpty)
  }

  @Test("A type with a recorded digest and no declaration is reported")
  func leaves() throws {
    func files(_ declaration: String) -> [String: String] {
      ["App/Book.swift": Self.model, "App/T.swift": declaration + "\n"]
    }
    let disk = try released(files("enum T: Codable { case a(Int) }"))
    let found = try snapshot(files(""), on: disk).findings.filter { $0.severity == .error }
    #expect(found.map(\.rule.id) == ["undeclared-type"])
    // The edit that the help shows.
    #expect(
      found.first?.help.contains { $0.contains("remove 'coding:' from 'T' in V1.yaml") } == true)
    let manifest = try #require(disk["Schemas/V1.yaml"])
    disk["Schemas/V1.yaml"] = manifest.replacing(/, coding: "[^"]*"/, with: "")
    #expect(disk["Schemas/V1.yaml"] != manifest)
    #expect(try !snapshot(files(""), on: disk).findings.hasErrors)
  }

  @Test("A file that is not UTF-8 is named as the reason for missing declarations")
  func undecoded() throws {
    try withTemporaryFolder { folder in
      func write(_ bytes: Data, to path: String) throws {
        let path = folder + "/" + path
        try FileManager.default.createDirectory(
          atPath: Path.folder(of: path), withIntermediateDirectories: true)
        try bytes.write(to: URL(fileURLWithPath: path))
      }
      func take() throws -> Snapshot {
        let schemas = SchemaFolder.read(folder + "/Schemas", fileSystem: Disk())
        return try #require(Snapshot.take(schemas, fileSystem: Disk()))
      }
      try write(Data("classes: ../App\nconverters: none\n".utf8), to: "Schemas/schemagen.yaml")
      try write(
        Data("version: 1.0.0\nmodels: { Book: { properties: { title: String } } }\n".utf8),
        to: "Schemas/V1.yaml")
      try write(Data(Self.model.utf8), to: "App/Book.swift")
      let type = "enum T: Codable { case a(Int) } // caf\u{e9}\n"
      let code = "extension T { func encode(to encoder: any Encoder) throws {} } // caf\u{e9}\n"
      for path in ["App/T.swift", "Kit/T.swift"] {
        try write(Data(type.utf8), to: path)
        try write(Data(code.utf8), to: "Kit/Code.swift")
        try take().write(to: Disk())
        for encoding in [String.Encoding.isoLatin1, .utf16] {
          try write(try #require(type.data(using: encoding)), to: path)
          let found = try take().findings
          let missing = try #require(found.first { $0.rule.id == "undeclared-type" }, "\(found)")
          #expect(
            missing.message == "'\(folder)/\(path)' is not UTF-8, and no other file declares 'T'")
          #expect(missing.related.map(\.location.file) == ["\(folder)/\(path)"])
          #expect(found.count { $0.rule.id == "unreadable" } == 1, "\(found)")
          try write(Data(type.utf8), to: path)
          try write(try #require(code.data(using: encoding)), to: "Kit/Code.swift")
          let lacking = try take().findings
          #expect(lacking.map(\.rule.id).contains("unreadable"), "\(lacking)")
          try write(Data(code.utf8), to: "Kit/Code.swift")
          #expect(try !take().findings.hasErrors)
        }
        try FileManager.default.removeItem(atPath: folder + "/" + path)
      }
    }
  }

  @Test("A class that a transformer archives is recognised by its name")
  func archives() throws {
    func files(_ type: String) -> [String: String] {
      let model = Self.model.replacing(
        "var part: T", with: "@Attribute(.transformable(by: Writer.self)) var part: T")
      return [
        "App/Book.swift": model,
        "App/T.swift": "final class Writer: NSSecureUnarchiveFromDataTransformer {}\n\(type)\n",
      ]
    }
    let disk = try released(files("final class T: UIColor {}"))
    let found = try snapshot(files("final class U: UIColor {}\ntypealias T = U"), on: disk).findings
    #expect(
      found.filter { $0.severity == .error }.map { "\($0.rule.id) \($0.element ?? "")" }
        .contains("transformer-changed Book.part"))
  }

  @Test("A change in a value transformer or its superclass is asked about")
  func transformers() throws {
    func files(_ text: String, _ allowed: String) -> [String: String] {
      let model = Self.model.replacing(
        "var part: T", with: "@Attribute(.transformable(by: Writer.self)) var part: T")
      let type = """
        final class T: NSObject {}
        class Base: ValueTransformer { override func transformedValue(_ value: Any?) -> Any? { \(text) } }
        final class Writer: Base { static let allowedTopLevelClasses: [AnyClass] = \(allowed) }

        """
      return ["App/Book.swift": model, "App/T.swift": type]
    }
    let disk = try released(files("1", "[]"))
    #expect(try snapshot(files("1", "[]"), on: disk).findings == [])
    #expect(try snapshot(files("2", "[]"), on: disk).findings.hasErrors)
    #expect(try snapshot(files("1", "[T.self]"), on: disk).findings.hasErrors)
  }

  @Test("A change of the transformer registered under an attribute's name is asked about")
  func registrations() throws {
    func files(_ registered: String) -> [String: String] {
      let model = Self.model.replacing(
        "var part: T", with: "@Attribute(.transformable(by: \"Writer\")) var part: T")
      let type = """
        final class T: NSObject {}
        final class Writer: ValueTransformer { override func transformedValue(_ value: Any?) -> Any? { 1 } }
        final class Other: ValueTransformer { override func transformedValue(_ value: Any?) -> Any? { 2 } }

        """
      return [
        "App/Book.swift": model, "App/T.swift": type,
        "App/App.swift": "func start() { \(registered) }\n",
      ]
    }
    func register(_ type: String, _ name: String) -> String {
      "ValueTransformer.setValueTransformer(\(type)(), forName: .init(\"\(name)\"))"
    }
    let disk = try released(files(register("Writer", "Writer")))
    func isAsked(_ registered: String) throws -> Bool {
      try snapshot(files(registered), on: disk).findings.hasErrors
    }
    #expect(try !isAsked(register("Writer", "Writer")))
    #expect(try !isAsked(register("Writer", "Writer") + "; " + register("Other", "Other")))
    #expect(try isAsked(register("Other", "Writer")))
    #expect(try isAsked(register("Writer", "Writer") + "; " + register("Other", "Writer")))
    #expect(try isAsked(""))
  }

  @Test("A new option-set constant needs no answer and is added to the manifest")
  func constants() throws {
    func files(_ constants: String) -> [String: String] {
      let type = "struct T: OptionSet, Codable { let rawValue: Int\n\(constants)\n}\n"
      return ["App/Book.swift": Self.model, "App/T.swift": type]
    }
    let (a, b) = ("static let a = T(rawValue: 1)\n", "static let b = T(rawValue: 2)\n")
    let disk = try released(files(a))
    let taken = try snapshot(files(a + b), on: disk)
    #expect(taken.findings == [] && !taken.isNext)
    try taken.write(to: disk)
    #expect(try snapshot(files(a), on: disk).findings.hasErrors)
    let edited = files(a + b.replacing("2", with: "4"))
    #expect(try snapshot(edited, on: disk).findings.hasErrors)
  }

  /// A type whose code is in a file without models, and an edit of that code.
  static let elsewhere: [(type: String, old: String, new: String)] = [
    (
      "struct T: Codable { var a: [Int] }", "",
      "extension T { init(from decoder: any Decoder) throws { a = [] } }"
    ),
    (
      "enum T: Codable { case a(Page) }", "struct Page: Codable { var a: Int }",
      "struct Page: Codable { var b: Int }"
    ),
    (
      "enum T: String, Codable, Listed { case a }", "protocol Listed {}",
      "protocol Listed {}\nextension Listed { func encode(to encoder: any Encoder) throws {} }"
    ),
    (
      "struct T: Codable { var a: Int; init(from decoder: any Decoder) throws { a = start } }",
      "let start = 1", "let start = 2"
    ),
    (
      "enum Outer { struct Inner: Codable { var a: Int } }\ntypealias T = [Outer.Inner]", "",
      "extension Outer.Inner { enum CodingKeys: String, CodingKey { case a = \"b\" } }"
    ),
  ]

  @Test(
    "A type's code is found in any file and may move", arguments: elsewhere,
    ["App/Types/More.swift", "Other/More.swift"])
  func finds(_ example: (type: String, old: String, new: String), _ path: String) throws {
    try withTemporaryFolder { folder in
      func write(_ text: String, to path: String) throws {
        let path = folder + "/" + path
        try FileManager.default.createDirectory(
          atPath: Path.folder(of: path), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      }
      func take() throws -> Snapshot {
        let schemas = SchemaFolder.read(folder + "/Schemas", fileSystem: Disk())
        return try #require(Snapshot.take(schemas, fileSystem: Disk()))
      }
      try write("classes: ../App\nconverters: none\n", to: "Schemas/schemagen.yaml")
      try write(
        "version: 1.0.0\nmodels: { Book: { properties: { title: String } } }\n",
        to: "Schemas/V1.yaml")
      try write(Self.model, to: "App/Book.swift")
      try write(example.type + "\n", to: "App/T.swift")
      try write(example.old + "\n", to: path)
      try take().write(to: Disk())
      _ = try GenerationPipeline(fileSystem: Disk()).run(folder + "/Schemas").write(to: Disk())
      try ReleaseMarking.prepare(folder + "/Schemas", upTo: nil, fileSystem: Disk())
        .write(to: Disk())
      #expect(try take().findings.filter { $0.severity == .error } == [])
      try write("// moved\n", to: path)
      try write(example.old + "\n", to: "Third/Moved.swift")
      #expect(try take().findings.filter { $0.severity == .error } == [])
      try write("", to: "Third/Moved.swift")
      try write(example.new + "\n", to: path)
      let rules = try take().findings.map(\.rule.id)
      #expect(rules.contains("model-differs") || rules.contains("value-type-changed"), "\(rules)")
    }
  }

  @Test("The order of a struct's fields is written to the manifest")
  func order() throws {
    func files(_ fields: String) -> [String: String] {
      ["App/Book.swift": Self.model, "App/T.swift": "struct T: Codable { \(fields) }\n"]
    }
    let disk = try released(files("var lat: Double; var lon: Double"))
    let taken = try snapshot(files("var lon: Double; var lat: Double"), on: disk)
    #expect(!taken.findings.hasErrors && !taken.isNext, "\(taken.findings)")
    try taken.write(to: disk)
    #expect(disk["Schemas/V1.yaml"]?.contains("struct: { lon: Double, lat: Double }") == true)
  }

  /// Code appended to the app's declarations after the manifest was written, and the findings.
  static let ownTypes: [(code: String, findings: [String])] = [
    ("", ["undeclared-type M warning"]),
    (
      "extension K { func encode(to encoder: any Encoder) throws {} }",
      ["undeclared-type M warning", "model-differs K error"]
    ),
    (
      "extension K { init?(rawValue: String) { self = .a }; var rawValue: String { \"x\" } }",
      ["undeclared-type M warning", "model-differs K error"]
    ),
    ("#if os(watchOS)", ["undeclared-type K error", "undeclared-type M warning"]),
  ]

  @Test(
    "Custom coding of the app's types is also checked if the manifests are written by hand",
    arguments: ownTypes)
  func asksOfManifests(_ example: (code: String, findings: [String])) throws {
    func manifest(_ coding: String) -> String {
      """
      version: 1.0.0
      models: { Book: { properties: { title: String, k: K?, m: M? } } }
      types: { K: { enum: String, cases: [a, b], own: true }, M: { opaque: true\(coding) } }
      """
    }
    let files = MemoryFiles([SourceFile(path: "Schemas/V1.yaml", text: manifest(""))])
    func detect(_ types: String) throws -> Detection {
      try GenerationPipeline(fileSystem: files).run("Schemas").write(to: files)
      let own = SourceFile(path: "App/T.swift", text: types)
      let generated = files.changes.compactMap { path, bytes in
        bytes.map { SourceFile(path: path, bytes: $0) }
      }.filter { $0.path.hasSuffix(".swift") }
      return Detection(
        files: [own] + generated, folders: ["Schemas"],
        today: CalendarDay(year: 2026, month: 1, day: 1)!, fileSystem: files)
    }
    let types = """
      enum K: String, Codable { case a, b }
      struct M: Codable { var cents: Int; init(from decoder: any Decoder) throws { cents = 1 } }

      """
    let isOmitted = example.code.hasPrefix("#if")
    let found = try detect(
      isOmitted
        ? types.replacing("enum K", with: "\(example.code)\nenum K")
          .replacing("b }\n", with: "b }\n#endif\n") : types + example.code
    ).findings
    #expect(
      found.map { "\($0.rule.id) \($0.element ?? "") \($0.severity)" }.sorted()
        == example.findings.sorted(), "\(found)")
    guard example.code.isEmpty else { return }
    let help = try #require(found[0].help.first?.split(separator: ": ").last)
    files.write(Array(manifest(", coding: \(help)").utf8), to: "Schemas/V1.yaml")
    #expect(try detect(types).findings == [])
    let edited = try detect(types.replacing("cents", with: "amount")).findings
    #expect(edited.map(\.element) == ["M"] && edited[0].severity == .error)
  }

  // MARK: Builds

  private static func conditional(_ condition: String) -> [String: String] {
    [
      "App/Book.swift": model.replacing(
        "var part: T\n", with: "#if \(condition)\n  var pages: Int = 0\n#endif\n  var part: Int\n"
      )
      .replacing("part: T)", with: "part: Int)")
    ]
  }

  /// A condition around a shipped property, the configuration, and the expected finding, if any.
  static let conditions: [(condition: String, configuration: String, finding: String?)] = [
    ("compiler(>=6.0)", "", nil), ("compiler(<6)", "", "unacknowledged-drop error"),
    ("compiler(>=99)", "", "unacknowledged-drop error"),
    ("swift(<5)", "", "unacknowledged-drop error"), ("swift(>=6)", "", "build-condition warning"),
    ("canImport(AppKit)", "", "unacknowledged-drop error"), ("canImport(SwiftUI)", "", nil),
    ("canImport(Nothing)", "", "build-condition warning"),
    ("canImport(Nothing)", "define: { canImport(Nothing): true }", nil),
    ("hasFeature(X)", "", "build-condition warning"),
    ("arch(arm64)", "", "build-condition warning"),
    ("arch(arm64)", "define: { 'arch(arm64)': true }", nil),
    ("!targetEnvironment(macCatalyst)", "", "build-condition warning"),
    ("!targetEnvironment(macCatalyst)", "platforms: { macOS: 14 }", nil),
    ("!targetEnvironment(simulator)", "", nil),
    ("canImport(CoreData, _version: 9999)", "", "build-condition warning"),
    ("!APPSTORE", "", "build-condition warning"), ("!APPSTORE", "define: { APPSTORE: false }", nil),
    ("!APPSTORE", "define: { APPSTORE: true }", "unacknowledged-drop error"),
    ("os(macOS)", "", "unacknowledged-drop error"), ("os(macOS)", "platforms: { macOS: 14 }", nil),
    ("os(iOS)", "platforms: { macOS: 14 }", "unacknowledged-drop error"),
    ("os(iOS)", "platforms: { iOS: 17, macOS: 14 }", "build-condition error"),
  ]

  @Test(
    "An '#if' condition is decided by the configuration or reported", arguments: conditions)
  func decides(_ example: (condition: String, configuration: String, finding: String?)) throws {
    let disk = try released(Self.conditional("true"), example.configuration + "\n")
    let found = try snapshot(Self.conditional(example.condition), on: disk)
    let told = found.findings.filter { $0.severity > .note }
      .map { "\($0.rule.id) \($0.severity)" }
    #expect(told == [example.finding].compactMap(\.self), "\(found.findings)")
    #expect(
      found.differences.isEmpty == (example.finding == nil),
      "'check' says it too: \(found.differences)")
  }

  @Test("A stored type alias that differs between builds is reported")
  func aliases() throws {
    let disk = try released(Self.conditional("true"))
    func told(_ condition: String, _ used: String) throws -> [String] {
      let alias =
        "#if \(condition)\ntypealias Count = Double\n#else\ntypealias Count = Int\n#endif\n"
      let files = Self.conditional("true").mapValues {
        $0.replacing("var pages: Int", with: "var pages: \(used)") + alias
      }
      return try snapshot(files, on: disk).findings.filter { $0.severity > .note }
        .map { "\($0.rule.id) \($0.element ?? "")" }
    }
    #expect(try told("LITE", "Count") == ["build-condition Count"])
    #expect(try told("LITE", "Int") == [])
    #expect(try told("os(macOS)", "Count") == [])
  }

  @Test("A method inside an unknown '#if' condition does not affect the store")
  func methods() throws {
    let disk = try released(Self.conditional("true"))
    let files = Self.conditional("true").mapValues {
      $0.replacing(
        "  init(title",
        with: "#if APPSTORE\n  var long: Bool { true }\n  func f() {}\n#endif\n  init(title")
    }
    #expect(try snapshot(files, on: disk).findings.filter { $0.severity > .note } == [])
  }

  @Test(
    "An '#if' among a property's attributes is refused, with what to write",
    arguments: ["@Transient", "@Attribute(.ephemeral)"])
  func conditionalAttributes(_ attribute: String) throws {
    let disk = try released(Self.conditional("true"))
    func files(_ text: String) -> [String: String] {
      Self.conditional("true").mapValues { $0.replacing("  var pages: Int = 0\n", with: text) }
    }
    let hidden = try snapshot(
      files("#if !DEBUG\n  \(attribute)\n#endif\n  var pages: Int = 0\n"), on: disk)
    #expect(
      hidden.findings.filter { $0.severity > .note }.map { "\($0.rule.id) \($0.element ?? "")" }
        == ["unread-property Book.pages"])
    // With the help followed, the condition is decided and the change asked about.
    let whole = try snapshot(
      files("#if !DEBUG\n  \(attribute) var pages: Int = 0\n#else\n  var pages: Int = 0\n#endif\n"),
      on: disk)
    #expect(
      whole.findings.filter { $0.severity == .error }.map(\.rule.id) == ["unacknowledged-drop"])
  }

  // MARK: Copies

  @Test(
    "If a type is declared twice, the declaration next to the models is used, and a different one reported"
  )
  func copies() throws {
    let type = "enum T: String, Codable { case a, b }\n"
    var files = ["App/Model/Book.swift": Self.model, "App/Model/T.swift": type]
    let disk = try released(files)
    files["App/AWidget/T.swift"] = "// The widget's.\n" + type
    #expect(try snapshot(files, on: disk).findings == [])
    files["App/AWidget/T.swift"] = type.replacing("b }", with: "b = \"other\" }")
    let widget = try snapshot(files, on: disk).findings
    #expect(widget.map(\.rule.id) == ["second-declaration"] && widget[0].severity == .warning)
    #expect(widget[0].location?.file == "App/Model/T.swift")
    #expect(widget[0].related.map(\.location.file) == ["App/AWidget/T.swift"])
    // If the models are in neither target, either target's declaration may be used.
    let kit = [
      "App/Model/Book.swift": Self.model, "App/Kit/Sources/One/T.swift": type,
      "App/Kit/Sources/Two/T.swift": type.replacing("b }", with: "b = \"other\" }"),
    ]
    #expect(try snapshot(kit, on: disk).findings.map(\.rule.id).contains("second-declaration"))
    (files["App/AWidget/T.swift"], files["App/Model/T.swift"]) = (
      files["App/Model/T.swift"], files["App/AWidget/T.swift"]
    )
    #expect(try snapshot(files, on: disk).findings.contains { $0.rule.id == "raw-value-changed" })
  }
}
