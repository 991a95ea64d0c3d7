package import ManagedModels
package import SchemaModel

/// One version of a Core Data model, read from its source.
package struct CoreDataModel: Sendable {
  /// The version's name as Xcode shows it: `Trips 2`.
  package var name: String
  /// Core Data's model, with entities and properties in the order of the file.
  package var model: ManagedModel
  /// What a `ManagedModel` cannot express, in the order of the file.
  package var traits: [Trait]
  package var places: [ElementPath: SourceLocation]
  /// Whether the model or one of its configurations syncs.
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

  /// The entities in no syncing configuration, by name; empty if no configuration syncs.
  package var localEntities: [String] {
    let synced = configurations.filter(\.isUsedWithCloudKit).flatMap(\.entities)
    guard !synced.isEmpty else { return [] }
    return Set(configurations.flatMap(\.entities)).subtracting(synced).sorted()
  }

  /// A subset of the entities, which may have a separate store.
  package struct Configuration: Hashable, Sendable {
    package var name: String
    package var entities: [String]
    package var isUsedWithCloudKit = false
  }

  /// Something that Core Data does for an entity or a property, but that no store or hash contains.
  package struct Trait: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      case fetchedProperty
      case transient
      /// CloudKit keeps the value encrypted; a store does not.
      case cloudEncrypted
      case validation
      /// An object stored by a value transformer: the names of the transformer and the class, if given.
      case transformed(by: String?, of: String?)
      case className(String)
      case renamedEntity(from: String)
      case fetchRequest
      /// An index that SwiftData cannot have: of an expression, or of something that is not a property.
      case index
      case userInfo
      /// A default that is not a literal.
      case unreadDefault
    }

    package var element: ElementPath
    package var kind: Kind
  }
}
