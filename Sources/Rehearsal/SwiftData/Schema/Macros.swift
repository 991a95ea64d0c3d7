@_exported import Observation

/// `@Model`: takes no arguments. Only this runtime has `_SwiftDataRoot`.
@attached(
  member, conformances: Observable, PersistentModel, Sendable,
  names: named(_$backingData), named(persistentBackingData), named(schemaMetadata), named(init),
  named(_$observationRegistrar), named(_SwiftDataNoType), named(_SwiftDataRoot), named(_$values),
  named(_$ownValues), named(_$attach))
@attached(memberAttribute)
@attached(extension, conformances: Observable, PersistentModel, Sendable)
public macro Model() =
  #externalMacro(module: "PortableSwiftDataMacros", type: "PersistentModelMacro")

/// `@_PersistedProperty`: `@Model` adds it to each stored property.
@attached(accessor, names: named(init), named(get), named(set))
@attached(peer, names: prefixed(_))
public macro _PersistedProperty() =
  #externalMacro(module: "PortableSwiftDataMacros", type: "PersistedPropertyMacro")

/// `@Attribute`: describes how a property is stored.
@attached(peer)
public macro Attribute(
  _ options: Schema.Attribute.Option..., originalName: String? = nil, hashModifier: String? = nil
) = #externalMacro(module: "PortableSwiftDataMacros", type: "MarkerMacro")

/// `@Relationship`: describes a property that leads to other models.
@attached(peer)
public macro Relationship(
  _ options: Schema.Relationship.Option...,
  deleteRule: Schema.Relationship.DeleteRule = .nullify,
  minimumModelCount: Int? = 0, maximumModelCount: Int? = 0,
  originalName: String? = nil, inverse: AnyKeyPath? = nil, hashModifier: String? = nil
) = #externalMacro(module: "PortableSwiftDataMacros", type: "MarkerMacro")

/// `@Transient`: keeps a property out of the store.
@attached(peer)
public macro Transient() =
  #externalMacro(module: "PortableSwiftDataMacros", type: "MarkerMacro")

/// `#Unique` (OS 18).
@freestanding(declaration)
public macro Unique<T: PersistentModel>(_ constraints: [PartialKeyPath<T>]...) =
  #externalMacro(module: "PortableSwiftDataMacros", type: "CheckedAwayMacro")

/// `#Index` (OS 18), by key paths.
@freestanding(declaration)
public macro Index<T: PersistentModel>(_ indices: [PartialKeyPath<T>]...) =
  #externalMacro(module: "PortableSwiftDataMacros", type: "CheckedAwayMacro")

/// `#Index` (OS 18), by kind: `.binary([\.a])`, `.rtree([\.a, \.b])`.
@freestanding(declaration)
public macro Index<T: PersistentModel>(_ indices: Schema.Index<T>.Types<T>...) =
  #externalMacro(module: "PortableSwiftDataMacros", type: "CheckedAwayMacro")
