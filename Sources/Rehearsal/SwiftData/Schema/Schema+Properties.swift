internal import ManagedModels

extension Schema {
  /// `Schema.Attribute`: takes `@Attribute`'s arguments as they were written.
  public class Attribute: SchemaProperty {
    /// The property's name.
    public private(set) var name = ""
    /// The name in older versions, or else the property's name.
    public let originalName: String
    /// The options in `@Attribute`.
    public let options: [Option]
    /// The Swift type.
    public private(set) var valueType: any Any.Type = Never.self
    /// The default, if one is written.
    public private(set) var defaultValue: Any?
    /// Whether it may be nil.
    public private(set) var isOptional = false
    /// A string that changes only the version hash.
    public let hashModifier: String?
    let writtenOriginalName: String?

    /// Creates an attribute with the arguments of `@Attribute`.
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
        .unsupportedFeature, "an Attribute cannot be decoded, because its type is not encoded")
    }

    /// Whether two rows must not have equal values.
    public var isUnique: Bool { options.contains { $0.kind == .unique } }
    /// Whether a transformer converts the stored value.
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

    /// `Schema.Attribute.Option`. `.codable`, which needs SDK 27, is missing.
    public struct Option {
      enum Kind: Equatable {
        case unique, externalStorage, allowsCloudEncryption, preserveValueOnDeletion, ephemeral
        case spotlight
        case transformable(TransformerReference)
      }
      let kind: Kind

      /// Two rows must not have equal values.
      public static var unique: Option { Option(kind: .unique) }
      /// A transformer converts the stored value.
      public static func transformable(by type: ValueTransformer.Type) -> Option {
        Option(kind: .transformable(.type(type.init())))
      }
      /// A transformer converts the stored value. It has this registered name or this class name.
      public static func transformable(by name: String) -> Option {
        Option(kind: .transformable(.name(name)))
      }
      /// Large data may be in separate files; here it is always in the row.
      public static var externalStorage: Option { Option(kind: .externalStorage) }
      /// The value is encrypted in CloudKit; it has no effect here.
      public static var allowsCloudEncryption: Option { Option(kind: .allowsCloudEncryption) }
      /// The value is kept in the history of deletions; here it affects only the version hash.
      public static var preserveValueOnDeletion: Option { Option(kind: .preserveValueOnDeletion) }
      /// The value is not stored.
      public static var ephemeral: Option { Option(kind: .ephemeral) }
      /// The value is indexed for Spotlight; it has no effect here.
      public static var spotlight: Option { Option(kind: .spotlight) }
    }
  }

  /// `Schema.CompositeAttribute`: the stored form of a Codable struct.
  public final class CompositeAttribute: Attribute {
    /// An attribute for each element.
    public let properties: [Attribute]

    fileprivate override init(_ property: ModelProperty) {
      properties = (property.codec?.shape?.elements(of: property.name, isOptional: false) ?? []).map
      { Attribute(elementNamed: $0.name) }
      super.init(property)
    }

    /// Always throws, since the type cannot be decoded.
    public required init(from decoder: any Decoder) throws {
      throw SwiftDataError(
        .unsupportedFeature, "an Attribute cannot be decoded, because its type is not encoded")
    }
  }

  /// `Schema.Relationship`: takes `@Relationship`'s arguments as they were written.
  public final class Relationship: SchemaProperty {
    /// The property's name.
    public let name: String
    /// The name in older versions, or else the property's name.
    public let originalName: String
    /// The name of the entity at the other end.
    public let destination: String
    /// What happens to the other end when a row is deleted.
    public let deleteRule: DeleteRule
    /// The name of the relationship at the other end.
    public let inverseName: String?
    /// The key path of the relationship at the other end, as written.
    public let inverseKeyPath: AnyKeyPath?
    /// The minimum number of models; nil and 0 mean none.
    public let minimumModelCount: Int?
    /// The maximum number of models; nil and 0 mean no limit.
    public let maximumModelCount: Int?
    /// Whether it leads to at most one model.
    public let isToOneRelationship: Bool
    /// A string that changes only the version hash.
    public let hashModifier: String?
    let isUnique: Bool
    let writtenOriginalName: String?

    /// Creates a relationship with the arguments of `@Relationship`.
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
        .unsupportedFeature,
        "a Relationship cannot be decoded, because its classes are not encoded")
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
      /// The other end keeps a link to the deleted row.
      case noAction
      /// The link at the other end is removed.
      case nullify
      /// The rows at the other end are deleted too.
      case cascade
      /// A row with links cannot be deleted.
      case deny
    }

    /// `Schema.Relationship.Option`.
    public struct Option: Codable, Hashable {
      let name: String
      /// Two rows must not lead to the same model.
      public static var unique: Option { Option(name: "unique") }
    }
  }

  /// `Schema.Unique` (OS 18): the constraints of `#Unique`.
  public final class Unique<T: PersistentModel>: SchemaProperty, KeyPathGroups {
    let groups: [[AnyKeyPath]]

    /// Creates groups of properties; two rows must not have equal values in a group.
    public init(_ constraints: [PartialKeyPath<T>]...) { groups = constraints }
    public init(from decoder: any Decoder) throws {
      throw SwiftDataError(
        .unsupportedFeature, "a Unique cannot be decoded, because its class is not encoded")
    }

    /// The name is empty, since constraints have none.
    public var name: String { "" }
    public func encode(to encoder: any Encoder) throws {}
    public func hash(into hasher: inout Hasher) { hasher.combine(groups) }
    public static func == (lhs: Unique<T>, rhs: Unique<T>) -> Bool { lhs.groups == rhs.groups }
  }

  /// `Schema.Index` (OS 18): the indexes of `#Index`.
  public final class Index<T: PersistentModel>: SchemaProperty, KeyPathGroups {
    let groups: [[AnyKeyPath]]
    let rtrees: [[AnyKeyPath]]

    /// Creates indexes of these properties.
    public init(_ indices: [PartialKeyPath<T>]...) {
      groups = indices
      rtrees = []
    }
    /// Creates indexes of these properties, each with a kind.
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
        .unsupportedFeature, "an Index cannot be decoded, because its class is not encoded")
    }

    /// The name is empty, since indexes have none here.
    public var name: String { "" }
    public func encode(to encoder: any Encoder) throws {}
    public func hash(into hasher: inout Hasher) { hasher.combine(groups) }
    public static func == (lhs: Index<T>, rhs: Index<T>) -> Bool {
      lhs.groups == rhs.groups && lhs.rtrees == rhs.rtrees
    }

    /// `Schema.Index.Types`: it names the model a second time, like Apple's type.
    public enum Types<P: PersistentModel> {
      /// An ordinary index.
      case binary([PartialKeyPath<P>])
      /// An R-tree index, which is accepted but not created.
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
  // These are Sendable since SDK 26; delete rules and a relationship's options are not.
  extension Schema.Attribute: @unchecked Sendable {}
  extension Schema.CompositeAttribute: @unchecked Sendable {}
  extension Schema.Attribute.Option: @unchecked Sendable {}
  extension Schema.Relationship: @unchecked Sendable {}
#endif
