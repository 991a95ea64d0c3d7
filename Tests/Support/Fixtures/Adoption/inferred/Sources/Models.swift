import Foundation
import SwiftData

// What only looks like its type: initialisers that can fail make optionals, and literals mix.
@Model
final class Inferred {
  var page = URL(string: "https://example.com")
  var file = URL(filePath: "/")
  var forced = UUID(uuidString: "")!
  var maybe = UUID(uuidString: "")
  var number = Int("3")
  var rounded = Int(3.5)
  var raw = Kind(rawValue: "a")
  var point = Point(text: "1")
  var origin = Point()
  var none: Int? = .none
  var mood: Mood = .none
  var moods: [Mood] = [.glad, .none]
  var fresh: UUID = .init()
  var ending = Mood?.none
  var numbers = [Int]?.some([])
  var lists = [String: [Int]]()
  var letters = Set<String>()
  var gaps = [Int?]()
  var wide = UInt8.max
  var zero = Constants.zero
  var box: Box<Int>?
  var options: Options = []
  var sub: Inferred.Sub = Inferred.Sub(x: 1)
  @Attribute(.unique) @Attribute(originalName: "z") var double: Int = 0

  struct Sub: Codable {
    var x: Int
    enum CodingKeys: String, CodingKey { case x = "ex" }
  }

  init() {}
}
