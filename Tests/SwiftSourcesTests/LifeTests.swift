import Foundation
import SchemaEvolution
import SchemaModel
import SchemaWorkspace
import TestSupport
import Testing

@testable import SwiftSources

/// The life of an app, code first: twelve releases with the edits that people make, the comments that they leave where
/// they are, and the answers that they are offered.
///
/// `LIVES` is how many there are, `LIFE` the seed of a single one.
@Suite struct LifeTests {
  private static let environment = ProcessInfo.processInfo.environment
  static let seeds: [Int] =
    environment["LIFE"].flatMap { Int($0) }.map { [$0] }
    ?? environment["LIVES"].flatMap { Int($0) }.map { Array(0..<$0) } ?? Array(Checkout.seeds(4))

  @Test(
    "An app lives through twelve releases without a riddle, a circle or a wrong value",
    arguments: seeds)
  func life(_ seed: Int) throws {
    var life = try Life(seed: UInt64(seed))
    do {
      for _ in 1...12 { try life.release() }
    } catch let trouble as Life.Trouble {
      Issue.record("life \(seed): \(trouble.text)\n\(life.log.suffix(14).joined(separator: "\n"))")
    }
  }
}

/// One app, and the person who edits it.
private struct Life {
  struct Trouble: Error {
    var text: String
  }

  /// What an author means to happen between two versions, by the numbers of things.
  private struct Meaning {
    /// The expression that makes a property's value of its old one.
    var conversions: [Int: String] = [:]
    /// The values of rows that have none.
    var fills: [Int: String] = [:]
    /// The case that the rows of one that goes take.
    var replacements: [Int: String] = [:]
  }

  private(set) var log: [String] = []
  private var random: SplitMix64
  private let disk: MemoryDisk
  private var app = LifeApp()
  /// The app as each version shipped.
  private var shipped: [LifeApp] = []
  private var meaning = Meaning()
  private var meanings: [Meaning] = []
  private var checksums: [String] = []
  private var count = 0

  init(seed: UInt64) throws {
    random = SplitMix64(seed: seed)
    disk = MemoryDisk([
      "Schemas/schemagen.yaml":
        "classes: ../App\nconverters: none\nnames: { active: \"{model}\" }\n"
    ])
    for _ in 0..<Int.random(in: 1...3, using: &random) { addModel() }
    app.enumerations = [
      LifeApp.Enumeration(
        name: "Mood",
        cases: ["good", "bad", "fair"].map { LifeApp.Case(id: next(), name: $0, raw: $0) })
    ]
    app.models[0].properties.append(
      LifeApp.Property(id: next(), name: "mood", type: "Mood", value: "Mood.good"))
    // The first manifest is an adoption's.
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

  private mutating func next() -> Int {
    count += 1
    return count
  }

  // MARK: Releases

  /// Edits, settles and ships.
  mutating func release() throws {
    if !shipped.isEmpty {
      for _ in 0..<Int.random(in: 1...5, using: &random) { try work() }
    }
    try settle(asks: true)
    let run = ReleaseMarking.prepare("Schemas", upTo: nil, fileSystem: disk)
    guard !run.diagnostics.hasErrors else {
      throw Trouble(text: "cannot be released: \(run.diagnostics.map(\.message))")
    }
    try run.write(to: disk)
    let evolution = try history()
    log.append("release \(evolution.history.count)")
    if evolution.history.count > shipped.count {
      shipped.append(app)
      meanings.append(meaning)
    } else {
      guard isEmpty(meaning) else {
        throw Trouble(text: "rows were to change, and no version began")
      }
      shipped[shipped.count - 1] = app
    }
    meaning = Meaning()
    try check(evolution)
  }

  private func isEmpty(_ meaning: Meaning) -> Bool {
    meaning.conversions.isEmpty && meaning.fills.isEmpty && meaning.replacements.isEmpty
  }

  private func history() throws -> Evolution {
    let run = GenerationPipeline(fileSystem: disk).run("Schemas", isFresh: true)
    guard let evolution = run.folder?.evolution, !run.diagnostics.hasErrors else {
      throw Trouble(text: "generate refuses: \(run.diagnostics.map(\.message))")
    }
    return evolution
  }

  // MARK: Work

  /// An edit, or something else that happens to code.
  private mutating func work() throws {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<8:
      let before = app
      let isShipped = try history().history.count == shipped.count && isSettled()
      guard let edit = freeEdit() else { return }
      log.append("free: \(edit)")
      // Of what no store sees nobody asks, and it begins no version.
      if isShipped {
        try settle(asks: false)
        let now = try history().history.count
        guard now == shipped.count else { throw Trouble(text: "'\(edit)' began a version") }
        shipped[shipped.count - 1] = app
      }
      if before == app { return }
    case 8..<16:
      guard let edit = storedEdit() else { return }
      log.append("edit: \(edit)")
      if Bool.random(using: &random) { try settle(asks: true) }
    case 16:
      // A file that does not parse for a while.
      let broken = sources.map { file in
        SourceFile(path: file.path, text: file.text.replacing("final class", with: "final clas"))
      }
      let taken = try taken(broken)
      guard taken.isRefused, taken.files.isEmpty,
        taken.findings.allSatisfy({ $0.rule.id == "broken-source" })
      else { throw Trouble(text: "a broken file was read: \(taken.findings.map(\.message))") }
      log.append("broken for a while")
    case 17:
      // All that was done since the release, taken back.
      guard let last = shipped.last else { return }
      app = last
      meaning = Meaning()
      log.append("taken back")
      try settle(asks: true)
      let now = try history().history.count
      guard now == shipped.count else { throw Trouble(text: "taken back, and V\(now) is there") }
    case 18: try renameDraft()
    default: forget()
    }
  }

  private func isSettled() -> Bool {
    shipped.last.map { $0.models.map(\.id) == app.models.map(\.id) && isSameStore($0, app) }
      ?? false
  }

  private func isSameStore(_ one: LifeApp, _ other: LifeApp) -> Bool {
    func parts(_ app: LifeApp) -> [String] {
      app.models.flatMap { model in
        model.properties.filter { !$0.isTransient }.map {
          "\(model.name) \($0.id) \($0.name) \($0.type) \($0.isOptional) \($0.isUnique) \($0.hashModifier ?? "") \($0.originalName ?? "")"
        }.sorted()
      } + app.enumerations.flatMap { $0.cases.map { "\($0.id) \($0.raw)" } }
    }
    return parts(one) == parts(other)
  }

  /// Comments whose answers have been given are taken out by somebody.
  private mutating func forget() {
    guard Bool.random(using: &random), isEmpty(meaning) else { return }
    for model in app.models.indices {
      app.models[model].comments = []
      for place in app.models[model].properties.indices where Bool.random(using: &random) {
        app.models[model].properties[place].comments = []
      }
    }
    log.append("comments removed")
  }

  private mutating func renameDraft() throws {
    try settle(asks: true)
    guard let last = shipped.last else { return }
    let known = Set(last.models.flatMap(\.properties).map(\.id))
    for model in app.models.indices {
      let new = app.models[model].properties.indices.filter {
        !known.contains(app.models[model].properties[$0].id)
          && !app.models[model].properties[$0].isTransient
      }
      guard let place = new.randomElement(using: &random) else { continue }
      let old = app.models[model].properties[place].name
      app.models[model].properties[place].name = "draft\(next())"
      log.append("draft: \(old) becomes \(app.models[model].properties[place].name)")
      return
    }
  }

  // MARK: Edits

  private static let values = ["String": "\"x\"", "Int": "3", "Double": "1.5", "Bool": "true"]

  private mutating func addModel() {
    let id = next()
    var model = LifeApp.Model(id: id, name: "Model\(id)")
    for _ in 0..<Int.random(in: 2...4, using: &random) { model.properties.append(newProperty()) }
    app.models.append(model)
  }

  private mutating func newProperty() -> LifeApp.Property {
    let id = next()
    let type = ["String", "Int", "Double", "Bool"].randomElement(using: &random) ?? "String"
    return LifeApp.Property(id: id, name: "value\(id)", type: type, value: Self.values[type])
  }

  private mutating func anyProperty(
    _ isWanted: (LifeApp.Property) -> Bool = { _ in true }
  ) -> (model: Int, place: Int)? {
    let places = app.models.indices.flatMap { model in
      app.models[model].properties.indices.map { (model, $0) }
    }.filter {
      isWanted(app.models[$0.0].properties[$0.1]) && !app.models[$0.0].properties[$0.1].isTransient
    }
    return places.randomElement(using: &random).map { (model: $0.0, place: $0.1) }
  }

  /// An edit that no store sees; what it was.
  private mutating func freeEdit() -> String? {
    let number = next()
    switch Int.random(in: 0..<9, using: &random) {
    case 0:
      guard let (model, place) = anyProperty() else { return nil }
      app.models[model].properties[place].documentation = [
        ["How much, in \(number)."], ["First.", "", "- one", "**two** \(number)"],
        ["It's \"\(number)\": # so"],
      ].randomElement(using: &random)!
      return "document \(app.models[model].properties[place].name)"
    case 1:
      app.models[0].documentation = ["A model.", "Number \(number)."]
      return "document \(app.models[0].name)"
    case 2:
      app.models[0].properties.append(
        LifeApp.Property(
          id: number, name: "flag\(number)", type: "Bool", value: "false", isTransient: true))
      return "a transient property"
    case 3:
      app.enumerations[0].cases.append(
        LifeApp.Case(id: number, name: "mood\(number)", raw: "mood\(number)"))
      return "a new case"
    case 4:
      guard let (model, place) = anyProperty({ $0.value != nil && $0.type == "Int" }) else {
        return nil
      }
      app.models[model].properties[place].value = "\(number)"
      return "another default of \(app.models[model].properties[place].name)"
    case 5:
      guard let (model, place) = anyProperty({ $0.type == "String" }) else { return nil }
      let name = app.models[model].name
      let property = app.models[model].properties[place].name
      guard !app.models[model].extras.contains(where: { $0.hasPrefix("#Index") }) else {
        app.models[model].extras.removeAll { $0.hasPrefix("#Index") }
        return "an index less"
      }
      app.models[model].extras.append("#Index<\(name)>([\\.\(property)])")
      return "an index"
    case 6:
      app.models[0].extras.append("func method\(number)() {}")
      return "a method"
    case 7:
      let model = Int.random(in: app.models.indices, using: &random)
      app.models[model].file = "App/Moved\(number).swift"
      return "move \(app.models[model].name)"
    default:
      let model = Int.random(in: app.models.indices, using: &random)
      app.models[model].properties.shuffle(using: &random)
      return "another order in \(app.models[model].name)"
    }
  }

  /// An edit that stores see; what it was.
  private mutating func storedEdit() -> String? {
    let number = next()
    let shippedIDs = Set(shipped.last?.models.flatMap(\.properties).map(\.id) ?? [])
    switch Int.random(in: 0..<11, using: &random) {
    case 0:
      let model = Int.random(in: app.models.indices, using: &random)
      var property = newProperty()
      if Bool.random(using: &random) {
        property.isOptional = true
        property.value = nil
      }
      app.models[model].properties.append(property)
      return "add \(property.name)"
    case 1:
      // Required, without a default: rows get a value.
      let model = Int.random(in: app.models.indices, using: &random)
      guard shipped.last?.models.contains(where: { $0.id == app.models[model].id }) == true else {
        return nil
      }
      var property = newProperty()
      property.value = nil
      app.models[model].properties.append(property)
      meaning.fills[property.id] = Self.values[property.type]
      return "add \(property.name), required"
    case 2:
      guard let (model, place) = anyProperty({ $0.name != "mood" }),
        app.models[model].properties.count(where: { !$0.isTransient }) > 2
      else { return nil }
      let property = app.models[model].properties.remove(at: place)
      app.models[model].extras.removeAll { $0.hasPrefix("#Index") }
      meaning.fills[property.id] = nil
      meaning.conversions[property.id] = nil
      return "remove \(property.name)"
    case 3:
      // A rename that the author tells, with the first name that any store knew, or leaves to be asked.
      guard let (model, place) = anyProperty({ $0.name != "mood" && shippedIDs.contains($0.id) })
      else { return nil }
      let old = app.models[model].properties[place]
      app.models[model].properties[place].name = "renamed\(number)"
      app.models[model].extras.removeAll { $0.hasPrefix("#Index") }
      if old.originalName == nil, meaning.conversions[old.id] == nil {
        app.models[model].properties[place].originalName = shippedName(of: old.id)
      }
      return "rename \(old.name) to renamed\(number)"
    case 4:
      guard
        let (model, place) = anyProperty({
          $0.type == "Int" && shippedIDs.contains($0.id) && !$0.isOptional
        }), meaning.conversions[app.models[model].properties[place].id] == nil,
        app.models[model].properties[place].name
          == shippedName(of: app.models[model].properties[place].id)
      else { return nil }
      app.models[model].properties[place].type = "String"
      app.models[model].properties[place].value = "\"\""
      meaning.conversions[app.models[model].properties[place].id] = "String($0)"
      return "retype \(app.models[model].properties[place].name)"
    case 5:
      addModel()
      return "add a model"
    case 6:
      guard app.models.count > 2 else { return nil }
      let model = app.models.removeLast()
      for property in model.properties {
        meaning.fills[property.id] = nil
        meaning.conversions[property.id] = nil
      }
      guard !model.properties.contains(where: { $0.name == "mood" }) else {
        app.models.append(model)
        return nil
      }
      return "remove \(model.name)"
    case 7:
      // A case and its raw value get another name.
      let place = Int.random(in: app.enumerations[0].cases.indices, using: &random)
      let one = app.enumerations[0].cases[place]
      guard place > 0, shipped.last?.enumerations[0].cases.contains(one) == true else { return nil }
      app.enumerations[0].cases[place].name = "case\(number)"
      app.enumerations[0].cases[place].raw = "case\(number)"
      return "rename case \(one.name)"
    case 8:
      guard app.enumerations[0].cases.count > 2 else { return nil }
      let one = app.enumerations[0].cases.removeLast()
      if shipped.last?.enumerations[0].cases.contains(where: { $0.id == one.id }) == true {
        meaning.replacements[one.id] = "good"
      }
      return "remove case \(one.name)"
    case 9:
      guard
        let (model, place) = anyProperty({
          $0.isOptional && shippedIDs.contains($0.id) && $0.hashModifier == nil
        }),
        meaning.conversions[app.models[model].properties[place].id] == nil,
        shippedIsOptional(app.models[model].properties[place].id)
      else { return nil }
      app.models[model].properties[place].isOptional = false
      let property = app.models[model].properties[place]
      meaning.fills[property.id] = Self.values[property.type]
      return "require \(property.name)"
    default:
      guard
        let (model, place) = anyProperty({
          !$0.isOptional && $0.type != "Mood" && shippedIDs.contains($0.id)
        }),
        meaning.conversions[app.models[model].properties[place].id] == nil
      else { return nil }
      app.models[model].properties[place].isOptional = true
      app.models[model].properties[place].value = nil
      return "make \(app.models[model].properties[place].name) optional"
    }
  }

  private func shippedName(of id: Int) -> String? {
    shipped.last?.models.flatMap(\.properties).first { $0.id == id }?.name
  }

  private func shippedIsOptional(_ id: Int) -> Bool {
    shipped.last?.models.flatMap(\.properties).first { $0.id == id }?.isOptional ?? false
  }

  // MARK: Questions

  private func taken(_ files: [SourceFile]) throws -> Snapshot {
    let folder = SchemaFolder.read("Schemas", fileSystem: disk)
    guard let snapshot = Snapshot.take(folder, files: files, fileSystem: disk) else {
      throw Trouble(text: "there are no classes")
    }
    return snapshot
  }

  /// Takes snapshots and answers questions until there are none.
  private mutating func settle(asks: Bool) throws {
    var asked: [String: Int] = [:]
    for round in 0... {
      let snapshot = try taken(sources)
      if !snapshot.findings.hasErrors {
        guard !snapshot.isRefused else { throw Trouble(text: "refused: \(snapshot.findings)") }
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
      guard asks else { throw Trouble(text: "asked for nothing: \(text)") }
      guard round < 5 else { throw Trouble(text: "a circle: \(text)") }
      guard snapshot.files.isEmpty else { throw Trouble(text: "written in spite of errors") }
      for finding in errors {
        guard finding.location?.file.hasPrefix("App/") == true else {
          throw Trouble(
            text: "not at a class: \(finding.location?.file ?? "nowhere"): \(finding.message)")
        }
        let key = "\(finding.rule.id) \(finding.message)"
        asked[key, default: 0] += 1
        guard asked[key] == 1 else { throw Trouble(text: "asked twice: \(text)") }
      }
      var answered = false
      for finding in errors where try answer(finding) { answered = true }
      guard answered else { throw Trouble(text: "no answer fits: \(text)") }
      log.append(contentsOf: errors.map { "  asked \($0.rule.id) \($0.element ?? "")" })
    }
  }

  /// Writes the answer that fits what the author means; false where none is offered.
  private mutating func answer(_ finding: Diagnostic) throws -> Bool {
    let element = (finding.element ?? "").split(separator: ".").map(String.init)
    guard let owner = element.first else { return false }
    let model = app.models.firstIndex { $0.name == owner }
    let place = model.flatMap { model in
      app.models[model].properties.firstIndex { $0.name == element.last }
    }
    for help in finding.help {
      // A macro's argument, at the property that the finding or the help names.
      if let match = help.firstMatch(of: /\((originalName|hashModifier): "([^"]+)"\)/) {
        var target = place
        if let name = help.firstMatch(of: /if '(\w+)' is its new name/)?.1, let model {
          target = app.models[model].properties.firstIndex { $0.name == name }
        }
        guard let model, let target else { continue }
        let property = app.models[model].properties[target]
        if match.1 == "hashModifier" {
          app.models[model].properties[target].hashModifier = String(match.2)
          return true
        }
        // Not every new property is the old one: its author knows.
        let known = shipped.last?.models.flatMap(\.properties).first { $0.id == property.id }
        guard finding.rule.id == "model-differs" || known != nil else { continue }
        app.models[model].properties[target].originalName = String(match.2)
        return true
      }
      guard let start = help.firstRange(of: "// schemagen:") else {
        if help.hasPrefix("take 'originalName:' out"), let model, let place {
          app.models[model].properties[place].originalName = nil
          return true
        }
        continue
      }
      let comments = help[start.lowerBound...].split(separator: ", and below it ").map {
        String($0.dropFirst(3))
      }
      if try write(comments, help, finding, element, model, place) { return true }
    }
    return false
  }

  private mutating func write(
    _ comments: [String], _ help: String, _ finding: Diagnostic, _ element: [String], _ model: Int?,
    _ place: Int?
  ) throws -> Bool {
    let owner = element[0]
    if comments[0].contains("drop ") {
      var comment = comments[0]
      if comment.contains("replacedBy: …") {
        let old = shipped.last?.enumerations[0].cases.first { $0.name == element.last }
        guard let old, let other = meaning.replacements[old.id] else { return false }
        comment = comment.replacing("…", with: other)
      } else if finding.rule.id == "enum-case-removed" {
        return false
      } else if finding.rule.id == "ambiguous-rename" || finding.rule.id == "unacknowledged-drop" {
        // What goes under another name is no drop.
        let name = comment.firstMatch(of: /drop (?:\w+\.)?(\w+)/)?.1 ?? ""
        let old = shipped.last?.models.first { $0.name == owner }?.properties.first {
          $0.name == name
        }
        if let old, app.models.flatMap(\.properties).contains(where: { $0.id == old.id }) {
          return false
        }
      }
      if help.contains("any file"), !help.contains("above") {
        app.comments.append(comment)
      } else if owner == "Mood" {
        app.enumerations[0].comments.append(comment)
      } else if let model {
        app.models[model].comments.append(comment)
      }
      return true
    }
    if owner == "Mood" {
      guard let name = help.firstMatch(of: /above 'case (\w+)'/)?.1,
        let index = app.enumerations[0].cases.firstIndex(where: { $0.name == name }),
        let old = shipped.last?.enumerations[0].cases.first(where: { $0.name == element.last }),
        app.enumerations[0].cases[index].id == old.id
      else { return false }
      app.enumerations[0].cases[index].comments += comments
      return true
    }
    guard let model, let place else { return false }
    let property = app.models[model].properties[place]
    var written = comments
    for index in written.indices {
      if written[index].contains("fill ") {
        guard let fill = meaning.fills[property.id] else { return false }
        written[index] = written[index].prefix { $0 != " " } + " " + fill
        if comments[index].contains(":V") {
          written[index] =
            comments[index].split(separator: " ").prefix(2).joined(separator: " ") + " " + fill
        }
      }
      if written[index].contains("convert ") {
        guard let expression = meaning.conversions[property.id] else { return false }
        let head = written[index].firstRange(of: "convert ")!
        written[index] = written[index][..<head.upperBound] + expression
      }
    }
    app.models[model].properties[place].comments += written
    return true
  }

  // MARK: What must be so

  private func check(_ evolution: Evolution) throws {
    guard evolution.history.count == shipped.count else {
      throw Trouble(text: "\(evolution.history.count) versions of \(shipped.count)")
    }
    for (index, app) in shipped.enumerated() {
      try check(evolution.history[index], app)
      if index > 0 { try check(evolution, step: index) }
    }
  }

  /// The manifest is what the classes were.
  private func check(_ version: SchemaVersion, _ app: LifeApp) throws {
    let name = version.number.name
    guard Set(version.models.map(\.name)) == Set(app.models.map(\.name)) else {
      throw Trouble(text: "\(name) has other models: \(version.models.map(\.name))")
    }
    for model in app.models {
      let found = version.model(named: model.name)?.properties ?? []
      let was = Set(
        found.map {
          "\($0.name): \($0.type) \($0.attribute?.defaultValue?.text ?? "") \($0.isTransient)"
        })
      let wanted = Set(
        model.properties.map {
          "\($0.name): \($0.type)\($0.isOptional ? "?" : "") \($0.value ?? "") \($0.isTransient)"
        })
      guard was == wanted else {
        throw Trouble(
          text:
            "\(name).\(model.name) is \(was.subtracting(wanted)), not \(wanted.subtracting(was))")
      }
    }
    let cases = Set(version.type(named: "Mood")?.cases.map { "\($0.name) \($0.storedText)" } ?? [])
    guard cases == Set(app.enumerations[0].cases.map { "\($0.name) \"\($0.raw)\"" }) else {
      throw Trouble(text: "\(name) has other cases: \(cases)")
    }
  }

  /// Every value arrives where its author means it to.
  private func check(_ evolution: Evolution, step index: Int) throws {
    let (old, new) = (shipped[index - 1], shipped[index])
    let version = evolution.history[index]
    let meaning = meanings[index]
    let provenances = evolution.provenances(at: index)
    for model in new.models {
      let was = old.models.first { $0.id == model.id }
      let origin = provenances[model.name]
      guard origin?.models ?? [] == (was.map { [$0.name] } ?? []) else {
        throw Trouble(
          text: "\(version.number.name): rows of \(model.name) come from \(origin?.models ?? [])")
      }
      guard let was else { continue }
      for property in model.properties where !property.isTransient {
        let before = was.properties.first { $0.id == property.id && !$0.isTransient }
        let found = origin?.properties[property.name] ?? []
        guard found.map(\.member) == (before.map { [$0.name] } ?? []) else {
          throw Trouble(
            text:
              "\(version.number.name): \(model.name).\(property.name) comes from \(found), not \(before?.name ?? "nothing")"
          )
        }
        let migration = version.model(named: model.name)?.property(named: property.name)?.migration
        let convert = migration?.convert.map { "\($0.value)" } ?? ""
        let isConverted = origin?.converted.contains(property.name) ?? false
        if let expression = meaning.conversions[property.id], before?.type == "Int",
          property.type == "String"
        {
          guard isConverted, convert.contains(expression) else {
            throw Trouble(
              text:
                "\(version.number.name): \(property.name) is made by '\(convert)', not '\(expression)'"
            )
          }
        } else if isConverted, !convert.contains("\"$0\"") {
          throw Trouble(
            text: "\(version.number.name): \(property.name) is converted by '\(convert)'")
        }
        let fill = migration?.fill.map { "\($0.value)" } ?? ""
        if let value = meaning.fills[property.id] {
          guard fill.contains(value.filter { $0 != "\"" }) else {
            throw Trouble(
              text: "\(version.number.name): \(property.name) is filled by '\(fill)', not \(value)")
          }
        } else if !fill.isEmpty {
          throw Trouble(text: "\(version.number.name): \(property.name) is filled by '\(fill)'")
        }
      }
    }
    for one in old.enumerations[0].cases {
      if let now = new.enumerations[0].cases.first(where: { $0.id == one.id }) {
        guard
          now.raw == one.raw
            || version.type(named: "Mood")?.cases.first(where: { $0.name == now.name })?
              .renamedFrom?.value == one.name
        else {
          throw Trouble(
            text: "\(version.number.name): rows of \(one.name) do not become \(now.name)")
        }
      } else {
        let drop = version.drops.first { $0.element.value == ElementPath("Mood", one.name) }
        guard drop?.replacedBy?.value == meaning.replacements[one.id] else {
          throw Trouble(
            text:
              "\(version.number.name): rows of \(one.name) become \(drop?.replacedBy?.value ?? "nothing")"
          )
        }
      }
    }
  }
}
