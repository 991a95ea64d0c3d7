import Foundation
import SwiftData

enum CustomerSchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Customer.self, Session.self] }

  @Model final class Customer {
    var email: String
    var nickname: String?

    init(email: String, nickname: String? = nil) {
      self.email = email
      self.nickname = nickname
    }
  }

  @Model final class Session {
    var token: String

    init(token: String) { self.token = token }
  }
}

enum CustomerSchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Customer.self, Session.self] }

  @Model final class Customer {
    @Attribute(.unique) var email: String
    var nickname: String

    init(email: String, nickname: String) {
      self.email = email
      self.nickname = nickname
    }
  }

  @Model final class Session {
    var token: String

    init(token: String) { self.token = token }
  }
}

enum CustomerMigrationPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [CustomerSchemaV1.self, CustomerSchemaV2.self] }
  static var stages: [MigrationStage] { [migrateV1ToV2] }

  /// The new constraint and the new requirement hold because of what is done before.
  static let migrateV1ToV2 = MigrationStage.custom(
    fromVersion: CustomerSchemaV1.self,
    toVersion: CustomerSchemaV2.self,
    willMigrate: { context in
      var emails: Set<String> = []
      for customer in try context.fetch(FetchDescriptor<CustomerSchemaV1.Customer>()) {
        if !emails.insert(customer.email).inserted { context.delete(customer) }
        if customer.nickname == nil { customer.nickname = customer.email }
      }
      try context.save()
    },
    didMigrate: nil
  )
}
