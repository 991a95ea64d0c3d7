import Foundation
import SchemaManifest
import SchemaWorkspace
import TestSupport
import Testing

@testable import CodeFirst
@testable import SchemaModel
@testable import SwiftAdoption
@testable import SwiftSources

/// Random edits of classes, after which `snapshot` must give what `adopt` makes of the edited app from nothing.
///
/// `SNAPSHOT_EDITS` is the number of edits, `SNAPSHOT_APPS` a folder of more apps, each in a folder of its own.
@Suite struct SnapshotOracleTests {
  private static let seed: UInt64 = 35
  private static let edits =
    ProcessInfo.processInfo.environment["SNAPSHOT_EDITS"].flatMap { Int($0) } ?? 80

  /// Apps of the checkout whose classes are at the top level, and those in `SNAPSHOT_APPS`.
  private static let apps: [(name: String, files: [SourceFile])] = {
    let corpus = URL(filePath: Checkout.root).appending(path: "Tests/Support/Fixtures/Adoption")
    var folders = [
      "appended-list", "added-list", "defaults", "inferred", "initializers",
      "properties", "public-class", "transients", "unversioned",
    ].map { corpus.appending(path: "\($0)/Sources") }
    folders.append(URL(filePath: Checkout.root).appending(path: "Examples/Plants/App"))
    folders.append(URL(filePath: Checkout.root).appending(path: "Tests/Support/LiveModels/Models"))
    if let other = ProcessInfo.processInfo.environment["SNAPSHOT_APPS"] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: other)) ?? []
      folders += names.sorted().map { URL(filePath: other).appending(path: $0) }
    }
    return folders.compactMap { folder in
      let tree = SourceTree(folders: [folder.path])
      let files = tree.files(containing: Prefilter(["@Model", "Codable"])).files
        .filter { !$0.text.contains("VersionedSchema") && !$0.text.contains("odelContainer(") }
        .map {
          SourceFile(path: "App/\($0.path.dropFirst(folder.path.count + 1))", bytes: $0.bytes)
        }
      return files.contains { $0.text.contains("@Model") } ? (folder.lastPathComponent, files) : nil
    }
  }()

  /// What a fresh adoption makes of the app; nil if it is refused.
  private func adopted(_ files: [SourceFile]) -> SchemaVersion? {
    let options = SourceAdoption.Options(
      folder: "Schemas", sources: "App", adoption: Adoption.Options(keepsClasses: true))
    let adoption = SourceAdoption.adopt(
      files, options: options, fileSystem: MemoryDisk([:])
    ) { _ in [] }
    guard !adoption.isRefused, !adoption.isDraft,
      let file = adoption.files.first(where: { $0.name == "V1.yaml" })
    else { return nil }
    return ManifestReader().read(file).version
  }

  private func taken(_ files: [SourceFile], on disk: MemoryDisk) -> Snapshot? {
    Snapshot.take(
      SchemaFolder.read("Schemas", fileSystem: disk), files: files, fileSystem: disk)
  }

  /// Everything in a version that affects a store or generated code, independent of the order of declarations.
  private func parts(_ version: SchemaVersion) -> [String: String] {
    var parts: [String: String] = [:]
    for model in version.models {
      var bare = model
      bare.entity = nil
      bare.properties = []
      parts[model.name] =
        "\(ManifestText(SchemaVersion(number: VersionNumber(1), models: [bare])).text)"
      for property in model.properties {
        var property = property
        property.mapping = EntityMapping()
        property.migration = PropertyMigration()
        bare.properties = [property]
        bare.uniques = []
        bare.indexes = []
        bare.documentation = nil
        parts["\(model.name).\(property.name)"] =
          ManifestText(SchemaVersion(number: VersionNumber(1), models: [bare])).text
      }
    }
    for var type in version.types {
      switch type.kind {
      case .enumeration(let raw, let cases):
        let plain = cases.map { EnumCase(name: $0.name, rawValue: $0.rawValue) }
        type.kind = .enumeration(rawType: raw, cases: plain.sorted { $0.name < $1.name })
      case .structure(let fields):
        type.kind = .structure(fields: fields.sorted { $0.name < $1.name })
      case .opaque: break
      }
      parts["type \(type.name)"] =
        ManifestText(SchemaVersion(number: VersionNumber(1), types: [type])).text
    }
    return parts
  }

  /// A manifest with a comment above each property, and a step key at some.
  private func commented(_ text: String, _ random: inout SplitMix64) -> String {
    var lines: [String] = []
    var inProperties = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("    ") && !line.hasPrefix("      ") {
        inProperties = line == "    properties:"
      } else if !line.hasPrefix("    ") {
        inProperties = false
      }
      if inProperties, line.hasPrefix("      "),
        line.dropFirst(6).first.map({ $0.isLetter || $0 == "_" }) ?? false
      {
        lines.append("      # comment \(lines.count)")
        if line.hasSuffix(": String"), Bool.random(using: &random) {
          lines.append(line.dropLast(6) + "{ type: String, entityProperty: other\(lines.count) }")
          continue
        }
      }
      lines.append(line)
    }
    return lines.joined(separator: "\n")
  }

  @Test(
    "A snapshot of edited classes equals a fresh adoption and keeps comments on what did not change"
  )
  func oracle() throws {
    #expect(Self.apps.count >= 10)
    var random = SplitMix64(seed: Self.seed)
    var compared = 0
    var refused = 0
    for index in 0..<Self.edits {
      let app = Self.apps[index % Self.apps.count]
      let start = SourceAdoption.adopt(
        app.files,
        options: SourceAdoption.Options(
          folder: "Schemas", sources: "App", adoption: Adoption.Options(keepsClasses: true)),
        fileSystem: MemoryDisk([:])
      ) { _ in [] }
      guard !start.isRefused else {
        Issue.record(
          "\(app.name) cannot be adopted: \(start.findings.filter { $0.severity == .error })")
        continue
      }
      let manifests = start.files.filter { $0.path.hasPrefix("Schemas/") }.map { file in
        guard file.name == "V1.yaml" else { return file }
        // Not shipped, so that the edit changes this version.
        let text = file.text.replacing("\nidentity: shipped\n", with: "\n")
        return SourceFile(path: file.path, text: commented(text, &random))
      }
      var editor = ClassEditor(app.files, random)
      let done = (0..<Int.random(in: 1...3, using: &editor.random)).compactMap { _ in editor.edit()
      }
      random = editor.random
      guard !done.isEmpty else { continue }
      let edited = editor.files
      let disk = MemoryDisk(manifests.textsByPath)
      let wanted = adopted(edited)
      let snapshot = try #require(taken(edited, on: disk))
      let label: Comment = "edit \(index) of \(app.name): \(done.joined(separator: "; "))"
      guard let wanted else {
        #expect(snapshot.isRefused, label)
        refused += 1
        continue
      }
      guard !snapshot.isRefused else {
        Issue.record("\(label): refused: \(snapshot.findings.filter { $0.severity == .error })")
        continue
      }
      try snapshot.write(to: disk)
      compared += 1
      let old = try #require(manifests.first { $0.name == "V1.yaml" })
      let text = try #require(disk["Schemas/V1.yaml"])
      let file = SourceFile(path: "Schemas/V1.yaml", text: text)
      let (version, problems) = ManifestReader().read(file)
      let found = try #require(version, label)
      #expect(problems.filter { $0.severity == .error }.isEmpty, label)
      let (left, right) = (parts(found), parts(wanted))
      for name in Set(left.keys).union(right.keys).sorted() {
        #expect(left[name] == right[name], "\(label): \(name)")
      }
      let before = ManifestReader().read(old).version.map(parts) ?? [:]
      for (name, part) in before where right[name] == part {
        expectKept(name, of: old.text, in: text, label)
      }
      let again = try #require(taken(edited, on: disk))
      #expect(again.changes.isEmpty && !again.files.contains { $0.path == file.path }, label)
    }
    #expect(compared > Self.edits / 2, "\(compared) of \(Self.edits) compared, \(refused) refused")
  }

  /// Expects the line of an unedited property and the comment above it to be unchanged.
  private func expectKept(_ name: String, of old: String, in new: String, _ label: Comment) {
    guard let dot = name.firstIndex(of: "."), !name.hasPrefix("type ") else { return }
    func lines(_ text: String) -> ArraySlice<Substring>? {
      let all = text.split(separator: "\n", omittingEmptySubsequences: false)
      guard let model = all.firstIndex(where: { $0 == "  \(name[..<dot]):" }) else { return nil }
      let key = "      \(name[name.index(after: dot)...]):"
      guard let line = all[model...].firstIndex(where: { $0.hasPrefix(key) }) else { return nil }
      let end = all[(line + 1)...].firstIndex { !$0.hasPrefix("       ") } ?? all.endIndex
      return all[(line - 1)..<end]
    }
    guard let was = lines(old) else { return }
    #expect(lines(new).map(Array.init) == Array(was), "\(label): the lines of \(name)")
  }
}

/// Edits classes as text, as a person would.
private struct ClassEditor {
  private(set) var files: [SourceFile]
  var random: SplitMix64
  private var count = 0

  init(_ files: [SourceFile], _ random: SplitMix64) {
    self.files = files
    self.random = random
  }

  private struct Line {
    var file: Int
    var number: Int
    var indent: Substring
    var attributes: Substring
    var name: Substring
    var type: Substring
    var value: Substring?
  }

  /// Stored properties on one line of a class with `@Model`.
  private var properties: [Line] {
    var found: [Line] = []
    for (file, source) in files.enumerated() {
      var inModel = false
      var isMarked = false
      var depth = 0
      for (number, line) in source.text.split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
      {
        if line.contains("@Model") { isMarked = true }
        if line.contains("class "), isMarked, depth == 0 { (inModel, isMarked) = (true, false) }
        let isDirect = inModel && depth == 1
        depth += line.count { $0 == "{" } - line.count { $0 == "}" }
        if depth == 0 { inModel = false }
        guard isDirect, depth == 1,
          let match = line.wholeMatch(
            of: /(\s+)((?:@\w+(?:\([^)]*\))? )*)var (\w+): ([\w<>\[\]?: ]+?)(?: = ([^{}]+))?/)
        else { continue }
        found.append(
          Line(
            file: file, number: number, indent: match.1, attributes: match.2, name: match.3,
            type: match.4, value: match.5))
      }
    }
    return found
  }

  private mutating func set(_ line: Line, _ texts: [String]) {
    var lines = files[line.file].text.split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
    lines.replaceSubrange(line.number...line.number, with: texts)
    files[line.file] = SourceFile(
      path: files[line.file].path, text: lines.joined(separator: "\n"))
  }

  private func text(
    _ line: Line, attributes: String? = nil, name: String? = nil, type: String? = nil,
    value: String?? = nil
  ) -> String {
    let value: String? = value ?? line.value.map(String.init)
    return
      "\(line.indent)\(attributes ?? String(line.attributes))var \(name ?? String(line.name)): "
      + "\(type ?? String(line.type))" + (value.map { " = \($0)" } ?? "")
  }

  /// Makes one edit; returns what it was, or nil if it could not be made.
  mutating func edit() -> String? {
    count += 1
    let all = properties
    guard let line = all.randomElement(using: &random) else { return nil }
    let plain = ["String", "Int", "Double", "Bool", "Date", "UUID", "Data"]
    let values = [
      "String": "\"x\"", "Int": "3", "Double": "1.5", "Bool": "true", "Date": "Date.distantPast",
      "UUID": "UUID()", "Data": "Data()",
    ]
    let isPlain = plain.contains(String(line.type))
    switch Int.random(in: 0..<13, using: &random) {
    case 0:
      set(line, [])
      return "remove \(line.name)"
    case 1:
      set(line, [text(line, name: "\(line.name)New\(count)")])
      return "rename \(line.name)"
    case 2:
      guard isPlain else { return nil }
      let type = plain.filter { $0 != line.type }.randomElement(using: &random) ?? "String"
      set(line, [text(line, type: type, value: .some(nil))])
      return "retype \(line.name) to \(type)"
    case 3:
      let type = plain.randomElement(using: &random) ?? "String"
      let isOptional = Bool.random(using: &random)
      let value = Bool.random(using: &random) ? values[type] : nil
      let added =
        "\(line.indent)var added\(count): \(type)\(isOptional ? "?" : "")"
        + (value.map { " = \($0)" } ?? "")
      set(line, [text(line), added])
      return "add \(added)"
    case 4:
      guard isPlain else { return nil }
      set(line, [text(line, type: "\(line.type)?", value: .some(nil))])
      return "\(line.name) becomes optional"
    case 5:
      guard isPlain, let value = values[String(line.type)] else { return nil }
      set(line, [text(line, value: .some(value))])
      return "default of \(line.name)"
    case 6:
      guard isPlain, line.attributes.isEmpty else { return nil }
      let option = ["unique", "spotlight", "allowsCloudEncryption"].randomElement(using: &random)
      set(line, [text(line, attributes: "@Attribute(.\(option ?? "unique")) ")])
      return "\(option ?? "") of \(line.name)"
    case 7:
      let rules = ["cascade", "nullify", "deny", "noAction"]
      guard let old = rules.first(where: { line.attributes.contains("deleteRule: .\($0)") }),
        let new = rules.filter({ $0 != old }).randomElement(using: &random)
      else { return nil }
      set(
        line,
        [text(line, attributes: String(line.attributes).replacing(".\(old)", with: ".\(new)"))])
      return "delete rule of \(line.name)"
    case 8:
      files.append(
        SourceFile(
          path: "App/Added\(count).swift",
          text: """
            import SwiftData

            /// Added.
            @Model
            final class Added\(count) {
              #Index<Added\(count)>([\\.name])
              var name: String = ""
              var kind: Kind?
              @Relationship(deleteRule: .cascade) var others: [Added\(count)Other] = []

              enum Kind: Int, Codable { case one = 1, two }
              init() {}
            }

            @Model
            final class Added\(count)Other {
              var parent: Added\(count)?
              init() {}
            }
            """))
      return "add a model"
    case 9:
      set(line, ["\(line.indent)/// Documented \(count).", text(line)])
      return "document \(line.name)"
    case 10:
      // Adds a case after another on the same line.
      for (file, source) in files.enumerated() {
        guard let match = source.text.firstMatch(of: /enum \w+: String, Codable[^{]*\{\s*case \w+/)
        else { continue }
        var text = source.text
        text.replaceSubrange(match.range, with: match.output + ", added\(count)")
        files[file] = SourceFile(path: source.path, text: text)
        return "add a case"
      }
      return nil
    case 11:
      // Moves a declaration to a file of its own, with the file's other declarations.
      let name = "App/Moved\(count).swift"
      files[line.file] = SourceFile(path: name, text: files[line.file].text)
      return "move to another file"
    default:
      for (file, source) in files.enumerated() {
        guard let match = source.text.firstMatch(of: #/struct \w+: Codable[^{]*\{\n(\s+)var /#)
        else { continue }
        var text = source.text
        text.insert(
          contentsOf: "var added\(count): Int = 1\n\(match.1)",
          at: text.index(match.range.upperBound, offsetBy: -4))
        files[file] = SourceFile(path: source.path, text: text)
        return "add a field"
      }
      return nil
    }
  }
}
