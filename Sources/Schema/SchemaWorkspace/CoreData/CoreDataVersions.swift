internal import Foundation
internal import ManagedModels
package import SchemaManifest
package import SchemaModel

/// All versions of a Core Data model: the contents of an `.xcdatamodeld`.
package struct CoreDataVersions: Sendable {
  package let path: String
  /// The versions, oldest first.
  package private(set) var versions: [CoreDataModel]
  /// The index of the version that the app uses.
  package private(set) var current: Int
  /// The files that the model was read from; empty for a compiled model.
  package let files: [SourceFile]

  package var sources: [String: String] { files.textsByPath }
  /// The model's own name: `Trips` of `App/Trips.xcdatamodeld`.
  package var name: String { Self.stem(path) }
  /// The versions up to the current one, which have shipped or are about to.
  package var shipped: [CoreDataModel] { Array(versions[...current]) }
  /// The versions after the current one: drafts, or versions that were withdrawn.
  package var drafts: [CoreDataModel] { Array(versions[(current + 1)...]) }

  /// The result of reading a model: all of its versions, or findings.
  package struct Reading: Sendable {
    package var versions: CoreDataVersions?
    package var diagnostics: [Diagnostic] = []
    package var files: [SourceFile] = []
    package var sources: [String: String] { files.textsByPath }

    /// Calls the closure to read a model. An error becomes a finding at the model's path.
    package init(of path: String, _ read: (inout Reading) throws -> Void) {
      do {
        try read(&self)
      } catch let trouble as CoreDataTrouble {
        diagnostics.append(
          Diagnostic(
            .coreDataModel, trouble.message, at: SourceLocation(file: path), help: [trouble.help]))
      } catch let error as FileSystemError {
        diagnostics.append(
          Diagnostic(.unreadable, "'\(error.path)': \(error.reason)", at: nil))
      } catch {
        let reason = (error as? StoreError)?.reason ?? "\(error)"
        diagnostics.append(
          Diagnostic(.coreDataModel, "'\(path)': \(reason)", at: SourceLocation(file: path)))
      }
    }
  }

  package static func isSource(_ path: String) -> Bool {
    let path = path.hasSuffix("/") ? String(path.dropLast()) : path
    return path.hasSuffix(".xcdatamodeld") || path.hasSuffix(".xcdatamodel")
  }

  /// Orders versions that were read one by one.
  ///
  /// - Parameters:
  ///   - current: The name of the version that the app uses; nil if unknown.
  ///   - order: The names, oldest first, as the user gave them; empty to sort by the numbers in the names.
  package init(
    path: String, _ models: [CoreDataModel], current: String?, order: [String] = [],
    files: [SourceFile] = []
  ) throws(CoreDataTrouble) {
    self.path = path
    self.files = files
    versions = try Self.sorted(models, order, path)
    guard let current = current ?? (models.count == 1 ? models[0].name : nil) else {
      throw CoreDataTrouble(
        "'\(path)' does not name its current version",
        help:
          "in Xcode's file inspector, choose a version under 'Model Version'; 'schemagen adopt' takes its name with '--to'"
      )
    }
    guard let place = versions.firstIndex(where: { $0.name == current }) else {
      throw CoreDataTrouble(
        "the current version of '\(path)' is '\(current)', which does not exist",
        help: "there are: \(versions.map(\.name).joined(separator: ", "))")
    }
    self.current = place
  }

  /// Reads an `.xcdatamodeld`, or the one version of an `.xcdatamodel`.
  ///
  /// - Parameter current: The name of the version that counts as the current one. Nil for the one that the model names.
  package static func read(
    _ path: String, current: String? = nil, order: [String] = [], fileSystem: some FileSystem
  ) -> Reading {
    let path = path.hasSuffix("/") ? String(path.dropLast()) : path
    return Reading(of: path) { try $0.read(path, current, order, fileSystem) }
  }

  /// The file name without its extension: `Trips 2` of `App/Trips 2.xcdatamodel`.
  package static func stem(_ path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
  }

  // MARK: The order

  private static func sorted(
    _ models: [CoreDataModel], _ order: [String], _ path: String
  ) throws(CoreDataTrouble) -> [CoreDataModel] {
    let names = models.map(\.name)
    guard order.isEmpty else {
      guard order.count == names.count, Set(order) == Set(names) else {
        throw CoreDataTrouble(
          "'--order' must name each version of '\(path)' once",
          help: "there are: \(names.sorted().joined(separator: ", "))")
      }
      return order.compactMap { name in models.first { $0.name == name } }
    }
    let keys = names.map(key)
    guard models.count < 2 || Set(keys.map(\.letters)).count == 1,
      Set(keys.map(\.numbers)).count == keys.count
    else {
      // The suggested order is nearly right, so only one or two names have to move.
      let list = zip(keys, names).sorted { one, other in
        one.0.numbers == other.0.numbers
          ? one.1 < other.1 : one.0.numbers.lexicographicallyPrecedes(other.0.numbers)
      }.map(\.1).joined(separator: ",")
      throw CoreDataTrouble(
        "the names of the versions of '\(path)' do not show which is older",
        help: "name the versions, the oldest first: --order '\(list)'")
    }
    return zip(keys, models).sorted { $0.0.numbers.lexicographicallyPrecedes($1.0.numbers) }
      .map(\.1)
  }

  /// A name's common part and the numbers in it, to sort `Trips`, `Trips 2`, `Trips 2.1`.
  private static func key(_ name: String) -> (letters: String, numbers: [Int]) {
    let digits = name.split { !($0.isASCII && $0.isNumber) }
    let letters = name.filter { $0.isLetter }
    return (letters, digits.map { Int($0) ?? .max })
  }
}

/// Why a Core Data model cannot be read.
package struct CoreDataTrouble: Error, Sendable {
  /// One sentence without a full stop.
  package var message: String
  package var help: String

  package init(_ message: String, help: String) {
    self.message = message
    self.help = help
  }
}

extension CoreDataVersions.Reading {
  fileprivate mutating func read(
    _ path: String, _ chosen: String?, _ order: [String], _ fileSystem: some FileSystem
  ) throws {
    guard let names = try fileSystem.list(path) else {
      throw CoreDataTrouble(
        "there is no folder '\(path)'",
        help: "name the model in the project, such as App/Trips.xcdatamodeld")
    }
    var models: [CoreDataModel] = []
    let folders =
      path.hasSuffix(".xcdatamodel")
      ? [path] : names.filter { $0.hasSuffix(".xcdatamodel") }.map { Path.join(path, $0) }
    guard !folders.isEmpty else {
      throw CoreDataTrouble(
        "'\(path)' contains no version",
        help: "a version is a folder whose name ends in '.xcdatamodel'")
    }
    for folder in folders {
      let file = Path.join(folder, "contents")
      guard let source = try file.source(fileSystem) else {
        diagnostics.append(
          Diagnostic(
            .coreDataModel, "'\(folder)' has no file 'contents'", at: SourceLocation(file: folder),
            help: ["open the model in Xcode, and save it"]))
        continue
      }
      files.append(source)
      let (model, found) = CoreDataModelReader.read(source, name: CoreDataVersions.stem(folder))
      diagnostics += found
      if let model { models.append(model) }
    }
    guard diagnostics.isEmpty else { return }
    let marker = try Path.join(path, ".xccurrentversion").source(fileSystem)
    if let marker { files.append(marker) }
    let current = try chosen ?? marker.map { CoreDataVersions.stem(try Self.current($0)) }
    versions = try CoreDataVersions(
      path: path, models, current: current, order: order, files: files)
  }

  private static func current(_ file: SourceFile) throws -> String {
    let list = try? PropertyListSerialization.propertyList(from: Data(file.bytes), format: nil)
    guard let name = (list as? [String: Any])?["_XCCurrentVersionName"] as? String else {
      throw CoreDataTrouble(
        "'\(file.path)' does not name its current version",
        help: "in Xcode's file inspector, choose a version under 'Model Version'")
    }
    return name
  }
}

extension String {
  fileprivate func source(_ fileSystem: some FileSystem) throws(FileSystemError) -> SourceFile? {
    let limit = 16 << 20
    guard let bytes = try fileSystem.read(self, limit: limit + 1) else { return nil }
    guard bytes.count <= limit else {
      throw FileSystemError(path: self, reason: "it is larger than any Core Data model")
    }
    return SourceFile(path: self, bytes: bytes)
  }
}
