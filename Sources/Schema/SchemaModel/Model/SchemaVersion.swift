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

  /// The model with that name. The search is linear: build a dictionary for many lookups.
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
  /// Every type that a version of this history declares, in its newest form: it is generated once.
  package var newestTypes: [String: ValueTypeDeclaration] {
    var types: [String: ValueTypeDeclaration] = [:]
    for version in self { for type in version.types { types[type.name] = type } }
    return types
  }
}

/// Whether a person has confirmed a removal.
package enum Acknowledgement: Equatable, Sendable {
  case reason(String)
  /// Adoption found the removal in a shipped plan, and no person has confirmed it.
  case unconfirmed

  /// What a manifest writes for `unconfirmed`. A reason cannot be this word.
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
  /// `Model`, `Model.property` or `Type.case`, with the names of the previous version.
  package var element: Located<ElementPath>
  package var acknowledgement: Acknowledgement
  /// What `fromEntity(_:)` of older versions writes into the dropped property.
  package var revert: SwiftExpression?
  /// The case that rows with a dropped case get.
  package var replacedBy: Located<String>?
  /// New elements, properties of its model or models, that receive none of its values although they could be renames.
  package var notCarriedTo: [Located<String>]

  /// - Parameter reason: Why it may be removed, or the word for an unconfirmed drop.
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

/// The author's statement that a finding is known and accepted.
package struct Acceptance: Equatable, Sendable {
  /// Which findings of the rule it accepts.
  package enum Target: Equatable, Sendable {
    /// Findings about an element: an entry of `accept:`.
    case element(Located<String>)
    /// Findings at a line of the manifest, from a comment there or above it.
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

  /// The element that it names; nil for an acceptance by line.
  package var element: String? {
    if case .element(let element) = target { return element.value }
    return nil
  }
}

/// The kind of `MigrationStage` that the author expects. A mismatch is an error.
package enum ExpectedStage: String, Hashable, Sendable, CaseIterable {
  case lightweight, custom
}

/// Where the classes come from that write a version's stores.
package enum IdentityOrigin: String, Hashable, Sendable, CaseIterable {
  /// The generator, which may add a hash modifier to tell versions apart.
  case generated
  /// The app, before it was adopted: stores identify the version by the identity it had then.
  case shipped
}

/// Functions in the user file of a step that run before and after its migration.
package struct Hooks: Hashable, Sendable {
  /// Called first in `willMigrate`, with the old version's types.
  package var before: Bool
  /// Called in `didMigrate`, with the new version's types. It is not called again after a kill.
  package var after: Bool

  package init(before: Bool = false, after: Bool = false) {
    self.before = before
    self.after = after
  }

  package var isEmpty: Bool { !before && !after }
}
