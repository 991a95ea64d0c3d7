// Written once by schemagen, and yours since then: it is never overwritten.

import Foundation
import SwiftData

extension Pass: Codable {
  enum CodingKeys: CodingKey {
    case code, level
  }

  typealias Level = PassLevel

  convenience init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      code: try container.decode(String.self, forKey: .code),
      level: try container.decode(PassLevel.self, forKey: .level)
    )
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(code, forKey: .code)
    try container.encode(level, forKey: .level)
  }
}

extension PassLevel: Titled {
  static let first = PassLevel.one

  var title: String {
    get { "Level \(rawValue)" }
    set {}
  }
}
