package import SchemaModel

/// A piece of YAML that knows its place. Scalars are text, whatever YAML would make of them.
package struct YAMLNode: Sendable {
  package enum Content: Sendable {
    case scalar(YAMLScalar)
    case sequence([YAMLNode])
    case mapping([YAMLEntry])
  }

  package var content: Content
  /// Where it begins; its length is 1 for what spans several lines.
  package var location: SourceLocation
  /// The lines of comments above or beside its key or its item, as far as a `YAMLDocument` has read them.
  package var comments: [String] = []
  /// Whether a blank line comes before it in a `YAMLDocument`.
  var isApart = false

  package init(_ content: Content, at location: SourceLocation) {
    self.content = content
    self.location = location
  }

  package var scalar: YAMLScalar? {
    if case .scalar(let scalar) = content { return scalar }
    return nil
  }

  /// What it is, as a sentence names it: `a mapping`, `a list`, `text`, `nothing`.
  package var kind: String {
    switch content {
    case .scalar(let scalar): scalar.isNothing ? "nothing" : "text"
    case .sequence: "a list"
    case .mapping: "a mapping"
    }
  }
}

/// A scalar's text with quotes, escapes and folding resolved.
package struct YAMLScalar: Hashable, Sendable {
  package enum Style: Hashable, Sendable {
    case plain
    /// `'…'` or `"…"`
    case quoted
    /// `|` or `>`
    case block
  }

  package var text: String
  package var style: Style

  package init(_ text: String, style: Style = .plain) {
    self.text = text
    self.style = style
  }

  /// Whether nothing was written: `key:`. Empty quotes are something.
  package var isNothing: Bool { style == .plain && text.isEmpty }
}

/// A key of a mapping with its value. Keys are unique in a mapping.
package struct YAMLEntry: Sendable {
  package var key: String
  package var keyLocation: SourceLocation
  package var value: YAMLNode

  package init(key: String, keyLocation: SourceLocation, value: YAMLNode) {
    self.key = key
    self.keyLocation = keyLocation
    self.value = value
  }
}
