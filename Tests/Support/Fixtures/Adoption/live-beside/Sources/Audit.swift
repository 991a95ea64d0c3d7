import SwiftData

/// Of no version, which is a smaller matter.
@Model final class Audit {
  var text: String = ""
  init() {}
}
