package import Mustache

/// A typed view model that a template reads by name.
///
/// Names are listed rather than found by reflection: reflection is slow, and a template's names are checked against
/// this list.
package protocol TemplateView: MustacheParent, Sendable {
  /// The names for a template: strings, flags, optional strings, lists of strings or of views.
  static var members: [String: @Sendable (Self) -> Any?] { get }
  /// The members that are lists of views, with the view that their sections use.
  static var sections: [String: any TemplateView.Type] { get }
}

/// A string in the form that Mustache renders fastest. A `String` goes through two more casts and
/// `String(describing:)`, and a history has a hundred thousand strings.
private struct RenderedText: MustacheCustomRenderable {
  let renderText: String
  var isNull: Bool { false }
}

extension TemplateView {
  package static var sections: [String: any TemplateView.Type] { [:] }

  package func child(named name: String) -> Any? {
    switch Self.members[name].flatMap({ $0(self) }) {
    case let text as String: RenderedText(renderText: text)
    case let lines as [String]: lines.map(RenderedText.init)
    case let other: other
    }
  }

  /// The sorted names, for the check of templates, which only knows the view's type as `any`.
  static var memberNames: [String] { members.keys.sorted() }
}
