import Foundation
import SwiftData

@Model
class Paper {
  var title = ""

  init() {}
}

/// The container names it; the others are in the store because something leads to them.
@Model
class Journal: Paper {
  @Relationship(deleteRule: .cascade, inverse: \Page.journal) var pages: [Page] = []

  override init() { super.init() }
}

@Model
class Page {
  var text = ""
  var journal: Journal?

  init() {}
}

/// Of previews only.
@Model
class Draft {
  var text = ""

  init() {}
}

/// Of an experiment that nothing leads to.
@Model
class Mood {
  var name = ""

  init() {}
}
