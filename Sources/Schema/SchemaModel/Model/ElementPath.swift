/// The path of a named element of a version: a model or a value type, or one of its properties, cases or fields.
package struct ElementPath: Hashable, Sendable {
  package var owner: String
  /// The name of the property, case or field; `nil` for the model or type itself.
  package var member: String?

  package init(_ owner: String, _ member: String? = nil) {
    self.owner = owner
    self.member = member
  }

  package init(parsing text: String) {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    self.init(String(parts[0]), parts.count > 1 ? String(parts[1]) : nil)
  }

  package func appending(_ name: String) -> ElementPath {
    ElementPath(owner, member.map { "\($0).\(name)" } ?? name)
  }
}

extension ElementPath: CustomStringConvertible {
  package var description: String { member.map { "\(owner).\($0)" } ?? owner }
}

extension ElementPath: Comparable {
  package static func < (lhs: ElementPath, rhs: ElementPath) -> Bool {
    lhs.description < rhs.description
  }
}

extension SchemaVersion {
  /// The location of the property at a path. If there is no such property, the location of the path's model or type.
  package func location(of path: ElementPath) -> SourceLocation? {
    property(at: path)?.location ?? model(named: path.owner)?.location
      ?? type(named: path.owner)?.location
  }

  package func property(at path: ElementPath) -> Property? {
    path.member.flatMap { model(named: path.owner)?.property(named: $0) }
  }
}
