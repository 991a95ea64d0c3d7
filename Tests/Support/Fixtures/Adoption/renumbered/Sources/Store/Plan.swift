import Foundation
import SwiftData

enum LibraryPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self, SchemaV3.self] }
  static var stages: [MigrationStage] { [toSecond, toThird] }

  static let toSecond = MigrationStage.custom(
    fromVersion: SchemaV1.self, toVersion: SecondSchema.self, willMigrate: nil,
    didMigrate: { context in
      // SchemaV2 has pages, and "SchemaV2" in a text stays what it is.
      let books = try context.fetch(FetchDescriptor<SchemaV2.Book>())
      for book in books where book.pages == 0 { book.pages = 1 }
      let same: [BookV2] = books
      print("SchemaV2", same.count, SecondSchema.Book.self)
      try context.save()
    })

  static let toThird = MigrationStage.custom(
    fromVersion: SecondSchema.self, toVersion: SchemaV3.self,
    willMigrate: { context in
      try context.delete(model: SchemaV2.Book.self, where: #Predicate<SchemaV2.Book> { $0.title == "" })
    },
    didMigrate: { context in
      for book in try context.fetch(FetchDescriptor<Book>()) { book.isRead = book.pages > 0 }
      let loan = SchemaV3.Loan()
      loan.state = SchemaV3.Loan.State.closed
      context.insert(loan)
      try context.save()
    })
}
