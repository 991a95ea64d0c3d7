import Foundation
import SchemaGit
import SchemaModel
import SchemaWorkspace
import TestSupport
import Testing

@testable import CodeFirst
@testable import SchemaEvolution
@testable import SwiftAdoption

/// The life of an app, code first: twelve releases with the edits that people make, the comments that they leave in
/// place, the answers that they are offered, and branches that git merges.
///
/// `LIVES` is the number of lives, `LIFE` the seed of a single one; with either, each life prints a line of figures. A
/// life's files and log are left in `LIFE_FOLDER`. Its manifests have the author's expectations of rows, which
/// `schemagen rehearse --steps-only` checks there.
@Suite struct LifeTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let asked = environment["LIFE"] ?? environment["LIVES"]
  static let seeds: [Int] =
    environment["LIFE"].flatMap { Int($0) }.map { [$0] }
    ?? environment["LIVES"].flatMap { Int($0) }.map { Array(0..<$0) } ?? Array(Checkout.seeds(2))

  @Test(
    "An app survives twelve releases: each error can be answered, and no value is wrong",
    arguments: seeds)
  func life(_ seed: Int) throws {
    var life = try Life(seed: UInt64(seed))
    do {
      for _ in 1...12 { try life.release() }
    } catch let trouble as Life.Trouble {
      Issue.record("life \(seed): \(trouble.text)\n\(life.log.suffix(24).joined(separator: "\n"))")
    }
    if Self.asked != nil { print("life \(seed): \(life.figures)") }
    if let folder = Self.environment["LIFE_FOLDER"] { try life.write(to: folder) }
  }
}

/// One app, and the person who edits it.
struct Life {
  struct Trouble: Error {
    var text: String
  }

  private(set) var log: [String] = []
  private var counts: [String: Int] = [:]
  var random: SplitMix64
  private(set) var disk: MemoryDisk
  var app = LifeApp()
  /// The app as each version shipped.
  private(set) var shipped: [LifeApp] = []
  /// The merged version of another branch, which has not shipped.
  private var pending: LifeApp?
  /// The manifests of versions that are not the newest.
  private var fixed: [String: String] = [:]
  /// The app and its manifests at the last release.
  private var tagged: (app: LifeApp, files: [String: String]) = (LifeApp(), [:])
  /// Cases of a draft that another branch's hotfix follows: no row has one.
  private var unused: Set<Int> = []
  /// What properties were called at the last snapshot.
  private var named: [String: Int] = [:]
  /// The questions since the last version shipped.
  private var asked: [String: Int] = [:]
  private var count = 0

  init(seed: UInt64) throws {
    random = SplitMix64(seed: seed)
    disk = MemoryDisk([
      "Schemas/schemagen.yaml":
        "classes: ../App\nconverters: none\nnames: { active: \"{model}\" }\n"
    ])
    begin()
    // The first manifest comes from an adoption.
    let adopted = SourceAdoption.adopt(
      sources,
      options: SourceAdoption.Options(
        folder: "Schemas", sources: "App", adoption: Adoption.Options(keepsClasses: true)),
      fileSystem: MemoryDisk([:])
    ) { _ in [] }
    guard let first = adopted.files.first(where: { $0.name == "V1.yaml" }) else {
      throw Trouble(text: "cannot be adopted: \(adopted.findings)")
    }
    disk["Schemas/V1.yaml"] = first.text
  }

  private var sources: [SourceFile] { app.files.map { SourceFile(path: $0.path, text: $0.text) } }

  /// The app as it shipped last, or as it is before the first release.
  var last: LifeApp { pending ?? shipped.last ?? app }

  mutating func next() -> Int {
    count += 1
    return count
  }

  mutating func note(_ text: String, as figure: String? = nil) {
    log.append(text)
    if let figure { counts[figure, default: 0] += 1 }
  }

  /// What happened, and how often.
  var figures: String {
    counts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
  }

  /// Writes the app, its manifests and the log, as far as the life went.
  func write(to folder: String) throws {
    let repository = try Repository(folder)
    for (path, text) in disk.files { try repository.write(text, path) }
    for file in sources { try repository.write(file.text, file.path) }
    let history = SchemaFolder.read("Schemas", fileSystem: disk).evolution?.history ?? []
    for index in shipped.indices.dropFirst() where index < history.count {
      let path = history[index].location?.file ?? ""
      let lines = expectations(shipped[index - 1], shipped[index]).map { "  - \($0)\n" }.joined()
      if !lines.isEmpty { try repository.write("\(disk[path] ?? "")\nexpect:\n\(lines)", path) }
    }
    try repository.write(log.joined(separator: "\n") + "\n", "life.txt")
  }

  // MARK: Releases

  /// Edits, settles and ships.
  mutating func release() throws {
    if !shipped.isEmpty {
      for _ in 0..<Int.random(in: 1...4, using: &random) { try work() }
    }
    try settle(asks: true)
    try ship()
  }

  /// Marks the newest version as shipped and checks the result.
  private mutating func ship() throws {
    let run = ReleaseMarking.prepare("Schemas", upTo: nil, fileSystem: disk)
    guard !run.diagnostics.hasErrors else {
      throw Trouble(text: "cannot be released: \(run.diagnostics.map(\.message))")
    }
    try run.write(to: disk)
    let folder = SchemaFolder.read("Schemas", fileSystem: disk)
    guard let evolution = folder.evolution, !folder.diagnostics.hasErrors else {
      throw Trouble(text: "generate refuses: \(folder.diagnostics.map(\.message))")
    }
    note("release \(evolution.history.count)", as: "releases")
    let hasChanged = shipped.isEmpty || app.stored != last.stored
    if let pending { shipped.append(pending) }
    pending = nil
    if hasChanged {
      shipped.append(app)
      note("", as: "versions")
    } else {
      shipped[shipped.count - 1] = app
    }
    asked = [:]
    tagged = (app, disk.files)
    guard evolution.history.count == shipped.count else {
      throw Trouble(
        text: hasChanged
          ? "rows were to change, and no version began" : "a version began, and nothing changed")
    }
    try check(evolution)
  }

  /// The number of versions that have a manifest.
  private var versions: Int {
    disk.files.keys.count { $0.hasPrefix("Schemas/V") && $0.hasSuffix(".yaml") }
  }

  // MARK: Work

  /// Makes an edit, or something else that happens to code.
  private mutating func work() throws {
    switch Int.random(in: 0..<24, using: &random) {
    case 0..<8:
      let isShipped = versions == shipped.count && app.stored == last.stored
      guard let edit = freeEdit() else { return }
      note("free: \(edit)", as: "free edits")
      // An edit that does not affect the store raises no question and begins no version.
      if isShipped {
        try settle(asks: false)
        guard versions == shipped.count else { throw Trouble(text: "'\(edit)' began a version") }
        shipped[shipped.count - 1] = app
      }
    case 8..<17:
      guard let edit = storedEdit() else { return }
      note("edit: \(edit)", as: "edits")
      if Int.random(in: 0..<3, using: &random) == 0 { try settle(asks: true) }
    case 17:
      // A file does not parse for a while.
      let broken = sources.map { file in
        SourceFile(path: file.path, text: file.text.replacing("final class", with: "final clas"))
      }
      let taken = try taken(broken)
      guard taken.isRefused, taken.files.isEmpty,
        taken.findings.allSatisfy({ $0.rule.id == "broken-source" })
      else { throw Trouble(text: "a broken file was read: \(taken.findings.map(\.message))") }
      note("broken for a while", as: "broken")
    case 18: try takeBack()
    case 19: try takeBackHalf()
    case 20: try revert()
    case 21: try renameDraft()
    case 22: forget()
    default: try branch()
    }
  }

  /// Takes back everything since the release, sometimes without the comments that belong to no declaration.
  private mutating func takeBack() throws {
    let comments = Bool.random(using: &random) ? app.comments : last.comments
    app = last
    app.comments = comments
    note("taken back", as: "taken back")
    try settle(asks: true)
    guard versions == shipped.count else {
      throw Trouble(text: "taken back, and V\(versions) is there")
    }
    asked = [:]
  }

  /// Takes back the changes of one class.
  private mutating func takeBackHalf() throws {
    func links(_ model: LifeApp.Model) -> [LifeApp.Link?] { model.properties.map(\.link) }
    let places = app.models.indices.filter { place in
      last.model(app.models[place].id).map {
        $0 != app.models[place] && links($0) == links(app.models[place])
      } ?? false
    }
    guard let place = places.randomElement(using: &random),
      let was = last.model(app.models[place].id)
    else { return }
    try settle(asks: true)
    app.models[place] = was
    asked = asked.filter { !$0.key.contains("'\(was.name).") }
    note("half taken back: \(was.name)", as: "half taken back")
    try settle(asks: true)
    let isBack = app.stored == last.stored
    guard isBack == (versions == shipped.count) else {
      throw Trouble(text: "half taken back, and V\(versions) is there")
    }
  }

  /// Takes back the last version's changes in the next version, as git's revert does.
  private mutating func revert() throws {
    guard shipped.count > 1, app == last else { return }
    let style = app.style
    app = shipped[shipped.count - 2]
    app.style = style
    // Raw values that were replaced once cannot be used again: rows that share a value could not be told apart.
    for type in 0...1 { app.types[type] = last.types[type] }
    for model in app.models.indices {
      for place in app.models[model].properties.indices
      where last.property(app.models[model].properties[place].id) == nil {
        app.models[model].properties[place].isUnique = false
        app.models[model].properties[place].comments = []
      }
      app.models[model].uniques = last.model(app.models[model].id)?.uniques ?? []
    }
    note("revert of version \(shipped.count)", as: "reverts")
    try settle(asks: true)
    if app.stored == last.stored, versions == shipped.count { shipped[shipped.count - 1] = app }
  }

  /// Removes comments that have been answered.
  private mutating func forget() {
    guard Bool.random(using: &random), app.stored == last.stored, versions == shipped.count else {
      return
    }
    app.comments = []
    for model in app.models.indices {
      app.models[model].comments = []
      for place in app.models[model].properties.indices where Bool.random(using: &random) {
        app.models[model].properties[place].comments = []
      }
    }
    note("comments removed", as: "forgotten")
  }

  /// Renames a property that has not shipped and has an answer for old rows.
  private mutating func renameDraft() throws {
    let last = last
    let model = Int.random(in: app.models.indices, using: &random)
    var property = newProperty()
    property.value = nil
    app.models[model].properties.append(property)
    note("edit: add \(app.models[model].name).\(property.name), required", as: "edits")
    try settle(asks: true)
    guard
      let (owner, place) = anyProperty({ last.property($0.id) == nil && !$0.comments.isEmpty })
        ?? anyProperty({ last.property($0.id) == nil })
    else { return }
    let old = app.models[owner].properties[place].name
    app.models[owner].properties[place].name = "draft\(next())"
    // The draft's manifest has the answer, so the comment may be removed.
    if Bool.random(using: &random) { app.models[owner].properties[place].comments = [] }
    note("draft: \(old) becomes draft\(count)", as: "draft renames")
    try settle(asks: false)
  }

  // MARK: Branches

  /// Another branch from the last release gets a version of its own, a hotfix that ships or a draft, and is merged.
  private mutating func branch() throws {
    guard app.stored != last.stored else { return }
    try settle(asks: true)
    let base = tagged
    let place = shipped.count - 1
    var theirs = self
    theirs.disk = MemoryDisk(base.files)
    theirs.app = base.app
    theirs.shipped[place] = base.app
    theirs.asked = [:]
    theirs.log = []
    for _ in 0..<Int.random(in: 1...2, using: &theirs.random) {
      if let edit = theirs.storedEdit() { theirs.note("theirs: \(edit)", as: "edits") }
    }
    try theirs.settle(asks: true)
    let isHotfix = Bool.random(using: &theirs.random)
    if isHotfix { try theirs.ship() }
    (random, count, counts) = (theirs.random, theirs.count, theirs.counts)
    log += theirs.log
    guard theirs.app.stored != base.app.stored else { return }
    guard let files = try merged(base: base, theirs) else { return }
    disk = MemoryDisk(files)
    // If drafts cannot be merged, all manifests are theirs.
    let newest = "Schemas/V\(shipped.count).yaml"
    shipped[place] =
      files[newest] == theirs.disk[newest]
      ? theirs.shipped[place] : .merged(base.app, shipped[place], theirs.shipped[place])
    app = .merged(base.app, app, theirs.app)
    asked = [:]
    if isHotfix {
      let cases = { (app: LifeApp) in Set(app.types.flatMap(\.parts).map(\.id)) }
      unused.formUnion(cases(shipped[place]).subtracting(cases(base.app)))
      shipped.append(theirs.app)
      note("a hotfix is merged", as: "hotfixes")
      try settle(asks: true)
      tagged = (theirs.app, theirs.tagged.files)
    } else {
      // Drafts that cannot be put in sequence become one, which the classes decide.
      pending = versions > shipped.count + 1 ? theirs.app : nil
      note("a draft is merged", as: "merges")
      try settle(asks: true)
      try ship()
    }
  }

  /// What git and `rebase` make of both branches' manifests; nil if they ask for a decision.
  private mutating func merged(
    base: (app: LifeApp, files: [String: String]), _ theirs: Life
  ) throws -> [String: String]? {
    try withTemporaryFolder { folder in
      let repository = try Repository(folder)
      func commit(_ app: LifeApp, _ files: [String: String]) throws {
        for name in filesBelow(folder) where !name.hasPrefix(".git/") {
          try repository.write(nil, name)
        }
        let classes = Dictionary(uniqueKeysWithValues: app.files.map { ($0.path, $0.text) })
        for (path, text) in files.merging(classes, uniquingKeysWith: { $1 }) {
          try repository.write(text, path)
        }
        try repository.commit("x")
      }
      try commit(base.app, base.files)
      try repository.git("checkout", "--quiet", "-b", "theirs")
      try commit(theirs.app, theirs.disk.files)
      try repository.git("checkout", "--quiet", "main")
      try commit(app, disk.files)
      let merge = try repository.attempt(["merge", "--no-edit", "theirs"])
      guard merge.status != 0 else {
        throw Trouble(text: "two versions of one number are merged without a word")
      }
      let rebase = try Rebase(folder + "/Schemas", fileSystem: Disk())
      guard !rebase.diagnostics.hasErrors else {
        let rules = Set(rebase.diagnostics.filter { $0.severity == .error }.map(\.rule.id))
        for diagnostic in rebase.diagnostics where diagnostic.severity == .error {
          note("  \(diagnostic.rule.id) \(diagnostic.message)")
        }
        note("no merge", as: "merge asks \(rules.sorted().joined(separator: ","))")
        return nil
      }
      try rebase.write(to: Disk())
      var files: [String: String] = [:]
      for name in filesBelow(folder) where name.hasPrefix("Schemas/") {
        files[name] = try repository.text(name)
      }
      return files
    }
  }
}

// MARK: - Questions

extension Life {
  private func taken(_ files: [SourceFile]) throws -> Snapshot {
    let folder = SchemaFolder.read("Schemas", fileSystem: disk)
    let snapshot = Snapshot.take(folder, files: files, fileSystem: disk)
    guard let snapshot else {
      throw Trouble(text: "there are no classes")
    }
    return snapshot
  }

  /// Takes snapshots and answers questions until none are left.
  private mutating func settle(asks: Bool) throws {
    for round in 0... {
      let snapshot = try taken(sources)
      counts["longest circle"] = max(counts["longest circle"] ?? 0, round)
      if !snapshot.findings.hasErrors {
        guard !snapshot.isRefused else { throw Trouble(text: "refused: \(snapshot.findings)") }
        for one in app.models.flatMap(\.properties) { named[one.name] = one.id }
        guard !snapshot.files.isEmpty else { return }
        try snapshot.write(to: disk)
        let again = try taken(sources)
        guard again.changes.isEmpty, again.files.isEmpty, !again.findings.hasErrors else {
          throw Trouble(
            text:
              "the second run changes \(again.changes) \(again.files.map(\.path)) \(again.findings.map(\.message))"
          )
        }
        return
      }
      let errors = snapshot.findings.filter { $0.severity == .error }
      let text = errors.map { "\($0.message) | \($0.help.joined(separator: " | "))" }
        .joined(separator: "\n")
      guard asks else { throw Trouble(text: "asked for nothing: \(text)") }
      guard round < 5 else { throw Trouble(text: "a circle: \(text)") }
      guard snapshot.files.isEmpty else { throw Trouble(text: "written in spite of errors") }
      var answered = false
      for finding in errors {
        guard finding.location?.file.hasPrefix("App/") == true else {
          throw Trouble(
            text: "not at a class: \(finding.location?.file ?? "nowhere"): \(text)")
        }
        let key = "\(finding.rule.id) \(finding.message) \(finding.help.first ?? "")"
        guard asked[key] == nil || finding.help.isEmpty else {
          throw Trouble(text: "asked twice: \(text)")
        }
        note("  asked \(finding.rule.id) \(finding.message)", as: "? \(finding.rule.id)")
        // One answer may settle several questions, so the others are asked again.
        var answer: String?
        for help in finding.help where answer == nil && self.answer(help, finding) { answer = help }
        guard let answer else { continue }
        note("    \(answer)")
        asked[key] = 1
        answered = true
      }
      guard answered else { throw Trouble(text: "no answer fits: \(text)") }
    }
  }

  // MARK: What the author means

  private static let samples = [
    "String": "\"x\"", "Int": "3", "Double": "1.5", "Bool": "true", "Mood": "Mood.good",
    "Level": "Level.low", "Place": "Place(name: \"x\")",
  ]
  static func sample(_ type: String) -> String { samples[type] ?? "nil" }

  /// The value for rows that have none; nil if no row needs one.
  private func fill(_ property: LifeApp.Property, from old: LifeApp, in app: LifeApp) -> String? {
    guard property.link == nil, !property.isOptional,
      let model = app.models.first(where: { $0.properties.contains { $0.id == property.id } }),
      old.model(model.id) != nil
    else { return nil }
    let was = old.property(property.id)
    // An enum's default does not reach old rows.
    let isNeeded = property.value == nil || ["Mood", "Level"].contains(property.type)
    return isNeeded && was?.isOptional ?? true ? Self.sample(property.type) : nil
  }

  /// The conversion of values to the property's new type.
  private func conversion(_ property: LifeApp.Property, from old: LifeApp) -> String? {
    guard let was = old.property(property.id), was.link == nil, was.type != property.type else {
      return nil
    }
    return property.type == "String" ? "String($0)" : "\(property.type)($0) ?? 0"
  }

  /// The property that decides which of several equal rows stays.
  static func deciding(_ model: LifeApp.Model, in old: LifeApp) -> LifeApp.Property? {
    model.stored.first { one in
      guard let was = old.property(one.id) else { return false }
      return ["Int", "Double"].contains(one.type) && !one.isOptional && !one.isUnique
        && was.name == one.name && was.type == one.type && was.isOptional == one.isOptional
    }
  }

  // MARK: Answers

  private enum Target {
    case model(Int)
    case property(Int, Int)
    case type(Int)
    case part(Int, Int)
    case constraint(Int, Int)
    case file
  }

  /// Writes an answer if the author means it; returns false otherwise.
  private mutating func answer(_ help: String, _ finding: Diagnostic) -> Bool {
    let element = (finding.element ?? "").split(separator: ".").map(String.init)
    if finding.rule.id == "empty-version",
      let match = help.firstMatch(of: /hashModifier: "([^"]+)"/)
    {
      app.models[0].properties[0].hashModifier = String(match.1)
      return !app.models[0].properties[0].isTransient
    }
    guard let owner = element.first else { return false }
    let old = last
    if help == "give the property a name that no version had",
      let (model, place) = anyProperty({ old.property($0.id) == nil && $0.name == element.last })
    {
      app.models[model].properties[place].name = "value\(next())"
      return true
    }
    let former = old.models.first { $0.name == owner }
    let model =
      app.models.firstIndex { $0.name == owner }
      ?? former.flatMap { was in app.models.firstIndex { $0.id == was.id } }
    func property(_ name: Substring?) -> Int? {
      model.flatMap { model in app.models[model].properties.firstIndex { $0.name == name ?? "" } }
    }
    let lost = finding.message.contains("answer") ? element.last.flatMap { named[$0] } : nil
    let successor = help.firstMatch(of: /if '(\w+)' is(?: its new name)?,/)?.1
    let place = property(
      successor ?? lost.flatMap(app.property)?.name[...] ?? element.last.map { $0[...] })
    /// Whether a property is the one that had the name in the version before.
    func continues(_ place: Int, _ name: String) -> Bool {
      guard let model else { return false }
      let id = app.models[model].properties[place].id
      return old.model(app.models[model].id)?.properties.contains {
        $0.id == id && ($0.name == name || $0.originalName == name)
      } ?? false
    }
    if let match = help.firstMatch(of: /\((originalName|hashModifier): "([^"]+)"\)/) {
      guard let model, let place else { return false }
      let value = String(match.2)
      if match.1 == "hashModifier" {
        app.models[model].properties[place].hashModifier = value
        return true
      }
      guard finding.rule.id == "model-differs" || continues(place, value) else { return false }
      app.models[model].properties[place].originalName = value
      return true
    }
    if let match = help.firstMatch(of: /take '(originalName|hashModifier):' out/), let model,
      let place
    {
      if match.1 == "originalName" {
        app.models[model].properties[place].originalName = nil
        if let comment = help.split(separator: ": // ").last, comment != help {
          app.models[model].properties[place].comments.append(String(comment))
        }
      } else {
        app.models[model].properties[place].hashModifier = nil
      }
      return true
    }
    if help.hasPrefix("make the field optional"), element.count == 2,
      let type = app.types.firstIndex(where: { $0.name == owner }),
      let part = app.types[type].parts.firstIndex(where: { $0.name == element[1] })
    {
      app.types[type].parts[part].raw += "?"
      return true
    }
    if help.hasPrefix("if its answers are no longer needed, remove"), let name = element.last,
      named[name].flatMap(app.property) == nil
    {
      let path = finding.related.first?.location.file ?? ""
      let lines = (disk[path] ?? "").split(separator: "\n", omittingEmptySubsequences: false)
      guard let line = lines.firstIndex(where: { $0.hasPrefix("      \(name):") }) else {
        return false
      }
      let rest = lines[(line + 1)...].drop { $0.hasPrefix("       ") }
      disk[path] = (lines[..<line] + rest).joined(separator: "\n")
      return true
    }
    guard let start = help.firstRange(of: "// schemagen:") else { return false }
    var comments = help[start.lowerBound...].split(separator: "// ").map {
      $0.replacing(", and below it ", with: "").trimmingCharacters(in: .whitespaces)
    }
    // Where to write the answer.
    var target = Target.file
    if let name = help.firstMatch(of: /above 'case (\w+)'/)?.1 {
      guard let type = app.types.firstIndex(where: { $0.name == owner }),
        let part = app.types[type].parts.firstIndex(where: { $0.name == name })
      else { return false }
      target = .part(type, part)
    } else if let name = help.firstMatch(of: /above (?:the class )?'([\w.]+)'/)?.1 {
      if let model = app.models.firstIndex(where: { $0.name == name }) {
        target = .model(model)
      } else if let type = app.types.firstIndex(where: { $0.name == name }) {
        target = .type(type)
      } else if let model, let place = property(name) {
        target = .property(model, place)
      } else {
        return false
      }
    } else if help.contains("#Unique"), let model {
      guard let unique = app.models[model].uniques.indices.last else { return false }
      target = .constraint(model, unique)
    } else if help.contains("above that class") {
      guard let former, let model = app.models.firstIndex(where: { $0.id == former.id }) else {
        return false
      }
      target = .model(model)
    } else if !help.contains("any file"), let model, let place {
      target = .property(model, place)
    }
    if case .property(let model, let place) = target, comments[0].contains("dedupe"),
      Self.deciding(app.models[model], in: old) == nil
    {
      // If nothing can decide which row stays, the property is not unique.
      app.models[model].properties[place].isUnique = false
      return true
    }
    for index in comments.indices {
      guard let comment = meant(comments[index], target, element) else { return false }
      comments[index] = comment
    }
    switch target {
    case .model(let model): app.models[model].comments += comments
    case .property(let model, let place):
      // An answer without effect is replaced by another.
      if finding.rule.id == "missing-source" {
        app.models[model].properties[place].comments.removeAll {
          $0.hasPrefix("schemagen:from") || $0.hasPrefix("schemagen:convert")
        }
      }
      app.models[model].properties[place].comments += comments
    case .type(let type): app.types[type].comments += comments
    case .part(let type, let part): app.types[type].parts[part].comments += comments
    case .constraint(let model, let place): app.models[model].uniques[place].comments += comments
    case .file: app.comments += comments
    }
    return true
  }

  /// A comment as the author completes it; nil if the author means something else.
  private func meant(_ comment: String, _ target: Target, _ element: [String]) -> String? {
    guard let match = comment.firstMatch(of: /^(schemagen:(?:V[\d.]+ )?)(\w+) (.+)$/) else {
      return nil
    }
    let (head, old) = ("\(match.1)\(match.2) ", last)
    let text = String(match.3).replacing(/"?\bwhy\b"?/, with: "nobody used it")
    var one: LifeApp.Property?
    if case .property(let model, let place) = target { one = app.models[model].properties[place] }
    switch match.2 {
    case "drop":
      let name = text.firstMatch(of: /^(?:(\w+)\.)?(\w+)/)
      let owner = name?.1.map(String.init) ?? element[0]
      let member = String(name?.2 ?? "")
      if let type = old.types.first(where: { $0.name == owner }) {
        // A field cannot be renamed, so its values are dropped.
        guard let part = type.parts.first(where: { $0.name == member }),
          let now = app.types.first(where: { $0.id == type.id }),
          !now.parts.contains(where: {
            type.rawType == nil ? $0.name == part.name : $0.id == part.id
          })
        else { return nil }
        return head + text.replacing("…", with: now.parts[0].name)
      }
      if let model = old.models.first(where: { $0.name == member }) {
        return app.model(model.id) == nil ? head + text : nil
      }
      let was =
        old.models.first { $0.name == owner }
        ?? app.models.first { $0.name == owner }.flatMap { old.model($0.id) }
      guard let gone = was?.properties.first(where: { $0.name == member }) else { return nil }
      return app.property(gone.id) == nil ? head + text : nil
    case "renamedFrom":
      switch target {
      case .model(let model):
        return old.model(app.models[model].id)?.name == text ? comment : nil
      case .part(let type, let part):
        let id = app.types[type].parts[part].id
        return old.types[type].parts.contains { $0.id == id && $0.name == text } ? comment : nil
      default:
        return one.flatMap { old.property($0.id) }?.name == text ? comment : nil
      }
    case "from": return one.flatMap { old.property($0.id) }?.name == text ? comment : nil
    case "fill": return one.flatMap { fill($0, from: old, in: app) }.map { head + $0 }
    case "convert" where text.hasPrefix("$0 ?? "):
      return one.flatMap { fill($0, from: old, in: app) }.map { "\(head)$0 ?? \($0)" }
    case "convert" where text == "$0":
      return one.flatMap { old.property($0.id) }?.type == one?.type ? comment : nil
    case "convert": return one.flatMap { conversion($0, from: old) }.map { head + $0 }
    case "dedupe":
      let model: LifeApp.Model
      switch target {
      case .property(let place, _), .constraint(let place, _): model = app.models[place]
      default: return nil
      }
      return Self.deciding(model, in: old).map { head + text.replacing("…", with: $0.name) }
    default: return nil
    }
  }
}

// MARK: - What must be so

extension Life {
  private mutating func check(_ evolution: Evolution) throws {
    // A version that is not the newest must not change.
    for version in evolution.history.dropLast() {
      let path = version.location?.file ?? ""
      guard fixed[path] ?? disk[path] == disk[path] else {
        throw Trouble(text: "\(path) has shipped, is not the newest, and was edited")
      }
      fixed[path] = disk[path]
    }
    for index in evolution.history.indices {
      try check(evolution.history[index], shipped[index])
      if index > 0 { try check(evolution, step: index) }
    }
  }

  /// What the author expects of rows with comparable values, as manifests write it.
  private func expectations(_ old: LifeApp, _ new: LifeApp) -> [String] {
    new.models.flatMap { model -> [String] in
      guard let was = old.model(model.id) else { return [] }
      return model.stored.compactMap { one -> String? in
        guard ["String", "Int", "Double", "Bool"].contains(one.type) else { return nil }
        let before = was.stored.first { $0.id == one.id }.map { "old.\($0.name)" }
        var value = before ?? one.value ?? "nil"
        if let expression = conversion(one, from: old), let before {
          value = expression.replacing("$0", with: before)
        } else if let fill = fill(one, from: old, in: new) {
          value = before.map { "(\($0) ?? \(fill))" } ?? fill
        }
        return "\(model.name): 'new.\(one.name) == \(value)'"
      }
    }
  }

  /// Checks that the manifest equals the classes.
  private func check(_ version: SchemaVersion, _ app: LifeApp) throws {
    func compare(_ what: String, _ found: [String], _ wanted: [String]) throws {
      let (found, wanted) = (Set(found), Set(wanted))
      guard found == wanted else {
        throw Trouble(
          text:
            "\(version.number.name) \(what): \(found.subtracting(wanted)), not \(wanted.subtracting(found))"
        )
      }
    }
    try compare("models", version.models.map(\.name), app.models.map(\.name))
    for model in app.models {
      let found = version.model(named: model.name)
      try compare(
        model.name,
        found?.properties.map { one in
          let link = one.relationship.map {
            "\($0.inverse?.value ?? "") \($0.cardinality.isMany ? ".\($0.deleteRule)" : "")"
          }
          return
            "\(one.name): \(one.type) \(one.attribute?.defaultValue?.text ?? "") \(one.isTransient) \(one.isUnique) \(link ?? "")"
        } ?? [],
        model.properties.map { one in
          let link = one.link.map {
            "\(app.property($0.inverse)?.name ?? "?") \($0.isMany ? $0.deleteRule : "")"
          }
          return
            "\(one.name): \(app.type(of: one)) \(one.value ?? "") \(one.isTransient) \(one.isUnique) \(link ?? "")"
        })
      try compare(
        "\(model.name) #Unique", found?.uniques.map { "\($0.names)" } ?? [],
        model.uniques.map { "\(app.names($0))" })
    }
    for type in app.types where app.isStored(type) {
      let found = version.type(named: type.name)
      try compare(
        type.name,
        (found?.cases.map { "\($0.name) \($0.storedText)" } ?? [])
          + (found?.fields.map { "\($0.name) \($0.type)" } ?? []),
        type.parts.map { "\($0.name) " + (type.rawType == "String" ? "\"\($0.raw)\"" : $0.raw) })
    }
  }

  /// Checks that every value arrives where its author means it to.
  private func check(_ evolution: Evolution, step index: Int) throws {
    let (old, new) = (shipped[index - 1], shipped[index])
    let version = evolution.history[index]
    let pairing = evolution.steps[index - 1].pairing
    func guarantee(_ isSo: Bool, _ text: @autoclosure () -> String) throws {
      guard isSo else { throw Trouble(text: "\(version.number.name): \(text())") }
    }
    for model in new.models {
      let was = old.model(model.id)
      let origin = version.model(named: model.name).map { Origin($0, pairing) }
      try guarantee(
        origin?.models ?? [] == (was.map { [$0.name] } ?? []),
        "rows of \(model.name) come from \(origin?.models ?? [])")
      guard let was else { continue }
      for one in model.stored {
        let before = was.stored.first { $0.id == one.id }
        let found = origin?.properties[one.name] ?? []
        try guarantee(
          found.map(\.member) == (before.map { [$0.name] } ?? []),
          "\(model.name).\(one.name) comes from \(found), not \(before?.name ?? "nothing")")
        let written = version.model(named: model.name)?.property(named: one.name)
        let convert = written?.migration.convert.map { "\($0.value)" } ?? ""
        let isConverted = origin?.converted.contains(one.name) ?? false
        if let expression = conversion(one, from: old) {
          try guarantee(
            isConverted && convert.contains(expression),
            "\(one.name) is made by '\(convert)', not '\(expression)'")
        } else {
          try guarantee(
            !isConverted || convert.contains("\"$0\"") || convert.hasPrefix("expression($0"),
            "\(one.name) is converted by '\(convert)'")
        }
        let fill = written?.migration.fill.map { "\($0.value)" } ?? ""
        let value = self.fill(one, from: old, in: new)
        try guarantee(
          value.map { (fill + convert).replacing("\\", with: "").contains($0) } ?? fill.isEmpty,
          "\(one.name) is filled by '\(fill)', not \(value ?? "nothing")")
        let isDeduped = written?.attribute?.dedupe != nil
        try guarantee(
          isDeduped == (one.isUnique && before != nil && before?.isUnique == false),
          "\(one.name) is \(isDeduped ? "" : "not ")deduped")
      }
      for one in model.uniques {
        let kept = one.properties.filter { old.property($0)?.type == new.property($0)?.type }
        let isNew =
          !was.uniques.contains { Set($0.properties).isSubset(of: kept) }
          && !kept.contains { old.property($0)?.isUnique ?? false }
        let found = version.model(named: model.name)?.uniques.first { $0.names == new.names(one) }
        try guarantee((found?.dedupe != nil) == isNew, "\(new.names(one)) is deduped, or is not")
      }
    }
    for (was, now) in zip(old.types, new.types) where old.isStored(was) && new.isStored(now) {
      let type = version.type(named: now.name)
      for part in was.parts {
        let kept = now.parts.first { $0.id == part.id }
        if let kept, was.rawType != nil {
          try guarantee(
            kept.raw == part.raw
              || type?.cases.first { $0.name == kept.name }?.renamedFrom?.value == part.name,
            "rows of \(part.name) do not become \(kept.name)")
        }
        guard
          kept == nil && !unused.contains(part.id)
            || was.rawType == nil && kept?.name != part.name
        else { continue }
        let drop = version.drops.first { $0.element.value == ElementPath(was.name, part.name) }
        try guarantee(drop != nil, "\(was.name).\(part.name) goes without a word")
        try guarantee(
          was.rawType == nil || drop?.replacedBy?.value == now.parts[0].name,
          "rows of \(part.name) become \(drop?.replacedBy?.value ?? "nothing")")
      }
    }
  }
}

/// The source of a model in the version before.
private struct Origin {
  /// The models that the rows come from.
  var models: [String] = []
  /// For each property, the properties that its value comes from.
  var properties: [String: [ElementPath]] = [:]
  /// The properties whose values a conversion computes.
  var converted: Set<String> = []

  init(_ model: Model, _ pairing: StepPairing) {
    for pair in pairing.pairs(of: model) {
      models.append(pair.old.name)
      for (old, new) in pair.properties.continued {
        properties[new.name, default: []].append(ElementPath(pair.old.name, old.name))
      }
      for (sources, new) in pair.properties.converted {
        properties[new.name, default: []] += sources.map { ElementPath(pair.old.name, $0.name) }
        converted.insert(new.name)
      }
    }
  }
}
