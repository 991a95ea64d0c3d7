internal import Foundation
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

  /// The registered one, or one whose class has the name, in a module or, as `@objc` gives it, in none.
  fileprivate static func named(_ name: String, _ module: String) -> ValueTransformer? {
    if let registered = known.withLock({ $0[name] }) { return registered }
    let found: AnyClass? = NSClassFromString("\(module).\(name)") ?? NSClassFromString(name)
    return (found as? ValueTransformer.Type)?.init()
  }

  public static func == (lhs: ValueTransformer, rhs: ValueTransformer) -> Bool {
    type(of: lhs) == type(of: rhs)
  }
}

/// How `.transformable(by:)` names its transformer.
enum TransformerReference: Equatable {
  case type(ValueTransformer)
  case name(String)

  /// `module`: the model's. `nil` for a name that none has: only who reads or writes a value needs one.
  func transformer(in module: String) -> ValueTransformer? {
    switch self {
    case .type(let transformer): transformer
    case .name(let name): ValueTransformer.named(name, module)
    }
  }
}
