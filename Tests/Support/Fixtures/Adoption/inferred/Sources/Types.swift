import Foundation

enum Constants { static let zero = 0 }
enum Kind: String, Codable { case a }
enum Mood: String, Codable { case glad, none }
struct Box<T: Codable>: Codable { var value: T }
struct Options: OptionSet, Codable { var rawValue = 0 }

struct Point: Codable {
  var x = 0
  init() {}
  init?(text: String) { x = 1 }
}
