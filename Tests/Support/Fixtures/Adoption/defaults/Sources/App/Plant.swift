import Foundation
import SwiftData

@Model
final class Plant {
  var identifier = UUID().uuidString
  var shortName = UUID().uuidString.lowercased()
  var since = Date().timeIntervalSince1970
  var watered = Date().addingTimeInterval(-3600)
  var light = Light.shade
  var soil = Soil.loam.rawValue
  var notes = Notes.empty.text
  var tags = Set<String>(["new"])
  var counts = [Int](repeating: 0, count: 7)
  @Transient var cached = Box<Date?>(nil)

  init() {}
}
