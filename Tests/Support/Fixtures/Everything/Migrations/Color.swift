// `ValueTransformer` is Foundation's where there is Objective-C, else the portable SwiftData's.
#if !hasFeature(InternalImportsByDefault)
  import Foundation
  import SwiftData
#elseif canImport(ObjectiveC)
  package import Foundation
#else
  import Foundation
  package import SwiftData
#endif

/// A type of the app's own, which a value transformer stores.
nonisolated package struct Color: Codable, Hashable, Sendable {
  package var red: Double = 0

  package init() {}
}

/// Stores a colour as its red, in words.
#if canImport(ObjectiveC)
  @objc(ColorTransformer)
#endif
nonisolated package final class ColorTransformer: ValueTransformer {
  package override func transformedValue(_ value: Any?) -> Any? {
    (value as? Color).map { Data("\($0.red)".utf8) }
  }

  package override func reverseTransformedValue(_ value: Any?) -> Any? {
    (value as? Data).map { data in
      var color = Color()
      color.red = Double(String(decoding: data, as: UTF8.self)) ?? 0
      return color
    }
  }
}
