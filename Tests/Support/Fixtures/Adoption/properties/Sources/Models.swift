import Foundation
import SwiftData

// @Model
// final class CommentedOut { var name: String }

/*
 @Model
 final class BlockComment { var name: String }
 /* var nested: Int */
 */

let example = """
  @Model
  final class InAString { var name: String = "" }
  """

@Model
final class Everything {
  static let shared = 1
  static let defaultName = "somebody"

  // Types that only the defaults say
  var id = UUID()
  var count = 0
  var ratio = 0.5
  var offset = -1
  var title = "a \"quoted\" title"
  var isOn = false
  var created = Date()
  var changed = Date.now
  var started = Date.distantPast
  var names = [String]()
  var more = Array<Int>()
  var map = [String: Int]()
  var pair = [1, 2]
  var kind = Kind.small
  var kindName = Kind.small.rawValue
  var limits = Limits()
  var zone = TimeZone.current.identifier
  var page = URL(string: "https://example.com")!
  var wide = 0 as Int32
  var stamp = Limits.fresh()

  // Types as people write them
  var forced: String!
  var optional: Optional<Int>
  var array: Array<String>
  var dictionary: Dictionary<String, Int> = [:]
  var qualified: Swift.String = ""
  var seconds: TimeInterval = 0
  var identifier: Identifier
  var first, second: Int
  var a = 1, b = "two"
  var nothing: Int? = nil

  // Modifiers, observers, computed properties
  private(set) var readOnly: Int = 0
  private var secret: String = ""
  let constant: Int
  var _underscored: String = ""
  var observed: Int = 0 {
    willSet { print(newValue) }
    didSet { print(oldValue) }
  }
  var computed: Int { count + 1 }
  var both: Int {
    get { count }
    set { count = newValue }
  }
  @Transient var cache: String = ""
  @Transient
  var another = 0
  var `default`: Int = 1

  // Attributes
  @Attribute(.unique)
  var key: String
  @Attribute(
    .externalStorage,
    .allowsCloudEncryption,
    originalName: "picture"  // what it was called
  )
  /// What the user looks like.
  var portrait: Data?
  @Attribute(.spotlight) @available(iOS 17, *) var found: String = ""
  @Attribute(.transformable(by: ColorTransformer.self)) var color: Color?
  @Attribute(.preserveValueOnDeletion, hashModifier: "2") var kept: String = ""

  init(key: String, identifier: Identifier, constant: Int, array: [String], first: Int, second: Int) {
    self.key = key
    self.identifier = identifier
    self.constant = constant
    self.array = array
    self.first = first
    self.second = second
  }

  func greet() { print("hello") }
}
