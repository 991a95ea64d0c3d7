import Foundation

enum Level: Int, Codable { case low, middle = 5, high }
enum Shape: Codable { case circle(Double), none }
struct ByHand: Codable {
  var a: Int
  init(from decoder: any Decoder) throws { a = 1 }
}
struct Change: Codable { let at: Date; let from: String }
