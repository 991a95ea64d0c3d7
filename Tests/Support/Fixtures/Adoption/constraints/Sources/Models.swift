import Foundation
import SwiftData

enum SchemaV1: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  static var models: [any PersistentModel.Type] { [Place.self, Museum.self, Visit.self] }

  @Model
  class Place {
    #Unique<SchemaV1.Place>([\.name, \.city], [\.code])
    #Index<Place>([\.name], [\.name, \.city])
    #Index<Place>(.binary([\Place.code]), .rtree([\.latitude, \.longitude]))

    var name: String = ""
    var city: String = ""
    var code: String = ""
    var latitude: Double = 0
    var longitude: Double = 0
    @Relationship(
      .unique,
      deleteRule: Schema.Relationship.DeleteRule.cascade,
      minimumModelCount: 0, maximumModelCount: 10,
      inverse: \SchemaV1.Visit.place)
    var visits: [Visit]?

    init() {}

    func greeting() -> String { name }
  }

  @available(iOS 26, *)
  @Model
  final class Museum: SchemaV1.Place {
    var fee: Decimal = Decimal(0)
    override init() { super.init() }

    init(_ name: String, fee: Decimal) {
      self.fee = fee
      super.init()
      self.name = name
    }

    override func greeting() -> String { "Welcome to \(name)" }
  }

  @Model
  final class Visit: Identifiable, CustomStringConvertible {
    var day: Date = Date.distantPast
    var place: Place?
    init() {}
    var description: String { "visit" }
  }
}
