import SchemaModel
import SchemaReporting
import SchemaWorkspace
import SwiftAdoption
import Testing

@Suite struct AdoptionReportTests {
  private func note(_ element: String, line: Int, help: String) -> Diagnostic {
    Diagnostic(
      .notCarried, "'\(element)' is not kept", element: element,
      at: SourceLocation(file: "A.swift", line: line), help: [help])
  }

  @Test func hundredsOfNotesAreOneScreen() {
    let findings = (0..<743).map { note("M\($0)", line: $0 + 1, help: "way \($0 % 3)") }
    let report = AdoptionReport(findings)
    #expect(report.others.map(\.element) == ["M0", "M1", "M2"])
    #expect(report.omitted == 740)
    #expect(
      report.others[0].help == [
        "way 0", "247 more like it: M3, M6, M9, M12, M15, M18, M21, M24, …",
      ])
    #expect(TextReport().render(report.others).split(separator: "\n").count < 24)
    #expect(AdoptionReport(findings, isVerbose: true).others.count == 743)
  }

  /// Errors are shown one by one, and so are notes of which there are only two.
  @Test func errorsAreNotGrouped() {
    let errors = (0..<9).map {
      Diagnostic(.cannotAdopt, "no", element: "E\($0)", at: nil, help: ["write it out"])
    }
    let pair = [note("A", line: 1, help: "x"), note("B", line: 2, help: "x")]
    let report = AdoptionReport(errors + pair)
    #expect(report.others.count == 11)
    #expect(report.omitted == 0)
  }

  /// The app has to do an observer's work elsewhere, so this note is not hidden behind another.
  @Test func observersStandByThemselves() throws {
    let (adopt, _) = AdoptionCorpusTests.adopt("properties")
    let report = AdoptionReport(adopt.findings)
    let note = try #require(report.others.first { $0.element == "Everything.observed" })
    #expect(note.message.contains("'didSet'") && !note.help.isEmpty)
  }

  /// A constant and a setter have different notes.
  @Test func notesOfOneKindSayTheSame() {
    let (adopt, _) = AdoptionCorpusTests.adopt("public-class")
    let groups = AdoptionReport(adopt.findings).others.filter {
      $0.help.last?.contains("more like it") == true
    }
    #expect(
      groups.map { "\($0.message): \($0.help.last ?? "")" }.prefix(2) == [
        "Expense.code: 'let' becomes 'var': 2 more like it: Expense.origin, Expense.owner",
        "Expense.isSeen: 'private(set)' is not kept: 2 more like it: Expense.count, Expense.note",
      ])
  }

  /// A class that differs from the newest version comes before everything else, whatever its file is called.
  @Test func whatDecidesIsFirst() {
    let (adopt, _) = AdoptionCorpusTests.adopt("live-beside")
    let report = AdoptionReport(adopt.findings)
    #expect(report.first.map(\.element) == ["Walk"])
    #expect(report.others.first?.element == "Audit")
  }

  @Test(arguments: [
    ("Sources/App", "Schemas", "../Sources/App"),
    ("Sources", "../Elsewhere/Schemas", "../../app/Sources"),
    ("Sources", "/home/me/Elsewhere", "../app/Sources"),
    ("/home/me/app/Sources", "Schemas", "../Sources"),
    ("../Shared/Sources", "Schemas", "../../Shared/Sources"),
    ("", "Schemas", ".."), ("Schemas", "Schemas", "."),
  ])
  func waysBetweenFolders(_ path: String, _ folder: String, _ way: String) {
    #expect(Path.relative(path, to: folder, in: "/home/me/app") == way)
  }
}
