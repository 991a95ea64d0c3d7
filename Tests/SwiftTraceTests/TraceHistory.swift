import Foundation
import ManagedModels
import SchemaEvolution
import SchemaGit
import SchemaManifest
import SchemaModel
import SchemaWorkspace
import TestSupport

/// A random git history: branches, merges, reverts, moved folders and files, models that return, broken states;
/// manifests and classes. A seed gives the same history on every machine.
struct TraceHistory {
  /// An app's schema in one commit.
  struct App: Equatable {
    enum Form: Equatable {
      case classes(hasContainer: Bool)
      case versions, manifests
    }

    var form: Form
    var version = Version()
    /// The earlier versions, if any.
    var older: [Version] = []
    var folder: String
    var isOneFile = false
    var noise = 0
    /// Whether a class or a manifest is unreadable.
    var isBroken = false
    /// The number of versions that have shipped according to the lock; only with manifests.
    var released = 0
  }

  /// Models and what they store.
  struct Version: Equatable {
    var models: [String: ModelParts] = [:]
    /// The raw type of the enum `Kind`.
    var rawType = "String"
    /// The fields of the struct `Place`.
    var fields: [String: String] = ["street": "String"]
  }

  struct ModelParts: Equatable {
    /// Types by the names of attributes.
    var attributes: [String: String] = [:]
    /// The model to which `owner` leads, which has a list of these.
    var owner: String?
  }

  struct Commit {
    var parents: [Int]
    /// The apps, each in a folder of its own if there are two.
    var apps: [App]
    var tag: String?
  }

  let seed: Int
  private(set) var commits: [Commit] = []
  private var random: SplitMix64
  private var heads: [Int] = []
  private var names = 0
  private let hasOddPaths: Bool

  init(seed: Int, length: Int? = nil) {
    self.seed = seed
    random = SplitMix64(seed: UInt64(seed))
    hasOddPaths = random.chance(20)
    var apps = [firstApp(random.chance(25) ? "One" : "")]
    if apps[0].folder.hasPrefix("One") { apps.append(firstApp("Two")) }
    commits = [Commit(parents: [], apps: apps)]
    heads = [0]
    let count = length ?? 12 + random.below(24)
    while commits.count < count { step() }
    for place in commits.indices where random.chance(15) { commits[place].tag = "v\(place)" }
  }

  // MARK: Making

  private mutating func firstApp(_ root: String) -> App {
    let form: App.Form =
      switch random.below(4) {
      case 0: .classes(hasContainer: random.chance(50))
      case 1: .classes(hasContainer: true)
      case 2: .versions
      default: .manifests
      }
    var app = App(form: form, folder: root.isEmpty ? "App" : "\(root)/App")
    for name in ["A", "B"] { app.version.models[name] = ModelParts(attributes: ["x": "Int"]) }
    for _ in 0..<4 { edit(&app.version) }
    return app
  }

  private mutating func step() {
    let roll = random.below(100)
    if roll < 12, commits.count > 2 {
      let base = random.below(commits.count)
      add(Commit(parents: [base], apps: changed(commits[base].apps, base)))
    } else if roll < 26, heads.count > 1 {
      let ours = random.below(heads.count)
      let theirs = random.below(heads.count)
      guard ours != theirs else { return }
      let (one, other) = (heads[ours], heads[theirs])
      var apps = commits[random.chance(60) ? one : other].apps
      // A merge decides separately about files other than the models.
      if random.chance(30) { for place in apps.indices { apps[place].noise += 1 } }
      heads.removeAll { $0 == other }
      add(Commit(parents: [one, other], apps: apps))
    } else {
      let base = random.pick(heads)
      add(Commit(parents: [base], apps: changed(commits[base].apps, base)))
    }
  }

  private mutating func add(_ commit: Commit) {
    heads.removeAll { $0 == commit.parents[0] }
    heads.append(commits.count)
    commits.append(commit)
  }

  private mutating func changed(_ apps: [App], _ base: Int) -> [App] {
    var apps = apps
    let place = random.below(apps.count)
    let roll = random.below(100)
    switch roll {
    case 0..<30: apps[place].noise += 1
    case 30..<70: edit(&apps[place].version)
    case 70..<78:
      // A revert to an older commit's contents in the same folder.
      var ancestor = base
      for _ in 0..<random.below(6) { ancestor = commits[ancestor].parents.first ?? ancestor }
      apps = commits[ancestor].apps
    case 78..<84:
      let root = apps.count > 1 ? (place == 0 ? "One/" : "Two/") : ""
      apps[place].folder = root + random.pick(["App", "Sources/App", "Models", "Kit/Sources"])
    case 84..<88: apps[place].isOneFile.toggle()
    case 88..<92: apps[place].isBroken.toggle()
    case 92..<94:
      apps[place].released = apps[place].older.count + 1
    default:
      guard apps[place].form != .classes(hasContainer: true),
        apps[place].form != .classes(hasContainer: false)
      else {
        apps[place].form = .versions
        return apps
      }
      apps[place].older.append(apps[place].version)
      edit(&apps[place].version)
    }
    return apps
  }

  private static let types = [
    "Int", "String", "Double", "Bool", "Date", "Data", "UUID", "Kind", "Place", "Int?", "String?",
    "Date?", "Place?", "Kind?",
  ]

  private mutating func edit(_ version: inout Version) {
    let models = version.models.keys.sorted()
    let name = random.pick(models)
    let attributes = version.models[name]!.attributes.keys.sorted()
    switch random.below(12) {
    case 0..<3:
      names += 1
      version.models[name]?.attributes["p\(names % 9)"] = random.pick(Self.types)
    case 3..<5:
      if attributes.count > 1 { version.models[name]?.attributes[random.pick(attributes)] = nil }
    case 5..<7: version.models[name]?.attributes[random.pick(attributes)] = random.pick(Self.types)
    case 7:
      names += 1
      version.models["M\(names % 5)"] = ModelParts(attributes: ["x": random.pick(Self.types)])
    case 8:
      guard models.count > 2 else { return }
      version.models[name] = nil
      for other in version.models.keys where version.models[other]?.owner == name {
        version.models[other]?.owner = nil
      }
    case 9:
      let owner = random.pick(models)
      let isFree = version.models[name]?.owner == nil && owner != name
      version.models[name]?.owner = isFree ? owner : nil
    case 10: version.rawType = version.rawType == "Int" ? "String" : "Int"
    default:
      names += 1
      let field = random.pick(["street", "zip", "city"])
      if version.fields.count > 1, version.fields[field] != nil {
        version.fields[field] = nil
      } else {
        version.fields[field] = random.pick(["String", "Int", "String?"])
      }
    }
  }

  // MARK: What a commit stores

  /// The model of the stores that a commit's app writes; nil if it is unknown.
  func stored(by app: App) -> ManagedModel? {
    guard !app.isBroken else { return nil }
    if app.form == .manifests {
      let folder = SchemaFolder.read(
        app.folder + "/Schemas", fileSystem: MemoryDisk(app.files))
      guard let evolution = folder.evolution, let last = evolution.chain.last else { return nil }
      let types = evolution.types.values.sorted { $0.name < $1.name }
      return VersionModel(last.schema, types: types).model
    }
    return app.version.managedModel
  }

  // MARK: Files

  /// All files of a commit.
  func files(_ commit: Int) -> [String: String] {
    commits[commit].apps.reduce(into: ["README.md": "Seed \(seed)\n"]) {
      $0.merge($1.files) { first, _ in first }
    }
  }

  /// Makes the repository.
  func write(to folder: String) throws -> Repository {
    let repository = try Repository(folder)
    var stream = Data()
    func add(_ text: String) { stream += Data(text.utf8) }
    for (place, commit) in commits.enumerated() {
      add("commit refs/heads/line\(place)\nmark :\(place + 1)\n")
      add("committer Ada <ada@example.org> \(1_700_000_000 + place * 3600) +0000\n")
      let message = "Commit \(place)"
      add("data \(message.utf8.count)\n\(message)\n")
      for (number, parent) in commit.parents.enumerated() {
        add("\(number == 0 ? "from" : "merge") :\(parent + 1)\n")
      }
      add("deleteall\n")
      for (path, text) in files(place).sorted(by: { $0.key < $1.key }) {
        add("M 100644 inline \(path)\ndata \(text.utf8.count)\n\(text)\n")
      }
      if hasOddPaths {
        let text = "struct Other\(place) {}\n"
        add(
          "M 100644 inline \"Odd\\377/Na\\303\\257ve \\\"file.swift\"\ndata \(text.utf8.count)\n\(text)\n"
        )
        add("M 120000 inline Link.swift\ndata 9\nREADME.md\n")
      }
      if let tag = commit.tag { add("reset refs/tags/\(tag)\nfrom :\(place + 1)\n\n") }
    }
    add("reset refs/heads/main\nfrom :\(commits.count)\n\ndone\n")
    try stream.write(to: URL(filePath: folder + ".import"))
    defer { try? FileManager.default.removeItem(atPath: folder + ".import") }
    let done = try run(
      "sh", ["-c", "git fast-import --quiet --done <'\(folder).import'"], in: folder,
      environment: Repository.environment)
    guard done.status == 0 else { throw GitFailure(done.errors) }
    // Only commits at the end of a line of history keep their branches.
    let inner = Set(commits.flatMap(\.parents))
    for place in inner.sorted() {
      try FileManager.default.removeItem(atPath: "\(folder)/.git/refs/heads/line\(place)")
    }
    return repository
  }
}

extension TraceHistory.Version {
  /// The version's manifest.
  func manifest(_ number: Int) -> String {
    var text = "version: \(number).0.0\nmodels:\n"
    for (name, model) in models.sorted(by: { $0.key < $1.key }) {
      text += "  \(name):\n    properties:\n"
      for (attribute, type) in model.attributes.sorted(by: { $0.key < $1.key }) {
        text += "      \(attribute): \"\(type)\"\n"
      }
      if let owner = model.owner { text += "      owner: { relationship: \"\(owner)?\" }\n" }
      for (other, _) in owned(by: name) {
        text += "      of\(other): { relationship: \"[\(other)]\", inverse: owner }\n"
      }
    }
    text += "types:\n  Kind: { enum: \(rawType), cases: { one: \(raw(1)), two: \(raw(2)) } }\n"
    let fields = fields.sorted { $0.key < $1.key }.map { "\($0.key): \"\($0.value)\"" }
    return text + "  Place: { struct: { \(fields.joined(separator: ", ")) } }\nidentity: shipped\n"
  }

  /// Derived from the manifest, not from the classes.
  var managedModel: ManagedModel? {
    let read = ManifestReader().read(SourceFile(path: "V1.yaml", text: manifest(1)))
    return read.version.map { VersionModel($0).model }
  }

  func owned(by name: String) -> [(String, TraceHistory.ModelParts)] {
    models.filter { $0.value.owner == name }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private func raw(_ number: Int) -> String { rawType == "Int" ? "\(number)" : "\"r\(number)\"" }

  /// The class of a model.
  func declaration(of name: String, noise: Int, isBroken: Bool) -> String {
    var text = "// \(noise)\n@Model\nfinal class \(name) {\n"
    let model = models[name] ?? TraceHistory.ModelParts()
    for (attribute, type) in model.attributes.sorted(by: { $0.key > $1.key }) {
      text += "  var \(attribute): \(type)\n"
    }
    if let owner = model.owner { text += "  var owner: \(owner)?\n" }
    for (other, _) in owned(by: name) {
      text += "  @Relationship(inverse: \\\(other).owner) var of\(other): [\(other)] = []\n"
    }
    if isBroken { text += "  var mystery = makeSomething()\n" }
    return text + "  init() { fatalError() }\n}\n"
  }

  /// The file with the enum and the struct.
  var types: String {
    let fields = fields.sorted { $0.key < $1.key }.map { "  var \($0.key): \($0.value)\n" }
    return """
      enum Kind: \(rawType), Codable { case one = \(raw(1)), two = \(raw(2)) }
      struct Place: Codable {
      \(fields.joined())}

      """
  }
}

extension TraceHistory.App {
  /// The app's files.
  var files: [String: String] {
    var files: [String: String] = [
      "\(folder)/Noise.swift": "let noise = \(noise)\nstruct Noise {}\n"
    ]
    let models = version.models.keys.sorted()
    switch form {
    case .classes(let hasContainer):
      files["\(folder)/Types/Kinds.swift"] = version.types
      let texts = models.map {
        version.declaration(
          of: $0, noise: isOneFile ? noise : 0, isBroken: isBroken && $0 == models[0])
      }
      if isOneFile {
        files["\(folder)/Models.swift"] = "import SwiftData\n" + texts.joined(separator: "\n")
      } else {
        for (name, text) in zip(models, texts) {
          files["\(folder)/\(name).swift"] = "import SwiftData\n" + text
        }
      }
      if hasContainer {
        let list = models.map { "\($0).self" }.joined(separator: ", ")
        files["\(folder)/Main.swift"] =
          "let container = try ModelContainer(for: Schema([\(list)]))\n// \(noise)\n"
      }
    case .versions:
      files["\(folder)/Types/Kinds.swift"] = version.types
      let all = older + [version]
      for (place, version) in all.enumerated() {
        let names = version.models.keys.sorted()
        let isLast = place == all.count - 1
        let texts = names.map {
          version.declaration(of: $0, noise: 0, isBroken: isBroken && isLast && $0 == names[0])
        }
        let list = names.map { "\($0).self" }.joined(separator: ", ")
        files["\(folder)/SchemaV\(place + 1).swift"] = """
          import SwiftData
          enum SchemaV\(place + 1): VersionedSchema {
          static let versionIdentifier = Schema.Version(\(place + 1), 0, 0)
          static var models: [any PersistentModel.Type] { [\(list)] }
          \(texts.joined(separator: "\n"))
          }

          """
      }
      let list = all.indices.map { "SchemaV\($0 + 1).self" }.joined(separator: ", ")
      files["\(folder)/Plan.swift"] = """
        enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [\(list)] }
        static var stages: [MigrationStage] { [] }
        }

        """
    case .manifests:
      for (place, version) in (older + [version]).enumerated() {
        files["\(folder)/Schemas/V\(place + 1).yaml"] = version.manifest(place + 1)
      }
      files["\(folder)/Schemas/schemagen.yaml"] = "access: internal\n# \(noise)\n"
      if isBroken { files["\(folder)/Schemas/V1.yaml"]?.append("models: [\n") }
      if released > 0, !isBroken {
        let read = SchemaFolder.read("\(folder)/Schemas", fileSystem: MemoryDisk(files))
        if let evolution = read.evolution {
          var lock = SchemaLock(evolution, previous: SchemaLock())
          _ = lock.release(upTo: VersionNumber(min(released, older.count + 1)))
          files["\(folder)/Schemas/schema.lock"] = lock.text
        }
      }
    }
    return files
  }
}
