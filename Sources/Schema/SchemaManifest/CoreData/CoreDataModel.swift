package import ManagedModels
package import SchemaModel

/// One version of a Core Data model, as its source has it.
package struct CoreDataModel: Sendable {
  /// As Xcode shows it: `Trips 2`.
  package var name: String
  /// What Core Data makes of it, entities and properties in the order of the file.
  package var model: ManagedModel
  /// What it has and a `ManagedModel` does not say; in the order of the file.
  package var traits: [Trait]
  /// Where entities and properties are declared.
  package var places: [ElementPath: SourceLocation]
  /// Whether it syncs, or one of its configurations does.
  package var isUsedWithCloudKit = false
  /// The configurations that it names, and the entities of each.
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

  /// The entities that no configuration has which syncs, by name; none where no configuration says that it syncs.
  package var localEntities: [String] {
    let synced = configurations.filter(\.isUsedWithCloudKit).flatMap(\.entities)
    guard !synced.isEmpty else { return [] }
    return Set(configurations.flatMap(\.entities)).subtracting(synced).sorted()
  }

  /// A part of the entities, which a store of its own may keep.
  package struct Configuration: Hashable, Sendable {
    package var name: String
    package var entities: [String]
    /// Whether a store of it syncs.
    package var isUsedWithCloudKit = false
  }

  /// What Core Data does for an entity or a property, and no store or hash shows.
  package struct Trait: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      /// Computed when it is asked for, by a request.
      case fetchedProperty
      /// In no table.
      case transient
      /// CloudKit keeps the value encrypted; a store does not.
      case cloudEncrypted
      /// Bounds and patterns that Core Data holds values to when it saves.
      case validation
      /// A value of a class, kept by a value transformer: the names of both, where they are given.
      case transformed(by: String?, of: String?)
      /// The entity's class is called otherwise.
      case className(String)
      /// The entity was called otherwise in the version before.
      case renamedEntity(from: String)
      /// A request that the model keeps under a name.
      case fetchRequest
      /// An index that SwiftData cannot have: of an expression, or of what is no property.
      case index
      /// Words of the app's own.
      case userInfo
      /// A default that no literal says.
      case unreadDefault
    }

    package var element: ElementPath
    package var kind: Kind
  }
}
