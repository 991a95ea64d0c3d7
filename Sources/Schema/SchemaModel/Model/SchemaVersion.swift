/// One whole version of a schema, as read from a manifest.
package struct SchemaVersion: Equatable, Sendable {
  package var number: VersionNumber
  /// What the version is about, in a few words: `Three-timezone model`.
  package var summary: String?
  /// The models in the manifest's order; names are unique.
  package var models: [Model] = []
  /// Enums and structs that the models store; names are unique.
  package var types: [ValueTypeDeclaration] = []
  package var drops: [Drop] = []
  package var acceptances: [Acceptance] = []
  package var expectations: [Expectation] = []
  package var hooks = Hooks()
  package var expectedStage: Located<ExpectedStage>?
  package var identity = IdentityOrigin.generated
  /// Where the manifest begins; its file names the version in messages.
  @Uncompared package var location: SourceLocation? = nil

  /// The model of that name. Linear: build a dictionary where many are looked up.
  package func model(named name: String) -> Model? { models.first { $0.name == name } }

  package func type(named name: String) -> ValueTypeDeclaration? {
    types.first { $0.name == name }
  }
}

extension SchemaVersion {
  package init(
    number: VersionNumber, models: [Model] = [], types: [ValueTypeDeclaration] = [],
    location: SourceLocation? = nil
  ) {
    self.init(number: number, summary: nil, models: models, types: types, location: location)
  }
}

extension Collection<SchemaVersion> {
  /// Every type that a version of this history declares, as the newest of them has it: it is generated once.
  package var newestTypes: [String: ValueTypeDeclaration] {
    var types: [String: ValueTypeDeclaration] = [:]
    for version in self { for type in version.types { types[type.name] = type } }
    return types
  }
}

/// Whether a person has confirmed a removal.
package enum Acknowledgement: Equatable, Sendable {
  case reason(String)
  /// Adoption found the removal in a shipped plan; no person has confirmed it.
  case unconfirmed

  /// What a manifest writes for `unconfirmed`; no reason can be this.
  package static let unconfirmedText = "unconfirmed"

  package init(_ text: String) {
    self = text == Self.unconfirmedText ? .unconfirmed : .reason(text)
  }

  package var text: String {
    switch self {
    case .reason(let reason): reason
    case .unconfirmed: Self.unconfirmedText
    }
  }
}

/// A removal in a manifest: of a model, a property, or an enum's case.
package struct Drop: Equatable, Sendable {
  /// `Model`, `Model.property` or `Type.case`, as they were called in the version before.
  package var element: Located<ElementPath>
  package var acknowledgement: Acknowledgement
  /// What `fromEntity(_:)` of older versions writes into the dropped property.
  package var revert: SwiftExpression?
  /// The case that rows with a dropped case get.
  package var replacedBy: Located<String>?
  /// New elements that take none of its values, though they could be the same under another name: properties of its
  /// model, or models.
  package var notCarriedTo: [Located<String>]

  /// - Parameter reason: Why it may go, or the word for an unconfirmed drop.
  package init(
    element: Located<ElementPath>, reason: String, revert: SwiftExpression? = nil,
    replacedBy: Located<String>? = nil, notCarriedTo: [Located<String>] = []
  ) {
    self.element = element
    acknowledgement = Acknowledgement(reason)
    self.revert = revert
    self.replacedBy = replacedBy
    self.notCarriedTo = notCarriedTo
  }
}

/// The author's statement that a finding is known and right.
package struct Acceptance: Equatable, Sendable {
  /// Which findings of the rule are meant.
  package enum Target: Equatable, Sendable {
    /// Those about an element: an entry of `accept:`.
    case element(Located<String>)
    /// Those shown at a line of the manifest: a comment there, or above it.
    case line(Int)
  }

  package var rule: Located<String>
  package var target: Target
  package var reason: String
  /// The last day on which it holds; nil for no end.
  package var until: Located<CalendarDay>?

  package init(
    rule: Located<String>, target: Target, reason: String, until: Located<CalendarDay>? = nil
  ) {
    self.rule = rule
    self.target = target
    self.reason = reason
    self.until = until
  }

  /// The element that it names; nil for a comment.
  package var element: String? {
    if case .element(let element) = target { return element.value }
    return nil
  }
}

/// The kind of `MigrationStage` that the author expects, which is checked.
package enum ExpectedStage: String, Hashable, Sendable, CaseIterable {
  case lightweight, custom
}

/// Who makes the classes that write a version's stores.
package enum IdentityOrigin: String, Hashable, Sendable, CaseIterable {
  /// The generator, which may add a hash modifier to tell versions apart.
  case generated
  /// The app, before it was adopted: stores know the version by the identity that it had then.
  case shipped
}

/// Functions in the user file of a step that run before and after its migration.
package struct Hooks: Hashable, Sendable {
  /// Called first in `willMigrate`, with the old version's types.
  package var before: Bool
  /// Called in `didMigrate`, with the new version's types. Not called again after a kill.
  package var after: Bool

  package init(before: Bool = false, after: Bool = false) {
    self.before = before
    self.after = after
  }

  package var isEmpty: Bool { !before && !after }
}
