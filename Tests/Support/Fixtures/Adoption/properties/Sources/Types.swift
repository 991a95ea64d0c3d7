import Foundation

typealias Identifier = UUID

enum Kind: String, Codable { case small, large = "big" }

struct Limits: Codable, Hashable {
  static func fresh() -> Date { Date() }
  var low: Int = 0
  var high = 10
  let unit: String
  var names: [Kind] = [.small]
  var isOpen: Bool { high > low }
  init() { unit = "" }
}
