internal import SchemaLint
internal import SchemaModel
internal import SchemaWorkspace
package import SwiftSources

/// Finds adopted code that still exists although its replacement is generated. One finding covers all of it.
struct AdoptedSource: SourceCheck {
  let rule = Rule.adoptedSource

  func findings(in context: CheckContext) -> [SourceFinding] {
    let all = context.facts.replaced
    guard let first = all.first, first.place.file == context.source.file.path,
      let folder = context.names.folders.first(where: \.isAdopted) ?? context.names.folders.first
    else { return [] }
    return [
      SourceFinding(
        diagnostic: Diagnostic(
          adoptedSource: all.map { ($0.name, $0.place) }, generatedIn: folder.path))
    ]
  }
}

extension Diagnostic {
  /// - Parameter all: The duplicate declarations, at least one.
  package init(adoptedSource all: [(name: String, place: Place)], generatedIn folder: String) {
    let option = ShellWord.schemas(folder)
    let others =
      all.count > 1 ? ", and so \(all.count == 2 ? "is" : "are") \(all.count - 1) more" : ""
    self.init(
      .adoptedSource,
      "'\(all[0].name)' is generated now\(others), but the adopted code is still here",
      element: all[0].name, at: all[0].place,
      related: all.dropFirst().map { .init("'\($0.name)' is here", at: $0.place) },
      help: ["remove the code that is generated now: schemagen adopt --finish\(option)"])
  }
}
