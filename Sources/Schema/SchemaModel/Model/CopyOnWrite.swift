/// A large value behind one reference: copying it is cheap, and a change copies what is in it only where another holds
/// it too.
struct CopyOnWrite<Value: Sendable>: Sendable {
  // Unchecked: only what nobody else holds is changed, as the compiler sees by the struct around it.
  private final class Box: @unchecked Sendable {
    @exclusivity(unchecked) var value: Value

    init(_ value: Value) { self.value = value }
  }

  private var box: Box

  init(_ value: Value) { box = Box(value) }

  var value: Value {
    @inline(__always) _read { yield box.value }
    @inline(__always) _modify {
      if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
      yield &box.value
    }
  }

  /// Whether both hold one value: if so they are equal, and if not they may be.
  func isShared(with other: CopyOnWrite) -> Bool { box === other.box }
}
