extension Dictionary {
  /// Elements by a key of theirs; of several with the same key, the first.
  @inlinable
  package init(_ elements: some Sequence<Value>, keyedBy key: (Value) -> Key) {
    self.init(elements.map { (key($0), $0) }) { first, _ in first }
  }
}
