extension Dictionary {
  /// Indexes elements by key. The first of several elements with the same key is kept.
  @inlinable
  package init(_ elements: some Sequence<Value>, keyedBy key: (Value) -> Key) {
    self.init(elements.map { (key($0), $0) }) { first, _ in first }
  }
}
