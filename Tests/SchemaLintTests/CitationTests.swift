import Foundation
import SchemaEvolution
import SchemaLint
import SchemaModel
import SchemaWorkspace
import TestSupport
import Testing

/// Everything that the project cites exists, and no basis in code has a stronger mark than the fact's page.
@Suite struct CitationTests {
  private static let bases: [(id: String, basis: Basis)] =
    (RuleCatalog.all + ClassificationTable.rows.map(\.rule)).map { ($0.id, $0.basis) }

  @Test("Each fact has its own anchor and one mark")
  func factsAreMarked() throws {
    let pages = filesBelow(Checkout.root + "/docs/facts").filter { $0 != "README.md" }
    #expect(pages.count == 6)
    for page in pages {
      let text = try Document.text("docs/facts/" + page)
      let anchors = Document.anchors(in: text)
      #expect(!anchors.isEmpty, "\(page)")
      #expect(Set(anchors).count == anchors.count, "\(page): an anchor appears twice")
      #expect(
        Set(anchors) == Set(Document.marks(in: text).keys), "\(page): an anchor without a mark")
    }
  }

  @Test("A basis has the mark of the fact it cites", arguments: bases)
  func marksAgree(id: String, basis: Basis) {
    guard case .fact(let page, let anchor) = basis.source else { return }
    let marks = Document.facts["docs/facts/\(page.rawValue).md"]
    #expect(marks?[anchor] == basis.mark.rawValue, "\(id): \(basis.text)")
  }

  @Test("The document a rule is based on exists", arguments: bases)
  func basesResolve(id: String, basis: Basis) {
    guard basis.text.hasPrefix("docs/") else { return }
    #expect(Document.resolves(basis.text), "\(id): \(basis.text)")
  }

  @Test("Documents cited in sources, templates and tests exist")
  func citationsResolve() throws {
    var found = 0
    for path in Document.sources {
      for citation in Document.citations(in: try Document.text(path)) {
        found += 1
        #expect(Document.resolves(citation), "\(path): \(citation)")
      }
    }
    #expect(found > 100, "citations are no longer recognised")
  }

  @Test("Links in documents lead to existing targets")
  func linksResolve() throws {
    var found = 0
    for path in Document.pages {
      for link in Document.links(in: try Document.text(path)) {
        guard let target = Document.target(of: link, in: path) else { continue }
        found += 1
        #expect(Document.resolves(target), "\(path): \(link)")
      }
    }
    #expect(found > 300, "links are no longer recognised")
  }

  @Test("No document outside the repository is cited")
  func nothingAbsentIsCited() throws {
    for path in Document.sources + Document.pages where !path.hasSuffix("/CitationTests.swift") {
      let text = try Document.text(path)
      guard Document.mayCite(text) else { continue }
      for line in text.split(separator: "\n") where Document.citesSomethingAbsent(String(line)) {
        Issue.record("\(path): \(line)")
      }
    }
  }

  @Test(
    "Citations of absent documents are recognised",
    arguments: [
      "rests on swiftdata.md §4", "(store-format.md, Layout)", "see engine.md", "section 4, L",
      "(seed 5: cleanup)", "seed 1, pitfall 6", "as the third seed has it", "// kept (L).",
      "sections 3 to 5",
    ])
  func absentDocumentsAreRecognised(line: String) {
    #expect(Document.citesSomethingAbsent(line))
  }

  @Test(
    "Text that resembles a citation is not taken for one",
    arguments: [
      "docs/facts/swiftdata.md#interface", "run 5 of seed 1: found", "SARIF, section 3.27.23",
      "let seed = 3",
    ])
  func otherTextsAreNone(line: String) {
    #expect(!Document.citesSomethingAbsent(line))
  }
}

/// The repository's texts, and the targets of their links.
private enum Document {
  static func text(_ path: String) throws -> String {
    try String(contentsOfFile: Checkout.root + "/" + path, encoding: .utf8)
  }

  /// Files other than documents that people write.
  static let sources: [String] =
    below([
      "Sources", "Tests", "Benchmarks", "Experiments", "Templates", "Scripts", "Plugins", "Schemas",
      "Examples",
      "ci",
    ])
    .filter { path in
      ["swift", "sh", "py", "mustache", "txt", "yaml", "yml"].contains { path.hasSuffix("." + $0) }
    } + ["Package.swift", "Makefile"]

  /// Documents, both written and generated.
  static let pages: [String] =
    ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "Experiments/README.md"]
    + below(["docs"]).filter { $0.hasSuffix(".md") }
    + below(["Schemas", "Examples", "Benchmarks", "Tests"]).filter {
      $0.hasSuffix("/MIGRATIONS.md")
    }

  private static func below(_ folders: [String]) -> [String] {
    folders.flatMap { folder in
      filesBelow(Checkout.root + "/" + folder).map { folder + "/" + $0 }
    }.filter { !$0.contains("/.build/") }
  }

  /// The anchors of the facts on a page.
  static func anchors(in text: String) -> [String] {
    text.matches(of: /<a id="([^"]*)">/).map { String($0.output.1) }
  }

  /// The mark of each fact of each page.
  static let facts: [String: [String: String]] = Dictionary(
    pages.filter { $0.hasPrefix("docs/facts/") }.map { ($0, marks(in: (try? text($0)) ?? "")) }
  ) { first, _ in first }

  static func marks(in text: String) -> [String: String] {
    let found = text.matches(
      of: /<a id="([a-z0-9-]+)"><\/a>\*\*(certain|likely|unverified)\*\*/)
    return Dictionary(found.map { (String($0.output.1), String($0.output.2)) }) { first, _ in first
    }
  }

  /// Paths of cited documents from the checkout's root, with their anchors.
  static func citations(in text: String) -> [String] {
    lines(of: text, with: "docs/").flatMap { line in
      line.matches(of: /docs\/(?:[a-z-]+\/)*[A-Za-z-]+\.md(?:#[a-z0-9-]+)?/)
        .map { String($0.output) }
    }
  }

  /// Lines that contain a word: a regular expression over a whole source takes too long.
  private static func lines(of text: String, with word: String) -> [Substring] {
    text.utf8.split(separator: UInt8(ascii: "\n")).filter { $0.contains(word.utf8) }
      .map { Substring($0) }
  }

  /// Targets of links outside code.
  static func links(in text: String) -> [String] {
    var isCode = false
    return text.split(separator: "\n").flatMap { line -> [String] in
      if line.hasPrefix("```") { isCode.toggle() }
      if isCode { return [] }
      return line.replacing(/`[^`]*`/, with: "").matches(of: /\]\(([^)\s]+)\)/)
        .map { String($0.output.1) }
    }
  }

  /// A link's path from the checkout's root; nil if it leads to another site.
  static func target(of link: String, in path: String) -> String? {
    if link.hasPrefix(Basis.documentation) {
      return "docs/" + link.dropFirst(Basis.documentation.count)
    }
    if link.contains("://") || link.hasPrefix("mailto:") { return nil }
    if link.hasPrefix("#") { return path + link }
    var parts = path.split(separator: "/").dropLast()
    for part in link.split(separator: "/") {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return parts.joined(separator: "/")
  }

  /// Whether the file or folder exists and has the anchor or heading.
  static func resolves(_ target: String) -> Bool {
    let parts = target.split(separator: "#", maxSplits: 1)
    guard let path = parts.first.map(String.init) else { return false }
    guard FileManager.default.fileExists(atPath: Checkout.root + "/" + path) else { return false }
    return parts.count == 1 || places[path]?.contains(String(parts[1])) == true
  }

  /// Anchors and headings of each document.
  private static let places: [String: Set<String>] = Dictionary(
    pages.map { path in
      let text = (try? text(path)) ?? ""
      return (path, Set(anchors(in: text) + headings(in: text)))
    }
  ) { first, _ in first }

  /// Headings as GitHub turns them into anchors.
  private static func headings(in text: String) -> [String] {
    text.split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
      let title = line.drop { $0 == "#" }.dropFirst().lowercased()
      return String(
        title.compactMap { character in
          if character == " " { return "-" }
          let isKept = character.isLetter || character.isNumber || "-_".contains(character)
          return isKept ? character : nil
        })
    }
  }

  /// Whether a text has a word with which such a citation begins: a quick check before a slow one.
  static func mayCite(_ text: String) -> Bool {
    let bytes = Data(text.utf8)
    return [".md", "§", "ection", " seed", "seed ", "(C", "(L", "(U"].contains {
      bytes.range(of: Data($0.utf8)) != nil
    }
  }

  /// Whether a line cites something that is not in the repository: notes by section, guides by number, marks by letter.
  static func citesSomethingAbsent(_ line: String) -> Bool {
    guard mayCite(line) else { return false }
    let notes = line.matches(
      of: /[\w\/.-]*\b(?:swiftdata|store-format|tooling|engine|version-hash|product)\.md/)
    if notes.contains(where: { !isFactPage($0.output) }) { return true }
    return line.contains("§") || line.contains(/\b[Ss]ections? [1-6](?![.0-9])/)
      || line.contains(/(?:^|\()seed [1-5][,:]/)
      || line.contains(/\b(?:first|second|third|fourth|fifth) seed\b/)
      || line.contains(/\/\/.* \((?:[CLU]|[CLU]\/[CLU]|[CLU], [CLU])\)/)
  }

  /// Fact pages cite one another by file name.
  private static func isFactPage(_ path: Substring) -> Bool {
    path.contains("facts/") || !path.contains("/") && path.base.contains("](" + path)
  }
}
