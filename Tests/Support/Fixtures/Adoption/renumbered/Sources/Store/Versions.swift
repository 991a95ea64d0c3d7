import Foundation
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Book.self] }

  @Model final class Book {
    var title: String = ""
    init() {}
  }
}

/// The second, which its author counted as a small one.
enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 1, 0)
  static var models: [any PersistentModel.Type] { [Book.self] }

  @Model final class Book {
    var title: String = ""
    var pages: Int = 0
    init() {}
  }
}

enum SchemaV3: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Book.self, Loan.self] }

  @Model final class Book {
    var title: String = ""
    var pages: Int = 0
    var isRead: Bool = false
    init() {}
  }

  @Model final class Loan {
    var borrower: String = ""
    var state: State = State.open
    init() {}

    enum State: String, Codable {
      case open, closed
    }
  }
}

typealias SecondSchema = SchemaV2
typealias BookV2 = SchemaV2.Book
typealias Book = SchemaV3.Book
