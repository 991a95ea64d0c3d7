import Foundation

enum Level: Int, Codable { case low, middle = 5, high }
enum Shape: Codable { case circle(Double), none }
struct ByHand: Codable {
  var a: Int
  init(from decoder: any Decoder) throws { a = 1 }
}
struct Change: Codable { let at: Date; let from: String }
/// Swift takes letters of any alphabet.
enum Flavour: String, Codable { case sweet = "Sweet", jalapeño = "Jalapeño", 塩 }
/// Its raw values are of a type that nobody has seen in a store; here it is JSON.
enum Turn: CGFloat, Codable { case none = 0, quarter = 90 }
/// The same in columns.
enum Tilt: CGFloat, Codable { case none = 0, quarter = 90 }
struct Pin: Codable { var turn: Turn = .none; var label: String }
