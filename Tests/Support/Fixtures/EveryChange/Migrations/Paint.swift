// `ValueTransformer` is Foundation's where there is Objective-C, else the portable SwiftData's.
#if canImport(ObjectiveC)
  public import Foundation
#else
  import Foundation
  public import SwiftData
#endif

/// A type of the app's own, which value transformers store.
nonisolated public struct Paint: Codable, Hashable, Sendable {
  public var red: UInt8 = 0

  public init(red: UInt8 = 0) { self.red = red }
}

/// Stores paint as a number in words.
#if canImport(ObjectiveC)
  @objc(PaintTransformer)
#endif
nonisolated public final class PaintTransformer: ValueTransformer {
  public override func transformedValue(_ value: Any?) -> Any? {
    (value as? Paint).map { Data("\($0.red)".utf8) }
  }

  public override func reverseTransformedValue(_ value: Any?) -> Any? {
    (value as? Data).flatMap { UInt8(String(decoding: $0, as: UTF8.self)) }.map { Paint(red: $0) }
  }
}

/// Stores paint in hexadecimal digits, and reads what `PaintTransformer` wrote.
#if canImport(ObjectiveC)
  @objc(HexPaintTransformer)
#endif
nonisolated public final class HexPaintTransformer: ValueTransformer {
  public override func transformedValue(_ value: Any?) -> Any? {
    (value as? Paint).map { Data("#\(String($0.red, radix: 16))".utf8) }
  }

  public override func reverseTransformedValue(_ value: Any?) -> Any? {
    (value as? Data).flatMap { data in
      let text = String(decoding: data, as: UTF8.self)
      return text.hasPrefix("#") ? UInt8(text.dropFirst(), radix: 16) : UInt8(text)
    }.map { Paint(red: $0) }
  }
}
