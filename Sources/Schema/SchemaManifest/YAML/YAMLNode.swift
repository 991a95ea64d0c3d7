package import SchemaModel

/// A YAML node with its place. Scalars are strings, whatever type YAML would give them.
package struct YAMLNode: Sendable {
  package enum Content: Sendable {
    case scalar(YAMLScalar)
    case sequence([YAMLNode])
    case mapping([YAMLEntry])
  }

  package var content: Content
  /// The place where the node begins. Its length is 1 if the node spans several lines.
  package var location: SourceLocation
  /// The comments above or after the node's key or item; empty unless a `YAMLDocument` has read them.
  package var comments: [String] = []
  /// Whether a blank line comes before the node in a `YAMLDocument`.
  var isApart = false

  package init(_ content: Content, at location: SourceLocation) {
    self.content = content
    self.location = location
  }

  package var scalar: YAMLScalar? {
    if case .scalar(let scalar) = content { return scalar }
    return nil
  }

  package var kind: String {
    switch content {
    case .scalar(let scalar): scalar.isNothing ? "nothing" : "text"
    case .sequence: "a list"
    case .mapping: "a mapping"
    }
  }
}

/// A scalar's text after resolving quotes, escapes and folding.
package struct YAMLScalar: Hashable, Sendable {
  package enum Style: Hashable, Sendable {
    case plain
    case quoted
    case block
  }

  package var text: String
  package var style: Style

  package init(_ text: String, style: Style = .plain) {
    self.text = text
    self.style = style
  }

  /// Whether nothing was written, as in `key:`. Empty quotes are a value.
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
