package import Mustache

/// A typed view model that a template reads by name.
///
/// Names are listed rather than reflected upon: reflection is slow, and a template's names are checked against
/// this list.
package protocol TemplateView: MustacheParent, Sendable {
  /// What a template may name: strings, flags, texts that may be missing, lists of strings or of views.
  static var members: [String: @Sendable (Self) -> Any?] { get }
  /// The members that are lists of views, with what a template may name within their sections.
  static var sections: [String: any TemplateView.Type] { get }
}

extension TemplateView {
  package static var sections: [String: any TemplateView.Type] { [:] }

  package func child(named name: String) -> Any? { Self.members[name].flatMap { $0(self) } }

  /// The names, as the check of templates sees them through an existential.
  static var memberNames: [String] { members.keys.sorted() }
}
