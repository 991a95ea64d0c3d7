package import SchemaModel
internal import SwiftSyntax

/// A rule about Swift code, at work. Its namesake in `SchemaLint` says what it is for, and has the examples.
protocol SourceCheck: Sendable {
  var rule: Rule { get }
  func findings(in context: CheckContext) -> [SourceFinding]
}

/// A piece of a file, and what is to stand there instead.
package struct SourceEdit: Hashable, Sendable {
  /// In UTF-8 units from the file's start.
  package var range: Range<Int>
  package var text: String
}

/// A finding in Swift code, with its safe fix if there is one.
package struct SourceFinding: Sendable {
  package var diagnostic: Diagnostic
  package var edit: SourceEdit?
}

/// What a file is to the checks.
package enum SourceRole: Sendable {
  /// The app's own.
  case app
  /// Called by the generated plan; versions are named there, and nothing else.
  case userFile
}

/// A file, and what checks know beside it.
struct CheckContext {
  let source: SwiftSource
  let role: SourceRole
  let names: VersionNames
  let facts: TreeFacts
  let migrations: Migrations
  /// Modules by which names may be qualified.
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

  /// Whether code stands in a preview.
  func isPreview(_ node: some SyntaxProtocol) -> Bool { previews.value(around: node) ?? false }

  /// Whether code runs for developers alone.
  func isDevelopment(_ node: some SyntaxProtocol) -> Bool {
    developments.value(around: node) ?? false
  }

  /// References to some names, below a node or in the whole file.
  func references(_ names: Set<String>, in node: Syntax? = nil) -> [NameReference] {
    NameReferences.find(names, in: node ?? Syntax(source.syntax), modules: modules)
  }

  /// The names of all versions that there are: generated ones, those written by hand, and those of stages.
  var versions: Set<String> {
    Set(names.schemas.keys).union(facts.versions.keys)
      .union(migrations.bodies.flatMap { $0.own.union($0.other) })
  }

  /// The source of a range of UTF-8 units.
  func text(_ range: Range<Int>) -> String {
    String(decoding: source.file.bytes[range], as: UTF8.self)
  }
}

extension SwiftSource {
  /// The modules that the file imports.
  package var imports: Set<String> {
    Set(
      syntax.statements.compactMap { statement in
        statement.item.as(ImportDeclSyntax.self)?.path.first?.name.plain
      })
  }
}
