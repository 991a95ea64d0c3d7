// The files here mirror what Apple's SDK declares, in the shape it has since Xcode 26; the README
// one folder up says what is left out.

/// Every body: nothing in this module is ever run.
func notBuilt(_ function: StaticString = #function) -> Never {
  fatalError("SwiftData's interface only: \(function) has no behaviour here")
}

/// `Schema`: a final class, and Sendable since SDK 26.
public final class Schema: Codable, Hashable, Sendable {
  public init(_ entities: Entity..., version: Version = Version(1, 0, 0)) { notBuilt() }
  public init(_ types: [any PersistentModel.Type], version: Version = Version(1, 0, 0)) {
    notBuilt()
  }
  public convenience init(versionedSchema: any VersionedSchema.Type) { notBuilt() }
  public init(from decoder: any Decoder) throws { notBuilt() }

  public var version: Version { notBuilt() }
  public var entities: [Entity] { notBuilt() }
  public var entitiesByName: [String: Entity] { notBuilt() }

  public func encode(to encoder: any Encoder) throws { notBuilt() }
  public func hash(into hasher: inout Hasher) { notBuilt() }
  public static func == (lhs: Schema, rhs: Schema) -> Bool { notBuilt() }

  /// `Schema.Version`: Sendable since SDK 26.
  public struct Version: Codable, Comparable, CustomStringConvertible, Hashable, Sendable {
    public let major: Int
    public let minor: Int
    public let patch: Int

    public init(_ major: Int, _ minor: Int, _ patch: Int) {
      (self.major, self.minor, self.patch) = (major, minor, patch)
    }

    public var description: String { notBuilt() }
    public static func < (lhs: Version, rhs: Version) -> Bool { notBuilt() }
  }

  /// What `@Model` writes for each stored property. `defaultValue` is an `Any?`: a default that
  /// leans on the property's type, such as `.current`, finds no such member there.
  public struct PropertyMetadata {
    public init(
      name: String, keypath: AnyKeyPath, defaultValue: Any? = nil,
      metadata: (any SchemaProperty)? = nil
    ) {}
  }
}

/// `SchemaProperty`: what attributes, relationships and indices have in common.
public protocol SchemaProperty: Codable, Hashable {
  var name: String { get }
  var isAttribute: Bool { get }
  var isRelationship: Bool { get }
  var isTransient: Bool { get }
}

extension SchemaProperty {
  public var isAttribute: Bool { notBuilt() }
  public var isRelationship: Bool { notBuilt() }
  public var isTransient: Bool { notBuilt() }
}

extension Schema {
  /// `Schema.Entity`.
  public final class Entity: Codable, Hashable {
    public init(from decoder: any Decoder) throws { notBuilt() }

    public var name: String { notBuilt() }
    public var subentities: Set<Entity> { notBuilt() }
    public var superentityName: String? { notBuilt() }
    public var attributesByName: [String: Attribute] { notBuilt() }
    public var relationshipsByName: [String: Relationship] { notBuilt() }
    public var uniquenessConstraints: [[String]] { notBuilt() }
    public var indices: [[String]] { notBuilt() }

    public func encode(to encoder: any Encoder) throws { notBuilt() }
    public func hash(into hasher: inout Hasher) { notBuilt() }
    public static func == (lhs: Entity, rhs: Entity) -> Bool { notBuilt() }
  }

  /// `Schema.Attribute`: takes `@Attribute`'s arguments as they were written.
  public class Attribute: SchemaProperty {
    public init(_ options: Option..., originalName: String? = nil, hashModifier: String? = nil) {}
    public required init(from decoder: any Decoder) throws { notBuilt() }

    public var name: String { notBuilt() }
    public var originalName: String { notBuilt() }
    public var options: [Option] { notBuilt() }
    public var valueType: any Any.Type { notBuilt() }
    public var defaultValue: Any? { notBuilt() }
    public var isOptional: Bool { notBuilt() }
    public var isUnique: Bool { notBuilt() }
    public var isTransformable: Bool { notBuilt() }
    public var hashModifier: String? { notBuilt() }

    public func encode(to encoder: any Encoder) throws { notBuilt() }
    public func hash(into hasher: inout Hasher) { notBuilt() }
    public static func == (lhs: Attribute, rhs: Attribute) -> Bool { notBuilt() }

    /// `Schema.Attribute.Option`. `.codable`, which needs SDK 27, is left out.
    public struct Option {
      public static var unique: Option { notBuilt() }
      public static func transformable(by type: ValueTransformer.Type) -> Option { notBuilt() }
      public static func transformable(by name: String) -> Option { notBuilt() }
      public static var externalStorage: Option { notBuilt() }
      public static var allowsCloudEncryption: Option { notBuilt() }
      public static var preserveValueOnDeletion: Option { notBuilt() }
      public static var ephemeral: Option { notBuilt() }
      public static var spotlight: Option { notBuilt() }
    }
  }

  /// `Schema.CompositeAttribute`: what a Codable struct is stored as.
  public final class CompositeAttribute: Attribute {
    public var properties: [Attribute] { notBuilt() }
  }

  /// `Schema.Relationship`: takes `@Relationship`'s arguments as they were written.
  public final class Relationship: SchemaProperty {
    public init(
      _ options: Option..., deleteRule: DeleteRule = .nullify, minimumModelCount: Int? = 0,
      maximumModelCount: Int? = 0, originalName: String? = nil, inverse: AnyKeyPath? = nil,
      hashModifier: String? = nil
    ) {}
    public init(from decoder: any Decoder) throws { notBuilt() }

    public var name: String { notBuilt() }
    public var originalName: String { notBuilt() }
    public var destination: String { notBuilt() }
    public var deleteRule: DeleteRule { notBuilt() }
    public var inverseName: String? { notBuilt() }
    public var inverseKeyPath: AnyKeyPath? { notBuilt() }
    public var minimumModelCount: Int? { notBuilt() }
    public var maximumModelCount: Int? { notBuilt() }
    public var isToOneRelationship: Bool { notBuilt() }
    public var hashModifier: String? { notBuilt() }

    public func encode(to encoder: any Encoder) throws { notBuilt() }
    public func hash(into hasher: inout Hasher) { notBuilt() }
    public static func == (lhs: Relationship, rhs: Relationship) -> Bool { notBuilt() }

    /// `Schema.Relationship.DeleteRule`.
    public enum DeleteRule: String, Codable {
      case noAction
      case nullify
      case cascade
      case deny
    }

    /// `Schema.Relationship.Option`.
    public struct Option: Codable, Hashable {
      public static var unique: Option { notBuilt() }
    }
  }

  /// `Schema.Index` (OS 18).
  public final class Index<T: PersistentModel>: SchemaProperty {
    public init(from decoder: any Decoder) throws { notBuilt() }

    public var name: String { notBuilt() }

    public func encode(to encoder: any Encoder) throws { notBuilt() }
    public func hash(into hasher: inout Hasher) { notBuilt() }
    public static func == (lhs: Index<T>, rhs: Index<T>) -> Bool { notBuilt() }

    /// `Schema.Index.Types`: the model is named a second time, as in Apple's.
    public enum Types<P: PersistentModel> {
      case binary([PartialKeyPath<P>])
      case rtree([PartialKeyPath<P>])
    }
  }
}

/// Foundation's `ValueTransformer`, which there is on Apple's systems only: enough of it to
/// subclass, and to name in `.transformable(by:)`.
open class ValueTransformer {
  public init() {}
  open class func transformedValueClass() -> AnyClass { notBuilt() }
  open class func allowsReverseTransformation() -> Bool { notBuilt() }
  open func transformedValue(_ value: Any?) -> Any? { notBuilt() }
  open func reverseTransformedValue(_ value: Any?) -> Any? { notBuilt() }
}
