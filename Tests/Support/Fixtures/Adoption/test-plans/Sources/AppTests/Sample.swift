import SwiftData

@Model final class Sample {
  var name: String = ""
  init() {}
}
