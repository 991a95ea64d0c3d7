package import SchemaEvolution
package import SchemaModel
internal import SchemaRendering

/// The Swift files that a rehearsal compiles: generated files, the app's user files, and a `main`.
package struct RehearsalSources: Sendable {
  /// The number of rows between two saves in a rehearsal. A migration is killed at each save, so the number is low:
  /// even a small table is saved many times.
  package static let batchSize = 20

  /// The evolution that the files are generated from. Nil if the folder has no evolution.
  package let evolution: Evolution?
  package struct File: Sendable {
    package var path: String
    package var contents: [UInt8]
    /// The path of the file that this one copies. Nil for a generated file.
    package var original: String?
  }

  package private(set) var files: [File] = []
  private var names: Set<String> = []

  /// - Parameters:
  ///   - folder: A folder whose evolution has no errors.
  ///   - app: The app's own files, each copied whole into the package.
  package init(
    _ folder: SchemaFolder, app: [SourceFile], fileSystem: some FileSystem
  ) throws(FileSystemError) {
    guard let told = folder.evolution else {
      evolution = nil
      return
    }
    let declared = DeclaredNames(app.map { String(decoding: $0.bytes, as: UTF8.self) })
    var configuration = told.configuration
    configuration.batchSize = Self.batchSize
    // Extras take no part in a migration, and need modules that are not available.
    configuration.extras = []
    configuration.imports = []
    configuration.classes = nil
    // Everything is in one module here, so the app's types need not be public.
    let own = told.history.flatMap(\.types).filter(\.isOwn).map(\.name) + told.entities.map(\.name)
    if own.contains(where: declared.hides) { configuration.access = .internal }
    if configuration.entities == .own, !told.entities.contains(where: { declared.has($0.name) }) {
      configuration.entities = .generated
    }
    let history = told.history.map { version in
      var version = version
      let names = version.types.map(\.name)
      // A type of the app that is not provided is generated from the manifest, which has its cases and fields.
      for (index, type) in version.types.enumerated()
      where type.kind != .opaque && !declared.has(type.name) && !type.name.contains(".")
        && !names.contains(where: { $0.hasPrefix(type.name + ".") })
      {
        version.types[index].isOwn = false
        version.types[index].appName = nil
      }
      return version
    }
    let opaque = OpaqueStandIn(for: history, besides: declared.has)
    let evolution = AnalysisPipeline(
      history: history.map(opaque.applied), configuration: configuration, shipped: told.shipped,
      hooks: told.hooks
    ).run()
    self.evolution = evolution.kept
    let places = OutputLocations(folder: folder.path, configuration: evolution.configuration)
    add("Rehearsal.swift", Array(Self.main(evolution.kept).utf8), in: "Main")
    for step in evolution.kept.steps {
      if let (name, text) = Self.expectations(of: step, evolution.kept) {
        add(name, Array(text.utf8), in: "Main")
      }
    }
    for file in Renderer(templates: folder.templates, isRehearsed: true).files(for: evolution) {
      switch file.kind {
      case .generated: add(file.path, Array(file.contents.utf8), in: "Generated")
      case .userFile:
        let path = places.path(of: file)
        let written = try fileSystem.read(path, limit: OutputLocations.readLimit)
        add(
          file.path, Self.importable(written ?? Array(file.contents.utf8)), in: "Owned",
          from: written == nil ? nil : path)
      case .test, .documentation: break
      }
    }
    for file in app { add(file.path, file.bytes, in: "App", from: file.path) }
    if let text = opaque.text { add(OpaqueStandIn.path, Array(text.utf8), in: "Main") }
    let texts = files.filter { $0.original != nil }.map {
      String(decoding: $0.contents, as: UTF8.self)
    }
    for standIn in [StandIn.os, .foundation] where texts.contains(where: standIn.isUsed) {
      add(standIn.path, standIn.contents(besides: texts), in: "Main")
    }
  }

  /// Why a history cannot be rehearsed, as a sentence. Nil if it can be.
  package static func obstacle(to evolution: Evolution) -> String? {
    for version in evolution.kept.history {
      for model in version.models {
        for property in model.properties
        where property.attribute?.options.contains(.codable) ?? false {
          return
            "'\(model.name).\(property.name)' of \(version.number.name) is stored with '.codable' (iOS 27), which the rehearsal's SwiftData does not support"
        }
      }
    }
    return nil
  }

  /// The request for declarations in the app's files that generated code and user files need.
  ///
  /// - Parameter paths: The app's files and folders, in addition to the folder of user files.
  package static func request(
    _ folder: SchemaFolder, of paths: [String], without refused: [[AppCode.Place]] = [],
    fileSystem: some FileSystem
  ) throws(FileSystemError) -> AppCode.Request {
    var request = AppCode.Request(
      generated: [], userFiles: [], types: [], paths: paths, excluded: [])
    request.refused = refused
    guard let evolution = folder.evolution else { return request }
    let places = OutputLocations(folder: folder.path, configuration: evolution.configuration)
    let owned = Path.join(folder.path, evolution.configuration.owned)
    if fileSystem.isFolder(owned) { request.paths.append(owned) }
    request.types = Set(evolution.history.flatMap(\.types).map(\.name)).sorted()
    for file in Renderer(templates: folder.templates, isRehearsed: true).files(for: evolution) {
      switch file.kind {
      case .generated: request.generated.append(file.contents)
      case .userFile:
        let path = places.path(of: file)
        let written = try fileSystem.read(path, limit: OutputLocations.readLimit)
        request.userFiles.append(
          written.map { String(decoding: $0, as: UTF8.self) } ?? file.contents)
        request.excluded.append(path)
      case .test, .documentation: break
      }
    }
    return request
  }

  /// The app's own files, unreduced: those in the folder of user files, and the given ones.
  package static func whole(
    _ folder: SchemaFolder, and sources: [String], _ fileSystem: some FileSystem
  ) throws(FileSystemError) -> [SourceFile] {
    guard let evolution = folder.evolution else { return [] }
    let owned = Path.join(folder.path, evolution.configuration.owned)
    var files = fileSystem.isFolder(owned) ? try all(in: owned, fileSystem) : []
    for source in sources {
      if fileSystem.isFolder(source) {
        files += try all(in: source, fileSystem)
      } else if let bytes = try fileSystem.read(source, limit: OutputLocations.readLimit) {
        files.append(SourceFile(path: source, bytes: bytes))
      } else {
        throw FileSystemError(path: source, reason: "no such file or folder")
      }
    }
    return files
  }

  /// A user file without imports of modules that rehearsals do not have. Line numbers stay the same.
  private static func importable(_ bytes: [UInt8]) -> [UInt8] {
    var lines = String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let words = line.prefix(200).split(whereSeparator: \.isWhitespace)
      guard let place = words.firstIndex(of: "import"), place + 1 < words.count,
        words[..<place].allSatisfy({ $0.hasPrefix("@") || $0 == "internal" || $0 == "private" })
      else { continue }
      if !modules.contains(words[place + 1]) { lines[index] = "" }
    }
    return Array(lines.joined(separator: "\n").utf8)
  }

  private static let modules: Set<Substring> = [
    "Dispatch", "Foundation", "FoundationNetworking", "Observation", "RegexBuilder", "SwiftData",
    "Synchronization",
  ]

  private static func all(
    in folder: String, _ fileSystem: some FileSystem
  ) throws(FileSystemError) -> [SourceFile] {
    var files: [SourceFile] = []
    for name in try fileSystem.list(folder) ?? [] where !name.hasPrefix(".") {
      let path = Path.join(folder, name)
      if fileSystem.isFolder(path) {
        files += try all(in: path, fileSystem)
      } else if name.hasSuffix(".swift"),
        let bytes = try fileSystem.read(path, limit: OutputLocations.readLimit),
        !GeneratedFile.isMarked(bytes)
      {
        files.append(SourceFile(path: path, bytes: bytes))
      }
    }
    return files
  }

  /// Adds a file unless there is a file of the same name, which a module does not allow. Generated files come first.
  private mutating func add(
    _ path: String, _ contents: [UInt8], in folder: String, from original: String? = nil
  ) {
    let name = path.split(separator: "/").last.map { String($0) } ?? path
    guard names.insert(name).inserted else { return }
    files.append(File(path: "\(folder)/\(name)", contents: contents, original: original))
  }

  private static func main(_ evolution: Evolution) -> String {
    var versions = ""
    for evolved in evolution.versions {
      let (version, schema) = (evolved.declared, evolved.stored.name)
      versions += "      Rehearsal.Version(\n"
      versions += "        \"\(version.number.name)\", \(schema).self,\n"
      versions += "        converters: [\n"
      for (model, converter) in evolved.converters.sorted(by: { $0.key < $1.key }) {
        // A subclass also inherits its superclass's `toEntity()`, so the type must be given.
        versions += "          Rehearsal.Converter(\(schema).\(model).self) {\n"
        versions += "            $0.toEntity() as \(converter.entity)\n          },\n"
      }
      versions += "        ]),\n"
    }
    let expectations = evolution.steps.map { $0.new }
      .filter { !$0.expectations.isEmpty }.map { "expectationsV\($0.number.label)" }
      .joined(separator: " + ")
    return """
      // Written by 'schemagen rehearse'.

      import Foundation
      import SwiftData
      import SwiftDataRehearsal

      @main
      enum RehearsalMain {
        static func main() {
          Rehearsal(
            plan: \(evolution.configuration.names.plan).self,
            versions: [
      \(versions)    ],
            expectations: \(expectations.isEmpty ? "[]" : expectations)
          ).main()
        }
      }

      """
  }

  /// The expectations of a step, in a file named after its version. If an expression does not compile, the file name
  /// leads to the manifest. Nil if the step has no expectations.
  private static func expectations(
    of step: VersionStep, _ evolution: Evolution
  ) -> (name: String, text: String)? {
    let version = step.new
    guard !version.expectations.isEmpty else { return nil }
    let lines = version.expectations.flatMap {
      ExpectationText($0, step, evolution).rehearsed(in: version.number)
    }
    let text = """
      // Written by 'schemagen rehearse'.

      import Foundation
      import SwiftData
      import SwiftDataRehearsal

      extension RehearsalMain {
        static var expectationsV\(version.number.label): [Rehearsal.Expectation] {
          [
      \(lines.map { "      \($0)\n" }.joined())    ]
        }
      }

      """
    return ("ExpectationsV\(version.number.label).swift", text)
  }
}

/// The types that Swift files declare, found by their words alone. A name that only a comment declares counts as well.
/// The compiler then reports that the type is missing.
private struct DeclaredNames {
  private var names: Set<String> = []
  private var hidden: Set<String> = []

  init(_ texts: [String]) {
    let declaration = /\b(?:enum|struct|class|actor|typealias)\s+(?<name>\w+)/
      .wordBoundaryKind(.simple)
    for text in texts {
      var last = text.startIndex
      for match in text.matches(of: declaration) {
        let name = String(match.name)
        names.insert(name)
        // A line may be as long as the whole file.
        let before = text[last..<match.range.lowerBound].suffix(Self.longestHead)
        let head = before[(before.lastIndex { $0.isNewline } ?? before.startIndex)...]
        if !head.contains(/\b(public|package)\b/) { hidden.insert(name) }
        last = match.range.upperBound
      }
    }
  }

  /// The longest text before a declaration on its line, attributes included.
  private static let longestHead = 500

  func has(_ name: String) -> Bool { names.contains(name) }

  func hides(_ name: String) -> Bool { hidden.contains(name) }
}
