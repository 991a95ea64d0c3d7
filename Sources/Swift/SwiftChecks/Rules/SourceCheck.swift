package import SchemaModel
internal import SwiftSources
internal import SwiftSyntax

/// The check of a rule about Swift code. The rule's description and examples are in `SchemaLint`.
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
  case app
  /// A user file. The generated plan calls its code, and this code must name versions, never the newest one's active
  /// names.
  case userFile
}

/// The file to check, with facts about its source tree.
struct CheckContext {
  let source: SwiftSource
  let role: SourceRole
  let names: VersionNames
  let facts: TreeFacts
  let migrations: Migrations
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

  func references(_ names: Set<String>, in node: Syntax? = nil) -> [NameReference] {
    NameReferences.find(names, in: node ?? Syntax(source.syntax), modules: modules)
  }

  var versions: Set<String> {
    Set(names.schemas.keys).union(facts.versions.keys)
      .union(migrations.bodies.flatMap { $0.own.union($0.other) })
  }

  func text(_ range: Range<Int>) -> String {
    String(decoding: source.file.bytes[range], as: UTF8.self)
  }
}
