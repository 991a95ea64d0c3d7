internal import Foundation

/// Foundation's `ValueTransformer`, which there is on Apple's systems only.
open class ValueTransformer: Equatable {
  /// Transformers by name. Not Sendable, as Apple's are not: whoever shares one must synchronise it.
  private final class Registry: @unchecked Sendable {
    private let lock = NSLock()
    private var transformers: [String: ValueTransformer] = [:]

    subscript(_ name: String) -> ValueTransformer? {
      get { lock.withLock { transformers[name] } }
      set { lock.withLock { transformers[name] = newValue } }
    }
  }

  private static let registry = Registry()

  /// A transformer that changes nothing; subclasses say what it does.
  public required init() {}
  /// The class of transformed values.
  open class func transformedValueClass() -> AnyClass { AnyObject.self }
  /// Whether values can be transformed back.
  open class func allowsReverseTransformation() -> Bool { true }
  /// What is stored for a value.
  open func transformedValue(_ value: Any?) -> Any? { value }
  /// The value for what is stored.
  open func reverseTransformedValue(_ value: Any?) -> Any? { value }

  /// Makes a transformer known to `.transformable(by: "name")`.
  public class func setValueTransformer(_ transformer: ValueTransformer?, forName name: String) {
    registry[name] = transformer
  }

  /// The registered one, or one whose class has the name, in a module or, as `@objc` gives it, in none.
  fileprivate static func named(_ name: String, _ module: String) -> ValueTransformer? {
    if let registered = registry[name] { return registered }
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

  /// The transformer; `nil` if none has the name: only reading or writing a value needs one. `module`: the model's.
  func transformer(in module: String) -> ValueTransformer? {
    switch self {
    case .type(let transformer): transformer
    case .name(let name): ValueTransformer.named(name, module)
    }
  }
}
