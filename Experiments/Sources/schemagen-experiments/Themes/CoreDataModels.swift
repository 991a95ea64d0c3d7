import Foundation
import SwiftData

#if canImport(CoreData)
  import CoreData
#endif

/// An entity of a Core Data model beside a class of `Hashed`: what docs/cookbook/core-data.md says of its parts.
private enum CoreDataShape {
  case strings, numbers, archives, external, modifier, unique, links
  case abstract, ordered, entityModifier

  /// The class that is alike.
  var name: String {
    switch self {
    case .strings: "HasString"
    case .numbers: "HasInt"
    case .archives: "HasArray"
    case .external: "External"
    case .modifier: "Modified"
    case .unique: "UniquePair"
    case .links, .ordered: "Owner"
    case .abstract, .entityModifier: "Bare"
    }
  }

  /// Core Data's hash of it.
  func hash() throws -> String {
    #if canImport(CoreData)
      let entity = NSEntityDescription()
      entity.name = name
      let model = NSManagedObjectModel()
      model.entities = [entity]
      fill(entity, model)
      return model.entityVersionHashesByName[name]?.map { String(format: "%02x", $0) }.joined()
        ?? "no such entity"
    #else
      throw Undecidable("there is no Core Data")
    #endif
  }

  #if canImport(CoreData)
    private func fill(_ entity: NSEntityDescription, _ model: NSManagedObjectModel) {
      switch self {
      case .strings:
        entity.properties = [
          Self.attribute("one", .stringAttributeType, isOptional: false),
          Self.attribute("other", .stringAttributeType),
        ]
      case .numbers:
        entity.properties = [
          Self.attribute("one", .integer64AttributeType, isOptional: false),
          Self.attribute("other", .integer64AttributeType),
        ]
      case .archives:
        entity.properties = ["one", "other"].map {
          Self.attribute($0, .transformableAttributeType, isOptional: false)
        }
      case .external:
        let attribute = Self.attribute("one", .binaryDataAttributeType)
        attribute.allowsExternalBinaryDataStorage = true
        entity.properties = [attribute]
      case .modifier:
        let attribute = Self.attribute("one", .stringAttributeType)
        attribute.versionHashModifier = "2"
        entity.properties = [attribute]
      case .unique:
        entity.properties = ["one", "another"].map { Self.attribute($0, .stringAttributeType) }
        entity.uniquenessConstraints = [["one", "another"]]
      case .links, .ordered:
        let pet = NSEntityDescription()
        pet.name = "Pet"
        let pets = NSRelationshipDescription()
        let owner = NSRelationshipDescription()
        pets.name = "pets"
        pets.destinationEntity = pet
        pets.isOptional = false
        pets.maxCount = 0
        pets.isOrdered = self == .ordered
        owner.name = "owner"
        owner.destinationEntity = entity
        owner.maxCount = 1
        pets.inverseRelationship = owner
        owner.inverseRelationship = pets
        entity.properties = [pets]
        pet.properties = [owner]
        model.entities = [entity, pet]
      case .abstract:
        entity.properties = [Self.attribute("one", .stringAttributeType)]
        entity.isAbstract = true
      case .entityModifier:
        entity.properties = [Self.attribute("one", .stringAttributeType)]
        entity.versionHashModifier = "2"
      }
    }

    static func attribute(
      _ name: String, _ type: NSAttributeType, isOptional: Bool = true
    ) -> NSAttributeDescription {
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = type
      attribute.isOptional = isOptional
      return attribute
    }
  #endif
}

/// The class of a store that Core Data writes.
private enum Succeeding: First {
  static var models: [any PersistentModel.Type] { [Person.self] }
  @Model final class Person {
    var name: String?
    init() {}
  }
}

extension Experiment {
  /// Core Data's entities and stores beside SwiftData's.
  static var coreDataModels: [Experiment] {
    func equal(_ id: String, _ parts: String, _ shape: CoreDataShape) -> Experiment {
      compared(
        id, "a Core Data entity with \(parts) has the hash of the class that is alike",
        "identity#core-data-same-hash", shape, "equal")
    }
    func different(_ id: String, _ parts: String, _ shape: CoreDataShape) -> Experiment {
      compared(
        id, "a Core Data entity with \(parts) has the hash of no class",
        "identity#core-data-other-hash", shape, "different")
    }
    return [
      equal("strings", "strings, one of them optional", .strings),
      equal("numbers", "64-bit integers", .numbers),
      equal("archives", "transformable attributes", .archives),
      equal("external", "external storage", .external),
      equal("modifier", "an attribute's hash modifier", .modifier),
      equal("unique", "a uniqueness constraint of two attributes", .unique),
      equal("links", "a relationship and its inverse", .links),
      different("abstract", "the mark that it is abstract", .abstract),
      different("ordered", "an ordered relationship", .ordered),
      different("entity-modifier", "a hash modifier of its own", .entityModifier),
      opens,
    ]
  }

  private static func compared(
    _ id: String, _ claim: String, _ fact: String, _ shape: CoreDataShape, _ relation: String
  ) -> Experiment {
    Experiment(
      id: "core-data-\(id)", claim: claim, facts: [fact],
      steps: [
        step("compare the hashes", .sees(relation)) { _ in
          [try shape.hash() == HashConstants.entities[shape.name] ? "equal" : "different"]
        }
      ], limits: [.portable("it needs Core Data")])
  }

  private static var opens: Experiment {
    Experiment(
      id: "core-data-store-opens",
      claim: "SwiftData opens a store that Core Data wrote, in its place, if the hashes are equal",
      facts: ["identity#core-data-store-opens"],
      steps: [
        step("write a store with Core Data", .sees([])) { folder in
          #if canImport(CoreData)
            let entity = NSEntityDescription()
            entity.name = "Person"
            entity.properties = [CoreDataShape.attribute("name", .stringAttributeType)]
            let model = NSManagedObjectModel()
            model.entities = [entity]
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            _ = try coordinator.addPersistentStore(
              type: .sqlite, at: folder.store,
              options: [NSPersistentHistoryTrackingKey: true as NSNumber])
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            try context.performAndWait {
              let person = NSEntityDescription.insertNewObject(
                forEntityName: "Person", into: context)
              person.setValue("Ada", forKey: "name")
              try context.save()
            }
            return []
          #else
            throw Undecidable("there is no Core Data")
          #endif
        },
        step("open it with SwiftData", .sees("Ada")) { folder in
          try folder.open(Succeeding.self).fetch(FetchDescriptor<Succeeding.Person>())
            .map { $0.name ?? "no name" }
        },
      ], limits: [.portable("it needs Core Data")])
  }
}
