package import ManagedModels
package import SchemaModel

/// One version of a Core Data model, as its source has it.
package struct CoreDataModel: Sendable {
  /// The version's name as Xcode shows it: `Trips 2`.
  package var name: String
  /// Core Data's model, with entities and properties in the order of the file.
  package var model: ManagedModel
  /// What it has that a `ManagedModel` cannot express, in the order of the file.
  package var traits: [Trait]
  package var places: [ElementPath: SourceLocation]
  /// Whether it syncs, or one of its configurations does.
  package var isUsedWithCloudKit = false
  package var configurations: [Configuration]

  package init(
    name: String, model: ManagedModel, traits: [Trait] = [],
    places: [ElementPath: SourceLocation] = [:], configurations: [Configuration] = []
  ) {
    self.name = name
    self.model = model
    self.traits = traits
    self.places = places
    self.configurations = configurations
  }

  /// The entities in no syncing configuration, by name; none if no configuration says that it syncs.
  package var localEntities: [String] {
    let synced = configurations.filter(\.isUsedWithCloudKit).flatMap(\.entities)
    guard !synced.isEmpty else { return [] }
    return Set(configurations.flatMap(\.entities)).subtracting(synced).sorted()
  }

  /// A part of the entities, which a store of its own may keep.
  package struct Configuration: Hashable, Sendable {
    package var name: String
    package var entities: [String]
    package var isUsedWithCloudKit = false
  }

  /// What Core Data does for an entity or a property, and no store or hash shows.
  package struct Trait: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      /// A property that a request computes when it is asked for.
      case fetchedProperty
      /// A property that is in no table.
      case transient
      /// CloudKit keeps the value encrypted; a store does not.
      case cloudEncrypted
      /// Bounds and patterns that Core Data checks when it saves.
      case validation
      /// A value of a class, kept by a value transformer: the names of both, where they are given.
      case transformed(by: String?, of: String?)
      /// The entity's class has another name.
      case className(String)
      /// The entity had another name in the version before.
      case renamedEntity(from: String)
      /// A request that the model keeps under a name.
      case fetchRequest
      /// An index that SwiftData cannot have: of an expression, or of something that is no property.
      case index
      /// The app's own key-value pairs.
      case userInfo
      /// A default that is not a literal.
      case unreadDefault
    }

    package var element: ElementPath
    package var kind: Kind
  }
}
