internal import SchemaModel
internal import SwiftSources
internal import SwiftSyntax

/// A layer of an app. The order is that of the list "Identify All Affected Code" in the SwiftData Schema Migration
/// Guide, in which changes pass through the layers.
enum CodeLayer: String, Sendable, CaseIterable {
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

  /// Takes the layer from what the file declares and imports, or else from its name and folders.
  init(_ source: SwiftSource, entities: Set<String>, activeSchema: String) {
    let parts = source.file.path.split(separator: "/").map(String.init)
    let name = parts.last.map { String($0.prefix { $0 != "." && $0 != "+" }) } ?? ""
    let folders = parts.dropLast()
    let imports = source.imports
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
    let isTest = name.hasSuffix("Tests") || folders.contains { $0.hasSuffix("Tests") }
    let isStorage = isCalled(
      "DataSource", "Repository", "Repositorie", "Store", "Storage", "Persistence")
    let rules: [(layer: CodeLayer, isMet: Bool)] = [
      (.tests, isTest || isUsing("XCTest", "Testing")),
      (.entities, !entities.isDisjoint(with: declared)),
      (.plan, conformances.contains("SchemaMigrationPlan")),
      (.activeSchema, declared.contains(activeSchema)),
      (.schemas, conformances.contains("VersionedSchema")),
      (.viewModels, isCalled("ViewModel")),
      (.views, isUsing("SwiftUI", "UIKit", "AppKit") || isCalled("View", "Screen")),
      (.useCases, isCalled("UseCase", "Interactor")),
      (.dataSources, isUsing("SwiftData", "CloudKit") || isStorage || folders.contains("Data")),
      (.entities, isCalled("Entities", "Entitie") || folders.contains("Domain")),
    ]
    self = rules.first(where: \.isMet)?.layer ?? .others
  }
}
