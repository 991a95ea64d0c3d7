internal import Foundation
package import ManagedModels
package import SchemaEvolution
package import SchemaModel

extension Evolution {
  /// The place of each version of the history in the chain.
  package var positions: [Int] { chain.indices.filter { !chain[$0].isBridge } }
}

extension ManagedModel {
  /// A version as a store sees it, with defaults. It replaces the runtime's own reading of Swift types.
  package init(_ version: SchemaVersion, types: [ValueTypeDeclaration]) {
    self = VersionModel(version, types: types, defaults: Self.value).model
  }

  /// Every version that the framework sees, bridges included.
  package static func chain(of evolution: Evolution) -> [ManagedModel] {
    VersionModel.chain(of: evolution, defaults: value).map(\.model)
  }

  private static func value(
    of expression: SwiftExpression, _ type: AttributeType
  ) -> StoredValue? {
    let text = expression.text
    return switch type {
    case .string: text.hasPrefix("\"") ? .text(String(text.dropFirst().dropLast())) : .text(text)
    case .boolean: .integer(text == "true" ? 1 : 0)
    case .integer16, .integer32, .integer64: Int64(text).map { .integer($0) }
    case .double, .float, .decimal: Double(text).map { .real($0) }
    case .date: text == "Date.distantPast" ? .real(-63_114_076_800) : .real(0)
    case .binary, .transformable: .blob(.init())
    case .uuid: .blob(.init(repeating: 7, count: 16))
    case .uri, .composite, .undefined: nil
    }
  }
}
