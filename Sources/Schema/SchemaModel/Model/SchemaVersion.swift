/// One version of a schema, as read from a manifest.
package struct SchemaVersion: Equatable, Sendable {
  package var number: VersionNumber
  package var summary: String?
  /// The models in the manifest's order. No name is used twice.
  package var models: [Model] = []
  /// The enums and structs that the models store. No name is used twice.
  package var types: [ValueTypeDeclaration] = []
  package var drops: [Drop] = []
  package var acceptances: [Acceptance] = []
  package var expectations: [Expectation] = []
  package var hooks = Hooks()
  package var expectedStage: Located<ExpectedStage>?
  package var identity = IdentityOrigin.generated
  /// The start of the manifest. The file's name identifies the version in messages.
  @Uncompared package var location: SourceLocation? = nil

  /// Finds a model by a linear search. Build a dictionary for many lookups.
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
  /// The newest declaration of every type that a version of this history declares.
  package var newestTypes: [String: ValueTypeDeclaration] {
    var types: [String: ValueTypeDeclaration] = [:]
    for version in self { for type in version.types { types[type.name] = type } }
    return types
  }
}

/// The reason for a removal, if a person has confirmed it.
package enum Acknowledgement: Equatable, Sendable {
  case reason(String)
  /// Adoption found the removal in a shipped plan, but no person has confirmed the removal.
  case unconfirmed

  /// The word for `unconfirmed` in a manifest. A reason cannot be this word.
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
  /// `Model`, `Model.property` or `Type.case`, with the names in the previous version.
  package var element: Located<ElementPath>
  package var acknowledgement: Acknowledgement
  /// The value that `fromEntity(_:)` of older versions gives the dropped property.
  package var revert: SwiftExpression?
  /// The case that replaces a dropped case in stored rows.
  package var replacedBy: Located<String>?
  /// New elements of the same kind that could be renames of the dropped one, but receive none of its values.
  package var notCarriedTo: [Located<String>]

  /// - Parameter reason: Why the element may be removed, or `Acknowledgement.unconfirmedText`.
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
  package enum Target: Equatable, Sendable {
    case element(Located<String>)
    /// Findings at a line of the manifest, from a comment on that line or above it.
    case line(Int)
  }

  package var rule: Located<String>
  package var target: Target
  package var reason: String
  /// The last day on which the acceptance holds; `nil` if it holds forever.
  package var until: Located<CalendarDay>?

  package init(
    rule: Located<String>, target: Target, reason: String, until: Located<CalendarDay>? = nil
  ) {
    self.rule = rule
    self.target = target
    self.reason = reason
    self.until = until
  }

  package var element: String? {
    if case .element(let element) = target { return element.value }
    return nil
  }
}

/// The kind of `MigrationStage` that the author expects. A mismatch is an error.
package enum ExpectedStage: String, Hashable, Sendable, CaseIterable {
  case lightweight, custom
}

/// The origin of the classes that write a version's stores.
package enum IdentityOrigin: String, Hashable, Sendable, CaseIterable {
  /// schemagen generates the classes, and may add a hash modifier to tell versions apart.
  case generated
  /// The app had the classes before it was adopted. Stores identify the version by the identity that the classes had
  /// then.
  case shipped
}

/// Functions in a step's user file that run before and after the step's migration.
package struct Hooks: Hashable, Sendable {
  /// Called first in `willMigrate`, with the old version's types.
  package var before: Bool
  /// Called in `didMigrate`, with the new version's types. It is not called again after the process was killed.
  package var after: Bool

  package init(before: Bool = false, after: Bool = false) {
    self.before = before
    self.after = after
  }

  package var isEmpty: Bool { !before && !after }
}
