import ManagedModels

// Compiled by SchemaRenderingTests, through a symbolic link, and by ExtrasTests, so that the code rendered for these
// versions is the code that runs.

/// The Core Data model that the library had before it had SwiftData: "Library 3" is LibrarySchemaV1.
enum LibraryVersions {
  /// - Parameter current: The model of LibrarySchemaV1.
  static func all(_ current: ManagedModel) -> [(String, ManagedModel)] {
    // Traits that SwiftData cannot express, with the tables of the current version.
    var second = current
    for index in second.entities.indices where second.entities[index].name != "NoteModel" {
      second.entities[index].hashModifier = "2"
    }
    // An abstract entity, and one below it whose rows are dropped; books have no rating yet.
    var first = second
    for index in first.entities.indices where first.entities[index].name == "BookModel" {
      first.entities[index].attributes.removeAll { $0.name == "rating" }
    }
    var scrap = ManagedEntity(
      name: "Scrap", attributes: [ManagedAttribute(name: "words", type: .string)])
    scrap.isAbstract = true
    first.entities += [scrap, ManagedEntity(name: "Snippet", superentity: "Scrap")]
    return [("Library", first), ("Library 2", second), ("Library 3", current)]
  }
}
