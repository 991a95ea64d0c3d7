/// What a file is to an app, in the order in which a change goes through it.
///
/// The order is that of a list in the SwiftData Schema Migration Guide, "Identify All Affected Code".
package enum CodeLayer: String, Sendable, CaseIterable, Comparable {
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

  package static func < (lhs: CodeLayer, rhs: CodeLayer) -> Bool {
    allCases.firstIndex(of: lhs)! < allCases.firstIndex(of: rhs)!
  }

  /// The layer of a file, told by what it declares and imports, and else by what it and its folders are called.
  init(path: String, _ facts: LayerFacts) {
    let parts = path.split(separator: "/").map(String.init)
    let name = parts.last.map { String($0.prefix { $0 != "." && $0 != "+" }) } ?? ""
    let folders = parts.dropLast()
    func isCalled(_ endings: String...) -> Bool {
      endings.contains { ending in
        name.hasSuffix(ending)
          || facts.declared.contains { $0.hasSuffix(ending) }
          || folders.contains { $0 == ending || $0 == ending + "s" || $0.hasSuffix(ending + "s") }
      }
    }
    self =
      if facts.imports.contains("XCTest") || facts.imports.contains("Testing")
        || folders.contains(where: { $0.hasSuffix("Tests") }) || name.hasSuffix("Tests")
      {
        .tests
      } else if facts.declaresEntity {
        .entities
      } else if facts.conformances.contains("SchemaMigrationPlan") {
        .plan
      } else if facts.declaresActiveSchema {
        .activeSchema
      } else if facts.conformances.contains("VersionedSchema") {
        .schemas
      } else if isCalled("ViewModel") {
        .viewModels
      } else if facts.imports.contains("SwiftUI") || facts.imports.contains("UIKit")
        || facts.imports.contains("AppKit") || isCalled("View", "Screen")
      {
        .views
      } else if isCalled("UseCase", "Interactor") {
        .useCases
      } else if isCalled("DataSource", "Repository", "Store", "Storage", "Persistence")
        || folders.contains(where: { $0.hasSuffix("Repositories") || $0 == "Data" })
        || facts.imports.contains("SwiftData") || facts.imports.contains("CloudKit")
      {
        .dataSources
      } else if isCalled("Entities", "Entitie") || folders.contains("Domain") {
        .entities
      } else {
        .others
      }
  }
}

/// What tells a file's layer.
struct LayerFacts {
  var imports: Set<String> = []
  /// Names of types declared at the top.
  var declared: Set<String> = []
  var conformances: Set<String> = []
  var declaresEntity = false
  var declaresActiveSchema = false
}
