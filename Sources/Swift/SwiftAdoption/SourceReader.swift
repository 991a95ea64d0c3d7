internal import Foundation
package import SchemaModel
internal import SchemaRendering
package import SwiftSources

/// What to look for in files that were not read yet.
package enum SourceWanted: Sendable {
  case types(Set<String>)
  /// Declarations with these names, including extensions.
  case code(Set<String>)
}

/// Parses the files with models, and the files that declare what models use.
package struct SourceReader {
  package private(set) var sources: [SwiftSource]
  private let lookUp: (SourceWanted) -> [SourceFile]
  private var asked: Set<String> = []
  private var code: [SwiftSource] = []
  private var askedCode: Set<String> = []
  private var undecoded: [String: SourceFile] = [:]

  package init(
    _ files: [SourceFile], lookUp: @escaping (SourceWanted) -> [SourceFile]
  ) {
    sources = files.sorted { $0.path < $1.path }.concurrentlyParsed
    self.lookUp = lookUp
  }

  /// Adopts the wanted files, and reads further files as needed.
  ///
  /// A type that a model stores may be declared in any file, and so may the types of its fields.
  package mutating func adoption(
    _ options: Adoption.Options, where isWanted: (SwiftSource) -> Bool = { _ in true }
  ) -> Adoption {
    var options = options
    while true {
      let (app, tests) = TestCode.parted(sources)
      options.code = code
      let adoption = Adoption.read(
        app.filter(isWanted), tests: tests.filter(isWanted), options: options)
      let missing = adoption.undeclared.subtracting(asked)
      let used = adoption.usedNames.subtracting(askedCode)
      asked.formUnion(missing)
      askedCode.formUnion(used)
      var found: [SourceFile] = []
      if !missing.isEmpty { found = unread(lookUp(.types(missing))) }
      sources = (sources + found.concurrentlyParsed).sorted { $0.file.path < $1.file.path }
      let paths = Set(found.map(\.path))
      code.removeAll { paths.contains($0.file.path) }
      let known = Set(code.map(\.file.path))
      var helping: [SourceFile] = []
      if !used.isEmpty {
        helping = unread(lookUp(.code(used))).filter {
          !known.contains($0.path) && !GeneratedFile.isMarked($0.bytes)
        }
      }
      code += TestCode.parted(helping.concurrentlyParsed).app
      code.sort { $0.file.path < $1.file.path }
      guard !found.isEmpty || !helping.isEmpty else {
        return adoption.lacking(undecoded.values.sorted { $0.path < $1.path })
      }
    }
  }

  private mutating func unread(_ files: [SourceFile]) -> [SourceFile] {
    let known = Set(sources.map(\.file.path))
    return files.filter { file in
      guard !known.contains(file.path) else { return false }
      guard String(bytes: file.bytes, encoding: .utf8) == nil else { return true }
      undecoded[file.path] = file
      return false
    }
  }
}

extension SourceTree {
  /// The files that may declare something wanted, including files that are not UTF-8. The wider tree is searched for
  /// types that no file in this tree declares, and always for code.
  package func files(declaring wanted: SourceWanted, else wider: SourceTree) -> [SourceFile] {
    let found = files(containing: SourceAdoption.prefilter(declaring: wanted)).all
    let missing: SourceWanted
    switch wanted {
    case .code: missing = wanted
    case .types(let names):
      let open = names.filter { name in
        let declaring = SourceAdoption.prefilter(declaring: .types([name]))
        return !found.contains { $0.bytes.withUnsafeBytes(declaring.matches) }
      }
      guard !open.isEmpty else { return found }
      missing = .types(open)
    }
    let known = Set(found.map(\.path))
    return found
      + wider.files(containing: SourceAdoption.prefilter(declaring: missing)).all
      .filter { !known.contains($0.path) }
  }
}
