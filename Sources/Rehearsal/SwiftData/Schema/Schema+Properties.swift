internal import ManagedModels

extension Schema {
  /// `Schema.Attribute`: takes `@Attribute`'s arguments as they were written.
  public class Attribute: SchemaProperty {
    /// The property's name.
    public private(set) var name = ""
    /// The name in older versions, or the property's own.
    public let originalName: String
    /// What `@Attribute` says.
    public let options: [Option]
    /// The Swift type.
    public private(set) var valueType: any Any.Type = Never.self
    /// The default, if one is written.
    public private(set) var defaultValue: Any?
    /// Whether it may be nil.
    public private(set) var isOptional = false
    /// A text that changes the version hash and nothing else.
    public let hashModifier: String?
    /// The original name as written, or nil: `originalName` falls back to the property's own.
    let writtenOriginalName: String?

    /// The arguments of `@Attribute`.
    public init(_ options: Option..., originalName: String? = nil, hashModifier: String? = nil) {
      self.options = options
      self.originalName = originalName ?? ""
      self.hashModifier = hashModifier
      writtenOriginalName = originalName
    }

    fileprivate init(_ property: ModelProperty) {
      let written = property.attribute
      options = written?.options ?? []
      hashModifier = written?.hashModifier
      writtenOriginalName = written?.writtenOriginalName
      originalName = written?.writtenOriginalName ?? property.name
      name = property.name
      valueType = property.valueType
      defaultValue = property.writtenDefault
      isOptional = property.codec?.isOptional ?? false
    }

    static func described(_ property: ModelProperty) -> Attribute {
      property.codec?.type == .composite ? CompositeAttribute(property) : Attribute(property)
    }

    public required init(from decoder: any Decoder) throws {
      throw SwiftDataError(
        .unsupportedFeature, "an Attribute cannot be decoded: its type is not in it")
    }

    /// Whether no two rows may have an equal value.
    public var isUnique: Bool { options.contains { $0.kind == .unique } }
    /// Whether a transformer makes what is stored.
    public var isTransformable: Bool { transformer != nil }
    var transformer: TransformerReference? {
      for case .transformable(let transformer) in options.map(\.kind) { return transformer }
      return nil
    }

    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(name)
    }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
    public static func == (lhs: Attribute, rhs: Attribute) -> Bool {
      lhs.name == rhs.name && lhs.originalName == rhs.originalName
        && lhs.hashModifier == rhs.hashModifier && lhs.valueType == rhs.valueType
        && lhs.options.map(\.kind) == rhs.options.map(\.kind)
    }

    /// `Schema.Attribute.Option`. `.codable`, which needs SDK 27, is left out.
    public struct Option {
      enum Kind: Equatable {
        case unique, externalStorage, allowsCloudEncryption, preserveValueOnDeletion, ephemeral
        case spotlight
        case transformable(TransformerReference)
      }
      let kind: Kind

      /// No two rows may have an equal value.
      public static var unique: Option { Option(kind: .unique) }
      /// A transformer makes what is stored.
      public static func transformable(by type: ValueTransformer.Type) -> Option {
        Option(kind: .transformable(.type(type.init())))
      }
      /// A transformer makes what is stored, by its registered name or its class's.
      public static func transformable(by name: String) -> Option {
        Option(kind: .transformable(.name(name)))
      }
      /// Large data may have files of their own; here they stand in the row.
      public static var externalStorage: Option { Option(kind: .externalStorage) }
      /// The value is encrypted in CloudKit; without effect.
      public static var allowsCloudEncryption: Option { Option(kind: .allowsCloudEncryption) }
      /// The value is kept in the history of deletions; without effect but in the version hash.
      public static var preserveValueOnDeletion: Option { Option(kind: .preserveValueOnDeletion) }
      /// The value is not stored.
      public static var ephemeral: Option { Option(kind: .ephemeral) }
      /// The value is indexed for Spotlight; without effect.
      public static var spotlight: Option { Option(kind: .spotlight) }
    }
  }

  /// `Schema.CompositeAttribute`: what a Codable struct is stored as.
  public final class CompositeAttribute: Attribute {
    /// One for each element.
    public let properties: [Attribute]

    fileprivate override init(_ property: ModelProperty) {
      properties = (property.codec?.shape?.elements(of: property.name, isOptional: false) ?? []).map
      { Attribute(elementNamed: $0.name) }
      super.init(property)
    }

    /// Always throws: the type cannot be read back.
    public required init(from decoder: any Decoder) throws {
      throw SwiftDataError(
        .unsupportedFeature, "an Attribute cannot be decoded: its type is not in it")
    }
  }

  /// `Schema.Relationship`: takes `@Relationship`'s arguments as they were written.
  public final class Relationship: SchemaProperty {
    /// The property's name.
    public let name: String
    /// The name in older versions, or the property's own.
    public let originalName: String
    /// The name of the entity at the other end.
    public let destination: String
    /// What happens to the other end when a row is deleted.
    public let deleteRule: DeleteRule
    /// The name of the relationship at the other end.
    public let inverseName: String?
    /// The relationship at the other end, as it was written.
    public let inverseKeyPath: AnyKeyPath?
    /// The least number of models; nil and 0 are none.
    public let minimumModelCount: Int?
    /// The greatest number of models; nil and 0 are no limit.
    public let maximumModelCount: Int?
    /// Whether it leads to one model at most.
    public let isToOneRelationship: Bool
    /// A text that changes the version hash and nothing else.
    public let hashModifier: String?
    let isUnique: Bool
    let writtenOriginalName: String?

    /// The arguments of `@Relationship`.
    public init(
      _ options: Option..., deleteRule: DeleteRule = .nullify, minimumModelCount: Int? = 0,
      maximumModelCount: Int? = 0, originalName: String? = nil, inverse: AnyKeyPath? = nil,
      hashModifier: String? = nil
    ) {
      isUnique = options.contains(.unique)
      self.deleteRule = deleteRule
      self.minimumModelCount = minimumModelCount
      self.maximumModelCount = maximumModelCount
      self.originalName = originalName ?? ""
      writtenOriginalName = originalName
      inverseKeyPath = inverse
      self.hashModifier = hashModifier
      name = ""
      destination = ""
      inverseName = nil
      isToOneRelationship = true
    }

    init(_ property: ModelProperty, _ link: EntityNode.Link) {
      let written = property.relationship
      isUnique = written?.isUnique ?? false
      deleteRule = written?.deleteRule ?? .nullify
      minimumModelCount = written?.minimumModelCount ?? 0
      maximumModelCount = written?.maximumModelCount ?? 0
      writtenOriginalName = written?.writtenOriginalName
      originalName = written?.writtenOriginalName ?? property.name
      inverseKeyPath = written?.inverseKeyPath
      hashModifier = written?.hashModifier
      name = property.name
      destination = link.destinationName
      inverseName = link.inverseName
      isToOneRelationship = !link.isToMany
    }

    public init(from decoder: any Decoder) throws {
      throw SwiftDataError(
        .unsupportedFeature, "a Relationship cannot be decoded: its classes are not in it")
    }

    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(name)
    }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
    public static func == (lhs: Relationship, rhs: Relationship) -> Bool {
      lhs.name == rhs.name && lhs.destination == rhs.destination
        && lhs.inverseName == rhs.inverseName && lhs.deleteRule == rhs.deleteRule
        && lhs.originalName == rhs.originalName && lhs.hashModifier == rhs.hashModifier
    }

    /// `Schema.Relationship.DeleteRule`.
    public enum DeleteRule: String, Codable {
      /// The other end keeps a link that leads nowhere.
      case noAction
      /// The other end loses the link.
      case nullify
      /// The rows at the other end are deleted too.
      case cascade
      /// A row with links cannot be deleted.
      case deny
    }

    /// `Schema.Relationship.Option`.
    public struct Option: Codable, Hashable {
      let name: String
      /// No two rows may lead to the same model.
      public static var unique: Option { Option(name: "unique") }
    }
  }

  /// `Schema.Unique` (OS 18): what `#Unique` says.
  public final class Unique<T: PersistentModel>: SchemaProperty, KeyPathGroups {
    let groups: [[AnyKeyPath]]

    /// Groups of properties whose values may not be equal in two rows.
    public init(_ constraints: [PartialKeyPath<T>]...) { groups = constraints }
    public init(from decoder: any Decoder) throws {
      throw SwiftDataError(
        .unsupportedFeature, "a Unique cannot be decoded: its class is not in it")
    }

    /// Empty: constraints have no name.
    public var name: String { "" }
    public func encode(to encoder: any Encoder) throws {}
    public func hash(into hasher: inout Hasher) { hasher.combine(groups) }
    public static func == (lhs: Unique<T>, rhs: Unique<T>) -> Bool { lhs.groups == rhs.groups }
  }

  /// `Schema.Index` (OS 18): what `#Index` says.
  public final class Index<T: PersistentModel>: SchemaProperty, KeyPathGroups {
    let groups: [[AnyKeyPath]]
    let rtrees: [[AnyKeyPath]]

    /// Indexes of these properties.
    public init(_ indices: [PartialKeyPath<T>]...) {
      groups = indices
      rtrees = []
    }
    /// Indexes of these properties, of one kind or the other.
    public init(_ indices: Types<T>...) {
      var groups: [[AnyKeyPath]] = []
      var rtrees: [[AnyKeyPath]] = []
      for index in indices {
        switch index {
        case .binary(let keyPaths): groups.append(keyPaths)
        case .rtree(let keyPaths): rtrees.append(keyPaths)
        }
      }
      self.groups = groups
      self.rtrees = rtrees
    }
    public init(from decoder: any Decoder) throws {
      throw SwiftDataError(
        .unsupportedFeature, "an Index cannot be decoded: its class is not in it")
    }

    /// Empty: indexes have no name here.
    public var name: String { "" }
    public func encode(to encoder: any Encoder) throws {}
    public func hash(into hasher: inout Hasher) { hasher.combine(groups) }
    public static func == (lhs: Index<T>, rhs: Index<T>) -> Bool {
      lhs.groups == rhs.groups && lhs.rtrees == rhs.rtrees
    }

    /// `Schema.Index.Types`: the model is named a second time, as in Apple's.
    public enum Types<P: PersistentModel> {
      /// An ordinary index.
      case binary([PartialKeyPath<P>])
      /// An R-tree, which is accepted and not made.
      case rtree([PartialKeyPath<P>])
    }
  }
}

extension Schema.Attribute {
  fileprivate convenience init(elementNamed name: String) {
    self.init()
    self.name = name
  }
}

/// Marks `#Unique` and `#Index`, whatever their model is.
protocol KeyPathGroups {
  var groups: [[AnyKeyPath]] { get }
  var rtrees: [[AnyKeyPath]] { get }
}

extension KeyPathGroups {
  var rtrees: [[AnyKeyPath]] { [] }
}

#if !SDK_18
  // Sendable since SDK 26; delete rules and a relationship's options are not.
  extension Schema.Attribute: @unchecked Sendable {}
  extension Schema.CompositeAttribute: @unchecked Sendable {}
  extension Schema.Attribute.Option: @unchecked Sendable {}
  extension Schema.Relationship: @unchecked Sendable {}
#endif
