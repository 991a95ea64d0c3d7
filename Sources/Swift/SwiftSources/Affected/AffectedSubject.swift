/// Something that changes between two versions, and the names under which code uses it.
package struct AffectedSubject: Sendable, Equatable {
  /// What of the code is concerned.
  package enum Uses: Sendable, Equatable {
    /// Every mention of one of these names.
    case mentions(Set<String>)
    /// Mentions of one of these names in lines where nothing else of the same model was found.
    case otherMentions(Set<String>)
    /// Calls of these types' initialisers, and the types' own declarations.
    case initializers(of: Set<String>)
    /// Members, key paths, labels and declarations of one of these names, which the owners' files mean for sure.
    case members(Set<String>, of: Set<String>)
  }

  /// As the checklist calls it, in Markdown: `` `UserProfileModel.homeTimezone` is now `homeTimezoneIdentifier` ``.
  package var title: String
  /// What changes about it, in Markdown, each a line.
  package var changes: [String]
  package var uses: Uses
  /// How surely code that uses it has to be edited.
  package enum Need: Int, Sendable, Comparable {
    /// The name is gone: what uses it no longer compiles.
    case gone
    /// The type is another one, or an initialiser takes something else.
    case changed
    /// It may have to be looked at.
    case possible

    package static func < (lhs: Need, rhs: Need) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  package var need = Need.changed
  /// Types whose own declarations say the new thing already: the models, and types of values.
  package var declaring: Set<String> = []
  /// Whether the older version has nothing of it, so that code can only begin to use it.
  package var isNew: Bool { title.hasSuffix("` is new") }

  /// The names of which one stands in every file that is concerned.
  package var words: Set<String> {
    switch uses {
    case .mentions(let names), .otherMentions(let names), .initializers(let names),
      .members(let names, _):
      names
    }
  }

  /// Names of types of which one being named tells that the subject is meant.
  var types: Set<String> {
    switch uses {
    case .mentions(let names), .otherMentions(let names), .initializers(let names): names
    case .members(_, let owners): owners
    }
  }
}
