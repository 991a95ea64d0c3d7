package import SchemaModel
internal import SwiftSources
internal import SwiftSyntax

/// The check of a rule about Swift code. The rule with the same name in `SchemaLint` has the description and the
/// examples.
protocol SourceCheck: Sendable {
  var rule: Rule { get }
  func findings(in context: CheckContext) -> [SourceFinding]
}

package struct SourceEdit: Hashable, Sendable {
  /// The range in UTF-8 units from the file's start.
  package var range: Range<Int>
  package var text: String
}

package struct SourceFinding: Sendable {
  package var diagnostic: Diagnostic
  package var edit: SourceEdit?
}

package enum SourceRole: Sendable {
  /// The file is the app's own.
  case app
  /// The generated plan calls the file; it names versions and nothing else.
  case userFile
}

/// A file, and facts about its tree.
struct CheckContext {
  let source: SwiftSource
  let role: SourceRole
  let names: VersionNames
  let facts: TreeFacts
  let migrations: Migrations
  /// The modules that may qualify names.
  let modules: Set<String>
  let values: FileValues
  private let previews = Ancestors { $0.isPreview ? true : nil }
  private let developments = Ancestors(\.isDevelopment)

  init(_ source: SwiftSource, role: SourceRole, names: VersionNames, facts: TreeFacts) {
    self.source = source
    self.role = role
    self.names = names
    self.facts = facts
    migrations = Migrations(source, names: names, facts: facts, isUserFile: role == .userFile)
    modules = names.modules.union(source.imports)
    values = FileValues(source, constants: facts.constants)
  }

  func isPreview(_ node: some SyntaxProtocol) -> Bool { previews.value(around: node) ?? false }

  func isDevelopment(_ node: some SyntaxProtocol) -> Bool {
    developments.value(around: node) ?? false
  }

  /// References to some names, below a node or in the whole file.
  func references(_ names: Set<String>, in node: Syntax? = nil) -> [NameReference] {
    NameReferences.find(names, in: node ?? Syntax(source.syntax), modules: modules)
  }

  /// The names of all versions: generated, handwritten, and those of stages.
  var versions: Set<String> {
    Set(names.schemas.keys).union(facts.versions.keys)
      .union(migrations.bodies.flatMap { $0.own.union($0.other) })
  }

  /// The source of a range of UTF-8 units.
  func text(_ range: Range<Int>) -> String {
    String(decoding: source.file.bytes[range], as: UTF8.self)
  }
}
