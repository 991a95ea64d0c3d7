internal import SchemaModel
internal import SwiftSyntax

/// What a file is to an app, in the order in which a change goes through it.
///
/// The order is that of a list in the SwiftData Schema Migration Guide, "Identify All Affected Code".
package enum CodeLayer: String, Sendable, CaseIterable {
  case entities = "Domain entity"
  case schemas = "Schema versions"
  case plan = "Migration plan"
  case activeSchema = "ActiveSchema"
  case dataSources = "Data sources"
  case useCases = "Use cases"
  case viewModels = "View models"
  case views = "UI views"
  case tests = "Tests"
  case others = "Other code"

  /// The layer of a file, told by what it declares and imports, and else by what it and its folders are called.
  init(_ source: SwiftSource, entities: Set<String>, activeSchema: String) {
    let parts = source.file.path.split(separator: "/").map(String.init)
    let name = parts.last.map { String($0.prefix { $0 != "." && $0 != "+" }) } ?? ""
    let folders = parts.dropLast()
    let imports = source.importedModules
    let declarations = source.syntax.statements.compactMap {
      $0.item.asProtocol((any DeclGroupSyntax).self)
    }
    let declared = declarations.compactMap {
      $0.asProtocol((any NamedDeclSyntax).self)?.name.plain
    }
    let conformances = declarations.flatMap {
      $0.inheritanceClause?.inheritedTypes.map(\.type.lastName) ?? []
    }
    func isCalled(_ endings: String...) -> Bool {
      endings.contains { ending in
        name.hasSuffix(ending) || declared.contains { $0.hasSuffix(ending) }
          || folders.contains { $0 == ending || $0.hasSuffix(ending + "s") }
      }
    }
    func isUsing(_ modules: String...) -> Bool { !imports.isDisjoint(with: modules) }
    self =
      if isUsing("XCTest", "Testing") || name.hasSuffix("Tests")
        || folders.contains(where: { $0.hasSuffix("Tests") })
      {
        .tests
      } else if !entities.isDisjoint(with: declared) {
        .entities
      } else if conformances.contains("SchemaMigrationPlan") {
        .plan
      } else if declared.contains(activeSchema) {
        .activeSchema
      } else if conformances.contains("VersionedSchema") {
        .schemas
      } else if isCalled("ViewModel") {
        .viewModels
      } else if isUsing("SwiftUI", "UIKit", "AppKit") || isCalled("View", "Screen") {
        .views
      } else if isCalled("UseCase", "Interactor") {
        .useCases
      } else if isUsing("SwiftData", "CloudKit")
        || isCalled("DataSource", "Repository", "Repositorie", "Store", "Storage", "Persistence")
        || folders.contains("Data")
      {
        .dataSources
      } else if isCalled("Entities", "Entitie") || folders.contains("Domain") {
        .entities
      } else {
        .others
      }
  }
}
