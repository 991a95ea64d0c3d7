//
//  Store.swift
//  Trips
//

import Foundation
import SwiftData

// Between declarations.

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self, Draft.self] }

  // One row for each journey.
  @Model final class Trip {
    // The same as in the reservation.
    var code: String = ""
    // Guests called it a label.
    var label: String = ""
    init() {}
  }

  // Nobody used drafts.
  @Model final class Draft {
    var text: String = ""  // Markdown
    init() {}
  }
}

/// Trips with days.
enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }

  /// A journey.
  // One row for each journey.
  @Model final class Trip {  // the app's centre
    // Two devices may import one reservation.
    #Unique<Trip>([\.code])

    // MARK: - Stored

    // The same as in the reservation.
    var code: String = ""

    /// Nights, not days.
    /* The server counts
       in another way. */
    @Attribute(originalName: "length")  // until 1.4
    var days: Int = 1 /// at least one

    // swiftlint:disable:next identifier_name
    var x: Double = 0
    var kind: Kind = Kind.near {
      // Widgets have to know.
      didSet { print(kind) }
    }

    // Left aside.

    var note: String?  // "quoted": with a colon # and a hash

    init() {
      // The server gives one later.
      code = UUID().uuidString
    }

    /// What people read.
    // Two words at most.
    var title: String { code }

    /// How far it leads.
    // Raw values are the server's.
    enum Kind: String, Codable {
      /// Less than a day.
      case near
      // Passports.
      case far  // beyond the border
    }
    // The end.
  }
}

// The plan of the store.
enum Plan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    // Nothing to convert.
    [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
  }
}

// Opens the store.
func open() {}
