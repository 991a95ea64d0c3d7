import Foundation
import SwiftData

@Model
class Book {
  var title = ""

  init() {}
}

@Model
class Note {
  var text = ""

  init() {}
}

@Model
class Entry {
  var key = ""

  init() {}
}
