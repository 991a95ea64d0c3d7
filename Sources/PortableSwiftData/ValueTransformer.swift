internal import Synchronization

/// Foundation's `ValueTransformer`, which there is on Apple's systems only.
open class ValueTransformer: Equatable, @unchecked Sendable {
  private static let known = Mutex<[String: ValueTransformer]>([:])

  public required init() {}
  open class func transformedValueClass() -> AnyClass { AnyObject.self }
  open class func allowsReverseTransformation() -> Bool { true }
  open func transformedValue(_ value: Any?) -> Any? { value }
  open func reverseTransformedValue(_ value: Any?) -> Any? { value }

  /// Makes a transformer known to `.transformable(by: "name")`.
  public class func setValueTransformer(_ transformer: ValueTransformer?, forName name: String) {
    known.withLock { $0[name] = transformer }
  }

  static func registered(_ name: String) -> ValueTransformer {
    guard let transformer = known.withLock({ $0[name] }) else {
      trap("no ValueTransformer is registered under the name '\(name)'")
    }
    return transformer
  }

  public static func == (lhs: ValueTransformer, rhs: ValueTransformer) -> Bool {
    type(of: lhs) == type(of: rhs)
  }
}
