internal import Foundation
package import ManagedModels
internal import SchemaModel
package import StoreFormat

/// The raw values of enums in a store's rows. A store shows nothing else about the cases of enums.
package struct RawValues: Sendable {
  /// The values by the names of entity, property and nested fields; nil if there are too many for an enum.
  private var values: [[String]: [StoredValue]?] = [:]

  /// The most values of an enum. A column with more is something like an e-mail address, which does not belong in a
  /// manifest.
  private static let most = 50
  /// The maximum length of a case's raw value in bytes.
  private static let longest = 100

  package init() {}

  /// Reads the values in a store's rows. `survey` is of a store with `model`.
  package init(of model: ManagedModel, _ survey: StoreSurvey) throws {
    try survey.adopt(model)
    for entity in model.entities {
      for attribute in entity.attributes { try add(attribute, of: entity.name, [], survey) }
    }
  }

  /// The values at a path; empty if they cannot be cases.
  subscript(path: [String]) -> [StoredValue] { (values[path] ?? nil) ?? [] }

  private mutating func add(
    _ attribute: ManagedAttribute, of entity: String, _ above: [String], _ survey: StoreSurvey
  ) throws {
    let path = above + [attribute.name]
    guard attribute.rawType != nil else {
      for element in attribute.elements { try add(element, of: entity, path, survey) }
      return
    }
    let column = (path + ["rawValue"]).joined(separator: ".")
    do {
      let found = try survey.values(of: entity, column, limit: Self.most)
      values[[entity] + path] = .some(found?.filter(Self.isCase))
    } catch is StoreError {
      // The column is missing, since the layout of composites is only partly known, or its rows are damaged, which is
      // reported elsewhere and does not affect the model.
    }
  }

  private static func isCase(_ value: StoredValue) -> Bool {
    switch value {
    case .text(let text):
      text.utf8.count <= longest && text.unicodeScalars.allSatisfy { !$0.isHidden }
    case .integer: true
    case .real(let number): number.isFinite
    case .null, .blob: false
    }
  }
}

extension ManagedAttribute {
  /// The type of an enum's raw values, if Swift has literals for it; nil for any other attribute.
  package var rawType: AttributeType? {
    switch rawValueElement?.type {
    case .string, .integer16, .integer32, .integer64, .double, .float: rawValueElement?.type
    default: nil
    }
  }
}

/// Cases for raw values whose names in the app are unknown.
enum EnumCases {
  /// - Returns: At least one case, since a manifest requires one, and a remark on the cases, as the end of a sentence.
  static func suggested(
    for values: [StoredValue], _ type: AttributeType
  ) -> (cases: [EnumCase], clause: String) {
    var names: Set<String> = []
    let cases = values.compactMap { value -> EnumCase? in
      guard let literal = literal(value, type), let raw = try? SwiftExpression(literal) else {
        return nil
      }
      let base = name(for: value)
      var name = base
      var number = 2
      while !names.insert(name).inserted {
        name = "\(base)\(number)"
        number += 1
      }
      return EnumCase(name: name, rawValue: literal == "\"\(name)\"" ? nil : raw)
    }
    guard cases.isEmpty else {
      return (
        cases,
        "the names of its cases are made up too; the app's code may have cases that no row has"
      )
    }
    let raw = type == .string ? nil : try? SwiftExpression("0")
    return (
      [EnumCase(name: "unknown", rawValue: raw)],
      "rows show none of its cases: replace 'unknown' with those in the app's code"
    )
  }

  private static func literal(_ value: StoredValue, _ type: AttributeType) -> String? {
    switch (value, type) {
    case (.text(let text), .string): self.literal(text)
    case (.integer(let number), .integer16): Int16(exactly: number).map { "\($0)" }
    case (.integer(let number), .integer32): Int32(exactly: number).map { "\($0)" }
    case (.integer(let number), .integer64): "\(number)"
    case (.integer(let number), .double), (.integer(let number), .float): "\(Double(number))"
    case (.real(let number), .double), (.real(let number), .float): "\(number)"
    default: nil
    }
  }

  static func literal(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  /// A name for a case: `inProgress` for "in-progress", `case1` for 1.
  private static func name(for value: StoredValue) -> String {
    switch value {
    case .text(let text):
      let words = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
      let joined = words.enumerated().map { index, word in
        let first = index == 0 ? word.prefix(1).lowercased() : word.prefix(1).uppercased()
        return first + word.dropFirst()
      }.joined()
      let name = SwiftIdentifier.isValid(text) ? text : joined
      if name.isEmpty { return "blank" }
      guard SwiftIdentifier.isValid(name), !reserved.contains(name) else {
        return "case" + name.prefix(1).uppercased() + name.dropFirst()
      }
      return name
    case .integer(let number): return number < 0 ? "minus\(number.magnitude)" : "case\(number)"
    case .real(let number):
      let digits = "\(abs(number))".map { $0.isNumber || $0 == "e" ? $0 : "_" }
      return (number < 0 ? "minus" : "case") + String(digits)
    case .null, .blob: return "blank"
    }
  }

  private static let reserved: Set<String> = [
    "Type", "Protocol", "self", "Self", "init", "allCases",
  ]
}
