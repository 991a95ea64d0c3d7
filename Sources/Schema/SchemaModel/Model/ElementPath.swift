/// A part of a version that has a name: a model or a value type, or one of its properties, cases or fields.
package struct ElementPath: Hashable, Sendable {
  /// The model's or the type's name.
  package var owner: String
  /// The property's, case's or field's name; nil for the model or type itself.
  package var member: String?

  package init(_ owner: String, _ member: String? = nil) {
    self.owner = owner
    self.member = member
  }

  /// Reads the printed form: `Model`, `Model.property`, `Type.case`.
  package init(parsing text: String) {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    self.init(String(parts[0]), parts.count > 1 ? String(parts[1]) : nil)
  }

  package func appending(_ name: String) -> ElementPath {
    ElementPath(owner, member.map { "\($0).\(name)" } ?? name)
  }
}

extension ElementPath: CustomStringConvertible {
  /// `Model`, `Model.property`, `Type.case`: as manifests and messages name it.
  package var description: String { member.map { "\(owner).\($0)" } ?? owner }
}

extension ElementPath: Comparable {
  /// Orders by the printed form.
  package static func < (lhs: ElementPath, rhs: ElementPath) -> Bool {
    lhs.description < rhs.description
  }
}

extension SchemaVersion {
  /// The location of the property at a path, or else of its model or type; nil if it does not exist.
  package func location(of path: ElementPath) -> SourceLocation? {
    property(at: path)?.location ?? model(named: path.owner)?.location
      ?? type(named: path.owner)?.location
  }

  package func property(at path: ElementPath) -> Property? {
    path.member.flatMap { model(named: path.owner)?.property(named: $0) }
  }
}
