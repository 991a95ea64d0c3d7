import Foundation
import SwiftData

@Model
class Note {
  var id = UUID()
  var title = ""
  var body: String
  var tags: [String] = []
  var folder: Folder?

  init(body: String) { self.body = body }

  var isEmpty: Bool { title.isEmpty && body.isEmpty }
}

@Model
class Folder {
  var name: String
  @Relationship(deleteRule: .nullify, inverse: \Note.folder) var notes: [Note] = []

  init(name: String) { self.name = name }
}
