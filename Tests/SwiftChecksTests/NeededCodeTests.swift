import Foundation
import SchemaModel
import SchemaWorkspace
import TestSupport
import Testing

@testable import SwiftChecks

/// The code that a rehearsal takes from an app's files.
@Suite struct NeededCodeTests {
  private func needed(
    _ sources: [String: String], generated: String = "", user: String = "", types: [String] = [],
    refused: [[String]] = []
  ) throws -> [String: String] {
    try withTemporaryFolder { folder in
      for (path, text) in sources {
        let file = URL(filePath: folder + "/" + path)
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
      }
      var request = AppCode.Request(
        generated: [generated], userFiles: [user], types: types, paths: [folder], excluded: [])
      request.refused = refused.map {
        $0.map { place in
          let parts = place.split(separator: ":")
          return AppCode.Place(
            path: "\(folder)/\(parts[0])", line: Int(parts[1])!, column: Int(parts[2])!)
        }
      }
      return Dictionary(
        uniqueKeysWithValues: NeededCode.find(request).files.map {
          (String($0.path.dropFirst(folder.count + 1)), $0.text)
        })
    }
  }

  /// The remaining lines, trimmed.
  private func lines(_ text: String?) -> [String] {
    (text ?? "").split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  private let imports = "import Foundation; import SwiftData;"

  @Test func takesAnEnumOutOfAFileWithModelsAndViews() throws {
    let source = """
      import SwiftUI
      import SwiftData

      @Model final class Trip {
        var kind: TripKind
        init(kind: TripKind) { self.kind = kind }
      }

      enum TripKind: String, Codable, CaseIterable, Transferable {
        case work, holiday

        var color: Color { self == .work ? .gray : .orange }
        var title: String { rawValue.capitalized }
        var code: Int { Codes.table[rawValue] ?? 0 }
        static var transferRepresentation: some TransferRepresentation { ProxyRepresentation(\\.title) }
      }

      struct TripView: View { var body: some View { Text("") } }

      private enum Codes { static let table = ["work": 1] }
      """
    let files = try needed(
      ["Trip.swift": source],
      generated: "class Trip { var kind: TripKind; var title: String; func f() { _ = title } }",
      user: "func hook(_ old: TripKind) -> Int { _ = old.color; return old.code }")
    #expect(
      lines(files["Trip.swift"]) == [
        imports, "enum TripKind: String, Codable, CaseIterable               {",
        "case work, holiday", "var code: Int { Codes.table[rawValue] ?? 0 }", "}",
        "private enum Codes { static let table = [\"work\": 1] }",
      ])
    // Compiler errors name the app's own lines.
    let kept = (files["Trip.swift"] ?? "").split(separator: "\n", omittingEmptySubsequences: false)
    #expect(kept[8].hasPrefix("enum TripKind"))
    #expect(kept[11].allSatisfy { $0 == " " } && kept[12].allSatisfy { $0 == " " })
    #expect(kept[13].hasPrefix("  var code"))
  }

  @Test func followsNamesFromFileToFile() throws {
    let files = try needed(
      [
        "A.swift": "func metres(_ value: Double) -> Int { Int(value * factor) }\nfunc unused() {}",
        "B.swift": "let factor = 1000.0\nprivate let hidden = 1",
        "C.swift":
          "extension String: Measured, Error {\n  var slug: String { lowercased() }\n  var other: Int { 1 }\n}",
        "D.swift": "func unrelated() -> Int { hidden }",
        "E.swift":
          "struct Pace: Transferable, Measured, Codable {\n  var unit: Int { 1 }\n  var other: Int { 2 }\n}",
        "F.swift": "protocol Measured { var unit: Int { get } }",
      ],
      user: "func hook(_ name: String, _ pace: Pace) { _ = metres(1); _ = name.slug; _ = hidden }")
    #expect(files.keys.sorted() == ["A.swift", "B.swift", "C.swift", "E.swift", "F.swift"])
    #expect(
      lines(files["A.swift"]) == [
        "\(imports) func metres(_ value: Double) -> Int { Int(value * factor) }"
      ])
    // Members that a protocol of the app requires stay with it.
    #expect(
      lines(files["E.swift"]) == [
        "\(imports) struct Pace:               Measured, Codable {", "var unit: Int { 1 }", "}",
      ])
    // Private declarations are not visible to other files.
    #expect(lines(files["B.swift"]) == ["\(imports) let factor = 1000.0"])
    #expect(
      lines(files["C.swift"]) == [
        "\(imports) extension String                  {", "var slug: String { lowercased() }", "}",
      ])
  }

  @Test func takesATypeFromInsideAVersion() throws {
    let version = """
      enum AppSchemaV1: VersionedSchema {
        @Model final class Item {
          struct Tint: Codable { var red: Int }
          var tint: Tint
        }
      }
      typealias Tint = AppSchemaV1.Item.Tint
      """
    let files = try needed(
      ["V1.swift": version], generated: "class Item { var tint: Tint }", types: ["Tint"])
    #expect(lines(files["V1.swift"]) == [imports, "struct Tint: Codable { var red: Int }"])
  }

  @Test func leavesWhatIsGeneratedOrNamedByNobody() throws {
    let files = try needed(
      [
        "A.swift": "enum Mood { case good }\nextension Mood {\n  var score: Int { 1 }\n}",
        "B.swift": "struct Other {}",
      ], generated: "enum Mood { case good }\nlet score = 1")
    #expect(files.isEmpty)
  }

  @Test func takesTheInitializerThatAHookCalls() throws {
    let source = """
      extension Item {
        convenience init(title: String, note: String? = nil) { self.init() }
        convenience init(other: Int) { self.init() }
      }
      """
    let files = try needed(
      ["Item+Members.swift": source], generated: "class Item {}",
      user: "func hook() { _ = Item(title: \"\") }")
    #expect(
      lines(files["Item+Members.swift"]) == [
        "\(imports) extension Item {",
        "convenience init(title: String, note: String? = nil) { self.init() }", "}",
      ])
  }

  /// Declarations that only Apple's systems have are removed where the compiler reports them, with everything that only
  /// they need.
  @Test func leavesOutWhatTheCompilerRefuses() throws {
    let source = """
      extension CLAuthorizationStatus { var title: String { "" } }
      enum Kind: String, Codable, Tippable {
        case near, far
        var title: String { Wording(self).text }
        var code: Int { Codes.code(of: self) }
      }
      protocol Tippable {}
      struct Wording { let text: LocalizedWords; init(_ kind: Kind) { text = LocalizedWords() } }
      enum Codes { static func code(of kind: Kind) -> Int { 1 } }
      """
    func taken(_ refused: [[String]], types: [String] = []) throws -> [String] {
      try lines(
        needed(
          ["A.swift": source], generated: "let kind: Kind", user: "_ = kind.code; _ = kind.title",
          types: types, refused: refused)["A.swift"])
    }
    let kind = ["case near, far", "var code: Int { Codes.code(of: self) }", "}"]
    let codes = "enum Codes { static func code(of kind: Kind) -> Int { 1 } }"
    // The imports are on the first line, before the file's own text.
    let first = ["A.swift:1:\(imports.count + 12)"]
    #expect(
      try taken([first, ["A.swift:4:23"]]) == [
        imports, "enum Kind: String, Codable, Tippable {",
      ] + kind + ["protocol Tippable {}", codes])
    // Conformances are removed first, then the type. An error inside removed code has no effect.
    #expect(
      try taken([first, ["A.swift:2:6", "A.swift:2:29", "A.swift:4:23", "A.swift:4:30"]]) == [
        imports, "enum Kind                            {",
      ] + kind + [codes])
    #expect(try taken([first, ["A.swift:2:6", "A.swift:4:23"], ["A.swift:2:6"]]) == [])
    // A type from the manifests is incomplete without its cases, so the manifests' version is used.
    #expect(try taken([first, ["A.swift:3:8"]], types: ["Kind"]) == [])
  }

  @Test func endsWhereTypesNameEachOther() throws {
    let sources = (0..<2000).map { number in
      "struct T\(number): Codable { var next: [T\((number + 1) % 2000)]; var last: [T\((number + 1999) % 2000)] }"
    }
    let files = try needed(["A.swift": sources.joined(separator: "\n")], generated: "let t: T7")
    #expect(lines(files["A.swift"]).count == 2000)
  }
}
