internal import Foundation

/// Foundation's `ValueTransformer`, which exists only on Apple's systems.
open class ValueTransformer: Equatable {
  /// Transformers by name. They are not Sendable, as on Apple's systems, so code that shares one must synchronise it.
  private final class Registry: @unchecked Sendable {
    private let lock = NSLock()
    private var transformers: [String: ValueTransformer] = [:]

    subscript(_ name: String) -> ValueTransformer? {
      get { lock.withLock { transformers[name] } }
      set { lock.withLock { transformers[name] = newValue } }
    }
  }

  private static let registry = Registry()

  /// Creates a transformer that changes nothing. Subclasses override its methods.
  public required init() {}
  /// The class of transformed values.
  open class func transformedValueClass() -> AnyClass { AnyObject.self }
  /// Whether values can be transformed back.
  open class func allowsReverseTransformation() -> Bool { true }
  /// The stored value for a value.
  open func transformedValue(_ value: Any?) -> Any? { value }
  /// The value for a stored value.
  open func reverseTransformedValue(_ value: Any?) -> Any? { value }

  /// Registers a transformer for `.transformable(by: "name")`.
  public class func setValueTransformer(_ transformer: ValueTransformer?, forName name: String) {
    registry[name] = transformer
  }

  /// The registered transformer, or an instance of the class with this name in the module. With `@objc`, the name has
  /// no module.
  fileprivate static func named(_ name: String, _ module: String) -> ValueTransformer? {
    if let registered = registry[name] { return registered }
    let found: AnyClass? = NSClassFromString("\(module).\(name)") ?? NSClassFromString(name)
    return (found as? ValueTransformer.Type)?.init()
  }

  public static func == (lhs: ValueTransformer, rhs: ValueTransformer) -> Bool {
    type(of: lhs) == type(of: rhs)
  }
}

/// A transformer as `.transformable(by:)` names it.
enum TransformerReference: Equatable {
  case type(ValueTransformer)
  case name(String)

  /// The transformer; nil if none has the name, which matters only when a value is read or written. `module` is the
  /// model's module.
  func transformer(in module: String) -> ValueTransformer? {
    switch self {
    case .type(let transformer): transformer
    case .name(let name): ValueTransformer.named(name, module)
    }
  }
}
