import Foundation
import SwiftData

/// One schema with a relationship of every kind, for the tests of contexts.
enum Library: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(1, 2, 3) }
  static var models: [any PersistentModel.Type] {
    [
      Library.Author.self, Library.Book.self, Library.Tag.self, Library.Note.self,
      Library.Passport.self, Library.Vehicle.self, Library.Car.self, Library.Shelf.self,
    ]
  }

  @Model
  final class Author {
    #Index<Library.Author>([\.name], [\.name, \.born])
    #Unique<Library.Author>([\.name, \.born])
    @Attribute(.unique) var id: UUID
    var name: String
    var born: Date = Date(timeIntervalSinceReferenceDate: 0)
    @Relationship(deleteRule: .cascade, inverse: \Library.Book.author)
    var books: [Library.Book] = []
    @Relationship(deleteRule: .deny, inverse: \Library.Passport.owner)
    var passport: Library.Passport?
    @Relationship(inverse: \Library.Author.students) var mentor: Library.Author?
    var students: [Library.Author] = []
    @Transient var isOpen: Bool = false

    init(_ name: String, id: UUID = UUID()) {
      self.id = id
      self.name = name
    }
  }

  @Model
  final class Book {
    var title: String
    var pages: Int = 0
    var author: Library.Author?
    @Relationship(inverse: \Library.Tag.books) var tags: [Library.Tag] = []
    /// Without an inverse.
    var notes: [Library.Note] = []

    init(_ title: String, pages: Int = 0, author: Library.Author? = nil) {
      self.title = title
      self.pages = pages
      self.author = author
    }
  }

  @Model
  final class Tag {
    var word: String
    var books: [Library.Book] = []

    init(_ word: String) { self.word = word }
  }

  @Model
  final class Note {
    var text: String
    init(_ text: String) { self.text = text }
  }

  @Model
  final class Passport {
    var number: String
    var owner: Library.Author?
    init(_ number: String) { self.number = number }
  }

  @Model
  class Vehicle {
    var wheels: Int
    init(wheels: Int) { self.wheels = wheels }
  }

  @Model
  final class Car: Library.Vehicle {
    var plate: String
    init(plate: String) {
      self.plate = plate
      super.init(wheels: 4)
    }
  }

  /// Its relationship is mandatory.
  @Model
  final class Shelf {
    var room: Library.Room
    init(room: Library.Room) { self.room = room }
  }

  @Model
  final class Room {
    var name: String
    @Relationship(inverse: \Library.Shelf.room) var shelves: [Library.Shelf] = []
    init(_ name: String) { self.name = name }
  }
}

/// Every type that an attribute can have.
enum Values: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  static var models: [any PersistentModel.Type] { [Values.Everything.self] }

  @Model
  final class Everything {
    var text: String = ""
    var whole: Int = 0
    var small: Int8 = 0
    var short: Int16 = 0
    var middle: Int32 = 0
    var unsigned: UInt64 = 0
    var flag: Bool = false
    var double: Double = 0
    var float: Float = 0
    var price: Decimal = Decimal(0)
    var date: Date = Date(timeIntervalSinceReferenceDate: 0)
    var data: Data = Data()
    var identifier: UUID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    var link: URL?
    var optional: String?
    var words: [String] = []
    var numbers: [Int] = []
    var level: Level = Level.low
    var levelIfAny: Level?
    var mood: Mood = Mood.glad
    var address: Address?
    var places: [Address] = []
    var counts: [String: Int] = [:]
    @Attribute(.transformable(by: ReversedText.self)) var reversed: Reversed = Reversed("")
    @Attribute(.externalStorage) var picture: Data?
    init() {}
  }
}

enum Level: Int, Codable {
  case low = 1
  case high = 2
}
enum Mood: String, Codable, CaseIterable { case glad, sad }
enum Weather: Codable, CaseIterable { case sun, rain }
struct Address: Codable, Equatable {
  var street: String
  var number: Int?
  var level: Level = .low
  var weather: Weather?
  var lines: [String] = []
  var place = Coordinates()
}
struct Coordinates: Codable, Equatable {
  var latitude = 0.0
  var longitude: Double?
}

final class Reversed: Equatable, Sendable {
  let text: String
  init(_ text: String) { self.text = text }
  static func == (lhs: Reversed, rhs: Reversed) -> Bool { lhs.text == rhs.text }
}

final class ReversedText: ValueTransformer {
  override func transformedValue(_ value: Any?) -> Any? {
    (value as? Reversed).map { Data(String($0.text.reversed()).utf8) }
  }
  override func reverseTransformedValue(_ value: Any?) -> Any? {
    (value as? Data).map { Reversed(String(String(decoding: $0, as: UTF8.self).reversed())) }
  }
}

/// A type that SwiftData cannot store.
enum Described {
  struct Part: Codable { var description: String }

  @Model
  final class Item {
    var part: Part?
    init() {}
  }
}
